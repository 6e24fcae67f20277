"""Servers: their settings and standing posts, and notes of the bot itself."""

from __future__ import annotations

from dataclasses import astuple

from bot.store.database import Database
from bot.store.rows import Board


class ServerRows(Database):
    """What is kept about servers, and about the bot."""

    async def boards(self) -> list[Board]:
        """The standing posts of all servers."""
        return [Board(*row) for row in await self._all("select server, channel, message, digest from boards")]

    async def set_board(self, board: Board) -> None:
        await self._write(
            "insert or replace into boards (server, channel, message, digest) values (?, ?, ?, ?)", astuple(board)
        )

    async def drop_board(self, server: int) -> None:
        await self._write("delete from boards where server = ?", (server,))

    async def settings(self, server: int) -> str | None:
        """What the server has settled, as JSON."""
        rows = await self._all("select settings from servers where id = ?", (server,))
        return rows[0][0] if rows else None

    async def set_settings(self, server: int, settings: str) -> None:
        await self._write("insert or replace into servers (id, settings) values (?, ?)", (server, settings))

    async def note(self, key: str) -> str | None:
        rows = await self._all("select value from meta where key = ?", (key,))
        return rows[0][0] if rows else None

    async def set_note(self, key: str, value: str) -> None:
        await self._write("insert or replace into meta (key, value) values (?, ?)", (key, value))
