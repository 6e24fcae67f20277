"""A player of This Town that looks one step ahead: at the towns it closes and at the areas it leaves open."""

from __future__ import annotations

from random import Random

from bot.rules.base import Seat
from bot.rules.this_town import ThisTownView, after, areas_of, step_of, town_of

SILVER_MOVE = 1.0
"""What a silver move is worth, in points."""

PROMISE = 0.5
"""The part of the points of an area with one open side that counts already; with more sides it is less."""

MOST_LOOKED_AT = 250
"""Silver moves can go into the thousands; more than this many are not worth the time."""


def choose(view: ThisTownView, moves: tuple[str, ...], rng: Random) -> str:
    """The move that leaves this seat furthest ahead; among equals any."""
    assert view.seat is not None
    looked_at = rng.sample(moves, min(len(moves), MOST_LOOKED_AT))
    seat = view.seat
    return max(looked_at, key=lambda move: _value(view, seat, move))


def _value(view: ThisTownView, seat: Seat, move: str) -> float:
    step = step_of(move)
    if step is None:
        return 0
    value = 0.0
    laid = after(view.laid, view.drawn, step)
    for area, gaps in areas_of(laid, laid[-1:]):
        town = town_of(area, view.brands)
        lead = town.points[seat] - max(town.points[:seat] + town.points[seat + 1 :])
        value += PROMISE / gaps * lead if gaps else lead + SILVER_MOVE * min(town.bars, 1)
    return value
