"""Work on tables that must not overlap: one task a table, and what is asked meanwhile is done once more after it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

MOST = 32
"""Tables that are worked on at once; the others wait as mere numbers, without pictures or tasks."""


class Workers:
    """`wake(table)` has `work(table)` done soon; no wake is lost, and many that come at once are one.

    `work` sees to its own failures.
    """

    def __init__(self, name: str, work: Callable[[int], Awaitable[None]]) -> None:
        self._name = name
        self._work = work
        self._wanted: dict[int, None] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def wake(self, table_id: int) -> None:
        self._wanted[table_id] = None
        self._begin()

    async def settled(self, table_id: int | None = None) -> None:
        """Waits until nothing is left to do for that table, or for any."""
        while self._tasks if table_id is None else table_id in self._tasks or table_id in self._wanted:
            await asyncio.wait(list(self._tasks.values()), return_when=asyncio.FIRST_COMPLETED)

    def _begin(self) -> None:
        """Begins whatever may begin, in the order in which it was asked for."""
        for table_id in list(self._wanted):
            if len(self._tasks) >= MOST:
                return
            if table_id not in self._tasks:
                del self._wanted[table_id]
                self._tasks[table_id] = asyncio.create_task(self._run(table_id), name=f"{self._name} table {table_id}")

    async def _run(self, table_id: int) -> None:
        try:
            await self._work(table_id)
        finally:
            del self._tasks[table_id]
            self._begin()
