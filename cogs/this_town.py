"""This Town on Discord: `/thistown`, its planner and its rules in short."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from discord import app_commands

from bot import panels
from bot.answers import Interaction
from bot.gamecog import AS_USUAL, FIND, GameCog, Period, TableNumber
from bot.locales import _, and_list, plural
from bot.menu import Button, Choice, Panel, Row, Select, pages
from bot.rules.base import Refused
from bot.rules.this_town import (
    Cell,
    Effect,
    Placed,
    Step,
    ThisTown,
    ThisTownView,
    free_places,
    movable_tiles,
    picked,
    preview,
    step_of,
)
from renderers import this_town as renderer
from renderers.people import People
from renderers.this_town_rules import rules_picture
from renderers.this_town_words import letter_of, map_key, summary, text_map

if TYPE_CHECKING:
    from bot.client import Dawdle


class ThisTownCog(
    GameCog, group_name="thistown", group_description="This Town: close towns in which your brand comes out on top"
):
    """The commands of This Town.

    A draft is the move that would be made, or `relocate X,Y` while only the tile is picked.
    """

    game = ThisTown
    renderer = renderer

    def panel(self, view: ThisTownView, moves: tuple[str, ...], draft: str, people: People) -> Panel:
        if not view.owed:
            return _tile_panel(view, draft, people)
        if draft == "keep":
            return _keep_panel(view)
        source, step = picked(view, draft)
        return _lettered_panel(view) if source is None else _relocation_panel(view, source, step, people)

    def post_since(self, view: ThisTownView) -> int:
        """A player's whole turn is one post: it is new for the drawn tile and edited for silver moves."""
        if not view.owed:
            return view.turn
        return next(event.turn for event in reversed(view.events) if isinstance(event, Placed))

    def words_of(self, view: ThisTownView, people: People) -> str:
        """The table in words, then the map in letters, for which the oldest towns may have to make room."""
        letters = _("Map: {key}", key=map_key()) + f"\n```\n{text_map(view)}\n```"
        return f"{panels.clip(summary(view, people), panels.MOST_CONTENT - len(letters) - 1)}\n{letters}"

    def rules_text(self) -> str:
        return "\n".join(
            [
                _("## This Town in short"),
                _("Close towns in which your brand comes out on top. Most points win."),
                _(
                    "**Your turn.** You draw a tile and place it, turned as you like, edge to edge with one on the map."
                    " Nothing has to match: where two tiles touch, their ground is joined. Only fences divide it."
                ),
                _(
                    "**A town** is ground that is closed all round: each of its sides ends at a fence or meets another"
                    " tile. The bare table is no fence. One tile may close several towns."
                ),
                _(
                    "**Points.** A closed town is scored at once, whoever closed it. The players in it are ranked by"
                    " their brands there, level ones together. Each scores **as many points as the next rank below has"
                    " brands**, the last rank nothing."
                ),
                _("• 4, 2, 2 and 1 brands score 2, 1, 1 and 0; whoever is alone, and all who are level, score 0."),
                _("• Brands that nobody plays have no rank. Ground still open at the end is worth nothing."),
                _(
                    "**Silver.** If the town you close holds silver, one bar or more, you may move a tile: take it up"
                    " and put it at another place, turned as you like. No tile of a town can go, and none without which"
                    " the map would fall apart. A town that you close so is scored too, and its silver lets you move"
                    " again."
                ),
                _(
                    "**The end** comes when all 24 tiles are placed. If players are level for the win, it goes to the"
                    " one of them who is 1st in the town with most brands of all; else they share it."
                ),
                _("Nothing can be taken back, as each tile placed turns up the next."),
            ]
        )

    def rules_picture(self) -> Callable[[], bytes]:
        return rules_picture

    # The commands

    @app_commands.command(description="Open a table of This Town in this channel")
    @app_commands.describe(
        players="How many seats the table has; you may start from 2",
        time="The time for each question; the server says the usual",
        thread="Play in a thread of its own",
    )
    @app_commands.guild_only()
    async def new(
        self,
        interaction: Interaction,
        players: app_commands.Range[int, 2, 4] = 4,
        time: Period = AS_USUAL,
        thread: bool | None = None,
    ) -> None:
        await self.open_table(interaction, most=players, least=2, options={}, period=time, thread=thread)

    @app_commands.command(description="Place the drawn tile")
    @app_commands.describe(at="A number on the map and the way to turn the tile: 7, 7 right, 7 half or 7 left")
    async def place(self, interaction: Interaction, at: str, table: TableNumber = FIND) -> None:
        view = await self._view(interaction, table)
        await self.move(interaction, table, f"place {_spot(at, free_places(view.laid), 0)}")

    @place.autocomplete("at")
    async def _places(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "place ", typed, _step_label)

    @app_commands.command(description="Move a tile of the map, for a silver bar")
    @app_commands.describe(
        tile="Its letter on the map",
        to="A number on the planner's map and the way to turn the tile: 7, 7 right, 7 half or 7 left",
    )
    async def relocate(self, interaction: Interaction, tile: str, to: str, table: TableNumber = FIND) -> None:
        view = await self._view(interaction, table)
        source = _movable(tile, view)
        spot = _spot(to, free_places(view.laid, source), _lies(view, source))
        await self.move(interaction, table, f"relocate {_words(source)} {spot}")

    @relocate.autocomplete("tile")
    async def _tiles(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "relocate ", typed, _tile_label)

    @relocate.autocomplete("to")
    async def _targets(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        tile = str(getattr(interaction.namespace, "tile", None) or "")

        def label(view: ThisTownView, move: str) -> str:
            step = step_of(move)
            return _step_label(view, move) if step and step.source and _is_named(step.source, view, tile) else ""

        return await self.suggest(interaction, "relocate ", typed, label)

    @app_commands.command(description="Move no tile for a silver bar: the map stays as it is")
    async def keep(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, "keep")

    async def _view(self, interaction: Interaction, number: int) -> ThisTownView:
        position = (await self.find(interaction, number)).running()
        assert isinstance(position, ThisTown)
        return position.view(None)


# The planner


def _tile_panel(view: ThisTownView, draft: str, people: People) -> Panel:
    """A place for the drawn tile, then the ways to turn it and what it would do there."""
    _source, step = picked(view, draft)
    lines = [_("**Where does your tile go?** Pick a numbered place; then you can turn the tile before you place it.")]
    rows = _place_rows(view.free, None, step, 0)
    if step is not None:
        lines.append(_consequence(view, step, people))
        place = _("Place at {number}", number=_number(view, step))
        rows.append((*_turns(step), Button(place, "play", str(step), "good")))
    return Panel("\n".join(lines), tuple(rows))


def _lettered_panel(view: ThisTownView) -> Panel:
    """The tiles that may be moved for a silver bar."""
    lines = [
        plural(
            "**You may move a tile for the silver.** Pick one that has a letter. Towns stay where they are, and so does"
            " a tile without which the map would fall apart.",
            "**You may move a tile for the silver, {n} times.** Pick one that has a letter. Towns stay where they are,"
            " and so does a tile without which the map would fall apart.",
            view.owed,
        )
    ]
    choices = tuple(
        Choice(_("Tile {letter}", letter=letter_of(number)), f"relocate {_words(cell)}", _at(cell))
        for number, cell in enumerate(view.movable)
    )
    return Panel("\n".join(lines), (Select(_("Pick a tile"), choices), (_keep(),)))


def _relocation_panel(view: ThisTownView, source: Cell, step: Step | None, people: People) -> Panel:
    """A place for the tile that was taken up, then the ways to turn it and what it would do there."""
    letter = letter_of(view.movable.index(source))
    lines = [_("**Where does tile {letter} go?** Pick a numbered place; then you can turn the tile.", letter=letter)]
    rows = _place_rows(free_places(view.laid, source), source, step, _lies(view, source))
    last = [Button(_("Another tile"), "draft"), _keep()]
    if step is not None:
        lines.append(_consequence(view, step, people))
        move = _("Move {letter} to {number}", letter=letter, number=_number(view, step))
        last = [*_turns(step), Button(move, "play", str(step), "good"), *last]
    return Panel("\n".join(lines), (*rows, tuple(last)))


def _keep_panel(view: ThisTownView) -> Panel:
    """The question whether a silver move shall really be given up."""
    lines = [
        plural(
            "**Move no tile?** The map stays as it is and the silver is spent.",
            "**Move no tile?** The map stays as it is and one of your {n} silver moves is spent.",
            view.owed,
        ),
        _final(),
    ]
    return Panel("\n".join(lines), ((Button(_("Keep as is"), "play", "keep", "good"), Button(_("Back"), "draft")),))


def _place_rows(places: tuple[Cell, ...], source: Cell | None, step: Step | None, turned: int) -> list[Row]:
    """The places to pick from, in as many lists as they need; a tile keeps its turn from place to place."""
    turned = step.turned if step else turned
    choices = [
        Choice(
            _("Place {number}", number=number),
            str(Step(cell, turned, source)),
            _at(cell),
            chosen=step is not None and step.at == cell,
        )
        for number, cell in enumerate(places, start=1)
    ]
    sheets = pages(choices)
    if len(sheets) == 1:
        return [Select(_("Pick a place"), tuple(choices))]
    rows: list[Row] = []
    first = 1
    for sheet in sheets:
        last = first + len(sheet) - 1
        rows.append(Select(_("Pick a place, {first} to {last}", first=first, last=last), tuple(sheet)))
        first = last + 1
    return rows


def _turns(step: Step) -> tuple[Button, Button]:
    left, right = replace(step, turned=(step.turned - 1) % 4), replace(step, turned=(step.turned + 1) % 4)
    return Button(_("⟲ Turn left"), "draft", str(left)), Button(_("Turn right ⟳"), "draft", str(right))


def _keep() -> Button:
    return Button(_("Keep as is"), "draft", "keep")


def _consequence(view: ThisTownView, step: Step, people: People) -> str:
    """What the step would do: where the tile would lie, the towns closed, and what silver comes of it."""
    effect = preview(view, step)
    where = _("On place **{number}**, {turned},", number=_number(view, step), turned=_turned(view, step))
    if effect.towns:
        gains = and_list(
            [
                _("{who} +{points}", who=_("you") if seat == view.seat else people[seat], points=points)
                for seat, points in enumerate(effect.points)
                if any(town.ranks[seat] for town in effect.towns)
            ]
        ) or _("no player is in it")
        closes = plural(
            "the tile closes **{n} town**: {gains}.",
            "the tile closes **{n} towns**: {gains}.",
            len(effect.towns),
            gains=gains,
        )
    else:
        closes = _("the tile closes no town.")
    return " ".join(part for part in (where, closes, _silver(view, step, effect), _final()) if part)


def _silver(view: ThisTownView, step: Step, effect: Effect) -> str:
    """How many silver moves are left after the step; empty if there were and are none."""
    others = view.owed - int(step.source is not None)
    owed = others + effect.moves
    if not owed:
        return ""
    if not movable_tiles(effect.laid, (*view.towns, *effect.towns)):
        return _("No tile may be moved then, so the silver is of no use.")
    if effect.moves:
        return plural("Silver: then you may move a tile.", "Silver: then you may move a tile {n} times.", owed)
    return plural("Then you may move one more tile.", "Then you may move {n} more tiles.", owed)


# Words


def _final() -> str:
    return _("This cannot be taken back.")


def _turn_words() -> tuple[str, ...]:
    """How a tile is turned, by quarters clockwise."""
    return _("unturned"), _("turned right"), _("turned half round"), _("turned left")


def _turned(view: ThisTownView, step: Step) -> str:
    """How the step turns the tile, compared with how it was drawn or lies now."""
    lies = 0 if step.source is None else _lies(view, step.source)
    return _turn_words()[(step.turned - lies) % 4]


def _lies(view: ThisTownView, cell: Cell) -> int:
    """How the tile there is turned."""
    return next(tile.turned for tile in view.laid if tile.at == cell)


def _number(view: ThisTownView, step: Step) -> int:
    """The number on the map of the place where the step puts the tile."""
    return free_places(view.laid, step.source).index(step.at) + 1


def _words(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _at(cell: Cell) -> str:
    """Where that is, for those who read the map in words."""
    return _("at {place}", place=_words(cell))


def _step_label(view: ThisTownView, move: str) -> str:
    """A step in the words of the map, and what the reader has of it."""
    step = step_of(move)
    assert step is not None
    effect = preview(view, step)
    if not effect.towns:
        does = _("closes no town")
    else:
        points = 0 if view.seat is None else effect.points[view.seat]
        does = plural(
            "closes {n} town, +{points} for you",
            "closes {n} towns, +{points} for you",
            len(effect.towns),
            points=points,
        )
    return f"{_number(view, step)} {_turned(view, step)} · {does}"


def _tile_label(view: ThisTownView, move: str) -> str:
    step = step_of(move)
    assert step is not None and step.source is not None
    return f"{letter_of(view.movable.index(step.source))} · {_at(step.source)}"


_SPOT = re.compile(r"-?\d+,-?\d+ [0-3]$")
_NUMBER = re.compile(r"(\d+)\b\W*(.*)")


def _is_named(cell: Cell, view: ThisTownView, text: str) -> bool:
    """Whether that movable tile is meant, by its letter or by a suggestion."""
    return text.strip().upper() == letter_of(view.movable.index(cell)) or text.startswith(f"{_words(cell)} ")


def _movable(text: str, view: ThisTownView) -> Cell:
    """The movable tile that is meant, or Refused."""
    if not view.owed:
        raise Refused("There is no silver move to make now.")
    cell = next((cell for cell in view.movable if _is_named(cell, view, text)), None)
    if cell is None:
        last = letter_of(len(view.movable) - 1)
        raise Refused("Name a tile by its letter on the map, A to {last}.", last=last)
    return cell


def _spot(text: str, places: tuple[Cell, ...], lies: int) -> str:
    """The place and turn, as a move says them, that are meant by a suggestion or by `7 right`; or Refused.

    `lies` is how the tile is turned before.
    """
    if suggested := _SPOT.search(text):
        return suggested.group()
    typed = _NUMBER.fullmatch(text.strip().casefold())
    if typed is None or not 1 <= int(typed[1]) <= len(places):
        raise Refused("Name a place by its number on the map, 1 to {last}.", last=len(places))
    ways = [way for way, words in enumerate(_turn_words()) if typed[2] in words] if typed[2] else [0]
    if len(ways) != 1:
        raise Refused("Say how to turn the tile: right, half or left.")
    return f"{_words(places[int(typed[1]) - 1])} {(lies + ways[0]) % 4}"


async def setup(bot: Dawdle) -> None:
    await bot.add_cog(ThisTownCog(bot))
