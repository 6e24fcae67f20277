"""Which reminders a table owes to whom, and when: planned with every change, re-checked before they are sent.

- `turn`: you are asked.  Unsent only where the public post of the question did not mention the player already.
- `half`: half of the time is over.  `hour`: one hour is left.
- `last`: several were asked at once, and you are the last one everybody waits for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from bot.deadlines import HOUR, MINUTE
from bot.store import Reminder, Reminders
from bot.table import Table

Kind = Literal["turn", "half", "last", "hour"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""From the weakest to the strongest: of several that are due at once only the strongest is said."""

PATIENCE = MINUTE
"""Seconds in which the public post may notify a player before a message of its own does."""


def reminders_of(before: Table, after: Table, now: int) -> Reminders:
    """What is to be told about the question of the table `after` that change."""
    seats = range(min(len(before.seats), len(after.seats)))
    going_on = before.asked == after.asked and after.asked is not None
    return Reminders(
        turn=after.turn,
        planned=tuple(_planned(after, now)),
        same=tuple(seat for seat in after.owing if going_on and seat in before.owing),
        taken=tuple(seat for seat in seats if before.seats[seat].player != after.seats[seat].player),
    )


def _planned(table: Table, now: int) -> Iterator[Reminder]:
    asked, deadline, pace = table.asked, table.deadline, table.pace
    if asked is None or deadline is None:
        return
    time = pace.between(table.begins, deadline)
    for seat in table.owing:
        if table.seats[seat].away is not None:
            continue
        yield Reminder(seat, "turn", asked + PATIENCE)
        if time >= HOUR:
            yield Reminder(seat, "half", pace.after(table.begins, time // 2))
        if time >= 2 * HOUR:
            yield Reminder(seat, "hour", deadline - HOUR)
        if table.several and table.owing == (seat,):
            yield Reminder(seat, "last", now + PATIENCE)
