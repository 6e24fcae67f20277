"""Plays DUOS by imagining what many people would pair, and pairing what most of them do.

At a table of three or more every seat imagines people of a taste of its own, so that two robots are not one; a
partner of two has none and keeps to what is likeliest.

`duos_tags.json` holds, for each category, what the pictures have in common: tags with the pictures that carry
them, and pairs that people think of at once, all with a strength from 1 (faint) to 10 (nobody misses it).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

from bot.rules.duos import HINTS, LAYOUT, PAIRS, DuosView, Hint, Pair

Strengths = Mapping[Pair, float]
"""How much each pair of cards that may still be made suggests itself."""

PEOPLE = 20
"""How many people are imagined for a plan."""
PEOPLE_FOR_A_HINT = 16
TASTE = 1.3
"""How far the tastes of people scatter, as a standard deviation of strengths."""
OWN_TASTE = 1.3
"""How far the taste of one robot lies from the others', as a standard deviation of strengths."""
FURTHER_TIES = 0.12
"""What a pair gains for each tie beyond its strongest, by the strength of that tie."""
SAID = 5.0
"""What a pair gains whose tie is the word that was said."""
DEMANDED = 100.0
"""What a pair gains by a card that has to be used: more than anything else."""
SURE = 3.4
"""Shared pairs to expect without a hint from which on it is kept back."""


@dataclass(frozen=True)
class Ties:
    """What the pictures of a category have in common: the strength and the pictures of each tag, and the pairs."""

    tags: dict[str, tuple[float, frozenset[str]]]
    pairs: dict[frozenset[str], float]


@cache
def ties(category: str) -> Ties:
    known = json.loads(Path(__file__).with_name("duos_tags.json").read_text("utf-8"))[category]
    return Ties(
        {name: (tag["strength"], frozenset(tag["pictures"])) for name, tag in known["tags"].items()},
        {frozenset(pair.split(" + ")): float(strength) for strength, pairs in known["pairs"].items() for pair in pairs},
    )


@cache
def tie(category: str, one: str, other: str) -> float:
    """How strongly two pictures of a category belong together, from 0 to about 12."""
    labels = frozenset((one, other))
    strengths = [strength for strength, pictures in ties(category).tags.values() if labels <= pictures]
    strengths.append(ties(category).pairs.get(labels, 0.0))
    return max(strengths) * (1 - FURTHER_TIES) + FURTHER_TIES * sum(strengths)


@cache
def liking(seat: int, one: str, other: str) -> float:
    """What the robot on that seat adds to the strength of a pair: always the same, whatever the order of the two."""
    return Random(f"{seat} {sorted((one, other))}").gauss(0, OWN_TASTE)


def choose(view: DuosView, moves: tuple[str, ...], rng: Random) -> str:
    """With two players perhaps a hint first, then pair by pair, the surest first, and `lock`.

    A pair that a hint of the partner has overtaken is taken apart.
    """
    assert view.seat is not None
    if not view.pairs and any(move.startswith(HINTS) for move in moves):
        hint = _best_hint(view, moves, rng)
        if hint:
            return hint
    suggestions = _suggestions(view, view.hints)
    overtaken = _overtaken(view, suggestions)
    if overtaken:
        return "unpair {} {}".format(*overtaken)
    if len(view.pairs) == PAIRS:
        return "lock"
    popular = _popularity(suggestions, view.pairs, PEOPLE, rng)
    plan = best_pairs(popular, view.pairs)
    surest = max((pair for pair in plan if pair not in view.pairs), key=lambda pair: popular[pair])
    return "pair {} {}".format(*surest)


def _overtaken(view: DuosView, suggestions: Strengths) -> Pair | None:
    """One's own pair that stands against a hint, or else with four pairs the one to make room for its card."""
    for pair in view.pairs:
        if pair not in suggestions:
            return pair
    demanded = {card for pair, strength in suggestions.items() if strength >= DEMANDED for card in pair}
    if len(view.pairs) < PAIRS or not demanded or any(suggestions[pair] >= DEMANDED for pair in view.pairs):
        return None
    return min(view.pairs, key=lambda pair: suggestions[pair])


def _suggestions(view: DuosView, hints: Iterable[Hint | None]) -> dict[Pair, float]:
    """The strengths of all pairs of the layout that agree with those hints; one's own hint goes first."""
    assert view.category is not None and view.seat is not None
    labels = [picture.label for picture in view.pictures]
    given = list(hints)
    mine = given[view.seat]
    strengths: dict[Pair, float] = {}
    for a, b in combinations(range(1, LAYOUT + 1), 2):
        one, other = labels[a - 1], labels[b - 1]
        own = 0.0 if view.narrator is None else liking(view.seat, one, other)
        strengths[a, b] = tie(view.category, one, other) + own
    for hint in given:
        if hint is None or (hint is not mine and mine is not None and hint.card == mine.card is not None):
            continue
        named = [] if hint.word is None else _named(view.category, hint.word)
        for a, b in list(strengths):
            if any(pictures.issuperset((labels[a - 1], labels[b - 1])) for pictures in named):
                strengths[a, b] += SAID
            elif hint.card in (a, b) and hint.kind == "yes":
                strengths[a, b] += DEMANDED
            elif hint.card in (a, b):
                del strengths[a, b]
    return strengths


def _named(category: str, word: str) -> list[frozenset[str]]:
    """The pictures of each tag that the word names."""
    return [
        pictures
        for tag, (_, pictures) in ties(category).tags.items()
        if _stem(word) in (_stem(tag), *map(_stem, tag.split("-")))
    ]


def _stem(word: str) -> str:
    return word.casefold().rstrip("s")


def _popularity(suggestions: Strengths, made: tuple[Pair, ...], people: int, rng: Random) -> dict[Pair, float]:
    """The share of so many imagined people who make each pair, beside those made already."""
    counts = Counter[Pair]()
    for _ in range(people):
        counts.update(_imagined(suggestions, made, rng))
    # A trace of the strength decides between pairs that nobody was imagined to make.
    return {pair: counts[pair] / people + strength / 1000 for pair, strength in suggestions.items()}


def _imagined(suggestions: Strengths, made: tuple[Pair, ...], rng: Random) -> list[Pair]:
    """What somebody would pair who always takes next what strikes most."""
    struck = {pair: strength + rng.gauss(0, TASTE) for pair, strength in suggestions.items()}
    used = {card for pair in made for card in pair}
    pairs = list(made)
    for pair in sorted(struck, key=lambda pair: -struck[pair]):
        if len(pairs) == PAIRS:
            break
        if used.isdisjoint(pair):
            pairs.append(pair)
            used.update(pair)
    return pairs


def best_pairs(worth: Strengths, made: tuple[Pair, ...] = ()) -> tuple[Pair, ...]:
    """The four pairs of different cards with the largest sum, those made already among them; exact."""
    used = {card for pair in made for card in pair}
    ranked = sorted((pair for pair in worth if used.isdisjoint(pair)), key=lambda pair: -worth[pair])
    best: tuple[float, tuple[Pair, ...]] = (float("-inf"), made)

    def extend(chosen: tuple[Pair, ...], total: float, start: int) -> None:
        nonlocal best
        missing = PAIRS - len(chosen)
        if missing == 0:
            best = max(best, (total, chosen))
            return
        for place in range(start, len(ranked)):
            pair = ranked[place]
            if total + missing * worth[pair] <= best[0]:
                return
            if not any(card in other for other in chosen for card in pair):
                extend((*chosen, pair), total + worth[pair], place + 1)

    extend(made, 0.0, 0)
    return best[1]


def _best_hint(view: DuosView, moves: tuple[str, ...], rng: Random) -> str | None:
    """The hint after which an imagined partner shares most of one's plan, if without one they would not."""
    popular = _popularity(_suggestions(view, view.hints), (), PEOPLE, rng)
    plan = best_pairs(popular)
    if sum(popular[pair] for pair in plan) >= SURE:
        return None
    hints = [Hint(kind, card=card) for kind in ("yes", "no") for card in range(1, LAYOUT + 1)]
    hints = [hint for hint in hints if hint.allows(plan)] + [
        Hint("word", word=tag) for tag in _telling_tags(view, plan)
    ]
    # The pattern of the word stands for every word.
    kinds = {move.split()[0] for move in moves}

    def shared(hint: Hint) -> float:
        given = tuple(hint if seat == view.seat else other for seat, other in enumerate(view.hints))
        after = _popularity(_suggestions(view, given), (), PEOPLE_FOR_A_HINT, rng)
        return sum(after.get(pair, 0.0) for pair in plan)

    best = max((hint for hint in hints if hint.kind in kinds), key=shared)
    return f"{best.kind} {best.word or best.card}"


def _telling_tags(view: DuosView, plan: tuple[Pair, ...]) -> list[str]:
    """Of each planned pair the strongest tag that it shares with at most one other picture of the layout."""
    assert view.category is not None
    labels = [picture.label for picture in view.pictures]
    found: list[str] = []
    for a, b in plan:
        telling = {
            tag: strength
            for tag, (strength, pictures) in ties(view.category).tags.items()
            if pictures.issuperset((labels[a - 1], labels[b - 1])) and sum(label in pictures for label in labels) <= 3
        }
        if telling:
            found.append(max(telling, key=lambda tag: telling[tag]))
    return found
