"""A simulated month: the real tables, clock and reminders on a real database, and a Discord that is a list of what
was said.

People answer by their habits; whatever the bot must never do is checked at the moment at which it would do it.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from typing import Any, Literal

from bot.clock import OUTAGE, Clock
from bot.deadlines import DAY, HOUR, MINUTE, Pace
from bot.membership import Membership
from bot.notices import Notices, TryLater
from bot.robots import choose
from bot.rules import games
from bot.store import Store
from bot.table import ANYBODY, Seat, Table
from bot.tables import Tables
from bot.wishes import Wishes, keep_wishes

HEARTBEAT = HOUR
CREDITED = OUTAGE * HEARTBEAT
"""A longer absence of the bot costs nobody any time."""

Habit = Literal["swift", "slow", "vanishes", "returns", "leaves", "travels"]
HABITS: tuple[Habit, ...] = (
    *("swift", "swift", "swift", "swift", "swift", "swift"),
    *("slow", "vanishes", "returns", "leaves", "travels"),
)

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo")
WORDS = ("kettle", "harbour", "lantern", "meadow", "button", "glacier", "ribbon", "thunder")
KINDS = {
    "you are asked": "turn",
    "half of the time": "half",
    "the time is nearly up": "hour",
    "everybody else has answered": "last",
    "the time is up": "late",
}


# A database without a thread of its own, which is much faster


class Cursor:
    """What a statement gives, awaited or as a context."""

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._cursor = cursor
        self.rowcount, self.lastrowid = cursor.rowcount, cursor.lastrowid

    def __await__(self) -> Generator[None, None, Cursor]:
        yield from ()
        return self

    async def __aenter__(self) -> Cursor:
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def fetchall(self) -> list[Any]:
        return self._cursor.fetchall()


class Connection:
    """What a store uses of a connection of aiosqlite."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        for pragma in ("foreign_keys = on", "synchronous = off"):
            self._connection.execute(f"pragma {pragma}")

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Cursor:
        return Cursor(self._connection.execute(sql, values))

    def executemany(self, sql: str, values: Any) -> Cursor:
        return Cursor(self._connection.executemany(sql, values))

    async def commit(self) -> None:
        self._connection.commit()

    async def rollback(self) -> None:
        self._connection.rollback()

    async def close(self) -> None:
        self._connection.close()


def fast_store(path: Path) -> Store:
    """The store of a database that was made before."""
    connection: Any = Connection(path)
    return Store(connection, connection, open(path.with_name("held"), "w"))


# People


@dataclass
class Person:
    """Somebody with a habit; whoever does not answer any more stops at `stops`, and comes back at `again` if at all."""

    user: int
    habit: Habit
    stops: int
    again: int | None
    blocks: bool
    """Refuses direct messages."""
    wishes: Wishes
    rng: Random

    def gone(self, now: int) -> bool:
        """Whether the person has left every server."""
        return self.habit == "leaves" and now >= self.stops

    def absent(self, now: int) -> bool:
        stays = self.habit in ("swift", "slow") or now < self.stops
        return not stays and (self.again is None or now < self.again)

    def answers_at(self, asked: int) -> int | None:
        """When the person answers what is asked then; None: never."""
        if self.habit == "slow":
            when = asked + self.rng.randrange(6 * HOUR, 40 * HOUR)
        else:
            when = asked + 5 * MINUTE + int(self.rng.expovariate(1 / (2.5 * HOUR)))
        if not self.absent(when):
            return when
        return None if self.again is None else self.again + self.rng.randrange(HOUR)


def crowd(number: int, begin: int, end: int, rng: Random) -> dict[int, Person]:
    """So many people, numbered from 1."""
    people: dict[int, Person] = {}
    for user in range(1, number + 1):
        habit = HABITS[user % len(HABITS)]
        stops = rng.randrange(begin + 2 * DAY, end - 14 * DAY)
        again = stops + rng.randrange(3 * DAY, 9 * DAY) if habit in ("returns", "travels") else None
        quiet = rng.randrange(20, 24) * 60, rng.randrange(6, 9) * 60
        wishes = Wishes(
            where=rng.choice(("channel", "channel", "direct", "both")),
            quiet_from=quiet[0] if user % 2 else 0,
            quiet_to=quiet[1] if user % 2 else 0,
            zone=rng.choice(ZONES),
            half=rng.random() < 0.3,
            hour=rng.random() < 0.8,
            last=rng.random() < 0.5,
        )
        people[user] = Person(user, habit, stops, again, rng.random() < 0.15, wishes, rng)
    return people


# The month


@dataclass
class Month:
    """Discord, the people and the bot.  `now` is the time of all of them."""

    path: Path
    begin: int
    end: int
    outages: dict[int, int]
    """When the bot goes away, and for how long."""
    rng: Random
    people: dict[int, Person]
    now: int = 0
    tables: dict[int, Table] = field(default_factory=dict[int, Table])
    """Every table as it was stored last."""
    said: Counter[tuple[int, int, int, str, str]] = field(default_factory=Counter[tuple[int, int, int, str, str]])
    """How often a user was told: user, table, when it was asked, what, and how."""
    told: set[tuple[int, int, str, int]] = field(default_factory=set[tuple[int, int, str, int]])
    """Who was told anything at which table about which question, known by when it was put and by its turn."""
    messages: dict[tuple[int, int], set[tuple[int, int, int]]] = field(
        default_factory=dict[tuple[int, int], set[tuple[int, int, int]]]
    )
    """The reminders that are not deleted: whom they tell of which question of which table."""
    faults: list[str] = field(default_factory=list[str])
    seen: Counter[str] = field(default_factory=Counter[str])
    _events: list[tuple[int, int, Callable[[], Coroutine[Any, Any, None]]]] = field(default_factory=list[Any])
    _unshown: set[int] = field(default_factory=set[int])
    _boards: dict[int, int] = field(default_factory=dict[int, int])
    _planned: set[tuple[int, int, int, int]] = field(default_factory=set[tuple[int, int, int, int]])
    _running: bool = True

    # The bot

    def boot(self) -> None:
        """A new bot on the same database, which knows nothing else."""
        self._unshown.clear()
        self.store = fast_store(self.path)
        self.bot = Tables(self.store, lambda: self.now, self.rng)
        self.bot.listeners.append(self._changed)
        self.membership = Membership(self.bot, self._has_left)
        self.notices = Notices(self.bot, self, self._language)
        self.clock = Clock(self.bot, self._unshown.add, self.membership.look_after, (self.notices,))

    async def _language(self, _table: Table) -> str:
        return "en"

    async def _has_left(self, _server: int, user: int) -> bool:
        return self.people[user].gone(self.now)

    async def run(self) -> None:
        self.now = self.begin
        self.boot()
        for person in self.people.values():
            await keep_wishes(self.store, person.user, person.wishes)
            if person.habit == "travels":
                self._at(person.stops - HOUR, lambda person=person: self._go_away(person))
            if person.again is not None:
                self._at(person.again, lambda person=person: self._come_back(person))
        await self.clock.beat(HEARTBEAT)
        for when, length in self.outages.items():
            self._at(when, lambda length=length: self._fall(length))
        self._at(self.begin + HEARTBEAT, self._beat)
        alarm = self.begin
        while self.now < self.end and self._events:
            if alarm <= self._events[0][0]:
                self.now = max(self.now, alarm)
                await self.clock.tick()
            else:
                when, _, event = heappop(self._events)
                self.now = max(self.now, when)
                await event()
            await self._settle()
            alarm = self.now + await self.clock.rest()
        await self.store.close()

    async def _settle(self) -> None:
        """Robots play and boards are posted, until nothing is left to do."""
        while self._unshown:
            table_id = self._unshown.pop()
            if any(self.tables[table_id].robot_plays(seat) for seat in self.tables[table_id].waiting):
                await self.bot.let_robot_play(table_id)
            await self._show(self.tables[table_id])

    async def _show(self, table: Table) -> None:
        """A new question is a new post with mentions, now and then only an edit of the old one."""
        if self._boards.get(table.id) != table.turn and table.state == "running" and self.rng.random() < 0.9:
            self._boards[table.id] = table.turn
            seats = await self.notices.to_mention(table)
            users = [table.seats[seat].user or 0 for seat in seats]
            for user in users:
                self._say(user, table, "turn", "channel")
            await self.store.set_mentioned(table.id, table.turn, seats)
        await self.notices.tidy(table)
        await self.store.set_published(table.id, table.version)

    async def _fall(self, length: int) -> None:
        """The bot is away for so long; what it had not shown yet is forgotten."""
        before, began = dict(self.tables), self.now
        await self.store.close()
        self.now += length
        self._events = [(max(when, self.now + number % 600), number, event) for when, number, event in self._events]
        self._events.sort()
        self.boot()
        await self.clock.beat(HEARTBEAT)
        for table_id in await self.store.running():
            self._unshown.add(table_id)
            old, new = before[table_id], await self.bot.load(table_id)
            if length > CREDITED and old.deadline is not None and new.deadline is not None:
                left = new.pace.between(self.now, new.deadline)
                if left < old.pace.between(began, old.deadline):
                    self.faults.append(f"Table {table_id} has lost time while the bot was away.")
        self.seen["outage" if length > CREDITED else "restart"] += 1

    async def _beat(self) -> None:
        await self.clock.beat(HEARTBEAT)
        self._at(self.now + HEARTBEAT, self._beat)

    # Who delivers

    async def post(self, channel: int, text: str, users: Sequence[int]) -> int | None:
        self._may_fail()
        if channel % 17 == 0:
            return None
        for user in users:
            self._hear(user, text, "channel")
        return self._deliver(channel, text, users)

    async def write(self, user: int, text: str) -> tuple[int, int] | None:
        self._may_fail()
        person = self.people[user]
        if person.gone(self.now):
            await self.membership.look_for(user)
            return None
        if person.blocks:
            return None
        self._hear(user, text, "direct")
        return -user, self._deliver(-user, text, [user])

    async def remove(self, channel: int, message: int) -> None:
        del self.messages[channel, message]

    def _may_fail(self) -> None:
        if self.rng.random() < 0.02:
            self.seen["failure"] += 1
            raise TryLater

    def _deliver(self, channel: int, text: str, users: Sequence[int]) -> int:
        self.seen["message"] += 1
        number = self.seen["message"]
        tables = [self.tables[int(each)] for each in re.findall(r"table (\d+)\]", text)]
        self.messages[channel, number] = {(user, table.id, table.asked or 0) for user in users for table in tables}
        if len(tables) > 1:
            self.seen["digest"] += 1
        return number

    def _hear(self, user: int, text: str, way: str) -> None:
        for number, sentence in re.findall(r"table (\d+)\]\([^)]*\): (.*)", text):
            kind = next(kind for words, kind in KINDS.items() if words in sentence)
            self._say(user, self.tables[int(number)], kind, way)

    def _say(self, user: int, table: Table, kind: str, way: str) -> None:
        """That user is told now: is it true, wanted, new, and not in quiet hours?"""
        person, seat = self.people[user], table.seat_of(user)
        what = f"table {table.id}, user {user}, {kind} by {way} at {self.now}"
        if person.wishes.quiet_until(self.now) is not None:
            self.faults.append(f"In quiet hours: {what}")
        if seat not in table.owing or table.seats[seat].away is not None:
            self.faults.append(f"Not asked: {what}")
        if kind in ("half", "hour", "last") and not person.wishes.wants(kind):
            self.faults.append(f"Not wanted: {what}")
        key = (user, table.id, table.asked or 0, kind, way)
        self.said[key] += 1
        if self.said[key] > 1:
            self.faults.append(f"Twice: {what}")
        self.told |= {(user, table.id, "asked", table.asked or 0), (user, table.id, "turn", table.turn)}
        self.seen[kind] += 1

    # The people

    def _at(self, when: int, event: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.seen["event"] += 1
        heappush(self._events, (when, self.seen["event"], event))

    def open(self, game: str, users: Sequence[int], robots: int, pace: Pace, when: int) -> None:
        """A table that these people fill then, in the server of the first."""

        async def event() -> None:
            seats = (Seat(users[0], f"Player {users[0]}"), *(Seat(None, f"Robot {n}") for n in range(robots)))
            table = await self.bot.open(
                Table(
                    id=0,
                    game=game,
                    guild=users[0] % 4 + 1,
                    channel=1_000 + self.rng.randrange(100),
                    place=1_000 + self.rng.randrange(100),
                    host=users[0],
                    state="open",
                    options={},
                    most=len(users) + robots,
                    least=len(users) + robots,
                    pace=pace,
                    thread=False,
                    seats=seats,
                    rules=1,
                )
            )
            await self.store.set_place(table.id, table.channel)
            for user in users[1:]:
                await self.bot.join(table.id, user, f"Player {user}")
            if not users[1:]:
                await self.bot.start(table.id, users[0])

        self._at(when, event)

    async def _changed(self, table: Table) -> None:
        """Somebody hears of every stored change: what was right about it, and who does what next?"""
        before = self.tables.get(table.id)
        self.tables[table.id] = table
        self._unshown.add(table.id)
        if before is not None and before.state == "running":
            self._judge(before, table)
        for seat in table.owing:
            key = (table.id, seat, table.asked or 0, table.turn)
            person = self.people[table.seats[seat].user or 0]
            if key not in self._planned and (when := person.answers_at(self.now)) is not None:
                self._planned.add(key)
                self._at(when, lambda seat=seat, user=person.user: self._answer(table.id, seat, user))
        for number, own in enumerate(table.seats):
            if own.offered == ANYBODY and (before is None or before.seats[number].offered is None):
                self._at(self.now + 8 * HOUR, lambda number=number: self._take(table.id, number))
        if table.late and table.pace.policy == "wait" and before is not None and not before.late:
            lasts = [last for seat in table.overdue if (last := table.last_moment(seat)) is not None]
            self._at(max(lasts, default=self.now) + DAY, lambda: self._vote(table.id))

    def _judge(self, before: Table, after: Table) -> None:
        """Was a seat given up before its time, and was everybody told who was asked for long?"""
        asked, pace = before.asked or 0, before.pace
        down = sum(
            max(0, min(self.now, when + long) - max(asked, when))
            for when, long in self.outages.items()
            if long > CREDITED
        )
        for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
            if old.user is None:
                continue
            given_up = new.steward and not old.steward and new.away is None
            given_up |= new.offered == ANYBODY and old.offered is None and not new.left
            given_up |= after.ending == "expired" and seat in before.overdue
            patience = pace.period + old.spent + old.bank + pace.grace + down
            if given_up and not self.people[old.user].gone(self.now) and self.now < asked + patience:
                self.faults.append(f"Table {after.id} gave up on seat {seat} before its time.")
            if given_up:
                self.seen["given up"] += 1
            over = seat in before.owing and (seat not in after.owing or after.asked != before.asked)
            long = self.now - asked - down > 14 * HOUR and old.away is None and before.began is None
            if over and long and not old.left and new.user == old.user:
                person = self.people[old.user]
                reachable = not person.gone(self.now) and not (person.blocks and after.channel % 17 == 0)
                keys = {(old.user, after.id, "asked", asked), (old.user, after.id, "turn", before.turn)}
                if reachable and not self.told & keys:
                    self.faults.append(f"Table {after.id} has told user {old.user} nothing.")

    async def _answer(self, table_id: int, seat: int, user: int) -> None:
        table = self.tables[table_id]
        if table.state != "running" or seat not in table.waiting or table.seats[seat].player != user:
            return
        if self.rng.random() < 0.004:
            await self.bot.leave(table_id, user)
            return
        await self.bot.play(table_id, user, self._moves(table, seat))

    def _moves(self, table: Table, seat: int) -> list[str]:
        """Any legal moves that end the seat's turn, in the end a robot's; `ready` is now and then forgotten."""
        position, moves = table.running(), list[str]()
        while seat in position.waiting() and (
            not moves or position.waiting() == (seat,) or position.turn == table.turn
        ):
            legal = position.moves(seat)
            if "ready" in legal and moves and self.rng.random() < 0.3:
                break
            if len(moves) < 4:
                moves.append(self._any(legal))
            else:
                moves.append(choose(table.game, position.view(seat), legal, self.rng))
            position = position.play(seat, moves[-1])
        return moves

    def _any(self, legal: Sequence[str]) -> str:
        move = "ready" if "ready" in legal else self.rng.choice(legal)
        return move.replace("<word>", self.rng.choice(WORDS))

    def robot(self, game: str, view: Any, moves: tuple[str, ...], rng: Random) -> str:
        """A robot that plays anything, and now and then what it should."""
        return self._any(moves) if rng.random() < 0.5 else choose(game, view, moves, rng)

    async def _go_away(self, person: Person) -> None:
        assert person.again is not None
        await self.bot.go_away(person.user, person.again)
        self.seen["away"] += 1

    async def _come_back(self, person: Person) -> None:
        for table in await self.bot.come_back(person.user):
            if table.state == "running":
                await self._answer(table.id, table.seat_of(person.user), person.user)

    async def _take(self, table_id: int, seat: int) -> None:
        table = self.tables[table_id]
        for person in self.people.values():
            free = person.habit == "swift" and not table.seated(person.user)
            if free and table.state == "running" and table.seats[seat].offered == ANYBODY:
                await self.bot.take_seat(table_id, seat, person.user, f"Player {person.user}")
                self.seen["taken"] += 1
                return

    async def _vote(self, table_id: int) -> None:
        for seat in self.tables[table_id].seats:
            table = self.tables[table_id]
            late = table.state == "running" and table.late and seat.player is not None
            if late and table.seated(seat.player or 0) and not self.people[seat.player or 0].absent(self.now):
                await self.bot.vote_end(table_id, seat.player or 0)


def paces(rng: Random) -> Pace:
    """Any pace."""
    return Pace(
        period=rng.choice((4 * HOUR, 8 * HOUR, DAY)),
        bank=rng.choice((0, DAY, 2 * DAY)),
        grace=rng.choice((0, 12 * HOUR, DAY)),
        policy=rng.choice(("steward", "steward", "steward", "replace", "end", "wait")),
        weekends=rng.random() < 0.7,
        zone=rng.choice(ZONES),
        absence=rng.choice(("pause", "steward")),
        away_days=rng.choice((4, 30)),
    )


def seated(game: str, people: Sequence[int], rng: Random) -> tuple[list[int], int]:
    """Some people for a table of that game, and a number of robots."""
    number = rng.choice([count for count in games()[game].players if count <= 4])
    robots = int(rng.random() < 0.2)
    return rng.sample(people, number - robots), robots
