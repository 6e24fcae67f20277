"""Animal Crossing: for five rounds animals leave an island on rafts that may sink.

After Gamebreaker, episode 5, by Craig Arthur: the game with a Games Master, who keeps points and animals
secret until the end, and as options the open game of the rulebook's second section and boarding in secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, Self, TypeVar

from bot.rules.base import (
    Event,
    Game,
    Options,
    Outcome,
    Refused,
    Seat,
    Setup,
    View,
    mapping,
    sequence,
    whole_number,
)

Animal = str
Place = str
Fate = str

WEIGHTS: dict[Animal, int] = {"mouse": 1, "cat": 2, "dog": 3, "elephant": 5}
"""The animals and their weights, which are also what they score by crossing."""

RAFTS: tuple[Place, ...] = ("A", "B", "C")
"""The rafts; C only from seven seats on."""

ISLAND: Place = "island"

CROSSED, SCARED, OVERLOADED, STAYED = "crossed", "scared", "overloaded", "stayed"
"""The fates: crossed, driven off by another animal, sunk with the whole raft, or still on the island."""

ROUNDS = 5
LEAST_LOAD, MOST_LOAD = 2, 10
BONUS_OVER = 10
"""Half a token is for more points than this."""

OPTIONS: dict[str, tuple[str, ...]] = {"boarding": ("open", "secret"), "scores": ("hidden", "public")}
"""The options, each with its values, the default first."""

LOADS: dict[int, tuple[tuple[int, int], ...]] = {
    3: ((2, 3), (3, 3), (2, 5), (2, 4), (4, 5)),
    4: ((3, 4), (2, 6), (3, 5), (4, 5), (5, 6)),
    5: ((3, 6), (4, 5), (2, 8), (5, 6), (6, 9)),
    6: ((4, 7), (5, 5), (2, 10), (6, 7), (8, 10)),
}
"""What rafts A and B carry in each round, by number of seats; more than six play with six's and raft C."""

_SETUP = "The set-up of Animal Crossing is a list of rounds, each a list of loads in whole numbers."

T = TypeVar("T")


@dataclass(frozen=True)
class Round:
    """A finished round.  Animals, fates and points are one a seat, None where the viewer may not know."""

    loads: tuple[int, ...]
    places: tuple[Place, ...]
    sank: tuple[Seat, ...]
    animals: tuple[Animal | None, ...]
    fates: tuple[Fate, ...] | None
    points: tuple[int, ...] | None


@dataclass(frozen=True)
class Prizes:
    """Who earns what at the end: a token for most points, a strike for least, half a token for more than 10.

    All who are level earn the same.
    """

    token: tuple[Seat, ...]
    strike: tuple[Seat, ...]
    half: tuple[Seat, ...]


@dataclass(frozen=True)
class RoundBegan(Event):
    """The loads were announced, one a raft."""

    round: int
    loads: tuple[int, ...]


@dataclass(frozen=True)
class BoardingBegan(Event):
    """Everybody has chosen an animal; boarding is open."""

    round: int


@dataclass(frozen=True)
class Crossing(Event):
    """A raft with somebody on it left: who crossed and who sank."""

    round: int
    raft: Place
    load: int
    crossed: tuple[Seat, ...]
    sank: tuple[Seat, ...]


@dataclass(frozen=True)
class Stayed(Event):
    """These seats were on the island while `sunk` players sank."""

    round: int
    stayed: tuple[Seat, ...]
    sunk: int


@dataclass(frozen=True)
class Revealed(Event):
    """A round's animals, fates and points became public, one a seat: after the round, or all at the end."""

    round: int
    animals: tuple[Animal, ...]
    fates: tuple[Fate, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class Ended(Event):
    """The last round is over: final points, one a seat, and prizes."""

    points: tuple[int, ...]
    prizes: Prizes


Happening = RoundBegan | BoardingBegan | Crossing | Stayed | Revealed | Ended


@dataclass(frozen=True, kw_only=True)
class AnimalCrossingView(View):
    """What one seat or the public may know."""

    boarding: str
    """`open` or `secret`."""
    hidden: bool
    """Whether points and animals stay secret until the end."""
    round: int
    """The current round, from 0; after the end the last."""
    loads: tuple[int, ...]
    """Of the current round, one a raft.  Later loads are not yet announced."""
    question: str | None
    """What is asked now: `animal`, `place` or, when boarding is secret, `both`; None after the end."""
    animal: Animal | None
    """The viewer's own, in this round."""
    places: tuple[Place | None, ...]
    """One a seat, in this round; None where the viewer may not know it.  After the end everybody is back."""
    rounds: tuple[Round, ...]
    """The finished ones."""
    points: tuple[int, ...] | None
    """One a seat, None while they are hidden."""
    prizes: Prizes | None
    events: tuple[Happening, ...]


def fates_aboard(animals: Sequence[Animal], load: int) -> tuple[Fate, ...]:
    """The fate of each animal on one raft: all scaring at once, then the weight of those left."""
    count = {animal: animals.count(animal) for animal in WEIGHTS}
    scared = {
        "mouse": count["cat"] > 0,
        "cat": count["dog"] > count["cat"],
        "dog": False,
        "elephant": count["mouse"] > 0,
    }
    weight = sum(WEIGHTS[animal] for animal in animals if not scared[animal])
    left = CROSSED if weight <= load else OVERLOADED
    return tuple(SCARED if scared[animal] else left for animal in animals)


def judge(loads: Sequence[int], places: Sequence[Place], animals: Sequence[Animal]) -> Round:
    """What becomes of everybody, and what they score (rulebook, boarding phase and animal traits)."""
    seats = range(len(places))
    fates = [STAYED] * len(places)
    points = [0] * len(places)
    for raft, load in zip(RAFTS, loads, strict=False):
        aboard = [seat for seat in seats if places[seat] == raft]
        mice = sum(animals[seat] == "mouse" for seat in aboard)
        for seat, fate in zip(aboard, fates_aboard([animals[seat] for seat in aboard], load), strict=True):
            fates[seat] = fate
            if fate == CROSSED:
                points[seat] = mice if animals[seat] == "mouse" else WEIGHTS[animals[seat]]
    sank = tuple(seat for seat in seats if fates[seat] in (SCARED, OVERLOADED))
    for seat in seats:
        if fates[seat] == STAYED and animals[seat] != "dog":
            points[seat] = len(sank)
    return Round(tuple(loads), tuple(places), sank, tuple(animals), tuple(fates), tuple(points))


@dataclass(frozen=True, kw_only=True)
class AnimalCrossing(Game):
    """A position of Animal Crossing; `turn` goes from 1 to one beyond the last."""

    name: ClassVar[str] = "animal_crossing"
    title: ClassVar[str] = "Animal Crossing"
    players: ClassVar[range] = range(3, 10)
    version: ClassVar[int] = 1
    secret: ClassVar[bool] = True

    boarding: str
    hidden: bool
    schedule: tuple[tuple[int, ...], ...]
    """The loads of all rounds."""
    animals: tuple[Animal | None, ...]
    places: tuple[Place, ...]
    ready: tuple[bool, ...]
    rounds: tuple[Round, ...] = ()
    """The finished ones, with everything in them known."""
    events: tuple[Happening, ...] = ()

    @classmethod
    def complete(cls, seats: int, options: Options) -> Options:
        if unknown := [name for name in options if name not in OPTIONS]:
            raise Refused("Animal Crossing has no option {option}.", option=unknown[0])
        chosen = {name: options.get(name, values[0]) for name, values in OPTIONS.items()}
        for name, values in OPTIONS.items():
            if chosen[name] not in values:
                raise Refused("The option {option} is one of: {values}.", option=name, values=", ".join(values))
        return chosen

    @classmethod
    def shuffle(cls, seats: int, options: Options, rng: Random) -> Setup:
        pairs = LOADS[min(seats, 6)]
        if _rafts(seats) == 2:
            return {"loads": [list(pair) for pair in pairs]}
        third = (max(LEAST_LOAD, 2 * seats - 12 + shift) for shift in (1, 0, 2, -1, 0))
        return {"loads": [[*pair, load] for pair, load in zip(pairs, third, strict=True)]}

    @classmethod
    def deal(cls, seats: int, options: Options, setup: Setup) -> Self:
        rounds = sequence(mapping(setup, _SETUP).get("loads"), _SETUP)
        schedule = tuple(tuple(whole_number(load, _SETUP) for load in sequence(loads, _SETUP)) for loads in rounds)
        if len(schedule) != ROUNDS or any(len(loads) != _rafts(seats) for loads in schedule):
            raise Refused("The loads are {rounds} rounds of one load a raft.", rounds=ROUNDS)
        if any(not LEAST_LOAD <= load <= MOST_LOAD for loads in schedule for load in loads):
            raise Refused("A load is between {least} and {most}.", least=LEAST_LOAD, most=MOST_LOAD)
        return cls(
            seats=seats,
            turn=1,
            boarding=options["boarding"],
            hidden=options["scores"] == "hidden",
            schedule=schedule,
            animals=(None,) * seats,
            places=(ISLAND,) * seats,
            ready=(False,) * seats,
            events=(RoundBegan(0, 0, schedule[0]),),
        )

    def question(self) -> str | None:
        """What is asked now: `animal`, `place`, `both`, or None after the end."""
        if len(self.rounds) == ROUNDS:
            return None
        if self.boarding == "secret":
            return "both"
        return "animal" if None in self.animals else "place"

    def waiting(self) -> tuple[Seat, ...]:
        match self.question():
            case None:
                return ()
            case "animal":
                return tuple(seat for seat in range(self.seats) if self.animals[seat] is None)
            case _:
                return tuple(seat for seat in range(self.seats) if not self.ready[seat])

    def overdue(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.waiting() if self.animals[seat] is None)

    def moves(self, seat: Seat) -> tuple[str, ...]:
        question = self.question()
        if question is None or seat not in range(self.seats):
            return ()
        animals = tuple(f"choose {animal}" for animal in WEIGHTS)
        if question == "animal":
            return animals
        places = (*(f"board {raft}" for raft in RAFTS[: _rafts(self.seats)]), "stay")
        content = () if self.animals[seat] is None else ("unready",) if self.ready[seat] else ("ready",)
        return (*animals, *places, *content) if question == "both" else (*places, *content)

    def play(self, seat: Seat, move: str) -> Self:
        if move not in self.moves(seat):
            raise self._refusal(seat, move)
        verb, _, argument = move.partition(" ")
        match verb:
            case "ready" | "unready":
                return self._followed_by(replace(self, ready=_put(self.ready, seat, verb == "ready")))
            case "choose":
                answer = replace(self, animals=_put(self.animals, seat, argument))
            case _:
                answer = replace(self, places=_put(self.places, seat, argument or ISLAND))
        if answer == self:
            return self
        return self._followed_by(replace(answer, ready=_put(self.ready, seat, False)))

    def bell(self) -> Self:
        if self.question() is None:
            raise Refused("The game is over.")
        return self if None in self.animals else self._judged()

    def view(self, seat: Seat | None) -> AnimalCrossingView:
        outcome = self.outcome()
        question = self.question()
        current = min(len(self.rounds), ROUNDS - 1)
        public = outcome is not None or not self.hidden
        return AnimalCrossingView(
            seat=seat,
            seats=self.seats,
            turn=self.turn,
            waiting=self.waiting(),
            outcome=outcome,
            boarding=self.boarding,
            hidden=self.hidden,
            round=current,
            loads=self.schedule[current],
            question=question,
            animal=None if seat is None else self.animals[seat],
            places=tuple(
                place if question != "both" or boarder == seat else None for boarder, place in enumerate(self.places)
            ),
            rounds=tuple(past if public else _veiled(past, seat) for past in self.rounds),
            points=self.scores() if public else None,
            prizes=None if outcome is None else _prizes(self.scores()),
            events=self.events,
        )

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(past.points[seat] for past in self.rounds if past.points) for seat in range(self.seats))

    def outcome(self) -> Outcome | None:
        return Outcome(_prizes(self.scores()).token) if len(self.rounds) == ROUNDS else None

    def honours(self) -> tuple[tuple[str, ...], ...]:
        """The prizes of each seat: `token`, `half` (of a token) and `strike`."""
        prizes = _prizes(self.scores())
        earned = {"token": prizes.token, "half": prizes.half, "strike": prizes.strike}
        return tuple(tuple(prize for prize in earned if seat in earned[prize]) for seat in range(self.seats))

    def _refusal(self, seat: Seat, move: str) -> Refused:
        verb = move.partition(" ")[0]
        if self.question() is None:
            return Refused("The game is over.")
        if seat not in range(self.seats):
            return Refused("Only those who play may move.")
        if verb == "choose" and self.question() == "place":
            return Refused("The animals are fixed once boarding has begun.")
        if verb in ("board", "stay", "ready", "unready") and self.question() == "animal":
            return Refused("Boarding begins when everybody has chosen an animal.")
        if move == "ready":
            if self.animals[seat] is None:
                return Refused("Choose an animal before you are ready.")
            return Refused("You are ready already.")
        if move == "unready":
            return Refused("You are not ready yet.")
        return Refused("Animal Crossing has no such move.")

    def _followed_by(self, answer: Self) -> Self:
        """The position after that answer: the next question, if it was the last one missing."""
        if answer.question() != self.question():
            began = BoardingBegan(self.turn, len(self.rounds))
            return replace(answer, turn=self.turn + 1, events=(*self.events, began))
        return answer if answer.waiting() else answer._judged()

    def _judged(self) -> Self:
        """The position after this round, in which everybody has an animal."""
        number = len(self.rounds)
        past = judge(self.schedule[number], self.places, [animal for animal in self.animals if animal])
        after = replace(
            self,
            turn=self.turn + 1,
            animals=(None,) * self.seats,
            places=(ISLAND,) * self.seats,
            ready=(False,) * self.seats,
            rounds=(*self.rounds, past),
        )
        return replace(after, events=(*self.events, *after._told(self.turn)))

    def _told(self, turn: int) -> Iterator[Happening]:
        """What the round just judged, an answer to that turn, lets the public hear."""
        number, past = len(self.rounds) - 1, self.rounds[-1]
        for raft, load in zip(RAFTS, past.loads, strict=False):
            aboard = tuple(seat for seat in range(self.seats) if past.places[seat] == raft)
            crossed = tuple(seat for seat in aboard if seat not in past.sank)
            if aboard:
                yield Crossing(turn, number, raft, load, crossed, tuple(s for s in aboard if s in past.sank))
        if stayed := tuple(seat for seat in range(self.seats) if past.places[seat] == ISLAND):
            yield Stayed(turn, number, stayed, len(past.sank))
        if not self.hidden:
            yield _revealed(turn, number, past)
        if self.question() is not None:
            yield RoundBegan(turn, number + 1, self.schedule[number + 1])
            return
        if self.hidden:
            for number, past in enumerate(self.rounds):
                yield _revealed(turn, number, past)
        yield Ended(turn, self.scores(), _prizes(self.scores()))


def _rafts(seats: int) -> int:
    return 2 if seats <= 6 else 3


def _put(row: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*row[:seat], value, *row[seat + 1 :])


def _veiled(past: Round, seat: Seat | None) -> Round:
    """What that seat may know of a round while points and animals are hidden."""
    own = tuple(animal if owner == seat else None for owner, animal in enumerate(past.animals))
    return replace(past, animals=own, fates=None, points=None)


def _revealed(turn: int, number: int, past: Round) -> Revealed:
    animals = tuple(animal for animal in past.animals if animal)
    return Revealed(turn, number, animals, past.fates or (), past.points or ())


def _prizes(points: Sequence[int]) -> Prizes:
    seats = range(len(points))
    return Prizes(
        token=tuple(seat for seat in seats if points[seat] == max(points)),
        strike=tuple(seat for seat in seats if points[seat] == min(points)),
        half=tuple(seat for seat in seats if points[seat] > BONUS_OVER),
    )
