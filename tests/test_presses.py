"""Presses of every wrong and right kind: always an answer, exactly one effect, nothing public that is private."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.store import LogLine
from tests.animals import Animals, opened, started
from tests.sim import Answer, Post, World

PASSED = "That moment has passed."


async def moves_of(table: Animals) -> list[str]:
    """The moves in the log, oldest first."""
    return [line.move for line in await table.world.bot.store.log(table.number)]


def link_to_board(table: Animals) -> str:
    return f"https://discord.com/channels/{table.world.guild.id}/{table.room.id}/{table.board.id}"


def is_private(answer: Answer, *pressed: Post) -> bool:
    """Whether it was answered, and to the one who pressed alone; the pressed message may have changed besides."""
    said = [post for post in answer.posts if post.id not in {post.id for post in pressed}]
    return answer.acknowledged and bool(said) and all(post.ephemeral for post in said)


# Twice


async def test_a_seat_is_taken_once_however_often_join_is_pressed(world: World) -> None:
    table = await opened(world, world.alice)
    first, second = await world.together(*(world.bob.pressing(table.lobby, "Join") for _ in range(2)))
    assert [seat.user for seat in (await table.stored()).seats] == [world.alice.id, world.bob.id]
    assert sorted(["You have a seat already" in first.text, "You have a seat already" in second.text]) == [False, True]
    assert is_private(first) and is_private(second)
    again = await world.bob.press(table.lobby, "Join")
    assert again.text == "You have a seat already."


async def test_one_press_delivered_twice_counts_once(world: World) -> None:
    table = await opened(world, world.alice, seats=5)
    await world.twice(world.alice.pressing(table.lobby, "Add a robot"))
    assert len((await table.stored()).seats) == 2
    await world.twice(world.bob.pressing(table.lobby, "Join"))
    assert len((await table.stored()).seats) == 3


async def test_one_move_delivered_twice_is_played_once(world: World) -> None:
    table = await started(world)
    await world.twice(world.bob.pressing(world.bob.dm.last, "mouse"))
    assert await moves_of(table) == ["choose mouse"]


async def test_two_robots_are_two_presses(world: World) -> None:
    table = await opened(world, world.alice, seats=5)
    await world.together(*(world.alice.pressing(table.lobby, "Add a robot") for _ in range(2)))
    assert len((await table.stored()).seats) == 3


async def test_start_pressed_twice_at_once_starts_one_game(world: World) -> None:
    table = await opened(world, world.alice, world.bob, world.carol, seats=6)
    await world.together(*(world.alice.pressing(table.lobby, "Start") for _ in range(2)))
    assert (await table.stored()).state == "running"
    assert len(world.games.threads) == 1
    assert len([post for post in table.room.posts if "Round 1" in post.text]) == 1
    assert len([post for post in world.bob.dm.posts if "Which animal" in post.text]) == 1


async def test_the_same_choice_pressed_twice_stays_that_choice(world: World) -> None:
    table = await started(world)
    first, second = await world.together(*(world.bob.pressing(world.bob.dm.last, "mouse") for _ in range(2)))
    assert await moves_of(table) == ["choose mouse"] * 2
    assert [button.style for button in world.bob.dm.last.buttons] == [1, 2, 2, 2]
    assert "Stored at" in first.text and "Stored at" in second.text


# At once


async def test_the_last_seat_goes_to_one_of_those_who_press_at_once(world: World) -> None:
    table = await opened(world, world.alice, world.bob)
    rivals = [world.carol, world.dave, world.erin]
    answers = await world.together(*(person.pressing(table.lobby, "Join") for person in rivals))
    seated = {seat.user for seat in (await table.stored()).seats}
    assert len(seated) == 3
    for person, answer in zip(rivals, answers, strict=True):
        assert is_private(answer)
        expected = "You have a seat at" if person.id in seated else "The game has started already."
        assert expected in answer.text
    assert len(world.games.threads) == 1
    assert len([post for post in table.room.posts if post.buttons]) == 1


async def test_all_answer_at_once_and_the_turn_ends_once(world: World) -> None:
    table = await started(world)
    everybody = [person.pressing(person.dm.last, "dog") for person in table.people]
    answers = await world.together(*everybody)
    assert all("this question is answered" in person.dm.posts[1].text for person in table.people)
    assert all(answer.acknowledged for answer in answers)
    assert await moves_of(table) == ["choose dog"] * 3
    assert (await table.stored()).turn == 2
    assert [post.labels for post in table.room.posts if post.buttons] == [table.board.labels]
    assert [len([post for post in person.dm.posts if post.buttons]) for person in table.people] == [1, 1, 1]


async def test_opposite_moves_at_once_end_as_the_last_one_stored(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    raft, island = world.bob.pressing(table.board, "board A"), world.bob.pressing(table.board, "stay")
    await world.together(raft, island)
    seat = (await table.stored()).seat_of(world.bob.id)
    assert (await moves_of(table))[-2:] == ["board A", "stay"]
    position = (await table.stored()).position
    assert position is not None and position.view(None).places[seat] == "island"  # type: ignore[attr-defined]


async def test_the_last_ready_and_a_change_at_once_leave_a_log_that_replays(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    for person in (world.alice, world.bob):
        await person.press(table.board, "play:ready")
    board = table.board
    ready, change = await world.together(
        world.carol.pressing(board, "play:ready"), world.alice.pressing(board, "board A")
    )
    assert (await table.stored()).turn == 3
    assert ready.acknowledged
    assert PASSED in change.text and f"/channels/{world.guild.id}/{table.room.id}/" in change.text
    assert is_private(change, board)


# Too late


async def test_a_planner_of_a_turn_that_has_passed_says_where_the_game_is(world: World) -> None:
    table = await started(world)
    planner = world.bob.dm.last
    await table.choose_all()
    stale = await world.bob.press(planner, "mouse", as_seen=True)
    assert PASSED in stale.text and link_to_board(table) in stale.text
    assert is_private(stale, planner)
    assert await moves_of(table) == ["choose mouse"] * 3


async def test_an_old_board_has_no_buttons_and_its_presses_have_passed(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    old = table.board
    for person in table.people:
        await person.press(old, "play:ready")
    now = old.now()
    assert now is not None and not now.buttons
    stale = await world.bob.press(old, "board A", as_seen=True)
    assert PASSED in stale.text and link_to_board(table) in stale.text and is_private(stale, old)


@pytest.mark.parametrize("verb", ["join", "leave", "start", "robot"])
async def test_the_lobby_of_a_running_game_only_says_that_it_runs(world: World, verb: str) -> None:
    table = await opened(world, world.alice, world.bob)
    lobby = table.lobby.now()
    assert lobby is not None
    await world.carol.press(lobby, "Join")
    before = (await table.stored()).version
    answer = await world.alice.press_id(lobby, f"v1:{table.number}:-1::{verb}:")
    assert ("started already" in answer.text or PASSED in answer.text) and is_private(answer, lobby)
    assert (await table.stored()).version == before
    assert not (lobby.now() or lobby).buttons


async def test_my_move_after_the_end_says_so(world: World) -> None:
    table = await started(world)
    board = table.board
    await world.alice.slash("games abandon")
    await world.alice.press(world.games.posts_seen_by(world.alice)[-1], "End it")
    assert (await table.stored()).state == "over"
    answer = await world.bob.press(board, "My move", as_seen=True)
    assert "The game is over." in answer.text and is_private(answer, board)


# Somebody else's


async def test_somebody_elses_planner_is_refused(world: World) -> None:
    table = await started(world)
    theirs = world.alice.dm.last
    custom_id = theirs.buttons[0].custom_id
    answer = await world.bob.press_id(world.bob.dm.last, custom_id)
    assert answer.text == "That planner is somebody else's." and is_private(answer)
    assert await moves_of(table) == []


@pytest.mark.parametrize("control", ["My move", "board A", "play:ready"])
async def test_who_has_no_seat_is_told_so_alone(world: World, control: str) -> None:
    table = await started(world)
    await table.choose_all()
    before = table.board.id
    answer = await world.dave.press(table.board, control)
    assert answer.text == "You have no seat at this table." and is_private(answer)
    assert table.board.id == before


@pytest.mark.parametrize("label", ["Start", "Add a robot"])
async def test_only_the_host_starts_and_adds_robots(world: World, label: str) -> None:
    table = await opened(world, world.alice, world.bob, world.carol, seats=4)
    for person in (world.bob, world.dave):
        answer = await person.press(table.lobby, label)
        assert answer.text == "Only the host of the table may do that." and is_private(answer)
    assert (await table.stored()).state == "open"


async def test_watchers_see_the_board_and_the_rules(world: World) -> None:
    table = await started(world)
    for label in ("Show", "Rules"):
        answer = await world.dave.press(table.board, label)
        assert is_private(answer) and answer.post.pictures


# Forged


GARBAGE = [
    "",
    "v1",
    "v1:::::",
    "v1:1:1:0:play",
    "v0:1:1:0:play:choose mouse",
    "v1:one:1:0:play:choose mouse",
    "v1:1:1:0:delete:everything",
    "v1:-7:1:0:play:choose mouse",
    "v1:99999:1:0:play:choose mouse",
    f"v1:{10**40}:1:0:play:choose mouse",
    f"v1:1:{10**40}:0:play:choose mouse",
    f"v1:1:1:{10**40}:play:choose mouse",
    "v1:1:1:-1:play:choose mouse",
    "v1:１:1:0:play:choose mouse",
    "v1:1:1::play:choose unicorn",
    "v1:1:1::play:",
    "v1:1:1::play:bell",
    "v1:1:1::undo:",
    "v1:1:1::form:word",
    "v1:1:1::filled:word",
    "v1:1:1::pick:mouse",
    "v1:1:1::draft:🐘\u202e\x00'; drop table tables; --",
    "v1:1:1::start:",
    "v1:1:1::abandon:",
    "some other bot's button",
    "x" * 100,
]


async def test_whatever_is_pressed_is_answered_and_changes_nothing(world: World) -> None:
    table = await started(world)
    before = await table.stored()
    for custom_id in GARBAGE:
        answer = await world.bob.press_id(table.board, custom_id)
        assert answer.acknowledged and all(post.ephemeral for post in answer.posts), custom_id
        assert await table.stored() == before, custom_id
    planner = await world.bob.press(table.board, "My move")
    assert "Which animal" in planner.text


async def test_a_table_of_another_server_is_closed_to_strangers(world: World) -> None:
    table = await started(world)
    elsewhere = world.env.create_guild("Elsewhere")
    there = elsewhere.create_text_channel("there")
    stranger = elsewhere.add_member(world.env.create_user("stranger"))
    for command in ("games show", "animals show", "animals plan"):
        result = await stranger.slash(there, command, table=table.number)
        answer = Answer(world.env, result)
        assert is_private(answer) and not answer.post.pictures
        assert "another server" in answer.text


# Restarts, direct messages, deleted posts


async def test_every_control_works_after_a_restart(world: World) -> None:
    table = await opened(world, world.alice, world.bob)
    await world.restart()
    await world.carol.press(table.lobby, "Join")
    await world.restart()
    table = replace(table, people=(world.alice, world.bob, world.carol))
    await table.choose_all("cat")
    board = table.board
    await world.restart()
    await world.bob.press(board, "board A")
    await world.restart()
    answer = await world.bob.press(board, "My move")
    await world.restart()
    await world.bob.press(answer.post, "play:ready")
    assert (await moves_of(table))[3:] == ["board A", "ready"]


async def test_a_planner_in_direct_messages_plays_and_shows_the_receipt(world: World) -> None:
    table = await started(world)
    answer = await world.bob.press(world.bob.dm.last, "elephant")
    assert "Stored at" in answer.text
    planner = world.bob.dm.last
    assert [button.style for button in planner.buttons if "elephant" in button.label] == [1]
    assert await moves_of(table) == ["choose elephant"]


async def test_a_press_on_a_deleted_planner_still_plays(world: World) -> None:
    table = await started(world)
    planner = world.bob.dm.last
    await planner.delete()
    answer = await world.bob.press(planner, "cat", as_seen=True)
    assert answer.acknowledged
    assert await moves_of(table) == ["choose cat"]


async def test_a_press_on_a_deleted_board_still_plays_and_brings_the_board_back(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    board = table.board
    await board.delete()
    answer = await world.bob.press(board, "board A", as_seen=True)
    assert answer.acknowledged
    assert (await moves_of(table))[-1] == "board A"
    assert table.board.id != board.id and "My move" in table.board.labels


async def test_a_press_after_the_thread_was_deleted_plays_on_in_the_channel(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    planner = world.bob.dm.last
    await table.room.delete()
    await world.bob.press(planner, "board A")
    assert (await moves_of(table))[-1] == "board A"
    assert "My move" in world.games.last.labels


# Nothing private in public


async def test_refusals_and_receipts_are_never_public(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    lobby, board = len(world.games.posts), len(table.room.posts)
    for person, custom_id in ((world.dave, "v1:1:2::play:stay"), (world.bob, "v1:1:1::play:stay"), (world.bob, "?")):
        await person.press_id(table.board, custom_id)
    await world.bob.press(table.board, "board A")
    assert (len(world.games.posts), len(table.room.posts)) == (lobby, board)


async def test_hammering_is_answered_without_follow_ups(world: World) -> None:
    table = await started(world)
    before = world.calls("follow up")
    answers = await world.together(*(world.bob.pressing(table.board, "Show") for _ in range(40)))
    assert all(answer.acknowledged for answer in answers)
    slowed = [answer for answer in answers if "slow" in answer.text.lower()]
    assert len(slowed) >= 20
    assert world.calls("follow up") - before <= 20
    other = await world.alice.press(table.board, "My move")
    assert "Which animal" in other.text
    await world.wait(seconds=15)
    assert "Which animal" in (await world.bob.press(table.board, "My move")).text


async def test_the_log_tells_who_played_what_in_order(world: World) -> None:
    table = await started(world)
    await table.choose(world.carol, "dog")
    await table.choose(world.carol, "cat")
    stored = await table.stored()
    seat = stored.seat_of(world.carol.id)
    log = await world.bot.store.log(table.number)
    assert [(line.seat, line.move) for line in log] == [(seat, "choose dog"), (seat, "choose cat")]
    assert all(isinstance(line, LogLine) and line.at <= world.now().timestamp() for line in log)
