"""What every test has: a bot of its own in a world of its own, and no tolerance for logged errors."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from simcord.env import Env

from bot.client import Dawdle
from bot.client import make_bot as make_dawdle
from bot.config import Config
from bot.local import simcord_private as private
from tests.sim import Person, World


@pytest.fixture(autouse=True)
def nothing_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail any test during which an ERROR was logged: discord.py only logs much of what goes wrong."""
    yield
    records = [record for phase in ("setup", "call", "teardown") for record in caplog.get_records(phase)]
    bad = [record for record in records if record.levelno >= logging.ERROR]
    assert not bad, bad[0].exc_text or bad[0].getMessage()


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A configuration whose database is in a folder of its own."""
    return Config(token=None, database=tmp_path / "dawdle.sqlite3", heartbeat=3_600)


@pytest.fixture
def make_bot(config: Config) -> Callable[[], Dawdle]:
    """What makes a bot on that configuration, once a restart."""
    return lambda: make_dawdle(config)


@pytest.fixture
async def env(make_bot: Callable[[], Dawdle]) -> AsyncIterator[Env]:
    """The simulated Discord with the running bot; both, and the database, are closed in the end."""
    env = Env(make_bot(), shard_count=1)
    private.settle_quickly(env)
    await env.start()
    try:
        yield env
    finally:
        await env.shutdown()
        await env.bot.close()


@pytest.fixture
def world(env: Env, make_bot: Callable[[], Dawdle]) -> World:
    """A server with nine people, see tests/sim.py."""
    return World(env, make_bot)


@pytest.fixture
def mona(world: World) -> Person:
    """Somebody who manages the server."""
    return world.newcomer("mona", manager=True)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """No picture is drawn: for tests that are not about pictures."""

    async def picture(*_: Any) -> bytes:
        return b"a picture"

    for module in ("publish", "planner", "gamecog"):
        monkeypatch.setattr(f"bot.{module}.drawn", picture)
