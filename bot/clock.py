"""The clock: rings the tables that are due and has everything shown that is not shown yet.

It sleeps until the next stored time, and looks at least every quarter of an hour.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.rules.base import Refused
from bot.store import Store
from bot.tables import Tables

log = logging.getLogger(__name__)

LONGEST_SLEEP = 900
SOON = 60
"""Seconds until what could not be shown is tried again, at first."""
BATCH = 100


class Clock:
    """`await tick()` does what is due and returns the seconds until it wants to be called again."""

    def __init__(self, tables: Tables, refresh: Callable[[int], None]) -> None:
        self._tables = tables
        self._store: Store = tables.store
        self._refresh = refresh
        self._misses: dict[int, tuple[int, int]] = {}

    async def tick(self) -> int:
        now = self._tables.now()
        rung: set[int] = set()
        while due := set(await self._store.due_tables(now, BATCH)) - rung:
            for table_id in sorted(due):
                await self._ring(table_id)
            rung |= due
        await self._show_again(now)
        return await self.rest()

    async def rest(self) -> int:
        """Seconds until the next thing is due."""
        next_due = await self._store.next_due()
        sleep = LONGEST_SLEEP if next_due is None else next_due - self._tables.now()
        if self._misses:
            sleep = min(sleep, SOON)
        return min(LONGEST_SLEEP, max(1, sleep))

    async def _ring(self, table_id: int) -> None:
        try:
            await self._tables.ring(table_id)
        except Refused:
            log.warning("Table %s had a due time but nothing to ring for", table_id)
        except Exception:
            log.exception("The clock failed at table %s", table_id)

    async def _show_again(self, now: int) -> None:
        """Tables that are not shown are tried again after 1, 2, 4 … 60 minutes."""
        unpublished = await self._store.unpublished()
        self._misses = {number: miss for number, miss in self._misses.items() if number in unpublished}
        for table_id in unpublished:
            tries, last = self._misses.get(table_id, (0, 0))
            if now - last >= min(SOON * 2**tries, 3_600) or tries == 0:
                self._misses[table_id] = (min(tries + 1, 6), now)
                self._refresh(table_id)
