"""Sends the reminders that are due, and removes those that remind of nothing any more.

What is due is looked up in the store again before it is sent.  Nothing is sent in a user's quiet hours; what still
holds when they end is sent then.  What is due to a user at several tables is one message, and users who are told the
same in one channel share one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot import words
from bot.deadlines import MINUTE
from bot.locales import _, and_list, plural, speaking
from bot.reminders import KINDS
from bot.rules.base import Refused
from bot.store import DueReminder
from bot.table import Table
from bot.tables import Tables
from bot.wishes import Where, Wishes, wishes_of

LATER = 5 * MINUTE
"""Seconds until a message that did not get through is tried again."""

MOST_LINES = 8
"""Tables that one message lists."""


class TryLater(Exception):
    """The message did not get through, but may soon."""


class Courier(Protocol):
    """Who delivers.  A message that is refused for good gives None; TryLater when the refusal may pass."""

    async def post(self, channel: int, text: str, users: Sequence[int]) -> int | None:
        """One message in a channel that notifies these users: its id."""
        ...

    async def write(self, user: int, text: str) -> tuple[int, int] | None:
        """One direct message: its channel and its id."""
        ...

    async def remove(self, channel: int, message: int) -> None:
        """Deletes a message of ours, if it is still there."""
        ...


@dataclass(frozen=True)
class Item:
    """What is due to one user at one table, the strongest last."""

    table: Table
    due: tuple[DueReminder, ...]

    @property
    def unmentioned(self) -> bool:
        """Whether anything is due that the public post has not said."""
        return any(not each.mentioned for each in self.due)

    @property
    def unwritten(self) -> bool:
        """Whether anything is due that the planner in direct messages has not said."""
        return any(not each.written for each in self.due)


@dataclass(frozen=True)
class Letter:
    """What one user is told in one message."""

    user: int
    where: Where
    items: tuple[Item, ...]

    @property
    def due(self) -> list[DueReminder]:
        return [each for item in self.items for each in item.due]

    def only(self, wanted: Callable[[Item], bool]) -> Letter:
        return Letter(self.user, self.where, tuple(item for item in self.items if wanted(item)))

    def by_server(self) -> list[Letter]:
        """In parts that tell of one server each."""
        servers = {item.table.guild for item in self.items}
        return [self.only(lambda item, server=server: item.table.guild == server) for server in sorted(servers)]


class Notices:
    """`tick` sends what is due; `next_due` is when it wants to be called again."""

    def __init__(self, tables: Tables, courier: Courier, language_of: Callable[[Table], Awaitable[str]]) -> None:
        self._tables = tables
        self._store = tables.store
        self._courier = courier
        self._language_of = language_of

    async def next_due(self) -> int | None:
        return await self._store.next_reminder()

    async def tick(self) -> None:
        letters = await self._letters()
        await self._store.set_reminders_sent([each for letter in letters for each in letter.due], self._tables.now())
        unreached = [letter for letter in letters if not await self._written(letter)]
        posts: dict[tuple[int, str], list[Letter]] = defaultdict(list)
        for letter in unreached:
            for part in (await self._still(letter)).by_server():
                first = part.items[0].table
                posts[first.place or first.channel, await self._text(part)].append(part)
        for (channel, text), group in posts.items():
            await self._post(channel, text, group)

    async def _written(self, letter: Letter) -> bool:
        """Writes to those who want it; whether there is nothing to be posted in a channel."""
        if letter.where == "channel":
            return False
        reached = await self._write(letter.only(lambda item: item.unwritten))
        return reached and letter.where == "direct"

    async def _still(self, letter: Letter) -> Letter:
        """What is still true of the letter, and not mentioned yet: writing to others may have changed tables."""
        tables: dict[int, Table] = {}
        held = [item for item in letter.items if item.unmentioned and await self._holds(item.due[-1], tables)]
        return Letter(letter.user, letter.where, tuple(held))

    async def tidy(self, table: Table) -> None:
        """Deletes the messages that remind of nothing any more, now that the table is as it is."""
        for channel, message in await self._store.drop_notices(table.id, table.turn, table.owing):
            await self._courier.remove(channel, message)

    async def to_mention(self, table: Table) -> list[int]:
        """The seats whose players the public post of the question is to notify."""
        told = await self._store.told_of_turn(table.id, table.turn)
        return [
            seat
            for seat in table.owing
            if seat not in told
            and table.seats[seat].away is None
            and (user := table.seats[seat].user) is not None
            and await self.may_ring(user, "channel")
        ]

    async def may_ring(self, user: int, where: Where) -> bool:
        """Whether a message there may notify the user now."""
        wishes = await wishes_of(self._store, user)
        return wishes.where in (where, "both") and wishes.quiet_until(self._tables.now()) is None

    async def _letters(self) -> list[Letter]:
        """What is due, still true and wanted, one letter a user; the rest is put off or done with."""
        now = self._tables.now()
        wishes: dict[int, Wishes] = {}
        kept: dict[int, dict[int, list[DueReminder]]] = defaultdict(lambda: defaultdict(list))
        tables: dict[int, Table] = {}
        late: dict[int, list[DueReminder]] = defaultdict(list)
        done: list[DueReminder] = []
        for each in await self._store.due_reminders(now):
            if each.user not in wishes:
                wishes[each.user] = await wishes_of(self._store, each.user)
            if not wishes[each.user].wants(each.kind) or not await self._holds(each, tables):
                done.append(each)
            elif (until := wishes[each.user].quiet_until(now)) is not None:
                late[until].append(each)
            elif not each.shown:
                late[now + MINUTE].append(each)
            else:
                kept[each.user][each.table_id].append(each)
        await self._store.set_reminders_sent(done, now)
        for until, reminders in late.items():
            await self._store.put_off_reminders(reminders, until)
        return [
            Letter(user, wishes[user].where, tuple(Item(tables[number], _sorted(due)) for number, due in items.items()))
            for user, items in kept.items()
        ]

    async def _holds(self, due: DueReminder, tables: dict[int, Table]) -> bool:
        """Whether the table still waits for that player's answer to that question."""
        if due.table_id not in tables:
            try:
                tables[due.table_id] = await self._tables.load(due.table_id)
            except Refused:
                return False
        table = tables[due.table_id]
        return table.turn == due.turn and due.seat in table.owing and table.seats[due.seat].away is None

    async def _post(self, channel: int, text: str, group: Sequence[Letter]) -> None:
        """In the channel; where that is impossible, directly to those who are not told so anyway."""
        users = [letter.user for letter in group]
        names = and_list([f"<@{user}>" for user in users])
        try:
            message = await self._courier.post(channel, f"{names}: {text}", users)
        except TryLater:
            await self._again(group)
            return
        if message is not None:
            await self._note(channel, message, group)
            return
        for letter in group:
            if letter.where == "channel":
                await self._write(letter)

    async def _write(self, letter: Letter) -> bool:
        """Directly; whether there is nothing left to be done about it."""
        if not letter.items:
            return True
        try:
            sent = await self._courier.write(letter.user, await self._text(letter))
        except TryLater:
            await self._again([letter])
            return True
        if sent is not None:
            await self._note(*sent, [letter])
        return sent is not None

    async def _again(self, letters: Sequence[Letter]) -> None:
        """Tries once more in a while; who is told in both ways is not told twice in one."""
        due = [each for letter in letters if letter.where != "both" for each in letter.due]
        await self._store.set_reminders_sent(due, None)
        await self._store.put_off_reminders(due, self._tables.now() + LATER)

    async def _note(self, channel: int, message: int, letters: Sequence[Letter]) -> None:
        seats = {(each.table_id, each.seat, each.turn) for letter in letters for each in letter.due}
        await self._store.add_notice(channel, message, seats)

    async def _text(self, letter: Letter) -> str:
        with speaking(await self._language_of(letter.items[0].table)):
            lines = [await self._line(item) for item in letter.items[:MOST_LINES]]
            if len(letter.items) == 1:
                return lines[0]
            title = plural("{n} table waits for you:", "{n} tables wait for you:", len(letter.items))
            rest = [_("`/games mine` lists them all.")] if len(letter.items) > MOST_LINES else []
            return "\n".join([title, *(f"• {line}" for line in lines), *rest])

    async def _line(self, item: Item) -> str:
        table, strongest = item.table, item.due[-1]
        posts = [post for post in await self._store.posts(table.id) if post.audience == "public"]
        place = table.place or table.channel
        link = (
            words.link(table.guild, posts[-1].channel, posts[-1].message) if posts else words.link(table.guild, place)
        )
        return f"[{words.table_name(table)}]({link}): {words.reminder(table, strongest.seat, strongest.kind)}"


def _sorted(due: Sequence[DueReminder]) -> tuple[DueReminder, ...]:
    kinds: list[str] = [*KINDS]
    return tuple(sorted(due, key=lambda each: kinds.index(each.kind)))
