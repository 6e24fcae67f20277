"""Reminders that are planned, and those that were sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.store.database import Database, run_for_each
from bot.store.rows import DueReminder


class ReminderRows(Database):
    """What the notices keep."""

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
            await run_for_each(
                connection,
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
            await run_for_each(
                connection,
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
            await run_for_each(
                connection,
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
            await run_for_each(
                connection,
                "delete from notices where message = ? and table_id = ? and seat = ?",
                [(message, table_id, seat) for _channel, message, seat, _turn in stale],
            )
        messages = {(channel, message) for channel, message, _seat, _turn in stale}
        sql = "select count(*) from notices where message = ?"
        return [each for each in sorted(messages) if not (await self._all(sql, (each[1],)))[0][0]]
