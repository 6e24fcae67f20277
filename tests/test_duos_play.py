"""DUOS as it is played on Discord: tables, planners, commands, and what nobody may see before the last lock."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from io import BytesIO
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot import panels
from bot.rules.duos import Duos, Ended, TurnScored, sets_for
from cogs.duos import EMBLEMS, DuosCog
from renderers import duos as renderer
from renderers.duos_words import rating
from tests.sim import Answer, Person, Post, Room, World

TOLD = ((1, 2), (3, 4), (5, 6), (7, 8))
OTHER = ((1, 3), (2, 4), (5, 7), (9, 12))


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are drawn at the end of a game only."""
    draw = renderer.draw

    def draw_the_end(view: Any, *others: Any) -> bytes:
        return draw(view, *others) if view.outcome else b"a picture"

    monkeypatch.setattr(renderer, "draw", draw_the_end)
    monkeypatch.setattr(renderer, "reveal", lambda *_: b"a reveal")


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody sits as they came, and card 1 lies first: Football, Basketball, American football …"""

    def sorted_cards(seats: int, options: Any, rng: Random) -> dict[str, Any]:
        return {"sets": [list(range(start, start + 12)) for start in range(1, 12 * sets_for(seats), 12)]}

    monkeypatch.setattr(Duos, "shuffle", sorted_cards)
    monkeypatch.setattr("random.SystemRandom.shuffle", lambda *_: None)


async def seated(world: World, *others: Person, robots: int = 0, **options: Any) -> Room:
    """A running table of bob and the others: its thread."""
    await world.bob.slash("duos new", players=1 + len(others) + robots, **options)
    for other in others:
        await other.press(world.games.last, "Join")
    for _ in range(robots):
        await world.bob.press(world.games.last, "Add a robot")
    return world.games.threads[-1]


async def position(world: World) -> Duos:
    """The position of the only table."""
    table = await world.bot.tables.load(1)
    assert isinstance(table.position, Duos)
    return table.position


async def pairs_of(world: World, person: Person) -> tuple[tuple[int, int], ...]:
    table = await world.bot.tables.load(1)
    return (await position(world)).pairs[table.seat_of(person.id)]


def board(room: Room) -> Post:
    """The newest post with controls; a reminder may stand below it."""
    return [post for post in room.posts if post.buttons][-1]


def card(post: Post, number: int) -> str:
    """The button of that card."""
    shown = post.now()
    assert shown is not None
    return shown.buttons[number - 1].custom_id


async def tapped(person: Person, planner: Post, *cards: int) -> Post:
    """That person's planner after taps on these cards."""
    for number in cards:
        answer = await person.press(planner, card(planner, number))
        assert [post.id for post in answer.posts] in ([planner.id], []), f"refused: {answer.text}"
    shown = planner.now()
    assert shown is not None
    return shown


async def paired(person: Person, planner: Post, pairs: Sequence[tuple[int, int]]) -> Post:
    return await tapped(person, planner, *[number for pair in pairs for number in pair])


async def locked(person: Person, pairs: Sequence[tuple[int, int]] = TOLD) -> Answer:
    """Locks these pairs in on the planner in the direct messages."""
    planner = person.dm.last
    await typed(person, planner, pairs)
    return await person.press(planner, "Lock in")


async def typed(person: Person, planner: Post, pairs: Sequence[Sequence[int]]) -> Answer:
    """Fills the form with these pairs."""
    form = await person.press(planner, "Type it")
    return await person.fill(form, dict(zip(form.fields, [[*map(str, pair)] for pair in pairs], strict=True)))


def random_pairs(rng: Random) -> list[tuple[int, int]]:
    cards = rng.sample(range(1, 13), 8)
    return list(zip(cards[::2], cards[1::2], strict=True))


async def pressed_at_random(person: Person, planner: Post, rng: Random) -> Post:
    """The planner after one press: usually towards a lock, now and then anything else."""
    if "Type it" in planner.labels and rng.random() < 0.5:
        await typed(person, planner, random_pairs(rng))
        planner = planner.now() or planner
    enabled = [button for button in planner.buttons if button.enabled]
    locking = [button for button in enabled if button.label == "Lock in"]
    opening = [button for button in enabled if ":draft:" in button.custom_id]
    others = [button for button in enabled if ":form:" not in button.custom_id and button.label != "Clear"]
    likely = locking or opening
    if planner.selects and rng.random() < 0.05:
        listed = rng.choice(planner.selects)
        answer = await person.choose(planner, rng.choice(list(listed.options)), select=listed.custom_id)
    else:
        answer = await person.press(planner, rng.choice(likely if rng.random() < 0.9 and likely else others).custom_id)
    assert [post.id for post in answer.posts] in ([planner.id], []), f"refused: {answer.text}"
    shown = planner.now()
    assert shown is not None
    return shown


async def pressed_to_the_end(world: World, people: Sequence[Person], rng: Random) -> None:
    """Everybody presses something or other on the planner until the game is over."""
    for _ in range((await position(world)).turns):
        choosing = {person.id: person.dm.last for person in people}
        for _ in range(50 * len(people)):
            person = rng.choice([person for person in people if person.id in choosing])
            planner = await pressed_at_random(person, choosing.pop(person.id), rng)
            if "Lock in" in planner.labels:
                choosing[person.id] = planner
            if not choosing:
                break


async def ended(world: World, room: Room) -> Duos:
    """The finished game: one post a turn and one for the end, with its two pictures."""
    final = await position(world)
    assert final.over and isinstance(final.events[-1], Ended)
    assert len(room.posts) == final.turns + 1
    assert [len(post.pictures) for post in room.posts] == [1, *[2] * final.turns]
    assert Image.open(BytesIO(room.last.pictures[-1].content)).size == (1280, 960)
    assert room.last.labels == ["Rematch"]
    return final


# Whole games


async def test_a_game_for_two_by_button(world: World, undrawn: None) -> None:
    room = await seated(world, world.carol)
    await pressed_to_the_end(world, (world.bob, world.carol), Random(1))
    final = await ended(world, room)
    assert f"**{final.points[0]} of 9 turns won.** {rating(final.points[0])}" in room.last.text


async def test_a_game_of_three_by_button(world: World, undrawn: None) -> None:
    room = await seated(world, world.carol, world.dave, box="things-animals", first="animals")
    await pressed_to_the_end(world, (world.bob, world.carol, world.dave), Random(2))
    await ended(world, room)
    assert "Turn 1 of 6, Animals" in room.posts[0].text


async def test_a_game_of_six_by_form(world: World, undrawn: None) -> None:
    rng = Random(3)
    people = (world.bob, world.carol, world.dave, world.erin, world.frank, world.grace)
    room = await seated(world, *people[1:])
    for _ in range(12):
        for person in people:
            planner = person.dm.last
            await typed(person, planner, random_pairs(rng))
            await person.press(planner, "Lock in")
    final = await ended(world, room)
    assert [event.narrator for event in final.events if isinstance(event, TurnScored)] == [*range(6)] * 2


async def test_a_game_by_command(world: World, undrawn: None) -> None:
    rng = Random(4)
    people = (world.bob, world.carol, world.dave)
    room = await seated(world, *people[1:])
    for _ in range(6):
        for person in people:
            for _ in range(4):
                one = rng.choice(await person.suggestions("duos pair", "one", room=room))[1]
                other = rng.choice(await person.suggestions("duos pair", "other", room=room, one=one))[1]
                await person.slash("duos pair", room, one=one, other=other)
            answer = await person.slash("duos lock", room)
            assert "Stored at" in answer.text
    await ended(world, room)


async def test_a_game_with_robots(world: World, undrawn: None) -> None:
    room = await seated(world, robots=3)
    for _ in range(8):
        planner = world.bob.dm.last
        await typed(world.bob, planner, TOLD)
        await world.bob.press(planner, "Lock in")
    await ended(world, room)


async def test_two_play_together_and_more_start_from_three(world: World, undrawn: None) -> None:
    await world.bob.slash("duos new")
    await world.carol.press(world.games.last, "Join")
    with pytest.raises(AssertionError, match="disabled"):
        await world.bob.press(world.games.last, "Start")
    assert "The host may start from 3 players." in world.games.last.text
    await world.dave.press(world.games.last, "Join")
    await world.bob.press(world.games.last, "Start")
    assert (await position(world)).seats == 3


async def test_the_first_category_chooses_its_box(world: World) -> None:
    await world.bob.slash("duos new", players=2, first="animals")
    assert (await world.bot.tables.load(1)).options == {"box": "things-animals", "first": "animals"}
    answer = await world.bob.slash("duos new", players=2, box="sport-fairy", first="animals")
    assert answer.text == "The first category of that box is one of sport, fairy."


# The planner


async def test_the_grid_lies_as_the_picture_and_says_which_cards_are_paired(
    world: World, known: None, undrawn: None
) -> None:
    await seated(world, world.carol)
    planner = world.bob.dm.last
    rows = [[part["label"] for part in row["components"]] for row in planner.parts(1)[:3]]
    assert rows == [
        ["1 Football", "2 Basketball", "3 American football", "4 Baseball"],
        ["5 Tennis", "6 Volleyball", "7 Rugby", "8 Flying disc"],
        ["9 Bowling", "10 Cricket", "11 Field hockey", "12 Ice hockey"],
    ]
    assert "Tap two cards that belong together." in planner.text
    planner = await tapped(world.bob, planner, 5)
    assert "**5 Tennis** and …? Tap its partner, or tap it again to let it go." in planner.text
    assert await pairs_of(world, world.bob) == ()
    planner = await tapped(world.bob, planner, 2)
    assert f"{EMBLEMS[0]} 2 Basketball + 5 Tennis" in planner.text and "Stored at" in planner.text
    emoji = {part["label"]: part.get("emoji", {}).get("name") for part in planner.parts(2)}
    assert [label for label, name in emoji.items() if name == EMBLEMS[0]] == ["2 Basketball", "5 Tennis"]
    assert [button.enabled for button in planner.buttons[12:15]] == [False, True, True]
    planner = await tapped(world.bob, planner, 1, 1, 12)
    assert "**12 Ice hockey** and …?" in planner.text and await pairs_of(world, world.bob) == ((2, 5),)
    planner = await tapped(world.bob, planner, 2)
    assert await pairs_of(world, world.bob) == ()


async def test_four_pairs_can_be_locked_unlocked_and_cleared(world: World, known: None, undrawn: None) -> None:
    await seated(world, world.carol)
    planner = await paired(world.bob, world.bob.dm.last, TOLD)
    assert "These are your four pairs." in planner.text
    assert [button.enabled for button in planner.buttons[:13]] == [True] * 8 + [False] * 4 + [True]
    planner = (await world.bob.press(planner, "Lock in")).post
    assert "Your pairs are **locked**." in planner.text
    assert not any(button.enabled for button in planner.buttons[:12])
    assert "Clear" not in planner.labels and "Type it" not in planner.labels
    planner = (await world.bob.press(planner, "Unlock")).post
    assert await pairs_of(world, world.bob) == TOLD
    await world.bob.press(planner, "Clear")
    assert await pairs_of(world, world.bob) == ()


async def test_two_quick_taps_make_a_pair(world: World, undrawn: None) -> None:
    """The second tap leaves before the planner has changed."""
    await seated(world, world.carol)
    planner = world.bob.dm.last
    first, second = (planner.buttons[number].custom_id for number in (4, 8))
    await world.together(world.bob.pressing(planner, first), world.bob.pressing(planner, second))
    assert await pairs_of(world, world.bob) == ((5, 9),)
    await world.twice(world.bob.pressing(planner, card(planner, 1)))
    assert await pairs_of(world, world.bob) == ((5, 9),)


async def test_a_tap_is_answered_without_a_new_picture(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture stays in the message, and follows when there are four pairs, and when there are no longer."""
    room = await seated(world, world.carol)
    drawn: list[bytes] = []
    draw = renderer.draw

    def counted(*given: Any) -> bytes:
        drawn.append(draw(*given))
        return drawn[-1]

    monkeypatch.setattr(renderer, "draw", counted)
    planner = world.bob.dm.last
    before = planner.pictures[0].content
    planner = await tapped(world.bob, planner, 1, 2, 3, 3, 4, 9, 4, 7, 6, 8, 5)
    assert not drawn
    assert [picture.content for picture in planner.pictures] == [before]
    assert "Your pairs so far: 1 " in planner.pictures[0].alt
    planner = await tapped(world.bob, planner, 10, 11)
    assert [picture.content for picture in planner.pictures] == drawn != [before]
    planner = await tapped(world.bob, planner, 5, 12)
    assert [picture.content for picture in planner.pictures] == drawn[1:] == [before]
    mine = (await world.carol.press(room.last, "My move")).post
    neutral = mine.pictures[0].content
    mine = await tapped(world.carol, mine, 1, 2, 3, 4)
    assert [picture.content for picture in mine.pictures] == [neutral]


async def test_the_planner_is_the_same_in_messages_and_by_my_move(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol)
    await tapped(world.bob, world.bob.dm.last, 1, 2, 3)
    mine = (await world.bob.press(room.last, "My move")).post
    assert mine.ephemeral and "**3 American football** and …?" in mine.text
    await tapped(world.bob, mine, 4)
    assert f"{EMBLEMS[1]} 3 American football + 4 Baseball" in world.bob.dm.last.text
    assert [button.label for button in world.bob.dm.last.buttons] == mine.labels


async def test_a_restart_keeps_the_pairs_and_the_open_card(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol)
    old = await tapped(world.bob, world.bob.dm.last, 1, 2, 3)
    await world.restart()
    planner = (await world.bob.press(room.last, "My move")).post
    assert (
        f"{EMBLEMS[0]} 1 Football + 2 Basketball" in planner.text and "**3 American football** and …?" in planner.text
    )
    await tapped(world.bob, old, 9)
    assert await pairs_of(world, world.bob) == ((1, 2), (3, 9))


async def test_all_four_pairs_are_typed_at_once(world: World, known: None, undrawn: None) -> None:
    await seated(world, world.carol)
    planner = await tapped(world.bob, world.bob.dm.last, 1, 2)
    form = await world.bob.press(planner, "Type it")
    assert list(form.fields) == [f"{emblem} Pair {n}: two cards" for n, emblem in enumerate(EMBLEMS, 1)]
    first, second = list(form.fields.values())[:2]
    assert [option["value"] for option in first["options"] if option.get("default")] == ["1", "2"]
    assert not any(option.get("default") for option in second["options"])
    assert (first["min_values"], first["max_values"], len(first["options"])) == (2, 2, 12)
    await typed(world.bob, planner, OTHER)
    assert await pairs_of(world, world.bob) == OTHER
    assert "These are your four pairs." in world.bob.dm.last.text


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        (((1, 2), (2, 4), (5, 6), (7, 8)), "Card 2 is in another of your pairs."),
        (((1, 2), (3, 3), (5, 6), (7, 8)), "A pair is two different cards."),
        (((1, 2), (3, 4), (5,), (7, 8)), "Pick two cards for each of the four pairs."),
        (((1, 2), (3, 4), (5, 13), (7, 8)), "The cards are numbered from 1 to 12."),
    ],
)
def test_what_is_typed_wrongly_is_refused_whole(pairs: tuple[tuple[int, ...], ...], reason: str) -> None:
    cog = DuosCog.__new__(DuosCog)
    game = Duos.deal(2, Duos.complete(2, {}), Duos.shuffle(2, Duos.complete(2, {}), Random(1)))
    with pytest.raises(Exception, match=reason):
        for move in cog.moves_of_form("pairs", [[*map(str, pair)] for pair in pairs], game.view(0)):
            game = game.play(0, move)


async def test_a_card_typed_twice_changes_nothing(world: World, undrawn: None) -> None:
    await seated(world, world.carol)
    planner = await tapped(world.bob, world.bob.dm.last, 9, 10)
    answer = await typed(world.bob, planner, ((1, 2), (2, 4), (5, 6), (7, 8)))
    assert answer.posts[-1].content == "Card 2 is in another of your pairs."
    assert await pairs_of(world, world.bob) == ((9, 10),)


async def test_a_form_filled_after_the_lock_changes_nothing(world: World, undrawn: None) -> None:
    await seated(world, world.carol)
    form = await world.bob.press(world.bob.dm.last, "Type it")
    await locked(world.bob)
    answer = await world.bob.fill(
        form, dict(zip(form.fields, [["9", "10"], ["1", "2"], ["3", "4"], ["5", "6"]], strict=True))
    )
    assert answer.posts[-1].content == "Your pairs are locked; unlock them first."
    assert await pairs_of(world, world.bob) == TOLD


# The narrator


async def test_the_narrator_says_why_with_the_reveal(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol, world.dave)
    planner = await paired(world.bob, world.bob.dm.last, TOLD)
    assert "**You narrate turn 1 of 6: Sport.**" in planner.text
    assert "the four pairs that Bob, the narrator, makes" in world.carol.dm.last.text
    assert "Because…" not in world.carol.dm.last.labels
    form = await world.bob.press(planner, "Because…")
    assert next(iter(form.fields)) == "Football + Basketball"
    reasons = {
        "Football + Basketball": "**round** @everyone\n> and [fun](<b>)",
        "Tennis + Volleyball": "net",
    }
    await world.bob.fill(form, reasons)
    again = await world.bob.press(planner, "Because…")
    assert again.fields["Tennis + Volleyball"]["value"] == "net"
    await world.bob.press(planner, "Lock in")
    before = [post.text for post in room.posts]
    assert not any("round" in text for text in before)
    await locked(world.carol)
    await locked(world.dave)
    told = room.last
    assert r"> Football + Basketball: \*\*round\*\* \@everyone \> and \[fun\]\(\<b\>\)" in told.text
    assert "> Tennis + Volleyball: net" in told.text and "American football + Baseball:" not in told.text
    assert set(told.pings) == {world.bob.id, world.carol.id, world.dave.id}


async def test_a_reason_goes_with_its_pair(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol, world.dave)
    answer = await world.bob.slash("duos because", room, pair="1-2", reason="round")
    assert answer.text == "First make that pair; then say why."
    await paired(world.bob, world.bob.dm.last, TOLD)
    assert await world.bob.suggestions("duos because", "pair", "tennis", room=room) == [
        ("5 Tennis + 6 Volleyball", "5-6")
    ]
    await world.bob.slash("duos because", room, pair="1-2", reason="round")
    await world.bob.slash("duos because", room, pair="5-6", reason="a net")
    assert (await world.carol.slash("duos because", room, pair="1-2", reason="x")).text == (
        "Only the narrator of this turn says why cards belong together."
    )
    await typed(world.bob, world.bob.dm.last, OTHER[:2] + TOLD[2:])
    for person in (world.bob, world.carol, world.dave):
        await (world.bob.press(world.bob.dm.last, "Lock in") if person is world.bob else locked(person))
    assert "> Tennis + Volleyball: a net" in room.last.text and "round" not in room.last.text


async def test_a_robot_narrates_for_a_narrator_who_stays_away(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol, world.dave)
    await tapped(world.bob, world.bob.dm.last, 1, 12)
    await locked(world.carol)
    await locked(world.dave)
    await world.wait(hours=25)
    assert f"Late: {world.bob.mention}" in board(room).text
    await world.wait(days=3)
    scored = (await position(world)).events[0]
    assert isinstance(scored, TurnScored)
    assert len(scored.pairs[0]) == 4 and (1, 12) in scored.pairs[0]
    assert "A robot plays for Bob until" in board(room).text
    planner = (await world.bob.press(board(room), "My move")).post
    await world.bob.press(planner, "Unlock")
    assert "A robot plays" not in board(room).text


# Two players


async def test_hints_are_confirmed_told_to_all_and_bind_their_giver(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol)
    planner = world.bob.dm.last
    assert [select.placeholder for select in planner.selects] == [
        "YES: a card that you use",
        "NO: a card that you do not use",
    ]
    planner = (await world.bob.choose(planner, "yes 9")).post
    assert "You would say **YES** to 9 Bowling, and must use it. This cannot be taken back." in planner.text
    assert (await position(world)).hints == (None, None)
    planner = (await world.bob.press(planner, "Say YES to 9 Bowling")).post
    assert "Bob says **YES** to card 9, Bowling." in planner.text and not planner.selects
    assert "Bob says **YES** to card 9, Bowling." in room.last.text
    assert "Bob says **YES** to card 9, Bowling." in world.carol.dm.last.text
    planner = await paired(world.bob, planner, TOLD)
    assert "These pairs do not agree with the hint that you gave" in planner.text
    assert [button.enabled for button in planner.buttons if button.label == "Lock in"] == [False]
    assert [select.placeholder for select in world.carol.dm.last.selects] == ["NO: a card that you do not use"]


async def test_the_word_is_one_word(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol)
    form = await world.carol.press(world.carol.dm.last, "Word")
    assert list(form.fields) == ["One word, which everybody sees"]
    answer = await world.carol.fill(form, {"One word, which everybody sees": "two words"})
    assert answer.posts[-1].content == "Say one word of at most 30 letters."
    form = await world.carol.press(world.carol.dm.last, "Word")
    await world.carol.fill(form, {"One word, which everybody sees": " round "})
    assert "Carol says one word: **round**." in room.last.text
    assert "Word" not in world.carol.dm.last.labels and "Word" not in world.bob.dm.last.labels
    assert (await world.bob.slash("duos word", room, word="oval")).text == (
        "Your partner has used that marker; take another."
    )


async def test_hints_by_command_offer_the_cards(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol)
    assert await world.bob.suggestions("duos no", "card", "foot", room=room) == [
        ("1 Football", "1"),
        ("3 American football", "3"),
    ]
    await world.bob.slash("duos no", room, card="3")
    await world.carol.slash("duos yes", room, card="12 Ice hockey")
    assert "says **NO** to card 3" in room.last.text and "says **YES** to card 12, Ice hockey" in room.last.text


async def test_a_won_turn_is_told_and_drawn_with_what_was_alike(world: World, known: None) -> None:
    room = await seated(world, world.carol)
    await locked(world.bob, TOLD)
    await locked(world.carol, (*TOLD[:3], (9, 10)))
    assert "Turn 1 is **won** with 3 pairs in common: Football + Basketball" in room.last.text
    reveal, cards = room.last.pictures
    assert (reveal.name, cards.name) == ("last-turn.png", "board.png")
    assert reveal.alt.startswith("Turn 1, Sport: Bob (3 matched, 1 point)")
    assert [Image.open(BytesIO(picture.content)).size for picture in (reveal, cards)] == [(1280, 960)] * 2


# Commands


async def test_commands_offer_the_cards_that_fit(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol)

    async def offered(command: str, option: str, typed: str = "", **filled: str) -> list[tuple[str, Any]]:
        return await world.bob.suggestions(f"duos {command}", option, typed, room=room, **filled)

    assert await offered("pair", "one", "hockey") == [("11 Field hockey", "11"), ("12 Ice hockey", "12")]
    assert ("11 Field hockey", "11") not in await offered("pair", "other", one="11")
    assert await offered("unpair", "one") == []
    await world.bob.slash("duos pair", room, one="12", other="11 Field hockey")
    assert await offered("pair", "one", "hockey") == []
    assert await offered("unpair", "one") == [("11 Field hockey", "11"), ("12 Ice hockey", "12")]
    assert await offered("unpair", "other", one="12") == [("11 Field hockey", "11")]
    await world.bob.slash("duos unpair", room, one="12", other="11")
    assert await pairs_of(world, world.bob) == ()
    assert await world.dave.suggestions("duos pair", "one", room=room) == []


async def test_refusals_of_commands_say_why(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol, world.dave)

    async def refused(command: str, **given: str) -> str:
        return (await world.carol.slash(f"duos {command}", room, **given)).text

    assert await refused("lock") == "Make four pairs first."
    assert await refused("unlock") == "You have not locked your pairs."
    assert await refused("pair", one="1", other="1") == "A pair is two different cards."
    assert await refused("pair", one="ball", other="2") == "The cards are numbered from 1 to 12."
    assert await refused("unpair", one="1", other="2") == "Cards 1 and 2 are no pair of yours."
    assert await refused("yes", card="1") == "Hints are for the game of two players."
    await world.carol.slash("duos pair", room, one="1", other="2")
    assert await refused("pair", one="1", other="3") == "Card 1 is in another of your pairs."
    await world.carol.slash("duos clear", room)
    assert await pairs_of(world, world.carol) == ()
    assert (await world.erin.slash("duos lock", room)).text == "You have no seat at this table."


async def test_the_rules_fit_one_message(world: World) -> None:
    answer = await world.bob.slash("duos rules")
    assert answer.text.startswith("## DUOS in short") and not answer.text.endswith("..")
    (picture,) = answer.post.pictures
    assert Image.open(BytesIO(picture.content)).size == (1280, 960)
    assert len(DuosCog.__new__(DuosCog).rules_text()) <= panels.MOST_CONTENT


# Secrets


def shown_in(room: Room) -> list[object]:
    """All that anybody sees in a room."""
    return [
        (
            post.text,
            [button.custom_id for button in post.buttons],
            [(each.name, each.alt, each.content) for each in post.pictures],
        )
        for post in room.posts
    ]


async def test_nothing_public_changes_when_somebody_pairs(
    world: World, known: None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    room = await seated(world, world.carol, world.dave)
    before, others = shown_in(room), [shown_in(world.carol.dm), shown_in(world.dave.dm)]
    requests = [world.calls("edit", each) + world.calls("send", each) for each in (room, world.carol.dm, world.dave.dm)]
    planner = await paired(world.bob, world.bob.dm.last, TOLD)
    await tapped(world.bob, planner, 1, 1, 12)
    await world.bob.fill(await world.bob.press(planner, "Because…"), {"American football + Baseball": "bats"})
    await typed(world.bob, planner, OTHER)
    assert shown_in(room) == before and [shown_in(world.carol.dm), shown_in(world.dave.dm)] == others
    after = [world.calls("edit", each) + world.calls("send", each) for each in (room, world.carol.dm, world.dave.dm)]
    assert after == requests
    await world.bob.press(planner, "Lock in")
    assert "Locked: Bob." in room.last.pictures[0].alt
    assert "bats" not in json.dumps([post.payload for post in room.posts], default=str)
    logged = [record.getMessage() for record in caplog.records if record.name.startswith("bot")]
    assert not any("pair" in line or "bats" in line or "Football" in line for line in logged)


async def test_before_the_last_lock_a_room_is_the_same_whatever_was_paired(world: World, known: None) -> None:
    """Two tables at which all happens alike but for what Bob pairs."""
    seen: list[str] = []
    for number, pairs in enumerate((TOLD, OTHER), 1):
        room = await seated(world, world.carol, world.dave)
        await locked(world.bob, pairs)
        await locked(world.carol)
        mine = (await world.dave.press(room.last, "My move")).post
        posts = [*room.posts, mine, world.dave.dm.last]
        seen.append(
            str([(post.labels, [(each.name, each.alt, each.content) for each in post.pictures]) for post in posts])
        )
        seen.append("\n".join(post.text.partition("until")[0] for post in posts))
        await world.bob.press((await world.bob.slash("games abandon", room, table=number)).post, "End it")
    assert seen[0] == seen[2] and seen[1] == seen[3]


async def test_the_reveal_is_shown_once_and_stays_through_the_turn(world: World, known: None, undrawn: None) -> None:
    room = await seated(world, world.carol, world.dave)
    for person in (world.bob, world.carol, world.dave):
        await locked(person)
    assert len(room.posts) == 2
    for person in (world.bob, world.carol):
        await locked(person, OTHER)
        assert [picture.name for picture in room.last.pictures] == ["last-turn.png", "board.png"]
    assert len(room.posts) == 2 and "Turn 1, Sport" in room.last.pictures[0].alt
    assert [picture.name for picture in room.posts[0].pictures] == ["board.png"]


# Wrong presses


async def test_presses_for_another_turn_or_another_seat_change_nothing(
    world: World, known: None, undrawn: None
) -> None:
    room = await seated(world, world.carol, world.dave)
    old = await paired(world.bob, world.bob.dm.last, TOLD[:3])
    for press in ("Clear", "9 Bowling", "1 Football"):
        custom_id = next(button.custom_id for button in old.buttons if button.label == press)
        assert (await world.carol.press_id(room.last, custom_id)).text == "That planner is somebody else's."
        assert (await world.erin.press_id(room.last, custom_id)).text == "You have no seat at this table."
    assert await pairs_of(world, world.bob) == TOLD[:3]
    await tapped(world.bob, old, 7, 8)
    for person in (world.bob, world.carol, world.dave):
        await (world.bob.press(world.bob.dm.last, "Lock in") if person is world.bob else locked(person))
    for press in ("Clear", "9 Bowling", "1 Football", "Type it", "Because…"):
        assert "The game goes on here" in (await world.bob.press(old, press, as_seen=True)).text
    assert await pairs_of(world, world.bob) == ()


async def test_without_direct_messages_the_game_is_played_by_my_move(world: World, undrawn: None) -> None:
    world.fail("closed DMs", world.carol.dm)
    room = await seated(world, world.carol)
    assert "My direct messages do not reach Carol: press **My move** here." in room.last.text
    await locked(world.bob)
    planner = await paired(world.carol, (await world.carol.press(room.last, "My move")).post, TOLD)
    await world.carol.press(planner, "Lock in")
    assert (await position(world)).points == (1, 1)
