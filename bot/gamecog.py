"""What the cog of every game has: the commands that open, fill, play and show its tables.

A game's cog names its rules and its renderer, says how its planner asks (`panel`), and adds one command a kind of
move.  Everything else is here.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import discord
from discord import app_commands
from discord.ext import commands

from bot import panels, words
from bot.answers import NOBODY, Interaction, defer, say, show
from bot.choices import ABSENCES, AS_USUAL, POLICIES, Period, Zone
from bot.deadlines import DAY, HOUR, MOST_BANK
from bot.drawing import drawn
from bot.locales import _
from bot.menu import MOST_CHOICES, Button, Form, Panel, Row, buttons_in_rows
from bot.planner import fingerprint, layout, panel_of, picture_file
from bot.rules.base import Event, Game, Refused
from bot.settings import Settings, changed, settings_of
from bot.store import TableRow
from bot.table import Seat, Table
from bot.tables import from_row, from_rows
from renderers.people import People

if TYPE_CHECKING:
    from bot.client import Dawdle


class Renderer(Protocol):
    """How a game looks, reads and is told; a module in `renderers`."""

    def draw(self, view: Any, people: People, moves: tuple[str, ...] = (), draft: str = "") -> bytes:
        """The picture as PNG; with `moves` and `draft` the private one that marks what is possible."""
        ...

    def describe(self, view: Any, people: People) -> str:
        """The whole state that the view may know, in words, the essential first."""
        ...

    def tell(self, event: Any, people: People) -> str:
        """One sentence for one event; empty when it needs none."""
        ...

    def ask(self, view: Any, people: People) -> str:
        """One sentence: what is being asked now."""
        ...


class TableChoice(app_commands.Transformer):
    """One of the user's tables of this game, by number."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.integer

    async def transform(self, interaction: Interaction, value: Any, /) -> int:
        return int(value)

    async def autocomplete(
        self, interaction: Interaction, value: int | float | str, /
    ) -> list[app_commands.Choice[Any]]:
        cog = interaction.command.binding if isinstance(interaction.command, app_commands.Command) else None
        if not isinstance(cog, GameCog):
            return []
        rows = await cog.bot.store.tables_of(interaction.user.id)
        return [
            app_commands.Choice(name=words.table_name(from_row(row)), value=row.id)
            for row, _waiting in rows
            if row.game == cog.game.name and str(value) in str(row.id)
        ][:MOST_CHOICES]


if TYPE_CHECKING:
    TableNumber = int
else:
    TableNumber = app_commands.Transform[int, TableChoice]

FIND = 0
"""A `TableNumber` that means: the table that is meant here."""


class _AbstractCog(type(commands.GroupCog), ABCMeta):
    """Refuses to make a cog that does not say what every game must say."""


class GameCog(commands.GroupCog, metaclass=_AbstractCog):
    """The cog of one game.  Sub-classes give `game`, `renderer`, `panel`, `rules_text` and the commands of moves."""

    game: ClassVar[type[Game]]
    renderer: ClassVar[Renderer]

    def __init__(self, bot: Dawdle) -> None:
        self.bot = bot

    # What a game may say

    @abstractmethod
    def panel(self, view: Any, moves: tuple[str, ...], draft: str, people: People) -> Panel:
        """The planner of a seat that may do `moves`, with what it has picked so far."""

    @abstractmethod
    def rules_text(self) -> str:
        """The rules in short, at most 2,000 characters of Discord's markdown."""

    def rules_picture(self) -> Callable[[], bytes] | None:
        """Draws the picture that goes with the rules, if there is one."""
        return None

    def public_rows(self, view: Any) -> tuple[Row, ...]:
        """Controls of the game's own under the public post, for whoever has a seat."""
        return ()

    def second_picture(self, view: Any, people: People) -> tuple[Callable[[], bytes], str] | None:
        """What draws one more picture for the post of this question, and its alt text; None if there is none."""
        return None

    def completed(self, draft: str, picked: str, view: Any) -> str | None:
        """The move that is made when `picked` follows that draft; None while it is a draft itself.

        People tap faster than planners follow: what two taps mean together must not depend on what the second showed.
        """
        return None

    def form(self, name: str, view: Any, remark: str) -> Form:
        """The form of that name for the seat's view; `remark` is what the seat has remarked on its answer so far."""
        raise Refused("That control is from an older version.")

    def moves_of_form(self, name: str, values: list[list[str]], view: Any) -> tuple[str, ...]:
        """The moves that a filled form stands for; `values` field by field.  Refused when it makes no sense."""
        raise Refused("That control is from an older version.")

    def remark_of_form(self, name: str, values: list[list[str]], view: Any) -> str | None:
        """What a filled form remarks on the seat's own answer; None when the form stands for moves."""
        return None

    def told(self, event: Any, people: People, remarks: Mapping[tuple[int, int], str]) -> str:
        """The sentence for one event in a post; `remarks` are the players' own, by turn and seat."""
        return self.renderer.tell(event, people)

    def honours(self, earned: Mapping[str, int]) -> list[str]:
        """How the honours are said of which so many were earned."""
        return [f"{n} × {name}" for name, n in earned.items()]

    def post_since(self, view: Any) -> int:
        """The turn with which the public post began: while it is the same, the post is edited."""
        return view.turn

    def events(self, view: Any) -> tuple[Event, ...]:
        """What the viewer may hear of, oldest first."""
        return view.events

    def words_of(self, view: Any, people: People) -> str:
        """What shows the board in words, at most 2,000 characters of Discord's markdown."""
        return panels.clip(self.renderer.describe(view, people), panels.MOST_CONTENT)

    def choice_rows(self, table: Table) -> tuple[Row, ...]:
        """The buttons with which players of an open table pick their value of the game's `seat_choice`."""
        choice = self.game.seat_choice
        if choice is None:
            return ()
        taken = {seat.choice for seat in table.seats}
        return buttons_in_rows(
            [Button(_(label), "pick", value, enabled=value not in taken) for value, label in choice.labels.items()]
        )

    # What its commands call

    async def open_table(
        self,
        interaction: Interaction,
        *,
        most: int,
        least: int,
        options: Mapping[str, Any],
        period: int,
        thread: bool | None,
    ) -> None:
        """Opens a table for `least` to `most` players in this channel, with whoever asked as its host.

        `thread` None is as the server has settled.
        """
        channel = interaction.channel
        if interaction.guild_id is None or channel is None:
            raise Refused("Tables are opened in a server: say it in one of its channels.")
        settings = await settings_of(self.bot.store, interaction.guild_id)
        self._must_be_allowed(interaction)
        await self._must_be_welcome(interaction, settings)
        await defer(interaction, private=True)
        thread = settings.threads if thread is None else thread
        in_thread = isinstance(channel, discord.Thread)
        table = Table(
            id=0,
            game=self.game.name,
            guild=interaction.guild_id,
            channel=channel.id,
            place=channel.id if in_thread or not thread else None,
            host=interaction.user.id,
            state="open",
            options=options,
            most=most,
            least=least,
            pace=replace(settings.pace, period=period or settings.pace.period),
            thread=thread and not in_thread,
            seats=(Seat(interaction.user.id, interaction.user.display_name),),
            rules=self.game.version,
        )
        table = await self.bot.tables.open(table)
        await self.bot.publisher.settled(table.id)
        await say(interaction, f"{await self._opened(table)} {await self._hint_of_dm(interaction, table)}".strip())

    async def _opened(self, table: Table) -> str:
        row = await self.bot.store.table(table.id)
        if row is not None and row.published < row.version:
            return _(
                "{table} is stored, but I could not post it here. I try again; `/games show table:{number}` does so "
                "too, here or in another channel.",
                table=words.table_name(table),
                number=table.id,
            )
        lobby = next(post for post in await self.bot.store.posts(table.id) if post.audience == "lobby")
        return _(
            "{table} is open. Others press **Join** [there]({link}).",
            table=words.table_name(table),
            link=words.link(table.guild, lobby.channel, lobby.message),
        )

    def _must_be_allowed(self, interaction: Interaction) -> None:
        granted = interaction.app_permissions
        send = (
            granted.send_messages_in_threads
            if isinstance(interaction.channel, discord.Thread)
            else granted.send_messages
        )
        needed = {
            _("View Channel"): granted.view_channel,
            _("Send Messages"): send,
            _("Attach Files"): granted.attach_files,
        }
        missing = [name for name, given in needed.items() if not given]
        if missing:
            raise Refused(
                "I may not post a game here; somebody who manages the server must give me: {missing}.",
                missing=", ".join(missing),
            )

    async def _must_be_welcome(self, interaction: Interaction, settings: Settings) -> None:
        """Refuses what the server's settings do not allow."""
        assert interaction.guild_id is not None
        roles = [role.id for role in interaction.user.roles] if isinstance(interaction.user, discord.Member) else []
        if settings.openers is not None and settings.openers not in roles:
            raise Refused("In this server only {role} may open tables.", role=f"<@&{settings.openers}>")
        parent = interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None
        if settings.channel is not None and settings.channel not in (interaction.channel_id, parent):
            raise Refused("In this server tables are opened in {channel}.", channel=f"<#{settings.channel}>")
        tables = from_rows(await self.bot.store.unfinished(interaction.guild_id))
        if len(tables) >= settings.most_tables:
            raise Refused(
                "This server allows no more than {most} unfinished tables; one must end first.",
                most=settings.most_tables,
            )
        if sum(table.host == interaction.user.id for table in tables) >= settings.most_a_member:
            raise Refused(
                "This server lets nobody host more than {most} unfinished tables; one of yours must end first.",
                most=settings.most_a_member,
            )

    async def find(self, interaction: Interaction, number: int = FIND) -> Table:
        """The table that is meant: the one with that number, the one played here, or the user's only one."""
        if number != FIND:
            table = await self.bot.table_for(interaction, number)
            if table.game != self.game.name:
                raise Refused("Table {number} is another game.", number=number)
            return table
        here = await self.bot.store.tables_in(interaction.channel_id or 0)
        candidates = [from_row(row) for row in here if row.game == self.game.name]
        for narrower in (
            [table for table in candidates if table.state != "over" and table.place == interaction.channel_id],
            [table for table in candidates if table.state != "over" and table.seated(interaction.user.id)],
            [table for table in candidates if table.state != "over"],
            await self._own_tables(interaction.user.id),
            candidates[:1],
        ):
            if len(narrower) == 1:
                return narrower[0]
            if len(narrower) > 1:
                raise Refused("Which table? Name it with the option `table`: {numbers}.", numbers=_numbers(narrower))
        raise Refused("There is no table of {title} here.", title=self.game.title)

    async def _own_tables(self, user: int) -> list[Table]:
        rows: list[tuple[TableRow, bool]] = await self.bot.store.tables_of(user)
        return [from_row(row) for row, _waiting in rows if row.game == self.game.name]

    async def move(self, interaction: Interaction, number: int, *moves: str) -> None:
        """Makes these moves for whoever asked, and shows the planner with the receipt."""
        await defer(interaction, private=True)
        table = await self.find(interaction, number)
        table = await self.bot.tables.play(table.id, interaction.user.id, moves)
        await self.show_planner(interaction, table, stored=True)

    async def take_back(self, interaction: Interaction, number: int) -> None:
        """Takes back the last move of whoever asked."""
        await defer(interaction, private=True)
        table = await self.find(interaction, number)
        table = await self.bot.tables.undo(table.id, interaction.user.id, table.turn)
        await self.show_planner(interaction, table, stored=True)

    async def suggest(
        self, interaction: Interaction, prefix: str, typed: str, label: Callable[[Any, str], str]
    ) -> list[app_commands.Choice[str]]:
        """Autocomplete: the legal moves that begin with `prefix`, as `label(view, move)` says them.

        The value is the move without the prefix.  A move with an empty label is left out, and of those with the
        same label all but the first; labels that begin with what is typed come first.
        """
        asked = await self.asked(interaction)
        if asked is None:
            return []
        view, moves = asked
        offered: dict[str, str] = {}
        for move in moves:
            if move.startswith(prefix) and (name := label(view, move)):
                offered.setdefault(name, move.removeprefix(prefix))
        return self.matching(offered, typed)

    async def asked(self, interaction: Interaction) -> tuple[Any, tuple[str, ...]] | None:
        """The view and the moves of whoever is typing a command, None where that is no player of a running game."""
        number = getattr(interaction.namespace, "table", None) or FIND
        try:
            table = await self.find(interaction, int(number))
            seat = table.seat_of(interaction.user.id)
            position = table.running()
        except (Refused, ValueError):
            return None
        return position.view(seat), position.moves(seat)

    @staticmethod
    def matching(offered: Mapping[str, str], typed: str) -> list[app_commands.Choice[str]]:
        """The values whose labels match what is typed; labels that begin with it come first."""
        sought = typed.casefold()
        matching = [name for name in offered if sought in name.casefold()]
        matching.sort(key=lambda name: not name.casefold().startswith(sought))
        return [
            app_commands.Choice(name=panels.clip(name, 100), value=offered[name]) for name in matching[:MOST_CHOICES]
        ]

    async def show_planner(
        self,
        interaction: Interaction,
        table: Table,
        *,
        stored: bool = False,
        replace: bool = False,
        picture: str | None = None,
    ) -> str | None:
        """The planner of whoever asked, privately; in place of the pressed message if `replace`.

        `picture` names the picture of the pressed message, which stays where it would be the same.
        Returns the fingerprint of what is shown; None when nobody looks any more.
        """
        seat = table.seat_of(interaction.user.id)
        panel, draft = await panel_of(self.bot, table, seat)
        draw = picture is None or picture != panel.picture
        view, files = await layout(self.bot, table, seat, panel, draft, stored=stored, draw=draw)
        shown = await show(interaction, view, files, replace=replace)
        return fingerprint(table, panel) if shown else None

    async def show_board(self, interaction: Interaction, table: Table) -> None:
        """The public picture and the whole public state in words, privately."""
        await defer(interaction, private=True)
        if table.position is None:
            await say(interaction, words.lobby(table))
            return
        view, people = table.view(None), words.plain_people(table)
        picture = await drawn(self.renderer.draw, view, people)
        text = self.words_of(view, words.post_people(table))
        file = picture_file(picture, self.renderer.describe(view, people))
        await interaction.followup.send(text, file=file, ephemeral=True)

    async def show_and_mend(self, interaction: Interaction, table: Table) -> None:
        """The same, and the public post made sure of; a player's table that has lost its place goes on here."""
        await self.show_board(interaction, table)
        here = table.guild == interaction.guild_id and table.seated(interaction.user.id)
        await self.bot.publisher.bring_back(table.id, interaction.channel_id if here else None)

    async def show_rules(self, interaction: Interaction) -> None:
        await defer(interaction, private=True)
        draw = self.rules_picture()
        files = [picture_file(await drawn(draw), _("The rules in a picture; the text says the same."))] if draw else []
        await interaction.followup.send(
            panels.clip(self.rules_text(), panels.MOST_CONTENT), files=files, ephemeral=True
        )

    async def join_table(self, interaction: Interaction, table_id: int) -> None:
        """Takes a seat, and opens the direct messages of a game that needs them."""
        await defer(interaction, private=True)
        table = await self.bot.tables.join(table_id, interaction.user.id, interaction.user.display_name)
        seated = _("You have a seat at {table}.", table=words.table_name(table))
        await say(interaction, f"{seated} {await self._hint_of_dm(interaction, table)}".strip())

    async def leave_table(self, interaction: Interaction, table: Table) -> None:
        """Gives up the seat of whoever asked: at once where the game has not started, else after one question."""
        user = interaction.user.id
        if table.state != "running":
            await self.bot.tables.leave(table.id, user)
            await say(interaction, _("You have left {table}.", table=words.table_name(table)))
            return
        after = table.leave(user)
        name = words.table_name(table)
        if after.state == "over":
            text = _("Give up {table}? The game ends with it. This cannot be undone.", table=name)
        else:
            text = _("Give up your seat at {table}? A robot plays it until somebody takes it.", table=name)
        view = panels.confirmation(_("Give up my seat"), "concede", table.id, table.turn)
        await interaction.response.send_message(text, view=view, ephemeral=True, allowed_mentions=NOBODY)

    async def take_seat(self, interaction: Interaction, table: Table, seat: int) -> None:
        """Takes over a seat that is offered, and opens the direct messages of a game that needs them."""
        await defer(interaction, private=True)
        user = interaction.user
        await self.bot.tables.take_seat(table.id, seat, user.id, user.display_name)
        seated = _("You have a seat at {table}.", table=words.table_name(table))
        await say(interaction, f"{seated} {await self._hint_of_dm(interaction, table)}".strip())

    async def rematch(self, interaction: Interaction, old: Table) -> None:
        """Opens a table like the old one and asks the others to join; later on, takes a seat there."""
        await defer(interaction, private=True)
        if await self.bot.store.rematch_of(old.id) is None:
            await self._must_be_welcome(interaction, await settings_of(self.bot.store, old.guild))
        table, new = await self.bot.tables.rematch(old.id, interaction.user.id, interaction.user.display_name)
        await self.bot.publisher.settled(table.id)
        answer = _("You have a seat at {table}.", table=words.table_name(table))
        if new:
            others = [seat.user for seat in old.seats if seat.user not in (None, interaction.user.id)]
            await self.bot.publisher.invite(table, [user for user in others if user is not None])
            answer = await self._opened(table)
        await say(interaction, f"{answer} {await self._hint_of_dm(interaction, table)}".strip())

    async def _hint_of_dm(self, interaction: Interaction, table: Table) -> str:
        if not self.game.secret:
            return ""
        welcome = _(
            "Welcome to {table}. Your secret choices are asked here, and always by **My move** under the board too.",
            table=words.table_name(table),
        )
        if await self.bot.courier.tell(interaction.user.id, welcome):
            return _("I have written to you directly: your secret choices are asked there.")
        return _("My direct messages do not reach you; press **My move** under the board instead.")

    # The commands of every game

    @app_commands.command(description="Take a seat at an open table")
    @app_commands.guild_only()
    async def join(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        found = await self._open_here(interaction, table)
        await self.join_table(interaction, found.id)

    @app_commands.command(description="Give up your seat")
    async def leave(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        await self.leave_table(interaction, await self.find(interaction, table))

    @app_commands.command(description="Start the game, as the host of the table")
    @app_commands.guild_only()
    async def start(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        found = await self._open_here(interaction, table)
        await self.bot.tables.start(found.id, interaction.user.id)
        await say(interaction, _("{table} has started.", table=words.table_name(found)))

    @app_commands.command(description="How fast an open table will be played; its host may change it")
    @app_commands.describe(
        time="The time for each question",
        bank="Days that each seat has beyond that, in the whole game",
        grace="Hours in which whoever is late is named, before anything happens",
        late="What happens then",
        weekends="Whether weekends count",
        zone="The time zone of weekends, for instance Europe/Berlin",
        absence="What happens while a player has said to be away",
        away="Days a year on which an absence is honoured so; beyond them a robot plays",
    )
    @app_commands.choices(late=POLICIES, absence=ABSENCES)
    async def pace(
        self,
        interaction: Interaction,
        time: Period = AS_USUAL,
        bank: app_commands.Range[int, 0, MOST_BANK // DAY] | None = None,
        grace: app_commands.Range[int, 0, 336] | None = None,
        late: app_commands.Choice[str] | None = None,
        weekends: bool | None = None,
        zone: Zone | None = None,
        absence: app_commands.Choice[str] | None = None,
        away: app_commands.Range[int, 0, 366] | None = None,
        table: TableNumber = FIND,
    ) -> None:
        found = await self._open_here(interaction, table)
        pace = changed(
            found.pace,
            period=time or None,
            bank=None if bank is None else bank * DAY,
            grace=None if grace is None else grace * HOUR,
            policy=late and late.value,
            weekends=weekends,
            zone=zone,
            absence=absence and absence.value,
            away_days=away,
        )
        if pace != found.pace:
            found = await self.bot.tables.pace(found.id, interaction.user.id, pace)
        await say(interaction, "\n".join([f"**{words.table_name(found)}**", *words.pace(found.pace)]))

    @app_commands.command(description="Look at the board, and read it")
    async def show(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        await self.show_and_mend(interaction, await self.find(interaction, table))

    @app_commands.command(description="The rules in short")
    async def rules(self, interaction: Interaction) -> None:
        await self.show_rules(interaction)

    @app_commands.command(description="Open your planner")
    async def plan(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        await defer(interaction, private=True)
        found = await self.find(interaction, table)
        await self.show_planner(interaction, await self.bot.tables.resume(found.id, interaction.user.id))

    async def _open_here(self, interaction: Interaction, number: int) -> Table:
        """The open table that is meant, or the running one so that the refusal can say so."""
        if number == FIND:
            rows = await self.bot.store.tables_in(interaction.channel_id or 0)
            found = [from_row(row) for row in rows if row.game == self.game.name and row.state == "open"]
            if len(found) == 1:
                return found[0]
            if len(found) > 1:
                raise Refused("Which table? Name it with the option `table`: {numbers}.", numbers=_numbers(found))
        return await self.find(interaction, number)


def _numbers(tables: Sequence[Table]) -> str:
    return ", ".join(str(table.id) for table in tables)
