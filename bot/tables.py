"""The door: every change of a table goes through here and is stored whole before anybody hears of it.

A change is a pure function from a table to a table (`bot.table`).  `Tables` takes the table's lock, loads it, applies
the change, stores the result in one transaction and tells those who listen.  There is no other writer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random, SystemRandom
from typing import Any
from weakref import WeakValueDictionary

from bot import snapshot
from bot.deadlines import DAY, LONGEST, SHORTEST, Pace
from bot.reminders import reminders_of
from bot.results import results_of
from bot.rules import games
from bot.rules.base import Refused
from bot.store import Entry, Store, TableRow
from bot.table import ROBOT_NAMES, Ending, Outage, Passed, Seat, Table

_IN_COLUMNS = (
    "id",
    "game",
    "guild",
    "channel",
    "place",
    "state",
    "version",
    "due",
    "rules",
    "setup",
    "position",
)


@dataclass(frozen=True)
class _Data:
    """The part of a table that has no column of its own."""

    host: int
    options: dict[str, Any]
    most: int
    least: int
    pace: Pace
    thread: bool
    seats: tuple[Seat, ...]
    created: int
    asked: int | None
    deadline: int | None
    extension: int
    credit: int
    outage: Outage
    late: bool
    ending: Ending | None
    order: tuple[int, ...]
    several: bool = False
    began: int | None = None


def to_row(table: Table) -> TableRow:
    """How the table is stored."""
    data = {name: getattr(table, name) for name in _Data.__dataclass_fields__}
    data["options"] = dict(table.options)
    return TableRow(
        id=table.id,
        game=table.game,
        guild=table.guild,
        channel=table.channel,
        place=table.place,
        state=table.state,
        version=table.version,
        published=0,
        parked=None,
        due=table.due,
        rules=table.rules,
        data=json.dumps(snapshot.dump(_Data(**data))),
        setup=None if table.setup is None else json.dumps(table.setup),
        position=None if table.position is None else json.dumps(snapshot.dump(table.position)),
    )


def from_row(row: TableRow) -> Table:
    """The table that was stored so."""
    kind = games().get(row.game)
    if kind is None:
        raise Refused("This game is not installed any more.")
    data = snapshot.load(_Data, json.loads(row.data))
    columns: dict[str, Any] = {name: getattr(row, name) for name in _IN_COLUMNS}
    columns["setup"] = None if row.setup is None else json.loads(row.setup)
    columns["position"] = None if row.position is None else snapshot.load(kind, json.loads(row.position))
    return Table(**columns, **{name: getattr(data, name) for name in _Data.__dataclass_fields__})


def from_rows(rows: Iterable[TableRow]) -> list[Table]:
    """The tables that were stored so, but for those whose games are not installed any more."""
    return [from_row(row) for row in rows if row.game in games()]


Change = Callable[[Table], Table]
Listener = Callable[[Table], Awaitable[None]]


@dataclass
class Tables:
    """The door itself.  `now()` gives the time; `listeners` hear of every stored change."""

    store: Store
    now: Callable[[], int]
    rng: Random = field(default_factory=SystemRandom)
    listeners: list[Listener] = field(default_factory=list[Listener])
    _locks: WeakValueDictionary[int, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[int, asyncio.Lock], init=False
    )

    async def load(self, table_id: int) -> Table:
        """The table as it is stored, or Refused."""
        row = await self.store.table(table_id)
        if row is None:
            raise Refused("There is no table {number}.", number=table_id)
        return from_row(row)

    async def open(self, table: Table, again: int | None = None) -> Table:
        """Stores a new open table (its `id` is not used), the rematch of table `again` if given."""
        self._check(table)
        table = replace(table, created=self.now())
        table_id = await self.store.add_table(to_row(table), [(seat.player, False) for seat in table.seats], again)
        table = replace(table, id=table_id)
        await self._tell(table)
        return table

    async def rematch(self, table_id: int, user: int, name: str) -> tuple[Table, bool]:
        """A table like that one, which is over, for the same people, and whether it is new; who began is last now.

        Whoever asks later takes a seat at the one that is open already.
        """
        async with self._lock(table_id):
            old = await self.load(table_id)
            if old.state != "over" or old.position is None:
                raise Refused("A rematch begins when the game is over.")
            if not any(seat.user == user for seat in old.seats):
                raise Refused("You have no seat at this table.")
            known = await self._rematch_of(old)
            if known is None:
                return await self.open(_again(old, user, name), old.id), True
        if known.state != "open" or known.seated(user):
            raise Refused("The rematch is table {number} already.", number=known.id)
        return await self.join(known.id, user, name), False

    async def _rematch_of(self, old: Table) -> Table | None:
        """The rematch of that table, unless it was closed before it began."""
        number = await self.store.rematch_of(old.id)
        if number is None:
            return None
        table = await self.load(number)
        return None if table.state == "over" and table.position is None else table

    async def join(self, table_id: int, user: int, name: str) -> Table:
        return await self._change(table_id, lambda table: table.join(user, name).filled(self.rng, self.now()))

    async def add_robot(self, table_id: int, user: int) -> Table:
        return await self._change(table_id, lambda table: table.add_robot(user).filled(self.rng, self.now()))

    async def leave(self, table_id: int, user: int, turn: int | None = None) -> Table:
        """Gives up that user's seat; Passed when `turn` is not the question being asked any more."""

        def change(table: Table) -> Table:
            _must_be_asked(table, turn)
            return table.leave(user)

        return await self._change(table_id, change)

    async def pick(self, table_id: int, user: int, name: str, choice: str) -> Table:
        """Notes what the user picked for the own seat; whoever has none takes one by picking."""

        def change(table: Table) -> Table:
            seated = table if table.seated(user) else table.join(user, name)
            return seated.pick(user, choice).filled(self.rng, self.now())

        return await self._change(table_id, change)

    async def start(self, table_id: int, user: int) -> Table:
        return await self._change(table_id, lambda table: table.start(user, self.rng, self.now()))

    async def play(self, table_id: int, user: int, moves: Sequence[str], turn: int | None = None) -> Table:
        """Makes these moves for that user's seat, all or none.

        `turn` is the question they answer; Passed when it is not the one being asked.
        """

        def change(table: Table) -> Table:
            table.seat_of(user)
            _must_be_asked(table, turn)
            return table.play_own(user, moves, self.now())

        table = await self._change(table_id, change)
        if await self.store.away_until(user, self.now()) is not None:
            await self.come_back(user)
        return table

    async def undo(self, table_id: int, user: int, turn: int) -> Table:
        def change(table: Table) -> Table:
            table.seat_of(user)
            _must_be_asked(table, turn)
            return table.undo(user, self.now())

        return await self._change(table_id, change)

    async def keep_draft(self, table_id: int, user: int, turn: int, draft: str) -> Table:
        """Stores what the user has picked so far; the table itself does not change."""
        async with self._lock(table_id):
            table, seat = await self._asked(table_id, user, turn)
            await self.store.keep_draft(table_id, seat, turn, draft)
            return table

    async def keep_remark(self, table_id: int, user: int, turn: int, remark: str) -> Table:
        """Stores what the user remarks on the own answer, to be shown when the turn is over."""
        async with self._lock(table_id):
            table, seat = await self._asked(table_id, user, turn)
            await self.store.keep_remark(table_id, turn, seat, remark)
            return table

    async def _asked(self, table_id: int, user: int, turn: int) -> tuple[Table, int]:
        """The running table and the user's seat, if that question is still being asked."""
        table = await self.load(table_id)
        seat = table.seat_of(user)
        table.running()
        _must_be_asked(table, turn)
        return table, seat

    async def ring(self, table_id: int) -> Table:
        """The clock found the table due; nothing happens if it is not any more."""

        def change(table: Table) -> Table:
            if table.due is None or table.due > self.now():
                return table
            return table.ring(self.now())

        return await self._change(table_id, change)

    async def let_robot_play(self, table_id: int) -> Table:
        """One robot that the table waits for answers, if there is one."""
        return await self._change(table_id, lambda table: table.robot_played(self.rng, self.now()), heavy=True)

    async def pace(self, table_id: int, user: int, pace: Pace) -> Table:
        return await self._change(table_id, lambda table: table.paced(user, pace))

    async def extend(self, table_id: int, user: int, seconds: int, allowed: bool) -> Table:
        """Gives this question that much more time in all, and notes who did."""
        return await self._change(
            table_id,
            lambda table: table.extended(user, seconds, self.now(), allowed),
            entry=(user, f"extend {seconds}"),
        )

    async def credit(self, table_id: int, began: int, ended: int) -> Table:
        return await self._change(table_id, lambda table: table.credited(began, ended))

    async def give_up_on(self, table_id: int, user: int) -> Table:
        """That player has left the server for good: the policy is applied at once."""
        return await self._change(table_id, lambda table: table.gone(user))

    async def offer(self, table_id: int, user: int, seat: int, to: int, allowed: bool) -> Table:
        """Offers that seat to another user, and notes who did."""
        return await self._change(
            table_id, lambda table: table.offer(user, seat, to, allowed), entry=(user, f"offer {seat}")
        )

    async def take_seat(self, table_id: int, seat: int, user: int, name: str) -> Table:
        return await self._change(table_id, lambda table: table.take_seat(seat, user, name, self.now()))

    async def vote_end(self, table_id: int, user: int) -> Table:
        return await self._change(table_id, lambda table: table.vote_end(user, self.now()))

    async def go_away(self, user: int, until: int) -> list[Table]:
        """The user is away until then, at all tables at once; gives those tables."""
        now = self.now()
        if not now < until <= now + 366 * DAY:
            raise Refused("An absence ends in the future, within a year.")
        used = await self.store.days_away(user, now - 365 * DAY, now)
        await self.store.add_absence(user, now, until)
        changed: list[Table] = []
        for row, _waiting in await self.store.tables_of(user):
            changed.append(await self._change(row.id, lambda table: table.goes_away(user, until, used, now)))
        return changed

    async def come_back(self, user: int) -> list[Table]:
        """The user's absence ends now, at all tables; gives those tables."""
        now = self.now()
        await self.store.end_absences(user, now)
        changed: list[Table] = []
        for row, _waiting in await self.store.tables_of(user):
            changed.append(await self._change(row.id, lambda table: table.back(user, now)))
        return changed

    async def resume(self, table_id: int, user: int) -> Table:
        """The user is looking, so a robot that has played for somebody late plays no more."""
        return await self._change(table_id, lambda table: table.resumed(user, self.now()))

    async def rename(self, table_id: int, user: int, name: str) -> Table:
        return await self._change(table_id, lambda table: table.renamed(user, name))

    async def forget(self, table_id: int, user: int, name: str) -> Table:
        """Leaves no trace of the user at that table; `name` stands there instead."""
        return await self._change(table_id, lambda table: table.forgotten(user, name))

    async def abandon(self, table_id: int, user: int, allowed: bool) -> Table:
        return await self._change(table_id, lambda table: table.abandon(user, allowed), entry=(user, "abandon"))

    def _lock(self, table_id: int) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    async def _change(
        self, table_id: int, change: Change, *, heavy: bool = False, entry: tuple[int, str] | None = None
    ) -> Table:
        """`heavy` changes are computed off the event loop; `entry` (who, what) is noted if anything changes."""
        async with self._lock(table_id):
            before = await self.load(table_id)
            after = await asyncio.to_thread(change, before) if heavy else change(before)
            if after == before:
                return before
            if before.state == "open" and after.state == "running":
                after = await self._with_absences(after)
            after = replace(after, version=before.version + 1)
            await self._save(before, after, None if entry is None else Entry(self.now(), *entry))
            after = replace(after, played=())
        await self._tell(after)
        return after

    async def _with_absences(self, table: Table) -> Table:
        """The table that has just started, with those of its players away who are."""
        now = self.now()
        for user in [seat.player for seat in table.seats if seat.player is not None]:
            if (until := await self.store.away_until(user, now)) is not None:
                used = await self.store.days_away(user, now - 365 * DAY, now)
                table = table.goes_away(user, until, used, now)
        return table

    async def _save(self, before: Table, after: Table, entry: Entry | None) -> None:
        waiting = after.waiting
        dropped = [
            seat
            for seat in range(len(after.seats))
            if after.turn != before.turn or any(line.seat == seat for line in after.played)
        ]
        await self.store.save_table(
            to_row(after),
            [(seat.player, number in waiting) for number, seat in enumerate(after.seats)],
            after.played,
            dropped,
            results_of(after, self.now()) if before.state != "over" else (),
            reminders=reminders_of(before, after, self.now()),
            entry=entry,
        )

    async def _tell(self, table: Table) -> None:
        for listener in self.listeners:
            await listener(table)

    def _check(self, table: Table) -> None:
        table.kind.complete(table.most, table.options)
        if not SHORTEST <= table.pace.period <= LONGEST:
            raise Refused("The time for each question lies between 15 minutes and 7 days.")


def _again(old: Table, user: int, name: str) -> Table:
    """The open table at which that one is played again, with the user as its host and the same robots."""
    users = [seat.user for seat in old.seats if seat.user is not None]
    robots = [Seat(None, seat.name) for seat in old.seats if seat.user is None and seat.name in ROBOT_NAMES]
    return Table(
        id=0,
        game=old.game,
        guild=old.guild,
        channel=old.channel,
        place=None if old.thread else old.place,
        host=user,
        state="open",
        options={key: value for key, value in old.options.items() if not _chosen_by_seats(old, key)},
        most=len(old.seats),
        least=old.least,
        pace=old.pace,
        thread=old.thread,
        seats=(Seat(user, name), *robots),
        rules=old.kind.version,
        order=tuple(users[1:] + users[:1]),
    )


def _chosen_by_seats(table: Table, option: str) -> bool:
    return table.kind.seat_choice is not None and table.kind.seat_choice.option == option


def _must_be_asked(table: Table, turn: int | None) -> None:
    if turn is not None and table.turn != turn:
        raise Passed
