"""The address that every button, select and form of ours carries: which table, turn and seat it speaks for.

The text form is `v1:<table>:<turn>:<seat>:<verb>:<argument>`, at most 100 characters.  The seat is empty where
whoever presses speaks for the own seat.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_GRAMMAR = "v1"
_NUMBER = re.compile(r"-?[0-9]{1,15}")
LONGEST = 100


@dataclass(frozen=True)
class Press:
    """One press: `turn` is the question it answers, -1 before the first."""

    table: int
    turn: int
    seat: int | None
    verb: str
    argument: str = ""

    def __str__(self) -> str:
        seat = "" if self.seat is None else self.seat
        text = f"{_GRAMMAR}:{self.table}:{self.turn}:{seat}:{self.verb}:{self.argument}"
        assert len(text) <= LONGEST, "An address is too long."
        return text

    @classmethod
    def parse(cls, text: str) -> Press | None:
        """The press with that address; None when it is not one of ours, or of another release."""
        parts = text.split(":", 5)
        if len(parts) != 6 or parts[0] != _GRAMMAR:
            return None
        _, table, turn, seat, verb, argument = parts
        if not all(_NUMBER.fullmatch(number) for number in (table, turn, seat or "0")):
            return None
        return cls(int(table), int(turn), int(seat) if seat else None, verb, argument)
