"""Answers to one interaction, whatever state it is in: fresh, deferred, answered already or too late."""

from __future__ import annotations

import logging
from typing import Any

import aiohttp
import discord

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]

NOBODY = discord.AllowedMentions.none()
GONE = {10062, 40060, 10015, 50027}
"""Too late or answered by somebody else: nobody looks at the answer, and the stored state stands."""


UNREACHABLE = (discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
"""How it shows that Discord cannot be reached just now."""


async def defer(interaction: Interaction, *, private: bool = False) -> None:
    """Acknowledges at once; `private` opens a new ephemeral answer, else the pressed message stays as it is."""
    if interaction.response.is_done():
        return
    try:
        if private:
            await interaction.response.defer(ephemeral=True, thinking=True)
        else:
            await interaction.response.defer()
    except discord.HTTPException as error:
        _must_be_gone(error)


async def say(interaction: Interaction, text: str) -> None:
    """One sentence that only the person who acted sees."""
    try:
        if not interaction.response.is_done():
            await interaction.response.send_message(text, ephemeral=True, allowed_mentions=NOBODY)
        elif _thinking(interaction):
            await interaction.edit_original_response(content=text, allowed_mentions=NOBODY)
        else:
            await interaction.followup.send(text, ephemeral=True, allowed_mentions=NOBODY)
    except discord.HTTPException as error:
        _must_be_gone(error)


async def show(
    interaction: Interaction,
    view: discord.ui.LayoutView,
    files: list[discord.File] | None,
    *,
    replace: bool,
) -> bool:
    """A layout that only the person who acted sees, in place of the pressed message if `replace`; whether it arrived.

    `files` None keeps the pictures that are there.
    """
    try:
        if not interaction.response.is_done():
            if replace:
                changes: dict[str, Any] = {} if files is None else {"attachments": files}
                await interaction.response.edit_message(view=view, **changes)
            else:
                await interaction.response.send_message(view=view, files=files or [], ephemeral=True)
        elif replace:
            changes = {} if files is None else {"attachments": files}
            await interaction.edit_original_response(view=view, **changes)
        else:
            await interaction.followup.send(view=view, files=files or [], ephemeral=True)
    except discord.HTTPException as error:
        _must_be_gone(error)
        return False
    return True


def _thinking(interaction: Interaction) -> bool:
    """Whether an ephemeral answer is owed that shows nothing yet."""
    return interaction.response.type is discord.InteractionResponseType.deferred_channel_message


def _must_be_gone(error: discord.HTTPException) -> None:
    if error.code not in GONE:
        raise error
    log.info("An answer came too late (%s)", error.code)
