"""Who is told what, where and when: one mention a question, reminders by wish, quiet hours, digests."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from tests.sim import Person, Post, Room, World

pytestmark = pytest.mark.usefixtures("undrawn")


async def seated(world: World, *people: Person, room: Room | None = None, **options: Any) -> Room:
    """A running table of Two by Two of these people: its thread."""
    room = room or world.games
    first, *others = people
    await first.slash("twobytwo new", room, players=len(people), **options)
    for other in others:
        await other.press(room.last, "Join")
    return room.threads[-1]


def asked(world: World, room: Room) -> Person:
    """Whom the newest board asks."""
    board = next(post for post in reversed(room.posts) if post.pictures)
    (person,) = [person for person in world.people if person.mention in board.text]
    return person


def boards(room: Room) -> list[Post]:
    return [post for post in room.posts if post.pictures]


def reminders(room: Room) -> list[Post]:
    """What was posted there besides boards."""
    return [post for post in room.posts if not post.pictures]


def pings(room: Room, person: Person) -> list[Post]:
    return [post for post in room.posts if person.id in post.pings]


async def until(world: World, clock: str) -> None:
    """The world waits until that time of the day, UTC."""
    hour, minute = map(int, clock.split(":"))
    now = world.now()
    then = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    await world.wait(seconds=((then - now) % timedelta(days=1)).total_seconds())


async def test_whose_turn_it_is_gets_one_mention(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    (other,) = {world.alice, world.bob} - {first}
    assert room.last.pings == (first.id,)
    await world.wait(hours=3)
    assert len(pings(room, first)) == 1 and not pings(room, other) and not reminders(room)
    await first.slash("twobytwo berth", room, berth="E")
    assert len(pings(room, other)) == 1


async def test_one_hour_before_the_end_unless_it_is_not_wanted(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    await world.wait(hours=22, minutes=50)
    assert not reminders(room)
    await world.wait(minutes=15)
    (reminder,) = reminders(room)
    assert reminder.pings == (first.id,) and "the time is nearly up; answer until" in reminder.text
    assert f"/{room.id}/{boards(room)[-1].id})" in reminder.text
    await first.slash("games notify", last_hour=False)
    await first.slash("twobytwo berth", room, berth="E")
    second = asked(world, room)
    await second.slash("games notify", last_hour=False)
    await world.wait(hours=23, minutes=30)
    assert not reminders(room)


async def test_at_half_time_by_wish(world: World) -> None:
    await world.alice.slash("games notify", half_time=True, last_hour=False)
    await world.bob.slash("games notify", half_time=True, last_hour=False)
    room = await seated(world, world.alice, world.bob)
    await world.wait(hours=11, minutes=50)
    assert not reminders(room)
    await world.wait(minutes=20)
    (reminder,) = reminders(room)
    assert "half of the time is over" in reminder.text
    await world.wait(hours=11, minutes=40)
    assert len(reminders(room)) == 1


async def test_a_reminder_is_removed_when_the_seat_has_answered(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    await world.wait(hours=23, minutes=10)
    (reminder,) = reminders(room)
    await asked(world, room).slash("twobytwo berth", room, berth="E")
    assert reminder.now() is None and not reminders(room)


async def test_nothing_is_sent_twice_across_restarts(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    await world.wait(hours=23, minutes=10)
    assert len(reminders(room)) == 1
    await world.restart()
    await world.wait(minutes=30)
    assert len(reminders(room)) == 1
    assert len(pings(room, asked(world, room))) == 2


async def test_what_was_answered_meanwhile_is_not_sent(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    await world.wait(hours=22, minutes=59)
    await asked(world, room).slash("twobytwo berth", room, berth="E")
    await world.wait(minutes=30)
    assert not reminders(room)


async def test_in_quiet_hours_nobody_is_told_anything(world: World) -> None:
    """The reminder of the turn waits for their end: half past seven in Berlin, which is 05:30 or 06:30 UTC."""
    for person in (world.alice, world.bob):
        answer = await person.slash("games notify", quiet_from="22:00", quiet_to="7:30", zone="Europe/Berlin")
        assert "Quiet hours: 22:00 to 07:30 (Europe/Berlin)" in answer.text
    await until(world, "23:00")
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    assert room.last.pings == () and first.mention in room.last.text
    await until(world, "05:25")
    assert not pings(room, first)
    await until(world, "06:40")
    (reminder,) = reminders(room)
    assert reminder.pings == (first.id,) and "you are asked; answer until" in reminder.text


async def test_what_does_not_hold_any_more_when_the_quiet_hours_end_is_never_said(world: World) -> None:
    for person in (world.alice, world.bob):
        await person.slash("games notify", quiet_from="22:00", quiet_to="07:00")
    await until(world, "23:00")
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    await first.slash("twobytwo berth", room, berth="E")
    await until(world, "07:10")
    assert not pings(room, first)
    assert len(reminders(room)) == 1 and len(pings(room, asked(world, room))) == 1


async def test_by_direct_message_and_not_in_the_channel(world: World) -> None:
    for person in (world.alice, world.bob):
        answer = await person.slash("games notify", where="direct")
        assert "I write to you directly." in answer.text
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    assert room.last.pings == ()
    await world.wait(minutes=2)
    assert "you are asked; answer until" in first.dm.last.text
    await world.wait(hours=23)
    assert len(first.dm.posts) == 2 and not reminders(room)
    await first.slash("twobytwo berth", room, berth="E")
    assert first.dm.posts == []


async def test_both_in_the_channel_and_directly(world: World) -> None:
    for person in (world.alice, world.bob):
        await person.slash("games notify", where="both")
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    await world.wait(minutes=2)
    assert len(pings(room, first)) == 1 and not reminders(room)
    assert len(first.dm.posts) == 1
    await world.wait(hours=23)
    assert len(reminders(room)) == 1 and len(first.dm.posts) == 2


async def test_where_direct_messages_are_closed_it_is_said_in_the_channel(world: World) -> None:
    for person in (world.alice, world.bob):
        await person.slash("games notify", where="direct")
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    world.fail("closed DMs", first.dm)
    await world.wait(minutes=2)
    (reminder,) = reminders(room)
    assert reminder.pings == (first.id,)


async def test_several_tables_are_one_message(world: World) -> None:
    for person in (world.alice, world.bob):
        await person.slash("games notify", quiet_from="22:00", quiet_to="07:00")
    await until(world, "23:00")
    rooms = [await seated(world, world.alice, world.bob) for _ in range(4)]
    waiting = [asked(world, room) for room in rooms]
    await until(world, "07:10")
    said = [reminder for room in rooms for reminder in reminders(room)]
    assert len(said) == len(set(waiting))
    for person in set(waiting):
        (reminder,) = [reminder for reminder in said if person.id in reminder.pings]
        number = waiting.count(person)
        assert len(re.findall(r"Two by Two · table \d", reminder.text)) == number
        if number > 1:
            assert f"{number} tables wait for you:" in reminder.text


async def test_the_last_one_is_told_by_wish_where_several_were_asked(world: World) -> None:
    for person in (world.alice, world.bob, world.carol):
        await person.slash("games notify", last_one=True)
    await world.alice.slash("animals new", players=3)
    for person in (world.bob, world.carol):
        await person.press(world.games.last, "Join")
    room = world.games.threads[-1]
    await world.alice.slash("animals choose", room, animal="mouse")
    await world.wait(minutes=5)
    assert not reminders(room)
    await world.bob.slash("animals choose", room, animal="mouse")
    await world.wait(minutes=2)
    (reminder,) = reminders(room)
    assert reminder.pings == (world.carol.id,) and "everybody else has answered" in reminder.text
    await world.carol.slash("animals choose", room, animal="mouse")
    await world.settle()
    assert not [post for post in reminders(room) if "everybody else" in post.text]


async def test_a_planner_in_direct_messages_rings_only_where_that_is_wished(world: World) -> None:
    await world.carol.slash("games notify", where="direct")
    await world.alice.slash("animals new", players=3)
    for person in (world.bob, world.carol):
        await person.press(world.games.last, "Join")
    board = world.games.threads[-1].last
    assert set(board.pings) == {world.alice.id, world.bob.id}
    silent = 1 << 12
    assert world.bob.dm.last.payload["flags"] & silent
    assert not world.carol.dm.last.payload["flags"] & silent
    await world.wait(minutes=5)
    assert len(world.carol.dm.posts) == 2, "the welcome and the planner"


async def test_a_player_who_is_away_is_not_told(world: World) -> None:
    for person in (world.alice, world.bob):
        await person.slash("games away", until="3 days")
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    await world.wait(days=2)
    assert not pings(room, first) and not reminders(room)
    assert f"{first.name.capitalize()} is away until" in room.last.text
    await world.wait(days=1, minutes=10)
    assert len(pings(room, first)) == 1 and "away" not in boards(room)[-1].text


async def test_a_wish_is_answered_with_all_that_is_set(world: World) -> None:
    answer = await world.bob.slash("games notify")
    assert answer.text.splitlines() == [
        "**How I tell you**",
        "• I mention you in the channel of the table.",
        "• You have no quiet hours. Your time zone is UTC.",
        "• I tell you when you are asked, and one hour before the time is up.",
    ]
    answer = await world.bob.slash("games notify", where="both", quiet_from="22", quiet_to="7.30", last_hour=False)
    assert answer.ephemeral and answer.text.splitlines() == [
        "**Stored. How I tell you**",
        "• I mention you in the channel of the table and write to you directly.",
        "• Quiet hours: 22:00 to 07:30 (UTC). What still holds is said at their end.",
        "• I tell you when you are asked, and nothing else.",
    ]
    refused = await world.bob.slash("games notify", quiet_from="late")
    assert refused.text == "late is no time of the day; say 22:00, for instance."
    refused = await world.bob.slash("games notify", zone="Europe/Nowhere")
    assert "There is no time zone Europe/Nowhere" in refused.text
