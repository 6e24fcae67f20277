"""The clock over days: what is due happens to the second, nothing is asked again and again, and no flood is sent."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

import bot
from bot.client import Dawdle
from bot.config import Config
from bot.deadlines import DAY, HOUR
from bot.outbox import RATE, Outbox, Urgency
from bot.tables import to_row
from tests.animals import Animals, started
from tests.sim import World
from tests.slow import dealt

TABLES = 1_000
T = TypeVar("T")

LAST = 96
"""Hours until the policy is applied: one day for the question, two in the bank, and one of grace."""


pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A bot whose heart beats once an hour, as its days fly."""
    return Config(token=None, database=tmp_path / "dawdle.sqlite3", heartbeat=HOUR)


async def stewards(table: Animals) -> list[str]:
    """Whom a robot plays for."""
    return sorted(seat.name for seat in (await table.stored()).seats if seat.steward)


# What falls due


async def test_without_an_answer_people_are_named_then_played_for_until_they_act(world: World) -> None:
    table = await started(world)
    await table.choose(world.alice, "mouse")
    await world.wait(hours=23)
    assert "Late" not in table.board.text
    await world.wait(hours=2)
    assert "Late: " in table.board.text and world.bob.mention in table.board.text
    assert world.alice.mention not in table.board.text
    assert await stewards(table) == []
    await world.wait(hours=LAST - 26)
    assert await stewards(table) == []
    await world.wait(hours=2)
    assert await stewards(table) == ["Bob", "Carol"]
    assert "boarding is open" in table.room.text
    planner = await world.bob.press(table.board, "My move")
    await world.bob.press(planner.post, "board A")
    assert await stewards(table) == ["Carol"]


async def test_the_bell_ends_boarding_to_the_second(world: World) -> None:
    table = await started(world)
    await table.choose_all("mouse")
    deadline = (await table.stored()).deadline
    assert deadline is not None
    left = deadline - world.now().timestamp()
    await world.wait(seconds=left - 1)
    assert (await table.stored()).turn == 2
    await world.wait(seconds=2)
    assert (await table.stored()).turn == 3
    assert "**Round 2** begins" in table.board.text
    assert [line.move for line in await world.bot.store.log(table.number)][-1] == "bell"
    assert await stewards(table) == []


async def test_a_deadline_that_passed_while_the_bot_was_down_is_given_back(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    before = (await table.stored()).deadline
    assert before is not None
    await world.bot.close()
    world.env.backend.clock.advance(3 * DAY)
    await world.env.restart_bot(world._make_bot())
    await world.wait(seconds=5)
    stored = await table.stored()
    assert stored.turn == 2 and stored.deadline is not None
    assert stored.deadline - before >= 3 * DAY - HOUR
    assert f"<t:{stored.deadline}:R>" in table.board.text


async def test_what_is_due_is_rung_once_however_often_the_clock_looks(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    await world.wait(hours=25)
    turn = (await table.stored()).turn
    for _ in range(3):
        await world.bot.clock.tick()
    await asyncio.gather(*(world.bot.clock.tick() for _ in range(3)))
    assert (await table.stored()).turn == turn == 3


async def test_the_last_answer_and_the_bell_at_once_end_the_round_once(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    for person in (world.alice, world.bob):
        await person.press(table.board, "play:ready")
    tables = world.bot.tables
    deadline = (await table.stored()).deadline
    assert deadline is not None
    now, tables.now = tables.now, lambda: deadline + 1
    listeners, tables.listeners = tables.listeners, []
    await asyncio.gather(
        tables.ring(table.number), tables.play(table.number, world.carol.id, ["ready"], 2), return_exceptions=True
    )
    tables.now, tables.listeners = now, listeners
    await world.wait(hours=1)
    assert (await table.stored()).turn == 3
    assert len([post for post in table.room.posts if "**Round 2** begins" in post.text]) == 1


# No polling


async def test_a_quiet_week_is_slept_through(world: World) -> None:
    table = await started(world)
    running: Dawdle = world.bot
    ticks = 0
    tick = running.clock.tick

    async def counted() -> int:
        nonlocal ticks
        ticks += 1
        return await tick()

    running.clock.tick = counted  # type: ignore[method-assign]
    sent = len(world.env.http_requests)
    await world.wait(days=7)
    assert (await table.stored()).version > 1
    assert ticks <= 250
    assert len(world.env.http_requests) - sent <= 60


async def test_a_lost_place_does_not_keep_the_clock_busy(world: World) -> None:
    table = await started(world, thread=False)
    world.fail("missing access", world.games)
    world.fail("missing access", world.games, "edit")
    await world.bob.press(world.bob.dm.last, "dog")
    before = world.calls("send", world.games) + world.calls("edit", world.games)
    await world.wait(days=7)
    tries = world.calls("send", world.games) + world.calls("edit", world.games) - before
    assert 7 <= tries <= 60
    assert (await world.bot.store.table(table.number)).parked is not None


async def test_nothing_waits_but_the_scheduler(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    await world.settle()
    home = str(Path(bot.__file__).parent)
    ours = [
        task.get_name()
        for task in asyncio.all_tasks()
        if getattr(getattr(task.get_coro(), "cr_code", None), "co_filename", "").startswith(home)
    ]
    assert ours == []


# Floods


class FlyingSelector(selectors.DefaultSelector):
    """Waits for nothing that is scheduled: its own time flies there instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0
        return super().select(None if timeout is None else 0)


class FlyingLoop(asyncio.SelectorEventLoop):
    """An event loop without waiting."""

    def __init__(self) -> None:
        self._selected = FlyingSelector()
        super().__init__(self._selected)

    def time(self) -> float:
        return self._selected.now


def flown(flight: Callable[[Outbox], Coroutine[Any, Any, T]]) -> T:
    """What that coroutine returns when time flies."""
    with asyncio.Runner(loop_factory=FlyingLoop) as runner:
        return runner.run(flight(Outbox(lambda: runner.get_loop().time())))


def steady(moments: Sequence[float]) -> bool:
    """Whether there are never more requests in one second than are allowed."""
    return all(later - first >= 0.999 for first, later in zip(moments, moments[RATE:], strict=False))


def test_a_thousand_tables_due_in_one_minute_make_at_most_25_requests_a_second() -> None:
    """Each edits its board, posts another and writes to two people, all of which takes a while."""

    async def flight(outbox: Outbox) -> list[float]:
        loop, rng, sent = asyncio.get_running_loop(), Random(1), list[float]()

        async def table(due: float) -> None:
            await asyncio.sleep(due)
            for urgency in (Urgency.BOARD, Urgency.BOARD, Urgency.DIRECT, Urgency.DIRECT):
                await outbox.turn(urgency)
                sent.append(loop.time())
                await asyncio.sleep(rng.uniform(0.05, 0.5))

        await asyncio.gather(*(table(60 * rng.random() ** 3) for _ in range(TABLES)))
        return sent

    sent = flown(flight)
    assert len(sent) == 4 * TABLES and steady(sent)
    assert sent[-1] <= 4 * TABLES / RATE + 5


def test_what_is_urgent_goes_first_and_who_gives_up_leaves_the_queue() -> None:
    async def flight(outbox: Outbox) -> list[str]:
        sent: list[str] = []

        async def send(urgency: Urgency) -> None:
            await outbox.turn(urgency)
            sent.append(urgency.name)

        upkeep = [asyncio.create_task(send(Urgency.UPKEEP)) for _ in range(100)]
        await asyncio.sleep(0.5)
        for task in upkeep[30:90]:
            task.cancel()
        boards = [asyncio.create_task(send(Urgency.BOARD)) for _ in range(30)]
        await asyncio.gather(*upkeep, *boards, return_exceptions=True)
        return sent

    sent = flown(flight)
    assert sent[:50] == ["UPKEEP"] * 25 + ["BOARD"] * 25
    assert sorted(sent[50:]) == ["BOARD"] * 5 + ["UPKEEP"] * 15


async def test_tables_due_in_the_same_second_are_all_told_at_a_steady_rate(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.workers.MOST", 8)  # the simulation looks at every waiting task again and again
    store, now, many = world.bot.store, world.bot.now(), 60
    table = dealt("two_by_two", now=now)
    await store._writer.execute("pragma synchronous = off")
    for number in range(many):
        room = world.channel(f"room-{number}")
        own = replace(table, guild=world.guild.id, channel=room.id, place=room.id, due=now + DAY)
        await store.add_table(to_row(own), [(seat.user, False) for seat in own.seats])
    row = to_row(table)
    await store._write("update tables set published = version, setup = ?, position = ?", (row.setup, row.position))
    await world.restart()
    sent: list[float] = []

    def heard(event: str, payload: Mapping[str, Any]) -> None:
        if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            sent.append(world.env.backend.clock.elapsed)

    world.env.backend.subscribers.append(heard)
    await world.wait(hours=23)
    assert not sent
    await world.wait(hours=2)
    assert len(sent) >= many and steady(sent)
    assert sent[-1] - sent[0] <= len(sent) / RATE + 5
    assert all([row.published == row.version async for row in world.bot.store.all_tables()])
