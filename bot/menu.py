"""What a planner shows, as plain data: the panel on which a seat builds its move.

A game's cog makes a panel from a view, the legal moves and the draft picked so far; the bot turns it into buttons
and selects.  Nothing here knows Discord, but the sizes are Discord's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

Verb = Literal[
    "play",
    "draft",
    "form",
    "undo",
    "join",
    "leave",
    "start",
    "robot",
    "pick",
    "mine",
    "show",
    "rules",
    "abandon",
    "concede",
    "take",
    "rematch",
    "forget",
]
"""What a press does.  Planners use four: make that move, keep that text as the draft, open that form, take the last
move back."""

Style = Literal["plain", "chosen", "good", "danger"]

MOST_CHOICES = 25
"""The choices a select can hold."""

T = TypeVar("T")


@dataclass(frozen=True)
class Button:
    """One button.  `argument` is the move, the new draft or the form's name; at most 60 characters."""

    label: str
    verb: Verb
    argument: str = ""
    style: Style = "plain"
    emoji: str | None = None
    enabled: bool = True


@dataclass(frozen=True)
class Choice:
    """One line of a select; choosing it is the select's verb with `argument`."""

    label: str
    argument: str
    note: str = ""
    emoji: str | None = None
    chosen: bool = False


@dataclass(frozen=True)
class Select:
    """A list of at most `MOST_CHOICES` choices of which one is taken."""

    placeholder: str
    choices: tuple[Choice, ...]
    verb: Verb = "draft"


@dataclass(frozen=True)
class Field:
    """One part of a form: free text, or with `choices` a list from which exactly `picks` are taken."""

    label: str
    value: str = ""
    choices: tuple[Choice, ...] = ()
    picks: int = 1
    longest: int = 300
    required: bool = True


@dataclass(frozen=True)
class Form:
    """A form of at most five fields."""

    title: str
    fields: tuple[Field, ...]


Row = tuple[Button, ...] | Select
"""Up to five buttons, or one select."""


@dataclass(frozen=True)
class Panel:
    """The whole planner: a text over the picture, and rows of controls under it.

    `picture` names what the picture shows: a press after which it is the same in the same turn changes the text and
    the controls alone.  None is never the same.
    """

    text: str
    rows: tuple[Row, ...] = ()
    picture: str | None = None


def pages(items: Sequence[T], size: int = MOST_CHOICES) -> list[Sequence[T]]:
    """The items in pages of at most `size`."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def buttons_in_rows(buttons: Sequence[Button], width: int = 5) -> tuple[tuple[Button, ...], ...]:
    """The buttons in rows of at most `width`."""
    return tuple(tuple(row) for row in pages(buttons, width))
