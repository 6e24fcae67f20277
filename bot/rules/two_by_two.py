"""Two by Two: a flood rises over an island, and the arks of the players save pairs of animals from it.

After the game by Rob Bartel (Valley Games, 2010).  The board is a design of our own that keeps every number
known of the original; see `MAP`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from string import ascii_uppercase
from typing import Self, TypeVar, cast

from bot.rules.base import Event, Game, Options, Outcome, Refused, Seat, Setup, View, mapping, sequence

T = TypeVar("T")

MAP = """
              ~ ~ ~ ~ ~ ~ ~
             ~ @ ~ ~ ~ ~ @ ~
            ~ ~ b * * * b ~ ~
           ~ ~ * * * * * * ~ ~
          ~ ~ * * * * * * * ~ ~
         ~ ~ * * * * * * * * ~ ~
        ~ ~ * * * * * * * * * ~ ~
       ~ @ b * * * * * * * * b @ ~
        ~ ~ * * * * * * * * * ~ ~
         ~ ~ * * * * * * * * ~ ~
          ~ ~ * * * * * * * ~ ~
           ~ ~ * * * * * * ~ ~
            ~ ~ b * * * b ~ ~
             ~ @ ~ ~ ~ ~ @ ~
              ~ ~ ~ ~ ~ ~ ~
"""
"""The board seen from above: `~` sea, `@` ark space, `b` beach, `*` jungle.

Rows are lettered A to O from the north; a space is its row's letter and its place in the row from the west.
"""


def _survey() -> dict[str, tuple[str, int, int]]:
    """Every space of the map: its mark, and its half columns east and rows south of the centre."""
    rows = [row.split() for row in MAP.strip().split("\n")]
    return {
        f"{letter}{place + 1}": (mark, 2 * place + 1 - len(row), down - len(rows) // 2)
        for down, (letter, row) in enumerate(zip(ascii_uppercase, rows, strict=False))
        for place, mark in enumerate(row)
    }


_survey_of_map = _survey()
PLACES = {space: (across, down) for space, (_mark, across, down) in _survey_of_map.items()}
"""Every space, in reading order: its half columns east and rows south of the centre of the board."""

SEA = frozenset(space for space, (mark, *_) in _survey_of_map.items() if mark in "~@")
BEACH = frozenset(space for space, (mark, *_) in _survey_of_map.items() if mark == "b")
JUNGLE = tuple(space for space, (mark, *_) in _survey_of_map.items() if mark == "*")
LAND = tuple(space for space in PLACES if space not in SEA)

_ark_spaces = [space for space, (mark, *_) in _survey_of_map.items() if mark == "@"]
BERTHS: dict[str, str] = dict(zip(("NW", "NE", "W", "E", "SW", "SE"), _ark_spaces, strict=True))
"""The six ark spaces by their names."""

_space_at = {place: space for space, place in PLACES.items()}
_STEPS = ((-1, -1), (1, -1), (-2, 0), (2, 0), (-1, 1), (1, 1))
NEIGHBOURS = {
    space: tuple(_space_at[place] for x, y in _STEPS if (place := (across + x, down + y)) in _space_at)
    for space, (across, down) in PLACES.items()
}
"""The three to six spaces around each space."""

_ORDER = {space: number for number, space in enumerate(PLACES)}

SPECIES = (
    "lion",
    "elephant",
    "giraffe",
    "tiger",
    "zebra",
    "crocodile",
    "monkey",
    "rhino",
    "penguin",
    "panda",
    "turtle",
    "kangaroo",
    "unicorn",
)
"""What can be rescued, in the order of the columns 1 to 13 of the count."""

TOKENS: dict[str, int] = dict.fromkeys(SPECIES, 6) | {"unicorn": 2, "fishbone": 6}
"""How many tokens there are of each kind, 80 in all."""

STARS: tuple[frozenset[str], ...] = (
    frozenset({"lion", "zebra", "penguin"}),
    frozenset({"elephant", "crocodile", "panda"}),
    frozenset({"giraffe", "monkey", "turtle"}),
    frozenset({"tiger", "rhino", "kangaroo"}),
)
"""The species that count double on each seat's ark: red, navy, sky, yellow."""

WATER = 36
REMOVED = 6
"""The tokens that are put away unseen."""
ACTIONS = 2


@dataclass(frozen=True)
class Column:
    """One of the thirteen columns of the count, with one entry a seat.  `points` include `bonus`."""

    species: str
    pairs: tuple[int, ...]
    points: tuple[int, ...]
    bonus: tuple[int, ...]


@dataclass(frozen=True)
class Berthed(Event):
    """A seat put its ark on an ark space."""

    seat: Seat
    berth: str
    space: str


@dataclass(frozen=True)
class CoastRevealed(Event):
    """All arks lie ready, and the tokens next to the sea were turned up."""

    revealed: dict[str, str]


@dataclass(frozen=True)
class Flooded(Event):
    """A water token was laid: the points for it, the animal it covered and the tokens it turned up."""

    seat: Seat
    space: str
    points: int
    drowned: str | None
    revealed: dict[str, str]


@dataclass(frozen=True)
class Sailed(Event):
    """An ark moved one step."""

    seat: Seat
    origin: str
    space: str


@dataclass(frozen=True)
class Rescued(Event):
    """A pair went on board."""

    seat: Seat
    species: str
    spaces: tuple[str, str]


@dataclass(frozen=True)
class TookBack(Event):
    """A seat took its first action of the running turn back."""

    seat: Seat


@dataclass(frozen=True)
class Passed(Event):
    """A seat ended its turn with actions to spare."""

    seat: Seat
    spared: int


@dataclass(frozen=True)
class GameEnded(Event):
    """The count.  `track` are the points before it, `totals` after it; `animals` and `species` break ties."""

    water_ran_out: bool
    track: tuple[int, ...]
    columns: tuple[Column, ...]
    totals: tuple[int, ...]
    animals: tuple[int, ...]
    species: tuple[int, ...]
    winners: tuple[Seat, ...]


Happening = Berthed | CoastRevealed | Flooded | Sailed | Rescued | TookBack | Passed | GameEnded


@dataclass(frozen=True)
class Flood:
    """What flooding a space would do; `reveals` are the face-down spaces that it would turn up."""

    points: int
    drowned: str | None
    reveals: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TwoByTwoView(View):
    """All that can be known of a position, the same for everybody.

    Neither what lies face down nor what was put away is in it, not even after the end.
    """

    count: str
    """How the pairs are counted at the end: `advanced` or `basic`."""
    arks: tuple[str, ...]
    """Where each seat's ark lies; shorter than the seats while arks are still being placed."""
    face_down: tuple[str, ...]
    face_up: dict[str, str]
    flooded: tuple[str, ...]
    """In the order of the floods."""
    water: int
    """The water tokens left."""
    points: tuple[int, ...]
    """The track, and after the end the totals."""
    held: tuple[dict[str, int], ...]
    """The pairs on each ark by species."""
    columns: tuple[Column, ...]
    """What the arks are worth if no other pair is rescued."""
    actions: int
    """The actions left to the seat to move; 0 while it has to flood."""
    berths: tuple[str, ...]
    """The ark spaces that may be taken now."""
    floods: dict[str, Flood]
    """The spaces that may be flooded now."""
    sails: tuple[str, ...]
    """The spaces to which the ark may sail now."""
    rescues: tuple[tuple[str, str], ...]
    """The pairs that may be rescued now."""
    may_undo: bool
    events: tuple[Happening, ...]

    @property
    def latest(self) -> tuple[Happening, ...]:
        """The events of the latest turn: from the last flood on, or all of them before the first."""
        for number in range(len(self.events) - 1, -1, -1):
            if isinstance(self.events[number], Flooded):
                return self.events[number:]
        return self.events

    @property
    def ended(self) -> GameEnded | None:
        """The final count, or None while the game is going on."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, GameEnded) else None


@dataclass(frozen=True, kw_only=True)
class TwoByTwo(Game):
    """A position of Two by Two."""

    name = "two_by_two"
    title = "Two by Two"
    players = range(2, 5)
    version = 1
    secret = False

    count: str
    active: Seat
    arks: tuple[str, ...]
    face_down: dict[str, str]
    face_up: dict[str, str]
    flooded: tuple[str, ...]
    points: tuple[int, ...]
    held: tuple[dict[str, int], ...]
    actions: int
    winners: tuple[Seat, ...] | None
    events: tuple[Happening, ...]

    @classmethod
    def complete(cls, seats: int, options: Options) -> Options:
        for option in options:
            if option != "count":
                raise Refused("Two by Two has no such option; it has only count.")
        if options.get("count", "advanced") not in ("advanced", "basic"):
            raise Refused("The count is advanced or basic.")
        return {"count": "advanced", **options}

    @classmethod
    def shuffle(cls, seats: int, options: Options, rng: Random) -> Setup:
        tokens = [kind for kind, number in TOKENS.items() for _ in range(number)]
        rng.shuffle(tokens)
        return {"tokens": dict(zip(JUNGLE, tokens[REMOVED:], strict=True)), "removed": tokens[:REMOVED]}

    @classmethod
    def deal(cls, seats: int, options: Options, setup: Setup) -> Self:
        tokens = mapping(setup.get("tokens"), "The set-up needs the tokens on the 74 jungle spaces.")
        removed = sequence(setup.get("removed"), "The set-up needs the six tokens that are put away.")
        if set(tokens) != set(JUNGLE):
            raise Refused("The set-up needs one token on each of the 74 jungle spaces and on no other.")
        kinds: list[object] = [*tokens.values(), *removed]
        if not all(isinstance(kind, str) for kind in kinds) or Counter(cast(list[str], kinds)) != TOKENS:
            raise Refused("The tokens are not the 80 of the game: six of each species, two unicorns, six fishbones.")
        return cls(
            seats=seats,
            turn=1,
            count=options["count"],
            active=0,
            arks=(),
            face_down={space: tokens[space] for space in JUNGLE},
            face_up={},
            flooded=(),
            points=tuple(range(1, seats + 1)),
            held=tuple({} for _ in range(seats)),
            actions=0,
            winners=None,
            events=(),
        )

    def waiting(self) -> tuple[Seat, ...]:
        return () if self.winners is not None else (self.active,)

    def moves(self, seat: Seat) -> tuple[str, ...]:
        if seat not in self.waiting():
            return ()
        if self._berthing:
            return tuple(f"berth {berth}" for berth in self._free_berths())
        if self.actions == 0:
            return tuple(f"flood {space}" for space in self._floodable())
        return (
            *(f"sail {space}" for space in self._sails()),
            *(f"rescue {one} {other}" for one, other in self._rescues()),
            "done",
        )

    def play(self, seat: Seat, move: str) -> Self:
        if self.winners is not None:
            raise Refused("The game is over.")
        if seat != self.active:
            raise Refused("It is not your turn.")
        match move.split(" "):
            case ["berth", berth]:
                return self._berth(berth)
            case ["flood", space]:
                return self._flood(space)
            case ["sail", space]:
                return self._sail(space)
            case ["rescue", one, other]:
                return self._rescue(one, other)
            case ["done"]:
                return self._done()
            case _:
                raise Refused("Two by Two has no such move; it has berth, flood, sail, rescue and done.")

    def undo(self, seat: Seat) -> Self:
        """The board before the first action of the running turn; the events tell that it was taken back."""
        if self.winners is not None:
            raise Refused("The game is over.")
        if seat != self.active or not self._may_undo:
            raise Refused("Only the first sail or rescue of your running turn can be taken back.")
        action = self.events[-1]
        if isinstance(action, Sailed):
            before = replace(self, arks=_with(self.arks, seat, action.origin))
        else:
            assert isinstance(action, Rescued)
            pairs = self.held[seat][action.species] - 1
            others = {species: n for species, n in self.held[seat].items() if species != action.species}
            before = replace(
                self,
                face_up=self.face_up | dict.fromkeys(action.spaces, action.species),
                held=_with(self.held, seat, others | {action.species: pairs} if pairs else others),
            )
        return replace(before, turn=self.turn + 1, actions=ACTIONS, events=(*self.events, TookBack(self.turn, seat)))

    def view(self, seat: Seat | None) -> TwoByTwoView:
        going_on = self.winners is None and not self._berthing
        flooding = going_on and self.actions == 0
        acting = going_on and self.actions > 0
        return TwoByTwoView(
            seat=seat,
            seats=self.seats,
            turn=self.turn,
            waiting=self.waiting(),
            outcome=self.outcome(),
            count=self.count,
            arks=self.arks,
            face_down=tuple(self.face_down),
            face_up=self.face_up,
            flooded=self.flooded,
            water=WATER - len(self.flooded),
            points=self.points,
            held=self.held,
            columns=count_columns(self.held, self.count),
            actions=self.actions,
            berths=tuple(self._free_berths()) if self._berthing else (),
            floods={space: self._outlook(space) for space in self._floodable()} if flooding else {},
            sails=tuple(self._sails()) if acting else (),
            rescues=tuple(self._rescues()) if acting else (),
            may_undo=self._may_undo,
            events=self.events,
        )

    def scores(self) -> tuple[int, ...]:
        return self.points

    def outcome(self) -> Outcome | None:
        return None if self.winners is None else Outcome(self.winners)

    @property
    def _berthing(self) -> bool:
        return len(self.arks) < self.seats

    @property
    def _may_undo(self) -> bool:
        """Nothing was revealed, and the turn is still running."""
        return self.actions == ACTIONS - 1 and isinstance(self.events[-1], (Sailed, Rescued))

    def _is_water(self, space: str) -> bool:
        return space in SEA or space in self.flooded

    def _free_berths(self) -> Iterator[str]:
        return (berth for berth, space in BERTHS.items() if space not in self.arks)

    def _floodable(self) -> Iterator[str]:
        water = SEA.union(self.flooded)
        return (space for space in LAND if space not in water and any(near in water for near in NEIGHBOURS[space]))

    def _outlook(self, space: str) -> Flood:
        return Flood(
            points=sum(self._is_water(near) for near in NEIGHBOURS[space]),
            drowned=self.face_up.get(space),
            reveals=tuple(near for near in NEIGHBOURS[space] if near in self.face_down),
        )

    def _sails(self) -> Iterator[str]:
        return (
            space for space in NEIGHBOURS[self.arks[self.active]] if self._is_water(space) and space not in self.arks
        )

    def _rescues(self) -> Iterator[tuple[str, str]]:
        near = [space for space in NEIGHBOURS[self.arks[self.active]] if space in self.face_up]
        pairs = {
            (one, other) if _ORDER[one] < _ORDER[other] else (other, one)
            for one in near
            if self.face_up[one] != "fishbone"
            for other, species in self.face_up.items()
            if species == self.face_up[one] and other != one
        }
        return iter(sorted(pairs, key=lambda pair: (_ORDER[pair[0]], _ORDER[pair[1]])))

    def _berth(self, berth: str) -> Self:
        if not self._berthing:
            raise Refused("Your ark has its place already.")
        if berth not in BERTHS:
            raise Refused("The ark spaces are NE, E, SE, SW, W and NW.")
        space = BERTHS[berth]
        if space in self.arks:
            raise Refused("Another ark lies at {berth}.", berth=berth)
        berthed = replace(
            self,
            turn=self.turn + 1,
            active=(self.active + 1) % self.seats,
            arks=(*self.arks, space),
            events=(*self.events, Berthed(self.turn, self.active, berth, space)),
        )
        if berthed._berthing:
            return berthed
        coast = {
            space: kind for space, kind in self.face_down.items() if any(near in SEA for near in NEIGHBOURS[space])
        }
        return replace(
            berthed,
            face_down=_without(self.face_down, coast),
            face_up=coast,
            events=(*berthed.events, CoastRevealed(self.turn, coast)),
        )

    def _flood(self, space: str) -> Self:
        if self._berthing:
            raise Refused("First place your ark: berth NE, E, SE, SW, W or NW.")
        if self.actions > 0:
            raise Refused("You have flooded a space this turn; now use your ark, or say done.")
        if space not in PLACES:
            raise Refused("The board has no such space.")
        if self._is_water(space):
            raise Refused("{space} is water already.", space=space)
        flood = self._outlook(space)
        if flood.points == 0:
            raise Refused("{space} does not touch water.", space=space)
        revealed = {near: self.face_down[near] for near in flood.reveals}
        return replace(
            self,
            turn=self.turn + 1,
            actions=ACTIONS,
            face_down=_without(self.face_down, revealed) if revealed else self.face_down,
            face_up=_without(self.face_up, {space: ""}) | revealed,
            flooded=(*self.flooded, space),
            points=_with(self.points, self.active, self.points[self.active] + flood.points),
            events=(
                *self.events,
                Flooded(self.turn, self.active, space, flood.points, flood.drowned, revealed),
            ),
        )

    def _sail(self, space: str) -> Self:
        self._require_flood()
        if space not in PLACES:
            raise Refused("The board has no such space.")
        origin = self.arks[self.active]
        if space not in NEIGHBOURS[origin]:
            raise Refused("{space} is not next to your ark at {ark}.", space=space, ark=origin)
        if not self._is_water(space):
            raise Refused("{space} is land, and arks need water.", space=space)
        if space in self.arks:
            raise Refused("Another ark lies at {space}.", space=space)
        sailed = replace(self, arks=_with(self.arks, self.active, space))
        return sailed._after_action(Sailed(self.turn, self.active, origin, space))

    def _rescue(self, one: str, other: str) -> Self:
        self._require_flood()
        for space in (one, other):
            if space not in PLACES:
                raise Refused("The board has no such space.")
            if space in self.face_down:
                raise Refused("The token at {space} is still face down.", space=space)
            if space not in self.face_up:
                raise Refused("There is no animal at {space}.", space=space)
        if one == other:
            raise Refused("A pair is two animals; name two spaces.")
        species = self.face_up[one]
        if species == "fishbone" or self.face_up[other] == "fishbone":
            raise Refused("Fishbones cannot be rescued.")
        if species != self.face_up[other]:
            raise Refused("The animals at {one} and {other} are not alike.", one=one, other=other)
        ark = self.arks[self.active]
        if one not in NEIGHBOURS[ark] and other not in NEIGHBOURS[ark]:
            raise Refused("Neither {one} nor {other} is next to your ark at {ark}.", one=one, other=other, ark=ark)
        aboard = self.held[self.active]
        rescued = replace(
            self,
            face_up=_without(self.face_up, {one: "", other: ""}),
            held=_with(self.held, self.active, aboard | {species: aboard.get(species, 0) + 1}),
        )
        return rescued._after_action(Rescued(self.turn, self.active, species, (one, other)))

    def _done(self) -> Self:
        self._require_flood()
        return self._end_turn((*self.events, Passed(self.turn, self.active, self.actions)))

    def _require_flood(self) -> None:
        if self._berthing:
            raise Refused("First place your ark: berth NE, E, SE, SW, W or NW.")
        if self.actions == 0:
            raise Refused("First flood a space; then your ark has two actions.")

    def _after_action(self, action: Sailed | Rescued) -> Self:
        if self.actions == 1:
            return self._end_turn((*self.events, action))
        return replace(self, turn=self.turn + 1, actions=1, events=(*self.events, action))

    def _end_turn(self, events: tuple[Happening, ...]) -> Self:
        next_turn = replace(self, turn=self.turn + 1, active=(self.active + 1) % self.seats, actions=0, events=events)
        water_ran_out = len(self.flooded) == WATER
        if not water_ran_out and self._pairs_remain():
            return next_turn
        columns = count_columns(self.held, self.count)
        totals = tuple(
            points + sum(column.points[seat] for column in columns) for seat, points in enumerate(self.points)
        )
        animals = tuple(2 * sum(ark.values()) for ark in self.held)
        species = tuple(len(ark) for ark in self.held)
        ranks = list(zip(totals, animals, species, strict=True))
        winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        count = GameEnded(self.turn, water_ran_out, self.points, columns, totals, animals, species, winners)
        return replace(next_turn, points=totals, winners=winners, events=(*events, count))

    def _pairs_remain(self) -> bool:
        """Whether a pair can be seen or may yet turn up; whether an ark can reach it does not matter."""
        if self.face_down:
            return True
        kinds = [kind for kind in self.face_up.values() if kind != "fishbone"]
        return len(set(kinds)) < len(kinds)


def count_columns(held: tuple[dict[str, int], ...], count: str) -> tuple[Column, ...]:
    """The thirteen columns of the basic or advanced count for the pairs held by each seat."""
    columns: list[Column] = []
    for species in SPECIES:
        pairs = tuple(ark.get(species, 0) for ark in held)
        if count == "advanced":
            pair_worth = 6 // max(1, sum(pairs))
            bonus = (0,) * len(held)
        else:
            pair_worth = 4 if species == "unicorn" else 2
            bonus = tuple(2 if mine and mine == sum(pairs) else 0 for mine in pairs)
        points = tuple(
            mine * pair_worth * (2 if species in STARS[seat] else 1) + bonus[seat] for seat, mine in enumerate(pairs)
        )
        columns.append(Column(species, pairs, points, bonus))
    return tuple(columns)


def _with(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """The tuple with that seat's value replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def _without(tokens: dict[str, str], gone: Mapping[str, str]) -> dict[str, str]:
    """The tokens but those on the spaces of `gone`."""
    return {space: kind for space, kind in tokens.items() if space not in gone}
