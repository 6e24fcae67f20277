"""The players as a reader sees them: their names, and how text written by users is shown there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def plain(text: str) -> str:
    """Text for pictures and alt text, where nothing is markup."""
    return text


@dataclass(frozen=True)
class People:
    """`people[seat]` is a name that is ready to be shown; `people.quote(text)` readies any other text of a user.

    Posts are given people whose names and quotes are escaped, pictures and alt text plain ones.
    """

    names: tuple[str, ...]
    quote: Callable[[str], str] = plain

    def __getitem__(self, seat: int) -> str:
        return self.names[seat]
