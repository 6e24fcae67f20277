"""Animal Crossing, case by case: the rulebook, what it leaves open, and the notation."""

from __future__ import annotations

import json
from random import Random

import pytest

from bot import robots, snapshot
from bot.rules.animal_crossing import (
    AnimalCrossing,
    BoardingBegan,
    Crossing,
    Ended,
    Prizes,
    Revealed,
    RoundBegan,
    Stayed,
)
from bot.rules.base import Outcome, Refused

ANIMALS = {"M": "mouse", "C": "cat", "D": "dog", "E": "elephant"}


def deal(seats: int, *loads: tuple[int, ...], **options: str) -> AnimalCrossing:
    """A new game; rounds without loads here have 10 on every raft."""
    rafts = 2 if seats <= 6 else 3
    rounds = [list(row) for row in loads] + [[10] * rafts] * (5 - len(loads))
    return AnimalCrossing.deal(seats, AnimalCrossing.complete(seats, options), {"loads": rounds})


def play(position: AnimalCrossing, *moves: str) -> AnimalCrossing:
    """After moves written as `0 choose mouse`, or `bell`."""
    for move in moves:
        seat, _, text = move.partition(" ")
        position = position.bell() if move == "bell" else position.play(int(seat), text)
    return position


def choose_all(position: AnimalCrossing, letters: str) -> AnimalCrossing:
    """After each seat has chosen its letter's animal."""
    return play(position, *(f"{seat} choose {ANIMALS[letter]}" for seat, letter in enumerate(letters)))


def play_round(position: AnimalCrossing, plan: str) -> AnimalCrossing:
    """After a round in which each seat does as written: `DA` a dog on raft A, `M-` a mouse on the island."""
    answers = plan.split()
    position = choose_all(position, "".join(answer[0] for answer in answers))
    for seat, (_, place) in enumerate(answers):
        position = position.play(seat, "stay" if place == "-" else f"board {place}")
    return play(position, *(f"{seat} ready" for seat in range(position.seats)))


def on_raft(letters: str, load: int, islanders: str = "") -> AnimalCrossing:
    """After a round with those on raft A and on the island; dogs stay there to make up three seats."""
    plan = [f"{letter}A" for letter in letters] + [f"{letter}-" for letter in islanders]
    plan += ["D-"] * (3 - len(plan))
    loads = (load, 10) if len(plan) <= 6 else (load, 10, 10)
    return play_round(deal(len(plan), loads), " ".join(plan))


# The rulebook and its hard cases


def test_example_round_of_the_rulebook():
    after = on_raft("DDCME", 7, islanders="M")
    assert after.scores() == (3, 3, 0, 0, 0, 3)
    assert after.rounds[0].sank == (2, 3, 4)


def test_dog_on_the_island_of_the_example_scores_nothing():
    assert on_raft("DDCME", 7, islanders="D").scores() == (3, 3, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("letters", "load", "points", "sunk"),
    [
        ("MMM", 4, (3, 3, 3), 0),
        ("MMM", 2, (0, 0, 0), 3),
        ("DC", 5, (3, 2), 0),
        ("DDCC", 10, (3, 3, 2, 2), 0),
        ("DDC", 6, (3, 3, 0), 1),
        ("EE", 10, (5, 5), 0),
        ("EE", 8, (0, 0), 2),
        ("MMMMMM", 6, (6, 6, 6, 6, 6, 6), 0),
        ("MMMD", 6, (3, 3, 3, 3), 0),
        ("MMMD", 5, (0, 0, 0, 0), 4),
        ("M", 2, (1,), 0),
        ("C", 2, (2,), 0),
        ("D", 2, (0,), 1),
        ("E", 5, (5,), 0),
        ("MC", 2, (0, 2), 1),
        ("ME", 2, (1, 0), 1),
        ("MEE", 2, (1, 0, 0), 2),
        ("DDDCC", 9, (3, 3, 3, 0, 0), 2),
        ("MCD", 5, (0, 2, 3), 1),
        ("MDE", 4, (1, 3, 0), 1),
        ("CE", 7, (2, 5), 0),
        ("DE", 7, (0, 0), 2),
    ],
)
def test_crossing(letters: str, load: int, points: tuple[int, ...], sunk: int):
    after = on_raft(letters, load)
    assert after.scores()[: len(letters)] == points
    assert len(after.rounds[0].sank) == sunk


def test_scared_cat_still_scares_mice_and_scared_mouse_still_scares_elephants():
    assert on_raft("DDCM", 6).rounds[0].fates == ("crossed", "crossed", "scared", "scared")
    assert on_raft("CME", 2).rounds[0].fates == ("crossed", "scared", "scared")


def test_weight_of_the_scared_does_not_count_but_too_heavy_a_rest_sinks():
    assert on_raft("DDCME", 5).rounds[0].fates == ("overloaded", "overloaded", "scared", "scared", "scared")


def test_island_scores_for_everybody_who_sank_on_any_raft_in_full():
    after = play_round(deal(6, (2, 4)), "EA EB EB M- C- E-")
    assert after.rounds[0].sank == (0, 1, 2)
    assert after.scores() == (0, 0, 0, 3, 3, 3)


def test_island_without_anybody_sunk_scores_nothing():
    assert on_raft("M", 2, islanders="MCE").scores() == (1, 0, 0, 0)


def test_nobody_scares_anybody_on_the_island():
    after = play_round(deal(5, (2, 2)), "M- C- D- D- E-")
    assert after.rounds[0].fates == ("stayed",) * 5
    assert after.scores() == (0,) * 5


def test_rafts_are_apart():
    after = play_round(deal(4, (5, 5)), "MA EB CA DB")
    assert after.rounds[0].fates == ("scared", "overloaded", "crossed", "overloaded")


def test_third_raft_from_seven_seats_on():
    after = play_round(deal(7, (2, 2, 5)), "EC D- D- D- D- D- D-")
    assert after.scores() == (5, 0, 0, 0, 0, 0, 0)
    with pytest.raises(Refused):
        play(choose_all(deal(6), "MMMMMM"), "0 board C")


def test_any_animal_may_be_chosen_again_and_by_all():
    position = deal(3)
    for _ in range(5):
        position = play_round(position, "MA MA MA")
    assert position.scores() == (15, 15, 15)


def test_empty_raft_leaves_without_a_word():
    after = play_round(deal(3), "DA M- M-")
    assert [event.raft for event in after.events if isinstance(event, Crossing)] == ["A"]


def test_who_has_no_place_at_the_bell_is_on_the_island():
    after = play(choose_all(deal(3, (2, 2)), "EMM"), "0 board A", "bell")
    assert after.rounds[0].places == ("A", "island", "island")
    assert after.scores() == (0, 1, 1)


# Loads and options


@pytest.mark.parametrize(
    ("seats", "loads"),
    [
        (3, [[2, 3], [3, 3], [2, 5], [2, 4], [4, 5]]),
        (4, [[3, 4], [2, 6], [3, 5], [4, 5], [5, 6]]),
        (5, [[3, 6], [4, 5], [2, 8], [5, 6], [6, 9]]),
        (6, [[4, 7], [5, 5], [2, 10], [6, 7], [8, 10]]),
        (7, [[4, 7, 3], [5, 5, 2], [2, 10, 4], [6, 7, 2], [8, 10, 2]]),
        (8, [[4, 7, 5], [5, 5, 4], [2, 10, 6], [6, 7, 3], [8, 10, 4]]),
        (9, [[4, 7, 7], [5, 5, 6], [2, 10, 8], [6, 7, 5], [8, 10, 6]]),
    ],
)
def test_default_loads(seats: int, loads: list[list[int]]):
    assert AnimalCrossing.shuffle(seats, AnimalCrossing.complete(seats, {}), Random(1)) == {"loads": loads}


def test_options_have_defaults():
    assert AnimalCrossing.complete(3, {}) == {"boarding": "open", "scores": "hidden"}
    assert AnimalCrossing.complete(3, {"scores": "public"}) == {"boarding": "open", "scores": "public"}


@pytest.mark.parametrize("options", [{"colour": "red"}, {"boarding": "Open"}, {"scores": True}, {"scores": ["hidden"]}])
def test_other_options_are_refused(options: dict[str, object]):
    with pytest.raises(Refused):
        AnimalCrossing.complete(3, options)


FINE = [[4, 7], [5, 5], [2, 10], [6, 7], [8, 10]]


@pytest.mark.parametrize(
    "setup",
    [
        {},
        [],
        {"loads": 5},
        {"loads": FINE[:4]},
        {"loads": [*FINE, [4, 4]]},
        {"loads": [*FINE[:4], [4]]},
        {"loads": [*FINE[:4], [4, 4, 4]]},
        {"loads": [*FINE[:4], [1, 4]]},
        {"loads": [*FINE[:4], [4, 11]]},
        {"loads": [*FINE[:4], [4, True]]},
        {"loads": [*FINE[:4], [4, 4.0]]},
        {"loads": [*FINE[:4], [4, "4"]]},
        {"loads": [*FINE[:4], {"A": 4, "B": 4}]},
        {"loads": [*FINE[:4], None]},
    ],
)
def test_other_loads_are_refused(setup: object):
    with pytest.raises(Refused):
        AnimalCrossing.deal(6, AnimalCrossing.complete(6, {}), setup)  # pyright: ignore[reportArgumentType]


# Open boarding


def test_first_all_choose_and_may_change_until_the_last_has_chosen():
    position = play(deal(3), "1 choose cat", "1 choose dog", "1 choose dog")
    assert position.waiting() == (0, 2)
    assert position.moves(1) == ("choose mouse", "choose cat", "choose dog", "choose elephant")
    position = play(position, "0 choose mouse", "2 choose mouse")
    assert position.waiting() == (0, 1, 2)
    assert position.moves(1) == ("board A", "board B", "stay", "ready")
    assert position.view(1).animal == "dog"


def test_turn_grows_with_questions_and_not_with_answers():
    position = deal(3)
    turns = [position.turn]
    for move in ("0 choose cat", "1 choose cat", "2 choose cat", "0 board A", "0 ready", "0 unready", "bell"):
        position = play(position, move)
        turns.append(position.turn)
    assert turns == [1, 1, 1, 2, 2, 2, 2, 3]


@pytest.mark.parametrize("move", ["board A", "stay", "ready", "unready"])
def test_boarding_waits_until_all_have_chosen(move: str):
    with pytest.raises(Refused, match="Boarding begins when everybody has chosen"):
        play(deal(3), "0 choose cat", f"0 {move}")


def test_animals_are_fixed_once_boarding_has_begun():
    with pytest.raises(Refused, match="fixed"):
        play(choose_all(deal(3), "MMM"), "0 choose mouse")


def test_bell_changes_nothing_while_an_animal_is_missing():
    position = play(deal(3), "0 choose cat", "1 choose cat")
    assert position.bell() == position


def test_places_may_change_until_all_are_ready():
    position = play(choose_all(deal(3), "MMM"), "0 board A", "1 ready", "2 ready", "0 board B", "0 stay", "0 board B")
    assert position.view(None).places == ("B", "island", "island")
    assert position.waiting() == (0,)
    assert play(position, "0 ready").rounds[0].places == ("B", "island", "island")


def test_change_of_place_unreadies_only_the_one_who_moves():
    position = play(choose_all(deal(3), "MMM"), "0 ready", "1 board A", "1 ready", "1 board B")
    assert position.waiting() == (1, 2)


def test_place_that_is_no_change_leaves_ready():
    position = play(choose_all(deal(3), "MMM"), "0 ready", "0 stay", "1 board A", "1 ready", "1 board A")
    assert position.waiting() == (2,)


def test_ready_twice_and_unready_twice_are_refused():
    position = choose_all(deal(3), "MMM")
    with pytest.raises(Refused, match="ready already"):
        play(position, "0 ready", "0 ready")
    with pytest.raises(Refused, match="not ready"):
        play(position, "0 unready")
    assert play(position, "0 ready", "0 unready").waiting() == (0, 1, 2)


def test_bell_ends_boarding_for_the_unready_too():
    position = play(choose_all(deal(3), "CCC"), "0 board A", "1 board A", "1 ready", "bell")
    assert position.scores() == (2, 2, 0)
    assert position.waiting() == (0, 1, 2)


def test_next_round_begins_on_the_island_without_animals():
    position = play_round(deal(3, (2, 3), (4, 5)), "CA CB D-")
    view = position.view(0)
    assert (view.round, view.loads, view.question, view.animal) == (1, (4, 5), "animal", None)
    assert view.places == ("island",) * 3


# Secret boarding


def secret(seats: int = 3, *loads: tuple[int, ...]) -> AnimalCrossing:
    return deal(seats, *loads, boarding="secret")


def test_secret_boarding_is_one_question():
    position = play(secret(3, (2, 2)), "0 board A", "0 choose cat", "0 ready", "1 choose mouse", "2 choose mouse")
    assert (position.turn, position.waiting()) == (1, (1, 2))
    position = play(position, "1 ready", "2 ready")
    assert (position.turn, position.scores()) == (2, (2, 0, 0))


def test_secret_ready_needs_an_animal():
    assert "ready" not in secret().moves(0)
    with pytest.raises(Refused, match="Choose an animal"):
        play(secret(), "0 board A", "0 ready")


def test_secret_change_of_animal_or_place_unreadies():
    position = play(secret(), "0 choose cat", "0 ready")
    assert play(position, "0 choose dog").waiting() == (0, 1, 2)
    assert play(position, "0 board B").waiting() == (0, 1, 2)
    assert play(position, "0 choose cat", "0 stay").waiting() == (1, 2)


def test_secret_bell_waits_for_animals_and_for_nothing_else():
    position = play(secret(3, (2, 2)), "0 choose cat", "1 choose cat", "0 board A")
    assert position.bell() == position
    assert play(position, "2 choose dog", "bell").rounds[0].places == ("A", "island", "island")


def test_secret_answers_show_in_no_other_view():
    before = secret()
    after = play(before, "0 choose cat", "0 board B")
    assert after.view(1) == before.view(1)
    assert after.view(None) == before.view(None)
    assert (after.view(0).animal, after.view(0).places) == ("cat", ("B", None, None))


def test_places_are_public_after_a_secret_round():
    position = play_round(secret(), "CA DB M-")
    assert position.view(None).rounds[0].places == ("A", "B", "island")


# What views hide


def test_choice_shows_in_no_other_view_but_that_it_was_made():
    cat, dog = (play(deal(3), f"0 choose {animal}") for animal in ("cat", "dog"))
    assert cat.view(1) == dog.view(1)
    assert cat.view(None) == dog.view(None)
    assert cat.view(None).waiting == (1, 2)
    assert (cat.view(0).animal, dog.view(0).animal, cat.view(1).animal) == ("cat", "dog", None)


def test_loads_to_come_are_in_no_view():
    a, b = deal(3, (2, 3), (4, 5)), deal(3, (2, 3), (9, 9))
    assert a.view(0) == b.view(0)


def test_hidden_scores_tell_places_and_who_sank_but_not_why():
    scared = play_round(deal(3, (2, 2)), "MA CA D-")
    heavy = play_round(deal(3, (2, 2)), "MA CA C-")
    view = scared.view(None)
    assert view.points is None
    assert (view.rounds[0].places, view.rounds[0].sank) == (("A", "A", "island"), (0,))
    assert (view.rounds[0].animals, view.rounds[0].fates, view.rounds[0].points) == ((None,) * 3, None, None)
    assert heavy.view(None) == view


def test_hidden_scores_are_hidden_from_their_owner_too():
    """A mouse's points would tell it how many mice were aboard."""
    two = play_round(deal(4), "MA MA DA DB")
    three = play_round(deal(4), "MA MA MA DB")
    assert (two.scores()[0], three.scores()[0]) == (2, 3)
    assert two.view(0) == three.view(0)
    view = three.view(0)
    assert (view.points, view.rounds[0].points, view.rounds[0].fates) == (None, None, None)
    assert view.rounds[0].animals == ("mouse", None, None, None)


def test_events_of_a_hidden_round():
    position = play_round(deal(3, (2, 2), (4, 5)), "MA CA D-")
    assert position.view(None).events == (
        RoundBegan(0, 0, (2, 2)),
        BoardingBegan(1, 0),
        Crossing(2, 0, "A", 2, (1,), (0,)),
        Stayed(2, 0, (2,), 1),
        RoundBegan(2, 1, (4, 5)),
    )


def test_public_scores_show_animals_and_points_after_each_round():
    position = deal(3, (2, 2), scores="public")
    assert choose_all(position, "MCM").view(1).animal == "cat"
    position = play_round(position, "MA CA M-")
    view = position.view(None)
    assert view.points == (0, 2, 1)
    assert view.rounds[0].animals == ("mouse", "cat", "mouse")
    assert view.rounds[0].fates == ("scared", "crossed", "stayed")
    assert Revealed(2, 0, ("mouse", "cat", "mouse"), ("scared", "crossed", "stayed"), (0, 2, 1)) in view.events


def test_public_scores_hide_the_animals_of_the_current_round():
    position = play_round(deal(3, scores="public"), "MA CA M-")
    mouse, cat = play(position, "0 choose mouse"), play(position, "0 choose cat")
    assert mouse.view(1) == cat.view(1)


# The end


def finished(*plans: str, **options: str) -> AnimalCrossing:
    """After five rounds with 10 on every raft; the last plan goes on to the end."""
    position = deal(len(plans[0].split()), **options)
    for number in range(5):
        position = play_round(position, plans[min(number, len(plans) - 1)])
    return position


def test_everything_is_revealed_at_the_end_by_events_that_are_appended():
    position = deal(3)
    for _ in range(4):
        position = play_round(position, "EA DB C-")
    before = position.view(None).events
    assert not any(isinstance(event, Revealed) for event in before)
    position = play_round(position, "EA DB C-")
    told = position.view(None).events
    assert told[: len(before)] == before
    revealed = [event for event in told if isinstance(event, Revealed)]
    assert [event.round for event in revealed] == [0, 1, 2, 3, 4]
    assert revealed[0].animals == ("elephant", "dog", "cat")
    assert revealed[0].points == (5, 3, 0)
    prizes = Prizes(token=(0,), strike=(2,), half=(0, 1))
    assert told[-1] == Ended(10, (25, 15, 0), prizes)
    view = position.view(None)
    assert (view.points, view.prizes, view.outcome) == ((25, 15, 0), prizes, Outcome((0,)))
    assert view.rounds == position.rounds
    assert (view.question, view.waiting) == (None, ())


def test_final_ten_earns_no_half_token_and_eleven_does():
    position = finished("CA CB DA", "CA CB DA")
    assert position.scores() == (10, 10, 15)
    assert position.view(None).prizes == Prizes(token=(2,), strike=(0, 1), half=(2,))
    position = finished("CA CB DA", "DA CB DA", "CA CB DA")
    assert position.scores() == (11, 10, 15)
    assert position.view(None).prizes == Prizes(token=(2,), strike=(1,), half=(0, 2))


def test_equal_totals_share_the_win_and_every_prize():
    position = finished("DA DB M- M-")
    assert position.outcome() == Outcome((0, 1))
    assert position.view(None).prizes == Prizes(token=(0, 1), strike=(2, 3), half=(0, 1))


def test_a_game_that_is_over_refuses_everything():
    position = finished("EA DB C-")
    assert [position.moves(seat) for seat in range(3)] == [(), (), ()]
    for move in ("choose mouse", "board A", "stay", "ready", "unready"):
        with pytest.raises(Refused, match="over"):
            position.play(0, move)
    with pytest.raises(Refused, match="over"):
        position.bell()


def test_the_bell_may_end_the_game():
    position = deal(3)
    for _ in range(5):
        position = play(choose_all(position, "CCC"), "0 board A", "bell")
    assert position.outcome() == Outcome((0,))


# Spelling, seats, snapshots and robots


@pytest.mark.parametrize(
    "move", ["choose Mouse", "choose cow", "choose", "choose  cat", "cat", "bell", "", "choose cat "]
)
def test_other_spellings_are_refused(move: str):
    with pytest.raises(Refused):
        deal(3).play(0, move)


@pytest.mark.parametrize("move", ["board a", "board", "board D", "board island", "stay A", "Ready"])
def test_other_places_are_refused(move: str):
    with pytest.raises(Refused):
        choose_all(deal(7), "MMMMMMM").play(0, move)


@pytest.mark.parametrize("seat", [-1, 3])
def test_foreign_seats_are_refused(seat: int):
    with pytest.raises(Refused):
        deal(3).play(seat, "choose cat")


def test_a_snapshot_comes_back_equal():
    for position in (deal(3), play_round(secret(), "CA DB M-"), finished("EA DB C-", scores="public")):
        assert snapshot.load(AnimalCrossing, json.loads(json.dumps(snapshot.dump(position)))) == position


@pytest.mark.parametrize("boarding", ["open", "secret"])
@pytest.mark.parametrize("seats", [3, 6, 9])
def test_robots_play_a_whole_game_soon(seats: int, boarding: str):
    rng = Random(seats)
    position = deal(seats, *[(4, 6, 5)[: 2 if seats < 7 else 3]] * 5, boarding=boarding)
    moves = 0
    while waiting := position.waiting():
        seat = rng.choice(waiting)
        move = robots.choose("animal_crossing", position.view(seat), position.moves(seat), rng)
        position = position.play(seat, move)
        moves += 1
    assert moves < 5 * seats * 6


def test_robots_beat_chance():
    rng = Random(5)
    robot = chance = 0
    for _ in range(12):
        position = deal(4, *[(3, 6)] * 5)
        while waiting := position.waiting():
            seat, moves = waiting[0], position.moves(waiting[0])
            clever = seat in (0, 2)
            view = position.view(seat)
            position = position.play(
                seat, robots.choose("animal_crossing", view, moves, rng) if clever else rng.choice(moves)
            )
        scores = position.scores()
        robot, chance = robot + scores[0] + scores[2], chance + scores[1] + scores[3]
    assert robot > chance
