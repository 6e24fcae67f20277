"""Notices that a player has left the server, at the next need: when a table runs late, or a message is refused."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.table import Table
from bot.tables import Tables, from_rows

UNKNOWN_MEMBER = {10007, 10013}
"""Discord's codes for a user who is no member, and for one who is nobody any more."""


class Membership:
    """`has_left(server, user)` says for sure that the user is in that server no more."""

    def __init__(self, tables: Tables, has_left: Callable[[int, int], Awaitable[bool]]) -> None:
        self._tables = tables
        self._has_left = has_left

    async def look_after(self, table: Table) -> None:
        """Those who hold a table up, are they still there?"""
        for seat in table.overdue:
            await self._check(table, table.seats[seat].player)

    async def look_for(self, user: int) -> None:
        """Is the user still in the servers where the user plays?"""
        for table in from_rows(row for row, _waiting in await self._tables.store.tables_of(user)):
            if table.state == "running":
                await self._check(table, user)

    async def _check(self, table: Table, user: int | None) -> None:
        if user is not None and await self._has_left(table.guild, user):
            await self._tables.give_up_on(table.id, user)
