"""Two by Two on Discord: `/twobytwo`, its planner and its rules in short."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from discord import app_commands

from bot.answers import Interaction
from bot.gamecog import AS_USUAL, FIND, GameCog, Period, TableNumber
from bot.locales import _, and_list, plural
from bot.menu import Button, Choice, Panel, Row, Select, pages
from bot.rules.base import Refused
from bot.rules.two_by_two import ACTIONS, BERTHS, PLACES, STARS, Flood, TwoByTwo, TwoByTwoView, count_columns
from renderers import two_by_two as renderer
from renderers.people import People

if TYPE_CHECKING:
    from bot.client import Dawdle

EMOJI = {
    "lion": "🦁",
    "elephant": "🐘",
    "giraffe": "🦒",
    "tiger": "🐯",
    "zebra": "🦓",
    "crocodile": "🐊",
    "monkey": "🐒",
    "rhino": "🦏",
    "penguin": "🐧",
    "panda": "🐼",
    "turtle": "🐢",
    "kangaroo": "🦘",
    "unicorn": "🦄",
    "fishbone": "🦴",
}

COMPASS = (("↖", -1, -1), ("↗", 1, -1), ("←", -2, 0), ("→", 2, 0), ("↙", -1, 1), ("↘", 1, 1))
"""The six directions as they stand on the board, two a row: half columns east and rows south."""

SPACE_AT = {place: space for space, place in PLACES.items()}


class TwoByTwoCog(
    GameCog, group_name="twobytwo", group_description="Two by Two: save pairs of animals from a sinking island"
):
    """The commands of Two by Two.

    A draft is the move that would be made, `row H` while only the row of a flood is picked, or `page 1` of the pairs.
    """

    game = TwoByTwo
    renderer = renderer

    def panel(self, view: TwoByTwoView, moves: tuple[str, ...], draft: str, people: People) -> Panel:
        if view.berths:
            return _berth_panel(view, draft)
        if view.floods:
            return _flood_panel(view, draft)
        return _ark_panel(view, moves, draft, people)

    def post_since(self, view: TwoByTwoView) -> int:
        """A player's whole turn is one post: it is new for the flood and edited for the ark."""
        return view.latest[0].turn if view.actions else view.turn

    def rules_text(self) -> str:
        return "\n".join(
            [
                _("## Two by Two in short"),
                _("The island sinks. Steer your ark around it and save animals in pairs. Most points win."),
                _("**The start.** Everybody puts an ark on an ark space; then the animals by the sea turn up."),
                _("**Your turn has two steps.**"),
                _(
                    "**1. Flood one land space next to water.** You get a point for each water space around it. An"
                    " animal on it is washed away; those face down next to it turn up. This cannot be taken back."
                ),
                _("**2. Two actions with your ark, in any mix**, or fewer:"),
                _("• *Sail* to the next water space where no other ark lies. What you have just flooded is water too."),
                _(
                    "• *Rescue* two animals of one species that lie face up: one next to your ark, the other anywhere."
                    " The land under them stays land until it is flooded."
                ),
                _("Fishbones cannot be rescued. Your first action can be taken back, the second ends your turn."),
                _(
                    "**The end** comes after the turn in which the last of 36 water tokens is laid, or in which all"
                    " animals are face up and no two alike are left."
                ),
                _(
                    "**Then the arks are counted**, on top of the points of the floods. The three species on gold under"
                    " your name count double for you."
                ),
                _(
                    "• *Advanced*: a species is worth 6, shared by all its rescued pairs: one pair 6, two pairs 3 each,"
                    " three pairs 2 each."
                ),
                _(
                    "• *Basic*: a pair is worth 2, unicorns 4; and 2 more, never doubled, for each species that"
                    " only you have."
                ),
                _("Ties: most animals, then most species. You start with as many points as your place in the order."),
                _(
                    "There are six animals of each species, but only two unicorns, and six fishbones. Six of these 80"
                    " were put away at the start, nobody knows which."
                ),
            ]
        )

    @app_commands.command(description="Open a table of Two by Two in this channel")
    @app_commands.describe(
        players="How many seats the table has; you may start from 2",
        count="advanced: pairs of one species share 6 points; basic: 2 points a pair",
        time="The time for each question; the server says the usual",
        thread="Play in a thread of its own",
    )
    @app_commands.guild_only()
    async def new(
        self,
        interaction: Interaction,
        players: app_commands.Range[int, 2, 4] = 4,
        count: Literal["advanced", "basic"] = "advanced",
        time: Period = AS_USUAL,
        thread: bool | None = None,
    ) -> None:
        await self.open_table(interaction, most=players, least=2, options={"count": count}, period=time, thread=thread)

    @app_commands.command(description="At the start: put your ark on an ark space")
    @app_commands.describe(berth="One of the six ark spaces around the island")
    async def berth(
        self,
        interaction: Interaction,
        berth: Literal["NW", "NE", "W", "E", "SW", "SE"],
        table: TableNumber = FIND,
    ) -> None:
        await self.move(interaction, table, f"berth {berth}")

    @app_commands.command(description="Flood a space next to the water, the first step of your turn")
    @app_commands.describe(space="Its name on the board, for instance H12")
    async def flood(self, interaction: Interaction, space: str, table: TableNumber = FIND) -> None:
        (flooded,) = _spaces_in(space, 1)
        await self.move(interaction, table, f"flood {flooded}")

    @flood.autocomplete("space")
    async def _floods(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "flood ", typed, _flood_label)

    @app_commands.command(description="Sail your ark one step; a second action ends your turn")
    @app_commands.describe(to="A water space next to your ark")
    async def sail(self, interaction: Interaction, to: str, table: TableNumber = FIND) -> None:
        (space,) = _spaces_in(to, 1)
        await self.move(interaction, table, f"sail {space}")

    @sail.autocomplete("to")
    async def _sails(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "sail ", typed, _sail_label)

    @app_commands.command(description="Rescue a pair; a second action ends your turn")
    @app_commands.describe(pair="The spaces of two animals alike, one of them next to your ark: H12 G10")
    async def rescue(self, interaction: Interaction, pair: str, table: TableNumber = FIND) -> None:
        one, other = _spaces_in(pair, 2)
        await self.move(interaction, table, f"rescue {one} {other}")

    @rescue.autocomplete("pair")
    async def _rescues(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "rescue ", typed, _rescue_label)

    @app_commands.command(description="End your turn with actions to spare")
    async def done(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, "done")

    @app_commands.command(description="Take back the first action of your turn")
    async def undo(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        await self.take_back(interaction, table)


# The planner


def _berth_panel(view: TwoByTwoView, draft: str) -> Panel:
    """The six ark spaces, two a row as they lie around the island."""
    lines = [
        _("**Where does your ark start?** Pick an ark space. Once all arks lie ready, the animals by the sea turn up.")
    ]
    picked = next((berth for berth in view.berths if draft == f"berth {berth}"), None)
    buttons = [
        Button(berth, "draft", f"berth {berth}", "chosen" if berth == picked else "plain", enabled=berth in view.berths)
        for berth in BERTHS
    ]
    rows: list[Row] = [tuple(row) for row in pages(buttons, 2)]
    if picked is not None:
        lines.append(
            _("Your ark starts at **{berth}** ({space}). {final}", berth=picked, space=BERTHS[picked], final=_final())
        )
        rows.append((Button(_("Start at {berth}", berth=picked), "play", draft, "good"),))
    return Panel("\n".join(lines), tuple(rows))


def _flood_panel(view: TwoByTwoView, draft: str) -> Panel:
    """A row of the board, then a space in it, then what flooding it would do."""
    verb, _space, picked = draft.partition(" ")
    space = picked if verb == "flood" and picked in view.floods else None
    row = picked[:1] if verb in ("row", "flood") else ""
    lines = [
        _(
            "**Flood a space next to water.** Each water space around it is a point for you; an animal on it is washed "
            "away; those face down next to it turn up."
        )
    ]
    rows: list[Row] = [Select(_("Pick a row"), _row_choices(view, row))]
    if choices := _space_choices(view, row, space):
        rows.append(Select(_("Pick a space in row {row}", row=row), choices))
    if space is not None:
        effects = and_list(_effects(view.floods[space]))
        lines.append(_("Flooding **{space}** {effects}. {final}", space=space, effects=effects, final=_final()))
        rows.append((Button(_("Flood {space}", space=space), "play", draft, "good"),))
    return Panel("\n".join(lines), tuple(rows))


def _row_choices(view: TwoByTwoView, picked: str) -> tuple[Choice, ...]:
    """The rows in which something may be flooded, with the points to be had there."""
    points: dict[str, list[int]] = {}
    for space, flood in view.floods.items():
        points.setdefault(space[0], []).append(flood.points)
    return tuple(
        Choice(
            _("Row {row}", row=row),
            f"row {row}",
            plural("{n} space", "{n} spaces", len(floods))
            + " · "
            + plural("up to {n} point", "up to {n} points", max(floods)),
            chosen=row == picked,
        )
        for row, floods in points.items()
    )


def _space_choices(view: TwoByTwoView, row: str, picked: str | None) -> tuple[Choice, ...]:
    """The spaces of one row that may be flooded."""
    choices: list[Choice] = []
    for space, flood in view.floods.items():
        if space[0] == row:
            points, *others = _outlook(flood)
            emoji = EMOJI[flood.drowned] if flood.drowned else None
            choices.append(
                Choice(f"{space} · {points}", f"flood {space}", " · ".join(others), emoji, chosen=space == picked)
            )
    return tuple(choices)


def _ark_panel(view: TwoByTwoView, moves: tuple[str, ...], draft: str, people: People) -> Panel:
    """What the ark may do; the action that ends the turn is drafted first, the one before it is made at once."""
    lines = [renderer.tell(view.latest[0], people)]
    if view.may_undo:
        lines.append(renderer.tell(view.latest[-1], people))
    lines.append(
        plural(
            "**Your ark has {n} action left:** sail a step, or rescue a pair of which one is next to it.",
            "**Your ark has {n} actions:** sail a step, or rescue a pair of which one is next to it.",
            view.actions,
        )
    )
    if not view.rescues:
        lines.append(_("No pair can be rescued from where your ark lies."))
    rows = [*_directions(view, draft), *_pair_rows(view, draft)]
    last: list[Button] = []
    if draft in moves:
        lines.append(f"{_consequence(view, draft)} {_final()}")
        last.append(Button(_confirmation(view, draft), "play", draft, "good"))
    if draft != "done":
        last.append(Button(_("End turn"), "draft", "done"))
    if view.may_undo:
        last.append(Button(_("Take back"), "undo"))
    return Panel("\n".join(lines), (*rows, tuple(last)))


def _directions(view: TwoByTwoView, draft: str) -> list[Row]:
    """A button for each space around the ark, two a row as they lie around it."""
    buttons: list[Button] = []
    for arrow, space in _around(view).items():
        move = f"sail {space or arrow}"
        label = f"{arrow} {space}" if space else arrow
        style = "chosen" if draft == move else "plain"
        buttons.append(Button(label, _verb(view), move, style, enabled=space in view.sails))
    return [tuple(row) for row in pages(buttons, 2)]


def _pair_rows(view: TwoByTwoView, draft: str) -> list[Row]:
    """The list of pairs, nearest first, and the buttons that leaf through it."""
    pairs = _pairs(view)
    if not pairs:
        return []
    sheets = pages([f"rescue {one} {other}" for one, other in pairs])
    number = _page(draft, sheets)
    rows: list[Row] = [
        Select(_("Rescue a pair"), tuple(_pair_choice(view, move, draft) for move in sheets[number]), _verb(view))
    ]
    if len(sheets) > 1:
        rows.append(
            (
                Button(_("Nearer pairs"), "draft", f"page {number - 1}", enabled=number > 0),
                Button(_("Farther pairs"), "draft", f"page {number + 1}", enabled=number + 1 < len(sheets)),
            )
        )
    return rows


def _pair_choice(view: TwoByTwoView, move: str, draft: str) -> Choice:
    one, other = move.split(" ")[1:]
    emoji = EMOJI[view.face_up[one]]
    return Choice(_pair(view, one, other), move, _worth(view, one), emoji, chosen=move == draft)


def _page(draft: str, sheets: list[Sequence[str]]) -> int:
    """The sheet of pairs that a draft turns to, or that holds its pair."""
    if draft.startswith("page "):
        return max(0, min(int(draft.removeprefix("page ")), len(sheets) - 1))
    return next((number for number, sheet in enumerate(sheets) if draft in sheet), 0)


def _verb(view: TwoByTwoView) -> Literal["play", "draft"]:
    """The first action can be taken back and is made at once; the second is confirmed."""
    return "play" if view.actions == ACTIONS else "draft"


def _consequence(view: TwoByTwoView, move: str) -> str:
    match move.split(" "):
        case ["sail", space]:
            return _("You sail to **{space}**, and your turn ends.", space=space)
        case ["rescue", one, other]:
            return _("You rescue the **{pair}**, and your turn ends.", pair=_pair(view, one, other))
        case _:
            return plural(
                "You end your turn with {n} action to spare.",
                "You end your turn with {n} actions to spare.",
                view.actions,
            )


def _confirmation(view: TwoByTwoView, move: str) -> str:
    match move.split(" "):
        case ["sail", space]:
            return _("Sail to {space} and end your turn", space=space)
        case ["rescue", one, other]:
            return _("Rescue the {pair} and end your turn", pair=_pair(view, one, other))
        case _:
            return _("End your turn")


# Words


def _final() -> str:
    return _("This cannot be taken back.")


def _outlook(flood: Flood) -> list[str]:
    """What a flood does, in the words of a list; the points come first."""
    told = [plural("{n} point", "{n} points", flood.points)]
    if flood.drowned:
        told.append(_("washes away {animal}", animal=renderer.one(flood.drowned)))
    if flood.reveals:
        told.append(_("turns up {spaces}", spaces=", ".join(flood.reveals)))
    return told


def _effects(flood: Flood) -> list[str]:
    """What a flood does, as the ends of a sentence."""
    points, *others = _outlook(flood)
    return [_("gives you **{points}**", points=points), *others]


def _flood_label(view: TwoByTwoView, move: str) -> str:
    space = move.removeprefix("flood ")
    return " · ".join([space, *_outlook(view.floods[space])])


def _sail_label(view: TwoByTwoView, move: str) -> str:
    to = move.removeprefix("sail ")
    return next(f"{arrow} {space}" for arrow, space in _around(view).items() if space == to)


def _rescue_label(view: TwoByTwoView, move: str) -> str:
    one, other = move.removeprefix("rescue ").split(" ")
    return f"{_pair(view, one, other)} · {_worth(view, one)}"


def _pair(view: TwoByTwoView, one: str, other: str) -> str:
    """Two animals alike with their spaces, the nearer first."""
    near, far = sorted((one, other), key=lambda space: _steps(_ark(view), space))
    return _("{animals} {near} + {far}", animals=renderer.many(view.face_up[one]), near=near, far=far)


def _worth(view: TwoByTwoView, space: str) -> str:
    """What a pair of the animal on that space would add for the seat to move if the arks were counted now."""
    species, (seat,) = view.face_up[space], view.waiting
    aboard = view.held[seat] | {species: view.held[seat].get(species, 0) + 1}
    held = (*view.held[:seat], aboard, *view.held[seat + 1 :])
    more = sum(column.points[seat] for column in count_columns(held, view.count))
    more -= sum(column.points[seat] for column in view.columns)
    if species in STARS[seat]:
        return _("+{n} if the arks were counted now, doubled for you", n=more)
    return _("+{n} if the arks were counted now", n=more)


def _spaces_in(text: str, number: int) -> list[str]:
    """The first spaces of the board that are named in what somebody typed."""
    named = [word for word in re.findall(r"[A-Z]\d+", text.upper()) if word in PLACES]
    if len(named) < number:
        raise Refused("Name spaces as they stand on the board, for instance H12; pick one that is offered.")
    return named[:number]


# Places


def _ark(view: TwoByTwoView) -> str:
    """Where the ark of the seat to move lies."""
    return view.arks[view.waiting[0]]


def _around(view: TwoByTwoView) -> dict[str, str | None]:
    """The spaces around that ark by their direction; None beyond the rim of the board."""
    across, down = PLACES[_ark(view)]
    return {arrow: SPACE_AT.get((across + x, down + y)) for arrow, x, y in COMPASS}


def _steps(one: str, other: str) -> int:
    """How many steps lie between two spaces."""
    (x, y), (to_x, to_y) = PLACES[one], PLACES[other]
    down = abs(to_y - y)
    return down + max(0, abs(to_x - x) - down) // 2


def _pairs(view: TwoByTwoView) -> list[tuple[str, str]]:
    """The pairs that may be rescued, nearest first."""
    ark = _ark(view)
    return sorted(view.rescues, key=lambda pair: max(_steps(ark, space) for space in pair))


async def setup(bot: Dawdle) -> None:
    await bot.add_cog(TwoByTwoCog(bot))
