"""A fifth game is three files: put into their folders, it is found and played to the end, and nothing is edited.

`tests/fifth_game` is the smallest complete game; its folders are added to the packages as if its files lay there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import bot.rules
import cogs
import renderers
from bot.rules import games
from tests.sim import Person, Room, World

FIFTH = Path(__file__).parent / "fifth_game"
MODULES = ("bot.rules.pebbles", "cogs.pebbles", "renderers.pebbles")


@pytest.fixture(autouse=True)
def fifth_game() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for package in (bot.rules, cogs, renderers):
            folder = FIFTH / package.__name__.split(".")[-1]
            patch.setattr(package, "__path__", [*package.__path__, str(folder)])
        games.cache_clear()
        yield
    games.cache_clear()
    for module in MODULES:
        sys.modules.pop(module, None)


MOST_PEBBLES = 9


async def play(world: World, room: Room, *players: Person) -> None:
    """Everybody takes one pebble whenever asked, until the last is gone."""
    for _ in range(MOST_PEBBLES):
        if "wins" not in room.last.text:
            asked = next(player for player in players if player.mention in room.last.text)
            await asked.slash("pebbles take", room, count=1)
    assert "takes the last pebble and wins." in room.last.text


async def test_the_game_is_played_to_the_end(world: World) -> None:
    await world.bob.slash("pebbles new", players=2)
    await world.carol.press(world.games.last, "Join")
    (room,) = world.games.threads
    assert "how many pebbles" in room.last.text
    assert room.last.pictures[0].alt.endswith("left.")
    await world.restart()
    await play(world, room, world.bob, world.carol)


async def test_its_planner_is_on_the_board(world: World) -> None:
    await world.bob.slash("pebbles new", players=2)
    await world.carol.press(world.games.last, "Join")
    (room,) = world.games.threads
    asked = world.bob if world.bob.mention in room.last.text else world.carol
    planner = await asked.press(room.last, "My move")
    assert planner.ephemeral
    await asked.press(planner.post, "Take 3")
    assert "takes 3." in room.last.text


async def test_a_robot_plays_it_by_chance(world: World) -> None:
    await world.bob.slash("pebbles new", players=2)
    await world.bob.press(world.games.last, "robot")
    (room,) = world.games.threads
    await play(world, room, world.bob)


async def test_it_stands_in_the_help(world: World) -> None:
    answer = await world.bob.slash("games help")
    assert "`/pebbles new` · Pebbles (2-4)" in answer.text
