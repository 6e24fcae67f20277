"""Pebbles on Discord: `/pebbles`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.answers import Interaction
from bot.gamecog import AS_USUAL, FIND, GameCog, Period, TableNumber
from bot.locales import _
from bot.menu import Button, Panel, buttons_in_rows
from bot.rules.pebbles import Pebbles, PebblesView  # pyright: ignore[reportMissingImports] - found at run time
from renderers import pebbles as renderer  # pyright: ignore[reportAttributeAccessIssue] - found at run time
from renderers.people import People

if TYPE_CHECKING:
    from bot.client import Dawdle


class PebblesCog(GameCog, group_name="pebbles", group_description="Pebbles: take the last one"):
    """The commands of Pebbles."""

    game = Pebbles
    renderer = renderer

    def panel(self, view: PebblesView, moves: tuple[str, ...], draft: str, people: People) -> Panel:
        buttons = [Button(move.capitalize(), "play", move) for move in moves]
        return Panel(renderer.ask(view, people), buttons_in_rows(buttons))

    def rules_text(self) -> str:
        return _("Take one, two or three pebbles. Whoever takes the last one wins.")

    @app_commands.command(description="Open a table of Pebbles in this channel")
    @app_commands.guild_only()
    async def new(
        self, interaction: Interaction, players: app_commands.Range[int, 2, 4] = 2, time: Period = AS_USUAL
    ) -> None:
        await self.open_table(interaction, most=players, least=2, options={}, period=time, thread=True)

    @app_commands.command(description="Take pebbles from the heap")
    async def take(
        self, interaction: Interaction, count: app_commands.Range[int, 1, 3], table: TableNumber = FIND
    ) -> None:
        await self.move(interaction, table, f"take {count}")


async def setup(bot: Dawdle) -> None:
    await bot.add_cog(PebblesCog(bot))
