"""This Town Ain't Big Enough for the 2-4 of Us, case by case of its rulebook and of our readings of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.rules.base import Outcome, Refused
from bot.rules.this_town import (
    BRANDS,
    STACK,
    START,
    TILES,
    Ended,
    Kept,
    Laid,
    MoveLapsed,
    Placed,
    Relocated,
    Step,
    ThisTown,
    Town,
    TownClosed,
    closed_towns,
    free_places,
    movable_tiles,
    preview,
    rank_and_score,
    step_of,
)


def dealt(*top: str, seats: int = 2, brands: Sequence[str] | None = None) -> ThisTown:
    """A new game with those tiles on top of the stack, the others below in the order of the list."""
    stack = [*top, *(tile for tile in STACK if tile not in top)]
    options = ThisTown.complete(seats, {} if brands is None else {"brands": list(brands)})
    return ThisTown.deal(seats, options, {"stack": stack})


def played(game: ThisTown, *moves: str) -> ThisTown:
    """The game after those moves, each by the seat whose turn it is."""
    for move in moves:
        game = game.play(game.waiting()[0], move)
    return game


def random_game(seats: int, rng: Random) -> ThisTown:
    """A whole game of random moves."""
    options = ThisTown.complete(seats, {})
    game = ThisTown.deal(seats, options, ThisTown.shuffle(seats, options, rng))
    while game.waiting():
        game = game.play(game.mover, rng.choice(game.moves(game.mover)))
    return game


def map_of(*tiles: str) -> tuple[Laid, ...]:
    """A map written as `start 0,0 0`, `A1 1,0 2` …"""
    laid: list[Laid] = []
    for tile in tiles:
        name, at, turned = tile.split()
        x, y = at.split(",")
        laid.append(Laid(name, (int(x), int(y)), int(turned)))
    return tuple(laid)


def about_to_place(tile: str, *tiles: str, brands: Sequence[str] = BRANDS) -> ThisTown:
    """Seat 0 has drawn that tile and looks at that map, on which no town is closed."""
    return replace(dealt(tile, seats=len(brands), brands=brands), laid=map_of(*tiles))


def owing(*tiles: str) -> ThisTown:
    """Seat 0 of two owes a silver move on that map, on which no town is closed."""
    return replace(dealt(), laid=map_of(*tiles), drawn=None, owed=1)


def silver_town(*more: str, brands: Sequence[str] = BRANDS) -> ThisTown:
    """Seat 0 has just closed a town of 2 bells, 1 bull, 2 sunrises and a bar, with these tiles beside it.

    F1 at 1,-1 closes the corner of A1 that meets the north of the start tile; F1's south is left facing 1,0.
    """
    return about_to_place("F1", "start 0,0 0", *more, "A1 0,-1 2", brands=brands).play(0, "place 1,-1 0")


def town(brands: Sequence[int], ranks: Sequence[int], points: Sequence[int]) -> Town:
    """A town far away with these brands."""
    return Town(((90, 90, 0),), tuple(brands), 0, tuple(ranks), tuple(points))


def ending(*towns: Town, seats: int = 2) -> Ended:
    """How a game ends in which those towns were closed before the last tile, which closes nothing."""
    before = replace(dealt("A1", seats=seats), towns=towns, stack=())
    last = before.play(0, "place 0,-1 0").events[-1]
    assert isinstance(last, Ended)
    return last


def closings(game: ThisTown) -> list[TownClosed]:
    return [event for event in game.events if isinstance(event, TownClosed)]


# --- the tiles ---------------------------------------------------------------------------------------------


def test_there_are_a_start_tile_and_24_different_others() -> None:
    assert len(TILES) == 25
    assert len(set(STACK)) == 24
    looks = {
        min(
            tuple(
                sorted(
                    (tile.sides_of(number, turned), section.brands, section.bars)
                    for number, section in enumerate(tile.sections)
                )
            )
            for turned in range(4)
        )
        for tile in TILES.values()
    }
    assert len(looks) == 25


def test_every_brand_stands_36_times_on_the_tiles_and_there_are_8_bars() -> None:
    sections = [section for tile in TILES.values() for section in tile.sections]
    assert [sum(section.brands[brand] for section in sections) for brand in range(4)] == [36, 36, 36, 36]
    assert sum(section.bars for section in sections) == 8


def test_sections_are_the_runs_of_sides_between_fences() -> None:
    for tile in TILES.values():
        for side in range(4):
            fence_between = side in tile.fences
            apart = tile.section_at(side, 0) != tile.section_at((side + 1) % 4, 0)
            assert fence_between == apart, tile.name


def test_a_turned_tile_shows_its_north_side_in_the_east() -> None:
    e1 = TILES["E1"]
    assert e1.sides_of(2, 0) == (2,)
    assert e1.sides_of(2, 1) == (3,)
    assert e1.section_at(3, 1) == 2
    assert e1.sides_of(0, 1) == (0, 1)


# --- options and set-up ------------------------------------------------------------------------------------


def test_brands_are_dealt_in_the_order_of_the_list_by_default() -> None:
    assert ThisTown.complete(3, {}) == {"brands": ["bell", "arrow", "bull"]}


def test_players_choose_their_brands() -> None:
    assert dealt(brands=["sunrise", "arrow"]).brands == ("sunrise", "arrow")


@pytest.mark.parametrize(
    "options",
    [
        {"brand": ["bell", "arrow"]},
        {"brands": "bell"},
        {"brands": None},
        {"brands": ["bell"]},
        {"brands": ["bell", "arrow", "bull"]},
        {"brands": ["bell", "bell"]},
        {"brands": ["bell", "Arrow"]},
        {"brands": ["bell", 1]},
        {"brands": ["bell", ["arrow"]]},
    ],
)
def test_unknown_options_and_brands_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        ThisTown.complete(2, options)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_it_is_a_game_for_two_to_four(seats: int) -> None:
    with pytest.raises(Refused):
        ThisTown.complete(seats, {})


@pytest.mark.parametrize(
    "setup",
    [
        None,
        [],
        {},
        {"stack": "A1"},
        {"stack": list(STACK[:-1])},
        {"stack": [*STACK, "A1"]},
        {"stack": ["A1", *STACK[:-1]]},
        {"stack": [START, *STACK[1:]]},
        {"stack": [1, *STACK[1:]]},
        {"stack": [["A1"], *STACK[1:]]},
    ],
)
def test_a_stack_that_is_not_the_24_tiles_is_refused(setup: Any) -> None:
    with pytest.raises(Refused):
        ThisTown.deal(2, ThisTown.complete(2, {}), setup)


def test_a_shuffle_is_the_24_tiles_and_follows_the_generator() -> None:
    first = ThisTown.shuffle(2, {}, Random(1))
    assert sorted(first["stack"]) == sorted(STACK)
    assert first == ThisTown.shuffle(2, {}, Random(1)) != ThisTown.shuffle(2, {}, Random(2))


def test_the_game_begins_with_the_start_tile_and_the_top_tile_drawn() -> None:
    game = dealt("F2", "A1")
    assert game.laid == (Laid(START, (0, 0), 0),)
    assert (game.drawn, game.stack[0], len(game.stack)) == ("F2", "A1", 23)
    assert (game.turn, game.waiting(), game.scores(), game.outcome()) == (1, (0,), (0, 0), None)


# --- placing -----------------------------------------------------------------------------------------------


def test_a_tile_goes_to_any_place_that_shares_an_edge_in_any_turning() -> None:
    assert free_places(dealt().laid) == ((0, -1), (-1, 0), (1, 0), (0, 1))
    assert len(dealt().moves(0)) == 16
    assert dealt().moves(0)[:5] == (
        "place 0,-1 0", "place 0,-1 1", "place 0,-1 2", "place 0,-1 3", "place -1,0 0",
    )  # fmt: skip


@pytest.mark.parametrize("move", ["place 1,1 0", "place -1,-1 0", "place 2,0 0", "place 0,0 0", "place 9,9 0"])
def test_corners_gaps_and_taken_places_are_refused(move: str) -> None:
    with pytest.raises(Refused):
        dealt().play(0, move)


@pytest.mark.parametrize(
    "move",
    [
        "", "place", "place 1,0", "place 1,0 4", "place 1,0 -1", "place 1,0 00", "place 01,0 0",
        "place +1,0 0", "place -0,1 0", "place 1, 0 0", "place  1,0 0", "place 1,0  0", " place 1,0 0",
        "place 1,0 0 ", "place 1,0 0\n", "Place 1,0 0", "place 1.0,0 0", "place ١,0 0", "place 1,0 0 0",
        "place 999999999999,0 0", "pass", "move 1,0 0", "relocate 1,0 0", "Keep",
    ],
)  # fmt: skip
def test_moves_spelt_otherwise_are_refused(move: str) -> None:
    with pytest.raises(Refused):
        dealt().play(0, move)


def test_every_step_is_written_and_read_alike() -> None:
    for step in (Step((1, -12), 3), Step((0, 0), 0, source=(-7, 4))):
        assert step_of(str(step)) == step
    assert str(Step((1, 0), 2)) == "place 1,0 2"
    assert str(Step((1, 0), 2, source=(0, -1))) == "relocate 0,-1 1,0 2"
    assert step_of("keep") is None


def test_players_take_turns_and_draw_at_the_start_of_theirs() -> None:
    game = dealt("B1", "B2", "B3", "B4", seats=3)
    for turn, (seat, tile) in enumerate([(0, "B1"), (1, "B2"), (2, "B3"), (0, "B4")], start=1):
        assert (game.turn, game.waiting(), game.drawn) == (turn, (seat,), tile)
        game = game.play(seat, game.moves(seat)[0])


def test_nobody_moves_out_of_turn() -> None:
    game = dealt()
    assert game.moves(1) == ()
    for seat in (1, 2, -1):
        with pytest.raises(Refused):
            game.play(seat, "place 1,0 0")


def test_a_placed_tile_is_told_with_the_turn_it_answered() -> None:
    game = played(dealt("A1"), "place 0,-1 0")
    assert game.events == (Placed(1, 0, "A1", (0, -1), 0),)
    assert game.laid[-1] == Laid("A1", (0, -1), 0)


def test_positions_are_never_changed_in_place() -> None:
    game = dealt("A1")
    played(game, "place 0,-1 0")
    assert game == dealt("A1")


# --- closing towns -----------------------------------------------------------------------------------------


def test_the_smallest_town_is_two_facing_triangles() -> None:
    """F1 above the start tile: the bell of the one and the sunrise of the other."""
    game = dealt("F1", seats=4).play(0, "place 0,-1 0")
    closed = Town(((0, -1, 2), (0, 0, 0)), (1, 0, 0, 1), 0, (1, 0, 0, 1), (0, 0, 0, 0))
    assert game.events == (Placed(1, 0, "F1", (0, -1), 0), TownClosed(1, 0, 1, closed))
    assert game.towns == (closed,)


def test_an_area_with_one_open_side_is_no_town() -> None:
    """The section of A1 that meets the start tile is open in the east."""
    assert dealt("A1", seats=4).play(0, "place 0,-1 0").towns == ()


def test_open_areas_score_nothing_at_the_end() -> None:
    game = replace(dealt("A1"), stack=()).play(0, "place 0,-1 0")
    assert (game.outcome(), game.scores()) == (Outcome((0, 1)), (0, 0))


def test_a_town_can_run_through_several_tiles() -> None:
    """E1 turned twice above the start tile, A1 beside it, F1 above that: bells 1+2+1, sunrises 1+1."""
    game = dealt("E1", "A1", "F1", seats=4)
    game = played(game, "place 0,-1 2", "place 1,-1 0", "place 1,-2 0")
    (closed,) = closings(game)
    assert (closed.seat, closed.turn, closed.number) == (2, 3, 1)
    assert (closed.town.brands, closed.town.bars) == ((4, 1, 1, 2), 2)
    assert closed.town.points == (2, 0, 0, 1)
    assert closed.town.leaders == (0,)
    assert closed.town.size == 8


def test_a_town_can_close_a_ring() -> None:
    (inner,) = closed_towns(map_of("B1 0,0 0", "B2 1,0 1", "B3 1,1 2", "B4 0,1 3"), BRANDS)
    assert inner.brands == (2, 2, 2, 2)
    assert len(inner.plots) == 4


def test_one_tile_can_close_two_towns_each_scored_on_its_own() -> None:
    """F4's south (bull) meets F2's north (arrow), its west (bull) meets F1's east (bell, bull)."""
    game = about_to_place("F4", "start 0,0 0", "F1 0,-1 0", "F2 1,0 0").play(0, "place 1,-1 0")
    assert [(event.number, event.town.brands, event.town.points) for event in closings(game)] == [
        (1, (0, 1, 1, 0), (0, 0, 0, 0)),
        (2, (1, 0, 2, 0), (0, 0, 1, 0)),
    ]
    assert game.scores() == (0, 0, 1, 0)


def test_two_sections_of_one_tile_in_one_town_make_one_town() -> None:
    """Three B tiles lead from F1's north (bell) round to its east (bell, bull)."""
    (closed,) = closed_towns(map_of("B1 0,-1 0", "B2 1,-1 1", "B3 1,0 2", "F1 0,0 0"), BRANDS)
    assert closed.brands == (2, 2, 3, 2)
    assert len(closed.plots) == 5


def test_completion_found_from_the_last_tile_agrees_with_the_whole_map() -> None:
    rng = Random(7)
    for seats in (2, 3, 4) * 5:
        game = random_game(seats, rng)
        assert sorted(town.plots for town in game.towns) == sorted(closed_areas_of(game.laid))


def closed_areas_of(laid: tuple[Laid, ...]) -> list[tuple[tuple[int, int, int], ...]]:
    """All areas without an open side, found by merging the sections on both sides of every edge."""
    area = {(*tile.at, n): {(*tile.at, n)} for tile in laid for n in range(len(TILES[tile.tile].sections))}
    open_plots: set[tuple[int, int, int]] = set()
    tiles = {tile.at: tile for tile in laid}
    for (x, y), tile in tiles.items():
        for side, (east, south) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            here = (x, y, TILES[tile.tile].section_at(side, tile.turned))
            other = tiles.get((x + east, y + south))
            if other is None:
                open_plots.add(here)
                continue
            there = (*other.at, TILES[other.tile].section_at((side + 2) % 4, other.turned))
            merged = area[here] | area[there]
            area.update(dict.fromkeys(merged, merged))
    return [
        tuple(sorted(plots))
        for plots in {id(plots): plots for plots in area.values()}.values()
        if not plots & open_plots
    ]


# --- ranks and points --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "ranks", "points"),
    [
        ((4, 2, 2, 1), (1, 2, 2, 3), (2, 1, 1, 0)),
        ((5, 3, 2, 1), (1, 2, 3, 4), (3, 2, 1, 0)),
        ((2, 2, 2, 2), (1, 1, 1, 1), (0, 0, 0, 0)),
        ((6, 0, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0)),
        ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
        ((3, 0, 3, 1), (1, 0, 1, 2), (1, 0, 1, 0)),
        ((1, 2), (2, 1), (0, 1)),
        ((7, 7, 2), (1, 1, 2), (2, 2, 0)),
    ],
)
def test_dense_ranks_score_the_next_lower_count(
    counts: tuple[int, ...], ranks: tuple[int, ...], points: tuple[int, ...]
) -> None:
    assert rank_and_score(counts) == (ranks, points)


def test_brands_of_nobody_are_not_ranked() -> None:
    """Bells 2, bull 1, sunrises 2, of which bells and bull have owners."""
    game = silver_town(brands=["bull", "bell"])
    assert (game.towns[0].ranks, game.towns[0].points) == ((2, 1), (0, 1))


def test_brands_of_nobody_are_not_the_next_lower_count() -> None:
    """Bells 4, sunrises 2, arrow 1, bull 1: of bell and arrow alone, bell scores 1 and not 2."""
    game = dealt("E1", "A1", "F1")
    game = played(game, "place 0,-1 2", "place 1,-1 0", "place 1,-2 0")
    assert game.towns[0].points == (1, 0)


def test_points_belong_to_seats_whatever_brands_they_chose() -> None:
    """Bells 2, bull 1, sunrises 2: level first, then bull."""
    game = silver_town(brands=["sunrise", "bull", "bell"])
    assert (game.towns[0].ranks, game.scores()) == ((1, 2, 1), (1, 0, 1))


def test_a_town_of_brands_of_nobody_is_a_town_without_points() -> None:
    """Bell and sunrise meet, the players are arrow and bull."""
    game = dealt("F1", brands=["arrow", "bull"]).play(0, "place 0,-1 0")
    assert (game.towns[0].ranks, game.towns[0].points, game.towns[0].size) == ((0, 0), (0, 0), 2)
    assert game.towns[0].leaders == ()


def test_the_others_score_when_the_closer_has_no_brand_there() -> None:
    """Seat 0 plays arrow; bells 2 and bull 1 belong to the others, the silver move to seat 0."""
    game = silver_town("B1 0,1 0", brands=["arrow", "bell", "bull"])
    assert game.scores() == (0, 1, 0)
    assert (game.owed, game.waiting()) == (1, (0,))


# --- silver bars -------------------------------------------------------------------------------------------


def test_a_town_with_a_bar_earns_its_closer_a_move() -> None:
    game = silver_town("B1 0,1 0")
    assert (game.turn, game.waiting(), game.owed) == (2, (0,), 1)
    assert game.view(1).movable == ((0, 1),)
    assert game.moves(0)[-1] == "keep"
    assert len(game.moves(0)) == 6 * 4 + 1


def test_a_town_without_a_bar_earns_nothing() -> None:
    game = dealt("F1").play(0, "place 0,-1 0")
    assert (game.owed, game.waiting()) == (0, (1,))


def test_two_bars_in_one_town_earn_one_move() -> None:
    tiles = ("start 0,0 0", "B1 0,1 0", "E1 0,-1 2", "A1 1,-1 0")
    game = about_to_place("F1", *tiles).play(0, "place 1,-2 0")
    assert (game.towns[0].bars, game.owed) == (2, 1)


def test_the_next_tile_is_not_drawn_while_a_move_is_owed() -> None:
    game = silver_town("B1 0,1 0")
    view = game.view(None)
    assert (view.drawn, view.left, view.free) == (None, 23, ())
    after_keeping = game.play(0, "keep")
    assert (after_keeping.drawn, after_keeping.view(None).left) == (game.stack[0], 22)


def test_a_move_may_be_given_up() -> None:
    game = silver_town("B1 0,1 0").play(0, "keep")
    assert game.events[-1] == Kept(2, 0)
    assert (game.turn, game.waiting(), game.owed) == (3, (1,), 0)


def test_a_moved_tile_lies_elsewhere_in_any_turning() -> None:
    game = silver_town("B1 0,1 0").play(0, "relocate 0,1 0,-2 3")
    assert game.events[-1] == Relocated(2, 0, "B1", (0, 1), (0, -2), 3)
    assert game.laid[-1] == Laid("B1", (0, -2), 3)
    assert [tile.at for tile in game.laid] == [(0, 0), (0, -1), (1, -1), (0, -2)]
    assert game.waiting() == (1,)


def test_a_town_closed_by_a_moved_tile_is_scored_for_the_same_closer() -> None:
    """B1's corner meets F1's south (sunrise) and the start tile's east (arrow): 1-2-1-2 brands."""
    game = silver_town("B1 0,1 0", brands=["arrow", "bell", "bull"]).play(0, "relocate 0,1 1,0 0")
    second = closings(game)[1]
    assert (second.turn, second.seat, second.number, second.town.brands) == (2, 0, 2, (1, 2, 1, 2))
    assert second.town.points == (1, 0, 0)
    assert game.scores() == (1, 1, 0)
    assert game.waiting() == (1,)


def test_moves_chain_when_a_moved_tile_closes_a_town_with_a_bar() -> None:
    """A2 moves into the corner and brings its bar; B1 in the west can still be moved."""
    game = silver_town("A2 0,1 0", "B1 -1,0 0")
    assert game.view(0).movable == ((-1, 0), (0, 1))
    game = game.play(0, "relocate 0,1 1,0 0")
    assert (game.turn, game.owed, game.waiting(), game.drawn) == (3, 1, (0,), None)
    assert game.view(0).movable == ((-1, 0),)
    game = game.play(0, "relocate -1,0 0,1 0")
    assert (game.turn, game.owed, game.waiting()) == (4, 0, (1,))


def two_silver_towns(*more: str) -> ThisTown:
    """Seat 0 has just closed two towns with a bar each by F1 at 1,-1: the one with A1, and one with A2."""
    tiles = ("start 0,0 0", "A1 0,-1 2", "A2 1,0 0", *more)
    return about_to_place("F1", *tiles).play(0, "place 1,-1 0")


def test_two_such_towns_by_one_tile_earn_two_moves_one_after_the_other() -> None:
    game = two_silver_towns("B1 -1,0 0")
    assert [(event.town.brands, event.town.bars) for event in closings(game)] == [
        ((1, 2, 0, 2), 1),
        ((2, 0, 1, 2), 1),
    ]
    assert (game.owed, game.waiting()) == (2, (0,))
    game = game.play(0, "relocate -1,0 0,1 0")
    assert (game.turn, game.owed, game.waiting()) == (3, 1, (0,))
    game = game.play(0, "relocate 0,1 -1,0 0")
    assert (game.turn, game.owed, game.waiting()) == (4, 0, (1,))


def test_keeping_gives_up_one_of_two_moves() -> None:
    game = two_silver_towns("B1 -1,0 0").play(0, "keep")
    assert (game.owed, game.waiting()) == (1, (0,))


def test_the_move_lapses_when_no_tile_can_be_moved() -> None:
    game = dealt("E1", "A1", "F1", seats=4)
    game = played(game, "place 0,-1 2", "place 1,-1 0", "place 1,-2 0")
    assert game.towns[0].points == (2, 0, 0, 1)
    assert game.events[-1] == MoveLapsed(3, 2, 1)
    assert (game.turn, game.owed, game.waiting()) == (4, 0, (3,))


def test_all_moves_owed_lapse_together() -> None:
    assert two_silver_towns().events[-1] == MoveLapsed(1, 0, 2)


def test_a_second_move_lapses_when_the_first_leaves_nothing_to_move() -> None:
    """D1 closes a little town in the south, so that every tile is in a town."""
    game = two_silver_towns("D1 -1,0 1").play(0, "relocate -1,0 0,1 3")
    assert closings(game)[-1].town.brands == (0, 0, 2, 1)
    assert game.events[-1] == MoveLapsed(2, 0, 1)
    assert game.waiting() == (1,)


# --- what may be moved, and where --------------------------------------------------------------------------


def test_a_tile_that_joins_the_others_may_not_be_moved() -> None:
    tiles = ("start 0,0 0", "D1 1,0 0", "A1 1,1 0")
    assert movable_tiles(map_of(*tiles), ()) == ((0, 0), (1, 1))
    with pytest.raises(Refused, match="fall apart"):
        owing(*tiles).play(0, "relocate 1,0 2,1 0")


def test_a_tile_that_would_join_them_again_at_its_new_place_may_not_be_moved_either() -> None:
    """Without B1 the two others touch at a corner only, though 1,0 and 0,1 both join them."""
    with pytest.raises(Refused, match="fall apart"):
        owing("start 0,0 0", "B1 1,0 0", "A1 1,1 0").play(0, "relocate 1,0 0,1 0")


def test_a_tile_in_a_ring_may_be_moved() -> None:
    ring = map_of("start 0,0 0", "B1 1,0 0", "B2 1,1 0", "B3 0,1 0")
    assert movable_tiles(ring, ()) == ((0, 0), (1, 0), (0, 1), (1, 1))


def test_a_tile_with_one_section_in_a_town_may_not_be_moved() -> None:
    """F1 beside the start tile closed a town with its west only."""
    game = silver_town("B1 0,1 0")
    for cell in ("0,0", "0,-1", "1,-1"):
        with pytest.raises(Refused, match="part of a town"):
            game.play(0, f"relocate {cell} 0,-2 0")


def test_the_start_tile_may_be_moved() -> None:
    game = owing("start 0,0 0", "D1 1,0 0", "A1 1,1 0").play(0, "relocate 0,0 2,0 1")
    assert game.laid[-1] == Laid(START, (2, 0), 1)


def test_turning_a_tile_where_it_lies_is_no_move() -> None:
    game = silver_town("B1 0,1 0")
    for turned in range(4):
        assert f"relocate 0,1 0,1 {turned}" not in game.moves(0)
        with pytest.raises(Refused, match="another place"):
            game.play(0, f"relocate 0,1 0,1 {turned}")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("relocate 0,1 0,2 0", "share an edge"),
        ("relocate 0,1 2,0 0", "share an edge"),
        ("relocate 0,1 1,-1 0", "already"),
        ("relocate 1,0 0,-2 0", "no tile at 1,0"),
        ("place 1,0 0", "First move a tile"),
    ],
)
def test_a_moved_tile_must_come_from_the_map_and_touch_what_is_left(move: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        silver_town("B1 0,1 0").play(0, move)


@pytest.mark.parametrize("move", ["keep", "relocate 0,1 1,0 0"])
def test_without_a_bar_there_is_no_such_move(move: str) -> None:
    game = replace(dealt("A1"), laid=map_of("start 0,0 0", "B1 0,1 0"))
    assert not [listed for listed in game.moves(0) if not listed.startswith("place ")]
    with pytest.raises(Refused, match="no silver move"):
        game.play(0, move)


# --- the end -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_24_tiles_are_placed_in_equal_turns(seats: int) -> None:
    game = random_game(seats, Random(seats))
    placed = [event.seat for event in game.events if isinstance(event, Placed)]
    assert [placed.count(seat) for seat in range(seats)] == [24 // seats] * seats
    assert len(game.laid) == 25
    assert (game.waiting(), game.drawn, game.moves(0)) == ((), None, ())
    assert isinstance(game.events[-1], Ended)


def test_a_move_earned_by_the_last_tile_comes_before_the_end() -> None:
    last = replace(about_to_place("F1", "start 0,0 0", "B1 0,1 0", "A1 0,-1 2"), stack=())
    game = last.play(0, "place 1,-1 0")
    assert (game.outcome(), game.waiting()) == (None, (0,))
    game = game.play(0, "relocate 0,1 1,0 0")
    assert game.waiting() == ()
    assert len(game.towns) == 2


def test_a_move_that_lapses_after_the_last_tile_ends_the_game() -> None:
    last = replace(about_to_place("F1", "start 0,0 0", "A1 0,-1 2"), stack=())
    game = last.play(0, "place 1,-1 0")
    assert [type(event) for event in game.events] == [Placed, TownClosed, MoveLapsed, Ended]


def test_the_most_points_win() -> None:
    end = ending(town((3, 1, 0, 0), (1, 2, 0), (1, 0, 0)), town((0, 5, 3, 0), (0, 1, 2), (0, 3, 0)), seats=3)
    assert end == Ended(1, ((1,), (0,), (2,)), (1, 3, 0), (), ())


def test_a_tie_is_broken_by_who_is_first_in_the_largest_town() -> None:
    """Level at 9; the largest town is 6-2-1-0, and the first seat plays bell."""
    end = ending(town((6, 2, 1, 0), (1, 2), (2, 0)), town((1, 3, 0, 0), (2, 1), (7, 9)))
    assert end == Ended(1, ((0,), (1,)), (9, 9), (0, 1), (1,))


def test_brands_of_nobody_count_for_the_largest_town() -> None:
    """0-1-8-0 is larger than 5-3-0-0, though both players together have less in it."""
    end = ending(town((5, 3, 0, 0), (1, 2), (3, 3)), town((0, 1, 8, 0), (0, 1), (0, 0)))
    assert end == Ended(1, ((1,), (0,)), (3, 3), (0, 1), (2,))


def test_a_town_of_brands_of_nobody_decides_nothing() -> None:
    end = ending(town((5, 3, 0, 0), (1, 2), (3, 3)), town((0, 0, 8, 1), (0, 0), (0, 0)))
    assert end == Ended(1, ((0, 1),), (3, 3), (0, 1), (2,))


def test_level_first_in_the_largest_town_share_the_win() -> None:
    end = ending(town((3, 3, 1, 0), (1, 1), (1, 1)))
    assert end == Ended(1, ((0, 1),), (1, 1), (0, 1), (1,))


def test_with_two_largest_towns_a_leader_of_either_qualifies() -> None:
    mine, yours = town((4, 2, 0, 0), (1, 2), (2, 2)), town((1, 5, 0, 0), (2, 1), (1, 1))
    assert ending(mine, yours).ranking == ((0, 1),)
    nobodys = town((0, 0, 6, 0), (0, 0), (0, 0))
    assert ending(mine, nobodys) == Ended(1, ((0,), (1,)), (2, 2), (0, 1), (1, 2))


def test_a_leader_who_is_not_tied_breaks_no_tie() -> None:
    end = ending(town((2, 1, 6, 0), (2, 3, 1), (3, 3, 2)), seats=3)
    assert end == Ended(1, ((0, 1), (2,)), (3, 3, 2), (0, 1), (1,))


def test_two_of_three_tied_qualify_so_all_three_share() -> None:
    end = ending(town((3, 3, 1, 0), (1, 1, 2), (2, 2, 2)), seats=3)
    assert end.ranking == ((0, 1, 2),)


def test_one_of_three_tied_wins_and_the_others_stay_level() -> None:
    end = ending(town((3, 4, 1, 0), (2, 1, 3), (2, 2, 2)), seats=3)
    assert end.ranking == ((1,), (0, 2))


def test_without_any_town_all_share_the_win() -> None:
    end = ending(seats=4)
    assert end == Ended(1, ((0, 1, 2, 3),), (0, 0, 0, 0), (0, 1, 2, 3), ())


def test_a_game_that_is_over_refuses_everything() -> None:
    game = random_game(2, Random(3))
    for move in ("place 1,0 0", "keep", "relocate 0,0 1,1 0"):
        with pytest.raises(Refused, match="over"):
            game.play(0, move)
    with pytest.raises(Refused, match="over"):
        game.bell()


def test_the_bell_changes_nothing_and_no_move_is_taken_back() -> None:
    game = dealt("A1").play(0, "place 0,-1 0")
    assert game.bell() == game
    with pytest.raises(Refused):
        game.undo(0)


# --- views -------------------------------------------------------------------------------------------------


def test_no_view_tells_the_order_of_the_stack() -> None:
    game = dealt("A1")
    other = replace(game, stack=game.stack[::-1])
    for seat in (None, 0, 1):
        assert game.view(seat) == other.view(seat)


def test_everybody_sees_the_same() -> None:
    game = silver_town("B1 0,1 0")
    assert replace(game.view(2), seat=None) == game.view(None)
    assert game.view(None).events == game.events


def test_every_move_that_is_listed_is_accepted_and_grows_the_turn() -> None:
    rng = Random(11)
    for seats in (2, 3, 4):
        options = ThisTown.complete(seats, {})
        game = ThisTown.deal(seats, options, ThisTown.shuffle(seats, options, rng))
        while game.waiting():
            moves = game.moves(game.mover)
            for move in rng.sample(moves, 5):
                following = game.play(game.mover, move)
                assert following.turn == game.turn + (following.outcome() is None)
                assert following.events[: len(game.events)] == game.events
                assert {event.turn for event in following.events[len(game.events) :]} == {game.turn}
            game = game.play(game.mover, rng.choice(moves))


def test_a_preview_tells_what_the_move_then_does() -> None:
    rng = Random(13)
    closed = moved = 0
    while closed < 20 or not moved:
        options = ThisTown.complete(3, {})
        game = ThisTown.deal(3, options, ThisTown.shuffle(3, options, rng))
        while game.waiting():
            move = rng.choice(game.moves(game.mover))
            following = game.play(game.mover, move)
            if step := step_of(move):
                effect = preview(game.view(game.mover), step)
                assert effect.laid == following.laid
                assert effect.towns == following.towns[len(game.towns) :]
                gained = (now - was for now, was in zip(following.scores(), game.scores(), strict=True))
                assert effect.points == tuple(gained)
                closed += len(effect.towns)
                moved += step.source is not None
            game = following


def test_a_preview_counts_the_silver_moves_it_earns() -> None:
    game = about_to_place("F1", "start 0,0 0", "B1 -1,0 0", "A1 0,-1 2", "A2 1,0 0")
    assert preview(game.view(0), Step((1, -1), 0)).moves == 2
    assert preview(game.view(0), Step((1, -1), 2)).moves == 2
    assert preview(game.view(0), Step((0, 1), 0)).moves == 0
