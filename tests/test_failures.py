"""Everything that Discord may refuse: each ends in a stored state and in a next step for a person."""

from __future__ import annotations

import logging

import pytest

from bot.client import Dawdle
from tests.animals import Animals, opened, started
from tests.sim import World

PRIVATE = ["closed DMs", "no mutual server", "opening DMs too fast", "missing access", "unknown channel"]
PASSING = ["server error", "rate limited"]
LOST = ["missing permissions", "missing access", "unknown channel", "archived thread"]


async def is_shown(table: Animals) -> bool:
    row = await table.world.bot.store.table(table.number)
    return row.published == row.version and row.parked is None


async def plays_on(table: Animals) -> None:
    """Everybody answers from the board, in private, and the game gets to boarding."""
    for person in table.people:
        planner = await person.press(table.board, "My move")
        assert "Which animal" in planner.text
        answer = await person.press(planner.post, "mouse")
        assert "Stored at" in answer.text
    assert (await table.stored()).turn == 2
    assert "board A" in str(table.board.buttons)


# Direct messages


@pytest.mark.parametrize("failure", PRIVATE)
@pytest.mark.parametrize("doing", ["send", "open DM"])
async def test_who_gets_no_direct_messages_is_told_and_plays_from_the_board(
    world: World, failure: str, doing: str
) -> None:
    world.fail(failure, world.carol.dm if doing == "send" else None, doing)
    table = await opened(world, world.alice, world.bob)
    answer = await world.carol.press(table.lobby, "Join")
    assert "My direct messages do not reach you; press **My move**" in answer.text and answer.ephemeral
    assert "My direct messages do not reach" in table.board.text and "Carol" in table.board.text
    assert "Which animal" in (await world.carol.press(table.board, "My move")).text
    if doing == "send":
        assert "Which animal" in world.alice.dm.text and "Which animal" in world.bob.dm.text
        assert await is_shown(table)


async def test_a_game_of_three_with_closed_dms_is_played_in_private_answers(world: World) -> None:
    for person in (world.alice, world.bob, world.carol):
        world.fail("closed DMs", person.dm)
    await plays_on(await started(world))


@pytest.mark.parametrize("failure", ["closed DMs", "no mutual server", "missing access", "unknown channel"])
async def test_a_planner_that_cannot_be_edited_stops_nobody(world: World, failure: str) -> None:
    table = await started(world)
    world.fail(failure, world.carol.dm, "edit")
    world.fail(failure, world.carol.dm, "send")
    planner = await world.carol.press(table.board, "My move")
    await world.carol.press(planner.post, "cat")
    for person in (world.alice, world.bob):
        await table.choose(person, "cat")
    assert "Where do you stand?" in world.alice.dm.last.text and "Where do you stand?" in world.bob.dm.last.text
    assert "My direct messages do not reach Carol" in table.board.text
    assert await is_shown(table)


async def test_direct_messages_are_tried_again_when_the_player_acts(world: World) -> None:
    world.fail("closed DMs", world.carol.dm)
    table = await started(world)
    world.mend()
    tries = world.calls("send", world.carol.dm)
    await table.choose(world.alice, "cat")
    assert world.calls("send", world.carol.dm) == tries
    planner = await world.carol.press(table.board, "My move")
    await world.carol.press(planner.post, "dog")
    await table.choose(world.bob, "cat")
    assert "Where do you stand?" in world.carol.dm.last.text
    assert "direct messages" not in table.board.text


# Failures that pass


@pytest.mark.parametrize("failure", PASSING)
@pytest.mark.parametrize("doing", ["send", "edit"])
async def test_what_discord_could_not_do_is_done_by_the_clock(world: World, failure: str, doing: str) -> None:
    table = await started(world)
    world.fail(failure, None, doing)
    await table.choose_all()
    assert (await table.stored()).turn == 2
    assert not await is_shown(table)
    world.mend()
    await world.wait(minutes=3)
    assert await is_shown(table)
    assert "boarding is open" in table.board.text
    assert [len([post for post in person.dm.posts if post.buttons]) for person in table.people] == [1, 1, 1]
    assert len([post for post in table.room.posts if "boarding is open" in post.text]) == 1


@pytest.mark.parametrize("failure", PASSING)
async def test_a_thread_that_cannot_be_made_leaves_the_game_in_the_channel(world: World, failure: str) -> None:
    world.fail(failure, world.games, "thread")
    table = await started(world)
    assert (await table.stored()).place == world.games.id
    assert "My move" in world.games.last.labels


async def test_a_thread_that_is_not_allowed_leaves_the_game_in_the_channel(world: World) -> None:
    world.fail("missing permissions", world.games, "thread")
    table = await started(world)
    assert (await table.stored()).place == world.games.id
    answer = await world.bob.press(world.games.last, "My move")
    assert "Which animal" in answer.text


@pytest.mark.parametrize("failure", PASSING)
async def test_one_direct_message_that_fails_holds_up_no_other(world: World, failure: str) -> None:
    table = await opened(world, world.alice, world.bob)
    world.fail(failure, world.alice.dm)
    await world.carol.press(table.lobby, "Join")
    assert "Which animal" in world.bob.dm.text and "Which animal" in world.carol.dm.text
    world.mend()
    await world.wait(minutes=3)
    assert "Which animal" in world.alice.dm.text and await is_shown(table)


# Posts and places that are gone


@pytest.mark.parametrize("failure", ["unknown message", "old message edited too often", "archived thread"])
async def test_a_board_that_cannot_be_edited_is_posted_anew(world: World, failure: str) -> None:
    table = await started(world)
    board, room = table.board, table.room
    world.fail(failure, room, "edit")
    await table.choose(world.bob, "dog")
    assert table.board.id != board.id and "My move" in table.board.labels
    world.mend()
    await world.wait(minutes=20)
    assert await is_shown(table)
    assert (
        len([post for post in room.posts if "My move" in post.labels]) == 1 or failure != "old message edited too often"
    )


@pytest.mark.parametrize("failure", LOST)
async def test_a_place_that_is_lost_parks_the_table_and_its_host_is_told_once(world: World, failure: str) -> None:
    table = await started(world, thread=False)
    world.fail(failure, world.games)
    world.fail(failure, world.games, "edit")
    for person in table.people:
        await table.choose(person, "mouse")
    row = await world.bot.store.table(table.number)
    assert row.parked is not None and row.state == "running"
    told = [post for post in world.alice.dm.posts if "I cannot post Animal Crossing · table 1" in post.text]
    assert len(told) == 1 and f"/games show table:{table.number}" in told[0].text
    await world.wait(hours=30)
    stored = await table.stored()
    assert (stored.turn, stored.late, [seat.steward for seat in stored.seats]) == (2, False, [False] * 3)
    world.mend()
    answer = await world.bob.slash("games show", table=table.number)
    assert answer.ephemeral and await is_shown(table)
    assert "My move" in world.games.last.labels
    left = (await table.stored()).deadline or 0
    assert left - world.now().timestamp() > 23 * 3600
    assert len([post for post in world.alice.dm.posts if "I cannot post" in post.text]) == 1


async def test_a_table_whose_channel_is_deleted_goes_on_where_a_player_asks_for_it(world: World) -> None:
    room = world.channel("doomed")
    table = await opened(world, world.alice, world.bob, world.carol, room=room)
    stored = await table.stored()
    assert stored.state == "running"
    await room.delete()
    for person in table.people:
        await person.press(person.dm.last, "mouse")
    assert "I cannot post" in world.alice.dm.text
    stranger = await world.dave.slash("games show", table=table.number)
    assert stranger.ephemeral and not world.games.posts
    await world.carol.slash("games show", table=table.number)
    assert "boarding is open" in world.games.last.text and await is_shown(table)
    await world.bob.press(world.games.last, "board A")
    assert "Where do you stand" in world.bob.dm.last.text


async def test_a_deleted_thread_moves_the_game_to_its_channel(world: World) -> None:
    table = await started(world)
    await table.room.delete()
    await table.choose_all()
    assert "boarding is open" in world.games.last.text and await is_shown(table)


async def test_a_deleted_board_is_brought_back_by_show(world: World) -> None:
    table = await started(world)
    board = table.board
    await board.delete()
    answer = await world.dave.slash("games show", table.room)
    assert answer.ephemeral
    assert table.board.id != board.id and "My move" in table.board.labels
    again = table.board
    await world.bob.slash("animals show", table.room)
    assert table.board.id == again.id


async def test_a_deleted_lobby_is_brought_back_by_show_and_by_joining(world: World) -> None:
    table = await opened(world, world.alice, seats=4)
    await table.lobby.delete()
    await world.bob.slash("games show")
    assert "Join" in world.games.last.labels
    await world.games.last.delete()
    await world.bob.slash("animals join")
    assert "Join" in world.games.last.labels and "Bob" in world.games.last.text


@pytest.mark.parametrize("failure", ["missing permissions", "missing access", "server error"])
async def test_a_table_that_cannot_be_posted_says_so_to_its_opener(world: World, failure: str) -> None:
    world.fail(failure, world.games)
    answer = await world.alice.slash("animals new", players=3)
    assert "I could not post it here" in answer.text and answer.ephemeral
    world.mend()
    await world.alice.slash("games show", table=1)
    assert "Join" in world.games.last.labels


async def test_thrown_out_everything_waits_and_comes_back(world: World) -> None:
    table = await started(world)
    await world.throw_out_bot()
    row = await world.bot.store.table(table.number)
    assert row.parked is not None
    await world.wait(days=10)
    assert await table.stored() == await table.stored()
    stored = await table.stored()
    assert not stored.late and stored.state == "running"


# Interactions


@pytest.mark.parametrize("failure", ["unknown interaction", "already acknowledged", "server error", "rate limited"])
async def test_a_press_that_cannot_be_acknowledged_leaves_a_sound_table(world: World, failure: str) -> None:
    table = await started(world)
    world.fail(failure, None, "answer")
    for control in ("My move", "Show", "Rules"):
        await world.bob.press(table.board, control)
    await world.bob.press(world.bob.dm.last, "dog")
    world.mend()
    await world.wait(minutes=2)
    assert await is_shown(table)
    planner = world.bob.dm.last
    chosen = [button.label for button in planner.buttons if button.style == 1]
    seat = (await table.stored()).seat_of(world.bob.id)
    view = (await table.stored()).view(seat)
    assert chosen == ([f"{view.animal} 3"] if view.animal else [])  # type: ignore[attr-defined]


@pytest.mark.parametrize("failure", ["unknown interaction", "server error", "rate limited", "unknown message"])
async def test_a_receipt_that_cannot_be_shown_is_made_good_by_the_publisher(world: World, failure: str) -> None:
    table = await started(world)
    world.fail(failure, None, "edit answer")
    world.fail(failure, None, "follow up")
    await world.bob.press(world.bob.dm.last, "dog")
    world.mend()
    await world.wait(minutes=2)
    assert [button.style for button in world.bob.dm.last.buttons] == [2, 2, 1, 2]
    assert [line.move for line in await world.bot.store.log(table.number)] == ["choose dog"]


# Crashes


async def test_what_was_stored_and_not_shown_is_shown_after_a_restart(world: World) -> None:
    table = await started(world)
    world.bot.publisher.refresh = lambda table_id: None
    for person in table.people:
        await person.press(person.dm.last, "mouse")
    assert "choose your animal" in table.board.text
    await world.restart()
    await world.wait(seconds=5)
    assert "boarding is open" in table.board.text and await is_shown(table)
    assert [len([post for post in person.dm.posts if post.buttons]) for person in table.people] == [1, 1, 1]


async def test_a_table_that_was_opened_and_not_shown_is_shown_after_a_restart(world: World) -> None:
    world.bot.publisher.refresh = lambda table_id: None
    await world.alice.slash("animals new", players=4)
    assert not world.games.posts
    await world.restart()
    await world.wait(seconds=5)
    assert "Join" in world.games.last.labels and len(world.games.posts) == 1


async def test_a_crash_after_each_step_of_a_start_doubles_nothing(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """The bot dies, so to say, at its first, second … request after the last seat was taken."""
    for steps in range(6):
        room = world.channel(f"room-{steps}")
        table = await opened(world, world.alice, world.bob, room=room)
        bot: Dawdle = world.bot
        left = steps

        async def turn(urgency: object) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError("dead")

        bot.publisher._outbox.turn = turn  # type: ignore[method-assign, attr-defined]
        await world.carol.press(table.lobby, "Join")
        await world.restart()
        await world.wait(seconds=5)
        assert len(room.threads) == 1
        boards = [post for post in room.threads[-1].posts if "My move" in post.labels]
        assert len(boards) == 1 and await is_shown(table)
        assert not (table.lobby.now() or table.lobby).labels
        for person in table.people:
            text = f"table {table.number}"
            assert (
                len([post for post in person.dm.posts if post.buttons and f"v1:{table.number}:" in str(post.buttons)])
                == 1
            ), text


async def test_restarts_post_nothing(world: World) -> None:
    table = await started(world)
    await table.choose_all()
    posts = [len(room.posts) for room in (world.games, table.room, *(person.dm for person in table.people))]
    before = world.calls("edit") + world.calls("send")
    for _ in range(3):
        await world.restart()
        await world.wait(minutes=40)
    assert posts == [len(room.posts) for room in (world.games, table.room, *(person.dm for person in table.people))]
    assert world.calls("edit") + world.calls("send") == before


async def test_a_table_of_a_game_that_is_gone_harms_no_other(world: World, caplog: pytest.LogCaptureFixture) -> None:
    gone, other = await started(world), await started(world, world.dave, world.erin, world.frank)
    await world.bot.store._write("update tables set game = 'chess' where id = ?", (gone.number,))
    await world.restart()
    await world.wait(hours=30)
    assert (await other.stored()).late
    for person, command in ((world.alice, "games mine"), (world.dave, "games mine"), (world.alice, "animals show")):
        answer = await person.slash(command)
        assert answer.acknowledged and answer.ephemeral
    press = await world.alice.press(gone.board, "My move")
    assert "not installed any more" in press.text
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert errors and all("Table 1" in record.getMessage() or "table 1" in record.getMessage() for record in errors)
    caplog.clear()
