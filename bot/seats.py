"""Who sits where and for how long: `/games leave` and `abandon`."""

from __future__ import annotations

from discord import app_commands

from bot import panels, words
from bot.answers import NOBODY, Interaction, say
from bot.desk import WHICH, Desk, manages
from bot.gamecog import FIND
from bot.locales import _


class Seats(Desk):
    @app_commands.command(description="Give up your seat at an open table")
    @app_commands.describe(table=WHICH)
    async def leave(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        await self.bot.tables.leave(found.id, interaction.user.id)
        await say(interaction, _("You have left {table}.", table=words.table_name(found)))

    @app_commands.command(description="End a table without a result, as its host or with Manage Server")
    @app_commands.describe(table=WHICH)
    @app_commands.guild_only()
    async def abandon(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        self.must_be_here(interaction, found)
        found.abandon(interaction.user.id, manages(interaction))
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
