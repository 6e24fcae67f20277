"""People: their direct messages, absences and wishes, and all that is stored about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.store.database import Database, run_for_each


class PeopleRows(Database):
    """What is kept about people beside their seats."""

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
                await run_for_each(connection, f"delete from {name} where table_id = ? and seat = ?", seats)
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
        async with self._query(sql, values) as cursor:
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in await cursor.fetchall()]
