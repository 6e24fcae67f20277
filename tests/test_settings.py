"""What a server settles for its tables, and what the doctor finds out."""

from __future__ import annotations

import discord
import pytest

from bot.deadlines import DAY, HOUR, zones
from bot.settings import Settings, settings_of
from tests.animals import opened, started
from tests.sim import Answer, Person, Room, World

LIMIT = "This server allows no more than 1 unfinished tables; one must end first."
OWN_LIMIT = "This server lets nobody host more than 1 unfinished tables; one of yours must end first."


@pytest.fixture
def mona(world: World) -> Person:
    """Somebody who manages the server."""
    return world.newcomer("mona", manager=True)


async def stored(world: World) -> Settings:
    return await settings_of(world.bot.store, world.guild.id)


def forbid(world: World, name: str, **denied: bool) -> Room:
    """A channel in which everybody, and the bot, lacks these permissions."""
    overwrite = discord.PermissionOverwrite(**dict.fromkeys(denied, False))
    return Room(world.env, world.guild.create_text_channel(name, overwrites={world.guild.default_role: overwrite}))


def refused(answer: Answer) -> str:
    """The one sentence of a private refusal."""
    assert answer.ephemeral
    assert answer.text.count("\n") == 0 and answer.text.endswith(".")
    return answer.text


# The command


async def test_without_options_all_settings_are_said(world: World, mona: Person) -> None:
    answer = await mona.slash("games settings")
    assert answer.ephemeral
    assert answer.text.splitlines() == [
        "**The settings of this server**",
        "• Tables are opened in any channel.",
        "• Games are played in threads of their own, unless whoever opens the table says otherwise.",
        "• Time for each question: **1 day**.",
        "• Each seat may use **2 days** more in a whole game.",
        "• Whoever is late is named for **1 day**; then a robot plays for them until they act again.",
        "• Weekends count. The time zone is UTC.",
        "• While players have said to be away, the clock stands, on 30 days a year; beyond them a robot plays.",
        "• Everybody may open tables.",
        "• At most 10 unfinished tables a member and 100 in this server.",
        "• Public posts are in the server's own language.",
        "-# Times and policies hold for tables that are opened from now on.",
    ]
    assert await stored(world) == Settings()


async def test_what_is_changed_is_stored_and_said(world: World, mona: Person) -> None:
    players = world.guild.create_role("Players")
    answer = await mona.slash(
        "games settings",
        channel=world.games.handle,
        threads=False,
        time=4 * HOUR,
        bank=0,
        grace=12,
        late="replace",
        weekends=False,
        zone="Europe/Berlin",
        absence="steward",
        openers=players,
        member_tables=2,
        server_tables=5,
        language="en",
    )
    assert answer.text.splitlines() == [
        "**Stored. The settings of this server**",
        f"• Tables are opened in <#{world.games.id}>.",
        "• Games are played in the channel itself, unless whoever opens the table says otherwise.",
        "• Time for each question: **4 hours**.",
        "• No seat has time beyond that.",
        "• Whoever is late is named for **12 hours**; then their seat is offered to others.",
        "• Weekends do not count. The time zone is Europe/Berlin.",
        "• While players have said to be away, a robot plays.",
        f"• Only <@&{players.id}> may open tables.",
        "• At most 2 unfinished tables a member and 5 in this server.",
        "• Public posts are in the language `en`.",
        "-# Times and policies hold for tables that are opened from now on.",
    ]
    assert not answer.post.pings
    await world.restart()
    again = await mona.slash("games settings", away=3)
    assert again.text.replace("Stored. The", "The") == answer.text.replace("Stored. The", "The")
    assert (await stored(world)).pace.away_days == 3


async def test_reset_brings_one_thing_or_everything_back(world: World, mona: Person) -> None:
    await mona.slash("games settings", channel=world.games.handle, openers=world.guild.create_role("Players"), bank=5)
    await mona.slash("games settings", reset="channel")
    assert (await stored(world)).channel is None and (await stored(world)).openers is not None
    await mona.slash("games settings", openers=world.guild.default_role)
    assert (await stored(world)).openers is None
    await mona.slash("games settings", reset="everything")
    assert await stored(world) == Settings()


@pytest.mark.parametrize("command", ["games settings", "games doctor"])
async def test_only_who_manages_the_server_may(world: World, command: str) -> None:
    answer = await world.bob.slash(command)
    assert refused(answer) == "Only those who manage the server may do that."


async def test_an_unknown_time_zone_is_refused_in_a_sentence(world: World, mona: Person) -> None:
    answer = await mona.slash("games settings", zone="Mars/Olympus", bank=5)
    assert refused(answer).startswith("There is no time zone Mars/Olympus; pick one of the list")
    assert await stored(world) == Settings()


async def test_an_unknown_language_is_refused_in_a_sentence(world: World, mona: Person) -> None:
    assert "I speak" in refused(await mona.slash("games settings", language="tlh"))


async def test_zones_and_languages_are_suggested(world: World, mona: Person) -> None:
    assert await mona.suggestions("games settings", "zone", "new york") == [("America/New_York", "America/New_York")]
    assert ("en", "en") in await mona.suggestions("games settings", "language", "e")
    assert zones("paris")[0] == "Europe/Paris"


# What follows


async def test_tables_are_opened_in_that_channel_and_its_threads_only(world: World, mona: Person) -> None:
    await mona.slash("games settings", channel=world.games.handle)
    elsewhere = world.channel("chat")
    answer = await world.bob.slash("animals new", elsewhere)
    assert refused(answer) == f"In this server tables are opened in <#{world.games.id}>."
    table = await started(world)
    await world.bob.slash("animals new", table.room)
    assert len(await world.bot.store.unfinished(world.guild.id)) == 2


async def test_only_the_role_may_open_tables(world: World, mona: Person) -> None:
    players = world.guild.create_role("Players")
    await mona.slash("games settings", openers=players)
    assert refused(await world.bob.slash("animals new")) == f"In this server only <@&{players.id}> may open tables."
    user = world.env.create_user("pat", global_name="Pat")
    pat = Person(world, world.guild.add_member(user, roles=[players]))
    assert "is open" in (await pat.slash("animals new")).text
    assert "You have a seat" in (await world.bob.press(world.games.last, "Join")).text


async def test_the_most_tables_of_a_member(world: World, mona: Person) -> None:
    await mona.slash("games settings", member_tables=1)
    await world.bob.slash("animals new")
    assert refused(await world.bob.slash("animals new")) == OWN_LIMIT
    assert "is open" in (await world.carol.slash("animals new")).text
    await world.bob.press(world.games.posts[0], "Leave")
    assert "is open" in (await world.bob.slash("animals new")).text


async def test_the_most_tables_of_the_server(world: World, mona: Person) -> None:
    await mona.slash("games settings", server_tables=1)
    await world.bob.slash("animals new")
    assert refused(await world.carol.slash("animals new")) == LIMIT


async def test_new_tables_take_the_pace_and_the_thread_policy(world: World, mona: Person) -> None:
    before = await opened(world, world.alice)
    await mona.slash(
        "games settings", threads=False, time=4 * HOUR, bank=3, late="end", weekends=False, zone="Asia/Tokyo"
    )
    table = await (await opened(world, world.bob)).stored()
    assert (table.pace.period, table.pace.bank, table.pace.policy) == (4 * HOUR, 3 * DAY, "end")
    assert (table.pace.weekends, table.pace.zone) == (False, "Asia/Tokyo")
    assert not table.thread and table.place == world.games.id
    own = await (await opened(world, world.carol, time=HOUR, thread=True)).stored()
    assert own.pace.period == HOUR and own.thread
    assert (await before.stored()).pace.period == DAY


# The doctor


async def test_the_doctor_posts_a_picture_and_removes_it(world: World, mona: Person) -> None:
    answer = await mona.slash("games doctor")
    assert answer.ephemeral
    assert answer.text.splitlines() == [
        f"**<#{world.games.id}>**",
        "✅ I can post pictures: I have just posted one and removed it.",
        "✅ I can open a thread for each game.",
        "✅ All tables of this server are shown.",
    ]
    assert world.calls("send", world.games) == 1 and world.calls("delete", world.games) == 1
    assert world.games.posts == []


async def test_the_doctor_names_what_is_missing_and_what_follows(world: World, mona: Person) -> None:
    room = forbid(world, "quiet", attach_files=True, create_public_threads=True)
    answer = await mona.slash("games doctor", room)
    assert answer.text.splitlines()[:3] == [
        f"**<#{room.id}>**",
        "❌ No game can be played here, because I may not post pictures. Missing: **Attach Files**.",
        "⚠️ Games are played in the channel itself, because I may not open threads. Missing: **Create Public Threads**.",
    ]
    assert world.calls("send", room) == 0
    assert "Attach Files" in refused(await world.bob.slash("animals new", room))


async def test_the_doctor_looks_at_the_channel_for_games_too(world: World, mona: Person) -> None:
    room = forbid(world, "arcade", send_messages=True)
    await mona.slash("games settings", channel=room.handle)
    answer = await mona.slash("games doctor")
    assert f"**<#{world.games.id}>**\n✅ I can post pictures" in answer.text
    assert f"**<#{room.id}>**\n❌ No game can be played here" in answer.text
    assert "Missing: **Send Messages, Attach Files**" in answer.text
    await room.delete()
    assert "The channel for games is deleted" in (await mona.slash("games doctor")).text


async def test_the_doctor_says_that_discord_refused(world: World, mona: Person) -> None:
    world.fail("server error", world.games, times=None)
    answer = await mona.slash("games doctor")
    assert "but Discord refused one just now (500, 0)" in answer.text


async def test_the_doctor_works_in_a_thread(world: World, mona: Person) -> None:
    table = await started(world)
    answer = await mona.slash("games doctor", table.room)
    assert "✅ I can post pictures" in answer.text and "played in it" in answer.text


async def test_the_doctor_names_tables_that_are_not_shown_and_mends_them(world: World, mona: Person) -> None:
    table = await started(world)
    world.fail("missing permissions", table.room)
    world.fail("missing permissions", table.room, doing="edit")
    await table.choose_all()
    assert "boarding is open" not in table.room.text
    world.mend()
    answer = await mona.slash("games doctor")
    assert f"Animal Crossing · table {table.number}" in answer.text and "Nothing of them is lost" in answer.text
    assert "boarding is open" in table.room.text
    assert "✅ All tables of this server are shown." in (await mona.slash("games doctor")).text
