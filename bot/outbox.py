"""Paces what we send by ourselves, so that a thousand due tables do not meet Discord's limit at once.

Answers to a press or a command do not pass here: Discord counts them apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count


class Urgency(IntEnum):
    """Who goes first."""

    BOARD = 0
    DIRECT = 1
    REMINDER = 2
    UPKEEP = 3


RATE = 25
"""Requests a second; Discord allows 50, and the other half is left to everything else."""


class Outbox:
    """`await outbox.turn(urgency)` returns when the next request may be sent: at most `RATE` in any second.

    Nothing runs while nobody waits: the drain ends when the heap is empty.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` gives seconds that never run backwards."""
        self._clock = clock
        self._order = count()
        self._heap: list[tuple[int, int, asyncio.Future[None]]] = []
        self._sent: list[float] = []
        self._drain: asyncio.Task[None] | None = None

    async def turn(self, urgency: Urgency) -> None:
        if self._free() <= 0 and not self._heap:
            self._sent.append(self._clock())
            return
        ready = asyncio.get_running_loop().create_future()
        heappush(self._heap, (urgency, next(self._order), ready))
        if self._drain is None or self._drain.done():
            self._drain = asyncio.create_task(self._run())
        await ready

    def _free(self) -> float:
        """Seconds until one more request fits into the last second."""
        now = self._clock()
        self._sent = [moment for moment in self._sent if now - moment < 1]
        return 0 if len(self._sent) < RATE else self._sent[0] + 1 - now

    async def _run(self) -> None:
        while self._heap:
            if (wait := self._free()) > 0:
                await asyncio.sleep(wait)
                continue
            _, _, ready = heappop(self._heap)
            if not ready.done():
                self._sent.append(self._clock())
                ready.set_result(None)
