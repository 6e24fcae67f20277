"""Plays Animal Crossing by imagining what the others may be and do, and drawing what then does well."""

from __future__ import annotations

from math import exp
from random import Random

from bot.rules.animal_crossing import (
    CROSSED,
    ISLAND,
    RAFTS,
    WEIGHTS,
    Animal,
    AnimalCrossingView,
    Place,
    fates_aboard,
)

Plan = tuple[Place, Animal]

IMAGINED = 24
"""How many times the others are imagined for one decision."""
BOLDNESS = 2.0
"""How strongly a point more is preferred; a robot that always took the best would be read at once."""
WORTH_A_CHANGE = 1.0
"""Points that make it jump from raft to raft, half of the times it sees them."""


def choose(view: AnimalCrossingView, moves: tuple[str, ...], rng: Random) -> str:
    """An animal, a place for it, and then `ready`."""
    assert view.seat is not None
    here = view.places[view.seat] or ISLAND
    if view.question == "both" and view.animal:
        return "ready"
    if view.question == "place":
        return _boarding(view, here, rng)
    plans = _expected(view, rng)
    if view.question == "both" and here != ISLAND:
        plans = {plan: points for plan, points in plans.items() if plan[0] == here}
    weights = [exp(BOLDNESS * points) for points in plans.values()]
    place, animal = rng.choices(list(plans), weights)[0]
    return f"choose {animal}" if view.question == "animal" or place == here else f"board {place}"


def _boarding(view: AnimalCrossingView, here: Place, rng: Random) -> str:
    plans = {place: points for (place, _), points in _expected(view, rng).items()}
    best = max(plans, key=lambda place: plans[place])
    if here == ISLAND:
        return "ready" if best == ISLAND else f"board {best}"
    if plans[best] - plans[here] < WORTH_A_CHANGE or rng.random() < 0.5:
        return "ready"
    return "stay" if best == ISLAND else f"board {best}"


def _expected(view: AnimalCrossingView, rng: Random) -> dict[Plan, float]:
    """The points of each plan still open to the viewer, on average."""
    places = (*RAFTS[: len(view.loads)], ISLAND)
    plans = [(place, animal) for place in places for animal in ((view.animal,) if view.animal else WEIGHTS)]
    total = dict.fromkeys(plans, 0.0)
    for _ in range(IMAGINED):
        others = [_imagined(view, seat, rng) for seat in range(view.seats) if seat != view.seat]
        aboard = {raft: [animal for place, animal in others if place == raft] for raft in RAFTS}
        sunk = 0
        for raft, load in zip(RAFTS, view.loads, strict=False):
            sunk += sum(fate != CROSSED for fate in fates_aboard(aboard[raft], load))
        for place, animal in plans:
            if place == ISLAND:
                total[place, animal] += 0 if animal == "dog" else sunk
            elif fates_aboard([animal, *aboard[place]], view.loads[RAFTS.index(place)])[0] == CROSSED:
                mates = aboard[place].count("mouse") if animal == "mouse" else 0
                total[place, animal] += WEIGHTS[animal] + mates
    return {plan: points / IMAGINED for plan, points in total.items()}


def _imagined(view: AnimalCrossingView, seat: int, rng: Random) -> Plan:
    """Where that seat may end up and as what: its place is believed once ready or off the island."""
    place = view.places[seat] if view.question == "place" else None
    if place is None or (place == ISLAND and seat in view.waiting):
        stayed = sum(past.places[seat] == ISLAND for past in view.rounds)
        stays = rng.random() < (1 + stayed) / (3 + len(view.rounds))
        place = ISLAND if stays else rng.choices(RAFTS[: len(view.loads)], view.loads)[0]
    load = max(WEIGHTS.values()) if place == ISLAND else view.loads[RAFTS.index(place)]
    return place, rng.choice([animal for animal, weight in WEIGHTS.items() if weight <= load])
