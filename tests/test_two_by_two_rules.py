"""The rules of Two by Two, case by case; pairs are counted by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from bot import snapshot
from bot.robots.two_by_two import choose
from bot.rules.base import Refused
from bot.rules.two_by_two import (
    BEACH,
    BERTHS,
    JUNGLE,
    LAND,
    NEIGHBOURS,
    PLACES,
    SEA,
    SPECIES,
    STARS,
    TOKENS,
    CoastRevealed,
    Flooded,
    GameEnded,
    Passed,
    Rescued,
    Sailed,
    TookBack,
    TwoByTwo,
    count_columns,
)

MIRRORED = ("E", "W", "NE", "SW")


def dealt(seats: int = 2, count: str = "advanced", **tokens: str) -> TwoByTwo:
    """A game before the arks are placed, with these tokens on these spaces and the others anywhere."""
    left = Counter(TOKENS) - Counter(tokens.values())
    rest = [kind for kind in TOKENS for _ in range(left[kind])]
    Random(5).shuffle(rest)
    placed = dict(tokens)
    for space in JUNGLE:
        if space not in placed:
            placed[space] = rest.pop()
    options = TwoByTwo.complete(seats, {"count": count})
    return TwoByTwo.deal(seats, options, {"tokens": placed, "removed": rest})


def berthed(seats: int = 2, count: str = "advanced", **tokens: str) -> TwoByTwo:
    """The same with the arks at E, W, NE and SW in seat order."""
    return played(dealt(seats, count, **tokens), *(f"berth {berth}" for berth in MIRRORED[:seats]))


def played(position: TwoByTwo, *moves: str) -> TwoByTwo:
    """The position after these moves, each by the seat whose turn it is."""
    for move in moves:
        position = position.play(position.active, move)
    return position


def with_tokens(position: TwoByTwo, **face_up: str) -> TwoByTwo:
    """The position with these tokens on the island, face up, and no others."""
    return replace(position, face_down={}, face_up=dict(face_up))


def refuses(position: TwoByTwo, move: str, sentence: str) -> None:
    assert move not in position.moves(position.active)
    with pytest.raises(Refused, match=sentence):
        position.play(position.active, move)


def counted(count: str, *held: dict[str, int], stars: bool = False) -> tuple[int, ...]:
    """The points of the arks for these pairs; unless `stars` is said, no ark doubles what it holds."""
    columns = count_columns(held, count)
    assert stars == any(ark.keys() & STARS[seat] for seat, ark in enumerate(held))
    return tuple(sum(column.points[seat] for column in columns) for seat in range(len(held)))


# The board


def test_board_has_74_jungle_spaces_6_beaches_and_74_sea_spaces():
    assert (len(JUNGLE), len(BEACH), len(SEA), len(LAND)) == (74, 6, 74, 80)
    assert sum(TOKENS.values()) == 80


def test_rows_are_lettered_from_the_north_and_counted_from_the_west_with_the_sea():
    assert {"C3", "C7", "H3", "H12", "M3", "M7"} == BEACH
    assert BERTHS == {"NW": "B2", "NE": "B7", "W": "H2", "E": "H13", "SW": "N2", "SE": "N7"}
    assert set(NEIGHBOURS["H12"]) == {"G11", "G12", "H11", "H13", "I11", "I12"}
    assert set(NEIGHBOURS["C4"]) == {"B3", "B4", "C3", "C5", "D4", "D5"}
    assert set(NEIGHBOURS["A1"]) == {"A2", "B1", "B2"}


def test_board_equals_itself_after_a_half_turn_and_in_both_mirrors():
    for turned in (lambda x, y: (-x, -y), lambda x, y: (-x, y), lambda x, y: (x, -y)):
        image = {place: space for space, place in PLACES.items()}
        for space, place in PLACES.items():
            other = image[turned(*place)]
            assert (space in SEA, space in BEACH) == (other in SEA, other in BEACH)
            assert (space in BERTHS.values()) == (other in BERTHS.values())


def test_every_land_space_has_six_neighbours_and_no_beach_is_cut_off_from_the_sea():
    assert all(len(NEIGHBOURS[space]) == 6 for space in LAND)
    assert all(any(near in SEA for near in NEIGHBOURS[space]) for space in BEACH)


def test_each_species_is_starred_on_one_ark_and_the_unicorn_on_none():
    assert sorted(species for stars in STARS for species in stars) == sorted(set(SPECIES) - {"unicorn"})


# Setting up


def test_after_set_up_22_tokens_are_face_up_and_52_face_down_and_the_track_stands_at_1_2_3_4():
    position = berthed(4)
    view = position.view(None)
    assert (len(view.face_up), len(view.face_down)) == (22, 52)
    assert position.scores() == (1, 2, 3, 4)
    assert view.water == 36


def test_arks_are_placed_in_seat_order_on_free_ark_spaces_before_the_coast_is_turned_up():
    position = dealt(3)
    assert position.view(None).face_up == {}
    assert position.moves(0) == tuple(f"berth {berth}" for berth in BERTHS)
    assert position.moves(1) == ()
    position = played(position, "berth SE")
    assert position.waiting() == (1,)
    refuses(position, "berth SE", "Another ark lies at SE")
    refuses(position, "flood H12", "First place your ark")
    position = played(position, "berth NW", "berth W")
    assert position.arks == ("N7", "B2", "H2")
    assert position.waiting() == (0,)
    refuses(position, "berth E", "has its place already")
    revealed = position.events[-1]
    assert isinstance(revealed, CoastRevealed)
    assert len(revealed.revealed) == 22


def test_shuffle_deals_74_of_the_80_tokens_and_puts_six_away():
    setup = TwoByTwo.shuffle(4, {}, Random(3))
    assert len(setup["removed"]) == 6
    assert setup["tokens"].keys() == set(JUNGLE)
    assert Counter([*setup["tokens"].values(), *setup["removed"]]) == TOKENS
    assert setup == TwoByTwo.shuffle(4, {}, Random(3))


def test_deal_refuses_set_ups_that_no_shuffle_gives():
    setup = dict(TwoByTwo.shuffle(2, {}, Random(3)))
    tokens, removed = setup["tokens"], setup["removed"]
    wrong = (
        {},
        {"tokens": tokens},
        {"tokens": tokens, "removed": removed[1:]},
        {"tokens": tokens, "removed": [*removed[1:], "dragon"]},
        {"tokens": tokens, "removed": [*removed[1:], 3]},
        {"tokens": tokens | {"H12": "lion"}, "removed": removed},
        {"tokens": {space: kind for space, kind in tokens.items() if space != "H7"}, "removed": removed},
        {"tokens": tokens | {"H7": ["lion"]}, "removed": removed},
        {"tokens": [], "removed": removed},
    )
    for bad in wrong:
        with pytest.raises(Refused):
            TwoByTwo.deal(2, {"count": "advanced"}, bad)


def test_options_are_the_count_alone_advanced_unless_said():
    assert TwoByTwo.complete(2, {}) == {"count": "advanced"}
    assert TwoByTwo.complete(2, {"count": "basic"}) == {"count": "basic"}
    for wrong in ({"count": "expert"}, {"count": None}, {"count": ["basic"]}, {"colour": "red"}):
        with pytest.raises(Refused):
            TwoByTwo.complete(2, wrong)


# The flood rises


def test_flooding_beach_h12_first_scores_3_and_turns_up_h11():
    position = played(berthed(), "flood H12")
    assert position.scores() == (1 + 3, 2)
    assert "H11" in position.face_up
    assert len(position.face_up) == 23
    event = position.events[-1]
    assert isinstance(event, Flooded)
    assert (event.points, event.drowned, event.revealed) == (3, None, {"H11": position.face_up["H11"]})


def test_then_g11_scores_3_for_two_sea_and_one_flooded_and_drowns_its_token():
    position = played(berthed(G11="tiger"), "flood H12", "done", "flood G11")
    event = position.events[-1]
    assert isinstance(event, Flooded)
    assert (event.seat, event.points, event.drowned) == (1, 3, "tiger")
    assert position.scores() == (4, 2 + 3)
    assert "G11" not in position.face_up
    assert "G11" not in position.view(None).face_up


def test_flooding_d6_first_is_refused_in_the_second_row():
    refuses(berthed(), "flood D6", "D6 does not touch water")


def test_water_and_unknown_spaces_cannot_be_flooded():
    position = played(berthed(), "flood H12", "done")
    refuses(position, "flood H12", "H12 is water already")
    refuses(position, "flood H13", "H13 is water already")
    refuses(position, "flood Z1", "no such space")


def test_an_ark_on_the_neighbouring_water_changes_nothing():
    position = berthed()
    assert position.arks[0] == "H13"
    assert position.view(None).floods["H12"].points == 3


def test_the_flood_comes_before_the_ark_and_only_once():
    position = berthed()
    for move in ("sail H14", "rescue C4 C5", "done"):
        refuses(position, move, "First flood a space")
    position = played(position, "flood H12")
    refuses(position, "flood H11", "You have flooded a space this turn")


def test_the_outlook_of_a_flood_is_what_the_flood_does():
    position = berthed()
    for space, flood in position.view(0).floods.items():
        event = position.play(0, f"flood {space}").events[-1]
        assert isinstance(event, Flooded)
        assert (event.points, event.drowned) == (flood.points, flood.drowned)
        assert event.revealed.keys() == set(flood.reveals)


def test_a_space_between_six_waters_scores_6():
    around = NEIGHBOURS["F6"]
    position = replace(berthed(), flooded=around)
    assert position.view(None).floods["F6"].points == 6


def test_every_token_next_to_water_is_face_up_at_all_times():
    rng = Random(8)
    position = dealt(4)
    while position.waiting():
        seat = position.waiting()[0]
        position = position.play(seat, rng.choice(position.moves(seat)))
        if len(position.arks) == 4:
            water = SEA.union(position.flooded)
            assert not any(near in water for space in position.face_down for near in NEIGHBOURS[space])


# The ark


def test_whole_turn_flood_h12_sail_there_and_rescue_the_animal_it_revealed_with_a_twin_far_away():
    position = berthed(H11="lion", C4="lion")
    position = played(position, "flood H12", "sail H12", "rescue H11 C4")
    assert position.held == ({"lion": 1}, {})
    assert "H11" not in position.face_up and "C4" not in position.face_up
    assert position.waiting() == (1,)
    assert position.actions == 0


def test_the_order_of_the_two_animals_does_not_matter():
    position = played(berthed(H11="lion", C4="lion"), "flood H12", "sail H12")
    assert "rescue C4 H11" in position.moves(0)
    assert played(position, "rescue C4 H11").held == played(position, "rescue H11 C4").held


def test_sailing_to_a_dry_beach_is_refused():
    position = played(berthed(), "flood C3")
    refuses(position, "sail H12", "H12 is land")


def test_sailing_to_land_whose_animals_were_rescued_is_refused_until_it_is_flooded():
    position = berthed(H11="lion", C4="lion")
    position = played(position, "flood H12", "sail H12", "rescue H11 C4", "flood C3", "done", "flood C7")
    refuses(position, "sail H11", "H11 is land")
    flooded = replace(position, flooded=(*position.flooded, "H11"))
    assert flooded.play(0, "sail H11").arks[0] == "H11"


def test_a_rescue_leaves_land_that_reveals_nothing_and_scores_nothing_and_can_be_flooded():
    position = berthed(H11="lion", C4="lion")
    before = played(position, "flood H12", "sail H12")
    after = played(before, "rescue H11 C4")
    assert after.points == before.points
    assert after.face_down == before.face_down
    flood = after.view(None).floods["H11"]
    assert (flood.points, flood.drowned) == (1, None)


def test_one_may_not_sail_onto_or_through_another_ark():
    position = replace(berthed(), arks=("H13", "G12"))
    position = played(position, "flood H12")
    refuses(position, "sail G12", "Another ark lies at G12")
    refuses(position, "sail F11", "F11 is not next to your ark at H13")
    assert played(position, "sail G13", "sail F12").arks == ("F12", "G12")


def test_a_face_down_twin_cannot_be_rescued_and_the_refusal_does_not_tell_what_it_is():
    for kind in ("lion", "tiger"):
        position = played(berthed(H11="lion", F6=kind), "flood H12", "sail H12")
        with pytest.raises(Refused) as refusal:
            position.play(0, "rescue H11 F6")
        assert str(refusal.value) == "The token at F6 is still face down."


def test_fishbones_cannot_be_rescued_even_two_next_to_the_ark():
    position = played(berthed(H11="fishbone", G11="fishbone"), "flood H12", "sail H12")
    refuses(position, "rescue H11 G11", "Fishbones cannot be rescued")
    refuses(position, "rescue G11 H11", "Fishbones cannot be rescued")


def test_a_rescue_needs_two_equal_animals_on_two_spaces_and_one_beside_the_ark():
    position = berthed(H11="lion", G11="tiger", C4="lion", C5="zebra", C6="zebra")
    position = played(position, "flood H12", "sail H12")
    refuses(position, "rescue H11 G11", "are not alike")
    refuses(position, "rescue H11 H11", "two animals")
    refuses(position, "rescue H11 C3", "no animal at C3")
    refuses(position, "rescue C5 C6", "Neither C5 nor C6 is next to your ark at H12")
    refuses(position, "rescue H11 Z9", "no such space")


def test_with_three_face_up_the_player_chooses_which_two_go():
    position = berthed(H11="lion", G11="lion", C4="lion")
    position = played(position, "flood H12", "sail H12")
    rescues = {move for move in position.moves(0) if move.startswith("rescue")}
    assert {"rescue G11 H11", "rescue C4 H11", "rescue C4 G11"} <= rescues


@pytest.mark.parametrize(
    "actions",
    [
        ("sail G12", "sail F11"),
        ("sail G12", "rescue G11 C5"),
        ("rescue I11 C4", "sail G12"),
        ("rescue I11 C4", "rescue H11 C6"),
        ("rescue H11 C6", "done"),
        ("sail H14", "done"),
        ("done",),
    ],
)
def test_two_actions_in_any_mix_or_fewer(actions: tuple[str, ...]):
    position = berthed(I11="lion", C4="lion", H11="panda", C6="panda", G11="zebra", C5="zebra")
    flooded = played(position, "flood H12")
    if actions[0].startswith("rescue"):
        flooded = replace(flooded, arks=("H12", "H2"))
    after = played(flooded, *actions)
    assert after.waiting() == (1,)
    assert isinstance(after.events[-1], Passed) == (actions[-1] == "done")


def test_only_the_seat_to_move_may_move():
    position = berthed()
    with pytest.raises(Refused, match="not your turn"):
        position.play(1, "flood H12")
    assert position.moves(1) == ()


@pytest.mark.parametrize(
    "move",
    [
        "",
        "done ",
        " done",
        "Done",
        "flood",
        "flood  H12",
        "flood h12",
        "flood H012",
        "flood H12 ",
        "rescue H11",
        "swim H12",
    ],
)
def test_spelling_is_exact(move: str):
    with pytest.raises(Refused):
        berthed().play(0, move)


def test_play_accepts_exactly_what_moves_lists():
    rng = Random(21)
    position = dealt(3)
    attempts = [f"berth {berth}" for berth in BERTHS] + [f"{verb} {s}" for verb in ("flood", "sail") for s in PLACES]
    for number in range(60):
        seat = position.waiting()[0]
        moves = position.moves(seat)
        if number % 6 == 0:
            up = list(position.face_up)
            rescues = [f"rescue {one} {other}" for one in up for other in up]
            legal = set(moves) | {f"rescue {m.split()[2]} {m.split()[1]}" for m in moves if m.startswith("rescue")}
            for attempt in [*attempts, *rescues, "done"]:
                try:
                    position.play(seat, attempt)
                    accepted = True
                except Refused:
                    accepted = False
                assert accepted == (attempt in legal), attempt
        position = position.play(seat, rng.choice(moves))


# Taking back


def test_a_first_sail_can_be_taken_back():
    before = played(berthed(), "flood H12")
    after = played(before, "sail H12").undo(0)
    assert after.arks == before.arks
    assert after.moves(0) == before.moves(0)
    assert isinstance(after.events[-1], TookBack)
    assert after.turn == before.turn + 2


def test_a_first_rescue_can_be_taken_back_and_the_arks_hold_what_they_held():
    position = berthed(H11="lion", C4="lion", G11="lion", I11="lion")
    position = played(position, "flood H12", "sail H12", "rescue H11 C4", "flood C3", "done", "flood C7")
    after = played(position, "rescue G11 I11").undo(0)
    assert (after.held, after.face_up) == (position.held, position.face_up)
    position = replace(position, held=({}, {}))
    assert played(position, "rescue G11 I11").undo(0).held == ({}, {})


def test_floods_second_actions_and_other_seats_moves_cannot_be_taken_back():
    flooded = played(berthed(), "flood H12")
    sailed = played(flooded, "sail H12")
    for position, seat in (
        (berthed(), 0),
        (flooded, 0),
        (sailed, 1),
        (played(sailed, "sail H13"), 0),
        (played(sailed, "done"), 0),
        (sailed.undo(0), 0),
    ):
        with pytest.raises(Refused):
            position.undo(seat)


# Ending


def test_with_two_fishbones_and_a_lion_left_the_game_ends_after_this_turn():
    position = with_tokens(berthed(), C4="fishbone", C5="fishbone", K5="lion")
    position = played(position, "flood H12")
    assert position.outcome() is None
    position = played(position, "done")
    ended = position.view(None).ended
    assert ended is not None and not ended.water_ran_out
    assert position.waiting() == ()


def test_with_a_fishbone_and_two_lions_that_no_ark_can_reach_it_goes_on():
    position = with_tokens(berthed(), C4="fishbone", G7="lion", H8="lion")
    position = played(position, "flood H12", "done")
    assert position.waiting() == (1,)


def test_one_face_down_token_keeps_the_game_going():
    position = replace(with_tokens(berthed(), C4="lion"), face_down={"H7": "fishbone"})
    assert played(position, "flood H12", "done").outcome() is None


def test_rescuing_the_last_pair_ends_the_game_though_water_is_left_and_the_turn_is_finished_first():
    position = with_tokens(berthed(), G11="lion", C4="lion", C5="zebra")
    position = played(position, "flood H12", "sail H12", "rescue G11 C4")
    ended = position.events[-1]
    assert isinstance(ended, GameEnded)
    assert not ended.water_ran_out
    assert position.view(None).water == 35


def test_a_first_action_that_takes_the_last_pair_leaves_the_second_action():
    position = replace(with_tokens(berthed(), G11="lion", C4="lion"), arks=("G12", "H2"))
    position = played(position, "flood H12", "rescue G11 C4")
    assert position.outcome() is None
    assert played(position, "sail H12").outcome() is not None


def test_drowning_one_of_the_last_pair_ends_the_game_after_the_turn():
    position = with_tokens(berthed(), G11="lion", C4="lion")
    position = played(position, "flood G11")
    assert position.outcome() is None
    assert played(position, "done").outcome() is not None


def test_a_unicorn_whose_twin_was_put_away_cannot_be_rescued_and_does_not_hold_up_the_end():
    position = replace(with_tokens(berthed(), G11="unicorn", C4="fishbone"), arks=("G12", "H2"))
    position = played(position, "flood H12")
    assert not any(move.startswith("rescue") for move in position.moves(0))
    assert played(position, "done").outcome() is not None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_game_ends_with_the_36th_water_after_equal_turns_and_its_player_still_acts(seats: int):
    position = berthed(seats)
    floods = Counter[int]()
    last = position
    for _ in range(36):
        floods[position.active] += 1
        position = played(position, position.moves(position.active)[0])
        assert position.outcome() is None
        last = position
        position = played(position, "done")
    assert set(floods.values()) == {36 // seats}
    assert last.view(None).water == 0
    assert any(move.startswith("sail") for move in last.moves(last.active))
    ended = position.view(None).ended
    assert ended is not None and ended.water_ran_out
    with pytest.raises(Refused, match="over"):
        position.play(0, "done")
    with pytest.raises(Refused, match="over"):
        position.bell()
    with pytest.raises(Refused, match="over"):
        position.undo(0)


def test_a_bell_while_the_game_goes_on_changes_nothing():
    assert berthed().bell() == berthed()


# The count


def test_basic_zebras_2_lion_1_unicorn_1_against_lion_1_counts_14_and_2():
    # Seats 2 and 3 (sky, yellow) double neither zebras nor lions.
    held = ({}, {}, {"zebra": 2, "lion": 1, "unicorn": 1}, {"lion": 1})
    assert counted("basic", *held)[2:] == (14, 2)


def test_advanced_the_same_holdings_count_15_and_3():
    held = ({}, {}, {"zebra": 2, "lion": 1, "unicorn": 1}, {"lion": 1})
    assert counted("advanced", *held)[2:] == (15, 3)


def test_basic_lions_2_with_a_star_against_1_count_8_and_2_without_a_bonus():
    assert counted("basic", {"lion": 2}, {"lion": 1}, stars=True) == (8, 2)


def test_basic_a_star_does_not_double_the_bonus_and_more_pairs_do_not_raise_it():
    assert counted("basic", {"lion": 3}, {}, stars=True) == (3 * 2 * 2 + 2, 0)


def test_advanced_a_species_is_shared_by_its_pairs_and_a_star_doubles_the_share():
    assert counted("advanced", {"lion": 1}, {}, stars=True) == (12, 0)
    assert counted("advanced", {"lion": 2}, {"lion": 1}, stars=True) == (8, 2)
    assert counted("advanced", {}, {}, {"lion": 2}, {"lion": 1}) == (0, 0, 4, 2)
    assert counted("advanced", {"unicorn": 1}, {}) == (6, 0)


def test_stars_of_arks_that_are_not_in_the_game_count_for_nobody():
    # Turtles are doubled on the third ark alone.
    assert counted("advanced", {"turtle": 1}, {}) == (6, 0)
    assert counted("advanced", {}, {}, {"turtle": 1}, stars=True) == (0, 0, 12)


def test_columns_run_from_the_lion_to_the_unicorn():
    columns = count_columns(({"unicorn": 1}, {"panda": 1}), "basic")
    assert [column.species for column in columns] == list(SPECIES)
    assert (columns[9].points, columns[9].bonus) == ((0, 2 * 2 + 2), (0, 2))
    assert columns[12].points == (4 + 2, 0)


def ended_with(points: tuple[int, ...], *held: dict[str, int], count: str = "advanced") -> GameEnded:
    """The end of a game in which nothing is left but one fishbone; the last flood, of C3, scores 3."""
    position = with_tokens(berthed(len(held), count), C4="fishbone")
    position = replace(position, points=points, held=tuple(held))
    ended = played(position, "flood C3", "done").events[-1]
    assert isinstance(ended, GameEnded)
    return ended


def test_the_winner_has_the_most_points_and_scores_may_pass_100():
    # C3 touches the sea at B2, B3 and C2.
    ended = ended_with((48, 60), {"lion": 1, "zebra": 1, "penguin": 1, "unicorn": 1}, {"panda": 1, "monkey": 1})
    assert ended.track == (51, 60)
    assert ended.totals == (51 + 12 * 3 + 6, 60 + 12 + 6)
    assert ended.winners == (0,)
    third_lap = ended_with((70, 60), {"lion": 1, "zebra": 1, "penguin": 1}, {})
    assert third_lap.totals == (73 + 36, 60)


def test_a_tie_goes_to_more_rescued_animals():
    # The unicorns are worth six points, the two species shared with the third ark three each.
    ended = ended_with((7, 10, 0), {"unicorn": 1}, {"giraffe": 1, "monkey": 1}, {"giraffe": 1, "monkey": 1})
    assert ended.totals[0] == 10 + 6 and ended.totals[1] == 10 + 6
    assert ended.animals == (2, 4, 4)
    assert ended.winners == (1,)


def test_then_to_more_species():
    # Two pairs each; a lone species is worth six points, however many pairs there are of it.
    ended = ended_with((7, 16), {"tiger": 1, "unicorn": 1}, {"giraffe": 2})
    assert ended.totals == (10 + 12, 16 + 6)
    assert (ended.animals, ended.species) == ((4, 4), (2, 1))
    assert ended.winners == (0,)


def test_then_it_is_shared():
    ended = ended_with((7, 10), {"tiger": 1}, {"giraffe": 1})
    assert ended.totals == (16, 16)
    assert ended.winners == (0, 1)


def test_the_final_scores_are_the_track_and_the_count():
    position = with_tokens(berthed(), C4="fishbone")
    position = replace(position, held=({"lion": 1}, {}))
    position = played(position, "flood C3", "done")
    assert position.scores() == (1 + 3 + 12, 2)
    assert position.outcome() is not None


# What may be known


def test_everybody_sees_the_same_and_nobody_what_lies_face_down_or_was_put_away():
    position = played(berthed(), "flood H12")
    swapped = dict(position.face_down)
    one, other = next((a, b) for a in swapped for b in swapped if swapped[a] != swapped[b])
    swapped[one], swapped[other] = swapped[other], swapped[one]
    for seat in (None, 0, 1):
        view = snapshot.dump(position.view(seat))
        assert view == snapshot.dump(replace(position, face_down=swapped).view(seat))
        assert {**view, "seat": None} == snapshot.dump(position.view(None))


def test_after_the_end_face_down_tokens_stay_unknown():
    rng = Random(4)
    position = dealt(2)
    while position.waiting():
        position = position.play(position.active, rng.choice(position.moves(position.active)))
    view = snapshot.dump(position.view(None))
    assert position.face_down
    masked = replace(position, face_down=dict.fromkeys(position.face_down, "fishbone"))
    assert snapshot.dump(masked.view(None)) == view


def test_the_latest_events_run_from_the_last_flood():
    position = played(berthed(H11="lion", C4="lion"), "flood H12", "sail H12")
    assert [type(event) for event in position.view(None).latest] == [Flooded, Sailed]
    position = played(position, "rescue H11 C4")
    assert [type(event) for event in position.view(None).latest] == [Flooded, Sailed, Rescued]


# Whole games


@pytest.mark.parametrize("seed", range(6))
def test_random_games_come_to_an_end_and_snapshots_keep_them(seed: int):
    rng = Random(seed)
    seats = 2 + seed % 3
    options = TwoByTwo.complete(seats, {"count": ("advanced", "basic")[seed % 2]})
    position = TwoByTwo.deal(seats, options, TwoByTwo.shuffle(seats, options, rng))
    while position.waiting():
        seat = position.waiting()[0]
        after = position.play(seat, rng.choice(position.moves(seat)))
        assert after.turn == position.turn + 1
        position = after
    assert position.outcome() is not None
    assert snapshot.load(TwoByTwo, snapshot.dump(position)) == position


def test_the_robot_beats_random_play():
    won = 0
    for seed in range(12):
        rng = Random(seed)
        options = TwoByTwo.complete(2, {})
        position = TwoByTwo.deal(2, options, TwoByTwo.shuffle(2, options, rng))
        while position.waiting():
            seat = position.waiting()[0]
            moves = position.moves(seat)
            move = choose(position.view(seat), moves, rng) if seat == seed % 2 else rng.choice(moves)
            position = position.play(seat, move)
        won += position.winners == (seed % 2,)
    assert won >= 11
