"""This Town Ain't Big Enough for the 2-4 of Us: fenced tiles, and points for brands in closed towns.

The tile list `this_town_tiles.json` beside this file says how tiles, fences and sections are meant.  Where
two tiles share an edge, the sections that meet there are joined; an area without an open side is a town.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Self

from bot.rules.base import Event, Game, Options, Outcome, Refused, Seat, SeatChoice, Setup, View, mapping, sequence

Cell = tuple[int, int]
"""A place on the table: x, and y which grows to the south."""

Plot = tuple[int, int, int]
"""A section on the map: x, y and the section's number on its tile."""

SIDES = ("N", "E", "S", "W")
CORNERS = ("NE", "SE", "SW", "NW")
STEPS: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The way to the neighbour beyond each side."""

START = "start"


@dataclass(frozen=True)
class Section:
    """A part of a tile between fences: its sides (0-3 for N E S W), brands of each kind, and bars."""

    sides: tuple[int, ...]
    brands: tuple[int, ...]
    bars: int


@dataclass(frozen=True)
class Tile:
    """A tile as printed: fences from the centre to corners (0-3 for NE SE SW NW), and sections."""

    name: str
    fences: tuple[int, ...]
    sections: tuple[Section, ...]
    section_of_side: tuple[int, ...]

    def section_at(self, side: int, turned: int) -> int:
        """The section on that side of the table when the tile is turned so many quarters clockwise."""
        return self.section_of_side[(side - turned) % 4]

    def sides_of(self, section: int, turned: int) -> tuple[int, ...]:
        """The sides of the table that the section touches when the tile is turned, ascending."""
        return tuple(sorted((side + turned) % 4 for side in self.sections[section].sides))


def _read_tile(printed: Mapping[str, Any], brands: tuple[str, ...]) -> Tile:
    sections = tuple(
        Section(
            tuple(SIDES.index(side) for side in part["sides"]),
            tuple(part["brands"].get(brand, 0) for brand in brands),
            part.get("silver", 0),
        )
        for part in printed["sections"]
    )
    touching = {side: number for number, section in enumerate(sections) for side in section.sides}
    fences = tuple(CORNERS.index(corner) for corner in printed["fences"])
    return Tile(printed["id"], fences, sections, tuple(touching[side] for side in range(4)))


_PRINTED: Mapping[str, Any] = json.loads(Path(__file__).with_name("this_town_tiles.json").read_text(encoding="utf-8"))

BRANDS: tuple[str, ...] = tuple(brand["id"] for brand in _PRINTED["brands"])
BRAND_NAMES: Mapping[str, str] = {brand["id"]: brand["name"] for brand in _PRINTED["brands"]}
TILES: Mapping[str, Tile] = {
    printed["id"]: _read_tile(printed, BRANDS) for printed in (_PRINTED["start"], *_PRINTED["tiles"])
}
STACK: tuple[str, ...] = tuple(printed["id"] for printed in _PRINTED["tiles"])


Area = dict[Plot, Section]
"""Sections that are joined, by where they are."""


@dataclass(frozen=True)
class Laid:
    """A tile on the map, turned so many quarters clockwise."""

    tile: str
    at: Cell
    turned: int


@dataclass(frozen=True)
class Town:
    """A closed town: its sections, how often each brand is in it, its bars, and every seat's rank and points.

    Ranks are dense from 1; 0 is a seat without a brand there.
    """

    plots: tuple[Plot, ...]
    brands: tuple[int, ...]
    bars: int
    ranks: tuple[int, ...]
    points: tuple[int, ...]

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """The seats ranked first, more than one when level; empty when nobody's brand is there."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)

    @property
    def size(self) -> int:
        """All brands in the town, also those that belong to nobody."""
        return sum(self.brands)


@dataclass(frozen=True)
class Placed(Event):
    """The drawn tile was put on the map."""

    seat: Seat
    tile: str
    at: Cell
    turned: int


@dataclass(frozen=True)
class TownClosed(Event):
    """That seat completed town `number` (from 1 in the order of closing), which was scored at once."""

    seat: Seat
    number: int
    town: Town


@dataclass(frozen=True)
class Relocated(Event):
    """A tile was moved for a silver bar."""

    seat: Seat
    tile: str
    source: Cell
    at: Cell
    turned: int


@dataclass(frozen=True)
class Kept(Event):
    """A silver move was given up."""

    seat: Seat


@dataclass(frozen=True)
class MoveLapsed(Event):
    """So many silver moves were lost, because no tile may be moved."""

    seat: Seat
    moves: int


@dataclass(frozen=True)
class Ended(Event):
    """All tiles are played: the seats from best to last, level ones together, and their points.

    `tied` are the seats that were level for first place (empty if one was ahead) and `largest` the numbers of
    the towns with most brands, which were to decide between them (empty if there is no town).
    """

    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[int, ...]
    tied: tuple[Seat, ...]
    largest: tuple[int, ...]


Happening = Placed | TownClosed | Relocated | Kept | MoveLapsed | Ended


@dataclass(frozen=True)
class Step:
    """A tile to be put down: the drawn one, or with `source` one from the map.  Its `str` is the move."""

    at: Cell
    turned: int
    source: Cell | None = None

    def __str__(self) -> str:
        to = f"{self.at[0]},{self.at[1]} {self.turned}"
        return f"place {to}" if self.source is None else f"relocate {self.source[0]},{self.source[1]} {to}"


_PLACE = r"(0|-?[1-9][0-9]?),(0|-?[1-9][0-9]?)"
_STEP = re.compile(rf"(?:place|relocate {_PLACE}) {_PLACE} ([0-3])")
_TAKEN_UP = re.compile(rf"relocate {_PLACE}")


def step_of(move: str) -> Step | None:
    """The step that a `place` or `relocate` move describes; None for any other text."""
    match = _STEP.fullmatch(move)
    if match is None:
        return None
    from_x, from_y, x, y, turned = match.groups()
    source = None if from_x is None else (int(from_x), int(from_y))
    return Step((int(x), int(y)), int(turned), source)


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The four places that share an edge with that one, in the order of `SIDES`."""
    return tuple((cell[0] + step[0], cell[1] + step[1]) for step in STEPS)


def free_places(laid: tuple[Laid, ...], lifted: Cell | None = None) -> tuple[Cell, ...]:
    """Where a tile can be put, row by row from the north and each row from the west.

    With `lifted` that tile is taken off the map first, and its own place is no choice.  This order is the
    numbering of places from 1 in pictures and lists.
    """
    taken = {tile.at for tile in laid}
    edge = {place for cell in taken if cell != lifted for place in neighbours(cell)}
    return tuple(sorted(edge - taken, key=lambda cell: (cell[1], cell[0])))


def movable_tiles(laid: tuple[Laid, ...], towns: tuple[Town, ...]) -> tuple[Cell, ...]:
    """The tiles a silver move may take, in the order of places: in no town, and none that joins the rest."""
    cells = {tile.at for tile in laid}
    in_towns = {plot[:2] for town in towns for plot in town.plots}
    free = (cell for cell in cells - in_towns if _in_one_piece(cells - {cell}))
    return tuple(sorted(free, key=lambda cell: (cell[1], cell[0])))


def _in_one_piece(cells: set[Cell]) -> bool:
    if not cells:
        return False
    reached = {min(cells)}
    edge = list(reached)
    while edge:
        onward = [cell for cell in neighbours(edge.pop()) if cell in cells and cell not in reached]
        reached.update(onward)
        edge.extend(onward)
    return len(reached) == len(cells)


def _area_at(tiles: Mapping[Cell, Laid], plot: Plot) -> tuple[Area, int]:
    """All sections joined to that one, and the number of their sides that are open."""
    area: Area = {}
    edge = [plot]
    gaps = 0
    while edge:
        plot = edge.pop()
        if plot in area:
            continue
        x, y, number = plot
        laid = tiles[x, y]
        area[plot] = section = TILES[laid.tile].sections[number]
        for side in section.sides:
            side = (side + laid.turned) % 4
            beyond = (x + STEPS[side][0], y + STEPS[side][1])
            neighbour = tiles.get(beyond)
            if neighbour is None:
                gaps += 1
            else:
                facing = TILES[neighbour.tile].section_at((side + 2) % 4, neighbour.turned)
                edge.append((*beyond, facing))
    return area, gaps


def areas_of(laid: tuple[Laid, ...], chosen: tuple[Laid, ...]) -> list[tuple[Area, int]]:
    """The areas of the map in which those tiles have a section, each with the number of its open sides."""
    tiles = {tile.at: tile for tile in laid}
    seen: set[Plot] = set()
    areas: list[tuple[Area, int]] = []
    for tile in chosen:
        for section in range(len(TILES[tile.tile].sections)):
            if (*tile.at, section) not in seen:
                area, gaps = _area_at(tiles, (*tile.at, section))
                seen.update(area)
                areas.append((area, gaps))
    return areas


def closed_towns(laid: tuple[Laid, ...], brands: tuple[str, ...]) -> tuple[Town, ...]:
    """The towns that the last tile completed; it can only complete those in which it has a section."""
    return tuple(town_of(area, brands) for area, gaps in areas_of(laid, laid[-1:]) if not gaps)


def town_of(area: Area, brands: tuple[str, ...]) -> Town:
    """The town that this area is, or would be if it were closed as it is."""
    sections = area.values()
    counts = tuple(map(sum, zip(*(section.brands for section in sections), strict=True)))
    ranks, points = rank_and_score(tuple(counts[BRANDS.index(brand)] for brand in brands))
    return Town(tuple(sorted(area)), counts, sum(section.bars for section in sections), ranks, points)


def rank_and_score(counts: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Every seat's rank and points, given how many of its brands are in a town (rulebook, "Gameplay").

    Ranks are dense; each ranked seat scores the count of the next rank down, the last rank nothing.
    """
    steps = sorted({count for count in counts if count}, reverse=True)
    ranks = tuple(steps.index(count) + 1 if count else 0 for count in counts)
    return ranks, tuple(([*steps, 0][rank] if rank else 0) for rank in ranks)


def after(laid: tuple[Laid, ...], drawn: str | None, step: Step) -> tuple[Laid, ...]:
    """The map after a legal step; the tile put down comes last."""
    if step.source is None:
        assert drawn is not None
        return (*laid, Laid(drawn, step.at, step.turned))
    rest = tuple(tile for tile in laid if tile.at != step.source)
    moved = next(tile for tile in laid if tile.at == step.source)
    return (*rest, replace(moved, at=step.at, turned=step.turned))


@dataclass(frozen=True, kw_only=True)
class ThisTownView(View):
    """The whole table but for the order of the stack; the same for everybody.

    `laid` is the map, the tile put down last at its end; `free` are the places for the drawn tile and
    `movable` the tiles for a silver move that is owed, both empty when there is no such choice.
    """

    brands: tuple[str, ...]
    laid: tuple[Laid, ...]
    towns: tuple[Town, ...]
    drawn: str | None
    left: int
    scores: tuple[int, ...]
    owed: int
    free: tuple[Cell, ...]
    movable: tuple[Cell, ...]
    events: tuple[Happening, ...]


def picked(view: ThisTownView, draft: str) -> tuple[Cell | None, Step | None]:
    """The tile that a draft takes off the map, and the step that it makes; None and None for what is not possible.

    A draft is a `place` or `relocate` move, or `relocate X,Y` while the new place is not picked.
    """
    step = step_of(draft)
    match = _TAKEN_UP.fullmatch(draft)
    source = (int(match[1]), int(match[2])) if match else step.source if step else None
    if source is not None and source not in view.movable:
        return None, None
    if step is not None and step.at not in (free_places(view.laid, source) if source is not None else view.free):
        return None, None
    return source, step


@dataclass(frozen=True)
class Effect:
    """What a step would do: the map after it, towns closed, points by seat and silver moves earned."""

    laid: tuple[Laid, ...]
    towns: tuple[Town, ...]
    points: tuple[int, ...]
    moves: int


def preview(view: ThisTownView, step: Step) -> Effect:
    """What that legal step would do now."""
    laid = after(view.laid, view.drawn, step)
    towns = closed_towns(laid, view.brands)
    points = tuple(sum(town.points[seat] for town in towns) for seat in range(view.seats))
    return Effect(laid, towns, points, sum(1 for town in towns if town.bars))


@dataclass(frozen=True, kw_only=True)
class ThisTown(Game):
    """A position.  Seat `mover` places `drawn`, which is None while silver moves are owed and at the end."""

    name: ClassVar[str] = "this_town"
    title: ClassVar[str] = "This Town Ain't Big Enough for the 2-4 of Us"
    players: ClassVar[range] = range(2, 5)
    version: ClassVar[int] = 1
    secret: ClassVar[bool] = False
    seat_choice: ClassVar[SeatChoice | None] = SeatChoice("brands", BRAND_NAMES)

    brands: tuple[str, ...]
    laid: tuple[Laid, ...]
    towns: tuple[Town, ...]
    drawn: str | None
    stack: tuple[str, ...]
    mover: Seat
    owed: int
    events: tuple[Happening, ...]

    @classmethod
    def complete(cls, seats: int, options: Options) -> Options:
        """`brands`: one for each seat, by default the first of the list."""
        if seats not in cls.players:
            raise Refused("This game is for two to four players.")
        for option in options:
            if option != "brands":
                raise Refused("This game has no option {option}.", option=option)
        sentence = "The option brands is a list of one brand for each player."
        chosen = sequence(options.get("brands", BRANDS[:seats]), sentence)
        if len(chosen) != seats:
            raise Refused(sentence)
        for number, brand in enumerate(chosen):
            if not isinstance(brand, str) or brand not in BRANDS:
                raise Refused("The brands are bell, arrow, bull and sunrise.")
            if brand in chosen[:number]:
                raise Refused("Every player needs a different brand.")
        return {"brands": list(chosen)}

    @classmethod
    def shuffle(cls, seats: int, options: Options, rng: Random) -> Setup:
        return {"stack": rng.sample(STACK, len(STACK))}

    @classmethod
    def deal(cls, seats: int, options: Options, setup: Setup) -> Self:
        sentence = "The stack is a list of each of the 24 tiles once."
        stack = sequence(mapping(setup, sentence).get("stack"), sentence)
        if not all(isinstance(tile, str) for tile in stack) or sorted(stack) != sorted(STACK):
            raise Refused(sentence)
        return cls(
            seats=seats,
            turn=1,
            brands=tuple(options["brands"]),
            laid=(Laid(START, (0, 0), 0),),
            towns=(),
            drawn=stack[0],
            stack=tuple(stack[1:]),
            mover=0,
            owed=0,
            events=(),
        )

    def waiting(self) -> tuple[Seat, ...]:
        return () if self.outcome() else (self.mover,)

    def moves(self, seat: Seat) -> tuple[str, ...]:
        if seat not in self.waiting():
            return ()
        if not self.owed:
            return tuple(str(Step(place, turned)) for place in free_places(self.laid) for turned in range(4))
        relocations = (
            str(Step(place, turned, cell))
            for cell in movable_tiles(self.laid, self.towns)
            for place in free_places(self.laid, cell)
            for turned in range(4)
        )
        return (*relocations, "keep")

    def play(self, seat: Seat, move: str) -> Self:
        if self.outcome():
            raise Refused("The game is over.")
        if seat != self.mover:
            raise Refused("It is not your turn.")
        if move == "keep":
            self._require_owed()
            return replace(self, owed=self.owed - 1, events=(*self.events, Kept(self.turn, seat)))._go_on()
        step = step_of(move)
        if step is None:
            raise Refused("That is no move of this game.")
        if step.source is None:
            return self._place(step)
        return self._relocate(step, step.source)

    def _require_owed(self) -> None:
        if not self.owed:
            raise Refused("There is no silver move to make now.")

    def _place(self, step: Step) -> Self:
        if self.drawn is None:
            raise Refused("First move a tile for the silver bar, or keep the map as it is.")
        self._require_free(step)
        event = Placed(self.turn, self.mover, self.drawn, step.at, step.turned)
        return replace(self, laid=after(self.laid, self.drawn, step), drawn=None, events=(*self.events, event))._score()

    def _relocate(self, step: Step, source: Cell) -> Self:
        self._require_owed()
        moved = next((tile for tile in self.laid if tile.at == source), None)
        if moved is None:
            raise Refused("There is no tile at {x},{y}.", x=source[0], y=source[1])
        if any(plot[:2] == source for town in self.towns for plot in town.plots):
            raise Refused("That tile is part of a town, so it stays.")
        if source not in movable_tiles(self.laid, self.towns):
            raise Refused("Without that tile the map would fall apart.")
        if step.at == source:
            raise Refused("The tile must go to another place; turning it where it lies is no move.")
        self._require_free(step)
        event = Relocated(self.turn, self.mover, moved.tile, source, step.at, step.turned)
        return replace(
            self, laid=after(self.laid, None, step), owed=self.owed - 1, events=(*self.events, event)
        )._score()

    def _require_free(self, step: Step) -> None:
        if any(tile.at == step.at for tile in self.laid):
            raise Refused("There is a tile at {x},{y} already.", x=step.at[0], y=step.at[1])
        if step.at not in free_places(self.laid, step.source):
            raise Refused("A tile must share an edge with another tile of the map.")

    def _score(self) -> Self:
        """The position with the towns of the last tile closed, then on to the next question."""
        closed = closed_towns(self.laid, self.brands)
        events = tuple(
            TownClosed(self.turn, self.mover, number, town)
            for number, town in enumerate(closed, start=len(self.towns) + 1)
        )
        return replace(
            self,
            towns=(*self.towns, *closed),
            owed=self.owed + sum(1 for town in closed if town.bars),
            events=(*self.events, *events),
        )._go_on()

    def _go_on(self) -> Self:
        """The position at the next question: another silver move, the next seat's tile, or the end."""
        if self.owed and not movable_tiles(self.laid, self.towns):
            lapsed = MoveLapsed(self.turn, self.mover, self.owed)
            return replace(self, owed=0, events=(*self.events, lapsed))._go_on()
        if self.owed:
            return replace(self, turn=self.turn + 1)
        if not self.stack:
            return replace(self, events=(*self.events, self._ending()))
        return replace(
            self,
            turn=self.turn + 1,
            mover=(self.mover + 1) % self.seats,
            drawn=self.stack[0],
            stack=self.stack[1:],
        )

    def _ending(self) -> Ended:
        """The ranking, a tie for first place broken by the largest towns (rulebook, "End of Game")."""
        scores = self.scores()
        ranking = [
            tuple(seat for seat in range(self.seats) if scores[seat] == points)
            for points in sorted(set(scores), reverse=True)
        ]
        first = ranking[0]
        if len(first) == 1:
            return Ended(self.turn, tuple(ranking), scores, (), ())
        most = max((town.size for town in self.towns), default=0)
        largest = tuple(number for number, town in enumerate(self.towns, start=1) if town.size == most)
        leaders = {seat for number in largest for seat in self.towns[number - 1].leaders}
        ahead = tuple(seat for seat in first if seat in leaders)
        if len(ahead) == 1:
            ranking[:1] = [ahead, tuple(seat for seat in first if seat not in ahead)]
        return Ended(self.turn, tuple(ranking), scores, first, largest)

    def view(self, seat: Seat | None) -> ThisTownView:
        return ThisTownView(
            seat=seat,
            seats=self.seats,
            turn=self.turn,
            waiting=self.waiting(),
            outcome=self.outcome(),
            brands=self.brands,
            laid=self.laid,
            towns=self.towns,
            drawn=self.drawn,
            left=len(self.stack),
            scores=self.scores(),
            owed=self.owed,
            free=free_places(self.laid) if self.drawn else (),
            movable=movable_tiles(self.laid, self.towns) if self.owed else (),
            events=self.events,
        )

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(town.points[seat] for town in self.towns) for seat in range(self.seats))

    def outcome(self) -> Outcome | None:
        last = self.events[-1] if self.events else None
        return Outcome(tuple(sorted(last.ranking[0]))) if isinstance(last, Ended) else None
