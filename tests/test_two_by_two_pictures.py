"""What the pictures and sentences of Two by Two show, and what they must not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.rules.two_by_two import JUNGLE, LAND, PLACES, TOKENS, Flooded, TwoByTwo, TwoByTwoView
from renderers import two_by_two, two_by_two_art
from renderers.people import People
from renderers.two_by_two import ask, describe, draw, tell

PEOPLE = People(("Ann", "Bo", "Cy", "Di"))
HOSTILE = People(("{who} {0} %s \\", "‮@everyone **x** `y`", "Z̷͎̈a̵͇̾l̴̰̈́g̷̱̈o̵̪͝ 👩‍👩‍👧‍👦 مرحبا 中文 𓀀", "\u3164\u200b" * 40))


def played(seats: int, moves: int, seed: int = 2, count: str = "advanced") -> TwoByTwo:
    """The position after so many random moves, rescues first where there are any."""
    rng = Random(seed)
    options = TwoByTwo.complete(seats, {"count": count})
    position = TwoByTwo.deal(seats, options, TwoByTwo.shuffle(seats, options, rng))
    for _ in range(moves):
        if not position.waiting():
            break
        legal = position.moves(position.active)
        rescues = [move for move in legal if move.startswith("rescue")]
        position = position.play(position.active, rng.choice(rescues or legal))
    return position


def arranged(*moves: str, **tokens: str) -> TwoByTwo:
    """A game of two, its arks at E and W, with these tokens on these spaces and lions on none."""
    rest = [kind for kind, number in TOKENS.items() for _ in range(number)]
    for kind in tokens.values():
        rest.remove(kind)
    placed = {space: tokens.get(space) or rest.pop() for space in JUNGLE}
    position = TwoByTwo.deal(2, {"count": "advanced"}, {"tokens": placed, "removed": rest})
    for move in ("berth E", "berth W", *moves):
        position = position.play(position.active, move)
    return position


def pixels(view: TwoByTwoView, people: People = PEOPLE, moves: tuple[str, ...] = (), draft: str = "") -> Image.Image:
    return Image.open(BytesIO(draw(view, people, moves, draft))).convert("RGB")


def around(image: Image.Image, space: str) -> bytes:
    """The pixels of one space."""
    x, y = two_by_two.CENTRES[space]
    return image.crop((round(x) - 20, round(y) - 20, round(x) + 20, round(y) + 20)).tobytes()


def recorded(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, argument: int) -> list[Any]:
    """What that function is called with from now on."""
    calls: list[Any] = []
    original: Callable[..., Any] = getattr(module, name)

    def record(*args: Any, **kwargs: Any) -> Any:
        calls.append(args[argument])
        return original(*args, **kwargs)

    monkeypatch.setattr(module, name, record)
    return calls


STAGES = {
    "first ark": played(2, 0),
    "last ark": played(4, 3),
    "first flood": played(3, 3),
    "first action": played(4, 5),
    "middle": played(4, 60),
    "end of two": played(2, 400),
    "end of four": played(4, 400, count="basic"),
}


@pytest.mark.parametrize("position", STAGES.values(), ids=STAGES)
def test_pictures_are_png_of_1280_by_960_and_at_most_250_kilobytes(position: TwoByTwo):
    for seat in (None, *position.waiting()):
        picture = draw(position.view(seat), PEOPLE, position.moves(seat) if seat is not None else ())
        image = Image.open(BytesIO(picture))
        assert (image.format, image.size) == ("PNG", (1280, 960))
        assert len(picture) <= 250_000


@pytest.mark.parametrize("position", STAGES.values(), ids=STAGES)
def test_neither_pictures_nor_words_tell_what_lies_face_down(position: TwoByTwo):
    masked = replace(position, face_down=dict.fromkeys(position.face_down, "unicorn"))
    assert masked.face_down != position.face_down
    for seat in (None, 0):
        moves = position.moves(seat) if seat is not None else ()
        draft = moves[-1] if moves else ""
        view, other = position.view(seat), masked.view(seat)
        assert draw(view, PEOPLE, moves, draft) == draw(other, PEOPLE, moves, draft)
        assert describe(view, PEOPLE) == describe(other, PEOPLE)
        assert ask(view, PEOPLE) == ask(other, PEOPLE)
        assert [tell(e, PEOPLE) for e in view.events] == [tell(e, PEOPLE) for e in other.events]


@pytest.mark.parametrize("position", STAGES.values(), ids=STAGES)
def test_strange_names_break_neither_pictures_nor_words(position: TwoByTwo):
    view = position.view(None)
    assert pixels(view, HOSTILE).size == (1280, 960)
    described = describe(view, HOSTILE)
    assert all(HOSTILE[seat] in described for seat in range(view.seats))
    for event in view.events:
        assert tell(event, HOSTILE)


@pytest.mark.parametrize("position", [STAGES["first flood"], STAGES["middle"]])
def test_every_space_of_the_board_is_named(position: TwoByTwo, monkeypatch: pytest.MonkeyPatch):
    two_by_two._sea.cache_clear()
    two_by_two._island.cache_clear()
    calls = [recorded(monkeypatch, two_by_two_art, name, 0) for name in ("tag", "written", "face_down")]
    pixels(position.view(None))
    named = {space for spaces in calls for space in spaces}
    assert named == set(PLACES)
    two_by_two._sea.cache_clear()
    two_by_two._island.cache_clear()


def test_the_spaces_that_may_be_flooded_are_golden_and_a_planner_sees_their_points(monkeypatch: pytest.MonkeyPatch):
    position = STAGES["first flood"]
    drawn: dict[str, tuple[Any, Any]] = {}
    original = two_by_two_art.tag

    def record(space: str, fill: Any, *args: Any, points: int = 0) -> Image.Image:
        drawn[space] = (fill, points)
        return original(space, fill, *args, points=points)

    monkeypatch.setattr(two_by_two_art, "tag", record)
    view = position.view(0)
    draw(view, PEOPLE)
    assert {drawn[space] for space in view.floods} == {(two_by_two.GOLD, 0)}
    draw(view, PEOPLE, position.moves(0))
    assert {space: drawn[space][1] for space in view.floods} == {s: flood.points for s, flood in view.floods.items()}


def test_a_draft_shows_the_flood_its_points_and_the_tokens_it_would_turn_up():
    position = arranged()
    view, moves = position.view(0), position.moves(0)
    before, after = pixels(view, moves=moves), pixels(view, moves=moves, draft="flood H12")
    assert around(before, "H12") != around(after, "H12")
    assert around(before, "H11") != around(after, "H11")
    assert around(before, "H10") == around(after, "H10")


def test_a_planner_marks_where_the_ark_may_sail_and_whom_it_may_rescue():
    position = arranged("flood H12", "sail H12", H11="lion", C4="lion", C5="tiger")
    view, moves = position.view(0), position.moves(0)
    assert "rescue C4 H11" in moves
    public, private = pixels(position.view(None)), pixels(view, moves=moves)
    for space in (*view.sails, "C4"):
        assert around(public, space) != around(private, space), space
    assert around(public, "C5") == around(private, "C5")
    picked = pixels(view, moves=moves, draft="rescue C4")
    assert around(picked, "C4") != around(private, "C4")


@pytest.mark.parametrize("draft", ["flood", "flood Z9", "sail A1", "rescue", "rescue Q1 Q2", "berth E", "x y z", " "])
def test_a_draft_that_is_no_move_is_drawn_as_none(draft: str):
    position = played(2, 3)
    view, moves = position.view(position.active), position.moves(position.active)
    assert draw(view, PEOPLE, moves, draft) == draw(view, PEOPLE, moves)


def test_what_was_taken_back_is_no_longer_shown():
    flooded = arranged("flood H12", H11="lion", C4="lion")
    sailed = flooded.play(0, "sail H14")
    assert pixels(sailed.view(None)).tobytes() != pixels(flooded.view(None)).tobytes()
    assert pixels(sailed.undo(0).view(None)).tobytes() == pixels(flooded.view(None)).tobytes()


def test_the_final_picture_counts_the_columns_1_to_13_and_names_the_winner(monkeypatch: pytest.MonkeyPatch):
    position = STAGES["end of four"]
    ended = position.view(None).ended
    assert ended is not None
    words = recorded(monkeypatch, two_by_two, "text", 3)
    titles = recorded(monkeypatch, two_by_two, "name_sprite", 0)
    draw(position.view(None), PEOPLE)
    numbers = [str(number) for number in range(1, 14)]
    assert set(numbers) <= set(words)
    for seat in range(4):
        assert str(ended.totals[seat]) in words
        assert str(ended.track[seat]) in words
        for column in ended.columns:
            if column.pairs[seat]:
                bonus = f"+{column.bonus[seat]}" if column.bonus[seat] else ""
                assert f"×{column.pairs[seat]}{bonus}" in words
                assert str(column.points[seat]) in words
    assert titles == [f"{PEOPLE[ended.winners[0]]} wins"]


def test_markers_on_a_second_and_third_lap_carry_their_token(monkeypatch: pytest.MonkeyPatch):
    position = replace(STAGES["first flood"], points=(50, 51, 101))
    pills = recorded(monkeypatch, two_by_two, "pill", 0)
    draw(position.view(None), PEOPLE)
    assert [words for words in pills if words.isdigit()] == ["50", "100"]
    assert two_by_two._track_place(51) == two_by_two._track_place(1) == two_by_two._track_place(101)


def test_the_first_part_of_the_description_tells_turn_points_arks_and_pairs():
    position = STAGES["middle"]
    start = describe(position.view(None), PEOPLE)[:1024]
    assert f"{PEOPLE[position.active]} has" in start or f"{PEOPLE[position.active]} floods" in start
    for seat in range(4):
        assert f"{PEOPLE[seat]} (" in start
        assert f"{position.points[seat]} point" in start
        assert f"ark at {position.arks[seat]}" in start


def test_the_description_tells_the_state_of_every_land_space():
    view = STAGES["middle"].view(None)
    lines = {line.split(":")[0]: line for line in describe(view, PEOPLE).split("\n")}
    assert all(f" {space}" in lines["Face up"] for space in view.face_up)
    assert all(f" {space}" in lines["Flooded"] for space in view.flooded)
    empty = [s for s in LAND if s not in view.flooded and s not in view.face_up and s not in view.face_down]
    assert lines["Empty land"] == f"Empty land: {two_by_two._ranges(empty)}."
    assert lines["Face down"] == f"Face down: {two_by_two._ranges(view.face_down)}."


def test_neighbours_in_a_row_are_told_together():
    assert two_by_two._ranges(["C4", "C5", "C6", "D3", "D5", "E9", "E10"]) == "C4-C6, D3, D5, E9-E10"


def test_what_happened_is_told_in_sentences():
    position = arranged(
        "flood H12", "sail H12", "rescue H11 C4", "flood G3", "done", H11="lion", C4="lion", G3="zebra", G4="tiger"
    )
    told = [tell(event, PEOPLE) for event in position.events]
    assert told[0] == "**Ann** moors at E (H13)."
    assert told[2:6] == [
        "The coast: 22 tokens are turned up.",
        "**Ann** floods H12 for 3 points. Turned up: a lion at H11.",
        "**Ann** sails to H12.",
        "**Ann** rescues the lions from H11 and C4.",
    ]
    # G3 lies beside the sea at F2 and G2; the beach H3 and the jungle G4, F3 and H4 are land.
    flood = position.events[6]
    assert isinstance(flood, Flooded)
    assert told[6].startswith("**Bo** floods G3 for 2 points and washes away a zebra. Turned up:")
    assert "a tiger at G4" in told[6]
    assert told[7] == "**Bo** ends the turn with 2 actions to spare."
    undone = position.play(0, "flood C3").play(0, "sail H13").undo(0)
    assert tell(undone.events[-1], PEOPLE) == "**Ann** takes that back."


def test_the_question_names_who_is_asked_for_what():
    assert ask(played(2, 0).view(None), PEOPLE) == "Ann chooses an ark space: NW, NE, W, E, SW, SE."
    assert ask(arranged().view(None), PEOPLE) == "Ann floods a space next to the water."
    position = arranged("flood H12")
    assert ask(position.view(None), PEOPLE) == "Ann has 2 actions left: sail, rescue pairs, or be done."
    position = arranged("flood H12", "sail H12")
    assert ask(position.view(None), PEOPLE) == "Ann has 1 action left: sail, rescue a pair, or be done."


def test_the_end_is_told_with_the_winner_and_shared_when_nothing_parts_them():
    position = replace(
        arranged(), face_down={}, face_up={"C4": "fishbone"}, points=(7, 10), held=({"tiger": 1}, {"giraffe": 1})
    )
    shared = position.play(0, "flood C3").play(0, "done").view(None)
    assert ask(shared, PEOPLE) == "Ann and Bo share the win with 16 points."
    position = replace(position, held=({"tiger": 1}, {}))
    won = position.play(0, "flood C3").play(0, "done").view(None)
    assert ask(won, PEOPLE) == "Ann wins with 16 points."
    position = replace(position, points=(1, 4), held=({"tiger": 1, "giraffe": 1}, {"panda": 1}))
    parted = position.play(0, "flood C3").play(0, "done").view(None)
    assert ask(parted, PEOPLE) == "Ann wins with 16 points, by the animals on board."
