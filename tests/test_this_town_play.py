"""This Town as it is played on Discord: tables, planners and commands."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import Any

import pytest
from discord import ui
from PIL import Image

from bot import panels
from bot.menu import Panel
from bot.rules.this_town import STACK, Ended, Kept, Relocated, ThisTown, free_places
from bot.words import plain_people
from cogs.this_town import ThisTownCog
from renderers import this_town as renderer
from renderers.people import People
from renderers.this_town_words import text_map
from tests.playing import asked, planned, pressed_to_the_end
from tests.sim import Person, Room, World
from tests.test_this_town_pictures import line_of_24
from tests.test_this_town_rules import owing, silver_town

PEOPLE = People(("Ann", "Bob", "Cleo", "Dan"))
"""The style of the one button that settles what the others pick."""


class Unshuffled(Random):
    """Seats stay in the order in which players joined."""

    def shuffle(self, x: Any) -> None:
        pass


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pictures are drawn at the end of a game only; the drafts that planners would have drawn are kept."""
    draw = renderer.draw
    drafts: list[str] = []

    def draw_the_end(view: Any, people: People, moves: tuple[str, ...] = (), draft: str = "") -> bytes:
        if moves:
            drafts.append(draft)
        return draw(view, people) if view.outcome else b"a picture"

    monkeypatch.setattr(renderer, "draw", draw_the_end)
    return drafts


async def seated(world: World, *others: Person) -> Room:
    """A running table of bob and the others: its thread."""
    await world.bob.slash("thistown new", players=1 + len(others))
    for other in others:
        await other.press(world.games.last, "Join")
    return world.games.threads[-1]


async def arranged(world: World, monkeypatch: pytest.MonkeyPatch, *top: str) -> Room:
    """A table of bob with the bell, who begins, and carol with the bull, those tiles on top of the stack."""
    stack = [*top, *(tile for tile in STACK if tile not in top)]
    monkeypatch.setattr(ThisTown, "shuffle", lambda *_: {"stack": stack})
    world.bot.tables.rng = Unshuffled()
    await world.bob.slash("thistown new", players=2)
    await world.bob.press(world.games.last, "Blue Bell")
    await world.carol.press(world.games.last, "Green Bull")
    return world.games.threads[-1]


async def about_to_close(world: World, monkeypatch: pytest.MonkeyPatch) -> Room:
    """F1 put by carol on place 3, to the right of A1, closes a town of 2 bells, 1 bull, 2 sunrises and a bar."""
    room = await arranged(world, monkeypatch, "A2", "B1", "A1", "F1")
    for person, at in ((world.bob, "4"), (world.carol, "2"), (world.bob, "2 half")):
        answer = await person.slash("thistown place", room, at=at)
        assert "Stored at" in answer.text
    return room


async def chained(world: World, monkeypatch: pytest.MonkeyPatch) -> Room:
    """Carol has closed that town; for its bar she may move B1, which is A in the picture, or A2, which is B."""
    room = await about_to_close(world, monkeypatch)
    await world.carol.slash("thistown place", room, at="3")
    assert (await position(world)).view(1).movable == ((-1, 0), (0, 1))
    return room


async def position(world: World) -> ThisTown:
    """The position of the only table."""
    table = await world.bot.tables.load(1)
    assert isinstance(table.position, ThisTown)
    return table.position


async def ended(world: World, room: Room) -> None:
    """The game is over after 24 tiles, with one post a tile, the winners' names and the picture of the last map."""
    final = await position(world)
    assert final.outcome() and len(final.laid) == 25
    table = await world.bot.tables.load(1)
    (end,) = [event for event in final.events if isinstance(event, Ended)]
    assert "All tiles are placed." in room.last.text
    for seat in end.ranking[0]:
        assert table.seats[seat].name in room.last.text.splitlines()[-1]
    assert len(room.posts) == 25
    assert Image.open(BytesIO(room.last.pictures[-1].content)).size == (1280, 960)
    assert room.last.pictures[-1].alt.startswith(renderer.ask(final.view(None), plain_people(table)))


# --- whole games -------------------------------------------------------------------------------------------


async def test_a_game_by_button(world: World, undrawn: object) -> None:
    room = await seated(world, world.carol)
    await pressed_to_the_end(world, room, Random(1))
    await ended(world, room)


async def test_a_game_by_command(world: World, monkeypatch: pytest.MonkeyPatch, undrawn: object) -> None:
    """It begins with a chain of silver moves; then anything that is offered is taken."""
    rng = Random(2)
    room = await chained(world, monkeypatch)
    while "My move" in room.last.labels:
        person = asked(world, room)
        if offered := await person.suggestions("thistown place", "at", room=room):
            answer = await person.slash("thistown place", room, at=rng.choice(offered)[1])
        else:
            _name, tile = (await person.suggestions("thistown relocate", "tile", room=room))[-1]
            _name, to = rng.choice(await person.suggestions("thistown relocate", "to", room=room, tile=tile))
            answer = await person.slash("thistown relocate", room, tile=tile, to=to)
        assert "Stored at" in answer.text
    await ended(world, room)
    assert any(isinstance(event, Relocated) for event in (await position(world)).events)


async def test_a_game_with_robots(world: World, undrawn: object) -> None:
    await world.bob.slash("thistown new", players=4)
    for _ in range(3):
        await world.bob.press(world.games.last, "Add a robot")
    (room,) = world.games.threads
    await pressed_to_the_end(world, room, Random(3))
    await ended(world, room)


# --- the lobby ---------------------------------------------------------------------------------------------


async def test_two_who_pick_the_same_brand_at_once(world: World, undrawn: object) -> None:
    """One of them has it, and a seat by it; the other is told so and can pick another."""
    await world.bob.slash("thistown new", players=3)
    lobby = world.games.last
    assert "**Blue Bell, Broken Arrow, Green Bull or Sunrise?** Press yours" in lobby.text
    pressing = [person.pressing(lobby, "Sunrise") for person in (world.carol, world.dave)]
    first, second = await world.together(*pressing)
    assert ("Somebody else has picked that already." in first.text) != (
        "Somebody else has picked that already." in second.text
    )
    loser = world.carol if "Somebody" in first.text else world.dave
    winner = world.dave if loser is world.carol else world.carol
    table = await world.bot.tables.load(1)
    assert [(seat.user, seat.choice) for seat in table.seats] == [(world.bob.id, None), (winner.id, "sunrise")]
    await loser.press(lobby, "Blue Bell")
    table = await world.bot.tables.load(1)
    assert isinstance(table.position, ThisTown)
    brands = dict(zip([seat.user for seat in table.seats], table.position.brands, strict=True))
    assert brands == {world.bob.id: "arrow", winner.id: "sunrise", loser.id: "bell"}


async def test_a_player_may_change_the_brand_until_the_start(world: World, undrawn: object) -> None:
    await world.bob.slash("thistown new")
    lobby = world.games.last
    await world.carol.press(lobby, "Sunrise")
    await world.carol.press(lobby, "Blue Bell")
    assert "2. Carol · Blue Bell" in world.games.last.text
    await world.bob.press(lobby, "Sunrise")
    await world.bob.press(lobby, "Start")
    assert sorted((await position(world)).brands) == ["bell", "sunrise"]


# --- the planner -------------------------------------------------------------------------------------------


async def test_a_tile_is_placed_turned_and_confirmed(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: list[str]
) -> None:
    room = await arranged(world, monkeypatch, "F1")
    planner = await planned(world.bob, room)
    assert planner.text == (
        "**Where does your tile go?** Pick a numbered place; then you can turn the tile before you place it."
    )
    assert list(planner.selects[0].options.values()) == ["Place 1", "Place 2", "Place 3", "Place 4"]
    assert planner.labels == []
    planner = (await world.bob.choose(planner, "Place 1")).post
    assert planner.labels == ["⟲ Turn left", "Turn right ⟳", "Place at 1"]
    assert planner.text.splitlines()[1] == (
        "On place **1**, unturned, the tile closes **1 town**: you +0. This cannot be taken back."
    )
    planner = (await world.bob.press(planner, "Turn left")).post
    assert "On place **1**, turned left," in planner.text
    planner = (await world.bob.choose(planner, "Place 3")).post
    assert "On place **3**, turned left," in planner.text
    planner = (await world.bob.press(planner, "Turn right")).post
    assert "On place **3**, unturned," in planner.text
    assert undrawn == ["", "place 0,-1 0", "place 0,-1 3", "place 1,0 3", "place 1,0 0"]
    assert len((await position(world)).laid) == 1
    planner = (await world.bob.press(planner, "Place at 3")).post
    assert (await position(world)).laid[-1].at == (1, 0)
    assert "There is nothing for you to decide now." in planner.text and "Stored at" in planner.text
    assert "**Bob** places a tile at 1,0." in room.last.text
    assert "Carol is to place a tile; 22 more are left." in room.last.text


async def test_the_planner_says_what_a_town_brings(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: object
) -> None:
    room = await about_to_close(world, monkeypatch)
    planner = await planned(world.carol, room)
    planner = (await world.carol.choose(planner, "Place 3")).post
    assert planner.text.splitlines()[1] == (
        "On place **3**, unturned, the tile closes **1 town**: Bob +1 and you +0."
        " Silver: then you may move a tile. This cannot be taken back."
    )


async def test_a_chain_of_silver_moves_survives_a_restart(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: list[str]
) -> None:
    """A2 moves into the corner and closes a town with its own bar; B1 is taken up when the bot stops."""
    room = await chained(world, monkeypatch)
    posts = len(room.posts)
    planner = await planned(world.carol, room)
    assert planner.text.startswith("**You may move a tile for the silver.** Pick one that has a letter.")
    planner = (await world.carol.choose(planner, "Tile B")).post
    planner = (await world.carol.choose(planner, "relocate 0,1 1,0 0")).post
    assert "Silver: then you may move a tile." in planner.text
    assert planner.labels[2:] == ["Move B to 6", "Another tile", "Keep as is"]
    planner = (await world.carol.press(planner, "Move B to 6")).post
    planner = (await world.carol.choose(planner, "Tile A")).post
    assert planner.text.startswith("**Where does tile A go?**")
    await world.restart()
    again = await planned(world.carol, room)
    assert again.text.startswith("**Where does tile A go?**")
    assert undrawn[-1] == "relocate -1,0"
    planner = (await world.carol.choose(planner, "relocate -1,0 0,1 0")).post
    await world.carol.press(planner, "Move A to 6")
    final = await position(world)
    assert (final.owed, final.mover, len(final.towns)) == (0, 0, 2)
    assert len(room.posts) == posts + 1
    told = room.posts[-2].text + room.last.text
    assert told.count("**Carol** moves the tile at ") == 2
    assert asked(world, room) is world.bob


async def test_another_tile_can_be_taken_before_one_is_moved(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: list[str]
) -> None:
    room = await chained(world, monkeypatch)
    planner = await planned(world.carol, room)
    assert list(planner.selects[0].options.values()) == ["Tile A", "Tile B"]
    planner = (await world.carol.choose(planner, "Tile B")).post
    assert planner.labels == ["Another tile", "Keep as is"]
    planner = (await world.carol.press(planner, "Another tile")).post
    assert undrawn[-1] == ""
    assert planner.selects[0].placeholder == "Pick a tile"


async def test_a_silver_move_is_given_up_only_when_confirmed(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: object
) -> None:
    room = await chained(world, monkeypatch)
    planner = await planned(world.carol, room)
    planner = (await world.carol.press(planner, "Keep as is")).post
    assert planner.text.startswith("**Move no tile?** The map stays as it is and the silver is spent.")
    planner = (await world.carol.press(planner, "Back")).post
    planner = (await world.carol.press(planner, "Keep as is")).post
    await world.carol.press(planner, "Keep as is")
    assert isinstance((await position(world)).events[-1], Kept)
    assert "**Carol** leaves the map as it is." in room.last.text


async def test_a_press_on_an_old_planner_changes_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: object
) -> None:
    room = await arranged(world, monkeypatch)
    old = await planned(world.bob, room)
    old = (await world.bob.choose(old, "Place 2")).post
    await world.bob.slash("thistown place", room, at="1")
    for button in ("Turn left", "Place at 2"):
        answer = await world.bob.press(old, button, as_seen=True)
        assert "That moment has passed. The game goes on here" in answer.text
    assert [tile.at for tile in (await position(world)).laid] == [(0, 0), (0, -1)]


async def test_a_press_that_arrives_twice_counts_once(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: object
) -> None:
    room = await arranged(world, monkeypatch)
    planner = await planned(world.bob, room)
    planner = (await world.bob.choose(planner, "Place 2")).post
    await world.twice(world.bob.pressing(planner, "Place at 2"))
    assert len((await position(world)).laid) == 2


@pytest.mark.parametrize("draft", ["place 9,9 0", "place 0,-1 7", "relocate 0,0", "keep", "somewhere"])
async def test_a_draft_that_is_not_possible_is_none(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: object, draft: str
) -> None:
    room = await arranged(world, monkeypatch)
    planner = await planned(world.bob, room)
    answer = await world.bob.press_id(planner, f"v1:1:1:0:draft:{draft}")
    assert answer.post.text == planner.text
    assert answer.post.labels == []


@pytest.mark.parametrize(
    "draft", ["place 9,9 0", "relocate 0,0", "relocate 0,1 9,9 0", "relocate 5,5 1,0 0", "place 1,0 0"]
)
def test_a_picture_of_such_a_draft_is_that_of_no_draft(draft: str) -> None:
    view = silver_town("B1 0,1 0").view(0)
    assert view.owed and view.movable == ((0, 1),)
    assert renderer.draw(view, PEOPLE, ("keep",), draft) == renderer.draw(view, PEOPLE, ("keep",))


# --- what fits ---------------------------------------------------------------------------------------------


def panel_of(position: ThisTown, draft: str = "") -> Panel:
    cog = ThisTownCog.__new__(ThisTownCog)
    return cog.panel(position.view(position.mover), position.moves(position.mover), draft, PEOPLE)


def must_fit(panel: Panel) -> None:
    """The panel within Discord's limits, which its library does not check."""
    shown = panels.planner(panel, 1_000_000, 10_000, 8, "a picture")
    ids = [item.custom_id for item in shown.walk_children() if isinstance(item, (ui.Button, ui.Select))]
    assert len(ids) == len(set(ids))
    assert max(len(each or "") for each in ["", *ids]) <= 100
    assert shown.content_length() <= 4_000
    for row in panel.rows:
        if not isinstance(row, tuple):
            assert 1 <= len({choice.argument for choice in row.choices}) == len(row.choices) <= 25


def test_the_largest_choice_of_places_is_two_lists() -> None:
    """A row of 24 tiles has 24 places on either side and one at each end."""
    game = line_of_24(vertical=False)
    x, y = game.view(0).free[40]
    panel = panel_of(game, f"place {x},{y} 2")
    must_fit(panel)
    first, second, buttons = panel.rows
    assert [len(row.choices) for row in (first, second) if not isinstance(row, tuple)] == [25, 25]
    assert isinstance(buttons, tuple) and buttons[-1].label == "Place at 41"


def test_the_longest_relocation_fits() -> None:
    game = owing("start 0,0 0", *(f"{tile} {n},0 0" for n, tile in enumerate(STACK, 1)))
    view = game.view(0)
    source = view.movable[-1]
    spot = free_places(view.laid, source)[-1]
    panel = panel_of(game, f"relocate {source[0]},{source[1]} {spot[0]},{spot[1]} 3")
    must_fit(panel)
    assert len(panel.rows) == 3


def test_every_planner_of_a_game_fits() -> None:
    rng = Random(4)
    options = ThisTown.complete(3, {})
    game = ThisTown.deal(3, options, ThisTown.shuffle(3, options, rng))
    while game.waiting():
        moves = game.moves(game.mover)
        move = rng.choice(moves)
        must_fit(panel_of(game))
        must_fit(panel_of(game, move))
        game = game.play(game.mover, move)


# --- commands and words ------------------------------------------------------------------------------------


async def test_commands_offer_the_words_of_the_picture(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: object
) -> None:
    room = await about_to_close(world, monkeypatch)

    async def offered(command: str, option: str, typed: str = "", **filled: Any) -> list[tuple[str, Any]]:
        return await world.carol.suggestions(f"thistown {command}", option, typed, room=room, **filled)

    assert (await offered("place", "at", "3"))[0] == ("3 unturned · closes 1 town, +0 for you", "1,-1 0")
    assert ("2 turned right · closes no town", "-1,-1 1") in await offered("place", "at", "right")
    assert await offered("relocate", "tile") == []
    assert await world.bob.suggestions("thistown place", "at", room=room) == []
    await world.carol.slash("thistown place", room, at="3")
    assert [name for name, _value in await offered("relocate", "tile")] == ["A · at -1,0", "B · at 0,1"]
    names = [name for name, _value in await offered("relocate", "to", "6", tile="b")]
    assert names[0] == "6 unturned · closes 1 town, +0 for you"
    assert await offered("place", "at") == []


async def test_commands_understand_what_is_typed(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: object
) -> None:
    room = await chained(world, monkeypatch)
    await world.carol.slash("thistown relocate", room, tile="b", to="6 turned left")
    moved = (await position(world)).laid[-1]
    assert (moved.tile, moved.at, moved.turned) == ("A2", (1, 0), 3)
    await world.bob.slash("thistown place", room, at="1 right")
    assert (await position(world)).laid[-1].turned == 1


async def test_refusals_of_commands_say_why(world: World, monkeypatch: pytest.MonkeyPatch, undrawn: object) -> None:
    room = await about_to_close(world, monkeypatch)

    async def refused(command: str, **given: str) -> str:
        return (await world.carol.slash(f"thistown {command}", room, **given)).text

    assert await refused("place", at="there") == "Name a place by its number on the map, 1 to 8."
    assert await refused("place", at="9") == "Name a place by its number on the map, 1 to 8."
    assert await refused("place", at="3 upwards") == "Say how to turn the tile: right, half or left."
    assert await refused("keep") == "There is no silver move to make now."
    assert await refused("relocate", tile="A", to="1") == "There is no silver move to make now."
    assert (await world.bob.slash("thistown place", room, at="1")).text == "It is not your turn."
    assert (await world.dave.slash("thistown place", room, at="1")).text == "You have no seat at this table."
    await world.carol.slash("thistown place", room, at="3")
    assert await refused("relocate", tile="C", to="1") == "Name a tile by its letter on the map, A to B."
    assert await refused("place", at="1") == "First move a tile for the silver bar, or keep the map as it is."


async def test_show_tells_the_table_in_words_with_the_map_in_letters(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: object
) -> None:
    room = await about_to_close(world, monkeypatch)
    answer = await world.dave.slash("thistown show", room)
    assert answer.ephemeral
    lines = answer.text.splitlines()
    assert lines[:4] == [
        "Carol is to place a tile; 20 more are left.",
        "Scores: Bob (Blue Bell) 0, Carol (Green Bull) 0.",
        "Brands of nobody: Broken Arrow and Sunrise.",
        "Drawn tile, unturned: N: 1 Blue Bell; E: 1 Blue Bell, 1 Green Bull; S: 1 Sunrise; W: 1 Sunrise.",
    ]
    assert lines[-8:] == [
        "```",
        "       -2    -1     0     1",
        " -2     .     .   (1)     .",
        " -1     .   (2) baab*   (3)",
        "  0   (4)  cddc  aefd   (5)",
        "  1     .   (6)  fggf   (7)",
        "  2     .     .   (8)     .",
        "```",
    ]


async def test_the_rules_are_read_at_once(world: World) -> None:
    answer = await world.dave.slash("thistown rules")
    assert answer.ephemeral
    assert "## This Town in short" in answer.text
    assert not answer.text.endswith("..")
    (card,) = answer.post.pictures
    assert Image.open(BytesIO(card.content)).size == (1280, 960)
    assert len(card.content) <= 250_000


def test_show_fits_at_every_moment_of_a_game() -> None:
    """And never loses the map, which comes last."""
    cog = ThisTownCog.__new__(ThisTownCog)
    rng = Random(6)
    options = ThisTown.complete(4, {})
    game = ThisTown.deal(4, options, ThisTown.shuffle(4, options, rng))
    people = People(("W" * 32,) * 4)
    while game.waiting():
        game = game.play(game.mover, rng.choice(game.moves(game.mover)))
        words = cog.words_of(game.view(None), people)
        assert len(words) <= 2_000
        assert words.endswith(f"```\n{text_map(game.view(None))}\n```")


def test_a_turn_is_one_post_from_the_tile_to_the_last_silver_move() -> None:
    cog = ThisTownCog.__new__(ThisTownCog)
    game = silver_town("A2 0,1 0", "B1 -1,0 0")
    placed = game.events[0].turn
    assert game.turn == placed + 1 and cog.post_since(game.view(None)) == placed
    game = game.play(0, "relocate 0,1 1,0 0")
    assert game.owed and cog.post_since(game.view(None)) == placed
    game = game.play(0, "keep")
    assert cog.post_since(game.view(None)) == game.turn
