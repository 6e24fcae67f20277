"""`/games`: what a player, a host or a watcher asks across games and servers, joined from its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.hall.administration import Administration
from bot.hall.notify import Notify
from bot.hall.overview import Overview
from bot.hall.privacy import Privacy
from bot.hall.seats import Seats
from bot.hall.standings import Standings

if TYPE_CHECKING:
    from bot.client import Dawdle


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Hall(
    Overview,
    Seats,
    Notify,
    Administration,
    Standings,
    Privacy,
    commands.GroupCog,
    group_name="games",
    group_description="All your tables, and help",
):
    """The one object that Discord knows as `/games`; it has at most 25 commands."""

    def __init__(self, bot: Dawdle) -> None:
        self.bot = bot


async def setup(bot: Dawdle) -> None:
    await bot.add_cog(Hall(bot))
