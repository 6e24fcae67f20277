"""Who may import what, and what nobody may call: the design, as a test.

The first row of LAYERS that fits a file holds; a name in it also stands for everything below.  A particular
game may be imported only by its own robot, cog and renderer.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib import import_module
from inspect import isclass
from pathlib import Path

import pytest

from bot.rules import games
from bot.rules.base import Game

ROOT = Path(__file__).parents[1]

LAYERS: dict[str, tuple[str, ...]] = {
    "bot/rules/base.py": (),
    "bot/rules/*": ("bot.rules.base",),
    "bot/robots/*": ("bot.rules",),
    "bot/locales/*": (),
    "bot/menu.py": (),
    "bot/press.py": (),
    "bot/config.py": ("dotenv",),
    "bot/deadlines.py": (),
    "bot/drawing.py": (),
    "bot/outbox.py": (),
    "bot/snapshot.py": ("cattrs", "bot.rules"),
    "bot/store/*": ("aiosqlite", "bot.store"),
    "bot/settings.py": ("bot.deadlines", "bot.snapshot", "bot.store"),
    "bot/table.py": ("bot.deadlines", "bot.robots", "bot.rules", "bot.store"),
    "bot/results.py": ("bot.store", "bot.table"),
    "bot/tables.py": (
        *("bot.deadlines", "bot.reminders", "bot.results", "bot.rules", "bot.snapshot", "bot.store", "bot.table"),
    ),
    "bot/reminders.py": ("bot.deadlines", "bot.store", "bot.table"),
    "bot/wishes.py": ("bot.snapshot", "bot.store"),
    "bot/membership.py": ("bot.table", "bot.tables"),
    "bot/notices.py": (
        *("bot.deadlines", "bot.locales", "bot.reminders", "bot.rules", "bot.store", "bot.table", "bot.tables"),
        *("bot.wishes", "bot.words"),
    ),
    "bot/record.py": ("bot.rules", "bot.snapshot"),
    "bot/clock.py": ("bot.deadlines", "bot.rules", "bot.store", "bot.table", "bot.tables"),
    "bot/answers.py": ("discord", "aiohttp"),  # whose errors discord.py lets through
    "bot/local/*": ("simcord", "aiohttp", "discord", "bot"),
    "bot/__main__.py": ("discord", "bot"),
    "bot/hall/examination.py": ("discord", "bot", "renderers"),
    "bot/hall/standings.py": ("discord", "bot", "renderers"),
    "bot/*": ("discord", "bot", "cogs", "renderers.people"),
    "cogs/*": ("discord", "bot", "renderers"),
    "renderers/assets/build.py": ("PIL", "renderers", "resvg_py", "fontTools"),
    "renderers/*": ("PIL", "renderers", "bot.locales", "bot.rules"),
}
GAMES = ("bot/robots", "cogs", "renderers")
"""Where `<game>.py` and `<game>_….py` may import the game of that name."""

ONLY_FROM = {"bot.local": ("bot/__main__.py", "bot/local/*")}

FORBIDDEN = {
    "datetime.now": "the simulated Discord cannot move it: use discord.utils.utcnow",
    "datetime.utcnow": "the simulated Discord cannot move it: use discord.utils.utcnow",
    "time.time": "the simulated Discord cannot move it: use discord.utils.utcnow",
    "asyncio.Queue": "waiting on it never settles",
    "asyncio.Event": "waiting on it never settles",
    "asyncio.timeout": "waiting on it never settles",
    "asyncio.wait_for": "waiting on it never settles",
}

FILES = sorted(
    path.relative_to(ROOT).as_posix() for top in ("bot", "cogs", "renderers") for path in (ROOT / top).rglob("*.py")
)
PICTURES_AND_ROBOTS = [file for file in FILES if file.startswith(("renderers/", "bot/robots/"))]
PRODUCTION = [file for file in FILES if not file.startswith(("renderers/", "bot/local/"))]


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").exists() or path.is_dir()


def imports(file: str) -> Iterator[str]:
    """Every module that the file imports, anywhere in it."""
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{file}:{node.lineno} imports relatively"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if is_module(inner) else node.module


def within(module: str, names: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(name + ".") for name in names)


def game_of(module: str) -> str | None:
    """The particular game that a module belongs to."""
    parts = module.split(".")
    if parts[:1] in (["cogs"], ["renderers"]) and len(parts) > 1:
        name = parts[1]
    elif parts[:2] in (["bot", "rules"], ["bot", "robots"]) and len(parts) > 2:
        name = parts[2]
    else:
        return None
    return next((game for game in games() if name == game or name.startswith(f"{game}_")), None)


def complaints(file: str) -> Iterator[str]:
    allowed = next(names for pattern, names in LAYERS.items() if fnmatch(file, pattern))
    for module in imports(file):
        top, game = module.split(".")[0], game_of(module)
        if top in sys.stdlib_module_names:
            continue
        if not within(module, allowed):
            yield f"{file} imports {module}"
        if game and not any(fnmatch(file, f"{folder}/{game}{rest}.py") for folder in GAMES for rest in ("", "_*")):
            yield f"{file} imports the game {game}"
        for quarantined, users in ONLY_FROM.items():
            if within(module, (quarantined,)) and not any(fnmatch(file, user) for user in users):
                yield f"{file} imports {module}"


@pytest.mark.parametrize("file", FILES)
def test_every_file_keeps_to_its_layer(file: str) -> None:
    assert list(complaints(file)) == []


@pytest.mark.parametrize("file", PICTURES_AND_ROBOTS)
def test_pictures_and_robots_never_see_a_position(file: str) -> None:
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if isinstance(node, ast.Import):
            assert not any(within(alias.name, ("bot.rules",)) for alias in node.names), f"{file}:{node.lineno}"
        elif isinstance(node, ast.ImportFrom) and within(node.module or "", ("bot.rules",)):
            for alias in node.names:
                member = getattr(import_module(node.module or ""), alias.name)
                assert not (isclass(member) and issubclass(member, Game)), f"{file} imports {alias.name}"


@pytest.mark.parametrize("file", [file for file in FILES if file.startswith("bot/rules/")])
def test_rules_know_no_clock_no_database_and_no_dice_of_their_own(file: str) -> None:
    assert not set(imports(file)) & {"asyncio", "sqlite3", "time", "datetime", "secrets", "threading", "os"}
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            assert [alias.name for alias in node.names] == ["Random"], f"{file}:{node.lineno}"
        assert not (isinstance(node, ast.Import) and node.names[0].name == "random"), f"{file}:{node.lineno}"


@pytest.mark.parametrize("file", PRODUCTION)
def test_nothing_the_simulated_clock_cannot_move(file: str) -> None:
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            for forbidden, why in FORBIDDEN.items():
                assert not f".{name}".endswith(f".{forbidden}"), f"{file}:{node.lineno} {name}: {why}"
        elif isinstance(node, ast.ImportFrom) and node.module in ("time", "asyncio"):
            taken = {f"{node.module}.{alias.name}" for alias in node.names}
            assert not taken & FORBIDDEN.keys(), f"{file}:{node.lineno}"


def test_the_table_bites() -> None:
    """The checks above are not vacuous: they see imports inside functions, and know the games."""
    assert "simcord" in set(imports("bot/local/simcord_private.py"))
    assert game_of("bot.rules.this_town") == game_of("renderers.this_town") == "this_town"
    assert game_of("bot.rules.base") is None and game_of("renderers.canvas") is None
