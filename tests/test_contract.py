"""What every game promises, whichever it is: the contract of `bot/rules/base.py` over random games.

A game is found by being in `bot/rules`; one that has options, or answers that the others may see before the question
is closed, gets its rows in VARIANTS.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import pytest

from bot import robots, snapshot
from bot.rules import games
from bot.rules.base import Game, Refused, Seat, View

Variant = tuple[dict[str, Any], tuple[str, ...]]
VARIANTS: dict[str, tuple[Variant, ...]] = {
    "two_by_two": (({}, ()), ({"count": "basic"}, ())),
    "duos": (
        ({}, ("word", "yes", "no")),
        ({"box": "things-animals", "first": "animals"}, ("word", "yes", "no")),
    ),
    "animal_crossing": (
        ({}, ("board", "stay")),
        ({"boarding": "secret"}, ()),
        ({"boarding": "secret", "scores": "public"}, ()),
        ({"scores": "public"}, ("board", "stay")),
    ),
}
"""Options to try, each with the verbs whose moves are public while others still answer the same question."""

PLAIN: tuple[Variant, ...] = (({}, ()), ({}, ()))
"""Two random games of a game that is not in VARIANTS."""

LONGEST = 3_000
"""Moves within which a game played at random must end."""

SAMPLES = 8
"""Positions of one game that are looked at closely."""

SAMPLE_WORDS = ("metal", "ice-cream", "Ærø")


@dataclass(frozen=True)
class Case:
    """One kind of table: a game, its number of seats and its options."""

    name: str
    seats: int
    variant: int

    def __str__(self) -> str:
        return f"{self.name}-{self.seats}-{self.variant}"

    @property
    def game(self) -> type[Game]:
        return games()[self.name]

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.game.complete(self.seats, VARIANTS.get(self.name, PLAIN)[self.variant][0]))

    @property
    def open_verbs(self) -> tuple[str, ...]:
        return VARIANTS.get(self.name, PLAIN)[self.variant][1]


@dataclass(frozen=True)
class Playout:
    """One random game: where it began, what was played and where each move led."""

    start: Game
    setup: Any
    log: tuple[tuple[Seat, str], ...]
    positions: tuple[Game, ...]

    @property
    def steps(self) -> Iterator[tuple[Game, Seat, str, Game]]:
        for number, (seat, move) in enumerate(self.log):
            yield self.positions[number], seat, move, self.positions[number + 1]

    @property
    def samples(self) -> tuple[Game, ...]:
        """Some positions of the game, the first and the last among them."""
        stride = max(1, len(self.positions) // (SAMPLES - 2))
        return (*self.positions[:-1:stride], self.positions[-1])


CASES = [
    Case(name, seats, variant)
    for name, game in games().items()
    for seats in game.players
    for variant in range(len(VARIANTS.get(name, PLAIN)))
]


def spoken(pattern: str, rng: Random) -> str:
    """A move of that pattern."""
    return pattern.replace("<word>", rng.choice(SAMPLE_WORDS))


def matches(move: str, patterns: tuple[str, ...]) -> bool:
    return any(re.fullmatch(re.escape(pattern).replace("<word>", r"[^\W\d_][\w'’-]*"), move) for pattern in patterns)


def any_move(position: Game, seat: Seat, rng: Random) -> str:
    """A move of that seat, mostly at random; now and then the robot's, so that no game dawdles for ever."""
    moves = position.moves(seat)
    if seat in position.waiting() and rng.random() < 0.3:
        return robots.choose(position.name, position.view(seat), moves, rng)
    return spoken(rng.choice(moves), rng)


@cache
def playout(case: Case) -> Playout:
    """A game at random; now and then somebody who has answered thinks again."""
    rng = Random(str(case))
    setup = case.game.shuffle(case.seats, case.options, rng)
    position = start = case.game.deal(case.seats, case.options, setup)
    log: list[tuple[Seat, str]] = []
    positions: list[Game] = [start]
    while waiting := position.waiting():
        able = [seat for seat in range(case.seats) if position.moves(seat)]
        seat = rng.choice(able if rng.random() < 0.05 else waiting)
        move = any_move(position, seat, rng)
        position = position.play(seat, move)
        log.append((seat, move))
        positions.append(position)
        assert len(log) < LONGEST, "The game does not end."
    return Playout(start, setup, tuple(log), tuple(positions))


def closed(before: Game, after: Game) -> bool:
    """Whether the question that stood before has its answer."""
    return after.turn != before.turn or after.outcome() is not None


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def events(view: View) -> tuple[Any, ...]:
    return getattr(view, "events")  # noqa: B009


def without_waiting(view: View) -> View:
    return replace(view, waiting=())


every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_secret_case = pytest.mark.parametrize("case", [case for case in CASES if case.game.secret], ids=str)
every_open_case = pytest.mark.parametrize("case", [case for case in CASES if not case.game.secret], ids=str)


# How a game goes on and ends


@every_case
def test_somebody_is_waited_for_until_the_outcome(case: Case):
    for position in playout(case).positions:
        waiting = position.waiting()
        assert list(waiting) == sorted(set(waiting))
        assert set(waiting) <= set(range(case.seats))
        assert bool(waiting) == (position.outcome() is None)
        assert all(position.moves(seat) for seat in waiting)


@every_case
def test_the_turn_never_falls(case: Case):
    for before, _, _, after in playout(case).steps:
        assert after.turn in (before.turn, before.turn + 1)


@every_case
def test_an_answer_to_a_standing_question_takes_nobody_else_off_or_on_the_list(case: Case):
    for before, seat, _, after in playout(case).steps:
        if not closed(before, after):
            assert set(before.waiting()) ^ set(after.waiting()) <= {seat}


@every_case
def test_scores_and_outcome_are_about_the_seats(case: Case):
    for position in playout(case).samples:
        scores = position.scores()
        assert len(scores) == case.seats
        assert all(type(points) is int for points in scores)
    outcome = playout(case).positions[-1].outcome()
    assert outcome is not None
    assert list(outcome.winners) == sorted(set(outcome.winners))
    assert set(outcome.winners) <= set(range(case.seats))


@every_case
def test_a_game_that_is_over_refuses_everything(case: Case):
    end = playout(case).positions[-1]
    for seat in range(case.seats):
        assert end.moves(seat) == ()
        with pytest.raises(Refused):
            end.undo(seat)
    for seat, move in set(playout(case).log[-200:]):
        with pytest.raises(Refused):
            end.play(seat, move)
    with pytest.raises(Refused):
        end.bell()


@every_case
def test_the_bell_moves_on_or_changes_nothing(case: Case):
    for position in playout(case).samples[:-1]:
        rung = position.bell()
        assert rung == position or rung.turn > position.turn
        assert events(rung.view(None))[: len(events(position.view(None)))] == events(position.view(None))


@every_case
def test_what_is_taken_back_may_be_done_again(case: Case):
    for before, seat, _, after in list(playout(case).steps)[:150]:
        try:
            undone = after.undo(seat)
        except Refused:
            continue
        assert undone.moves(seat) == before.moves(seat)
        assert undone.scores() == before.scores()
        assert undone.turn > after.turn
        assert events(undone.view(None))[: len(events(after.view(None)))] == events(after.view(None))


# Moves


@every_case
def test_every_listed_move_is_accepted(case: Case):
    rng = Random(1)
    for position in playout(case).samples:
        for seat in range(case.seats):
            listed = position.moves(seat)
            assert len(set(listed)) == len(listed)
            for move in rng.sample(listed, min(25, len(listed))):
                position.play(seat, spoken(move, rng))


def misspelled(move: str) -> set[str]:
    """Ways of writing that move which nobody means."""
    return {
        move.upper(),
        move.title(),
        f" {move}",
        f"{move} ",
        f"{move}\n",
        f"{move}\0",
        f"{move} {move}",
        f"{move} 1",
        move.replace(" ", "  "),
        move.replace(" ", "\N{NO-BREAK SPACE}"),
        move.replace(" ", "\t"),
        move.replace(" ", ""),
        move.translate({ord("0") + digit: chr(0x660 + digit) for digit in range(10)}),
        move.translate({ord("0") + digit: chr(0xFF10 + digit) for digit in range(10)}),
        re.sub(r"\d+", r"0\g<0>", move),
        re.sub(r"(?<!\d)\d+", r"+\g<0>", move),
        re.sub(r"(?<![\d-])0(?!\d)", "-0", move),
        re.sub(r"\d+$", r"\g<0>.0", move),
    }


GARBAGE = ("", " ", "bell", "<word>", "word <word>", "nonsense", "{0}", "None", "\ud800", "9" * 5_000)


@every_case
def test_everything_else_is_refused(case: Case):
    rng = Random(2)
    for position in playout(case).samples:
        for seat in range(case.seats):
            listed = position.moves(seat)
            spoken_moves = [spoken(move, rng) for move in rng.sample(listed, min(4, len(listed)))]
            wrong = {text for move in spoken_moves for text in misspelled(move) if not matches(text, listed)}
            for text in (*wrong, *GARBAGE):
                with pytest.raises(Refused):
                    position.play(seat, text)


@every_case
def test_moves_of_other_moments_are_refused_or_mean_a_listed_one(case: Case):
    rng = Random(3)
    game = playout(case)
    for position in game.samples:
        for seat in range(case.seats):
            listed = position.moves(seat)
            for _, move in rng.sample(game.log, min(20, len(game.log))):
                if matches(move, listed):
                    continue
                try:
                    after = position.play(seat, move)
                except Refused:
                    continue
                assert any(position.play(seat, other) == after for other in listed if "<" not in other)


@every_case
def test_seats_outside_the_game_have_no_moves(case: Case):
    for position in playout(case).samples:
        moves = [spoken(move, Random(4)) for seat in position.waiting() for move in position.moves(seat)[:3]]
        for seat in (-1, case.seats):
            assert position.moves(seat) == ()
            for move in moves:
                with pytest.raises(Refused):
                    position.play(seat, move)


@every_case
def test_robots_choose_among_the_listed_moves(case: Case):
    rng = Random(5)
    for position in playout(case).samples:
        for seat in position.waiting()[:2]:
            listed = position.moves(seat)
            move = robots.choose(case.name, position.view(seat), listed, rng)
            assert matches(move, listed)
            position.play(seat, move)


# Storing and replaying


@every_case
def test_snapshots_of_positions_and_views_come_back_equal(case: Case):
    for position in playout(case).samples:
        assert snapshot.load(case.game, through_json(snapshot.dump(position))) == position
        for viewer in (None, *range(case.seats)):
            view = position.view(viewer)
            assert snapshot.load(type(view), through_json(snapshot.dump(view))) == view


@every_case
def test_deal_and_log_lead_to_the_same_position_and_change_none_on_the_way(case: Case):
    game = playout(case)
    position = dealt = case.game.deal(case.seats, through_json(case.options), through_json(game.setup))
    for seat, move in game.log:
        position = position.play(seat, move)
    assert position == game.positions[-1]
    assert dealt == game.start


# Who may know what


@every_case
def test_the_public_hears_ever_more_and_nothing_else(case: Case):
    told: tuple[Any, ...] = ()
    for position in playout(case).positions:
        heard = events(position.view(None))
        assert heard[: len(told)] == told
        told = heard


@every_case
def test_views_say_whose_they_are_and_what_is_asked(case: Case):
    for position in playout(case).samples:
        for viewer in (None, *range(case.seats)):
            view = position.view(viewer)
            assert (view.seat, view.seats, view.turn) == (viewer, case.seats, position.turn)
            assert (view.waiting, view.outcome) == (position.waiting(), position.outcome())


@every_open_case
def test_without_secret_choices_everybody_sees_the_same(case: Case):
    for position in playout(case).samples:
        for viewer in range(case.seats):
            assert replace(position.view(viewer), seat=None) == position.view(None)


@every_secret_case
def test_a_secret_answer_shows_in_no_other_view(case: Case):
    """Only that somebody has answered may show, while the question stands."""
    for before, seat, move, after in playout(case).steps:
        if closed(before, after) or move.partition(" ")[0] in case.open_verbs:
            continue
        for viewer in (None, *range(case.seats)):
            if viewer != seat:
                assert without_waiting(after.view(viewer)) == without_waiting(before.view(viewer))


@every_secret_case
def test_other_secret_answers_to_the_open_question_look_the_same_to_others(case: Case):
    rng = Random(6)
    for position in playout(case).samples:
        for seat in position.waiting():
            one, other = (answered(case, position, seat, rng) for _ in range(2))
            for viewer in (None, *range(case.seats)):
                if viewer != seat:
                    assert without_waiting(one.view(viewer)) == without_waiting(other.view(viewer))


def answered(case: Case, position: Game, seat: Seat, rng: Random) -> Game:
    """The position after some secret answers of that seat, the question still open."""
    for _ in range(8):
        secret = [move for move in position.moves(seat) if move.partition(" ")[0] not in case.open_verbs]
        after = position.play(seat, spoken(rng.choice(secret), rng)) if secret else position
        if not closed(position, after):
            position = after
    return position
