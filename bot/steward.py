"""Lets robots play: their own seats, and the seats of players who are away.

One robot answers one question at a time, and only when the last answer has been shown, so that everybody can follow.
"""

from __future__ import annotations

import logging

from bot.table import Table
from bot.tables import Tables
from bot.workers import Workers

log = logging.getLogger(__name__)


class Steward:
    """`wake(table)` is called when the table has been shown; `settled` waits until no robot is at work."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._workers = Workers("robots of", self._play)
        self.settled = self._workers.settled

    def wake(self, table: Table) -> None:
        if any(table.robot_plays(seat) for seat in table.waiting):
            self._workers.wake(table.id)

    async def _play(self, table_id: int) -> None:
        """One robot answers; if another is to answer after it, showing that wakes it."""
        try:
            await self._tables.let_robot_play(table_id)
        except Exception:
            log.exception("The robots of table %s stopped", table_id)
