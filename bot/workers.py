"""Work on tables that must not overlap: one task a table, and what is asked meanwhile is done once more after it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class Workers:
    """`wake(table)` has `work(table)` done soon; no wake is lost, and many that come at once are one.

    `work` sees to its own failures.
    """

    def __init__(self, name: str, work: Callable[[int], Awaitable[None]]) -> None:
        self._name = name
        self._work = work
        self._wanted: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def wake(self, table_id: int) -> None:
        self._wanted.add(table_id)
        if table_id not in self._tasks:
            self._tasks[table_id] = asyncio.create_task(self._run(table_id), name=f"{self._name} table {table_id}")

    async def settled(self, table_id: int | None = None) -> None:
        """Waits until nothing is left to do for that table, or for any."""
        while tasks := [task for number, task in self._tasks.items() if table_id is None or number == table_id]:
            await asyncio.wait(tasks)

    async def _run(self, table_id: int) -> None:
        try:
            while table_id in self._wanted:
                self._wanted.discard(table_id)
                await self._work(table_id)
        finally:
            del self._tasks[table_id]
