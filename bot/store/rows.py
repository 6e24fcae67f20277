"""What is stored, row by row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TableRow:
    """One table as it is stored; `data`, `setup` and `position` are JSON texts."""

    id: int
    game: str
    guild: int
    channel: int
    place: int | None
    state: str
    version: int
    published: int
    parked: int | None
    due: int | None
    rules: int
    data: str
    setup: str | None
    position: str | None


@dataclass(frozen=True)
class Post:
    """One message of ours that shows a table."""

    id: int
    table_id: int
    audience: str
    moment: str
    channel: int
    message: int
    version: int
    told: int
    digest: str
    live: bool


@dataclass(frozen=True)
class LogLine:
    """One move as it was played; `seat` is None for the bell."""

    seat: int | None
    move: str
    at: int


@dataclass(frozen=True)
class Reminder:
    """What the player of a seat is told at a certain time, unless the seat has answered by then."""

    seat: int
    kind: str
    due: int


@dataclass(frozen=True)
class Reminders:
    """What the players of one table are to be told about the question of that turn.

    The seats in `same` are still busy with the question they were told of, those in `taken` have new players.
    """

    turn: int
    planned: tuple[Reminder, ...]
    same: tuple[int, ...]
    taken: tuple[int, ...]


@dataclass(frozen=True)
class DueReminder:
    """A reminder whose time has come.  `shown` is whether Discord shows the question already."""

    table_id: int
    seat: int
    turn: int
    kind: str
    user: int
    mentioned: bool
    written: bool
    shown: bool


@dataclass(frozen=True)
class Entry:
    """What a host or moderator did to a table."""

    at: int
    user: int
    what: str


@dataclass(frozen=True)
class Board:
    """The standing post of a server about all its tables; `message` is None until it is posted."""

    server: int
    channel: int
    message: int | None
    digest: str


@dataclass(frozen=True)
class Result:
    """How a game that was dealt has ended for one seat."""

    table_id: int
    seat: int
    user: int | None
    """None for a robot, and for a player whose traces were deleted."""
    server: int
    game: str
    ended: int
    ending: str
    won: bool
    shared: bool
    """Whether others have won as well."""
    score: int
    place: int | None
    """From 1; None where the game ended without a result and where nobody competes."""
    seats: int
    answers: int
    punctual: int
    """How many questions the user has answered, and how many of them in time."""
    honours: tuple[str, ...]
