"""What remains of games that are over: results, statistics, the leaderboard and the rematch."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from bot.results import ranking, results_of, tally
from bot.rules.animal_crossing import AnimalCrossing
from bot.rules.duos import Duos
from bot.store import Result
from renderers import leaderboard
from renderers.leaderboard import Line
from tests.animals import Animals, draw_nothing, opened, started
from tests.sim import Person, World

PRIZES = ("dog board A", "cat board B", "dog stay")
"""On rafts for 3 and 5 in each of five rounds: 15, 10 and 0 points."""


LIMIT = "This server allows no more than 1 unfinished tables; one must end first."


@pytest.fixture(autouse=True)
def loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raft A carries 3 and raft B 5 in every round."""
    draw_nothing(monkeypatch)
    monkeypatch.setattr(AnimalCrossing, "shuffle", lambda *_: {"loads": [[3, 5]] * 5})


async def played(world: World, *people: Person) -> Animals:
    """A game that alice wins with 15 points, before bob with 10 and carol with none, if nobody else is named."""
    table = await started(world, *people)
    await table.play_out(*PRIZES)
    return table


async def stored(world: World, table: Animals) -> dict[int | None, Result]:
    """The results of that table by user."""
    results = await world.bot.store.results(world.guild.id)
    return {result.user: result for result in results if result.table_id == table.number}


async def give_up(person: Person, table: Animals) -> None:
    answer = await person.slash("games concede", table.room)
    await person.press(answer.post, "Give up my seat")


async def end(table: Animals) -> None:
    """The host ends the game without a result."""
    host = table.people[0]
    answer = await host.slash("games abandon", table.room)
    await host.press(answer.post, "End it")


# What is stored


async def test_every_seat_has_a_result_with_its_score_place_and_prizes(world: World) -> None:
    results = await stored(world, await played(world))
    alice, bob, carol = (results[person.id] for person in (world.alice, world.bob, world.carol))
    assert [(each.won, each.shared, each.score, each.place) for each in (alice, bob, carol)] == [
        (True, False, 15, 1),
        (False, False, 10, 2),
        (False, False, 0, 3),
    ]
    assert (alice.honours, bob.honours, carol.honours) == (("token", "half"), (), ("strike",))
    assert {(each.game, each.server, each.ending, each.seats) for each in results.values()} == {
        ("animal_crossing", world.guild.id, "played", 3)
    }
    assert all((each.answers, each.punctual) == (10, 10) for each in results.values())


async def test_equal_totals_share_the_win_and_the_place(world: World) -> None:
    table = await started(world)
    await table.play_out("cat board A", "cat board B", "dog stay")
    results = await stored(world, table)
    alice, bob, carol = (results[person.id] for person in (world.alice, world.bob, world.carol))
    assert [(each.won, each.shared, each.place) for each in (alice, bob)] == [(True, True, 1)] * 2
    assert (carol.won, carol.place) == (False, 3)


async def test_a_robot_has_a_result_that_is_nobodys(world: World) -> None:
    table = await opened(world, world.alice, world.bob)
    await world.alice.press(table.lobby, "Add a robot")
    await end(table)
    assert set(await stored(world, table)) == {world.alice.id, world.bob.id, None}


async def test_who_has_given_up_wins_nothing_and_the_last_who_plays_wins(world: World) -> None:
    table = await started(world)
    for person in (world.alice, world.bob):
        await give_up(person, table)
    results = await stored(world, table)
    assert [results[person.id].won for person in table.people] == [False, False, True]
    assert {result.ending for result in results.values()} == {"conceded"}
    assert [results[person.id].place for person in table.people] == [2, 2, 1]
    assert all(result.honours == () for result in results.values())
    assert "Take the seat" not in table.board.text


async def test_an_abandoned_game_has_no_winner_and_does_not_count(world: World) -> None:
    table = await started(world)
    await end(table)
    results = await stored(world, table)
    assert {(result.won, result.place, result.ending) for result in results.values()} == {(False, None, "abandoned")}
    text = (await world.alice.slash("games stats")).text
    assert "No game has come to its end yet." in text
    assert "1 game ended without a result and does not count." in text


async def test_a_table_closed_before_it_began_leaves_no_result(world: World) -> None:
    table = await opened(world, world.alice)
    await world.alice.press(table.lobby, "Leave")
    assert await stored(world, table) == {}


async def test_results_are_stored_with_the_last_move_or_not_at_all(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> tuple[Result, ...]:
        raise OSError

    table = await started(world)
    before = await table.stored()
    monkeypatch.setattr("bot.tables.results_of", broken)
    with pytest.raises(OSError):
        await world.bot.tables.abandon(table.number, world.alice.id, False)
    assert await table.stored() == before
    monkeypatch.undo()
    await world.bot.tables.abandon(table.number, world.alice.id, False)
    assert len(await stored(world, table)) == 3


async def test_a_game_that_is_no_contest_has_no_winner(world: World) -> None:
    await world.alice.slash("duos new", players=2)
    await world.bob.press(world.games.last, "Join")
    answer = await world.alice.slash("games concede", world.games.threads[0])
    await world.alice.press(answer.post, "Give up my seat")
    table = await world.bot.tables.load(1)
    assert table.ending == "conceded"
    assert isinstance(table.position, Duos) and not table.position.competitive
    assert [(result.won, result.place) for result in results_of(table, 0)] == [(False, None)] * 2


# Statistics


async def test_the_statistics_of_a_member(world: World) -> None:
    await played(world)
    await played(world)
    await played(world, world.bob, world.alice, world.carol)
    answer = await world.carol.slash("games stats", member=world.alice)
    assert answer.ephemeral
    assert answer.text.splitlines() == [
        "**Alice in this server**",
        "• Animal Crossing · 3 played, 2 won (67%) · 2 tokens · 2 half tokens",
        "Answers in time: 30 of 30 (100%).",
    ]
    own = await world.carol.slash("games stats")
    assert "• Animal Crossing · 3 played, 0 won (0%) · 3 strikes" in own.text


async def test_punctuality_counts_late_answers(world: World) -> None:
    table = await started(world)
    await table.choose(world.alice, "dog")
    await table.choose(world.bob, "dog")
    await world.wait(hours=30)
    await table.choose(world.carol, "dog")
    await end(table)
    assert "Answers in time: 1 of 1 (100%)." in (await world.alice.slash("games stats")).text
    assert "Answers in time: 0 of 1 (0%)." in (await world.carol.slash("games stats")).text


async def test_the_statistics_of_the_server(world: World) -> None:
    await played(world)
    await played(world, world.dave, world.bob, world.carol)
    answer = await world.erin.slash("games stats", server=True)
    assert answer.text.splitlines() == [
        "**This server**",
        "• Animal Crossing · 2 games, 4 players",
        "Answers in time: 60 of 60 (100%).",
    ]


async def test_the_own_statistics_of_all_servers_in_direct_messages(world: World) -> None:
    await played(world)
    answer = await world.alice.slash("games stats", world.alice.dm)
    assert answer.text.splitlines()[0] == "**Alice in all servers**"
    assert "1 played, 1 won (100%)" in answer.text


async def test_direct_messages_tell_nothing_of_others(world: World) -> None:
    await played(world)
    for options in ({"server": True}, {"member": world.alice.actor.user}):
        answer = await world.bob.slash("games stats", world.bob.dm, **options)
        assert answer.text == "In direct messages you see your own games only."


async def test_other_servers_do_not_count_here(world: World) -> None:
    await played(world)
    other = World(world.env, lambda: world.bot)
    answer = await other.bob.slash("games stats", other.games, server=True)
    assert "No game has come to its end yet." in answer.text


# The leaderboard


async def test_the_leaderboard_is_a_picture_and_says_the_same(world: World) -> None:
    await played(world)
    await played(world, world.bob, world.alice, world.carol)
    await played(world, world.bob, world.alice, world.dave)
    answer = await world.erin.slash("games leaderboard", game="animal_crossing")
    assert not answer.ephemeral and not answer.post.pings
    (picture,) = answer.post.pictures
    assert picture.alt == (
        "Leaderboard · Animal Crossing. 1. Bob: 2 of 3 games won, 2 tokens · 2 half tokens. "
        "2. Alice: 1 of 3 games won, 1 token · 1 half token. "
        "3. Dave: 0 of 1 game won, 1 strike. 4. Carol: 0 of 2 games won, 2 strikes."
    )
    assert Image.open(BytesIO(picture.content)).width == 1280
    everything = await world.erin.slash("games leaderboard")
    assert "1. Bob: 2 of 3 games won. 2. Alice" in everything.post.pictures[0].alt


async def test_who_has_left_the_server_is_not_on_the_leaderboard(world: World) -> None:
    await played(world)
    await world.alice.leave()
    (picture,) = (await world.bob.slash("games leaderboard")).post.pictures
    assert picture.alt == "Leaderboard · all games. 1. Bob: 0 of 1 game won. 1. Carol: 0 of 1 game won."


async def test_a_leaderboard_without_games_is_refused_in_a_sentence(world: World) -> None:
    answer = await world.bob.slash("games leaderboard", game="duos")
    assert answer.ephemeral and answer.text == "Nobody has won or lost such a game in this server yet."
    answer = await world.bob.slash("games leaderboard", game="chess")
    assert answer.text == "There is no game chess; pick one of the list."


async def test_games_are_suggested_by_their_titles(world: World) -> None:
    assert await world.bob.suggestions("games leaderboard", "game", "cross") == [("Animal Crossing", "animal_crossing")]


@pytest.mark.parametrize(
    "name", ["", "\u3164", "W" * 32, "🦊" * 32, "محمد علي", "हिन्दी", "a\u0301" * 30, "𝕱𝖆𝖓𝖈𝖞", "\u202eevil"]
)
def test_any_name_can_be_drawn(name: str) -> None:
    lines = [Line(place, name, 10 - place, 12, "1 token" if place % 2 else "") for place in range(1, 11)]
    image = Image.open(BytesIO(leaderboard.draw("Leaderboard · all games", lines)))
    assert image.width == 1280 and image.height <= 1600


def test_a_short_leaderboard_is_a_low_picture() -> None:
    short = Image.open(BytesIO(leaderboard.draw("Leaderboard", [Line(1, "Ann", 0, 1)])))
    assert short.height < 400


def result(user: int | None, won: bool, place: int | None = 2, ending: str = "played") -> Result:
    return Result(1, 0, user, 1, "duos", 0, ending, won, False, 3, place, 3, 4, 3, ())


def test_the_ranking_prefers_wins_and_then_fewer_games() -> None:
    games = [result(1, True), result(1, False), result(2, True), result(3, True), result(3, True), result(4, False)]
    assert [user for user, _sum in ranking(games)] == [3, 2, 1, 4]


def test_robots_and_games_without_a_contest_are_not_ranked() -> None:
    assert ranking([result(None, True), result(5, False, place=None)]) == []


def test_a_tally_counts_no_game_without_a_result_but_its_punctuality() -> None:
    sums = tally([result(1, True), result(1, False, None, "expired"), result(1, False, None)])
    assert (sums.played, sums.contests, sums.won, sums.share) == (2, 1, 1, 1.0)
    assert (sums.answers, sums.punctual) == (12, 9)


# The rematch


async def test_a_rematch_invites_the_others_and_rotates_the_seats(world: World) -> None:
    table = await played(world)
    old = await table.stored()
    answer = await world.bob.press(table.board, "Rematch")
    assert answer.ephemeral and "Animal Crossing · table 2 is open." in answer.text
    invitation = world.games.last
    assert set(invitation.pings) == {world.alice.id, world.carol.id}
    lobby = world.games.posts[-2]
    for person in (world.alice, world.carol):
        await person.press(lobby, "Join")
    new = await world.bot.tables.load(2)
    users = [seat.user for seat in old.seats]
    assert new.state == "running" and [seat.user for seat in new.seats] == users[1:] + users[:1]
    assert new.options == old.options and new.pace == old.pace


async def test_rematch_pressed_twice_at_once_opens_one_table(world: World) -> None:
    table = await played(world)
    first, second = await world.together(*(world.bob.pressing(table.board, "Rematch") for _ in range(2)))
    assert "table 2 is open" in first.text
    assert second.text == "The rematch is table 2 already."
    assert len(await world.bot.store.unfinished(world.guild.id)) == 1
    assert len([post for post in world.games.posts if "a rematch of" in post.text]) == 1


async def test_rematch_pressed_by_two_at_once_seats_both_at_one_table(world: World) -> None:
    table = await played(world)
    answers = await world.together(*(person.pressing(table.board, "Rematch") for person in (world.bob, world.carol)))
    assert "is open" in answers[0].text and "You have a seat at Animal Crossing · table 2." in answers[1].text
    (row,) = await world.bot.store.unfinished(world.guild.id)
    assert {seat.user for seat in (await world.bot.tables.load(row.id)).seats} == {world.bob.id, world.carol.id}


async def test_nobody_without_a_seat_opens_a_rematch(world: World) -> None:
    table = await played(world)
    answer = await world.dave.press(table.board, "Rematch")
    assert answer.ephemeral and answer.text == "You have no seat at this table."
    assert await world.bot.store.unfinished(world.guild.id) == []


async def test_a_rematch_after_a_restart(world: World) -> None:
    table = await played(world)
    await world.restart()
    assert "table 2 is open" in (await world.bob.press(table.board, "Rematch")).text
    await world.restart()
    assert (await world.bob.press(table.board, "Rematch")).text == "The rematch is table 2 already."


async def test_a_rematch_that_was_closed_may_be_opened_again(world: World) -> None:
    table = await played(world)
    await world.bob.press(table.board, "Rematch")
    await world.bob.press(world.games.posts[-2], "Leave")
    assert "table 3 is open" in (await world.carol.press(table.board, "Rematch")).text


async def test_a_rematch_obeys_the_settings_of_the_server(world: World) -> None:
    table = await played(world)
    await world.newcomer("mona", manager=True).slash("games settings", server_tables=1)
    await opened(world, world.dave)
    answer = await world.bob.press(table.board, "Rematch")
    assert answer.text == LIMIT


async def test_a_rematch_keeps_the_robots(world: World) -> None:
    table = await opened(world, world.alice, world.bob)
    await world.alice.press(table.lobby, "Add a robot")
    await end(table)
    await world.bob.press(table.board, "Rematch")
    new = await world.bot.tables.load(2)
    assert [seat.user for seat in new.seats] == [world.bob.id, None]
    await world.alice.press(world.games.posts[-2], "Join")
    assert (await world.bot.tables.load(2)).state == "running"
