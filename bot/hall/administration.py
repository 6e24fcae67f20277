"""What who manages a server decides and finds out: `/games settings` and `doctor`."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import discord
from discord import app_commands

from bot import words
from bot.answers import Interaction, defer, say
from bot.choices import ABSENCES, AS_USUAL, POLICIES, Period, Zone
from bot.deadlines import DAY, HOUR, MOST_BANK
from bot.hall import examination
from bot.hall.desk import Desk, manages
from bot.locales import _, languages
from bot.menu import MOST_CHOICES
from bot.rules.base import Refused
from bot.settings import Settings, changed, keep_settings, settings_of


class Administration(Desk):
    @app_commands.command(description="How tables are opened and played in this server; needs Manage Server")
    @app_commands.describe(
        channel="The one channel in which tables are opened",
        threads="Whether games are played in threads of their own",
        time="The time for each question",
        bank="Days that each seat has beyond that, in a whole game",
        grace="Hours in which whoever is late is named, before anything happens",
        late="What happens then",
        weekends="Whether weekends count",
        zone="The time zone of weekends, for instance Europe/Berlin",
        absence="What happens while a player has said to be away",
        away="Days a year for which that holds; beyond them a robot plays",
        openers="The role that may open tables",
        member_tables="The most unfinished tables that one member hosts",
        server_tables="The most unfinished tables in this server",
        language="The language of public posts",
        reset="What is as at the beginning again",
    )
    @app_commands.choices(late=POLICIES, absence=ABSENCES)
    @app_commands.guild_only()
    async def settings(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        threads: bool | None = None,
        time: Period = AS_USUAL,
        bank: app_commands.Range[int, 0, MOST_BANK // DAY] | None = None,
        grace: app_commands.Range[int, 0, 336] | None = None,
        late: app_commands.Choice[str] | None = None,
        weekends: bool | None = None,
        zone: Zone | None = None,
        absence: app_commands.Choice[str] | None = None,
        away: app_commands.Range[int, 0, 366] | None = None,
        openers: discord.Role | None = None,
        member_tables: app_commands.Range[int, 1, 100] | None = None,
        server_tables: app_commands.Range[int, 1, 1000] | None = None,
        language: str | None = None,
        reset: Literal["channel", "openers", "language", "everything"] | None = None,
    ) -> None:
        assert interaction.guild is not None
        must_manage(interaction)
        if language is not None and language not in languages():
            raise Refused("I speak {languages} only.", languages=", ".join(languages()))
        before = await settings_of(self.bot.store, interaction.guild.id)
        settings = _reset(before, reset)
        pace = changed(
            settings.pace,
            period=time or None,
            bank=None if bank is None else bank * DAY,
            grace=None if grace is None else grace * HOUR,
            policy=late and late.value,
            weekends=weekends,
            zone=zone,
            absence=absence and absence.value,
            away_days=away,
        )
        settings = changed(
            settings,
            channel=channel and channel.id,
            threads=threads,
            pace=pace,
            openers=openers and openers.id,
            most_a_member=member_tables,
            most_tables=server_tables,
            language=language,
        )
        if openers is not None and openers.is_default():
            settings = replace(settings, openers=None)
        if settings != before:
            await keep_settings(self.bot.store, interaction.guild.id, settings)
        await say(interaction, in_words(settings, settings != before))

    @settings.autocomplete("language")
    async def _languages(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found = [language for language in languages() if typed.casefold() in language.casefold()]
        return [app_commands.Choice(name=language, value=language) for language in found[:MOST_CHOICES]]

    @app_commands.command(description="Whether I may do here what games need; needs Manage Server")
    @app_commands.guild_only()
    async def doctor(self, interaction: Interaction) -> None:
        must_manage(interaction)
        await defer(interaction, private=True)
        await say(interaction, await examination.report(self.bot, interaction))


def must_manage(interaction: Interaction) -> None:
    if not manages(interaction):
        raise Refused("Only those who manage the server may do that.")


def _reset(settings: Settings, what: str | None) -> Settings:
    match what:
        case "channel":
            return replace(settings, channel=None)
        case "openers":
            return replace(settings, openers=None)
        case "language":
            return replace(settings, language=None)
        case "everything":
            return Settings()
        case _:
            return settings


def in_words(settings: Settings, changed: bool) -> str:
    """All settings of a server as a list."""
    lines = [
        _("Tables are opened in {channel}.", channel=f"<#{settings.channel}>")
        if settings.channel
        else _("Tables are opened in any channel."),
        _("Games are played in threads of their own, unless whoever opens the table says otherwise.")
        if settings.threads
        else _("Games are played in the channel itself, unless whoever opens the table says otherwise."),
        *words.pace(settings.pace),
        _("Only {role} may open tables.", role=f"<@&{settings.openers}>")
        if settings.openers
        else _("Everybody may open tables."),
        _(
            "At most {member} unfinished tables a member and {server} in this server.",
            member=settings.most_a_member,
            server=settings.most_tables,
        ),
        _("Public posts are in the language `{language}`.", language=settings.language)
        if settings.language
        else _("Public posts are in the server's own language."),
    ]
    title = _("**Stored. The settings of this server**") if changed else _("**The settings of this server**")
    end = _("-# Times and policies hold for tables that are opened from now on.")
    return "\n".join([title, *(f"• {line}" for line in lines), end])
