"""What remains of games: `/games stats` and `leaderboard`."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands

from bot import panels, words
from bot.answers import NOBODY, Interaction, defer, say
from bot.drawing import drawn
from bot.hall.desk import Desk
from bot.locales import _, plural
from bot.membership import UNKNOWN_MEMBER
from bot.menu import MOST_CHOICES
from bot.planner import picture_file
from bot.results import DECIDED, Tally, ranking, tally
from bot.rules import games
from bot.rules.base import Refused
from bot.store import Result
from renderers import leaderboard

MOST_QUESTIONS = 30
"""How many of the best are looked for among the members, some of whom may have left."""


class Standings(Desk):
    @app_commands.command(description="Games played and won, and answers in time")
    @app_commands.describe(member="Whose; left out, your own", server="Of the whole server instead")
    async def stats(self, interaction: Interaction, member: discord.User | None = None, server: bool = False) -> None:
        user = member or interaction.user
        if interaction.guild_id is None and (server or user != interaction.user):
            raise Refused("In direct messages you see your own games only.")
        results = await self.bot.store.results(interaction.guild_id, None if server else user.id)
        if server:
            text = self._of_server(results)
        else:
            text = self._of_member(words.escape(user.display_name), results, interaction.guild_id is None)
        await say(interaction, panels.clip(text, panels.MOST_CONTENT))

    def _of_member(self, name: str, results: Sequence[Result], everywhere: bool) -> str:
        title = _("**{name} in all servers**", name=name) if everywhere else _("**{name} in this server**", name=name)
        played = [result for result in results if result.ending in DECIDED]
        lines = [f"• {games()[game].title} · {self._said(game, tally(own))}" for game, own in _by_game(played).items()]
        if len(lines) > 1:
            lines.append(_("In all: {tally}.", tally=self._said(None, tally(played))))
        return "\n".join([title, *(lines or [_("No game has come to its end yet.")]), *_rest(results)])

    def _of_server(self, results: Sequence[Result]) -> str:
        played = [result for result in results if result.ending in DECIDED]
        lines = [
            _(
                "• {title} · {games}, {players}",
                title=games()[game].title,
                games=plural("{n} game", "{n} games", len({result.table_id for result in own})),
                players=plural("{n} player", "{n} players", len({result.user for result in own} - {None})),
            )
            for game, own in _by_game(played).items()
        ]
        lines = lines or [_("No game has come to its end yet.")]
        return "\n".join([_("**This server**"), *lines, *_rest(results)])

    def _said(self, game: str | None, sum_: Tally) -> str:
        """One tally in words, with the honours of that game."""
        said = [_("{played} played", played=sum_.played)]
        if sum_.contests:
            said.append(_("{won} won ({share:.0%})", won=sum_.won, share=sum_.share))
        if sum_.shared:
            said.append(_("{n} of them shared", n=sum_.shared))
        return " · ".join([", ".join(said), *self._honours(game, sum_)])

    def _honours(self, game: str | None, sum_: Tally) -> list[str]:
        return self.bot.game_cog(game).honours(sum_.honours) if game and sum_.honours else []

    @app_commands.command(description="Who has won most games in this server")
    @app_commands.describe(game="Of one game; left out, of all games")
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction, game: str | None = None) -> None:
        assert interaction.guild is not None
        if game is not None and game not in games():
            raise Refused("There is no game {game}; pick one of the list.", game=words.escape(game))
        found = [result for result in await self.bot.store.results(interaction.guild.id) if game in (None, result.game)]
        if not ranking(found):
            raise Refused("Nobody has won or lost such a game in this server yet.")
        await defer(interaction)
        lines = await self._lines(interaction.guild, game, found)
        if not lines:
            raise Refused("All who have won or lost such a game have left this server.")
        title = _("Leaderboard · {title}", title=games()[game].title) if game else _("Leaderboard · all games")
        file = picture_file(await drawn(leaderboard.draw, title, lines), leaderboard.describe(title, lines))
        await interaction.followup.send(file=file, allowed_mentions=NOBODY)

    @leaderboard.autocomplete("game")
    async def _games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        offered = [(kind.title, name) for name, kind in games().items() if typed.casefold() in kind.title.casefold()]
        return [app_commands.Choice(name=title, value=name) for title, name in offered[:MOST_CHOICES]]

    async def _lines(self, guild: discord.Guild, game: str | None, results: Sequence[Result]) -> list[leaderboard.Line]:
        """The best of those who are members now; equals share a place."""
        lines: list[leaderboard.Line] = []
        before: Tally | None = None
        for user, sum_ in ranking(results)[:MOST_QUESTIONS]:
            name = await _name(guild, user)
            if name is None:
                continue
            level = before is not None and (before.won, before.contests) == (sum_.won, sum_.contests)
            place = lines[-1].place if level else len(lines) + 1
            honours = " · ".join(self._honours(game, sum_))
            lines.append(leaderboard.Line(place, words.tidy(name), sum_.won, sum_.contests, honours))
            before = sum_
            if len(lines) == leaderboard.MOST_LINES:
                break
        return lines


async def _name(guild: discord.Guild, user: int) -> str | None:
    """How that member is called now; None when it is a member no more."""
    try:
        return (guild.get_member(user) or await guild.fetch_member(user)).display_name
    except discord.NotFound as error:
        if error.code not in UNKNOWN_MEMBER:
            raise
        return None


def _by_game(results: Sequence[Result]) -> dict[str, list[Result]]:
    """The results of every installed game, in the order of their titles."""
    kinds = sorted(games().items(), key=lambda item: item[1].title)
    found = {name: [result for result in results if result.game == name] for name, _kind in kinds}
    return {name: own for name, own in found.items() if own}


def _rest(results: Sequence[Result]) -> list[str]:
    """Punctuality, and how many games ended without a result."""
    sum_ = tally(results)
    lines: list[str] = []
    if sum_.answers:
        share = sum_.punctual / sum_.answers
        lines.append(
            _(
                "Answers in time: {punctual} of {answers} ({share:.0%}).",
                punctual=sum_.punctual,
                answers=sum_.answers,
                share=share,
            )
        )
    if undecided := len({result.table_id for result in results if result.ending not in DECIDED}):
        lines.append(
            plural(
                "{n} game ended without a result and does not count.",
                "{n} games ended without a result and do not count.",
                undecided,
            )
        )
    return lines
