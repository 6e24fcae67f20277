"""The simulated server of the local table: its seats, its rooms, its clock, and the views of it in the browser."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.env import Env
from simcord.preview import Preview

from bot.client import Dawdle
from bot.local import simcord_private as private
from bot.local.folder import Folder

log = logging.getLogger(__name__)

SEATS = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan")
TICK = 5
"""Seconds between two steps of the simulated clock."""
MOST_VIEWS = 24
"""Rooms that are kept ready for the browser; the longest unused one is closed first."""
PATIENCE = 60
"""Seconds that the bot may take for all that happens in one leap of time."""

T = TypeVar("T")


@dataclass(frozen=True)
class Room:
    """A channel, a thread or a direct message.

    `who` are the seats that may enter, `players` those that play a game there, `waiting` those it waits for.
    """

    id: int
    name: str
    kind: str
    who: tuple[str, ...]
    unread: int
    archived: bool
    players: tuple[str, ...]
    waiting: tuple[str, ...]


class LocalTable:
    """The bot in a simulated Discord.  Only one thing is done in it at a time: `turns` says whose turn it is."""

    def __init__(self, bot: Dawdle, folder: Folder, origins: str) -> None:
        self.bot = bot
        self.env = Env(bot, check_errors=False, shard_count=1)
        self.turns = asyncio.Lock()
        self.seats: dict[str, MemberActor] = {}
        self._folder = folder
        self._origins = origins
        self._style = Path(__file__).with_name("preview.css").read_text(encoding="utf-8")
        self._views: dict[tuple[int, str], Preview] = {}
        self._changed: dict[int, str] = {}
        self._seen: dict[int, int] = {}
        self._last_tick = time.monotonic()

    async def open(self) -> None:
        """Begin where it was left, or in a new server; the clock is at least that of the computer."""
        private.settle_quickly(self.env)
        if not self._folder.load(self.env):
            self._folder.clear()
            self._found()
        private.move_clock(self.env, max(0.0, (datetime.now(UTC) - self.env.now()).total_seconds()))
        private.watch(self.env, self._note_change)
        await self.env.start()
        guild = private.guild_of(self.env)
        self.seats = {person.name: person for person in private.people_of(self.env, guild)}
        self.games = guild.channels["games"]
        self._seen = {room.id: private.newest_message(self.env, room.id) for room, _, _ in self._rooms()}
        self._folder.save(self.env)

    async def close(self) -> None:
        """Keep everything and stop."""
        async with self.turns:
            await self.bot.steward.settled()
            await self.bot.publisher.settled()
            self._folder.save(self.env)
        await self.env.shutdown()
        await self.bot.close()

    def _found(self) -> None:
        """A new server.  What is made before the environment starts has the same ids in every new world."""
        private.name_bot(self.env, "Dawdle")
        guild = self.env.create_guild("Local table")
        guild.create_text_channel("games")
        for name in SEATS:
            person = guild.add_member(self.env.create_user(name, global_name=name.capitalize()))
            _ = person.user.dm_channel  # made when first asked for

    # Rooms

    async def rooms(self) -> list[Room]:
        """Channels, each with its threads, newest first, then the direct messages that have begun."""
        playing = await self._playing()
        return [
            Room(
                id=handle.id,
                name=handle.name or who[0].capitalize(),
                kind=kind,
                who=who,
                unread=private.unread_messages(self.env, handle.id, self._seen.get(handle.id, 0)),
                archived=private.is_archived(handle),
                players=tuple(playing.get(handle.id, ())),
                waiting=tuple(name for name, waiting in playing.get(handle.id, {}).items() if waiting),
            )
            for handle, kind, who in self._rooms()
            if kind != "dm" or private.newest_message(self.env, handle.id)
        ]

    async def _playing(self) -> dict[int, dict[str, bool]]:
        """In which room which seats play, and whether the game waits for them."""
        playing: dict[int, dict[str, bool]] = {}
        for name, seat in self.seats.items():
            for table, waiting in await self.bot.store.tables_of(seat.id):
                if table.place is not None:
                    room = playing.setdefault(table.place, {})
                    room[name] = room.get(name, False) or waiting
        return playing

    def _rooms(self) -> Iterator[tuple[ChannelHandle, str, tuple[str, ...]]]:
        for channel in private.guild_of(self.env).channels.values():
            if private.is_text_channel(channel):
                yield channel, "channel", tuple(self.seats)
                for thread in reversed(channel.threads):
                    who = [name for name, seat in self.seats.items() if private.may_enter(thread, seat)]
                    if who:
                        yield thread, "thread", tuple(who)
        for name, seat in self.seats.items():
            yield seat.user.dm_channel, "dm", (name,)

    def see(self, room: int) -> None:
        """Somebody looks at the room: nothing in it is unread."""
        self._seen[room] = private.newest_message(self.env, room)

    async def view(self, room: int, seat: str) -> str:
        """The address of that room as that seat sees it; KeyError if there is no such room for the seat."""
        handle = next((each for each, _, who in self._rooms() if each.id == room and seat in who), None)
        if handle is None:
            raise KeyError(room)
        async with self.turns:
            view = self._views.pop((room, seat), None)
            if view is None or not private.is_open(view):
                view = await private.open_preview(
                    self.env, handle, self.seats[seat], self._origins, self._style, self.turns
                )
            self._views[room, seat] = view
            await self._close_unused()
        return view.url

    async def _close_unused(self) -> None:
        unused = [key for key, view in self._views.items() if not private.is_shown(view)][:-1]
        for key in unused[: max(0, len(self._views) - MOST_VIEWS)]:
            await self._views.pop(key).close()

    # Time

    async def run(self) -> None:
        """Let time pass and keep browser and folder up to date, until cancelled."""
        while True:
            await asyncio.sleep(0.5)
            try:
                if time.monotonic() - self._last_tick >= TICK:
                    await self.skip(0)
                await self._show_changes()
            except Exception:
                log.exception("The local table stumbled")

    async def skip(self, seconds: float) -> None:
        """Let that much time pass, besides what has passed anyway."""
        passed = time.monotonic() - self._last_tick
        self._last_tick += passed
        await self.do(lambda: self.env.advance_time(seconds + passed))

    async def do(self, action: Callable[[], Awaitable[T]]) -> T:
        """Do something in the simulated Discord when it is free, and show what came of it."""
        async with self.turns:
            usual, self.env.settle_timeout = self.env.settle_timeout, PATIENCE
            try:
                result = await action()
            finally:
                self.env.settle_timeout = usual
        await self._show_changes()
        return result

    async def _show_changes(self) -> None:
        """Publish the views whose rooms have changed, and keep the world if anything has happened."""
        async with self.turns:
            for (room, _), view in list(self._views.items()):
                changed = self._changed.get(room)
                if changed and private.is_open(view) and private.is_behind(view, changed):
                    await view.refresh()
            if private.forget_what_passed(self.env):
                self._folder.save(self.env)

    def _note_change(self, room: int) -> None:
        self._changed[room] = datetime.now(UTC).isoformat().replace("+00:00", "Z")
