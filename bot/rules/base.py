"""What a game is: a frozen position that answers questions and returns new positions.

Rules import the standard library and this module, nothing else; they know no clock, no database, no Discord
and no randomness but the generator that `shuffle` is handed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Self

Seat = int
"""A player's number, from 0, in turn order."""

Options = Mapping[str, Any]
"""The settings of one table, as plain JSON."""

Setup = Mapping[str, Any]
"""All the randomness of one game, as plain JSON."""


class Refused(Exception):
    """A request that is turned down, with one sentence for the player that tells no secret.

    `template` is the English sentence with `{named}` gaps; `values` fill them.  Keeping the two apart lets the
    sentence be said in the reader's language.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values


@dataclass(frozen=True)
class Event:
    """One thing that happened, as data.  `turn` is the question it answered."""

    turn: int


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winning seats, ascending.  Empty where nobody competes."""

    winners: tuple[Seat, ...]


@dataclass(frozen=True, kw_only=True)
class View:
    """Exactly what one seat (or, with `seat` None, the public) may know of a position."""

    seat: Seat | None
    seats: int
    turn: int
    waiting: tuple[Seat, ...]
    outcome: Outcome | None


@dataclass(frozen=True)
class SeatChoice:
    """An option that holds one value a seat, all different: its name and the allowed values with their labels."""

    option: str
    labels: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Game(ABC):
    """A position.  Every method is a question or returns a new position; nothing is ever changed in place."""

    name: ClassVar[str]
    """The game in records, addresses of buttons and the database, for instance `this_town`."""
    title: ClassVar[str]
    """The game in sentences."""
    players: ClassVar[range]
    """The allowed numbers of seats."""
    version: ClassVar[int]
    """Of the rules: grows when a log played by the old rules might end in another position."""
    secret: ClassVar[bool]
    """Whether seats choose in secret, so that each is asked by direct message too."""
    seat_choice: ClassVar[SeatChoice | None] = None
    """An option with one value a seat, which players may pick while they join."""

    seats: int
    turn: int
    """Grows when a new question is put; not when one of several simultaneous answers is recorded."""

    @classmethod
    @abstractmethod
    def complete(cls, seats: int, options: Options) -> Options:
        """All options with their defaults filled in.  Refuses unknown options and values."""

    @classmethod
    @abstractmethod
    def shuffle(cls, seats: int, options: Options, rng: Random) -> Setup:
        """All the randomness of a whole game, drawn once."""

    @classmethod
    @abstractmethod
    def deal(cls, seats: int, options: Options, setup: Setup) -> Self:
        """The first position.  `options` are complete.  Refuses a set-up that no shuffle could give."""

    @abstractmethod
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that still owe an answer, ascending; empty when the game is over, and only then."""

    def overdue(self) -> tuple[Seat, ...]:
        """The seats without whose answer the game cannot go on when the time is up, ascending."""
        return self.waiting()

    @property
    def competitive(self) -> bool:
        """Whether the players play against each other."""
        return True

    @abstractmethod
    def moves(self, seat: Seat) -> tuple[str, ...]:
        """What that seat may do now.  A move with a free word is listed by its pattern, as `word <word>`."""

    @abstractmethod
    def play(self, seat: Seat, move: str) -> Self:
        """The position after that move, or Refused.  Accepts all that `moves` lists and nothing else."""

    def bell(self) -> Self:
        """The position when the time for this question is up; the same where the rules say nothing of time."""
        if self.outcome() is not None:
            raise Refused("The game is over.")
        return self

    def undo(self, seat: Seat) -> Self:
        """The position before that seat's last move, or Refused where it cannot be taken back."""
        raise Refused("That move cannot be taken back.")

    @abstractmethod
    def view(self, seat: Seat | None) -> View:
        """What that seat may know (None: the public).  The only place that decides who sees what."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The true points of every seat, whatever views hide."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How it ended, or None while it is going on."""

    def honours(self) -> tuple[tuple[str, ...], ...]:
        """What each seat has earned at the end beside its points, by name; nothing in most games."""
        return ((),) * self.seats


def whole_number(value: object, sentence: str) -> int:
    """`value` if it is an int and no bool, else Refused with that sentence."""
    if type(value) is not int:
        raise Refused(sentence)
    return value


def mapping(value: object, sentence: str) -> Mapping[str, Any]:
    """`value` if it is a mapping, else Refused with that sentence."""
    if not isinstance(value, Mapping):
        raise Refused(sentence)
    return value  # pyright: ignore[reportUnknownVariableType]


def sequence(value: object, sentence: str) -> Sequence[Any]:
    """`value` if it is a list or tuple, else Refused with that sentence."""
    if not isinstance(value, (list, tuple)):
        raise Refused(sentence)
    return value  # pyright: ignore[reportUnknownVariableType]
