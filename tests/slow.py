"""Tables without Discord, for tests of clocks and seats: users 1, 2, 3 … sit on the seats 0, 1, 2 …"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from bot.deadlines import Pace
from bot.table import Seat, Table
from tests.test_deadlines import at

NOW = at("2026-08-03 12:00")
"""A Monday."""


def opened(game: str = "two_by_two", players: int = 2, robots: int = 0, **pace: Any) -> Table:
    """An open table, hosted by user 1, one seat short of its start."""
    seats = [Seat(user, f"Player {user}") for user in range(1, players + 1)]
    seats += [Seat(None, f"Robot {number}") for number in range(robots)]
    return Table(
        id=0,
        game=game,
        guild=7,
        channel=70,
        place=70,
        host=1,
        state="open",
        options={},
        most=len(seats),
        least=len(seats),
        pace=Pace(**pace),
        thread=False,
        seats=tuple(seats),
        rules=1,
        order=tuple(range(1, players + 1)),
    )


def dealt(game: str = "two_by_two", players: int = 2, *, robots: int = 0, now: int = NOW, **pace: Any) -> Table:
    """A table whose first question is put at `now`."""
    return opened(game, players, robots, **pace).filled(Random(1), now)


def answered(table: Table, user: int, now: int) -> Table:
    """That user answers all that the user is asked, with the first legal moves."""
    seat = table.seat_of(user)
    turn = table.turn
    while seat in table.waiting and (table.turn == turn or table.owing == (seat,)):
        moves = table.running().moves(seat)
        move = next((move for move in ("ready", "done") if move in moves), moves[0])
        table = table.play_own(user, [move], now)
    return replace(table, played=())
