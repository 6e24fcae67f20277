"""The standing post of a server about all its tables: whose turn it is, until when, and where.

It is edited when a table has changed, at most every `PAUSE` seconds; when it was deleted it is posted again.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import discord

from bot import panels, words
from bot.courier import UNKNOWN_CHANNEL, may_pass, only
from bot.locales import _, speaking
from bot.outbox import Outbox, Urgency
from bot.store import Board
from bot.table import Table
from bot.tables import from_rows

if TYPE_CHECKING:
    from bot.client import Dawdle

log = logging.getLogger(__name__)

PAUSE = 30
UNKNOWN_MESSAGE, EDITED_TOO_OFTEN = 10008, 30046


class Noticeboard:
    """`changed` says that a table is not what it was; `tick` shows what has changed and may be shown again."""

    def __init__(self, bot: Dawdle, outbox: Outbox) -> None:
        self._bot = bot
        self._outbox = outbox
        self._boards: dict[int, Board] = {}
        self._stale: dict[int, int] = {}
        """When the posts of these servers may be edited."""
        self._shown: dict[int, int] = {}

    async def load(self) -> None:
        """Takes up the posts that are known, each of which may be behind."""
        self._boards = {board.server: board for board in await self._bot.store.boards()}
        for server in self._boards:
            self._wake(server)

    def changed(self, table: Table) -> None:
        if table.guild in self._boards:
            self._wake(table.guild)

    async def place(self, server: int, channel: int) -> None:
        """Posts the server's one post in that channel; an older one is deleted."""
        old = self._boards.get(server)
        await self._keep(Board(server, channel, None, ""))
        await self._show(self._boards[server])
        if old is not None and old.message is not None:
            await self._bot.courier.remove(old.channel, old.message)

    async def next_due(self) -> int | None:
        return min(self._stale.values(), default=None)

    async def tick(self) -> None:
        now = self._bot.now()
        for server in [server for server, when in self._stale.items() if when <= now]:
            del self._stale[server]
            try:
                await self._show(self._boards[server])
            except (discord.RateLimited, OSError, TimeoutError):
                self._wake(server)
            except discord.HTTPException as error:
                log.warning("The status post of a server is not shown: Discord said %s (%s)", error.status, error.code)
                if may_pass(error):
                    self._wake(server)
                elif error.code == UNKNOWN_CHANNEL:
                    await self._drop(server)

    def _wake(self, server: int) -> None:
        now = self._bot.now()
        self._stale.setdefault(server, max(now, self._shown.get(server, 0) + PAUSE))

    async def _keep(self, board: Board) -> None:
        self._boards[board.server] = board
        await self._bot.store.set_board(board)

    async def _drop(self, server: int) -> None:
        del self._boards[server]
        await self._bot.store.drop_board(server)

    async def _show(self, board: Board) -> None:
        text = await self._text(board.server)
        digest = panels.digest(text)
        if digest == board.digest:
            return
        self._shown[board.server] = self._bot.now()
        view = discord.ui.LayoutView(timeout=None)
        view.add_item(discord.ui.TextDisplay(text))
        view.stop()
        channel = self._bot.get_partial_messageable(board.channel)
        await self._outbox.turn(Urgency.UPKEEP)
        if board.message is not None:
            try:
                await channel.get_partial_message(board.message).edit(view=view, allowed_mentions=only(()))
                await self._keep(replace(board, digest=digest))
                return
            except discord.HTTPException as error:
                if error.code not in (UNKNOWN_MESSAGE, EDITED_TOO_OFTEN):
                    raise
        sent = await channel.send(view=view, silent=True, allowed_mentions=only(()))
        await self._keep(replace(board, message=sent.id, digest=digest))

    async def _text(self, server: int) -> str:
        """The unfinished tables of that server, the most urgent first."""
        tables = from_rows(await self._bot.store.unfinished(server))
        with speaking(await self._bot.language_in(server)):
            title = _("## The tables of this server")
            if not tables:
                return f"{title}\n" + _("None is open. `/games help` tells how to start one.")
            running = sorted((each for each in tables if each.state == "running"), key=_urgency)
            tables = [*running, *(each for each in tables if each.state == "open")]
            return words.within([title, *[await self.line(table) for table in tables]], panels.MOST_PANEL_TEXT)

    async def line(self, table: Table) -> str:
        """One table of a list: its name, which leads there, and what it waits for."""
        posts = [post for post in await self._bot.store.posts(table.id) if post.audience in ("lobby", "public")]
        place = (posts[-1].channel, posts[-1].message) if posts else (table.place or table.channel, None)
        return f"• [{words.table_name(table)}]({words.link(table.guild, *place)}) · {words.standing(table)}"


def _urgency(table: Table) -> tuple[bool, int, int]:
    return table.deadline is None, table.deadline or 0, table.id
