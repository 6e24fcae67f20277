"""Seats that are given up, offered and taken, more time, absences and votes, as people do it on Discord."""

from __future__ import annotations

import pytest

from bot.deadlines import DAY, HOUR
from bot.table import Table
from tests.sim import Person, Post, Room, World
from tests.test_reminders import asked, boards, seated

pytestmark = pytest.mark.usefixtures("undrawn")


async def stored(world: World, number: int = 1) -> Table:
    return await world.bot.tables.load(number)


def board(room: Room) -> Post:
    return boards(room)[-1]


# Leaving


async def test_an_open_table_is_left_at_once(world: World) -> None:
    await world.alice.slash("twobytwo new", players=3)
    await world.bob.press(world.games.last, "Join")
    answer = await world.bob.slash("twobytwo leave")
    assert answer.text == "You have left Two by Two · table 1."
    assert "Bob" not in world.games.last.text
    answer = await world.alice.slash("games leave")
    assert answer.text == "You have left Two by Two · table 1."
    assert "This table was closed before it started." in world.games.last.text


@pytest.mark.parametrize("command", ["twobytwo leave", "games leave", "games concede"])
async def test_a_running_game_is_left_after_one_question(world: World, command: str) -> None:
    room = await seated(world, world.alice, world.bob, world.carol)
    answer = await world.bob.slash(command, room)
    assert answer.ephemeral
    assert answer.text == "Give up your seat at Two by Two · table 1? A robot plays it until somebody takes it."
    assert (await stored(world)).seated(world.bob.id)
    assert (await world.bob.press(answer.post, "Give up my seat")).text == "You have left Two by Two · table 1."
    assert not (await stored(world)).seated(world.bob.id)
    assert "The seat of Bob is free: press **Take the seat**." in board(room).text


async def test_of_two_the_other_wins(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    answer = await world.bob.slash("games concede", room)
    assert answer.text == "Give up Two by Two · table 1? The game ends with it. This cannot be undone."
    await world.bob.press(answer.post, "Give up my seat")
    assert "**Everybody else has given up: Alice wins.**" in room.last.text
    assert (await world.bob.press(answer.post, "Give up my seat", as_seen=True)).text == "The game is over."


async def test_only_a_running_game_is_conceded(world: World) -> None:
    await world.alice.slash("twobytwo new", players=2)
    assert (await world.alice.slash("games concede")).text == "The game has not started yet."


# Taking over


async def test_a_free_seat_is_taken_by_button_or_command(world: World) -> None:
    room = await seated(world, world.alice, world.bob, world.carol)
    for leaver, taker in ((world.bob, world.dave), (world.carol, world.erin)):
        await leaver.press((await leaver.slash("games leave", room)).post, "Give up my seat")
        if taker is world.dave:
            answer = await taker.press(board(room), "Take the seat of Bob")
        else:
            answer = await taker.slash("games take", room)
        assert answer.ephemeral and answer.text == "You have a seat at Two by Two · table 1."
        assert (await stored(world)).seated(taker.id)
    assert "is free" not in board(room).text
    assert (await world.frank.slash("games take", room)).text == "No seat is free at Two by Two · table 1."


async def test_the_host_offers_a_seat_and_the_new_player_accepts(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    seats = await world.alice.suggestions("games replace", "seat", "bo", room, member=world.dave.actor)
    ((_, number),) = seats
    answer = await world.alice.slash("games replace", room, seat=number, member=world.dave)
    assert answer.text == f"{world.dave.mention} may take that seat now."
    offer = room.last
    assert offer.pings == (world.dave.id,) and "the seat of Bob is offered to you" in offer.text
    assert f"The seat of Bob is offered to {world.dave.mention}." in board(room).text
    refused = await world.erin.press(board(room), "Take the seat of Bob")
    assert refused.text == "That seat is offered to somebody else."
    await world.dave.press(board(room), "Take the seat of Bob")
    table = await stored(world)
    assert table.seated(world.dave.id) and not table.seated(world.bob.id)
    assert [entry.user for entry in await world.bot.store.journal(1)] == [world.alice.id]


async def test_an_offer_said_twice_is_posted_once(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    number = (await stored(world)).seat_of(world.bob.id) + 1
    for _ in range(2):
        await world.alice.slash("games replace", room, seat=number, member=world.dave)
    assert sum(world.dave.id in post.pings for post in room.posts) == 1


async def test_who_may_offer_a_seat(world: World, mona: Person) -> None:
    room = await seated(world, world.alice, world.bob)
    answer = await world.bob.slash("games replace", room, seat=1, member=world.dave)
    assert answer.text == "Only the host of the table may do that."
    answer = await mona.slash("games replace", room, seat=1, member=world.dave)
    assert "may take that seat now" in answer.text
    answer = await world.alice.slash("games replace", room, seat=1, member=world.bob)
    assert answer.text == "That player has a seat at this table already."


# More time, and the end


async def test_more_time_is_given_in_all_and_said_in_public(world: World, mona: Person) -> None:
    room = await seated(world, world.alice, world.bob)
    before = (await stored(world)).deadline or 0
    answer = await world.alice.slash("games extend", room, time=DAY)
    assert "1 day more in all" in answer.text
    await mona.slash("games extend", room, time=DAY)
    assert (await stored(world)).deadline == before + DAY
    assert "1 day more was given for this question." in board(room).text
    assert (await world.bob.slash("games extend", room, time=DAY)).text == "Only the host of the table may do that."
    assert [(entry.user, entry.what) for entry in await world.bot.store.journal(1)] == [
        (world.alice.id, f"extend {DAY}")
    ]


async def test_a_game_ends_when_all_have_voted(world: World) -> None:
    room = await seated(world, world.alice, world.bob, world.carol)
    answer = await world.bob.slash("games vote-end", room)
    assert answer.text == "Two by Two · table 1: 2 more must agree."
    assert "Bob wants to end the game without a result" in board(room).text
    assert (await world.dave.slash("games vote-end", room)).text == "You have no seat at this table."
    await world.alice.slash("games vote-end", room)
    answer = await world.carol.slash("games vote-end", room)
    assert answer.text == "All agree: Two by Two · table 1 is ended."
    assert "**All players have agreed to end the game without a result.**" in board(room).text


# Away


async def test_away_tells_every_table_and_what_it_does(world: World) -> None:
    pausing = await seated(world, world.alice, world.bob)
    await world.alice.slash("twobytwo new", players=2)
    await world.alice.slash("twobytwo pace", absence="steward")
    await world.bob.press(world.games.last, "Join")
    answer = await world.bob.slash("games away", until="3 days")
    assert answer.ephemeral
    title, *lines = answer.text.splitlines()
    assert title.startswith("You are away until <t:") and title.endswith("`/games back`, or any move, ends it.")
    assert sorted(lines) == [
        "• Two by Two · table 1: its clock stands while it waits for you.",
        "• Two by Two · table 2: a robot plays for you.",
    ]
    assert "Bob is away until <t:" in board(pausing).text
    assert "the clock stands while the game waits for them." in board(pausing).text
    assert "a robot plays." in board(world.games.threads[-1]).text
    answer = await world.bob.slash("games back")
    assert answer.text == "Welcome back. `/games mine` lists what waits for you."
    assert "away" not in board(pausing).text


async def test_whoever_was_late_takes_the_seat_back_by_looking(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    first = asked(world, room)
    await world.wait(days=4, hours=1)
    assert (await stored(world)).seats[0].steward
    answer = await first.press(board(room), "My move")
    assert "There is nothing for you to decide now." in answer.text
    assert not (await stored(world)).seats[0].steward and "A robot plays" not in board(room).text


async def test_until_is_understood_in_the_users_own_time_zone(world: World) -> None:
    await world.bob.slash("games notify", zone="Asia/Tokyo")
    suggested = await world.bob.suggestions("games away", "until")
    assert [value for _label, value in suggested] == ["tomorrow", "3 days", "1 week", "2 weeks", "3 weeks"]
    assert suggested[0][0].endswith(" 00:00")
    answer = await world.bob.slash("games away", until="whenever")
    assert answer.text == "I do not understand whenever. Say a date like 2026-12-24, or 3 days."
    answer = await world.bob.slash("games away", until="2 weeks")
    assert answer.text.splitlines()[1] == "You sit at no table."


# Members who leave the server


async def test_who_has_left_the_server_is_noticed_when_the_time_is_up(world: World) -> None:
    room = await seated(world, world.alice, world.bob, world.carol)
    first = asked(world, room)
    await first.leave()
    await world.wait(hours=23)
    assert not (await stored(world)).seats[0].steward
    await world.wait(hours=2)
    table = await stored(world)
    assert [seat.steward for seat in table.seats] == [True, False, False]
    assert table.host != first.id and asked(world, room) is not first
    assert f"A robot plays for {first.name.capitalize()} until they press **My move**." in board(room).text


async def test_who_has_left_the_server_is_noticed_when_a_message_is_refused(world: World) -> None:
    await world.alice.slash("games notify", where="direct")
    await world.bob.slash("games notify", where="direct")
    room = await seated(world, world.alice, world.bob, world.carol)
    while asked(world, room) is world.carol:
        await world.carol.slash("twobytwo berth", room, berth="E")
    first = asked(world, room)
    await world.wait(minutes=2)
    await first.leave()
    world.fail("no mutual server", first.dm)
    await world.wait(hours=23)
    table = await stored(world)
    assert [seat.user for seat in table.seats if seat.steward] == [first.id]


async def test_whoever_is_only_late_keeps_the_seat(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    await world.wait(hours=25)
    table = await stored(world)
    assert table.late and not any(seat.steward for seat in table.seats)
    assert f"Late: {asked(world, room).mention}." in board(room).text


# The pace


async def test_the_host_sets_the_pace_of_an_open_table(world: World) -> None:
    await world.alice.slash("twobytwo new", players=2)
    answer = await world.alice.slash(
        "twobytwo pace", time=4 * HOUR, bank=1, grace=0, late="replace", weekends=False, zone="Europe/Berlin", away=0
    )
    told = [
        "Time for each question: **4 hours**.",
        "Each seat may use **1 day** more in a whole game.",
        "When somebody is late, their seat is offered to others.",
        "Weekends do not count. The time zone is Europe/Berlin.",
        "While players have said to be away, a robot plays.",
    ]
    assert answer.text.splitlines() == ["**Two by Two · table 1**", *told]
    assert " ".join(told) in world.games.last.text
    pace = (await stored(world)).pace
    assert (pace.period, pace.bank, pace.grace, pace.policy) == (4 * HOUR, DAY, 0, "replace")
    assert (pace.weekends, pace.zone, pace.away_days) == (False, "Europe/Berlin", 0)
    zones = await world.alice.suggestions("twobytwo pace", "zone", "kath")
    assert [value for _, value in zones] == ["Asia/Kathmandu"]


async def test_others_may_look_at_the_pace(world: World) -> None:
    room = await seated(world, world.alice, world.bob)
    answer = await world.carol.slash("twobytwo pace", room)
    assert "Time for each question: **1 day**." in answer.text
    assert (await world.alice.slash("twobytwo pace", room, bank=1)).text == "The game has started already."
