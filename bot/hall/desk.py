"""What the parts of `/games` share.

Discord wants a group of commands to be one object, so each part is a `Desk` with its commands, and `bot.hall` joins
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from bot.answers import Interaction
from bot.gamecog import FIND
from bot.rules.base import Refused
from bot.table import Table
from bot.tables import from_rows

if TYPE_CHECKING:
    from bot.client import Dawdle

WHICH = "The number of the table; left out, the one that is played here"
"""The description of the option `table`."""


class Desk(commands.Cog):
    """Some commands of `/games`, and how they find their table."""

    bot: Dawdle

    async def find(self, interaction: Interaction, number: int = FIND) -> Table:
        """The table with that number, the one that is played here, or the user's only one."""
        if number != FIND:
            return await self.bot.table_for(interaction, number)
        here = from_rows(await self.bot.store.tables_in(interaction.channel_id or 0))
        mine = from_rows(row for row, _waiting in await self.bot.store.tables_of(interaction.user.id))
        running = [table for table in here if table.state != "over"]
        for tables in (running, here[:1], mine):
            if len(tables) == 1:
                return tables[0]
            if tables:
                numbers = ", ".join(str(table.id) for table in tables)
                raise Refused("Which table? Name it with the option `table`: {numbers}.", numbers=numbers)
        raise Refused("There is no table here.")

    def must_be_here(self, interaction: Interaction, table: Table) -> None:
        """Refuses a table of another server."""
        if table.guild != interaction.guild_id:
            raise Refused("That table is in another server.")


def manages(interaction: Interaction) -> bool:
    """Whether whoever asked has the right Manage Server where it was asked."""
    return isinstance(interaction.user, discord.Member) and interaction.permissions.manage_guild
