"""What the doctor looks at: which permissions there are in a channel, and what follows from those that are missing."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import discord

from bot import words
from bot.answers import Interaction
from bot.drawing import drawn
from bot.locales import _
from bot.planner import picture_file
from bot.settings import settings_of
from bot.tables import from_row
from renderers import canvas

if TYPE_CHECKING:
    from bot.client import Dawdle


async def report(bot: Dawdle, interaction: Interaction) -> str:
    """What works here, in the channel for games and in the server, in words; a picture is really posted and removed."""
    guild = interaction.guild
    assert guild is not None and interaction.channel_id is not None
    settings = await settings_of(bot.store, guild.id)
    in_thread = isinstance(interaction.channel, discord.Thread)
    parts = [await _channel(bot, interaction.channel_id, interaction.app_permissions, in_thread)]
    parent = interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None
    if settings.channel is not None and settings.channel not in (interaction.channel_id, parent):
        channel = guild.get_channel(settings.channel)
        if channel is None:
            parts.append(
                _("**The channel for games is deleted**, so nobody can open a table. `/games settings` names another.")
            )
        else:
            parts.append(await _channel(bot, channel.id, channel.permissions_for(guild.me), False))
    parts.append(await _tables(bot, guild.id))
    return "\n".join(parts)


async def _channel(bot: Dawdle, channel: int, granted: discord.Permissions, in_thread: bool) -> str:
    """What works in one channel or thread."""
    needed = {
        _("View Channel"): granted.view_channel,
        _("Send Messages in Threads") if in_thread else _("Send Messages"): (
            granted.send_messages_in_threads if in_thread else granted.send_messages
        ),
        _("Attach Files"): granted.attach_files,
    }
    for_threads = {
        _("Create Public Threads"): granted.create_public_threads,
        _("Send Messages in Threads"): granted.send_messages_in_threads,
        _("Read Message History"): granted.read_message_history,
    }
    lines = [f"**<#{channel}>**"]
    if missing := _missing(needed):
        lines.append(
            _(
                "❌ No game can be played here, because I may not post pictures. Missing: **{missing}**.",
                missing=missing,
            )
        )
    elif (refusal := await _posted(bot, channel)) is not None:
        lines.append(
            _(
                "❌ I may post pictures here, but Discord refused one just now ({reason}). Try again in a while.",
                reason=refusal,
            )
        )
    else:
        lines.append(_("✅ I can post pictures: I have just posted one and removed it."))
    if in_thread:
        lines.append(_("✅ Tables opened in this thread are played in it."))
    elif missing := _missing(for_threads):
        lines.append(
            _(
                "⚠️ Games are played in the channel itself, because I may not open threads. Missing: **{missing}**.",
                missing=missing,
            )
        )
    else:
        lines.append(_("✅ I can open a thread for each game."))
    return "\n".join(lines)


def _missing(permissions: dict[str, bool]) -> str:
    return ", ".join(name for name, granted in permissions.items() if not granted)


async def _posted(bot: Dawdle, channel: int) -> str | None:
    """Posts a picture and removes it; what Discord said if it refused."""
    picture = await drawn(lambda: canvas.encode(canvas.badge(1, 200), "doctor"))
    try:
        message = await bot.get_partial_messageable(channel).send(file=picture_file(picture, _("A trial")), silent=True)
    except discord.HTTPException as error:
        return f"{error.status}, {error.code}"
    with suppress(discord.NotFound):
        await message.delete()
    return None


async def _tables(bot: Dawdle, server: int) -> str:
    """Which tables are not shown, each of which is tried again."""
    rows = await bot.store.unfinished(server)
    lost = [from_row(row) for row in rows if row.parked is not None]
    if not lost:
        return _("✅ All tables of this server are shown.")
    for table in lost:
        bot.publisher.refresh(table.id)
    return _(
        "❌ Not shown, because their place is deleted, closed or not open to me: {tables}. Nothing of them is lost, "
        "moves still count, and I am trying again now.",
        tables=", ".join(words.table_name(table) for table in lost),
    )
