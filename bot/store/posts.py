"""Where tables are shown in Discord, and how far."""

from __future__ import annotations

from bot.store.database import Database
from bot.store.rows import Post

_POST = "id, table_id, audience, moment, channel, message, version, told, digest, live"


class PostRows(Database):
    """What the publisher keeps."""

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
