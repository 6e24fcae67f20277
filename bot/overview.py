"""Where things stand: `/games mine`, `show` and `help`."""

from __future__ import annotations

from discord import app_commands

from bot import panels, words
from bot.answers import Interaction, say
from bot.desk import WHICH, Desk
from bot.gamecog import FIND
from bot.locales import _
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
            lines = [await self._line(table) for table in tables]
            if lines:
                parts += [title, *lines]
        await say(interaction, panels.clip("\n".join(parts), panels.MOST_CONTENT))

    async def _line(self, table: Table) -> str:
        posts = [post for post in await self.bot.store.posts(table.id) if post.audience in ("lobby", "public")]
        place = words.link(table.guild, posts[-1].channel, posts[-1].message) if posts else ""
        if table.state == "open":
            when = _("open, {taken} of {most} seats taken", taken=len(table.seats), most=table.most)
        elif table.deadline is not None:
            when = _("until {time}", time=words.moment(table.deadline, "R"))
        else:
            when = ""
        return f"• {words.table_name(table)} · {when} {place}".strip()

    @app_commands.command(description="Look at a table")
    @app_commands.describe(table=WHICH)
    async def show(self, interaction: Interaction, table: int = FIND) -> None:
        found = await self.find(interaction, table)
        await self.bot.game_cog(found.game).show_and_mend(interaction, found)

    @app_commands.command(description="How to play here")
    async def help(self, interaction: Interaction) -> None:
        lines = [
            _("**Games at your own pace.** Open a table with one of these; others join, and you play over days:"),
            *(
                f"• `/{cog.__cog_group_name__} new` · {cog.game.title} ({cog.game.players[0]}-{cog.game.players[-1]})"
                for cog in self.bot.game_cogs()
            ),
            _("Under the board **My move** shows what you may do, to you alone; every button has a command too."),
            _("`/games mine` lists the tables that wait for you, in all servers."),
            _("Each game explains itself: `rules` beside its `new`."),
        ]
        await say(interaction, "\n".join(lines))
