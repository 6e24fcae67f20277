"""The clock: rings the tables that are due and has everything shown that is not shown yet.

It sleeps until the next stored time, and looks at least every quarter of an hour.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.deadlines import HOUR
from bot.store import Store
from bot.tables import Tables

log = logging.getLogger(__name__)

LONGEST_SLEEP = 900
SOON, LATEST = 60, 4 * HOUR
"""Seconds until what could not be shown, or rung, is tried again: at first, and at most."""
BATCH = 100


class Clock:
    """`await tick()` does what is due and returns the seconds until it wants to be called again."""

    def __init__(self, tables: Tables, refresh: Callable[[int], None]) -> None:
        self._tables = tables
        self._store: Store = tables.store
        self._refresh = refresh
        self._retries: dict[int, tuple[int, int]] = {}
        """The tables that are not shown: how often that was tried, and when it is tried again."""

    async def tick(self) -> int:
        now = self._tables.now()
        while due := await self._store.due_tables(now, BATCH):
            for table_id in due:
                await self._ring(table_id, now)
        await self._show_again(now)
        return await self.rest()

    async def rest(self) -> int:
        """Seconds until the next thing is due."""
        times = [when for _, when in self._retries.values()]
        if (due := await self._store.next_due()) is not None:
            times.append(due)
        sleep = min(times, default=self._tables.now() + LONGEST_SLEEP) - self._tables.now()
        return min(LONGEST_SLEEP, max(1, sleep))

    def missed(self, table_id: int) -> None:
        """That table could not be shown."""
        self._retries.setdefault(table_id, (1, self._tables.now() + SOON))

    async def _ring(self, table_id: int, now: int) -> None:
        """Rings; a table that cannot be rung, or stays due, is put off so that it holds up no other."""
        try:
            table = await self._tables.ring(table_id)
            if table.due is None or table.due > now:
                return
            log.warning("Table %s stays due whatever the clock does", table_id)
        except Exception:
            log.exception("The clock failed at table %s", table_id)
        await self._store.put_off(table_id, now + LATEST)

    async def _show_again(self, now: int) -> None:
        """Tables that are not shown are tried again after 1, 2, 4 … minutes, in the end every few hours."""
        unpublished = await self._store.unpublished()
        self._retries = {number: retry for number, retry in self._retries.items() if number in unpublished}
        for table_id in unpublished:
            tries, when = self._retries.get(table_id, (0, now))
            if when <= now:
                self._retries[table_id] = (tries + 1, now + min(SOON * 2**tries, LATEST))
                self._refresh(table_id)
