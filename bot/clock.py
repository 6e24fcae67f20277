"""The clock: rings the tables that are due, has shown what is not shown yet, and calls what else has its time.

It sleeps until the next stored time, and looks at least every hour.  Its signs of life tell how long
the bot was away, which costs no player any time.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from bot.deadlines import HOUR
from bot.store import Store
from bot.table import Table
from bot.tables import Tables

log = logging.getLogger(__name__)

LONGEST_SLEEP = HOUR
SOON, LATEST = 60, 4 * HOUR
"""Seconds until what could not be shown, or rung, is tried again: at first, and at most."""
BATCH = 100

OUTAGE = 3
"""So many missing signs of life were an outage of ours."""


class Chore(Protocol):
    """Something else that has its time."""

    async def tick(self) -> None:
        """Does what is due."""
        ...

    async def next_due(self) -> int | None:
        """When it wants to be called next, if at all."""
        ...


class Clock:
    """`await tick()` does what is due and returns the seconds until it wants to be called again."""

    def __init__(
        self,
        tables: Tables,
        refresh: Callable[[int], None],
        look_after: Callable[[Table], Awaitable[None]],
        chores: Sequence[Chore],
    ) -> None:
        """`look_after` hears of every table that was rung."""
        self._look_after = look_after
        self._chores = chores
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
        for chore in self._chores:
            try:
                await chore.tick()
            except Exception:
                log.exception("%s failed", type(chore).__name__)
        return await self.rest()

    async def beat(self, heartbeat: int) -> None:
        """One sign of life, expected every `heartbeat` seconds; after an outage every clock gets that time back."""
        now = self._tables.now()
        last = int(await self._store.note("heartbeat") or now)
        if now - last > OUTAGE * heartbeat:
            for table_id in await self._store.running():
                await self._tables.credit(table_id, last, now)
        await self._store.set_note("heartbeat", str(now))

    async def rest(self) -> int:
        """Seconds until the next thing is due."""
        times = [when for _, when in self._retries.values()]
        if (due := await self._store.next_due()) is not None:
            times.append(due)
        times += [due for chore in self._chores if (due := await chore.next_due()) is not None]
        sleep = min(times, default=self._tables.now() + LONGEST_SLEEP) - self._tables.now()
        return min(LONGEST_SLEEP, max(1, sleep))

    def missed(self, table_id: int) -> None:
        """That table could not be shown."""
        self._retries.setdefault(table_id, (1, self._tables.now() + SOON))

    async def _ring(self, table_id: int, now: int) -> None:
        """Rings; a table that cannot be rung, or stays due, is put off so that it holds up no other."""
        try:
            table = await self._tables.ring(table_id)
            await self._look_after(table)
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
