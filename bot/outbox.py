"""Paces what we send by ourselves, so that a thousand due tables do not meet Discord's limit at once.

Answers to a press or a command do not pass here: Discord counts them apart.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left, insort
from collections.abc import Callable
from enum import IntEnum
from itertools import count


class Urgency(IntEnum):
    """Who goes first."""

    BOARD = 0
    DIRECT = 1
    REMINDER = 2
    UPKEEP = 3


RATE = 25
"""Requests a second; Discord allows 50, and the other half is left to everything else."""

INSTANT = 1e-6
"""Seconds that do not matter."""


class Outbox:
    """`await outbox.turn(urgency)` returns when the next request may be sent: at most `RATE` in any second.

    Whoever waits sleeps until the own turn can come at the earliest; nothing runs while nobody waits.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` gives seconds that never run backwards."""
        self._clock = clock
        self._order = count()
        self._waiting: list[tuple[int, int]] = []
        """Tickets, the next first: urgency, then order of arrival."""
        self._sent: list[float] = []
        """When the requests of the last second were sent, the oldest first."""

    async def turn(self, urgency: Urgency) -> None:
        ticket = (int(urgency), next(self._order))
        insort(self._waiting, ticket)
        try:
            while (wait := self._until(ticket)) > 0:  # noqa: ASYNC110 - no event tells when, and others may come first
                await asyncio.sleep(wait)
            self._sent.append(self._clock())
        finally:
            self._waiting.remove(ticket)

    def _until(self, ticket: tuple[int, int]) -> float:
        """Seconds until that ticket's turn can come at the earliest; 0 when it is now."""
        now = self._clock()
        self._sent = [moment for moment in self._sent if now - moment < 1 - INSTANT]
        ahead = bisect_left(self._waiting, ticket) - (RATE - len(self._sent))
        if ahead < 0:
            return 0
        seconds, slot = divmod(ahead, RATE)
        return seconds + (self._sent[slot] + 1 - now if slot < len(self._sent) else 1)
