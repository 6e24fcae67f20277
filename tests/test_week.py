"""A week of four tables in the simulated Discord: posts, mentions, direct messages and reminders as people see them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from bot import inspection
from bot.config import Config
from bot.local import simcord_private as private
from bot.press import Press
from bot.robots import choose
from bot.rules import games
from bot.table import Table
from tests.sim import Person, World

pytestmark = pytest.mark.usefixtures("undrawn")

STEP = 8
"""Hours between two looks of everybody at their tables."""


async def running(world: World) -> list[Table]:
    return [await world.bot.tables.load(number) for number in await world.bot.store.running()]


async def answer(world: World, table: Table, seat: int, rng: Random) -> None:
    """The player of that seat answers as a robot would, by presses on the board."""
    (person,) = [person for person in world.people if person.id == table.seats[seat].user]
    turn, number = table.turn, table.id
    while table.turn == turn and seat in table.waiting:
        position = table.running()
        move = choose(table.game, position.view(seat), position.moves(seat), rng)
        await person.press_id(world.room(table.place or 0).last, str(Press(number, turn, None, "play", move)))
        table = await world.bot.tables.load(number)


@dataclass
class Notifications:
    """Whom every message notified when it was sent, and when that was."""

    world: World
    seen: dict[int, tuple[datetime, tuple[int, ...]]] = field(
        default_factory=dict[int, tuple[datetime, tuple[int, ...]]]
    )

    def __post_init__(self) -> None:
        private.watch(self.world.env, self._look)

    def _look(self, room_id: int) -> None:
        number = private.newest_message(self.world.env, room_id)
        message = None if number in self.seen else private.message_of(self.world.env, room_id, number)
        if message is not None:
            self.seen[number] = (self.world.now(), tuple(message.ping_user_ids))

    def of(self, person: Person) -> list[datetime]:
        """When that person was mentioned, by the clocks of Berlin."""
        return [when.astimezone(ZoneInfo("Europe/Berlin")) for when, users in self.seen.values() if person.id in users]


async def test_a_week(world: World, config: Config, capsys: pytest.CaptureFixture[str]) -> None:
    rng, notified = Random(7), Notifications(world)
    world.bot.tables.rng = rng
    names = {cog.game.name: cog.__cog_group_name__ for cog in world.bot.game_cogs()}
    assert names.keys() == games().keys()
    await world.alice.slash("games notify", quiet_from="22:00", quiet_to="07:00", zone="Europe/Berlin")
    await world.bob.slash("games notify", where="direct", half_time=True)
    await world.carol.slash("games notify", where="both", last_one=True)
    players = (world.alice, world.bob, world.carol, world.dave, world.erin, world.frank)
    for turned, name in enumerate(names.values()):
        people = (*players[turned:], *players[:turned])[:3]
        await people[0].slash(f"{name} new", players=3)
        for person in people[1:]:
            await person.press(world.games.last, "Join")
    assert len(await running(world)) == 4
    world.fail("closed DMs", world.dave.dm)
    silent: set[int] = {world.erin.id}

    for step in range(7 * 24 // STEP):
        await world.wait(hours=STEP)
        match step:
            case 6:
                await world.restart()
                world.bot.tables.rng = rng
            case 9:
                await world.frank.leave()
                silent.add(world.frank.id)
            case 12:
                await world.carol.slash("games away", until="2 days")
            case _:
                pass
        for table in await running(world):
            for seat in table.owing:
                user = table.seats[seat].user
                if user not in silent and table.seats[seat].away is None and rng.random() < 0.6:
                    now = await world.bot.tables.load(table.id)
                    if now.turn == table.turn and seat in now.owing:
                        await answer(world, now, seat, rng)

    assert len(notified.of(world.alice)) > 5 and all(7 <= when.hour < 22 for when in notified.of(world.alice))
    assert notified.of(world.dave) and not notified.of(world.bob)
    tables = [await world.bot.tables.load(number) for number in range(1, 5)]
    assert all(table.turn > 3 or table.state == "over" for table in tables)
    for person in (world.erin, world.frank):
        assert any(table.robot_plays(table.seat_of(person.id)) for table in tables if table.seated(person.id))
    assert await inspection.check(config) == 0
    assert "4 tables, 0 findings." in capsys.readouterr().out
