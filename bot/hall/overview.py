"""Where things stand: `/games mine`, `show`, `board`, `why` and `help`."""

from __future__ import annotations

from discord import app_commands

from bot import panels, words
from bot.answers import Interaction, defer, say
from bot.gamecog import FIND
from bot.hall.administration import must_manage
from bot.hall.desk import WHICH, Desk
from bot.locales import _, and_list, plural
from bot.rules.base import Refused
from bot.table import Table
from bot.tables import from_rows


class Overview(Desk):
    @app_commands.command(description="All tables that wait for you, then your others")
    async def mine(self, interaction: Interaction) -> None:
        rows = await self.bot.store.tables_of(interaction.user.id)
        if not rows:
            await say(interaction, _("You sit at no table. `/games help` tells how to start one."))
            return
        parts: list[str] = []
        for wanted, title in ((True, _("**They wait for you**")), (False, _("**Your other tables**"))):
            tables = from_rows(row for row, waiting in rows if waiting == wanted)
            lines = [await self.bot.noticeboard.line(table) for table in tables]
            if lines:
                parts += [title, *lines]
        await say(interaction, words.within(parts, panels.MOST_CONTENT))

    @app_commands.command(description="Look at a table")
    @app_commands.describe(table=WHICH)
    async def show(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        await self.bot.game_cog(found.game).show_and_mend(interaction, found)

    @app_commands.command(description="Keep one post here that lists all tables of the server; needs Manage Server")
    @app_commands.guild_only()
    async def board(self, interaction: Interaction) -> None:
        must_manage(interaction)
        if interaction.guild_id is None or interaction.channel_id is None:
            raise Refused("That works in a server only.")
        await defer(interaction, private=True)
        await self.bot.noticeboard.place(interaction.guild_id, interaction.channel_id)
        await say(interaction, _("Done. I keep that post up to date; said elsewhere, `/games board` moves it."))

    @app_commands.command(description="Why a table waits; what can be put right is put right")
    @app_commands.describe(table=WHICH)
    async def why(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        await defer(interaction, private=True)
        reason = await self._reason(found)
        if found.state != "over":
            here = interaction.guild_id == found.guild and found.seated(interaction.user.id)
            await self._mend(found, interaction.channel_id if here else None)
        await say(interaction, f"{words.table_name(found)}: {reason}")

    async def _reason(self, table: Table) -> str:
        """One sentence on what the table waits for."""
        row = await self.bot.store.table(table.id)
        if table.state == "over":
            return _("the game is over.")
        if row is not None and row.parked is not None:
            return _("I could not post it, so its clock stands; now I try again, here.")
        people = words.post_people(table)
        if table.state == "open":
            return self._lobby_waits(table)
        if not table.owing:
            robots = and_list([people[seat] for seat in table.waiting])
            return _("a robot is to play for {who}, and is called again now.", who=robots)
        paused = [seat for seat in table.owing if table.seats[seat].pauses]
        if paused:
            until = max(table.seats[seat].away or 0 for seat in paused)
            return _(
                "{who} is away, and the clock stands until {time}.",
                who=and_list([people[seat] for seat in paused]),
                time=words.moment(until, "D"),
            )
        return _("it waits for an answer. {who}", who=words.waiting_for(table, mention=False))

    def _lobby_waits(self, table: Table) -> str:
        missing = table.least - len(table.seats)
        if missing > 0:
            return plural("it waits for {n} more player.", "it waits for {n} more players.", missing)
        return _("enough players are here: it waits for more, or for its host to press **Start**.")

    async def _mend(self, table: Table, channel: int | None) -> None:
        """Has everything done that should have been done already."""
        await self.bot.publisher.bring_back(table.id, channel)
        if table.due is not None and table.due <= self.bot.now():
            await self.bot.tables.ring(table.id)
        self.bot.steward.wake(await self.bot.tables.load(table.id))

    @app_commands.command(description="How to play here")
    async def help(self, interaction: Interaction) -> None:
        lines = [
            _("**Games at your own pace.** Open a table with one of these; others join, and you play over days:"),
            *(
                f"• `/{cog.__cog_group_name__} new` · {cog.game.title} ({cog.game.players[0]}-{cog.game.players[-1]})"
                for cog in self.bot.game_cogs()
            ),
            _("Under the board **My move** shows what you may do, to you alone; every button has a command too."),
            _("`/games mine` lists the tables that wait for you, in all servers; `/games why` tells why one waits."),
            _("`/games notify` sets when and where I remind you, `/games away` tells all your tables of a holiday."),
            _("Each game explains itself: `rules` beside its `new`."),
        ]
        await say(interaction, "\n".join(lines))
