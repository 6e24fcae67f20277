"""DUOS: everybody sorts the same twelve pictures into pairs in secret and hopes to think like the narrator.

Three to six players take turns as the narrator, twice each; two play the co-operative game of nine turns.
The paragraphs are those of the rulebook (Granna, 2022).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import ClassVar, Self, TypeVar
from unicodedata import category as unicode_category

from bot.rules.base import (
    Event,
    Game,
    Options,
    Outcome,
    Refused,
    Seat,
    Setup,
    View,
    mapping,
    sequence,
    whole_number,
)

T = TypeVar("T")

Pair = tuple[int, int]
"""Two of the twelve cards (1-12, left to right, top to bottom), the smaller first."""


@dataclass(frozen=True)
class Picture:
    """What one side of a card shows: its name, and the hexadecimal code point of the emoji that draws it."""

    label: str
    codepoint: str


def _read_boxes() -> dict[str, dict[str, tuple[Picture, ...]]]:
    boxes = json.loads(Path(__file__).with_name("duos_cards.json").read_text("utf-8"))
    return {
        box: {category: tuple(Picture(**side) for side in sides) for category, sides in categories.items()}
        for box, categories in boxes.items()
    }


BOXES: Mapping[str, Mapping[str, tuple[Picture, ...]]] = _read_boxes()
"""The two categories of each box; card n shows picture n of both."""

LAYOUT = 12
"""Cards on the table, four columns by three rows."""

PAIRS = 4
"""Pairs that everybody makes."""

NARRATOR_POINTS = (0, 0, 1, 1, 2)
"""What the narrator gets for another player, by the pairs they share (The Narrator Checks the Pairs)."""

TURNS_FOR_TWO = 9
WON_FROM = 3
"""Shared pairs that win a turn of the game for two."""

HINTS = ("word", "yes", "no")
LONGEST_WORD = 30

_CARDS = {str(card): card for card in range(1, LAYOUT + 1)}
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0"


@dataclass(frozen=True)
class Hint:
    """A marker of the game for two: a `word`, or a `card` that its giver uses (`yes`) or does not (`no`)."""

    kind: str
    word: str | None = None
    card: int | None = None

    def allows(self, pairs: Sequence[Pair]) -> bool:
        """Whether its giver may lock these pairs."""
        used = any(self.card in pair for pair in pairs)
        return {"word": True, "yes": used, "no": not used}[self.kind]


@dataclass(frozen=True)
class Hinted(Event):
    """A hint was given; `label` names the picture of its card, if it has one."""

    seat: Seat
    hint: Hint
    label: str | None


@dataclass(frozen=True)
class TurnScored(Event):
    """Everybody had locked: the pairs of each seat, and what they were worth.

    `shared` are each seat's pairs that match the narrator's (of the narrator: those matched by anybody); of
    two players, those both have made.  `points` were won in this turn, `scores` in all, one a seat.
    """

    narrator: Seat | None
    category: str
    pictures: tuple[Picture, ...]
    pairs: tuple[tuple[Pair, ...], ...]
    shared: tuple[tuple[Pair, ...], ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True)
class Ended(Event):
    """All turns are played.  The game for two has no winners; its rating is the number of turns won."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


Happening = Hinted | TurnScored | Ended


@dataclass(frozen=True, kw_only=True)
class DuosView(View):
    """The twelve pictures, who is still choosing, the hints, the points, and of all pairs one's own alone.

    Once the game is over there are no pictures and no category; two players have no narrator.
    """

    turns: int
    category: str | None
    pictures: tuple[Picture, ...]
    narrator: Seat | None
    pairs: tuple[Pair, ...]
    hints: tuple[Hint | None, ...]
    scores: tuple[int, ...]
    events: tuple[Happening, ...]

    @property
    def locked(self) -> tuple[Seat, ...]:
        """The seats that have locked while others are still choosing."""
        if self.outcome is not None:
            return ()
        return tuple(seat for seat in range(self.seats) if seat not in self.waiting)


@dataclass(frozen=True, kw_only=True)
class Duos(Game):
    """A position of DUOS.  `sets` are the cards of the whole game; `turn` is 1 to one beyond the last."""

    name: ClassVar[str] = "duos"
    title: ClassVar[str] = "DUOS"
    players: ClassVar[range] = range(2, 7)
    version: ClassVar[int] = 1
    secret: ClassVar[bool] = True

    box: str
    first: str
    sets: tuple[tuple[int, ...], ...]
    pairs: tuple[tuple[Pair, ...], ...]
    locked: tuple[bool, ...]
    hints: tuple[Hint | None, ...]
    points: tuple[int, ...]
    events: tuple[Happening, ...] = ()

    @classmethod
    def complete(cls, seats: int, options: Options) -> Options:
        unknown = [option for option in options if option not in ("box", "first")]
        if unknown:
            raise Refused("DUOS has no option {option}.", option=unknown[0])
        box = options.get("box", "sport-fairy")
        if not isinstance(box, str) or box not in BOXES:
            raise Refused("The box is one of {boxes}.", boxes=", ".join(BOXES))
        sides = tuple(BOXES[box])
        first = options.get("first", sides[0])
        if first not in sides:
            raise Refused("The first category of that box is one of {sides}.", sides=", ".join(sides))
        return {"box": box, "first": first}

    @classmethod
    def shuffle(cls, seats: int, options: Options, rng: Random) -> Setup:
        cards = rng.sample(range(1, cards_in(options["box"]) + 1), LAYOUT * sets_for(seats))
        return {"sets": [cards[start : start + LAYOUT] for start in range(0, len(cards), LAYOUT)]}

    @classmethod
    def deal(cls, seats: int, options: Options, setup: Setup) -> Self:
        listed = mapping(setup, "The set-up of DUOS lists its sets.").get("sets")
        sets = tuple(
            tuple(
                whole_number(card, "A card is a whole number.") for card in sequence(cards, "A set is a list of cards.")
            )
            for cards in sequence(listed, "The set-up of DUOS lists its sets.")
        )
        if len(sets) != sets_for(seats):
            raise Refused("The game needs {number} sets.", number=sets_for(seats))
        if any(len(cards) != LAYOUT for cards in sets):
            raise Refused("A set has {number} cards.", number=LAYOUT)
        cards = [card for cards in sets for card in cards]
        if not all(1 <= card <= cards_in(options["box"]) for card in cards):
            raise Refused("The cards of that box go from 1 to {last}.", last=cards_in(options["box"]))
        if len(set(cards)) != len(cards):
            raise Refused("No card comes twice.")
        return cls(
            seats=seats,
            turn=1,
            box=options["box"],
            first=options["first"],
            sets=sets,
            points=(0,) * seats,
            pairs=((),) * seats,
            locked=(False,) * seats,
            hints=(None,) * seats,
        )

    @property
    def turns(self) -> int:
        """The turns of the whole game: two as the narrator for each player, nine for two players."""
        return TURNS_FOR_TWO if self.seats == 2 else 2 * self.seats

    @property
    def over(self) -> bool:
        return self.turn > self.turns

    @property
    def narrator(self) -> Seat | None:
        return None if self.over or self.seats == 2 else (self.turn - 1) % self.seats

    @property
    def category(self) -> str:
        """The side that lies up: both by turns, but so that every narrator narrates each of the two once."""
        sides = tuple(BOXES[self.box])
        game_round, seat = (0, self.turn - 1) if self.seats == 2 else divmod(self.turn - 1, self.seats)
        return sides[(sides.index(self.first) + game_round + seat) % 2]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """What the twelve cards show; a set stays for two turns, once with each side up."""
        return tuple(BOXES[self.box][self.category][card - 1] for card in self.sets[(self.turn - 1) // 2])

    def waiting(self) -> tuple[Seat, ...]:
        return () if self.over else tuple(seat for seat in range(self.seats) if not self.locked[seat])

    def moves(self, seat: Seat) -> tuple[str, ...]:
        if self.over or seat not in range(self.seats):
            return ()
        mine = self.pairs[seat]
        hints = self._possible_hints(seat)
        if self.locked[seat]:
            return ("unlock", *hints)
        free = [card for card in _CARDS.values() if not any(card in pair for pair in mine)]
        return (
            *(f"pair {a} {b}" for a, b in combinations(free, 2) if len(mine) < PAIRS),
            *(f"unpair {a} {b}" for a, b in mine),
            "clear",
            *(["lock"] if len(mine) == PAIRS and self._keeps_hint(seat, mine) else []),
            *hints,
        )

    def play(self, seat: Seat, move: str) -> Self:
        if self.over:
            raise Refused("The game is over.")
        if seat not in range(self.seats):
            raise Refused("There is no such seat in this game.")
        match move.split(" "):
            case ["pair", a, b]:
                return self._pair(seat, _card(a), _card(b))
            case ["unpair", a, b]:
                return self._unpair(seat, _card(a), _card(b))
            case ["clear"]:
                return self._arrange(seat, ())
            case ["lock"]:
                return self._lock(seat)
            case ["unlock"]:
                if not self.locked[seat]:
                    raise Refused("You have not locked your pairs.")
                return replace(self, locked=_with(self.locked, seat, False))
            case ["word", *words]:
                return self._hint(seat, Hint("word", word=_word(" ".join(words))))
            case ["yes" | "no" as kind, card]:
                return self._hint(seat, Hint(kind, card=_card(card)))
            case _:
                raise Refused("DUOS has no such move.")

    def _pair(self, seat: Seat, a: int, b: int) -> Self:
        mine = self.pairs[seat]
        if a == b:
            raise Refused("A pair is two different cards.")
        for card in (a, b):
            if any(card in pair for pair in mine):
                raise Refused("Card {card} is in another of your pairs.", card=card)
        if len(mine) == PAIRS:
            raise Refused("You have four pairs already; take one apart first.")
        return self._arrange(seat, (*mine, _ordered(a, b)))

    def _unpair(self, seat: Seat, a: int, b: int) -> Self:
        mine = self.pairs[seat]
        if _ordered(a, b) not in mine:
            raise Refused("Cards {a} and {b} are no pair of yours.", a=a, b=b)
        return self._arrange(seat, tuple(pair for pair in mine if pair != _ordered(a, b)))

    def _arrange(self, seat: Seat, pairs: tuple[Pair, ...]) -> Self:
        if self.locked[seat]:
            raise Refused("Your pairs are locked; unlock them first.")
        return replace(self, pairs=_with(self.pairs, seat, pairs))

    def _lock(self, seat: Seat) -> Self:
        if self.locked[seat]:
            raise Refused("Your pairs are locked already.")
        if len(self.pairs[seat]) != PAIRS:
            raise Refused("Make four pairs first.")
        if not self._keeps_hint(seat, self.pairs[seat]):
            raise Refused("Your pairs must agree with the hint that you gave.")
        after = replace(self, locked=_with(self.locked, seat, True))
        return after if after.waiting() else after._score()

    def _keeps_hint(self, seat: Seat, pairs: tuple[Pair, ...]) -> bool:
        hint = self.hints[seat]
        return hint is None or hint.allows(pairs)

    def _hint(self, seat: Seat, hint: Hint) -> Self:
        if self.seats != 2:
            raise Refused("Hints are for the game of two players.")
        if self.hints[seat] is not None:
            raise Refused("You have given your hint for this turn.")
        if any(given is not None and given.kind == hint.kind for given in self.hints):
            raise Refused("Your partner has used that marker; take another.")
        if self.locked[seat] and not hint.allows(self.pairs[seat]):
            raise Refused("That hint does not agree with the pairs that you locked.")
        label = None if hint.card is None else self.pictures[hint.card - 1].label
        return replace(
            self,
            hints=_with(self.hints, seat, hint),
            events=(*self.events, Hinted(self.turn, seat, hint, label)),
        )

    def _possible_hints(self, seat: Seat) -> tuple[str, ...]:
        if self.seats != 2 or self.hints[seat] is not None:
            return ()
        taken = [hint.kind for hint in self.hints if hint is not None]
        hints = [Hint(kind, card=card) for kind in ("yes", "no") for card in _CARDS.values()]
        return (
            *(["word <word>"] if "word" not in taken else []),
            *(
                f"{hint.kind} {hint.card}"
                for hint in hints
                if hint.kind not in taken and (not self.locked[seat] or hint.allows(self.pairs[seat]))
            ),
        )

    def _score(self) -> Self:
        """The next turn, this one counted (The Narrator Checks the Pairs; Scoring)."""
        shared, points = self._shared_for_two() if self.narrator is None else self._shared_with(self.narrator)
        scores = tuple(before + won for before, won in zip(self.points, points, strict=True))
        scored = TurnScored(self.turn, self.narrator, self.category, self.pictures, self.pairs, shared, points, scores)
        after = replace(
            self,
            turn=self.turn + 1,
            points=scores,
            pairs=((),) * self.seats,
            locked=(False,) * self.seats,
            hints=(None,) * self.seats,
            events=(*self.events, scored),
        )
        outcome = after.outcome()
        if outcome is None:
            return after
        return replace(after, events=(*after.events, Ended(self.turn, outcome.winners, scores)))

    def _shared_with(self, narrator: Seat) -> tuple[tuple[tuple[Pair, ...], ...], tuple[int, ...]]:
        told = self.pairs[narrator]
        shared = [tuple(pair for pair in mine if pair in told) for mine in self.pairs]
        points = [len(pairs) for pairs in shared]
        others = [seat for seat in range(self.seats) if seat != narrator]
        points[narrator] = sum(NARRATOR_POINTS[len(shared[seat])] for seat in others)
        shared[narrator] = tuple(pair for pair in told if any(pair in shared[seat] for seat in others))
        return tuple(shared), tuple(points)

    def _shared_for_two(self) -> tuple[tuple[tuple[Pair, ...], ...], tuple[int, ...]]:
        shared = tuple(pair for pair in self.pairs[0] if pair in self.pairs[1])
        won = int(len(shared) >= WON_FROM)
        return (shared, shared), (won, won)

    def view(self, seat: Seat | None) -> DuosView:
        return DuosView(
            seat=seat,
            seats=self.seats,
            turn=self.turn,
            waiting=self.waiting(),
            outcome=self.outcome(),
            turns=self.turns,
            category=None if self.over else self.category,
            pictures=() if self.over else self.pictures,
            narrator=self.narrator,
            pairs=() if seat is None else self.pairs[seat],
            hints=self.hints,
            scores=self.points,
            events=self.events,
        )

    def scores(self) -> tuple[int, ...]:
        return self.points

    @property
    def competitive(self) -> bool:
        """Two players play together against the cards."""
        return self.seats > 2

    def outcome(self) -> Outcome | None:
        """The most points win, equal totals together; two players have only their number of turns won."""
        if not self.over:
            return None
        if self.seats == 2:
            return Outcome(())
        return Outcome(tuple(seat for seat, points in enumerate(self.points) if points == max(self.points)))


def sets_for(seats: int) -> int:
    """The sets of twelve cards that a game needs; each lies for two turns."""
    return (TURNS_FOR_TWO + 1) // 2 if seats == 2 else seats


def cards_in(box: str) -> int:
    """The number of cards of that box."""
    return min(len(pictures) for pictures in BOXES[box].values())


def _ordered(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


def _with(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _card(text: str) -> int:
    if text not in _CARDS:
        raise Refused("The cards are numbered from 1 to {last}.", last=LAYOUT)
    return _CARDS[text]


def _word(text: str) -> str:
    letters = [sign for sign in text if unicode_category(sign)[0] == "L" and sign not in _BLANK_LETTERS]
    joined = [sign for sign in text if sign in "-'’" or unicode_category(sign)[0] == "M"]
    if not letters or len(letters) + len(joined) != len(text) or len(text) > LONGEST_WORD:
        raise Refused("Say one word of at most {longest} letters.", longest=LONGEST_WORD)
    return text
