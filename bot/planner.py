"""The planner of one seat: what it asks, and how it looks as a message."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import discord

from bot import panels
from bot.drawing import drawn
from bot.locales import _
from bot.menu import Panel
from bot.table import Table
from bot.words import link, moment, plain_people, post_people, table_name, waiting_for

if TYPE_CHECKING:
    from bot.client import Dawdle


def picture_file(picture: bytes, alt_text: str | None = None, name: str = panels.PICTURE) -> discord.File:
    """The picture as an upload; `alt_text` is for classic messages, where the file itself carries it."""
    description = panels.clip(alt_text, panels.MOST_ALT_TEXT) if alt_text else None
    return discord.File(io.BytesIO(picture), filename=name, description=description)


async def panel_of(bot: Dawdle, table: Table, seat: int) -> tuple[Panel, str]:
    """What the planner of that seat asks now, and the draft it was made with."""
    cog = bot.game_cog(table.game)
    if table.state == "open" or table.position is None:
        return Panel(_("The game has not started yet.")), ""
    if table.state == "over":
        return Panel(_("The game is over.")), ""
    moves = table.position.moves(seat)
    if not moves:
        return Panel("\n".join([_("There is nothing for you to decide now."), waiting_for(table, False)])), ""
    draft = await bot.store.draft(table.id, seat, table.turn)
    panel = cog.panel(table.view(seat), moves, draft, post_people(table))
    return panel, draft


def fingerprint(table: Table, panel: Panel) -> str:
    """Of what the planner shows; equal when nothing needs to be edited."""
    return panels.digest(table.turn, panel.text, panel.rows)


async def layout(
    bot: Dawdle, table: Table, seat: int, panel: Panel, draft: str, *, stored: bool = False, draw: bool = True
) -> tuple[discord.ui.LayoutView, list[discord.File] | None]:
    """The planner as a message: its layout and its picture; None instead of pictures when they stay as they are.

    `stored` adds the receipt of a move.
    """
    text = panel.text
    if stored:
        text += receipt(bot)
    shown = Panel(text, panel.rows)
    if table.position is None:
        return panels.planner(shown, table.id, table.turn, seat, None), []
    cog = bot.game_cog(table.game)
    view, people = table.view(seat), plain_people(table)
    built = panels.planner(shown, table.id, table.turn, seat, cog.renderer.describe(view, people))
    if not draw:
        return built, None
    moves = table.position.moves(seat)
    picture = await drawn(cog.renderer.draw, view, people, moves, draft)
    return built, [picture_file(picture)]


def closed_layout(table: Table, receipt: str = "") -> discord.ui.LayoutView:
    """What is left of a planner whose question has passed: where the game goes on."""
    text = _("{table}: this question is answered.", table=table_name(table))
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(f"{text} {link(table.guild, table.place or table.channel)}{receipt}"))
    view.stop()
    return view


def receipt(bot: Dawdle) -> str:
    """The line which says that a move is stored."""
    return "\n-# " + _("Stored at {time}.", time=moment(bot.now(), "t"))
