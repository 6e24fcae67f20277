"""Records: what replaying prints, and that nothing in a file brings it down."""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import ArgumentParser
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import record, snapshot
from bot.rules import games
from bot.rules.base import Game

Printed = tuple[int, list[dict[str, Any]]]

CROSSING: dict[str, Any] = {
    "game": "animal_crossing",
    "seats": 3,
    "setup": {"loads": [[2, 3], [3, 3], [2, 5], [2, 4], [4, 5]]},
    "moves": [
        [0, "choose cat"],
        [1, "choose mouse"],
        [2, "choose mouse"],
        [0, "board A"],
        [1, "board A"],
        [None, "bell"],
    ],
}
"""The cat crosses, the mouse aboard sinks, the mouse on the island scores for it."""


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Replay records, written to files unless they are paths; gives exit status and lines."""

    def run(*records: object, seat: str | None = None) -> Printed:
        paths: list[str] = []
        for number, content in enumerate(records):
            if isinstance(content, Path):
                paths.append(str(content))
                continue
            path = tmp_path / f"{number}.json"
            path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
            paths.append(str(path))
        return printed([*(() if seat is None else ("--as", seat)), *paths], capsys)

    return run


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> Printed:
    parser = ArgumentParser()
    record.add_arguments(parser)
    capsys.readouterr()
    status = record.main(parser.parse_args(words))
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def changed(**parts: object) -> dict[str, Any]:
    return {**CROSSING, **parts}


def with_moves(*moves: object) -> dict[str, Any]:
    return changed(moves=[*CROSSING["moves"], *moves])


def whole_game(name: str, seats: int, seed: int) -> tuple[dict[str, Any], Game]:
    """A record of random moves, and the position to which it leads."""
    rng = Random(seed)
    game = games()[name]
    options = game.complete(seats, {})
    setup = game.shuffle(seats, options, rng)
    position: Game = game.deal(seats, options, setup)
    moves: list[list[object]] = []
    while (waiting := position.waiting()) and len(moves) < 150:
        seat = rng.choice(waiting)
        move = rng.choice(position.moves(seat)).replace("<word>", "metal")
        position = position.play(seat, move)
        moves.append([seat, move])
    return {"game": name, "seats": seats, "options": dict(options), "setup": setup, "moves": moves}, position


# What is printed


def test_a_record_prints_one_line(run):
    status, [line] = run(CROSSING)
    assert status == 0
    assert list(line) == ["turn", "waiting", "scores", "outcome", "view"]
    assert (line["turn"], line["waiting"], line["scores"], line["outcome"]) == (3, [0, 1, 2], [2, 0, 1], None)
    assert line["view"]["seat"] is None
    assert line["view"]["points"] is None


def test_as_a_seat_shows_what_that_seat_may_know(run):
    status, [line] = run(with_moves([1, "choose dog"]), seat="1")
    assert status == 0
    assert (line["view"]["seat"], line["view"]["animal"]) == (1, "dog")
    _, [line] = run(with_moves([1, "choose dog"]), seat="0")
    assert line["view"]["animal"] is None


def test_a_finished_game_has_an_outcome_without_anybody_waiting(run):
    moves = [[seat, "choose cat"] for seat in range(3)] + [[0, "board B"], [2, "board A"], [None, "bell"]]
    status, [line] = run(changed(moves=moves * 5))
    assert status == 0
    assert (line["waiting"], line["scores"], line["outcome"]) == ([], [10, 0, 10], {"winners": [0, 2]})


def test_two_by_two_first_flood_of_the_hard_cases(run):
    """The first flood on the beach H12 brings three points."""
    made, _ = whole_game("two_by_two", 2, 1)
    status, [line] = run({**made, "moves": [[0, "berth E"], [1, "berth W"], [0, "flood H12"]]})
    assert (status, line["scores"], line["waiting"]) == (0, [4, 2], [0])


def test_this_town_first_towns_of_the_hard_cases(run):
    """F1 unturned north of the start tile closes a town of Bell and Sunrise, who are level."""
    made, _ = whole_game("this_town", 2, 1)
    stack = ["F1", *(tile for tile in made["setup"]["stack"] if tile != "F1")]
    status, [line] = run({**made, "setup": {"stack": stack}, "moves": [[0, "place 0,-1 0"]]})
    assert (status, line["scores"], line["waiting"]) == (0, [0, 0], [1])


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_record_leads_to_the_position_that_was_played(name: str, seat: int | None, run):
    made, position = whole_game(name, games()[name].players[0], 3)
    status, [line] = run(made, seat=None if seat is None else str(seat))
    assert status == 0
    assert line["turn"] == position.turn
    assert line["waiting"] == list(position.waiting())
    assert line["scores"] == list(position.scores())
    assert line["view"] == json.loads(json.dumps(snapshot.dump(position.view(seat))))


def test_files_are_answered_in_their_order(run):
    status, lines = run(CROSSING, b"{", changed(moves=[]))
    assert status == 2
    assert [line.get("turn", "error") for line in lines] == [3, "error", 1]


def test_the_bell_changes_nothing_where_the_rules_say_nothing_of_it(run):
    made, _ = whole_game("this_town", 2, 1)
    without, rung = run(made, {**made, "moves": [[None, "bell"], *made["moves"][:2], [None, "bell"]]})[1]
    assert "error" not in without
    assert rung == run({**made, "moves": made["moves"][:2]})[1][0]


def test_the_command_line_prints_the_lines_and_nothing_else(tmp_path: Path):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(CROSSING), encoding="utf-8")
    words = [sys.executable, "-m", "bot", "record", "--as", "-1", str(path), str(tmp_path)]
    wrong = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stderr) == (2, "")
    assert [list(json.loads(line)) for line in wrong.stdout.splitlines()] == [["error", "move"]] * 2
    right = subprocess.run([*words[:4], str(path)], capture_output=True, text=True, check=False)
    assert (right.returncode, right.stderr) == (0, "")
    assert json.loads(right.stdout)["scores"] == [2, 0, 1]


# What is left out or too much


def test_options_may_be_left_out_or_partial(run):
    status, lines = run(changed(options={}), changed(options={"scores": "public"}))
    assert status == 0
    assert [line["view"]["points"] for line in lines] == [None, [2, 0, 1]]


def test_extra_keys_are_ignored(run):
    extra = changed(setup={**CROSSING["setup"], "played": "in a garden"}, date="yesterday")
    assert run(extra) == run(CROSSING)


def test_an_extra_key_with_a_number_of_5000_digits_is_ignored(run):
    text = json.dumps(changed(extra=0)).replace('"extra": 0', '"extra": ' + "9" * 5_000)
    assert run(text.encode()) == run(CROSSING)


def test_a_move_by_a_seat_of_5000_digits_is_told_by_its_number(run):
    text = json.dumps(changed(moves=[[0, "choose cat"], [777, "choose cat"]])).replace("777", "7" * 5_000)
    status, [line] = run(text.encode())
    assert (status, line["move"]) == (2, 2)


def test_the_last_of_two_equal_keys_counts(run):
    text = json.dumps(CROSSING).replace('"seats": 3', '"seats": 99, "seats": 3')
    assert run(text.encode()) == run(CROSSING)


# Errors that are about a move


@pytest.mark.parametrize(
    "entry",
    [
        [0, "choose Cat"],
        [0, "choose  cat"],
        [0, " choose cat"],
        [0, "bell"],
        [0, "board A"],
        [3, "choose cat"],
        [-1, "choose cat"],
        [True, "choose cat"],
        [0.0, "choose cat"],
        ["0", "choose cat"],
        [None, "choose cat"],
        [None, "Bell"],
        [None, None],
        [0, None],
        [0, ["choose", "cat"]],
        [0],
        [0, "choose cat", 1],
        [],
        {},
        {"0": "choose cat"},
        "0 choose cat",
        None,
        7,
    ],
)
def test_the_first_refused_move_is_told_by_its_number(entry: object, run):
    status, [line] = run(with_moves(entry, [0, "choose cat"], "nonsense"))
    assert status == 2
    assert list(line) == ["error", "move"]
    assert line["move"] == 7
    assert line["error"].endswith(".")


def test_a_game_that_is_over_refuses_moves_and_the_bell(run):
    moves = [[seat, "choose cat"] for seat in range(3)] + [[None, "bell"]]
    _, lines = run(changed(moves=[*moves * 5, [0, "stay"]]), changed(moves=[*moves * 5, [None, "bell"]]))
    assert [line["move"] for line in lines] == [21, 21]


@pytest.mark.parametrize("name", games())
def test_seats_that_are_not_to_move_are_refused(name: str, run):
    made, _ = whole_game(name, games()[name].players[0], 1)
    first = made["moves"][0][1]
    lines = run(*({**made, "moves": [[seat, first]]} for seat in (-1, made["seats"])))[1]
    assert [line["move"] for line in lines] == [1, 1]


# Errors that are not about a move


@pytest.mark.parametrize(
    "parts",
    [
        {"game": "chess"},
        {"game": None},
        {"game": ["animal_crossing"]},
        {"game": "Animal_Crossing"},
        {"seats": 2},
        {"seats": 10},
        {"seats": -3},
        {"seats": True},
        {"seats": 3.0},
        {"seats": "3"},
        {"seats": None},
        {"options": None},
        {"options": []},
        {"options": {"boarding": "sometimes"}},
        {"options": {"boarding": True}},
        {"options": {"boarding": {}}},
        {"options": {"colour": "red"}},
        {"setup": None},
        {"setup": []},
        {"setup": {}},
        {"setup": {"loads": [[2, 3]] * 4}},
        {"setup": {"loads": [[2, 3]] * 6}},
        {"setup": {"loads": [[2, 3, 4]] * 5}},
        {"setup": {"loads": [[2, 11]] * 5}},
        {"setup": {"loads": [[1, 3]] * 5}},
        {"setup": {"loads": [[2, True]] * 5}},
        {"setup": {"loads": [[2, 3.0]] * 5}},
        {"moves": None},
        {"moves": {}},
        {"moves": "choose cat"},
    ],
)
def test_a_record_that_is_wrong_before_any_move(parts: dict[str, object], run):
    status, [line] = run(changed(**parts))
    assert status == 2
    assert list(line) == ["error", "move"]
    assert line["move"] is None
    assert line["error"].endswith(".")


@pytest.mark.parametrize("key", ["game", "seats", "setup", "moves"])
def test_a_missing_key_is_an_error(key: str, run):
    status, [line] = run({name: part for name, part in CROSSING.items() if name != key})
    assert (status, line["move"]) == (2, None)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        json.dumps(CROSSING).encode("utf-16"),
        b'{"game": "\xed\xa0\x80"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        json.dumps(CROSSING).replace("[2, 3]", "[2, NaN]").encode(),
        json.dumps({**CROSSING, "extra": float("inf")}).encode(),
        b"1" * 5_000,
        b"null",
        b"[]",
        b'"animal_crossing"',
        b"3",
        (json.dumps(CROSSING) + "x").encode(),
    ],
)
def test_what_is_no_record(content: bytes, run):
    status, [line] = run(content)
    assert (status, line["move"]) == (2, None)
    assert line["error"].endswith(".")


def test_files_that_cannot_be_read(run, tmp_path: Path):
    status, lines = run(tmp_path / "nowhere.json", tmp_path, CROSSING)
    assert status == 2
    assert [line.get("move", "fine") for line in lines] == [None, None, "fine"]


@pytest.mark.parametrize("seat", ["3", "-1", "9", "00", "1.0", "", "x", "١", " 1"])
def test_a_seat_that_the_game_does_not_have(seat: str, run):
    status, lines = run(CROSSING, changed(seats=4, moves=[]), seat=seat)
    assert status == 2
    assert lines[0]["move"] is None
    assert ("error" in lines[1]) == (seat != "3")


@pytest.mark.parametrize(
    ("name", "setup"),
    [
        ("two_by_two", "tokens"),
        ("two_by_two", "removed"),
        ("this_town", "stack"),
        ("duos", "sets"),
    ],
)
def test_set_ups_with_a_part_missing_twice_or_of_another_kind(name: str, setup: str, run):
    made, _ = whole_game(name, 2, 1)
    whole = made["setup"][setup]
    wrong: list[object] = [None, {}, [], 5, "lion"]
    if isinstance(whole, dict):
        first, second = list(whole)[:2]
        wrong += [{**whole, first: value} for value in (None, 1, "cow", {}, [])]
        wrong += [
            {key: value for key, value in whole.items() if key != first},
            {**whole, second + "x": "lion"},
        ]
    else:
        wrong += [whole[1:], [*whole, whole[0]], [*whole[1:], None], [*whole[1:], {}], [*whole[1:], 2.0]]
    status, lines = run(*({**made, "setup": {**made["setup"], setup: part}, "moves": []} for part in wrong))
    assert status == 2
    assert [line.get("move", "fine") for line in lines] == [None] * len(wrong)


# Whatever else a file may hold


HOSTILE = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=True),
        st.text(max_size=8),
        st.sampled_from(
            ["bell", "\ud800", "choose cat", "place 0,-1 0", "{0}", "{seat}", "%s", "0", "-0", 2.0, 10**400]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=3), inner
    ),
    max_leaves=6,
)


def nodes(value: Any) -> list[tuple[Any, Any]]:
    """Every place inside a JSON value, as its container and key."""
    places = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [place for key, inner in places for place in ((value, key), *nodes(inner))]


def accepts_or_explains(path: Path, seat: str | None = None) -> None:
    """Replaying prints one line of the right shape."""
    [text], status = record.replay([path], seat)
    line = json.loads(text)
    if status == 0:
        assert list(line) == ["turn", "waiting", "scores", "outcome", "view"]
    else:
        assert status == 2
        assert list(line) == ["error", "move"]
        assert line["move"] is None or type(line["move"]) is int


@pytest.mark.parametrize("name", games())
def test_no_value_anywhere_brings_it_down(name: str, tmp_path: Path):
    made, _ = whole_game(name, games()[name].players[0], 2)
    made["moves"] = made["moves"][:12]
    path = tmp_path / "record.json"

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.data())
    def no_value_brings_it_down(data: st.DataObject):
        hostile = deepcopy(made)
        container, key = data.draw(st.sampled_from(nodes(hostile)))
        container[key] = data.draw(HOSTILE)
        path.write_text(json.dumps(hostile), encoding="utf-8")
        accepts_or_explains(path, data.draw(st.sampled_from([None, "0", "7"])))

    no_value_brings_it_down()


def test_no_bytes_bring_it_down(tmp_path: Path):
    path = tmp_path / "record.json"
    good = json.dumps(CROSSING).encode()

    @settings(max_examples=60, deadline=None)
    @given(st.binary(max_size=12), st.integers(0, len(good)), st.integers(0, 12))
    def no_bytes_bring_it_down(noise: bytes, start: int, length: int):
        path.write_bytes(good[:start] + noise + good[start + length :])
        accepts_or_explains(path)

    no_bytes_bring_it_down()
