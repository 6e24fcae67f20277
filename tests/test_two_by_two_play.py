"""Two by Two as it is played on Discord: tables, planners and commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from random import Random
from typing import Any

import pytest
from discord import ui
from PIL import Image

from bot import panels
from bot.menu import Panel, Select
from bot.rules.two_by_two import JUNGLE, NEIGHBOURS, SEA, TOKENS, TwoByTwo
from cogs.two_by_two import TwoByTwoCog
from renderers import two_by_two as renderer
from renderers.people import People
from tests.playing import asked, planned, pressed_to_the_end
from tests.sim import Person, Room, World

PEOPLE = People(("Ann", "Bo", "Cy", "Di"))


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are drawn at the end of a game only."""
    draw = renderer.draw

    def draw_the_end(view: Any, *others: Any) -> bytes:
        return draw(view, *others) if view.ended else b"a picture"

    monkeypatch.setattr(renderer, "draw", draw_the_end)


def tokens(**chosen: str) -> dict[str, Any]:
    """A set-up with these tokens; others of their kinds are put away or lie inland."""
    rest = [kind for kind, number in TOKENS.items() for _ in range(number)]
    for kind in chosen.values():
        rest.remove(kind)
    rest.sort(key=lambda kind: kind in chosen.values())
    inland = [space for space in JUNGLE if SEA.isdisjoint(NEIGHBOURS[space])]
    free = [space for space in JUNGLE if space not in (*inland, *chosen)]
    free += [space for space in inland if space not in chosen]
    return {"tokens": chosen | dict(zip(free, rest, strict=False)), "removed": rest[len(free) :]}


LIONS = tokens(G11="lion", I11="lion", H11="tiger", C5="tiger")
"""Both lions lie on the coast beside H12, which is beach; a tiger lies behind it and another on the north coast."""


async def seated(world: World, *others: Person, **options: Any) -> Room:
    """A running table of bob and the others: its thread."""
    world.bot.tables.rng = Random(0)
    await world.bob.slash("twobytwo new", players=1 + len(others), **options)
    for other in others:
        await other.press(world.games.last, "Join")
    return world.games.threads[-1]


async def arranged(world: World, monkeypatch: pytest.MonkeyPatch, setup: dict[str, Any] = LIONS) -> tuple[Room, Person]:
    """A table of two with that set-up, the arks at E and W, and who begins."""
    monkeypatch.setattr(TwoByTwo, "shuffle", lambda *_: setup)
    room = await seated(world, world.carol)
    first = asked(world, room)
    await first.slash("twobytwo berth", room, berth="E")
    await asked(world, room).slash("twobytwo berth", room, berth="W")
    return room, first


async def position(world: World) -> TwoByTwo:
    """The position of the only table."""
    table = await world.bot.tables.load(1)
    assert isinstance(table.position, TwoByTwo)
    return table.position


async def ended(world: World, room: Room) -> None:
    """The game is over, with one post a turn, the winner's name and the picture of the count."""
    final = await position(world)
    assert final.winners is not None
    table = await world.bot.tables.load(1)
    points = max(final.points)
    assert f"with {points} points" in room.last.text
    assert table.seats[final.winners[0]].name in room.last.text
    assert "win" in room.last.pictures[-1].alt
    assert Image.open(BytesIO(room.last.pictures[-1].content)).size == (1280, 960)
    assert len(room.posts) == final.seats + len(final.flooded) + 1


async def test_a_game_by_button(world: World, undrawn: None) -> None:
    room = await seated(world, world.carol)
    await pressed_to_the_end(world, room, Random(1))
    await ended(world, room)


async def test_a_game_by_command(world: World, undrawn: None) -> None:
    rng = Random(2)
    room = await seated(world, world.carol, world.dave, count="basic")
    for berth in ("NE", "SW", "W"):
        await asked(world, room).slash("twobytwo berth", room, berth=berth)
    options = {"flood": "space", "sail": "to", "rescue": "pair"}
    while "My move" in room.last.labels:
        person = asked(world, room)
        offered = {
            command: await person.suggestions(f"twobytwo {command}", option, room=room)
            for command, option in options.items()
        }
        command = rng.choice([command for command in ("rescue", "sail", "flood") if offered[command]] or ["done"])
        given = {options[command]: rng.choice(offered[command])[1]} if command != "done" else {}
        answer = await person.slash(f"twobytwo {command}", room, **given)
        assert "Stored at" in answer.text
    await ended(world, room)
    assert "basic count" in room.last.pictures[-1].alt


async def test_a_whole_game_with_robots(world: World, undrawn: None) -> None:
    world.bot.tables.rng = Random(0)
    await world.bob.slash("twobytwo new", players=4)
    for _ in range(3):
        await world.bob.press(world.games.last, "Add a robot")
    (room,) = world.games.threads
    await pressed_to_the_end(world, room, Random(3))
    await ended(world, room)
    assert len((await position(world)).flooded) == 36


async def test_the_host_may_start_with_two_of_four(world: World, undrawn: None) -> None:
    await world.bob.slash("twobytwo new")
    lobby = world.games.last
    assert "**3 seats are free.** The host may start from 2 players." in lobby.text
    with pytest.raises(AssertionError, match="disabled"):
        await world.bob.press(lobby, "Start")
    await world.carol.slash("twobytwo join")
    await world.bob.slash("twobytwo start")
    assert (await position(world)).seats == 2


async def test_the_flood_says_what_it_would_do_before_it_is_confirmed(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: None
) -> None:
    room, first = await arranged(world, monkeypatch)
    planner = await planned(first, room)
    assert "row G" in planner.selects[0].options and len(planner.selects) == 1
    planner = (await first.choose(planner, "Row G")).post
    notes = {option["value"]: option["description"] for part in planner.parts(3) for option in part["options"]}
    assert planner.selects[1].options["flood G11"] == "G11 · 2 points"
    assert notes["flood G11"] == "washes away a lion · turns up G10, H11"
    planner = (await first.choose(planner, "flood G11")).post
    told = (
        "Flooding **G11** gives you **2 points**, washes away a lion and turns up G10, H11. This cannot be taken back."
    )
    assert told in planner.text
    assert (await position(world)).flooded == ()
    planner = (await first.press(planner, "Flood G11")).post
    assert (await position(world)).flooded == ("G11",)
    assert "floods G11 for 2 points and washes away a lion." in planner.text
    assert "a tiger at H11" in planner.text
    assert "**Your ark has 2 actions:**" in planner.text
    assert "Take back" not in planner.labels


async def test_the_first_action_is_made_at_once_and_the_second_is_confirmed(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: None
) -> None:
    room, first = await arranged(world, monkeypatch)
    await first.slash("twobytwo flood", room, space="h12")
    planner = await planned(first, room)
    assert planner.labels[:6] == ["↖ G12", "↗ G13", "← H12", "→ H14", "↙ I12", "↘ I13"]
    assert "No pair can be rescued from where your ark lies." in planner.text
    planner = (await first.press(planner, "H12")).post
    assert (await position(world)).arks[0] == "H12"
    assert [button.enabled for button in planner.buttons[:6]] == [False, True, False, True, False, True]
    assert planner.selects[0].options == {
        "rescue G11 I11": "lions G11 + I11",
        "rescue C5 H11": "tigers H11 + C5",
    }
    planner = (await first.choose(planner, "lions G11 + I11")).post
    assert "You rescue the **lions G11 + I11**, and your turn ends. This cannot be taken back." in planner.text
    assert (await position(world)).held[0] == {}
    planner = (await first.press(planner, "Rescue the lions G11 + I11 and end your turn")).post
    assert (await position(world)).held[0] == {"lion": 1}
    assert "There is nothing for you to decide now." in planner.text
    assert not planner.buttons
    assert asked(world, room) is not first


async def test_ending_the_turn_early_is_confirmed(world: World, monkeypatch: pytest.MonkeyPatch, undrawn: None) -> None:
    room, first = await arranged(world, monkeypatch)
    await first.slash("twobytwo flood", room, space="H12")
    planner = await planned(first, room)
    planner = (await first.press(planner, "End turn")).post
    assert "You end your turn with 2 actions to spare. This cannot be taken back." in planner.text
    await first.press(planner, "End your turn")
    assert "ends the turn with 2 actions to spare." in room.last.text


async def test_the_first_action_can_be_taken_back(world: World, monkeypatch: pytest.MonkeyPatch, undrawn: None) -> None:
    room, first = await arranged(world, monkeypatch)
    await first.slash("twobytwo flood", room, space="H12")
    planner = await planned(first, room)
    planner = (await first.press(planner, "H12")).post
    planner = (await first.press(planner, "Take back")).post
    assert (await position(world)).arks[0] == "H13"
    assert "**Your ark has 2 actions:**" in planner.text
    assert "takes that back." in room.last.text
    await first.press(planner, "G12")
    await first.slash("twobytwo undo", room)
    assert (await position(world)).arks[0] == "H13"
    answer = await first.slash("twobytwo undo", room)
    assert answer.text == "Only the first sail or rescue of your running turn can be taken back."


async def test_commands_offer_the_words_of_the_picture(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: None
) -> None:
    room, first = await arranged(world, monkeypatch)

    async def offered(command: str, option: str, typed: str = "") -> list[tuple[str, Any]]:
        return await first.suggestions(f"twobytwo {command}", option, typed, room=room)

    assert await offered("flood", "space", "h12") == [("H12 · 3 points · turns up H11", "H12")]
    assert ("G11 · 2 points · washes away a lion · turns up G10, H11", "G11") in await offered("flood", "space", "lion")
    assert len(await offered("flood", "space")) == 25
    assert await offered("sail", "to") == []
    await first.slash("twobytwo flood", room, space="H12")
    assert ("← H12", "H12") in await offered("sail", "to")
    await first.slash("twobytwo sail", room, to="← H12")
    assert await offered("rescue", "pair") == [
        ("tigers H11 + C5 · +6 if the arks were counted now", "C5 H11"),
        ("lions G11 + I11 · +12 if the arks were counted now, doubled for you", "G11 I11"),
    ]
    await first.slash("twobytwo rescue", room, pair="tigers H11 + C5")
    assert (await position(world)).held[0] == {"tiger": 1}
    assert await offered("flood", "space") == []


async def test_refusals_of_commands_say_why(world: World, monkeypatch: pytest.MonkeyPatch, undrawn: None) -> None:
    room, first = await arranged(world, monkeypatch)

    async def refused(command: str, **given: str) -> str:
        return (await first.slash(f"twobytwo {command}", room, **given)).text

    assert await refused("flood", space="somewhere") == (
        "Name spaces as they stand on the board, for instance H12; pick one that is offered."
    )
    assert await refused("rescue", pair="G11") == (
        "Name spaces as they stand on the board, for instance H12; pick one that is offered."
    )
    assert await refused("flood", space="H8") == "H8 does not touch water."
    assert await refused("done") == "First flood a space; then your ark has two actions."
    assert await refused("berth", berth="NE") == "Your ark has its place already."
    assert (await world.dave.slash("twobytwo flood", room, space="H12")).text == "You have no seat at this table."


async def test_a_draft_survives_a_restart_in_the_middle_of_a_turn(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: None
) -> None:
    room, first = await arranged(world, monkeypatch)
    await first.slash("twobytwo flood", room, space="H12")
    old = await planned(first, room)
    await first.press(old, "H12")
    await first.press(old, "H13")
    await world.restart()
    planner = await planned(first, room)
    assert "You sail to **H13**, and your turn ends." in planner.text
    await first.press(old, "Sail to H13 and end your turn")
    assert (await position(world)).arks[0] == "H13"
    assert asked(world, room) is not first


async def test_a_press_on_an_old_planner_changes_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: None
) -> None:
    room, first = await arranged(world, monkeypatch)
    old = await planned(first, room)
    old = (await first.choose(old, "Row H")).post
    old = (await first.choose(old, "flood H12")).post
    await first.slash("twobytwo flood", room, space="H3")
    answer = await first.press(old, "Flood H12", as_seen=True)
    assert "The game goes on here" in answer.text
    assert (await position(world)).flooded == ("H3",)


async def test_a_press_that_arrives_twice_counts_once(
    world: World, monkeypatch: pytest.MonkeyPatch, undrawn: None
) -> None:
    room, first = await arranged(world, monkeypatch)
    await first.slash("twobytwo flood", room, space="H12")
    planner = await planned(first, room)
    await world.twice(first.pressing(planner, "G12"))
    current = await position(world)
    assert (current.arks[0], current.actions, current.active) == ("G12", 1, 0)


async def test_a_turn_is_one_post_that_pings_once(world: World, monkeypatch: pytest.MonkeyPatch, undrawn: None) -> None:
    room, first = await arranged(world, monkeypatch)
    before = len(room.posts)
    post = room.last
    assert post.pings == (first.id,)
    await first.slash("twobytwo flood", room, space="H12")
    await first.slash("twobytwo sail", room, to="H12")
    assert len(room.posts) == before and room.last.id == post.id
    for told in ("floods H12 for 3 points.", "sails to H12.", "has 1 action left"):
        assert told in room.last.text
    await first.slash("twobytwo done", room)
    assert len(room.posts) == before + 1
    assert "My move" not in room.posts[-2].labels
    assert "sails to H12." not in room.last.text
    assert room.last.pings == (asked(world, room).id,)


async def test_the_rules_are_told_whole(world: World) -> None:
    answer = await world.bob.slash("twobytwo rules")
    assert answer.ephemeral
    assert answer.text == TwoByTwoCog.rules_text(world.bot.game_cog("two_by_two"))
    assert len(answer.text) <= 2000


def panel_of(game: TwoByTwo, draft: str) -> Panel:
    seat = game.active
    return TwoByTwoCog.panel(TwoByTwoCog, game.view(seat), game.moves(seat), draft, PEOPLE)  # type: ignore[arg-type]


def drafts(panel: Panel) -> Iterator[str]:
    """The drafts that a panel offers."""
    for row in panel.rows:
        offers = row.choices if isinstance(row, Select) else [button for button in row if button.enabled]
        verbs = (
            [row.verb] * len(offers) if isinstance(row, Select) else [button.verb for button in row if button.enabled]
        )
        yield from (offer.argument for offer, verb in zip(offers, verbs, strict=True) if verb == "draft")


@pytest.fixture(scope="module")
def crowded() -> TwoByTwo:
    """An ark amid six different animals, of each of which five others lie face up: thirty pairs."""
    ring = ("G7", "G8", "H7", "H9", "I7", "I8")
    kinds = ("lion", "tiger", "zebra", "panda", "rhino", "turtle")
    far = [space for space in JUNGLE if space not in (*ring, "H8")]
    face_up = dict(zip(ring, kinds, strict=True)) | dict(zip(far, kinds * 5, strict=False))
    dealt = TwoByTwo.deal(2, {"count": "advanced"}, LIONS)
    for move in ("berth E", "berth W", "flood H12"):
        dealt = dealt.play(dealt.active, move)
    return replace(dealt, arks=("H8", "H2"), face_up=face_up, face_down={}, flooded=("H12", "H8"))


def test_more_pairs_than_a_list_holds_are_paged_nearest_first(crowded: TwoByTwo) -> None:
    def listed(draft: str) -> list[str]:
        (pairs,) = [row for row in panel_of(crowded, draft).rows if isinstance(row, Select)]
        return [choice.argument for choice in pairs.choices]

    first, second = listed(""), listed("page 1")
    assert len(first) == 25 and len(second) == 5
    assert {*first, *second} == {move for move in crowded.moves(0) if move.startswith("rescue")}
    assert "page 1" in drafts(panel_of(crowded, "")) and "page 0" in drafts(panel_of(crowded, "page 1"))
    assert listed("page 9") == second
    last_action = replace(crowded, actions=1)
    (pairs,) = [row for row in panel_of(last_action, second[0]).rows if isinstance(row, Select)]
    assert [choice.argument for choice in pairs.choices if choice.chosen] == [second[0]]


def test_every_panel_fits_into_a_message(crowded: TwoByTwo) -> None:
    rng = Random(4)
    game = TwoByTwo.deal(4, {"count": "advanced"}, TwoByTwo.shuffle(4, {}, rng))
    games = [crowded, replace(crowded, actions=1)]
    while game.waiting():
        games.append(game)
        game = game.play(game.active, rng.choice(game.moves(game.active)))
    for each in games[::3]:
        shown = panel_of(each, "")
        seen = [shown, *(panel_of(each, draft) for draft in drafts(shown))]
        for panel in seen:
            view = panels.planner(panel, 10**9, 10**4, 3, "alt text")
            ids = [str(item.custom_id) for item in view.walk_children() if isinstance(item, (ui.Button, ui.Select))]
            assert len(set(ids)) == len(ids)
            assert view.total_children_count <= 40
            assert len(panel.text) < panels.MOST_PANEL_TEXT
            for row in panel.rows:
                if isinstance(row, Select):
                    assert 1 <= len(row.choices) <= 25
                    assert all(len(choice.label) <= 100 and len(choice.note) <= 100 for choice in row.choices)
                else:
                    assert 1 <= len(row) <= 5
                    assert all(len(button.label) <= 80 for button in row)
