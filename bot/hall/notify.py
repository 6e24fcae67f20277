"""How players want to be told, and when they are away: `/games notify`, `away` and `back`."""

from __future__ import annotations

from typing import get_args

from discord import app_commands

from bot import panels, when, words
from bot.answers import Interaction, defer, say
from bot.choices import Zone
from bot.hall.desk import Desk
from bot.locales import _
from bot.rules.base import Refused
from bot.settings import changed
from bot.table import Table
from bot.wishes import Where, Wishes, keep_wishes, wishes_of

WHERE: list[app_commands.Choice[Where]] = [
    app_commands.Choice(name="in the channel of the table", value="channel"),
    app_commands.Choice(name="by direct message", value="direct"),
    app_commands.Choice(name="both", value="both"),
]
assert {choice.value for choice in WHERE} == set(get_args(Where))

SUGGESTED = ("tomorrow", "3 days", "1 week", "2 weeks", "3 weeks")
"""Ends of an absence that are suggested before anything is typed."""


class Notify(Desk):
    @app_commands.command(description="Where and when I tell you that tables wait for you")
    @app_commands.describe(
        where="Where I tell you",
        quiet_from="When your quiet hours begin, for instance 22:00; the same as their end: no quiet hours",
        quiet_to="When they end; what still holds is said then",
        zone="Your time zone, for instance Europe/Berlin",
        half_time="Remind me when half of the time is over",
        last_hour="Remind me one hour before the time is up",
        last_one="Tell me when I am the last one everybody waits for",
    )
    @app_commands.choices(where=WHERE)
    async def notify(
        self,
        interaction: Interaction,
        where: app_commands.Choice[str] | None = None,
        quiet_from: str | None = None,
        quiet_to: str | None = None,
        zone: Zone | None = None,
        half_time: bool | None = None,
        last_hour: bool | None = None,
        last_one: bool | None = None,
    ) -> None:
        before = await wishes_of(self.bot.store, interaction.user.id)
        wishes = changed(
            before,
            where=where and where.value,
            quiet_from=_minute(quiet_from),
            quiet_to=_minute(quiet_to),
            zone=zone,
            half=half_time,
            hour=last_hour,
            last=last_one,
        )
        if wishes != before:
            await keep_wishes(self.bot.store, interaction.user.id, wishes)
        title = _("**Stored. How I tell you**") if wishes != before else _("**How I tell you**")
        await say(interaction, "\n".join([title, *(f"• {line}" for line in in_words(wishes))]))

    @app_commands.command(description="Say that you are away: all your tables hear of it")
    @app_commands.describe(until="Until when: a date like 2026-12-24 or Dec 24, or 3 days, 2 weeks")
    async def away(self, interaction: Interaction, until: str) -> None:
        zone = (await wishes_of(self.bot.store, interaction.user.id)).zone
        end = when.moment(until, self.bot.now(), zone)
        if end is None:
            raise Refused("I do not understand {text}. Say a date like 2026-12-24, or 3 days.", text=words.tidy(until))
        await defer(interaction, private=True)
        tables = await self.bot.tables.go_away(interaction.user.id, end)
        title = _("You are away until {time}. `/games back`, or any move, ends it.", time=words.moment(end))
        lines = [f"• {words.table_name(table)}: {_meanwhile(table, interaction.user.id)}" for table in tables]
        await say(interaction, words.within([title, *(lines or [_("You sit at no table.")])], panels.MOST_CONTENT))

    @away.autocomplete("until")
    async def _ends(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """What was typed, with the moment that is meant by it."""
        zone = (await wishes_of(self.bot.store, interaction.user.id)).zone
        offered = [typed.strip()] if typed.strip() else [*SUGGESTED]
        now = self.bot.now()
        return [
            app_commands.Choice(name=f"{text} · {when.spoken(end, zone)}", value=text)
            for text in offered
            if (end := when.moment(text, now, zone)) is not None and len(text) <= 50
        ]

    @app_commands.command(description="Say that you are back: no robot plays for you any more")
    async def back(self, interaction: Interaction) -> None:
        await defer(interaction, private=True)
        await self.bot.tables.come_back(interaction.user.id)
        await say(interaction, _("Welcome back. `/games mine` lists what waits for you."))


def in_words(wishes: Wishes) -> list[str]:
    """All wishes of a user, as sentences."""
    where = {
        "channel": _("I mention you in the channel of the table."),
        "direct": _("I write to you directly."),
        "both": _("I mention you in the channel of the table and write to you directly."),
    }[wishes.where]
    zone, begin, end = wishes.zone, when.clock(wishes.quiet_from), when.clock(wishes.quiet_to)
    kinds = {
        _("when half of the time is over"): wishes.half,
        _("one hour before the time is up"): wishes.hour,
        _("when you are the last one everybody waits for"): wishes.last,
    }
    wanted = [kind for kind, on in kinds.items() if on]
    return [
        where,
        _(
            "Quiet hours: {begin} to {end} ({zone}). What still holds is said at their end.",
            begin=begin,
            end=end,
            zone=zone,
        )
        if begin != end
        else _("You have no quiet hours. Your time zone is {zone}.", zone=zone),
        _("I tell you when you are asked, and {when}.", when=", ".join(wanted))
        if wanted
        else _("I tell you when you are asked, and nothing else."),
    ]


def _minute(text: str | None) -> int | None:
    if text is None:
        return None
    found = when.minute(text)
    if found is None:
        raise Refused("{text} is no time of the day; say 22:00, for instance.", text=words.tidy(text))
    return found


def _meanwhile(table: Table, user: int) -> str:
    """What the table does while that player is away."""
    if table.state == "open":
        return _("it has not started yet.")
    seat = table.seats[table.seat_of(user)]
    return _("its clock stands while it waits for you.") if seat.pauses else _("a robot plays for you.")
