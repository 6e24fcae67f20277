"""Tables with their seats, logs, drafts and results."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import astuple
from typing import Any

import aiosqlite

from bot.store.database import Conflict, Database, run_for_each
from bot.store.rows import Entry, LogLine, Reminders, Result, TableRow

_TABLE = "id, game, guild, channel, place, state, version, published, parked, due, rules, data, setup, position"
_RESULT = ", ".join(Result.__dataclass_fields__)


class TableRows(Database):
    """What the door keeps."""

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

    async def unfinished(self, server: int) -> list[TableRow]:
        """The open and running tables of that server, oldest first."""
        sql = f"select {_TABLE} from tables where guild = ? and state != 'over' order by id"
        return [TableRow(*row) for row in await self._all(sql, (server,))]

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
            await run_for_each(
                connection,
                """insert into log (table_id, number, seat, move, at)
                   values (?1, (select coalesce(max(number), 0) + 1 from log where table_id = ?1), ?2, ?3, ?4)""",
                [(row.id, line.seat, line.move, line.at) for line in played],
            )
            await run_for_each(
                connection,
                "delete from drafts where table_id = ? and seat = ?",
                [(row.id, seat) for seat in drop_drafts],
            )
            await run_for_each(
                connection,
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
        await run_for_each(
            connection,
            "insert into seats (table_id, seat, user, waiting) values (?, ?, ?, ?)",
            [(table_id, seat, user, int(waiting)) for seat, (user, waiting) in enumerate(seats)],
        )

    async def _set_reminders(self, connection: aiosqlite.Connection, table_id: int, reminders: Reminders) -> None:
        """What was sent for this question stays noted; what is not sent yet is planned anew."""
        await run_for_each(
            connection,
            "update or ignore reminders set turn = ? where table_id = ? and seat = ?",
            [(reminders.turn, table_id, seat) for seat in reminders.same],
        )
        await connection.execute(
            """delete from reminders
               where table_id = ? and (turn != ? or (sent is null and not mentioned and not written))""",
            (table_id, reminders.turn),
        )
        await run_for_each(
            connection,
            "delete from reminders where table_id = ? and seat = ?",
            [(table_id, seat) for seat in reminders.taken],
        )
        await run_for_each(
            connection,
            """insert into reminders (table_id, seat, turn, kind, due) values (?, ?, ?, ?, ?)
               on conflict do update set due = excluded.due where sent is null""",
            [(table_id, each.seat, reminders.turn, each.kind, each.due) for each in reminders.planned],
        )

    async def log(self, table_id: int) -> list[LogLine]:
        rows = await self._all("select seat, move, at from log where table_id = ? order by number", (table_id,))
        return [LogLine(*row) for row in rows]

    async def journal(self, table_id: int) -> list[Entry]:
        """What hosts and moderators did to that table, oldest first."""
        rows = await self._all("select at, user, what from journal where table_id = ? order by id", (table_id,))
        return [Entry(*row) for row in rows]

    async def results(self, server: int | None = None, user: int | None = None) -> list[Result]:
        """What has ended in that server, for that user, or both; oldest first."""
        sql = f"""select {_RESULT} from results where (?1 is null or server = ?1) and (?2 is null or user = ?2)
                  order by ended, table_id, seat"""
        return [_result(row) for row in await self._all(sql, (server, user))]

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


def _result(row: Sequence[Any]) -> Result:
    values: list[Any] = [*row[:7], *map(bool, row[7:9]), *row[9:-1], tuple(json.loads(row[-1]))]
    return Result(*values)
