"""The only SQL: every table, its log, its posts and its people in one SQLite file.

One connection writes, in one transaction at a time; another reads what is committed.  Times are whole seconds since
1970, UTC.  A database of an older release is migrated when it is opened; one of a newer release is refused.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import astuple, dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Self

import aiosqlite


class StoreError(Exception):
    """The database cannot be used; the message is one sentence for the host."""


class Conflict(Exception):
    """Somebody else stored a newer version in between."""


@dataclass(frozen=True)
class TableRow:
    """One table as it is stored; `data`, `setup` and `position` are JSON texts."""

    id: int
    game: str
    guild: int
    channel: int
    place: int | None
    state: str
    version: int
    published: int
    parked: int | None
    due: int | None
    rules: int
    data: str
    setup: str | None
    position: str | None


@dataclass(frozen=True)
class Post:
    """One message of ours that shows a table."""

    id: int
    table_id: int
    audience: str
    moment: str
    channel: int
    message: int
    version: int
    told: int
    digest: str
    live: bool


@dataclass(frozen=True)
class LogLine:
    """One move as it was played; `seat` is None for the bell."""

    seat: int | None
    move: str
    at: int


@dataclass(frozen=True)
class Reminder:
    """What the player of a seat is told at a certain time, unless the seat has answered by then."""

    seat: int
    kind: str
    due: int


@dataclass(frozen=True)
class Reminders:
    """What the players of one table are to be told about the question of that turn.

    The seats in `same` are still busy with the question they were told of, those in `taken` have new players.
    """

    turn: int
    planned: tuple[Reminder, ...]
    same: tuple[int, ...]
    taken: tuple[int, ...]


@dataclass(frozen=True)
class DueReminder:
    """A reminder whose time has come.  `shown` is whether Discord shows the question already."""

    table_id: int
    seat: int
    turn: int
    kind: str
    user: int
    mentioned: bool
    written: bool
    shown: bool


@dataclass(frozen=True)
class Entry:
    """What a host or moderator did to a table."""

    at: int
    user: int
    what: str


@dataclass(frozen=True)
class Board:
    """The standing post of a server about all its tables; `message` is None until it is posted."""

    server: int
    channel: int
    message: int | None
    digest: str


@dataclass(frozen=True)
class Result:
    """How a game that was dealt has ended for one seat."""

    table_id: int
    seat: int
    user: int | None
    """None for a robot, and for a player whose traces were deleted."""
    server: int
    game: str
    ended: int
    ending: str
    won: bool
    shared: bool
    """Whether others have won as well."""
    score: int
    place: int | None
    """From 1; None where the game ended without a result and where nobody competes."""
    seats: int
    answers: int
    punctual: int
    """How many questions the user has answered, and how many of them in time."""
    honours: tuple[str, ...]


_TABLE = "id, game, guild, channel, place, state, version, published, parked, due, rules, data, setup, position"
_POST = "id, table_id, audience, moment, channel, message, version, told, digest, live"
_RESULT = ", ".join(Result.__dataclass_fields__)


def migrations() -> list[tuple[int, str]]:
    """The numbered scripts, ascending."""
    folder = resources.files("bot") / "migrations"
    scripts = sorted((entry.name, entry.read_text()) for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name.split("_")[0]), script) for name, script in scripts]


class Store:
    """The open database.  `await Store.open(path)`, and `await store.close()` at the end."""

    def __init__(self, writer: aiosqlite.Connection, reader: aiosqlite.Connection, lock: Any) -> None:
        self._writer = writer
        self._reader = reader
        self._file_lock = lock
        self._writing = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Opens or makes the database at `path` and holds it; StoreError when another process has it."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = open(path.with_name(path.name + ".lock"), "w")  # noqa: SIM115, ASYNC230 - held until close
        except OSError as error:
            raise StoreError(f"No database can be kept at {path}: {error.strerror}.") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise StoreError(f"Another bot already runs on {path}; stop it first.") from None
        async with _opening(path) as opened:
            opened.callback(lock.close)
            writer = await _connect(path, opened)
            async with writer.execute("pragma journal_mode = wal"):
                pass  # its cursor is closed, or no commit would succeed
            await _migrate(writer, path)
            store = cls(writer, await _connect(path, opened), lock)
            opened.pop_all()
        return store

    @classmethod
    async def read(cls, path: Path) -> Self:
        """Opens the database only to look at it, while a bot may run on it; StoreError when that is impossible."""
        _must_exist(path)
        async with _opening(path) as opened:
            reader = await _connect(path, opened)
            await reader.execute("pragma query_only = on")
            if (version := await _schema(reader)) != migrations()[-1][0]:
                raise StoreError(f"{path} has schema {version}; start the bot of this release once on it.")
            snapshot = await _connect(path, opened)
            await snapshot.execute("begin")  # all that is read is of one moment
            store = cls(reader, snapshot, None)
            opened.pop_all()
        return store

    async def close(self) -> None:
        """Waits for the transaction under way and lets go of the file."""
        async with self._writing:
            await self._reader.close()
            await self._writer.close()
        if self._file_lock is not None:
            self._file_lock.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """All or nothing: committed when the block ends, rolled back when it raises."""
        async with self._writing:
            try:
                await self._writer.execute("begin immediate")
                yield self._writer
            except BaseException:
                await self._writer.rollback()
                raise
            await self._writer.commit()

    async def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        async with self._reader.execute(sql, values) as cursor:
            return list(await cursor.fetchall())

    async def _write(self, sql: str, values: Sequence[Any] = ()) -> None:
        async with self.transaction() as connection:
            await connection.execute(sql, values)

    # Tables

    async def table(self, table_id: int) -> TableRow | None:
        rows = await self._all(f"select {_TABLE} from tables where id = ?", (table_id,))
        return TableRow(*rows[0]) if rows else None

    async def tables_in(self, channel: int) -> list[TableRow]:
        """The tables opened or played in that channel or thread, newest first."""
        sql = f"select {_TABLE} from tables where channel = ?1 or place = ?1 order by id desc"
        return [TableRow(*row) for row in await self._all(sql, (channel,))]

    async def tables_of(self, user: int) -> list[tuple[TableRow, bool]]:
        """The unfinished tables with a seat of that user and whether they wait for it, those first."""
        sql = f"""select {_TABLE}, seats.waiting from tables join seats on seats.table_id = tables.id
                  where seats.user = ? and state != 'over' order by seats.waiting desc, due, id"""
        return [(TableRow(*row[:-1]), bool(row[-1])) for row in await self._all(sql, (user,))]

    async def all_tables(self) -> AsyncIterator[TableRow]:
        for (table_id,) in await self._all("select id from tables order by id"):
            if row := await self.table(table_id):
                yield row

    async def unpublished(self) -> list[int]:
        """The tables whose newest version Discord does not show yet."""
        return [row[0] for row in await self._all("select id from tables where published < version order by id")]

    async def running(self) -> list[int]:
        return [row[0] for row in await self._all("select id from tables where state = 'running' order by id")]

    async def due_tables(self, now: int, most: int) -> list[int]:
        """At most that many tables whose time has come, the latest first."""
        sql = "select id from tables where due <= ? and parked is null order by due, id limit ?"
        return [row[0] for row in await self._all(sql, (now, most))]

    async def put_off(self, table_id: int, due: int) -> None:
        """Has the clock look at the table then, whatever it was to do."""
        await self._write("update tables set due = ? where id = ?", (due, table_id))

    async def next_due(self) -> int | None:
        return (await self._all("select min(due) from tables where parked is null"))[0][0]

    async def add_table(self, row: TableRow, seats: Iterable[tuple[int | None, bool]], again: int | None = None) -> int:
        """Stores a new table (its `id` is not used), the rematch of table `again` if given, and returns its id."""
        async with self.transaction() as connection:
            cursor = await connection.execute(
                """insert into tables (game, guild, channel, place, state, version, due, rules, data)
                   values (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (row.game, row.guild, row.channel, row.place, row.state, row.version, row.due, row.rules, row.data),
            )
            assert cursor.lastrowid is not None
            await self._set_seats(connection, cursor.lastrowid, seats)
            await connection.execute("update tables set rematch = ? where id = ?", (cursor.lastrowid, again))
            return cursor.lastrowid

    async def rematch_of(self, table_id: int) -> int | None:
        """The newest table that was opened to play that one again."""
        rows = await self._all("select rematch from tables where id = ?", (table_id,))
        return rows[0][0] if rows else None

    async def save_table(
        self,
        row: TableRow,
        seats: Iterable[tuple[int | None, bool]],
        played: Sequence[LogLine],
        drop_drafts: Sequence[int],
        results: Sequence[Result] = (),
        *,
        reminders: Reminders | None = None,
        entry: Entry | None = None,
    ) -> None:
        """One transaction: the table, its seats, the new lines of its log, its results, and these seats' drafts away.

        `row.version` must be one more than what is stored, else Conflict and nothing changes.
        """
        async with self.transaction() as connection:
            cursor = await connection.execute(
                """update tables set state = ?, version = ?, due = ?, rules = ?, data = ?, setup = ?, position = ?
                   where id = ? and version = ?""",
                (
                    *(row.state, row.version, row.due, row.rules, row.data, row.setup, row.position),
                    *(row.id, row.version - 1),
                ),
            )
            if cursor.rowcount != 1:
                raise Conflict
            await self._set_seats(connection, row.id, seats)
            await connection.executemany(
                """insert into log (table_id, number, seat, move, at)
                   values (?1, (select coalesce(max(number), 0) + 1 from log where table_id = ?1), ?2, ?3, ?4)""",
                [(row.id, line.seat, line.move, line.at) for line in played],
            )
            await connection.executemany(
                "delete from drafts where table_id = ? and seat = ?", [(row.id, seat) for seat in drop_drafts]
            )
            await connection.executemany(
                f"insert into results ({_RESULT}) values ({', '.join('?' * len(Result.__dataclass_fields__))})",
                [(*astuple(result)[:-1], json.dumps(result.honours)) for result in results],
            )
            if reminders is not None:
                await self._set_reminders(connection, row.id, reminders)
            if entry is not None:
                await connection.execute(
                    "insert into journal (table_id, at, user, what) values (?, ?, ?, ?)", (row.id, *astuple(entry))
                )

    async def _set_seats(
        self, connection: aiosqlite.Connection, table_id: int, seats: Iterable[tuple[int | None, bool]]
    ) -> None:
        await connection.execute("delete from seats where table_id = ?", (table_id,))
        await connection.executemany(
            "insert into seats (table_id, seat, user, waiting) values (?, ?, ?, ?)",
            [(table_id, seat, user, int(waiting)) for seat, (user, waiting) in enumerate(seats)],
        )

    async def _set_reminders(self, connection: aiosqlite.Connection, table_id: int, reminders: Reminders) -> None:
        """What was sent for this question stays noted; what is not sent yet is planned anew."""
        await connection.executemany(
            "update or ignore reminders set turn = ? where table_id = ? and seat = ?",
            [(reminders.turn, table_id, seat) for seat in reminders.same],
        )
        await connection.execute(
            """delete from reminders
               where table_id = ? and (turn != ? or (sent is null and not mentioned and not written))""",
            (table_id, reminders.turn),
        )
        await connection.executemany(
            "delete from reminders where table_id = ? and seat = ?", [(table_id, seat) for seat in reminders.taken]
        )
        await connection.executemany(
            """insert into reminders (table_id, seat, turn, kind, due) values (?, ?, ?, ?, ?)
               on conflict do update set due = excluded.due where sent is null""",
            [(table_id, each.seat, reminders.turn, each.kind, each.due) for each in reminders.planned],
        )

    async def log(self, table_id: int) -> list[LogLine]:
        rows = await self._all("select seat, move, at from log where table_id = ? order by number", (table_id,))
        return [LogLine(*row) for row in rows]

    # Results

    async def results(self, server: int | None = None, user: int | None = None) -> list[Result]:
        """What has ended in that server, for that user, or both; oldest first."""
        sql = f"""select {_RESULT} from results where (?1 is null or server = ?1) and (?2 is null or user = ?2)
                  order by ended, table_id, seat"""
        return [_result(row) for row in await self._all(sql, (server, user))]

    # Publishing

    async def set_published(self, table_id: int, version: int) -> None:
        await self._write(
            "update tables set published = max(published, ?), parked = null where id = ?", (version, table_id)
        )

    async def park(self, table_id: int, now: int) -> None:
        """Notes that Discord cannot show the table since `now`; its clock stands still until it is published."""
        await self._write("update tables set parked = ? where id = ?", (now, table_id))

    async def park_server(self, guild: int, now: int) -> None:
        """Parks every unfinished table of that server."""
        sql = "update tables set parked = ? where guild = ? and state != 'over' and parked is null"
        await self._write(sql, (now, guild))

    async def parked_in(self, guild: int) -> list[int]:
        return [row[0] for row in await self._all("select id from tables where guild = ? and parked > 0", (guild,))]

    async def move(self, table_id: int, channel: int) -> None:
        """The table is played in that channel from now on."""
        sql = "update tables set channel = ?1, place = iif(place is null, null, ?1) where id = ?2"
        await self._write(sql, (channel, table_id))

    async def set_place(self, table_id: int, place: int) -> None:
        await self._write("update tables set place = ? where id = ?", (place, table_id))

    async def posts(self, table_id: int) -> list[Post]:
        """The table's posts, oldest first."""
        rows = await self._all(f"select {_POST} from posts where table_id = ? order by id", (table_id,))
        return [Post(*row[:-1], live=bool(row[-1])) for row in rows]

    async def add_post(self, post: Post) -> None:
        """Stores a new post (its `id` is not used)."""
        await self._write(
            f"insert into posts ({_POST}) values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(post.table_id, post.audience, post.moment, post.channel, post.message),
                *(post.version, post.told, post.digest, int(post.live)),
            ),
        )

    async def update_post(self, post_id: int, *, version: int, told: int, digest: str) -> None:
        await self._write(
            "update posts set version = ?, told = ?, digest = ? where id = ?",
            (version, told, digest, post_id),
        )

    async def forget_looks(self, table_id: int) -> None:
        """Notes that the table may not be shown: its newest public posts are edited or posted anew."""
        async with self.transaction() as connection:
            await connection.execute(
                """update posts set digest = '' where id in (select max(id) from posts
                   where table_id = ? and audience in ('lobby', 'public') group by audience)""",
                (table_id,),
            )
            await connection.execute(
                "update tables set published = min(published, version - 1) where id = ?", (table_id,)
            )

    async def retire_post(self, post_id: int) -> None:
        """Notes that the post has no controls any more."""
        await self._write("update posts set live = 0 where id = ?", (post_id,))

    # Drafts

    async def draft(self, table_id: int, seat: int, turn: int) -> str:
        """What that seat has picked so far for that turn; empty when nothing."""
        sql = "select draft from drafts where table_id = ? and seat = ? and turn = ?"
        rows = await self._all(sql, (table_id, seat, turn))
        return rows[0][0] if rows else ""

    async def keep_draft(self, table_id: int, seat: int, turn: int, draft: str) -> None:
        await self._write(
            "insert or replace into drafts (table_id, seat, turn, draft) values (?, ?, ?, ?)",
            (table_id, seat, turn, draft),
        )

    async def remarks(self, table_id: int) -> dict[tuple[int, int], str]:
        """What players remarked on their answers, by turn and seat."""
        rows = await self._all("select turn, seat, remark from remarks where table_id = ?", (table_id,))
        return {(turn, seat): remark for turn, seat, remark in rows}

    async def keep_remark(self, table_id: int, turn: int, seat: int, remark: str) -> None:
        await self._write(
            "insert or replace into remarks (table_id, turn, seat, remark) values (?, ?, ?, ?)",
            (table_id, turn, seat, remark),
        )

    # People

    async def dm(self, user: int) -> tuple[int | None, bool]:
        """The user's channel of direct messages, if it was ever opened, and whether the last one was refused."""
        rows = await self._all("select dm, refused from people where user = ?", (user,))
        return (rows[0][0], bool(rows[0][1])) if rows else (None, False)

    async def set_dm(self, user: int, channel: int | None, refused: bool) -> None:
        await self._write(
            """insert into people (user, dm, refused) values (?1, ?2, ?3)
               on conflict (user) do update set dm = ?2, refused = ?3""",
            (user, channel, int(refused)),
        )

    async def add_absence(self, user: int, began: int, until: int) -> None:
        """Notes that the user is away; an absence that lasts already ends when this one begins."""
        async with self.transaction() as connection:
            await connection.execute("update absences set ended = ? where user = ? and ended > ?", (began, user, began))
            await connection.execute("insert or replace into absences values (?, ?, ?)", (user, began, until))

    async def end_absences(self, user: int, now: int) -> None:
        await self._write("update absences set ended = ?1 where user = ?2 and ended > ?1", (now, user))

    async def away_until(self, user: int, now: int) -> int | None:
        """When the user's absence ends, if the user is away."""
        sql = "select max(ended) from absences where user = ? and ended > ?"
        return (await self._all(sql, (user, now)))[0][0]

    async def days_away(self, user: int, since: int, now: int) -> int:
        """How many days the user was away since then, begun days counted whole."""
        sql = """select coalesce(sum((min(ended, ?1) - max(began, ?2) + 86399) / 86400), 0)
                 from absences where user = ?3 and ended > ?2 and began < ?1"""
        return (await self._all(sql, (now, since, user)))[0][0]

    async def wishes(self, user: int) -> str | None:
        """How the user wants to be told, as JSON."""
        rows = await self._all("select wishes from people where user = ?", (user,))
        return rows[0][0] if rows else None

    async def set_wishes(self, user: int, wishes: str) -> None:
        await self._write(
            "insert into people (user, wishes) values (?1, ?2) on conflict (user) do update set wishes = ?2",
            (user, wishes),
        )

    # Reminders

    async def due_reminders(self, now: int) -> list[DueReminder]:
        """The reminders whose time has come, by user; none of tables whose clock stands."""
        sql = """select reminders.table_id, seat, turn, kind, user, mentioned, written, published >= version
                 from reminders join seats using (table_id, seat) join tables on tables.id = table_id
                 where sent is null and reminders.due <= ? and user is not null and parked is null
                 order by user, reminders.due, table_id"""
        return [DueReminder(*row[:5], *map(bool, row[5:])) for row in await self._all(sql, (now,))]

    async def next_reminder(self) -> int | None:
        sql = """select min(reminders.due) from reminders join tables on tables.id = table_id
                 where sent is null and parked is null"""
        return (await self._all(sql))[0][0]

    async def set_reminders_sent(self, reminders: Sequence[DueReminder], now: int | None) -> None:
        """Notes that these were sent, or with None that they were not after all."""
        await self._set_of_reminders("sent", reminders, now)

    async def put_off_reminders(self, reminders: Sequence[DueReminder], until: int) -> None:
        await self._set_of_reminders("due", reminders, until)

    async def _set_of_reminders(self, column: str, reminders: Sequence[DueReminder], value: int | None) -> None:
        if not reminders:
            return
        async with self.transaction() as connection:
            await connection.executemany(
                f"update reminders set {column} = ? where table_id = ? and seat = ? and turn = ? and kind = ?",
                [(value, each.table_id, each.seat, each.turn, each.kind) for each in reminders],
            )

    async def told_of_turn(self, table_id: int, turn: int) -> set[int]:
        """The seats whose players know already that they are asked this question."""
        sql = """select seat from reminders
                 where table_id = ? and turn = ? and kind = 'turn' and (sent is not null or mentioned)"""
        return {row[0] for row in await self._all(sql, (table_id, turn))}

    async def set_mentioned(self, table_id: int, turn: int, seats: Iterable[int]) -> None:
        """Notes that the public post has notified the players of these seats."""
        async with self.transaction() as connection:
            await connection.executemany(
                "update reminders set mentioned = 1 where table_id = ? and turn = ? and seat = ? and kind = 'turn'",
                [(table_id, turn, seat) for seat in seats],
            )

    async def set_written(self, table_id: int, turn: int, seat: int) -> None:
        """Notes that the planner in direct messages has notified the player of that seat."""
        await self._write(
            "update reminders set written = 1 where table_id = ? and turn = ? and seat = ? and kind = 'turn'",
            (table_id, turn, seat),
        )

    async def add_notice(self, channel: int, message: int, seats: Iterable[tuple[int, int, int]]) -> None:
        """Notes a message that reminds these (table, seat, turn)."""
        async with self.transaction() as connection:
            await connection.executemany(
                "insert or ignore into notices (channel, message, table_id, seat, turn) values (?, ?, ?, ?, ?)",
                [(channel, message, *seat) for seat in seats],
            )

    async def drop_notices(self, table_id: int, turn: int, owing: Sequence[int]) -> list[tuple[int, int]]:
        """Forgets what reminds of answers that are given; gives the messages (channel, id) that remind of nothing."""
        known = await self._all("select channel, message, seat, turn from notices where table_id = ?", (table_id,))
        stale = [row for row in known if row[3] != turn or row[2] not in owing]
        if not stale:
            return []
        async with self.transaction() as connection:
            await connection.executemany(
                "delete from notices where message = ? and table_id = ? and seat = ?",
                [(message, table_id, seat) for _channel, message, seat, _turn in stale],
            )
        messages = {(channel, message) for channel, message, _seat, _turn in stale}
        sql = "select count(*) from notices where message = ?"
        return [each for each in sorted(messages) if not (await self._all(sql, (each[1],)))[0][0]]

    # Servers

    async def boards(self) -> list[Board]:
        """The standing posts of all servers."""
        return [Board(*row) for row in await self._all("select server, channel, message, digest from boards")]

    async def set_board(self, board: Board) -> None:
        await self._write(
            "insert or replace into boards (server, channel, message, digest) values (?, ?, ?, ?)", astuple(board)
        )

    async def drop_board(self, server: int) -> None:
        await self._write("delete from boards where server = ?", (server,))

    async def journal(self, table_id: int) -> list[Entry]:
        """What hosts and moderators did to that table, oldest first."""
        rows = await self._all("select at, user, what from journal where table_id = ? order by id", (table_id,))
        return [Entry(*row) for row in rows]

    async def settings(self, server: int) -> str | None:
        """What the server has settled, as JSON."""
        rows = await self._all("select settings from servers where id = ?", (server,))
        return rows[0][0] if rows else None

    async def set_settings(self, server: int, settings: str) -> None:
        await self._write("insert or replace into servers (id, settings) values (?, ?)", (server, settings))

    async def unfinished(self, server: int) -> list[TableRow]:
        """The open and running tables of that server, oldest first."""
        sql = f"select {_TABLE} from tables where guild = ? and state != 'over' order by id"
        return [TableRow(*row) for row in await self._all(sql, (server,))]

    # Privacy

    async def tables_about(self, user: int) -> list[int]:
        """The tables that know the user: by a seat that is taken, given up or offered, or as their host."""
        sql = "select id from tables where exists (select 1 from json_tree(data) where value = ?) order by id"
        return [row[0] for row in await self._all(sql, (user,))]

    async def rows_about(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """All rows that name the user, by the name of their table."""
        return {
            name: await self._named(f"select * from {name} where user = ?", (user,))
            for name in await self._tables_with("user")
        }

    async def rows_of_seat(self, table_id: int, seat: int) -> dict[str, list[dict[str, Any]]]:
        """All rows that belong to a seat and name nobody, by the name of their table."""
        rows = {
            name: await self._named(f"select * from {name} where table_id = ? and seat = ?", (table_id, seat))
            for name in await self._tables_with("seat")
        }
        posts = "select channel, message from posts where table_id = ? and audience = ?"
        return {**rows, "posts": await self._named(posts, (table_id, f"seat:{seat}"))}

    async def forget(self, user: int, seats: Sequence[tuple[int, int]]) -> None:
        """Drops what names the user or belonged to these seats (table, seat); results and moves stay, nobody's."""
        personal = [name for name in await self._tables_with("user") if name not in ("seats", "results")]
        of_seats = [name for name in await self._tables_with("seat") if name != "log"]
        async with self.transaction() as connection:
            await connection.execute("update results set user = null where user = ?", (user,))
            for name in of_seats:
                await connection.executemany(f"delete from {name} where table_id = ? and seat = ?", seats)
            for name in ("posts", "notices"):
                sql = f"delete from {name} where channel = (select dm from people where user = ?)"
                await connection.execute(sql, (user,))
            for name in personal:
                await connection.execute(f"delete from {name} where user = ?", (user,))

    async def _tables_with(self, column: str) -> list[str]:
        """The tables of the database that have a column `user`, or a column `seat` but no `user`."""
        sql = """select name, group_concat(column) from (
                     select entry.name as name, part.name as column from sqlite_schema as entry
                     join pragma_table_info(entry.name) as part where entry.type = 'table')
                 group by name order by name"""
        columns = {name: set(joined.split(",")) for name, joined in await self._all(sql)}
        return [
            name for name, found in columns.items() if column in found and (column == "user" or "user" not in found)
        ]

    async def _named(self, sql: str, values: Sequence[Any]) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        async with self._reader.execute(sql, values) as cursor:
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in await cursor.fetchall()]

    # Small things

    async def note(self, key: str) -> str | None:
        rows = await self._all("select value from meta where key = ?", (key,))
        return rows[0][0] if rows else None

    async def set_note(self, key: str, value: str) -> None:
        await self._write("insert or replace into meta (key, value) values (?, ?)", (key, value))

    async def verify(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty when nothing."""
        findings = [row[0] for row in await self._all("pragma integrity_check")]
        return [finding for finding in findings if finding != "ok"]


def _must_exist(path: Path) -> None:
    if not path.exists():
        raise StoreError(f"There is no database at {path}.")


def _result(row: Sequence[Any]) -> Result:
    values: list[Any] = [*row[:7], *map(bool, row[7:9]), *row[9:-1], tuple(json.loads(row[-1]))]
    return Result(*values)


@asynccontextmanager
async def _opening(path: Path) -> AsyncIterator[AsyncExitStack]:
    """What was opened is closed again unless all of it can be: a connection left open would keep the process alive."""
    try:
        async with AsyncExitStack() as opened:
            yield opened
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} cannot be read as a database: {error}.") from error


async def _connect(path: Path, opened: AsyncExitStack) -> aiosqlite.Connection:
    with closing(sqlite3.connect(path)):
        pass  # what cannot be opened fails here: a thread of aiosqlite would report it after the loop has closed
    connection = await aiosqlite.connect(path, isolation_level=None)
    opened.push_async_callback(connection.close)
    await connection.execute("pragma foreign_keys = on")
    await connection.execute("pragma busy_timeout = 10000")
    await connection.execute("pragma synchronous = full")
    return connection


async def _schema(connection: aiosqlite.Connection) -> int:
    """The number of the newest migration that was applied."""
    async with connection.execute("pragma user_version") as cursor:
        return await anext(number async for (number,) in cursor)


async def _migrate(connection: aiosqlite.Connection, path: Path) -> None:
    version = await _schema(connection)
    scripts = migrations()
    newest = scripts[-1][0]
    if version > newest:
        raise StoreError(
            f"{path} was made by a newer release (schema {version}, this one knows {newest}); install that release."
        )
    for number, script in scripts:
        if number > version:
            await connection.executescript(f"begin immediate;\n{script}\npragma user_version = {number};\ncommit;")


def read_only(path: Path) -> sqlite3.Connection:
    """The database at `path`, whatever stands in its name, for reading alone."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def backup(source: Path, target: Path) -> None:
    """A whole copy of the database at `source`, safe while the bot runs; StoreError when it cannot be made."""
    _must_exist(source)
    if target.exists():
        raise StoreError(f"{target} exists already; name a new file.")
    try:
        with closing(read_only(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise StoreError(f"The backup failed: {error}.") from error
