"""Tables of Animal Crossing in the simulated Discord, for tests of the core: open, fill, start and play them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from bot.rules.animal_crossing import ROUNDS
from bot.tables import Table
from renderers import animal_crossing as renderer
from tests.sim import Person, Post, Room, World


@dataclass
class Animals:
    """A table that people of the world sit at."""

    world: World
    number: int
    lobby: Post
    people: tuple[Person, ...]

    @property
    def room(self) -> Room:
        """Where it is played: the thread of its lobby, or else the channel."""
        channel = self.world.room(self.lobby.room_id)
        return next((thread for thread in channel.threads if thread.id == self.lobby.id), channel)

    @property
    def board(self) -> Post:
        """The newest board: the last post with a picture."""
        return next(post for post in reversed(self.room.posts) if post.pictures)

    async def stored(self) -> Table:
        """The table as it is stored now."""
        return await self.world.bot.tables.load(self.number)

    async def choose(self, person: Person, animal: str) -> None:
        """That person chooses an animal in the planner in the direct messages."""
        answer = await person.press(person.dm.last, f"play:choose {animal}")
        assert "Stored at" in answer.text or "this question is answered" in answer.text

    async def choose_all(self, animal: str = "mouse") -> None:
        """Everybody chooses that animal, so that boarding begins."""
        for person in self.people:
            await self.choose(person, animal)

    async def play_out(self, *routes: str) -> None:
        """All five rounds, as told for each person: an animal, and `board A` and the like or `stay`.

        Nothing is shown before the last move.
        """
        tables = self.world.bot.tables
        listeners, tables.listeners = tables.listeners, []
        told = [(person, *route.split(" ", 1)) for person, route in zip(self.people, routes, strict=True)]
        for number in range(1, ROUNDS + 1):
            for person, animal, _place in told:
                await tables.play(self.number, person.id, [f"choose {animal}"])
            for person, _animal, place in told:
                await tables.play(self.number, person.id, [place])
            for person in self.people[:-1]:
                await tables.play(self.number, person.id, ["ready"])
            if number < ROUNDS:
                await tables.play(self.number, self.people[-1].id, ["ready"])
        tables.listeners = listeners
        await self.people[-1].slash("animals ready", self.room)


def draw_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No board is drawn: for tests that are not about its picture."""
    monkeypatch.setattr(renderer, "draw", lambda *_: b"a picture")


async def opened(world: World, *people: Person, seats: int = 3, room: Room | None = None, **options: Any) -> Animals:
    """An open table at which those people sit, the first of them its host."""
    room = room or world.games
    host, *guests = people
    await host.slash("animals new", room, players=seats, **options)
    lobby = room.last
    for guest in guests:
        await guest.press(lobby, "Join")
    rows = await world.bot.store.tables_in(room.id)
    return Animals(world, rows[0].id, lobby, people)


async def started(world: World, *people: Person, **options: Any) -> Animals:
    """A table that has just started because all its seats are taken; alice, bob and carol if nobody is named."""
    people = people or (world.alice, world.bob, world.carol)
    return await opened(world, *people, seats=len(people), **options)
