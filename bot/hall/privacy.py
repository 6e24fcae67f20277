"""What is stored about somebody: `/games privacy export` shows it, `/games privacy delete` ends it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot import panels, snapshot
from bot.answers import NOBODY, Interaction, defer, say
from bot.hall.desk import Desk
from bot.locales import _, plural, speaking
from bot.menu import Button
from bot.planner import picture_file

if TYPE_CHECKING:
    from bot.client import Dawdle

FILE = "my-data.json"


class Privacy(Desk):
    privacy = app_commands.Group(name="privacy", description="What I know about you")

    @privacy.command(description="All that is stored about you, as a file for you alone")
    async def export(self, interaction: Interaction) -> None:
        await defer(interaction, private=True)
        text = json.dumps(await known(self.bot, interaction.user.id), indent=2, ensure_ascii=False)
        await interaction.followup.send(
            _("All that is stored about you. What others may not know of running games yet is your own part only."),
            file=picture_file(text.encode(), name=FILE),
            ephemeral=True,
            allowed_mentions=NOBODY,
        )

    @privacy.command(description="Delete all that is stored about you")
    async def delete(self, interaction: Interaction) -> None:
        unfinished = len(await self.bot.store.tables_of(interaction.user.id))
        lines = [
            _("**Delete all that is stored about you?** This cannot be undone."),
            plural(
                "You give up your seat at {n} unfinished table.",
                "You give up your seats at {n} unfinished tables.",
                unfinished,
            )
            if unfinished
            else _("You have no seat at an unfinished table."),
            _("Your name leaves all tables, your results count for nobody, and your wishes and absences are dropped."),
            _("The games of the others stay as they are, and so does what is written in Discord itself."),
            _("`/games privacy export` gives you a copy first."),
        ]
        button = Button(_("Delete it all"), "forget", style="danger")
        await interaction.response.send_message(
            "\n".join(lines), view=panels.classic_view((), [button], 0, -1), ephemeral=True, allowed_mentions=NOBODY
        )


async def known(bot: Dawdle, user: int) -> dict[str, Any]:
    """All that is stored about that user as plain JSON: never another's name, move or secret."""
    tables: list[dict[str, Any]] = []
    for table_id in await bot.store.tables_about(user):
        table = await bot.tables.load(table_id)
        about: dict[str, Any] = {
            "table": table.id,
            "game": table.game,
            "server": table.guild,
            "channel": table.channel,
            "state": table.state,
            "opened": table.created,
            "host": table.host == user,
            "seats": [],
            "offered": [number for number, seat in enumerate(table.seats) if seat.offered == user],
        }
        for number, seat in enumerate(table.seats):
            if seat.user == user:
                own = {key: value for key, value in snapshot.dump(seat).items() if key != "offered"}
                rows = await bot.store.rows_of_seat(table.id, number)
                about["seats"].append({"seat": number, **own, **rows})
        tables.append(about)
    return {"user": user, "tables": tables, **await bot.store.rows_about(user)}


async def forget(bot: Dawdle, interaction: Interaction) -> None:
    """Deletes what is stored about whoever has pressed, and says so in place of the question."""
    user = interaction.user.id
    await defer(interaction)
    seats: list[tuple[int, int]] = []
    tables = await bot.store.tables_about(user)
    for table_id in tables:
        table = await bot.tables.load(table_id)
        number = next((number for number, seat in enumerate(table.seats) if seat.user == user), None)
        if number is not None and table.state != "open":
            seats.append((table_id, number))
        with speaking(await bot.language_of(table)):
            name = _("Former player {n}", n=1 if number is None else number + 1)
        await bot.tables.forget(table_id, user, name)
    for table_id in tables:
        await bot.publisher.settled(table_id)  # which closes the planners, whose places are dropped next
    await bot.store.forget(user, seats)
    done = _("Deleted. Nothing is stored about you any more.")
    try:
        await interaction.edit_original_response(content=done, view=None)
    except discord.HTTPException:
        await say(interaction, done)
