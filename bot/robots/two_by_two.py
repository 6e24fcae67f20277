"""Plays Two by Two greedily: the points of a flood, and the worth of the pairs that the ark can then take."""

from __future__ import annotations

from collections import Counter
from random import Random

from bot.rules.base import View
from bot.rules.two_by_two import NEIGHBOURS, SEA, STARS, TwoByTwoView

_NEARNESS = 0.4
"""What each step nearer to a pair is worth to an ark that can reach none this turn."""


def choose(view: View, moves: tuple[str, ...], rng: Random) -> str:
    """The move that looks best for this turn; between equals, any."""
    assert isinstance(view, TwoByTwoView) and view.seat is not None
    prospects = _Prospects(view, view.seat)
    return max(moves, key=lambda move: (prospects.worth(move), rng.random()))


class _Prospects:
    """What a seat can gain from the animals that lie face up."""

    def __init__(self, view: TwoByTwoView, seat: int) -> None:
        self.view = view
        self.seat = seat
        self.water = SEA.union(view.flooded)
        self.values = {column.species: self._gain(column.species) for column in view.columns}

    def worth(self, move: str) -> float:
        """The points expected of this turn when it goes on with that move."""
        verb, *spaces = move.split(" ")
        animals = self.view.face_up
        match verb:
            case "flood":
                flood = self.view.floods[spaces[0]]
                left = {space: kind for space, kind in animals.items() if space != spaces[0]}
                return flood.points + self._turn(self.view.arks[self.seat], left, 2, self.water | {spaces[0]})
            case "sail":
                return self._turn(spaces[0], animals, self.view.actions - 1, self.water)
            case "rescue":
                left = {space: kind for space, kind in animals.items() if space not in spaces}
                ark = self.view.arks[self.seat]
                gain = self.values[animals[spaces[0]]]
                return gain + self._turn(ark, left, self.view.actions - 1, self.water)
            case "done":
                return self._turn(self.view.arks[self.seat], animals, 0, self.water)
            case _:
                return 0

    def _turn(self, ark: str, animals: dict[str, str], actions: int, water: frozenset[str]) -> float:
        """The best of staying for pairs here and of sailing one step for one pair there."""
        here = self._pairs_beside(ark, animals)
        plans = [sum(here[:actions]) + self._nearness(ark, animals, water)]
        if actions == 2:
            for space in NEIGHBOURS[ark]:
                if space in water and space not in self.view.arks:
                    there = self._pairs_beside(space, animals)
                    if there:
                        plans.append(there[0] + self._nearness(space, animals, water))
        return max(plans)

    def _pairs_beside(self, ark: str, animals: dict[str, str]) -> list[float]:
        """The values of the species of which an ark there could take a pair, best first."""
        number = Counter(animals.values())
        beside = {animals[space] for space in NEIGHBOURS[ark] if space in animals}
        return sorted((self.values[kind] for kind in beside if kind != "fishbone" and number[kind] > 1), reverse=True)

    def _nearness(self, ark: str, animals: dict[str, str], water: frozenset[str]) -> float:
        """A little for lying near the next pair, by the steps an ark must sail to it."""
        reached = {ark}
        shore = [ark]
        for steps in range(6):
            if any(self._pairs_beside(space, animals) for space in shore):
                return -_NEARNESS * steps
            shore = [near for space in shore for near in NEIGHBOURS[space] if near in water]
            shore = [space for space in dict.fromkeys(shore) if space not in reached]
            reached.update(shore)
        return -_NEARNESS * 6

    def _gain(self, species: str) -> float:
        """The points that one more pair brings this seat, and half of those that it costs the others."""
        column = next(column for column in self.view.columns if column.species == species)
        mine, all_pairs = column.pairs[self.seat], sum(column.pairs)
        star = 2 if species in STARS[self.seat] else 1
        if self.view.count == "basic":
            return star * (4 if species == "unicorn" else 2) + (2 if all_pairs == 0 else 0)
        after = star * (mine + 1) * 6 / (all_pairs + 1)
        others = sum(column.points) - column.points[self.seat]
        lost = others / (all_pairs + 1)
        return after - column.points[self.seat] + lost / 2
