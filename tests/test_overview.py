"""Where things stand: the standing post of a server, one's own tables, and why a table waits."""

from __future__ import annotations

import pytest

from tests.sim import Person, Post, Room, World
from tests.test_reminders import asked, seated

pytestmark = pytest.mark.usefixtures("undrawn")


def lines(post: Post) -> list[str]:
    return post.text.splitlines()


# The standing post


async def test_one_post_lists_all_tables_of_the_server(world: World, mona: Person) -> None:
    status = world.channel("status")
    answer = await mona.slash("games board", status)
    assert answer.ephemeral and answer.text.startswith("Done.")
    assert lines(status.last) == ["## The tables of this server", "None is open. `/games help` tells how to start one."]
    room = await seated(world, world.alice, world.bob)
    await world.carol.slash("twobytwo new", players=3)
    await world.wait(minutes=1)
    (post,) = status.posts
    title, running, opened = lines(post)
    first = asked(world, room).name.capitalize()
    assert title == "## The tables of this server"
    assert running.startswith(f"• [Two by Two · table 1](https://discord.com/channels/{world.guild.id}/{room.id}/")
    assert f") · {first} until <t:" in running
    assert opened.endswith(f"/{world.games.last.id}) · open, 1 of 3 seats taken")


async def test_it_is_edited_at_most_every_half_minute(world: World, mona: Person) -> None:
    status = world.channel("status")
    await mona.slash("games board", status)
    await world.wait(minutes=1)
    for person in (world.alice, world.bob, world.carol, world.dave):
        await person.slash("twobytwo new", players=3)
    before = world.calls("edit", status)
    assert before <= 1
    await world.wait(seconds=40)
    assert world.calls("edit", status) <= before + 1
    assert len(lines(status.last)) == 5 and len(status.posts) == 1
    await world.wait(hours=2)
    assert world.calls("edit", status) <= before + 1


async def test_it_is_posted_again_when_it_was_deleted(world: World, mona: Person) -> None:
    status = world.channel("status")
    await mona.slash("games board", status)
    await status.last.delete()
    await world.alice.slash("twobytwo new", players=3)
    await world.wait(minutes=1)
    assert "open, 1 of 3 seats taken" in status.last.text


async def test_it_lives_on_after_a_restart(world: World, mona: Person) -> None:
    status = world.channel("status")
    await mona.slash("games board", status)
    await world.restart()
    await world.alice.slash("twobytwo new", players=3)
    await world.wait(minutes=1)
    (post,) = status.posts
    assert "table 1" in post.text


async def test_there_is_one_and_it_can_be_moved(world: World, mona: Person) -> None:
    old, new = world.channel("old"), world.channel("new")
    await mona.slash("games board", old)
    await mona.slash("games board", new)
    assert not old.posts and len(new.posts) == 1
    await new.delete()
    await world.alice.slash("twobytwo new", players=3)
    await world.wait(minutes=2)
    await mona.slash("games board", old)
    assert "table 1" in old.last.text


async def test_it_is_for_those_who_manage_the_server(world: World) -> None:
    answer = await world.bob.slash("games board")
    assert answer.text == "Only those who manage the server may do that." and not world.games.posts


async def test_a_long_list_ends_with_a_number(world: World, mona: Person) -> None:
    status = world.channel("status")
    for number in range(45):
        opener = world.people[number % 9]
        await opener.slash("twobytwo new", players=3)
    await mona.slash("games board", status)
    text = status.last.text
    assert len(text) <= 3_500
    left = 45 - text.count("• [")
    assert left > 0 and text.endswith(f"… and {left} more")


# One's own tables


async def test_mine_lists_what_waits_first_in_direct_messages_too(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    (other,) = {world.alice, world.bob} - {first}
    answer = await first.slash("games mine", first.dm)
    assert lines(answer.post)[0] == "**They wait for you**"
    assert f"· {first.name.capitalize()} until <t:" in answer.text
    answer = await other.slash("games mine")
    assert lines(answer.post)[0] == "**Your other tables**"
    assert (await world.carol.slash("games mine")).text.startswith("You sit at no table.")


# Why


async def why(person: Person, room: Room) -> str:
    answer = await person.slash("games why", room)
    name, _, reason = answer.text.partition(" · table 1: ")
    assert answer.ephemeral and name in ("Two by Two", "Animal Crossing")
    return reason


async def test_why_an_open_table_waits(world: World) -> None:
    await world.alice.slash("animals new", players=5)
    assert await why(world.alice, world.games) == "it waits for 2 more players."
    for person in (world.bob, world.carol):
        await person.press(world.games.last, "Join")
    assert "for its host to press **Start**" in await why(world.alice, world.games)


async def test_why_a_running_table_waits(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    assert (await why(world.alice, room)).startswith(f"it waits for an answer. {first.name.capitalize()}: until <t:")
    await first.slash("games away", until="3 days")
    assert f"{first.name.capitalize()} is away, and the clock stands until <t:" in await why(world.alice, room)


async def test_why_brings_a_deleted_board_back(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    await room.last.delete()
    assert not [post for post in room.posts if post.pictures]
    await why(world.alice, room)
    assert [post for post in room.posts if post.pictures]


async def test_why_wakes_a_robot_that_should_play(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.alice.slash("twobytwo new", players=2)
    monkeypatch.setattr(world.bot.steward, "wake", lambda _table: None)
    await world.alice.press(world.games.last, "Add a robot")
    room = world.games.threads[-1]
    table = await world.bot.tables.load(1)
    while table.owing:
        await world.alice.slash("twobytwo berth", room, berth="E")
        table = await world.bot.tables.load(1)
    monkeypatch.undo()
    assert "a robot is to play for Ada, and is called again now." in await why(world.alice, room)
    assert (await world.bot.tables.load(1)).owing


async def test_why_a_table_that_is_over_waits_no_more(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    await world.alice.press((await world.alice.slash("games abandon", room)).post, "End it")
    assert await why(world.alice, room) == "the game is over."
