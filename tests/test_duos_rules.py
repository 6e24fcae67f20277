"""The rulebook of DUOS, case by case."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.rules.base import Outcome, Refused
from bot.rules.duos import BOXES, Duos, DuosView, Ended, Hint, Hinted, TurnScored, cards_in, sets_for
from bot.snapshot import dump, load

TOLD = "1-2 3-4 5-6 7-8"
"""The narrator's pairs of most tests."""

SHARING = {4: TOLD, 3: "1-2 3-4 5-6 9-10", 2: "1-2 3-4 5-7 6-8", 1: "1-2 3-5 4-6 7-9", 0: "1-3 2-4 5-7 6-8"}
"""Pairs that share so many with those told."""


def duos(seats: int, **options: str) -> Duos:
    """A game whose sets are the cards 1-12, 13-24 and so on."""
    sets = [list(range(start, start + 12)) for start in range(1, 12 * sets_for(seats), 12)]
    return Duos.deal(seats, Duos.complete(seats, options), {"sets": sets})


def play(game: Duos, seat: int, *moves: str) -> Duos:
    for move in moves:
        game = game.play(seat, move)
    return game


def arrange(game: Duos, seat: int, pairs: str) -> Duos:
    """That seat makes pairs written like `1-2 3-4`."""
    return play(game, seat, *(f"pair {pair.replace('-', ' ')}" for pair in pairs.split()))


def lock(game: Duos, seat: int, pairs: str = TOLD) -> Duos:
    return arrange(game, seat, pairs).play(seat, "lock")


def turn(game: Duos, *pairs: str) -> Duos:
    """A whole turn: the pairs of every seat in seat order."""
    for seat, made in enumerate(pairs):
        game = lock(game, seat, made)
    return game


def sharing(game: Duos, *shared: int) -> Duos:
    """A whole turn in which the others share so many pairs with the narrator, in seat order."""
    assert game.narrator is not None
    others = iter(shared)
    return turn(game, *(TOLD if seat == game.narrator else SHARING[next(others)] for seat in range(game.seats)))


def last_scored(game: Duos) -> TurnScored:
    return [event for event in game.events if isinstance(event, TurnScored)][-1]


# The cards


@pytest.mark.parametrize("box", BOXES)
def test_each_box_has_two_categories_and_72_cards_or_more(box: str) -> None:
    assert len(BOXES[box]) == 2
    assert cards_in(box) >= 72


@pytest.mark.parametrize("box", BOXES)
def test_every_card_has_a_front_and_a_back(box: str) -> None:
    fronts, backs = BOXES[box].values()
    assert len(fronts) == len(backs) == cards_in(box)


def test_no_picture_and_no_name_comes_twice_in_all_boxes() -> None:
    pictures = [picture for sides in BOXES.values() for side in sides.values() for picture in side]
    assert len({picture.codepoint for picture in pictures}) == len(pictures)
    assert len({picture.label for picture in pictures}) == len(pictures)


def test_card_n_shows_picture_n_of_both_categories() -> None:
    game = duos(3)
    assert [picture.label for picture in game.pictures[:2]] == ["Football", "Basketball"]
    game = sharing(game, 0, 0)
    assert [picture.label for picture in game.pictures[:2]] == ["Crown", "Princess"]


# Set-up


def test_the_default_is_the_box_of_sport_and_fairy_tales_with_sport_first() -> None:
    assert Duos.complete(3, {}) == {"box": "sport-fairy", "first": "sport"}


def test_the_first_category_of_the_box_begins_unless_another_is_chosen() -> None:
    assert Duos.complete(3, {"box": "things-animals"})["first"] == "things"
    assert duos(3, box="things-animals", first="animals").category == "animals"


@pytest.mark.parametrize(
    "options",
    [
        {"first": "animals"},
        {"box": "things-animals", "first": "sport"},
        {"box": "sport"},
        {"box": None},
        {"box": ["sport-fairy"]},
        {"first": 1},
        {"rounds": 3},
    ],
)
def test_unknown_options_and_categories_of_the_other_box_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(Refused):
        Duos.complete(3, options)


@pytest.mark.parametrize(("seats", "sets"), [(2, 5), (3, 3), (4, 4), (5, 5), (6, 6)])
def test_the_sets_that_a_game_needs(seats: int, sets: int) -> None:
    setup = Duos.shuffle(seats, Duos.complete(seats, {}), Random(1))
    assert len(setup["sets"]) == sets
    cards = [card for cards in setup["sets"] for card in cards]
    assert len(cards) == len(set(cards)) == 12 * sets
    assert Duos.deal(seats, Duos.complete(seats, {}), setup).turn == 1


def spoilt(sets: list[list[object]], spoil: str) -> object:
    match spoil:
        case "too few sets":
            return sets[:-1]
        case "too many sets":
            return [*sets, list(range(60, 72))]
        case "eleven cards":
            return [sets[0][:-1], *sets[1:]]
        case "a card twice in a set":
            return [[*sets[0][:-1], sets[0][0]], *sets[1:]]
        case "a card in two sets":
            return [[*sets[0][:-1], sets[1][0]], *sets[1:]]
        case "card 0":
            return [[*sets[0][:-1], 0], *sets[1:]]
        case "a card beyond the box":
            return [[*sets[0][:-1], 80], *sets[1:]]
        case "true for a card":
            return [[True, *sets[0][1:]], *sets[1:]]
        case "2.0 for a card":
            return [[1, 2.0, *sets[0][2:]], *sets[1:]]
        case "text for a set":
            return ["abcdefghijkl", *sets[1:]]
        case _:
            return None


@pytest.mark.parametrize(
    "spoil",
    [
        "too few sets",
        "too many sets",
        "eleven cards",
        "a card twice in a set",
        "a card in two sets",
        "card 0",
        "a card beyond the box",
        "true for a card",
        "2.0 for a card",
        "text for a set",
        "no sets",
    ],
)
def test_a_setup_that_no_shuffle_could_give_is_refused(spoil: str) -> None:
    sets: list[list[object]] = [list(range(start, start + 12)) for start in (1, 13, 25)]
    with pytest.raises(Refused):
        Duos.deal(3, Duos.complete(3, {}), {"sets": spoilt(sets, spoil)})


def test_a_setup_without_sets_is_refused() -> None:
    with pytest.raises(Refused):
        Duos.deal(3, Duos.complete(3, {}), {})


# The order of narrators, categories and sets


def course(game: Duos) -> list[tuple[int | None, str, int]]:
    """Narrator, category and first card of the set, turn by turn."""
    turns: list[tuple[int | None, str, int]] = []
    while not game.over:
        turns.append((game.narrator, game.category, game.sets[(game.turn - 1) // 2][0]))
        game = turn(game, *[TOLD] * game.seats)
    return turns


def test_four_players_narrate_once_in_each_category() -> None:
    a, b = "sport", "fairy"
    assert course(duos(4)) == [
        (0, a, 1),
        (1, b, 1),
        (2, a, 13),
        (3, b, 13),
        (0, b, 25),
        (1, a, 25),
        (2, b, 37),
        (3, a, 37),
    ]


def test_three_players_alternate_plainly() -> None:
    a, b = "fairy", "sport"
    assert course(duos(3, first="fairy")) == [
        (0, a, 1),
        (1, b, 1),
        (2, a, 13),
        (0, b, 13),
        (1, a, 25),
        (2, b, 25),
    ]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_everybody_narrates_twice_once_in_each_category_and_each_set_shows_both_sides(seats: int) -> None:
    turns = course(duos(seats, box="things-animals"))
    assert len(turns) == 2 * seats
    assert {(narrator, category) for narrator, category, _ in turns} == {
        (seat, category) for seat in range(seats) for category in ("things", "animals")
    }
    assert len({(card, category) for _, category, card in turns}) == 2 * seats


def test_two_players_alternate_over_nine_turns_and_five_sets_without_a_narrator() -> None:
    turns = course(duos(2))
    assert [category for _, category, _ in turns] == ["sport", "fairy"] * 4 + ["sport"]
    assert [card for _, _, card in turns] == [1, 1, 13, 13, 25, 25, 37, 37, 49]
    assert {narrator for narrator, _, _ in turns} == {None}


# Choosing pairs


def test_a_pair_may_be_named_in_either_order() -> None:
    game = duos(3).play(0, "pair 7 3")
    assert game.view(0).pairs == ((3, 7),)
    assert game.play(0, "unpair 7 3").view(0).pairs == ()


def test_a_paired_card_must_be_freed_first() -> None:
    game = duos(3).play(0, "pair 3 7")
    for move in ("pair 3 8", "pair 8 7", "pair 3 7"):
        with pytest.raises(Refused):
            game.play(0, move)
    assert play(game, 0, "unpair 3 7", "pair 3 8").view(0).pairs == ((3, 8),)


def test_a_fifth_pair_and_a_pair_of_one_card_are_refused() -> None:
    with pytest.raises(Refused):
        arrange(duos(3), 0, TOLD).play(0, "pair 9 10")
    with pytest.raises(Refused):
        duos(3).play(0, "pair 4 4")


def test_what_is_no_pair_cannot_be_taken_apart() -> None:
    with pytest.raises(Refused):
        duos(3).play(0, "pair 3 7").play(0, "unpair 3 8")


def test_clear_takes_all_apart_and_may_clear_nothing() -> None:
    game = duos(3)
    assert game.play(0, "clear") == game
    assert arrange(game, 0, TOLD).play(0, "clear") == game


def test_a_lock_with_three_pairs_is_refused() -> None:
    with pytest.raises(Refused):
        arrange(duos(3), 0, "1-2 3-4 5-6").play(0, "lock")


def test_locked_pairs_stand_until_they_are_unlocked() -> None:
    game = lock(duos(3), 0)
    for move in ("pair 9 10", "unpair 1 2", "clear", "lock"):
        with pytest.raises(Refused):
            game.play(0, move)
    assert play(game, 0, "unlock", "unpair 1 2").view(0).pairs == ((3, 4), (5, 6), (7, 8))


def test_unlock_when_not_locked_is_refused() -> None:
    with pytest.raises(Refused):
        arrange(duos(3), 0, TOLD).play(0, "unlock")


def test_the_game_waits_for_all_who_have_not_locked() -> None:
    game = lock(duos(3), 1)
    assert game.waiting() == (0, 2)
    assert game.play(1, "unlock").waiting() == (0, 1, 2)
    assert game.turn == 1


@pytest.mark.parametrize(
    "move",
    [
        "",
        "pair",
        "pair 1",
        "pair 1 2 3",
        "pair 0 1",
        "pair 1 13",
        "pair 01 2",
        "pair +1 2",
        "pair 1  2",
        " pair 1 2",
        "pair 1 2 ",
        "Pair 1 2",
        "pair ١ 2",
        "pair 1-2",
        "pair " + "9" * 5000 + " 1",
        "clear 1",
        "lock now",
        "deal",
        "pair\t1\t2",
    ],
)
def test_spelling_is_exact(move: str) -> None:
    with pytest.raises(Refused):
        duos(3).play(0, move)


def test_a_seat_that_is_not_there_may_not_act() -> None:
    for seat in (3, -1):
        with pytest.raises(Refused):
            duos(3).play(seat, "clear")
        assert duos(3).moves(seat) == ()


def test_moves_list_what_is_legal() -> None:
    game = duos(3)
    assert len(game.moves(0)) == 66 + 1
    assert "lock" not in game.moves(0)
    assert game.play(0, "pair 3 7").moves(0)[-2:] == ("unpair 3 7", "clear")
    assert arrange(game, 0, TOLD).moves(0) == (
        "unpair 1 2",
        "unpair 3 4",
        "unpair 5 6",
        "unpair 7 8",
        "clear",
        "lock",
    )
    assert lock(game, 0).moves(0) == ("unlock",)


# The narrator checks the pairs


def test_the_example_of_the_rulebook() -> None:
    """Elwira narrates; Sasza shares four pairs, Maciek one, Paulina three."""
    game = sharing(duos(4), 4, 1, 3)
    assert game.scores() == (3, 4, 1, 3)


def test_the_colours_and_the_order_of_a_pair_do_not_matter() -> None:
    """The narrator makes Queen-King with the yellow markers, a player King-Queen with the white ones."""
    game = turn(duos(3), "1-2 3-4 5-6 7-8", "8-7 6-5 4-3 2-1", SHARING[0])
    assert game.scores() == (2, 4, 0)


def test_half_a_pair_is_worth_nothing() -> None:
    """The narrator makes Queen-King, a player Queen-Witch."""
    assert turn(duos(3), TOLD, "1-3 2-5 4-7 6-8", SHARING[0]).scores() == (0, 0, 0)


def test_six_players_who_share_all_give_the_narrator_ten() -> None:
    assert sharing(duos(6), 4, 4, 4, 4, 4).scores() == (10, 4, 4, 4, 4, 4)


@pytest.mark.parametrize(("shared", "narrator"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)])
def test_the_narrators_table_counts_each_player_apart(shared: int, narrator: int) -> None:
    assert sharing(duos(3), shared, 0).scores() == (narrator, shared, 0)


def test_the_narrators_table_is_not_for_the_sum() -> None:
    """Four players share one pair each: four pairs in all, but nothing for the narrator."""
    assert sharing(duos(5), 1, 1, 1, 1).scores() == (0, 1, 1, 1, 1)


def test_pairs_that_only_the_others_share_are_worth_nothing() -> None:
    assert turn(duos(3), TOLD, SHARING[0], SHARING[0]).scores() == (0, 0, 0)


def test_the_second_narrator_is_the_next_seat() -> None:
    game = sharing(duos(3), 0, 0)
    assert game.narrator == 1
    assert sharing(game, 4, 2).scores() == (4, 3, 2)


def test_the_reveal_is_an_event_that_tells_all() -> None:
    event = last_scored(sharing(duos(3), 3, 1))
    assert (event.turn, event.narrator, event.category) == (1, 0, "sport")
    assert [picture.label for picture in event.pictures[:2]] == ["Football", "Basketball"]
    assert event.pairs[1] == ((1, 2), (3, 4), (5, 6), (9, 10))
    assert event.shared == (((1, 2), (3, 4), (5, 6)), ((1, 2), (3, 4), (5, 6)), ((1, 2),))
    assert (event.points, event.scores) == ((1, 3, 1), (1, 3, 1))


def test_a_turn_begins_with_nothing_paired_and_nobody_locked() -> None:
    game = sharing(duos(3), 4, 4)
    assert game.turn == 2
    assert game.waiting() == (0, 1, 2)
    assert all(game.view(seat).pairs == () for seat in range(3))


# What is secret


def test_a_view_knows_its_own_pairs_and_no_others() -> None:
    game = lock(arrange(duos(3), 0, "1-2 3-4"), 1)
    assert game.view(0).pairs == ((1, 2), (3, 4))
    assert game.view(2).pairs == ()
    assert game.view(None).pairs == ()


@pytest.mark.parametrize("viewer", [None, 2])
def test_nothing_of_anybodys_choice_shows_before_the_last_lock(viewer: int | None) -> None:
    """Other pairs, and another number of them, make no difference to anyone else."""

    def seen(first: str, second: str) -> DuosView:
        return lock(arrange(duos(3), 0, first), 1, second).view(viewer)

    assert seen("", TOLD) == seen("1-2", SHARING[0]) == seen(TOLD, SHARING[3])


def test_who_has_locked_is_public() -> None:
    assert lock(duos(3), 1).view(None).locked == (1,)


def test_sets_to_come_are_nowhere_in_a_view() -> None:
    game = duos(3)
    other = replace(game, sets=(game.sets[0], game.sets[2], game.sets[1]))
    for viewer in (None, 0, 1, 2):
        assert game.view(viewer) == other.view(viewer)


def test_the_public_hears_the_events_in_order_and_only_more_of_them() -> None:
    heard = 0
    game = duos(2)
    for move in ["word metal", *(f"pair {pair}" for pair in ("1 2", "3 4", "5 6", "7 8")), "lock"]:
        game = game.play(0, move)
        assert len(game.view(None).events) >= heard
        heard = len(game.view(None).events)
    assert game.view(None).events == (Hinted(1, 0, Hint("word", word="metal"), None),)


# The end of the game


def finished(game: Duos) -> Duos:
    """All turns but the last are played, with nothing shared."""
    while game.turn < game.turns:
        game = sharing(game, *[0] * (game.seats - 1))
    return game


def test_equal_totals_share_the_victory() -> None:
    """Totals of 21, 21 and 18: two winners."""
    game = sharing(replace(finished(duos(3)), points=(21, 21, 18)), 0, 0)
    assert game.scores() == (21, 21, 18)
    assert game.outcome() == Outcome((0, 1))
    assert game.events[-1] == Ended(6, (0, 1), (21, 21, 18))


def test_the_most_points_after_the_second_round_win() -> None:
    game = sharing(finished(duos(3)), 4, 3)
    assert game.scores() == (4, 3, 3)
    assert game.outcome() == Outcome((0,))


def test_nothing_can_be_done_after_the_end() -> None:
    game = sharing(finished(duos(3)), 0, 0)
    assert game.waiting() == ()
    assert game.moves(0) == ()
    with pytest.raises(Refused):
        game.play(0, "clear")
    with pytest.raises(Refused):
        game.bell()
    assert game.view(None).pictures == ()


def test_the_bell_changes_nothing_while_the_game_goes_on() -> None:
    assert duos(3).bell() == duos(3)


# Two players


@pytest.mark.parametrize(("shared", "won"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1)])
def test_a_turn_is_won_with_three_or_four_shared_pairs(shared: int, won: int) -> None:
    game = turn(duos(2), TOLD, SHARING[shared])
    assert game.scores() == (won, won)
    assert len(last_scored(game).shared[0]) == shared


def test_nine_turns_won_are_the_best_rating_and_nobody_is_a_winner() -> None:
    game = duos(2)
    for _ in range(9):
        game = turn(game, TOLD, TOLD)
    assert game.scores() == (9, 9)
    assert game.outcome() == Outcome(())


@pytest.mark.parametrize("move", ["word metal", "yes 1", "no 1"])
def test_hints_are_for_two_players(move: str) -> None:
    with pytest.raises(Refused):
        duos(3).play(0, move)


def test_the_same_player_may_not_give_two_hints_in_a_turn() -> None:
    with pytest.raises(Refused):
        play(duos(2), 0, "yes 4", "no 9")


@pytest.mark.parametrize(("first", "second"), [("word a", "word b"), ("yes 1", "yes 2"), ("no 1", "no 2")])
def test_the_two_hints_of_a_turn_are_different(first: str, second: str) -> None:
    with pytest.raises(Refused):
        duos(2).play(0, first).play(1, second)


def test_all_markers_are_back_in_the_next_turn() -> None:
    game = duos(2).play(0, "word metal").play(1, "no 12")
    game = turn(game, TOLD, TOLD)
    assert game.view(None).hints == (None, None)
    assert game.play(1, "word wood").play(0, "no 12").view(1).hints == (
        Hint("no", card=12),
        Hint("word", word="wood"),
    )


def test_yes_binds_its_giver_at_the_lock() -> None:
    game = arrange(duos(2).play(0, "yes 9"), 0, TOLD)
    assert "lock" not in game.moves(0)
    with pytest.raises(Refused):
        game.play(0, "lock")
    assert play(game, 0, "unpair 1 2", "pair 1 9", "lock").waiting() == (1,)


def test_no_binds_its_giver_at_the_lock_but_a_pair_may_be_tried() -> None:
    game = arrange(duos(2).play(0, "no 8"), 0, TOLD)
    with pytest.raises(Refused):
        game.play(0, "lock")
    assert play(game, 0, "unpair 7 8", "pair 7 9", "lock").waiting() == (1,)


def test_the_partner_is_not_bound() -> None:
    game = duos(2).play(0, "yes 9")
    assert lock(game, 1).waiting() == (0,)


def test_a_hint_while_locked_must_agree_with_ones_own_pairs() -> None:
    game = lock(duos(2), 0)
    for move in ("yes 9", "no 1"):
        assert move not in game.moves(0)
        with pytest.raises(Refused):
            game.play(0, move)
    assert game.play(0, "yes 1").view(1).hints[0] == Hint("yes", card=1)
    assert game.play(0, "no 9").view(1).hints[0] == Hint("no", card=9)
    assert game.play(0, "word metal").view(1).hints[0] == Hint("word", word="metal")


def test_hints_cost_no_turn_and_leave_the_question_standing() -> None:
    game = duos(2).play(0, "yes 9")
    assert (game.turn, game.waiting()) == (1, (0, 1))


@pytest.mark.parametrize("word", ["metal", "Owady", "вода", "水", "हिन्दी", "fire-work", "o'clock", "o’clock", "a" * 30])
def test_a_word_is_of_any_script(word: str) -> None:
    assert duos(2).play(0, f"word {word}").view(1).hints[0] == Hint("word", word=word)


@pytest.mark.parametrize(
    "word",
    [
        "",
        "two words",
        "-",
        "'",
        "a1",
        "a" * 31,
        "a_b",
        "<@1>",
        "*a*",
        "a\u200bb",
        "a\nb",
        "\u3164",
        "🙂",
        "a.b",
    ],
)
def test_what_is_no_single_word_is_refused(word: str) -> None:
    with pytest.raises(Refused):
        duos(2).play(0, f"word {word}")


def test_moves_list_the_hints_that_are_left() -> None:
    game = duos(2)
    hints = [move for move in game.moves(0) if move.split()[0] in ("word", "yes", "no")]
    assert hints == ["word <word>", *(f"{kind} {card}" for kind in ("yes", "no") for card in range(1, 13))]
    game = game.play(1, "yes 4")
    hints = [move for move in game.moves(0) if move.split()[0] in ("word", "yes", "no")]
    assert hints == ["word <word>", *(f"no {card}" for card in range(1, 13))]
    assert not any(move.startswith(("word", "yes", "no")) for move in game.moves(1))
    assert lock(duos(2), 0).moves(0) == (
        "unlock",
        "word <word>",
        *(f"yes {card}" for card in range(1, 9)),
        *(f"no {card}" for card in range(9, 13)),
    )


# Whole games


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_random_games_accept_what_they_list_and_survive_a_snapshot(seats: int) -> None:
    rng = Random(seats)
    options = Duos.complete(seats, {"box": "things-animals"})
    game = Duos.deal(seats, options, Duos.shuffle(seats, options, rng))
    while game.waiting():
        seat = rng.choice(game.waiting())
        moves = game.moves(seat)
        move = "lock" if "lock" in moves else rng.choice(moves).replace("<word>", "metal")
        game = game.play(seat, move)
    assert load(Duos, dump(game)) == game
    assert game.turn == game.turns + 1
