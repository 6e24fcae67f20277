"""Starts a game at the local table as people would: the slash command of its host, then everybody's presses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discord import AppCommandOptionType
from discord.app_commands import Command
from discord.app_commands.transformers import CommandParameter  # type: ignore[attr-defined]

from bot.client import Dawdle
from bot.local import simcord_private as private
from bot.local.table import LocalTable
from bot.press import Press


class NotStarted(Exception):
    """The game could not be started, with the sentence that says why."""
