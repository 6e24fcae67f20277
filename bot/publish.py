"""Makes Discord match the store: a reconciler.

`refresh(table)` reloads what is stored and posts, edits or retires messages until they show it.  Bursts coalesce,
order cannot invert, and whatever was not shown before a crash is shown after it, because every table with
`published < version` is refreshed at the start and by the clock.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import discord

from bot import panels, words
from bot.answers import UNREACHABLE
from bot.courier import UNKNOWN_CHANNEL, may_pass, only
from bot.drawing import drawn
from bot.locales import _, and_list, speaking
from bot.menu import Button, buttons_in_rows
from bot.outbox import Outbox, Urgency
from bot.planner import closed_layout, fingerprint, layout, panel_of, picture_file
from bot.rules.base import View
from bot.store import Post
from bot.table import Table
from bot.workers import Workers

if TYPE_CHECKING:
    from bot.client import Dawdle
    from bot.gamecog import GameCog

log = logging.getLogger(__name__)

UNKNOWN_MESSAGE, NO_ACCESS, NO_PERMISSION, ARCHIVED = 10008, 50001, 50013, 50083
LOST_PLACES = {UNKNOWN_CHANNEL, NO_ACCESS, NO_PERMISSION, ARCHIVED, 10004}
POST_ANEW = {UNKNOWN_MESSAGE, ARCHIVED, 30046}


class Publisher:
    """Shows tables in Discord.  `refresh` asks for it, `settled` waits until it is done."""

    def __init__(self, bot: Dawdle, outbox: Outbox) -> None:
        self._bot = bot
        self._outbox = outbox
        self._workers = Workers("show", self._work)
        self.settled = self._workers.settled
        self._planners: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()

    def refresh(self, table_id: int) -> None:
        """Has the table shown as it is stored; calls while that is under way are merged into one."""
        self._workers.wake(table_id)

    async def bring_back(self, table_id: int, channel: int | None = None) -> None:
        """Has the board or lobby made sure of, even where nothing seems to be missing: its post may be deleted.

        A table that has lost its place goes on in that channel.
        """
        row = await self._bot.store.table(table_id)
        if row is not None and row.parked is not None and channel is not None:
            await self._bot.store.move(table_id, channel)
        await self._bot.store.forget_looks(table_id)
        self.refresh(table_id)

    def planner(self, table_id: int, seat: int) -> asyncio.Lock:
        """Held by whoever edits that seat's planner, from reading what is stored to noting what is shown."""
        return self._planners.setdefault((table_id, seat), asyncio.Lock())

    async def _work(self, table_id: int) -> None:
        try:
            await self._show(table_id)
        except discord.HTTPException as error:
            await self._failed(table_id, error)
        except UNREACHABLE as error:
            log.warning("Table %s is shown later: %s", table_id, type(error).__name__)
        except Exception:
            log.exception("Table %s cannot be shown", table_id)
        else:
            return
        await self._bot.show_later(table_id)

    async def _failed(self, table_id: int, error: discord.HTTPException) -> None:
        """Parks the table where its place is lost; anything else is tried again by the clock."""
        log.warning("Table %s is not shown: Discord said %s (%s)", table_id, error.status, error.code)
        row = await self._bot.store.table(table_id)
        if error.code not in LOST_PLACES or row is None or row.parked is not None:
            return
        table = await self._bot.tables.load(table_id)
        if error.code == UNKNOWN_CHANNEL and table.place not in (None, table.channel):
            await self._bot.store.set_place(table_id, table.channel)  # a deleted thread: the channel may be there
            self.refresh(table_id)
            return
        await self._bot.store.park(table_id, self._bot.now())
        with speaking(await self._bot.language_of(table)):
            await self._bot.courier.tell(
                table.host,
                _(
                    "I cannot post {table} in {channel} any more (it is deleted, closed or not open to me). "
                    "Nothing is lost, and its clock stands still. Once I may post there again, or in any other channel "
                    "of the server, say `/games show table:{number}` there, and it goes on.",
                    table=words.table_name(table),
                    number=table.id,
                    channel=f"<#{table.place or table.channel}>",
                ),
            )

    # One table

    async def _show(self, table_id: int) -> None:
        table = await self._bot.tables.load(table_id)
        with speaking(await self._bot.language_of(table)):
            posts = await self._bot.store.posts(table_id)
            if table.place is None and table.state == "running":
                table = await self._find_place(table, posts)
            await self._show_lobby(table, [post for post in posts if post.audience == "lobby"])
            if table.position is not None:
                await self._show_board(table, [post for post in posts if post.audience == "public"])
                await self._show_planners(table)
                await self._bot.notices.tidy(table)
        row = await self._bot.store.table(table_id)
        if row is not None and row.parked is not None:
            await self._bot.tables.credit(table_id, row.parked, self._bot.now())
        await self._bot.store.set_published(table_id, table.version)
        self._bot.shown(table)

    async def _show_lobby(self, table: Table, posts: list[Post]) -> None:
        post = posts[-1] if posts else None
        if table.state == "open":
            text = words.lobby(table)
            view = panels.classic_view(
                self._bot.game_cog(table.game).choice_rows(table), _lobby_buttons(table), table.id, -1
            )
        else:
            for post in posts:
                text = f"## {table.kind.title}\n" + self._closed_lobby(table)
                await self._closed(post, content=text, view=None)
            return
        shown = panels.digest(text)
        earlier = posts[:-1]
        if post is None or post.digest != shown:
            if post is not None and await self._edited(post, table.channel, content=text, view=view):
                await self._bot.store.update_post(post.id, version=table.version, told=0, digest=shown)
            else:
                await self._send(table, table.channel, "lobby", "lobby", 0, shown, content=text, view=view)
                earlier = posts
        await self._retire(earlier)

    def _closed_lobby(self, table: Table) -> str:
        if table.position is None:
            return _("This table was closed before it started.")
        people = words.post_people(table)
        names = ", ".join(people[seat] for seat in range(len(table.seats)))
        return _("Started with {names}: {place}", names=names, place=f"<#{table.place}>")

    async def _find_place(self, table: Table, posts: list[Post]) -> Table:
        """Makes the table's thread, or settles for the channel where that is impossible."""
        place = table.channel
        channel = self._bot.get_channel(table.channel)
        lobby = next((post for post in reversed(posts) if post.audience == "lobby"), None)
        if table.thread and isinstance(channel, discord.TextChannel) and lobby is not None:
            try:
                await self._outbox.turn(Urgency.BOARD)
                thread = await channel.get_partial_message(lobby.message).create_thread(
                    name=panels.clip(words.table_name(table), 100), auto_archive_duration=10080
                )
                place = thread.id
            except discord.HTTPException as error:
                if error.code == 160004:  # made before a crash: a message's thread has the message's id
                    place = lobby.message
                else:
                    log.info("Table %s is played in the channel: no thread (%s)", table.id, error.code)
        await self._bot.store.set_place(table.id, place)
        return replace(table, place=place)

    async def _show_board(self, table: Table, posts: list[Post]) -> None:
        """A new question is a new post, which alone has controls; until the next the post is edited."""
        cog = self._bot.game_cog(table.game)
        view = table.view(None)
        moment = "over" if table.state == "over" else f"turn {cog.post_since(view)}"
        current = posts[-1] if posts and posts[-1].moment == moment else None
        earlier = posts[:-1] if current else posts
        shut = await self._shut_out(table)
        times = (table.late, table.due, table.deadline, table.extension)
        shown = panels.digest(view, table.state, table.ending, times, shut, table.seats)
        if current and current.digest == shown:
            await self._retire(earlier)
            return
        place = table.place or table.channel
        since = earlier[-1].told if earlier else 0
        told = len(cog.events(view))
        people, plain = words.post_people(table), words.plain_people(table)
        picture = await drawn(cog.renderer.draw, view, plain)
        files = [picture_file(picture, cog.renderer.describe(view, plain))]
        if extra := cog.second_picture(view, plain):
            draw, alt_text = extra
            files.insert(0, picture_file(await drawn(draw), alt_text, name="last-turn.png"))
        controls = _board_view(cog, table, view)
        remarks = await self._bot.store.remarks(table.id)
        happened = [cog.told(event, people, remarks) for event in cog.events(view)[since:]]
        content = _content(
            [sentence for sentence in happened if sentence],
            [
                words.cut_short(table) or cog.renderer.ask(view, people),
                words.waiting_for(table, mention=True),
                words.extended(table),
                words.absent(table),
                words.votes(table),
                shut,
            ],
        )
        if current and await self._edited(current, place, content=content, attachments=files, view=controls):
            await self._bot.store.update_post(current.id, version=table.version, told=told, digest=shown)
            await self._retire(earlier)
            return
        for file in files:
            file.reset()
        mentioned = await self._bot.notices.to_mention(table)
        await self._send(
            table,
            place,
            "public",
            moment,
            told,
            shown,
            content=content,
            files=files,
            view=controls,
            allowed_mentions=only(table.seats[seat].user for seat in mentioned),
        )
        await self._bot.store.set_mentioned(table.id, table.turn, mentioned)
        await self._retire(posts)

    async def _shut_out(self, table: Table) -> str:
        """Names those who were asked by direct message in vain."""
        if not table.kind.secret:
            return ""
        people = words.post_people(table)
        names = [
            people[seat]
            for seat in table.waiting
            if (user := table.seats[seat].user) is not None and (await self._bot.store.dm(user))[1]
        ]
        if not names:
            return ""
        return _("My direct messages do not reach {who}: press **My move** here.", who=", ".join(names))

    async def _show_planners(self, table: Table) -> None:
        """The planners in direct messages: one for each seat that is asked in secret.

        A player whom they do not reach is named on the board; what may pass by itself is raised after the others.
        """
        shut_before = await self._shut_out(table)
        failed: list[discord.HTTPException] = []
        for seat in range(len(table.seats)):
            async with self.planner(table.id, seat):
                try:
                    await self._show_planner(table, seat)
                except discord.HTTPException as error:
                    if may_pass(error):
                        failed.append(error)
                    else:
                        await self._bot.courier.refused(table.seats[seat].user, error)
        if await self._shut_out(table) != shut_before:
            self.refresh(table.id)
        if failed:
            raise failed[0]

    async def _show_planner(self, table: Table, seat: int) -> None:
        """That seat's planner as it must look now, and every earlier one closed."""
        posts = [post for post in await self._bot.store.posts(table.id) if post.audience == f"seat:{seat}"]
        user, current = table.seats[seat].user, None
        if user is not None and table.kind.secret and table.state == "running" and not table.robot_plays(seat):
            current = posts[-1] if posts and posts[-1].moment == f"turn {table.turn}" else None
            await self._ask_directly(table, seat, user, current)
        for post in posts:
            if post is not current:
                await self._closed(post, view=closed_layout(table), attachments=[])

    async def _ask_directly(self, table: Table, seat: int, user: int, current: Post | None) -> None:
        panel, draft = await panel_of(self._bot, table, seat)
        shown = fingerprint(table, panel)
        if current is not None and current.digest == shown:
            return
        _channel, refused = await self._bot.store.dm(user)
        if refused or (current is None and seat not in table.waiting):
            return
        view, files = await layout(self._bot, table, seat, panel, draft)
        if current is not None and await self._edited(current, current.channel, view=view, attachments=files):
            await self._bot.store.update_post(current.id, version=table.version, told=0, digest=shown)
            return
        channel = await self._bot.courier.open_dm(user)
        if channel is None:
            return
        audience, moment = f"seat:{seat}", f"turn {table.turn}"
        rings = await self._bot.notices.may_ring(user, "direct")
        message = {"view": view, "files": files, "silent": not rings}
        await self._send(table, channel, audience, moment, 0, shown, Urgency.DIRECT, **message)
        if rings:
            await self._bot.store.set_written(table.id, table.turn, seat)

    async def _retire(self, posts: list[Post]) -> None:
        for post in posts:
            await self._closed(post, view=None)

    async def _closed(self, post: Post, **changes: Any) -> None:
        """Takes the controls off a post, once; where Discord does not let us, its presses are answered all the same."""
        if not post.live:
            return
        try:
            await self._edit(post, **changes)
        except discord.HTTPException as error:
            if may_pass(error):
                raise
            log.info("A post of table %s keeps its controls (%s)", post.table_id, error.code)
        await self._bot.store.retire_post(post.id)

    async def invite(self, table: Table, users: list[int]) -> None:
        """Tells these users, once and where the table was opened, that it waits for them to join."""
        lobby = next((post for post in await self._bot.store.posts(table.id) if post.audience == "lobby"), None)
        if not users or lobby is None:
            return
        names = and_list([f"<@{user}>" for user in users])
        text = _(
            "{who}: a rematch of {title}! {link}",
            who=names,
            title=table.kind.title,
            link=words.link(table.guild, lobby.channel, lobby.message),
        )
        await self._bot.courier.announce(lobby.channel, text, users)

    async def offer(self, table: Table, seat: int, user: int) -> None:
        """Tells that user, once and where the game is played, that the seat may be taken."""
        posts = [post for post in await self._bot.store.posts(table.id) if post.audience == "public"]
        if not posts:
            return
        with speaking(await self._bot.language_of(table)):
            text = _(
                "{whom}: the seat of {who} is offered to you. Press **{button}** there: {link}",
                whom=f"<@{user}>",
                who=words.post_people(table)[seat],
                button=_("Take the seat of {who}", who=words.post_people(table)[seat]),
                link=words.link(table.guild, posts[-1].channel, posts[-1].message),
            )
        await self._bot.courier.announce(posts[-1].channel, text, [user])

    # Requests

    async def _send(
        self,
        table: Table,
        channel: int,
        audience: str,
        moment: str,
        told: int,
        shown: str,
        urgency: Urgency = Urgency.BOARD,
        **message: Any,
    ) -> None:
        """Sends one post and notes it; the nonce keeps a repetition after a crash from doubling it."""
        await self._outbox.turn(urgency)
        nonce = panels.digest(table.id, audience, moment, table.version)
        message.setdefault("allowed_mentions", only(()))
        sent = await self._bot.get_partial_messageable(channel).send(nonce=nonce, **message)
        await self._bot.store.add_post(
            Post(0, table.id, audience, moment, channel, sent.id, table.version, told, shown, live=True)
        )

    async def _edit(self, post: Post, **changes: Any) -> None:
        await self._outbox.turn(Urgency.BOARD if post.live else Urgency.UPKEEP)
        message = self._bot.get_partial_messageable(post.channel).get_partial_message(post.message)
        await message.edit(allowed_mentions=only(()), **changes)

    async def _edited(self, post: Post, channel: int, **changes: Any) -> bool:
        """Whether the post could be edited; False when it must be posted anew."""
        try:
            await self._edit(post, **changes)
        except discord.HTTPException as error:
            if error.code in POST_ANEW or (error.code in LOST_PLACES and post.channel != channel):
                return False
            raise
        return True


def _content(happened: list[str], after: list[str]) -> str:
    """What happened and what is asked, within Discord's limit; the oldest happenings give way first."""
    end = "\n".join(line for line in after if line)
    while happened and len("\n".join(happened)) + len(end) + 5 > panels.MOST_CONTENT:
        happened = happened[1:] if happened[0] != ".." else happened[2:]
        happened = ["..", *happened]
        if len(happened) == 1:
            break
    return panels.clip("\n".join([*happened, end]).strip(), panels.MOST_CONTENT)


def _lobby_buttons(table: Table) -> list[Button]:
    return [
        Button(_("Join"), "join", style="good", enabled=len(table.seats) < table.most),
        Button(_("Leave"), "leave"),
        Button(_("Start"), "start", style="chosen", enabled=len(table.seats) >= table.least),
        Button(_("Add a robot"), "robot", enabled=len(table.seats) < table.most),
        Button(_("Rules"), "rules"),
    ]


def _board_view(cog: GameCog, table: Table, view: View) -> discord.ui.View:
    """The controls under the public post of a running game, or of one that is over."""
    if table.state == "over":
        return panels.classic_view((), [Button(_("Rematch"), "rematch", style="good")], table.id, table.turn)
    people = words.plain_people(table)
    free = tuple(
        Button(_("Take the seat of {who}", who=people[number]), "take", str(number), "good")
        for number, seat in enumerate(table.seats)
        if seat.offered is not None
    )
    usual = [
        Button(_("My move"), "mine", style="chosen"),
        Button(_("Show"), "show"),
        Button(_("Rules"), "rules"),
    ]
    return panels.classic_view((*cog.public_rows(view), *buttons_in_rows(free)), usual, table.id, table.turn)
