"""Lets robots play: their own seats, and the seats of players who are away.

One robot answers one question at a time, and only after the last answer has been shown, so that everybody can follow.
"""

from __future__ import annotations

import asyncio
import logging

from bot.publish import Publisher
from bot.table import Table
from bot.tables import Tables

log = logging.getLogger(__name__)


class Steward:
    """`wake(table)` is called after every change; the work ends by itself when the table waits for people."""

    def __init__(self, tables: Tables, publisher: Publisher) -> None:
        self._tables = tables
        self._publisher = publisher
        self._workers: dict[int, asyncio.Task[None]] = {}

    def wake(self, table: Table) -> None:
        worker = self._workers.get(table.id)
        if worker is not None and not worker.done():
            return
        if not any(table.robot_plays(seat) for seat in table.waiting):
            return
        task = asyncio.create_task(self._play(table.id), name=f"robots of table {table.id}")
        self._workers[table.id] = task

    async def _play(self, table_id: int) -> None:
        try:
            table = await self._tables.load(table_id)
            while any(table.robot_plays(seat) for seat in table.waiting):
                await self._publisher.settled(table_id)
                table = await self._tables.let_robot_play(table_id)
        except Exception:
            log.exception("The robots of table %s stopped", table_id)

    async def settled(self) -> None:
        """Waits until no robot has anything to do."""
        while workers := [worker for worker in self._workers.values() if not worker.done()]:
            await asyncio.wait(workers)
