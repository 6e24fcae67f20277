"""Nobody learns a secret: the same table played twice with other secrets looks the same to everybody else.

A scenario plays one table with one of two secrets.  Whatever anybody but the `insiders` could see is compared: posts,
edits and deletions in their order and at their time, files, alt text, labels, addresses of buttons, other players'
direct messages and private answers, and the log.  Another game joins by one more scenario.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from simcord.env import Env

from bot.client import make_bot
from bot.config import Config
from bot.local import simcord_private as private
from tests.sim import Person, Room, World

EPHEMERAL = 64
WATCHED = {"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "THREAD_CREATE", "THREAD_UPDATE", "CHANNEL_UPDATE"}


@dataclass
class Witness:
    """Notes what everybody but the insiders can see."""

    world: World
    insiders: tuple[Person, ...]
    seen: list[tuple[int, str]] = field(default_factory=list)
    """In which room, and what."""

    def __post_init__(self) -> None:
        self.begun = self.world.now()
        self.world.env.backend.subscribers.append(self._heard)

    def _heard(self, event: str, payload: Mapping[str, Any]) -> None:
        closed = {person.dm.id for person in self.insiders}
        if event not in WATCHED or int(payload.get("channel_id") or 0) in closed:
            return
        if not int(payload.get("flags") or 0) & EPHEMERAL:
            self.note(event, dict(payload))

    def note(self, kind: str, payload: Any) -> None:
        """Notes that, with files by their content."""

        def plain(value: Any) -> Any:
            if isinstance(value, Mapping):
                url = value.get("url")
                if isinstance(url, str) and (content := self.world.env.backend.cdn.get(url)) is not None:
                    value = {**value, "url": hashlib.sha256(content).hexdigest(), "proxy_url": ""}
                return {key: plain(each) for key, each in value.items()}
            return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value

        line = f"{kind} {json.dumps(plain(payload), sort_keys=True, default=str)}"
        self.seen.append((int(payload.get("channel_id") or 0), line))

    async def at(self, minute: int) -> None:
        """Waits until that minute since the beginning, so that both plays act at the same times."""
        passed = (self.world.now() - self.begun).total_seconds()
        assert passed <= minute * 60, f"minute {minute} has passed"
        await self.world.wait(seconds=minute * 60 - passed)

    async def ask(self, person: Person, button: str, room: Room) -> None:
        """Notes what that person is answered privately."""
        board = next(post for post in reversed(room.posts) if "My move" in post.labels)
        answer = await person.press(board, button)
        for post in answer.posts:
            self.note(f"answer to {person.name}", post.payload)

    def testimony(self) -> list[str]:
        """All that was seen, room by room, with every id replaced by the order in which ids were seen.

        Two rooms are written to side by side: which of them is first is chance.
        """
        order: dict[str, str] = {}
        lines = [line for _, line in sorted(self.seen, key=lambda seen: seen[0])]
        return [
            re.sub(r"\d{17,20}", lambda found: order.setdefault(found[0], f"#{len(order)}"), line) for line in lines
        ]


Play = Callable[[World, Witness, int], Awaitable[None]]


@dataclass(frozen=True)
class Scenario:
    """One table, played with secret 0 or 1; `words` of it must not be logged."""

    name: str
    insiders: tuple[str, ...]
    play: Play
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name


async def animals_in_the_open(world: World, witness: Witness, secret: int) -> None:
    """Two rounds: one on the island and one alone on a raft that bears it; alice and bob change their minds as well."""
    alice, bob, carol = world.alice, world.bob, world.carol
    mine = (("mouse", "cat"), ("dog", "mouse"))[secret]
    theirs = (("cat", "elephant", "dog"), ("elephant",))[secret]
    await alice.slash("animals new", players=3)
    for person in (bob, carol):
        await person.press(world.games.last, "Join")
    room = world.games.threads[-1]
    for number, places in enumerate((("stay", "stay", "stay"), ("board A", "stay", "stay"))):
        begin = 30 * number
        await witness.at(begin + 1)
        for animal in theirs:
            await bob.press(bob.dm.last, f"choose {animal}")
        await witness.at(begin + 5)
        await alice.press(alice.dm.last, f"choose {mine[number]}")
        await witness.ask(carol, "My move", room)
        await witness.ask(world.dave, "Show", room)
        await witness.at(begin + 8)
        await carol.press(carol.dm.last, "choose dog")
        await witness.at(begin + 10)
        for person, place in zip((alice, bob, carol), places, strict=True):
            await person.press(room.last, place)
        await witness.ask(carol, "My move", room)
        for person in (alice, bob, carol):
            await witness.ask(world.dave, "Show", room)
            await person.press(room.last, "play:ready")
    await witness.ask(carol, "My move", room)


async def animals_in_the_dark(world: World, witness: Witness, secret: int) -> None:
    """Animals and places are chosen together, and the last ready is missing."""
    alice, bob, carol = world.alice, world.bob, world.carol
    await alice.slash("animals new", players=3, boarding="secret", scores="public", thread=False)
    for person in (bob, carol):
        await person.press(world.games.last, "Join")
    room = world.games
    for minute, person, moves in (
        (1, alice, (("choose mouse", "board A"), ("choose elephant", "board A", "board B"))[secret]),
        (2, bob, (("choose cat", "choose dog", "board B"), ("choose cat", "board A", "stay"))[secret]),
        (3, carol, ("choose dog", "board A")),
    ):
        await witness.at(minute)
        for move in moves:
            await person.press(person.dm.last, move)
    for minute, person in enumerate((alice, carol), 5):
        await witness.at(minute)
        await person.press(person.dm.last, "play:ready")
        await witness.ask(world.dave, "Show", room)
        await witness.ask(carol, "My move", room)
    await witness.at(60)


async def pairs_of_duos(world: World, witness: Witness, secret: int) -> None:
    """bob pairs in two ways, by taps and by commands, and locks; the last lock is missing."""
    bob, carol, dave = world.bob, world.carol, world.dave
    pairs = ((1, 2), (3, 4), (5, 6), (7, 8)), ((12, 5), (2, 9), (1, 10), (4, 7))
    await bob.slash("duos new", players=3)
    for person in (carol, dave):
        await person.press(world.games.last, "Join")
    room = world.games.threads[-1]
    for one, other in pairs[secret][:3]:
        await bob.slash("duos pair", room, one=str(one), other=str(other))
        await witness.ask(carol, "My move", room)
    for card in pairs[secret][3]:
        planner = bob.dm.last
        await bob.press(planner, planner.buttons[card - 1].custom_id)
    await witness.at(5)
    await bob.slash("duos lock", room)
    await witness.ask(world.erin, "Show", room)
    for one, other in pairs[0]:
        await carol.slash("duos pair", room, one=str(one), other=str(other))
    await carol.slash("duos lock", room)
    await witness.ask(world.erin, "Show", room)
    await witness.ask(dave, "My move", room)
    await witness.at(60)


async def reasons_in_duos(world: World, witness: Witness, secret: int) -> None:
    """The narrator, who is carol, types her pairs, says why, locks, and takes it all back; bob has locked before."""
    bob, carol, dave = world.bob, world.carol, world.dave
    pairs = ((1, 2), (3, 4), (5, 6), (7, 8)), ((12, 5), (2, 9), (1, 10), (4, 7))
    await bob.slash("duos new", players=3)
    for person in (carol, dave):
        await person.press(world.games.last, "Join")
    room = world.games.threads[-1]
    for minute, person, typed in ((1, bob, pairs[:1]), (5, carol, (pairs[1 - secret], pairs[secret])[secret:])):
        await witness.at(minute)
        for chosen in typed:
            form = await person.press(person.dm.last, "Type it")
            values = [[str(card) for card in pair] for pair in chosen]
            await person.fill(form, dict(zip(form.fields, values, strict=True)))
    form = await carol.press(carol.dm.last, "Because…")
    await carol.fill(form, {next(iter(form.fields)): ("moonlight", "because they rhyme")[secret]})
    await witness.at(8)
    await bob.press(bob.dm.last, "Lock in")
    for minute, button in ((10, "Lock in"), (15, "Unlock"), (20, "Clear")):
        await witness.at(minute)
        await carol.press(carol.dm.last, button)
        await witness.ask(bob, "My move", room)
        await witness.ask(dave, "My move", room)
        await witness.ask(world.erin, "Show", room)
    await witness.at(60)


SCENARIOS = [
    Scenario("animals in the open", ("alice", "bob"), animals_in_the_open, ("mouse", "elephant", "choose", "board A")),
    Scenario("animals in the dark", ("alice", "bob"), animals_in_the_dark, ("mouse", "elephant", "choose", "board A")),
    Scenario("pairs of duos", ("bob",), pairs_of_duos, ("pair 1 2", "pair 12 5")),
    Scenario("reasons in duos", ("bob", "carol"), reasons_in_duos, ("pair ", "moonlight", "rhyme", "1-2", "because")),
]


async def witnessed(scenario: Scenario, secret: int, folder: Path) -> list[str]:
    """What the outsiders see of that scenario with that secret, in a world of its own."""
    bot = make_bot(Config(token=None, database=folder / f"{secret}.sqlite3"))
    env = Env(bot, shard_count=1)
    private.settle_quickly(env)
    await env.start()
    try:
        bot.tables.rng = Random(3)
        world = World(env, lambda: bot)
        witness = Witness(world, tuple(getattr(world, name) for name in scenario.insiders))
        await scenario.play(world, witness, secret)
        return witness.testimony()
    finally:
        await env.shutdown()
        await bot.close()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
async def test_nobody_else_can_tell_one_secret_from_another(
    scenario: Scenario, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    seen: list[list[str]] = []
    logged: list[list[str]] = []
    for secret in (0, 1):
        caplog.clear()
        seen.append(await witnessed(scenario, secret, tmp_path))
        logged.append([f"{record.levelname} {record.getMessage()}" for record in caplog.records if is_ours(record)])
    assert len(seen[0]) > 10
    assert [line[:60] for line in seen[0]] == [line[:60] for line in seen[1]]
    for one, other in zip(*seen, strict=True):
        assert one == other
    assert logged[0] == logged[1]
    assert not [line for line in logged[0] for word in scenario.words if word in line]


def is_ours(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.INFO and record.name.split(".")[0] in ("bot", "cogs", "discord", "renderers")


async def test_the_harness_sees_what_is_public(tmp_path: Path) -> None:
    """Where an animal changes what happens in public, the comparison notices it."""

    async def careless(world: World, witness: Witness, secret: int) -> None:
        await animals_in_the_open(world, witness, 0)
        await world.alice.press(world.alice.dm.last, ("choose mouse", "choose elephant")[secret])
        for person in (world.bob, world.carol):
            await person.press(person.dm.last, "choose dog")
        for person, place in ((world.alice, "board A"), (world.bob, "stay"), (world.carol, "stay")):
            await person.press(world.games.threads[-1].last, place)
        for person in (world.alice, world.bob, world.carol):
            await person.press(world.games.threads[-1].last, "play:ready")

    scenario = Scenario("careless", ("alice", "bob"), careless)
    assert await witnessed(scenario, 0, tmp_path) != await witnessed(scenario, 1, tmp_path)


async def test_what_is_logged_names_no_move_no_view_and_no_token(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await world.alice.slash("animals new", players=3)
    for person in (world.bob, world.carol):
        await person.press(world.games.last, "Join")
    world.fail("server error", None, "edit answer")
    world.fail("closed DMs", world.bob.dm, "edit")
    await world.alice.press(world.alice.dm.last, "choose elephant")
    await world.bob.press(world.bob.dm.last, "choose cat")
    world.mend()
    await world.alice.press_id(world.alice.dm.last, "v1:1:1:0:play:choose unicorn")
    await world.wait(hours=30)
    said = [record.getMessage() + (record.exc_text or "") for record in caplog.records if is_ours(record)]
    assert said
    for secret in ("elephant", "choose", "unicorn", "token", "AnimalCrossing(", "View("):
        assert not [line for line in said if secret in line]
