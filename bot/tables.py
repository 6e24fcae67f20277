"""The door: every change of a table goes through here and is stored whole before anybody hears of it.

A change is a pure function from a table to a table.  `Tables` takes the table's lock, loads it, applies the change,
stores the result in one transaction and tells those who listen.  There is no other writer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random, SystemRandom
from typing import Any, Literal
from weakref import WeakValueDictionary

from bot import deadlines, snapshot
from bot.robots import choose
from bot.rules import games
from bot.rules.base import Game, Refused, View
from bot.store import LogLine, Store, TableRow

State = Literal["open", "running", "over"]
Ending = Literal["played", "abandoned"]

ROBOT_NAMES = ("Ada", "Bolt", "Cog", "Dot", "Echo", "Flint", "Gizmo", "Hex", "Iris")


class Passed(Refused):
    """An answer to a question that is not the one being asked any more."""

    def __init__(self) -> None:
        super().__init__("That moment has passed.")


@dataclass(frozen=True)
class Seat:
    """Who sits there: a user, or a robot (`user` None); `steward`: a robot plays until the user acts again."""

    user: int | None
    name: str
    steward: bool = False
    choice: str | None = None
    """What the player picked while joining, where the game has a `seat_choice`."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """One running game in a channel.  `setup` and `position` are None while the table is open."""

    id: int
    game: str
    guild: int
    channel: int
    place: int | None
    host: int
    state: State
    options: Mapping[str, Any]
    most: int
    """The number of seats; the table starts by itself when all are taken."""
    least: int
    """The number of players from which the host may start."""
    period: int
    """The time for each question, in seconds."""
    thread: bool
    """Whether the game is played in a thread of its own."""
    seats: tuple[Seat, ...]
    version: int = 0
    due: int | None = None
    late: bool = False
    """Whether the time for this question has run out once already."""
    ending: Ending | None = None
    setup: Mapping[str, Any] | None = None
    position: Game | None = None
    rules: int
    played: tuple[LogLine, ...] = ()
    """The moves that are not in the log yet."""
    taken_back: int = 0
    """How many lines must leave the log."""

    @property
    def kind(self) -> type[Game]:
        return games()[self.game]

    @property
    def turn(self) -> int:
        """The number of the question now being asked; -1 while the table is open."""
        return self.position.turn if self.position else -1

    @property
    def waiting(self) -> tuple[int, ...]:
        return self.position.waiting() if self.position and self.state == "running" else ()

    def seat_of(self, user: int) -> int:
        """The seat of that user, or Refused."""
        for number, seat in enumerate(self.seats):
            if seat.user == user:
                return number
        raise Refused("You have no seat at this table.")

    def seated(self, user: int) -> bool:
        return any(seat.user == user for seat in self.seats)

    def robot_plays(self, seat: int) -> bool:
        return self.seats[seat].user is None or self.seats[seat].steward

    def running(self) -> Game:
        """The position of a running game, or Refused."""
        if self.state == "open":
            raise Refused("The game has not started yet.")
        if self.state == "over" or self.position is None:
            raise Refused("The game is over.")
        return self.position

    def view(self, seat: int | None) -> View:
        """What that seat may know of a game that has been dealt."""
        assert self.position is not None
        return self.position.view(seat)

    # Changes: each gives the new table or raises Refused

    def join(self, user: int, name: str) -> Table:
        self._must_be_open()
        if self.seated(user):
            raise Refused("You have a seat already.")
        return self._with_seat(Seat(user, name))

    def add_robot(self, user: int) -> Table:
        self._must_be_open()
        self._must_be_host(user)
        taken = {seat.name for seat in self.seats}
        name = next(name for name in ROBOT_NAMES if name not in taken)
        return self._with_seat(Seat(None, name))

    def leave(self, user: int) -> Table:
        """Gives up a seat of an open table; the host's leaving passes the table on, or closes an empty one."""
        self._must_be_open()
        number = self.seat_of(user)
        seats = self.seats[:number] + self.seats[number + 1 :]
        users = [seat.user for seat in seats if seat.user is not None]
        if not users:
            return replace(self, seats=seats, state="over", ending="abandoned")
        return replace(self, seats=seats, host=self.host if self.host in users else users[0])

    def pick(self, user: int, choice: str) -> Table:
        """Notes that the user wants this value of the game's `seat_choice`."""
        self._must_be_open()
        number = self.seat_of(user)
        if self.kind.seat_choice is None or choice not in self.kind.seat_choice.labels:
            raise Refused("There is no such choice in this game.")
        if any(seat.choice == choice for seat in self.seats if seat.user != user):
            raise Refused("Somebody else has picked that already.")
        seats = list(self.seats)
        seats[number] = replace(seats[number], choice=choice)
        return replace(self, seats=tuple(seats))

    def start(self, user: int, rng: Random, now: int) -> Table:
        self._must_be_open()
        self._must_be_host(user)
        if len(self.seats) < self.least:
            raise Refused("At least {least} players are needed.", least=self.least)
        return self._dealt(rng, now)

    def filled(self, rng: Random, now: int) -> Table:
        """The same table, or the started game when all seats are taken."""
        return self._dealt(rng, now) if self.state == "open" and len(self.seats) == self.most else self

    def play(self, seat: int, moves: Sequence[str], now: int) -> Table:
        """Makes these moves one after the other, all or none."""
        position = self.running()
        for move in moves:
            position = position.play(seat, move)
        lines = tuple(LogLine(seat, move, now) for move in moves)
        return self._moved(position, now, lines)

    def undo(self, seat: int, now: int) -> Table:
        """Takes that seat's last move back, as far as the rules let it."""
        return replace(self._moved(self.running().undo(seat), now, ()), taken_back=1)

    def ring(self, now: int) -> Table:
        """The time for the question is up.

        Where the rules do not settle it, those who are late are named and given the same time again; after that a
        robot plays their seats until they act themselves.
        """
        position = self.running()
        rung = position.bell()
        if rung != position:
            return self._moved(rung, now, (LogLine(None, "bell", now),))
        if not self.late:
            return replace(self, late=True, due=deadlines.due(now, self.period, self.id))
        late = set(self.waiting)
        seats = tuple(
            replace(seat, steward=seat.steward or (number in late and seat.user is not None))
            for number, seat in enumerate(self.seats)
        )
        return replace(self, seats=seats, due=deadlines.due(now, self.period, self.id))

    def taken_over(self, seat: int) -> Table:
        """The same table with that seat played by its user again."""
        if not self.seats[seat].steward:
            return self
        seats = list(self.seats)
        seats[seat] = replace(seats[seat], steward=False)
        return replace(self, seats=tuple(seats))

    def robots_played(self, rng: Random, now: int) -> Table:
        """The first robot that the table waits for has answered the question."""
        seat = next((seat for seat in self.waiting if self.robot_plays(seat)), None)
        if seat is None:
            return self
        table, turn = self, self.turn
        while table.turn == turn and seat in table.waiting:
            position = table.running()
            move = choose(self.game, position.view(seat), position.moves(seat), rng)
            table = table.play(seat, [move], now)
        return table

    def abandon(self, user: int, allowed: bool) -> Table:
        """Ends the table without a result; for its host, or whoever else is `allowed`."""
        if self.state == "over":
            raise Refused("The game is over.")
        if not allowed:
            self._must_be_host(user)
        return replace(self, state="over", ending="abandoned", due=None)

    def _must_be_open(self) -> None:
        if self.state == "running":
            raise Refused("The game has started already.")
        if self.state == "over":
            raise Refused("The game is over.")

    def _must_be_host(self, user: int) -> None:
        if user != self.host:
            raise Refused("Only the host of the table may do that.")

    def _with_seat(self, seat: Seat) -> Table:
        if len(self.seats) >= self.most:
            raise Refused("All seats are taken.")
        return replace(self, seats=(*self.seats, seat))

    def _dealt(self, rng: Random, now: int) -> Table:
        count = len(self.seats)
        seats = list(self.seats)
        rng.shuffle(seats)
        options = self.kind.complete(count, {**self.options, **self._picked(seats)})
        setup = self.kind.shuffle(count, options, rng)
        return replace(
            self,
            state="running",
            options=options,
            setup=setup,
            position=self.kind.deal(count, options, setup),
            rules=self.kind.version,
            seats=tuple(seats),
            due=deadlines.due(now, self.period, self.id),
        )

    def _picked(self, seats: Sequence[Seat]) -> Mapping[str, Any]:
        """The option that the seats picked for themselves; who picked nothing gets the first that is free."""
        choice = self.kind.seat_choice
        if choice is None:
            return {}
        picked = [seat.choice for seat in seats]
        free = iter([value for value in choice.labels if value not in picked])
        return {choice.option: [value or next(free) for value in picked]}

    def _moved(self, position: Game, now: int, lines: tuple[LogLine, ...]) -> Table:
        table = replace(self, position=position, played=(*self.played, *lines))
        if position.outcome() is not None:
            return replace(table, state="over", ending="played", due=None)
        if position.turn != self.turn:
            return replace(table, late=False, due=deadlines.due(now, self.period, self.id))
        return table


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
_UNSTORED = ("played", "taken_back")


@dataclass(frozen=True)
class _Data:
    """The part of a table that has no column of its own."""

    host: int
    options: dict[str, Any]
    most: int
    least: int
    period: int
    thread: bool
    seats: tuple[Seat, ...]
    late: bool
    ending: Ending | None


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
    data = snapshot.load(_Data, json.loads(row.data))
    kind = games()[row.game]
    columns: dict[str, Any] = {name: getattr(row, name) for name in _IN_COLUMNS}
    columns["setup"] = None if row.setup is None else json.loads(row.setup)
    columns["position"] = None if row.position is None else snapshot.load(kind, json.loads(row.position))
    return Table(**columns, **{name: getattr(data, name) for name in _Data.__dataclass_fields__})


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

    async def open(self, table: Table) -> Table:
        """Stores a new open table (its `id` is not used)."""
        self._check(table)
        table_id = await self.store.add_table(to_row(table), [(seat.user, False) for seat in table.seats])
        table = replace(table, id=table_id)
        await self._tell(table)
        return table

    async def join(self, table_id: int, user: int, name: str) -> Table:
        return await self._change(table_id, lambda table: table.join(user, name).filled(self.rng, self.now()))

    async def add_robot(self, table_id: int, user: int) -> Table:
        return await self._change(table_id, lambda table: table.add_robot(user).filled(self.rng, self.now()))

    async def leave(self, table_id: int, user: int) -> Table:
        return await self._change(table_id, lambda table: table.leave(user))

    async def pick(self, table_id: int, user: int, choice: str) -> Table:
        return await self._change(table_id, lambda table: table.pick(user, choice))

    async def start(self, table_id: int, user: int) -> Table:
        return await self._change(table_id, lambda table: table.start(user, self.rng, self.now()))

    async def play(self, table_id: int, user: int, moves: Sequence[str], turn: int | None = None) -> Table:
        """Makes these moves for that user's seat, all or none.

        `turn` is the question they answer; Passed when it is not the one being asked.
        """

        def change(table: Table) -> Table:
            seat = table.seat_of(user)
            _must_be_asked(table, turn)
            return table.taken_over(seat).play(seat, moves, self.now())

        return await self._change(table_id, change)

    async def undo(self, table_id: int, user: int, turn: int) -> Table:
        def change(table: Table) -> Table:
            seat = table.seat_of(user)
            _must_be_asked(table, turn)
            return table.undo(seat, self.now())

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
        return await self._change(table_id, lambda table: table.robots_played(self.rng, self.now()), heavy=True)

    async def abandon(self, table_id: int, user: int, allowed: bool) -> Table:
        return await self._change(table_id, lambda table: table.abandon(user, allowed))

    def _lock(self, table_id: int) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    async def _change(self, table_id: int, change: Change, heavy: bool = False) -> Table:
        """`heavy` changes are computed off the event loop."""
        async with self._lock(table_id):
            before = await self.load(table_id)
            after = await asyncio.to_thread(change, before) if heavy else change(before)
            if after == before:
                return before
            after = replace(after, version=before.version + 1)
            await self._save(before, after)
            after = replace(after, played=(), taken_back=0)
        await self._tell(after)
        return after

    async def _save(self, before: Table, after: Table) -> None:
        waiting = after.waiting
        dropped = [
            seat
            for seat in range(len(after.seats))
            if after.turn != before.turn or any(line.seat == seat for line in after.played) or after.taken_back
        ]
        await self.store.save_table(
            to_row(after),
            [(seat.user, number in waiting) for number, seat in enumerate(after.seats)],
            after.played,
            after.taken_back,
            dropped,
        )

    async def _tell(self, table: Table) -> None:
        for listener in self.listeners:
            await listener(table)

    def _check(self, table: Table) -> None:
        table.kind.complete(table.most, table.options)
        if not deadlines.SHORTEST <= table.period <= deadlines.LONGEST:
            raise Refused("The time for each question lies between 15 minutes and 7 days.")


def _must_be_asked(table: Table, turn: int | None) -> None:
    if turn is not None and table.turn != turn:
        raise Passed
