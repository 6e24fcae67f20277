"""Pebbles: seats take one, two or three pebbles from a heap in turn, and whoever takes the last one wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, Self

from bot.rules.base import Event, Game, Options, Outcome, Refused, Seat, Setup, View, whole_number


@dataclass(frozen=True)
class Took(Event):
    """That seat took so many pebbles."""

    seat: Seat
    count: int


@dataclass(frozen=True, kw_only=True)
class PebblesView(View):
    """Everything is public."""

    heap: int
    events: tuple[Took, ...]


@dataclass(frozen=True, kw_only=True)
class Pebbles(Game):
    """A heap and who took from it."""

    name: ClassVar[str] = "pebbles"
    title: ClassVar[str] = "Pebbles"
    players: ClassVar[range] = range(2, 5)
    version: ClassVar[int] = 1
    secret: ClassVar[bool] = False

    heap: int
    events: tuple[Took, ...] = ()

    @classmethod
    def complete(cls, seats: int, options: Options) -> Options:
        if options:
            raise Refused("Pebbles has no options.")
        return {}

    @classmethod
    def shuffle(cls, seats: int, options: Options, rng: Random) -> Setup:
        return {"heap": rng.randint(4, 9)}

    @classmethod
    def deal(cls, seats: int, options: Options, setup: Setup) -> Self:
        heap = whole_number(setup.get("heap"), "The heap is a whole number.")
        return cls(seats=seats, turn=0, heap=heap)

    def waiting(self) -> tuple[Seat, ...]:
        return (self.turn % self.seats,) if self.heap else ()

    def moves(self, seat: Seat) -> tuple[str, ...]:
        if seat not in self.waiting():
            return ()
        return tuple(f"take {count}" for count in (1, 2, 3) if count <= self.heap)

    def play(self, seat: Seat, move: str) -> Self:
        if move not in self.moves(seat):
            raise Refused("You cannot take that now.")
        count = int(move.removeprefix("take "))
        took = Took(self.turn, seat, count)
        return replace(self, turn=self.turn + 1, heap=self.heap - count, events=(*self.events, took))

    def view(self, seat: Seat | None) -> PebblesView:
        return PebblesView(
            seat=seat,
            seats=self.seats,
            turn=self.turn,
            waiting=self.waiting(),
            outcome=self.outcome(),
            heap=self.heap,
            events=self.events,
        )

    def scores(self) -> tuple[int, ...]:
        outcome = self.outcome()
        return tuple(int(outcome is not None and seat in outcome.winners) for seat in range(self.seats))

    def outcome(self) -> Outcome | None:
        return None if self.heap else Outcome((self.events[-1].seat,))
