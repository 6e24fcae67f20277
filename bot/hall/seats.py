"""Who sits where and for how long: seats that are given up, offered and taken, more time, and games cut short."""

from __future__ import annotations

import discord
from discord import app_commands

from bot import panels, words
from bot.answers import NOBODY, Interaction, defer, say
from bot.deadlines import DAY, HOUR
from bot.gamecog import FIND
from bot.hall.desk import WHICH, Desk, manages
from bot.locales import _, plural
from bot.menu import MOST_CHOICES
from bot.rules.base import Refused
from bot.table import Table

SPANS = [
    app_commands.Choice(name=words.span(seconds), value=seconds)
    for seconds in (4 * HOUR, 12 * HOUR, DAY, 2 * DAY, 3 * DAY, 5 * DAY, 7 * DAY)
]


class Seats(Desk):
    @app_commands.command(description="Give up your seat")
    @app_commands.describe(table=WHICH)
    async def leave(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        await self.bot.game_cog(found.game).leave_table(interaction, found)

    @app_commands.command(description="Give up a game that is running")
    @app_commands.describe(table=WHICH)
    async def concede(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        found.running()
        await self.bot.game_cog(found.game).leave_table(interaction, found)

    @app_commands.command(description="Offer a seat to somebody else, as the host of the table or with Manage Server")
    @app_commands.describe(seat="Whose seat", member="Who may take it, by a button under the board", table=WHICH)
    @app_commands.guild_only()
    async def replace(self, interaction: Interaction, seat: int, member: discord.Member, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        self.must_be_here(interaction, found)
        if member.bot:
            raise Refused("A bot cannot take a seat; a seat that is given up is played by a robot anyway.")
        await defer(interaction, private=True)
        number, user = seat - 1, interaction.user.id
        after = await self.bot.tables.offer(found.id, user, number, member.id, manages(interaction))
        if after.version != found.version:
            await self.bot.publisher.settled(found.id)
            await self.bot.publisher.offer(after, number, member.id)
        await say(interaction, _("{who} may take that seat now.", who=member.mention))

    @replace.autocomplete("seat")
    async def _players(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        try:
            found = await self.find(interaction, getattr(interaction.namespace, "table", None) or FIND)
        except Refused:
            return []
        people = words.plain_people(found)
        return [
            app_commands.Choice(name=people[number], value=number + 1)
            for number, seat in enumerate(found.seats)
            if seat.user is not None and str(typed).casefold() in people[number].casefold()
        ][:MOST_CHOICES]

    @app_commands.command(description="Take a seat that is free or offered to you")
    @app_commands.describe(table=WHICH)
    @app_commands.guild_only()
    async def take(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        self.must_be_here(interaction, found)
        offered = [number for number, seat in enumerate(found.seats) if seat.offered is not None]
        mine = [number for number in offered if found.seats[number].offered == interaction.user.id]
        if not offered:
            raise Refused("No seat is free at {table}.", table=words.table_name(found))
        await self.bot.game_cog(found.game).take_seat(interaction, found, (mine or offered)[0])

    @app_commands.command(name="vote-end", description="Vote to end a game without a result; all who play must agree")
    @app_commands.describe(table=WHICH)
    async def vote_end(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        after = await self.bot.tables.vote_end(found.id, interaction.user.id)
        name = words.table_name(after)
        if after.state == "over":
            await say(interaction, _("All agree: {table} is ended.", table=name))
            return
        missing = sum(
            after.votes(number, self.bot.now()) and not seat.wants_end for number, seat in enumerate(after.seats)
        )
        await say(
            interaction,
            plural("{table}: {n} more must agree.", "{table}: {n} more must agree.", missing, table=name),
        )

    @app_commands.command(description="Give more time for the present question, as the host or with Manage Server")
    @app_commands.describe(time="How much more in all; said twice it is not more", table=WHICH)
    @app_commands.choices(time=SPANS)
    @app_commands.guild_only()
    async def extend(self, interaction: Interaction, time: app_commands.Choice[int], table: int = FIND) -> None:
        found = await self.find(interaction, table)
        self.must_be_here(interaction, found)
        after = await self.bot.tables.extend(found.id, interaction.user.id, time.value, manages(interaction))
        await say(interaction, f"{words.table_name(after)}: {_extended(after)}")

    @app_commands.command(description="End a table without a result, as its host or with Manage Server")
    @app_commands.describe(table=WHICH)
    @app_commands.guild_only()
    async def abandon(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        self.must_be_here(interaction, found)
        found.abandon(interaction.user.id, manages(interaction))
        view = panels.confirmation(_("End it"), "abandon", found.id, found.turn)
        await interaction.response.send_message(
            _(
                "End {table} for everybody, without a result? This cannot be undone.",
                table=words.table_name(found),
            ),
            view=view,
            ephemeral=True,
            allowed_mentions=NOBODY,
        )


def _extended(table: Table) -> str:
    if table.deadline is None:
        return _("this question has no end.")
    more, time = words.span(table.extension), words.moment(table.deadline)
    return _("{more} more in all, that is until {time}.", more=more, time=time)
