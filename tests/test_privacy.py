"""What is stored about somebody can be seen and deleted, and nobody else loses anything by it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from bot.config import Config
from bot.inspection import check
from bot.rules.animal_crossing import AnimalCrossing
from tests.animals import Animals, draw_nothing, opened, started
from tests.sim import Person, Post, Room, World

PRIZES = ("dog board A", "cat board B", "dog stay")
"""15, 10 and 0 points with these loads."""


@pytest.fixture(autouse=True)
def loads(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_nothing(monkeypatch)
    monkeypatch.setattr(AnimalCrossing, "shuffle", lambda *_: {"loads": [[3, 5]] * 5})


async def export(person: Person, room: Room | None = None) -> dict[str, Any]:
    """What the file says."""
    answer = await person.slash("games privacy export", room)
    assert answer.ephemeral
    (file,) = answer.post.pictures
    assert file.name == "my-data.json"
    return json.loads(file.content)


async def delete(person: Person) -> Post:
    """Asks, confirms, and reads the answer."""
    asked = await person.slash("games privacy delete")
    assert asked.ephemeral and asked.post.labels == ["Delete it all"]
    await person.press(asked.post, "Delete it all")
    answer = asked.post.now()
    assert answer is not None
    return answer


def cells(config: Config) -> Iterator[tuple[str, Any]]:
    """Everything that is stored, with the name of its table."""
    with sqlite3.connect(config.database) as connection:
        names = [name for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")]
        for name in names:
            for row in connection.execute(f"select * from {name}"):
                yield from ((name, cell) for cell in row)


def traces(config: Config, *clues: object) -> set[str]:
    """The tables of the database in which any of these is still found."""
    return {name for name, cell in cells(config) if any(str(clue) in str(cell) for clue in clues)}


async def sound(world: World, config: Config) -> bool:
    return await check(config) == 0


# Export


async def test_the_file_holds_the_own_seats_moves_results_and_wishes(world: World) -> None:
    over = await started(world)
    await over.play_out(*PRIZES)
    running = await started(world)
    await running.choose(world.alice, "elephant")
    await world.alice.slash("games away", until="3 days")
    data = await export(world.alice)
    assert data["user"] == world.alice.id
    first, second = data["tables"]
    assert (first["table"], first["game"], first["state"], first["host"]) == (1, "animal_crossing", "over", True)
    assert [line["move"] for line in first["seats"][0]["log"]] == ["choose dog", "board A", "ready"] * 5
    assert second["seats"][0]["name"] == "Alice"
    assert [line["move"] for line in second["seats"][0]["log"]] == ["choose elephant"]
    assert [(row["won"], row["score"]) for row in data["results"]] == [(1, 15)]
    assert data["people"][0]["dm"] == world.alice.dm.id
    assert len(data["absences"]) == 1


async def test_the_file_holds_nothing_of_the_others_in_running_games(world: World) -> None:
    table = await started(world)
    await table.choose(world.bob, "elephant")
    text = json.dumps(await export(world.alice))
    for clue in (world.bob.id, world.carol.id, "Bob", "Carol", "elephant", "loads"):
        assert str(clue) not in text


async def test_a_seat_offered_to_somebody_else_tells_not_whom(world: World) -> None:
    table = await started(world)
    seat = (await table.stored()).seat_of(world.alice.id)
    await world.alice.slash("games replace", table.room, seat=seat + 1, member=world.dave)
    assert str(world.dave.id) not in json.dumps(await export(world.alice))
    assert (await export(world.dave))["tables"][0]["seats"] == []


async def test_the_file_of_a_stranger_is_empty_and_comes_in_direct_messages_too(world: World) -> None:
    data = await export(world.ivan, world.ivan.dm)
    assert data == {
        "user": world.ivan.id,
        "tables": [],
        **{name: [] for name in data if name not in ("user", "tables")},
    }


# Delete


async def test_nothing_is_deleted_without_the_button(world: World, config: Config) -> None:
    await started(world)
    before = set(cells(config))
    answer = await world.alice.slash("games privacy delete")
    assert "You give up your seat at 1 unfinished table." in answer.text
    assert traces(config, world.alice.id)
    assert {cell for cell in before if cell[0] != "people"} <= set(cells(config))


async def test_no_trace_is_left_anywhere(world: World, config: Config) -> None:
    over = await started(world)
    await over.play_out(*PRIZES)
    running = await started(world)
    await running.choose(world.alice, "elephant")
    await opened(world, world.alice, world.dave)
    guest = await opened(world, world.erin, world.alice)
    others = await started(world, world.bob, world.carol, world.dave)
    await world.bob.slash("games replace", others.room, seat=1, member=world.alice)
    await world.alice.slash("games notify", where="direct")
    await world.alice.slash("games away", until="3 days")
    assert traces(config, world.alice.id) >= {"tables", "seats", "people", "absences", "results"}
    answer = await delete(world.alice)
    assert answer.text == "Deleted. Nothing is stored about you any more." and not answer.buttons
    assert traces(config, world.alice.id, "Alice", world.alice.dm.id) == set()
    assert len((await world.bot.tables.load(guest.number)).seats) == 1
    assert await sound(world, config)


async def test_an_unfinished_seat_is_given_up_and_the_others_play_on(world: World, config: Config) -> None:
    table = await started(world)
    seat = (await table.stored()).seat_of(world.alice.id)
    await delete(world.alice)
    after = await table.stored()
    assert after.state == "running" and after.host in (world.bob.id, world.carol.id)
    assert after.seats[seat].user is None and after.seats[seat].name == f"Former player {seat + 1}"
    assert "Alice" not in table.board.text and f"Former player {seat + 1}" in table.board.text
    await table.choose(world.bob, "dog")
    await table.choose(world.carol, "dog")
    assert "boarding is open" in table.room.text
    assert await sound(world, config)


async def test_the_seat_given_up_may_be_taken_by_somebody_else(world: World) -> None:
    table = await started(world)
    seat = (await table.stored()).seat_of(world.alice.id)
    await delete(world.alice)
    await world.dave.press(table.board, "Take the seat of")
    assert (await table.stored()).seats[seat].user == world.dave.id


async def test_old_planners_are_closed(world: World) -> None:
    table = await started(world)
    await delete(world.alice)
    assert not any(post.buttons for post in world.alice.dm.posts)
    assert (await world.alice.press(table.board, "My move")).text == "You have no seat at this table."


async def test_the_results_of_the_others_stay(world: World) -> None:
    table = await started(world)
    await table.play_out(*PRIZES)
    await delete(world.alice)
    (picture,) = (await world.bob.slash("games leaderboard")).post.pictures
    assert picture.alt == "Leaderboard · all games. 1. Bob: 0 of 1 game won. 1. Carol: 0 of 1 game won."
    assert "No game has come to its end yet." in (await world.bob.slash("games stats", member=world.alice)).text
    assert "1 game, 2 players" in (await world.bob.slash("games stats", server=True)).text
    assert "Former player" in table.board.pictures[-1].alt and "Alice" not in table.board.text


async def test_deleting_a_game_of_one_player_and_robots_ends_it(world: World, config: Config) -> None:
    table = await opened(world, world.alice)
    for _ in range(2):
        await world.alice.press(table.lobby, "Add a robot")
    await delete(world.alice)
    assert (await table.stored()).state == "over"
    assert traces(config, world.alice.id, "Alice") == set()


async def test_a_rematch_without_the_one_who_is_forgotten_has_a_free_seat(world: World) -> None:
    table = await started(world)
    await table.play_out(*PRIZES)
    await delete(world.alice)
    await world.bob.press(table.board, "Rematch")
    new = await world.bot.tables.load(2)
    assert [seat.user for seat in new.seats] == [world.bob.id] and new.most == 3


async def test_deleting_twice_and_pressing_an_old_button_does_no_harm(world: World) -> None:
    await started(world)
    asked = await world.alice.slash("games privacy delete")
    first, second = await world.together(*(world.alice.pressing(asked.post, "Delete it all") for _ in range(2)))
    assert first.acknowledged and second.acknowledged
    assert "You have no seat" in (await world.alice.slash("games privacy delete")).text


async def test_deleting_works_after_a_restart_and_with_closed_direct_messages(world: World, config: Config) -> None:
    world.fail("closed DMs", world.alice.dm)
    await started(world)
    asked = await world.alice.slash("games privacy delete")
    await world.restart()
    await world.alice.press(asked.post, "Delete it all")
    assert traces(config, world.alice.id, "Alice") == set()


async def test_whoever_was_deleted_may_play_again(world: World) -> None:
    await started(world)
    await delete(world.alice)
    table: Animals = await started(world, world.alice, world.bob, world.carol)
    await table.choose(world.alice, "dog")
    assert [line["move"] for line in (await export(world.alice))["tables"][0]["seats"][0]["log"]] == ["choose dog"]
