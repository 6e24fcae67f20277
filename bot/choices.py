"""What commands offer to choose from, wherever they ask for the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot import words
from bot.answers import Interaction
from bot.deadlines import DAY, HOUR, MINUTE, Absence, Policy, is_zone, zones
from bot.menu import MOST_CHOICES
from bot.rules.base import Refused

POLICIES: list[app_commands.Choice[Policy]] = [
    app_commands.Choice(name="a robot plays until they act again", value="steward"),
    app_commands.Choice(name="the game waits for them", value="wait"),
    app_commands.Choice(name="their seat is offered to others", value="replace"),
    app_commands.Choice(name="the game ends", value="end"),
]
ABSENCES: list[app_commands.Choice[Absence]] = [
    app_commands.Choice(name="the clock stands", value="pause"),
    app_commands.Choice(name="a robot plays", value="steward"),
]


class PeriodChoice(app_commands.Transformer):
    """The time for each question, offered as a list."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.integer

    @property
    def choices(self) -> list[app_commands.Choice[Any]]:
        spans = [15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY]
        return [app_commands.Choice(name=words.span(seconds), value=seconds) for seconds in spans]

    async def transform(self, interaction: Interaction, value: Any, /) -> int:
        return int(value)


class ZoneChoice(app_commands.Transformer):
    """A time zone by its IANA name, found by a part of it."""

    async def transform(self, interaction: Interaction, value: Any, /) -> str:
        if not is_zone(str(value)):
            raise Refused("There is no time zone {zone}; pick one of the list, for instance Europe/Berlin.", zone=value)
        return str(value)

    async def autocomplete(
        self, interaction: Interaction, value: int | float | str, /
    ) -> list[app_commands.Choice[Any]]:
        return [app_commands.Choice(name=zone, value=zone) for zone in zones(str(value))[:MOST_CHOICES]]


if TYPE_CHECKING:
    Period = int
    Zone = str
else:
    Period = app_commands.Transform[int, PeriodChoice]
    Zone = app_commands.Transform[str, ZoneChoice]

AS_USUAL = 0
"""A `Period` that means: as the server has settled."""
