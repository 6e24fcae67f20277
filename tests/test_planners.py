"""Whatever a planner, a form, a board or a lobby may ask fits what Discord takes, and every control in it works."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import discord
import pytest

import cogs
from bot import panels, publish, words
from bot.client import make_bot
from bot.config import Config
from bot.deadlines import Pace
from bot.gamecog import GameCog
from bot.menu import Panel, Select
from bot.press import Press
from bot.rules.base import Game
from bot.table import ANYBODY, ROBOT_NAMES, Seat, Table
from tests.sim import World
from tests.test_contract import CASES, Case, playout

BUTTON, SELECT, INPUT, TEXT, GALLERY, ROW, LABEL = 2, 3, 4, 10, 12, 1, 18

NAMES = (
    "W" * 32,
    "𝕎" * 32,
    "*_~`|>#[]()<@!&1>" + "\\" * 15,
    "@everyone",
    "https://discord.gg/example",
    "\u202eנשמה\u202c \u200f",
    "# - > 1. \n**bold** ||spoiler||",
    "👩‍👩‍👧‍👦🏴‍☠️" * 3,
    "\u200b\u2060",
)
"""Names at their worst: wide, all markup, calling everybody, a link, right to left, lines, and nothing visible."""

DRAFTS = 30
"""Drafts of one seat that are looked at in one position."""

GARBAGE = ("", "?", "0", "-1", "9999", "pair 1", "place", "move A", "yes", "🐘", "a" * 60, "1 2 3 4", "None")


def game_cogs() -> dict[str, GameCog]:
    """The cogs of all games, without a bot."""
    found: dict[str, GameCog] = {}
    for module in pkgutil.iter_modules(cogs.__path__):
        for thing in vars(importlib.import_module(f"cogs.{module.name}")).values():
            if isinstance(thing, type) and issubclass(thing, GameCog) and thing is not GameCog:
                found[thing.game.name] = thing(cast(Any, None))
    return found


COGS = game_cogs()


def table_at(position: Game, seats: int, options: Any) -> Table:
    """A running table in that position whose players have the worst names."""
    return Table(
        id=9_999_999,
        game=position.name,
        guild=2**62,
        channel=2**62,
        place=2**62,
        host=1,
        state="over" if position.outcome() else "running",
        options=options,
        most=seats,
        least=2,
        pace=Pace(),
        thread=True,
        seats=tuple(Seat(2**62 + number, NAMES[number]) for number in range(seats)),
        rules=position.version,
        position=position,
        deadline=1_800_000_000,
    )


def parts(payload: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for part in payload:
        yield part
        yield from parts([*part.get("components", ()), *([part["component"]] if "component" in part else ())])


def assert_fits(view: discord.ui.View | discord.ui.LayoutView) -> list[str]:
    """The addresses of its controls, after a look at everything that Discord limits."""
    payload = view.to_components()
    every = list(parts(payload))
    addresses = [part["custom_id"] for part in every if "custom_id" in part]
    assert len(addresses) == len(set(addresses)), "an address comes twice"
    assert all(0 < len(address) <= 100 and Press.parse(address) for address in addresses)
    assert len(every) <= 40
    assert sum(len(part["content"]) for part in every if part["type"] == TEXT) <= 4_000
    assert all(part["content"] for part in every if part["type"] == TEXT)
    assert isinstance(view, discord.ui.LayoutView) or len(payload) <= 5
    for part in every:
        if part["type"] == ROW:
            kinds = [item["type"] for item in part["components"]]
            assert kinds == [SELECT] or (set(kinds) == {BUTTON} and len(kinds) <= 5)
        elif part["type"] == BUTTON:
            assert part.get("label") or part.get("emoji")
            assert len(part.get("label") or "") <= 80
        elif part["type"] == SELECT:
            assert_fits_in_a_list(part)
        elif part["type"] == GALLERY:
            assert all(len(item.get("description") or "") <= 1_024 for item in part["items"])
    return addresses


def assert_fits_in_a_list(part: dict[str, Any]) -> None:
    options = part["options"]
    values = [option["value"] for option in options]
    assert 1 <= len(options) <= 25 and len(values) == len(set(values))
    assert all(0 < len(value) <= 100 for value in values)
    assert all(0 < len(option["label"]) <= 100 for option in options)
    assert all(len(option.get("description") or "") <= 100 for option in options)
    assert len(part.get("placeholder") or "") <= 150
    assert 0 <= part.get("min_values", 1) <= part.get("max_values", 1) <= len(options)
    assert sum(bool(option.get("default")) for option in options) <= part.get("max_values", 1)


def controls(panel: Panel) -> Iterator[tuple[str, str]]:
    """Verb and argument of everything that can be pressed."""
    for row in panel.rows:
        if isinstance(row, Select):
            yield from ((row.verb, choice.argument) for choice in row.choices)
        else:
            yield from ((button.verb, button.argument) for button in row if button.enabled)


def assert_form_fits(cog: GameCog, name: str, position: Game, seat: int, table: Table) -> None:
    spec = cog.form(name, position.view(seat), "")
    modal = panels.form(spec, name, table.id, table.turn, seat)
    payload = modal.to_dict()
    assert 1 <= len(payload["title"]) <= 45 and 1 <= len(payload["components"]) <= 5
    assert len(payload["custom_id"]) <= 100
    for part in parts(cast(Any, payload["components"])):
        if part["type"] == LABEL:
            assert 1 <= len(part["label"]) <= 45
        elif part["type"] == SELECT:
            assert_fits_in_a_list(part)
        elif part["type"] == INPUT:
            assert 1 <= part.get("max_length", 4_000) <= 4_000
            assert len(part.get("value") or "") <= part.get("max_length", 4_000)


def some_cases() -> list[Case]:
    """Of every game the fewest and the most seats, and of those every variant."""
    return [case for case in CASES if case.seats in (case.game.players[0], case.game.players[-1]) and case.name in COGS]


@pytest.mark.parametrize("case", some_cases(), ids=str)
def test_every_planner_fits_and_whatever_it_offers_is_accepted(case: Case) -> None:
    cog = COGS[case.name]
    seen = 0
    for position in playout(case).samples:
        table = table_at(position, case.seats, case.options)
        for seat in range(case.seats):
            moves = position.moves(seat)
            if not moves:
                continue
            view, described = position.view(seat), cog.renderer.describe(position.view(seat), words.plain_people(table))
            drafts, done = [""], set[str]()
            while drafts and len(done) < DRAFTS:
                draft = drafts.pop(0)
                done.add(draft)
                panel = cog.panel(view, moves, draft, words.post_people(table))
                assert panel.text.strip()
                assert len(panel.text) <= panels.MOST_PANEL_TEXT, "a planner's text would be cut"
                assert_fits(panels.planner(panel, table.id, table.turn, seat, described))
                for verb, argument in controls(panel):
                    seen += 1
                    move = cog.completed(draft, argument, view) if verb == "draft" else argument
                    if verb == "draft" and move is None:
                        if argument not in done and argument not in drafts:
                            drafts.append(argument)
                    elif verb in ("play", "draft"):
                        assert move is not None
                        position.play(seat, move)
                    elif verb == "undo":
                        position.undo(seat)
                    else:
                        assert verb == "form"
                        assert_form_fits(cog, argument, position, seat, table)
            for garbage in GARBAGE:
                assert_fits(
                    panels.planner(
                        cog.panel(view, moves, garbage, words.post_people(table)), table.id, table.turn, seat, described
                    )
                )
    assert seen


@pytest.mark.parametrize("case", some_cases(), ids=str)
def test_every_board_fits_with_the_worst_names(case: Case) -> None:
    cog = COGS[case.name]
    told = 0
    for position in playout(case).samples:
        table = table_at(position, case.seats, case.options)
        people, plain, view = words.post_people(table), words.plain_people(table), position.view(None)
        assert_fits(publish._board_view(cog, table, view))
        events = cog.events(view)
        happened = [cog.told(event, people, {}) for event in events[told:]]
        told = len(events)
        content = publish._content(happened, [cog.renderer.ask(view, people), words.waiting_for(table, mention=True)])
        assert 0 < len(content) <= 2_000
        assert len(cog.renderer.describe(view, plain)) > 0
        assert "@everyone" not in content.replace("\\@everyone", "") and "https:" not in content
        assert len(cog.words_of(view, people)) <= 2_000


@pytest.mark.parametrize("name", sorted(COGS))
def test_every_lobby_fits_with_the_worst_names(name: str) -> None:
    cog, game = COGS[name], COGS[name].game
    for count in range(1, game.players[-1] + 1):
        labels = list(game.seat_choice.labels) if game.seat_choice else [None]
        seats = tuple(Seat(2**62 + n, NAMES[n], choice=labels[n % len(labels)]) for n in range(count))
        table = Table(
            id=9_999_999,
            game=name,
            guild=1,
            channel=2,
            place=None,
            host=2**62,
            state="open",
            options={},
            most=game.players[-1],
            least=game.players[0],
            pace=Pace(),
            thread=True,
            seats=seats,
            rules=1,
        )
        assert len(words.lobby(table)) <= 2_000
        assert_fits(panels.classic_view(cog.choice_rows(table), publish._lobby_buttons(table), table.id, -1))


def test_a_board_with_every_seat_on_offer_still_fits() -> None:
    for case in some_cases():
        position = playout(case).start
        table = table_at(position, case.seats, case.options)
        offered = tuple(Seat(seat.user, seat.name, offered=ANYBODY) for seat in table.seats)
        table = Table(**{**{f: getattr(table, f) for f in Table.__dataclass_fields__}, "seats": offered})
        assert_fits(publish._board_view(COGS[case.name], table, position.view(None)))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_a_post_is_only_a_name(name: str) -> None:
    shown = words.escape(name)
    assert "\n" not in shown and "\u202e" not in shown
    for mark in ("*", "_", "~", "`", "|", "#", "[", "]", "<", "@", ":"):
        assert shown.replace("\\\\", "").replace("\\" + mark, "").find(mark) < 0


def test_a_player_without_a_visible_name_has_one() -> None:
    case = next(case for case in some_cases() if case.name == "animal_crossing" and case.seats == 9)
    table = table_at(playout(case).start, 9, case.options)
    assert words.post_people(table)[8] == "Player 9" == words.plain_people(table)[8]


def test_robots_suffice_for_every_seat() -> None:
    assert len(set(ROBOT_NAMES)) >= max(game.players[-1] for game in (cog.game for cog in COGS.values())) - 1


# Commands


async def payload_of(folder: Path) -> list[dict[str, Any]]:
    bot = make_bot(Config(token=None, database=folder / "dawdle.sqlite3"))
    await bot.load_extension("bot.hall")
    for module in pkgutil.iter_modules(cogs.__path__):
        await bot.load_extension(f"cogs.{module.name}")
    return [command.to_dict(bot.tree) for command in sorted(bot.tree.get_commands(), key=lambda each: each.name)]


def length(command: dict[str, Any]) -> int:
    """The characters that Discord counts: names, descriptions and the values of choices."""
    own = len(command.get("name", "")) + len(command.get("description", "")) + len(str(command.get("value", "")))
    return own + sum(length(each) for each in (*command.get("options", ()), *command.get("choices", ())))


async def test_the_commands_are_within_discords_limits(tmp_path: Path) -> None:
    payload = await payload_of(tmp_path)
    assert len(payload) <= 100
    for command in payload:
        assert length(command) <= 8_000
        stack = [command]
        while stack:
            each = stack.pop()
            assert each["name"] == each["name"].lower() and 1 <= len(each["name"]) <= 32
            assert 1 <= len(each["description"]) <= 100
            assert len(each.get("options", ())) <= 25 and len(each.get("choices", ())) <= 25
            needed = [bool(option.get("required")) for option in each.get("options", ())]
            assert needed == sorted(needed, reverse=True)
            stack += each.get("options", ())


def sent(world: World) -> int:
    """How often the bot has sent its commands."""
    return sum(request.method == "PUT" and request.path.endswith("/commands") for request in world.env.http_requests)


async def test_the_commands_are_sent_only_when_they_have_changed(world: World) -> None:
    assert sent(world) == 1
    for _ in range(2):
        await world.restart()
    assert sent(world) == 1


async def test_the_fingerprint_of_the_commands_is_stable(tmp_path: Path) -> None:
    texts = {hashlib.sha256(json.dumps(await payload_of(tmp_path), sort_keys=True).encode()).hexdigest() for _ in "ab"}
    code = (
        "import asyncio, hashlib, json, sys\nfrom pathlib import Path\nfrom tests.test_planners import payload_of\n"
        "text = json.dumps(asyncio.run(payload_of(Path(sys.argv[1]))), sort_keys=True)\n"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await child.communicate()
    assert texts == {said.decode().strip()}
