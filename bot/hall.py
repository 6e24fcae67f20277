"""The commands that are about no game in particular: `/games mine`, `show`, `help`, `leave`, `abandon`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot import panels, words
from bot.answers import NOBODY, Interaction, say
from bot.gamecog import FIND
from bot.locales import _
from bot.rules.base import Refused
from bot.table import Table
from bot.tables import from_row

if TYPE_CHECKING:
    from bot.client import Dawdle


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Hall(commands.GroupCog, group_name="games", group_description="All your tables, and help"):
    """What a player, a host or a watcher asks across games and servers."""

    def __init__(self, bot: Dawdle) -> None:
        self.bot = bot

    @app_commands.command(description="All tables that wait for you, then your others")
    async def mine(self, interaction: Interaction) -> None:
        rows = await self.bot.store.tables_of(interaction.user.id)
        if not rows:
            await say(interaction, _("You sit at no table. `/games help` tells how to start one."))
            return
        parts: list[str] = []
        for wanted, title in ((True, _("**They wait for you**")), (False, _("**Your other tables**"))):
            lines = [await self._line(from_row(row)) for row, waiting in rows if waiting == wanted]
            if lines:
                parts += [title, *lines]
        await say(interaction, panels.clip("\n".join(parts), panels.MOST_CONTENT))

    async def _line(self, table: Table) -> str:
        posts = [post for post in await self.bot.store.posts(table.id) if post.audience in ("lobby", "public")]
        place = words.link(table.guild, posts[-1].channel, posts[-1].message) if posts else ""
        if table.state == "open":
            when = _("open, {taken} of {most} seats taken", taken=len(table.seats), most=table.most)
        elif table.due is not None:
            when = _("until {time}", time=words.moment(table.due, "R"))
        else:
            when = ""
        return f"• {words.table_name(table)} · {when} {place}".strip()

    @app_commands.command(description="Look at a table")
    @app_commands.describe(table="The number of the table; left out, the one that is played here")
    async def show(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self._find(interaction, table)
        await self.bot.game_cog(found.game).show_board(interaction, found)
        await self.bot.publisher.bring_back(found.id)

    @app_commands.command(description="How to play here")
    async def help(self, interaction: Interaction) -> None:
        lines = [
            _("**Games at your own pace.** Open a table with one of these; others join, and you play over days:"),
            *(
                f"• `/{cog.__cog_group_name__} new` · {cog.game.title} ({cog.game.players[0]}-{cog.game.players[-1]})"
                for cog in self.bot.game_cogs()
            ),
            _("Under the board **My move** shows what you may do, to you alone; every button has a command too."),
            _("`/games mine` lists the tables that wait for you, in all servers."),
            _("Each game explains itself: `rules` beside its `new`."),
        ]
        await say(interaction, "\n".join(lines))

    @app_commands.command(description="Give up your seat at an open table")
    @app_commands.describe(table="The number of the table; left out, the one that is played here")
    async def leave(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self._find(interaction, table)
        await self.bot.tables.leave(found.id, interaction.user.id)
        await say(interaction, _("You have left {table}.", table=words.table_name(found)))

    @app_commands.command(description="End a table without a result, as its host or with Manage Server")
    @app_commands.describe(table="The number of the table; left out, the one that is played here")
    @app_commands.guild_only()
    async def abandon(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self._find(interaction, table)
        if found.guild != interaction.guild_id:
            raise Refused("That table is in another server.")
        found.abandon(interaction.user.id, _manages(interaction))
        view = panels.confirmation(_("End it"), found.id, found.turn)
        await interaction.response.send_message(
            _(
                "End {table} for everybody, without a result? This cannot be undone.",
                table=words.table_name(found),
            ),
            view=view,
            ephemeral=True,
            allowed_mentions=NOBODY,
        )

    async def _find(self, interaction: Interaction, number: int) -> Table:
        if number != FIND:
            return await self.bot.table_for(interaction, number)
        here = [from_row(row) for row in await self.bot.store.tables_in(interaction.channel_id or 0)]
        mine = [from_row(row) for row, _waiting in await self.bot.store.tables_of(interaction.user.id)]
        running = [table for table in here if table.state != "over"]
        for tables in (running, here[:1], mine):
            if len(tables) == 1:
                return tables[0]
            if tables:
                numbers = ", ".join(str(table.id) for table in tables)
                raise Refused("Which table? Name it with the option `table`: {numbers}.", numbers=numbers)
        raise Refused("There is no table here.")


def _manages(interaction: Interaction) -> bool:
    return isinstance(interaction.user, discord.Member) and interaction.permissions.manage_guild


async def setup(bot: Dawdle) -> None:
    await bot.add_cog(Hall(bot))
