"""How DUOS looks: twelve cards, and after each turn who matched whom.

It reads and is told as `renderers.duos_words` says.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from bot.locales import _
from bot.rules.duos import (
    BOXES,
    PAIRS,
    TURNS_FOR_TWO,
    WON_FROM,
    DuosView,
    Pair,
    Picture,
    TurnScored,
)
from renderers import duos_art as art
from renderers.canvas import (
    HEIGHT,
    WIDTH,
    badge,
    encode,
    fitted_text,
    mix,
    panel,
    paragraph,
    picture,
    pill,
    stamp,
    text,
    width_of,
)
from renderers.duos_words import ask, category_name, describe, rating, scored, tell
from renderers.names import draw_name
from renderers.people import People
from renderers.theme import CREAM, GOLD, INK

__all__ = ["ask", "describe", "draw", "tell"]

GAME = "duos"

SIDE_LEFT, SIDE_WIDTH = 1034, 234
SIDE = SIDE_LEFT + SIDE_WIDTH / 2
EDGE = 12
NAME_SIZES = (26, 23, 20, 18)


def draw(view: DuosView, people: People, moves: Sequence[str] = (), draft: str = "") -> bytes:
    """The picture of that view: the seat's own pairs are marked once there are four.

    Until then it stays the same, so that a card is picked without drawing anew.
    """
    if view.category is None:
        image = _final_for_two(view, people) if view.seats == 2 else _final(view, people)
        return encode(image, GAME)
    image = art.table().copy()
    _head(image, view, people)
    looks = {card: look for look, pair in enumerate(view.pairs) for card in pair} if has_four_pairs(view) else {}
    for card, shown in enumerate(view.pictures, 1):
        _card(image, card, shown, looks.get(card))
    if view.seats == 2:
        _hints_on_cards(image, view)
        _side_for_two(image, view, people)
    else:
        _side(image, view, people)
    return encode(image, GAME)


def has_four_pairs(view: DuosView) -> bool:
    """Whether the seat of that view has made all its pairs."""
    return len(view.pairs) == PAIRS


def _card(image: Image.Image, card: int, shown: Picture, look: int | None) -> None:
    x, y = art.centre(card)
    top, foot = y - art.CARD_HEIGHT / 2, y + art.CARD_HEIGHT / 2
    if look is not None:
        stamp(image, art.card_front(look), x, y)
    stamp(image, picture(shown.codepoint, 160), x, top + 118)
    letters = INK if look is None else art.PAIR_LOOKS[look].letters
    fitted_text(image, x, foot - art.BAND / 2 - 2, shown.label, art.CARD_WIDTH - 26, (27, 25, 23, 21, 19), letters)
    stamp(image, art.number(card), x - art.CARD_WIDTH / 2 + 27, top + 27)
    if look is not None:
        stamp(image, art.cube(look, 50), x + art.CARD_WIDTH / 2 - 27, top + 27)


def _head(image: Image.Image, view: DuosView, people: People) -> None:
    """Over the cards: the turn, the category, and whose pairs are sought."""
    assert view.category is not None
    width, height, y = 1006, 54, 36
    stamp(image, panel(width, height), 8 + width / 2, y)
    turn = _(
        "Turn {turn} of {turns} · {category}", turn=view.turn, turns=view.turns, category=category_name(view.category)
    )
    text(image, 30, y, turn, 27, INK, "lm")
    if has_four_pairs(view):
        words = _("your pairs: locked") if view.seat in view.locked else _("your four pairs")
        text(image, width - 12, y, words, 27, art.GREEN, "rm")
    elif view.narrator is None:
        text(image, width - 12, y, _("three pairs alike win"), 27, INK, "rm")
    elif view.narrator == view.seat:
        text(image, width - 12, y, _("you narrate"), 27, INK, "rm")
    else:
        text(image, width - 12, y, _("narrates"), 27, INK, "rm")
        name = draw_name(image, width - 146, y, people[view.narrator], 330, INK, (27, 25, 23, 21), "rm")
        stamp(image, badge(view.narrator, 40), width - 146 - name - 30, y)


def _side(image: Image.Image, view: DuosView, people: People) -> None:
    """Beside the cards: everybody's points, and who has locked."""
    for seat in range(view.seats):
        top, height = _place(seat, view.seats)
        _seat_panel(image, top, height, seat, people, seat == view.narrator)
        _state(image, SIDE_LEFT + 16, top + height - 34, view, seat)
        text(image, SIDE_LEFT + SIDE_WIDTH - 18, top + height - 36, str(view.scores[seat]), 46, INK, "rm")


def _place(seat: int, seats: int) -> tuple[float, int]:
    """The top and the height of a seat's panel at the side."""
    gap = 10
    height = min(152, (HEIGHT - 2 * EDGE + gap) // seats - gap)
    return EDGE + seat * (height + gap), height


def _seat_panel(image: Image.Image, top: float, height: int, seat: int, people: People, narrator: bool) -> None:
    stamp(image, panel(SIDE_WIDTH, height, GOLD if narrator else CREAM), SIDE, top + height / 2)
    stamp(image, badge(seat, 52), SIDE_LEFT + 40, top + 42)
    draw_name(image, SIDE_LEFT + 76, top + (32 if narrator else 42), people[seat], SIDE_WIDTH - 90, INK, NAME_SIZES)
    if narrator:
        text(image, SIDE_LEFT + 76, top + 60, _("narrator"), 19, INK, "lm")


def _state(image: Image.Image, left: float, y: float, view: DuosView, seat: int) -> None:
    """Whether that seat has locked; a private picture, which stays while others lock, says it of its own seat alone."""
    if view.seat not in (None, seat):
        return
    locked = seat in view.locked
    stamp(image, picture("1f512" if locked else "thinking-face", 34), left + 18, y)
    words, colour = (_("locked"), art.GREEN) if locked else (_("choosing"), art.FADED)
    text(image, left + 44, y, words, 21, colour, "lm")


def _hints_on_cards(image: Image.Image, view: DuosView) -> None:
    for seat, hint in enumerate(view.hints):
        if hint is not None and hint.card is not None:
            x, y = art.centre(hint.card)
            # The two hints of a turn may fall on one card.
            y += 54 if hint.kind == "yes" else 2
            fill, letters = art.HINT_LOOKS[hint.kind]
            words = _("YES!") if hint.kind == "yes" else _("NO!")
            stamp(image, pill(words, 34, fill, letters, INK, 116), x + 48, y)
            stamp(image, badge(seat, 46), x - 34, y)


def _side_for_two(image: Image.Image, view: DuosView, people: People) -> None:
    """Beside the cards: both players, the three markers, and the nine turns."""
    height = 118
    for seat in range(2):
        top = EDGE + seat * (height + 10)
        _seat_panel(image, top, height, seat, people, False)
        _state(image, SIDE_LEFT + 16, top + height - 28, view, seat)
    top = EDGE + 2 * (height + 10)
    _markers(image, view, top, 254)
    _turns_won(image, view, top + 264)


def _turns_won(image: Image.Image, view: DuosView, top: float) -> None:
    """The panel with the nine turns of two players."""
    height = 416
    stamp(image, panel(SIDE_WIDTH, height), SIDE, top + height / 2)
    text(image, SIDE, top + 36, _("turns won: {n}", n=view.scores[0]), 27)
    _track(image, view, SIDE, top + 104, 62, 70, 3)
    if scored(view):
        paragraph(image, SIDE, top + 304, rating(view.scores[0]), 20, SIDE_WIDTH - 28, art.FADED, "mm")


def _markers(image: Image.Image, view: DuosView, top: float, height: int) -> None:
    """The markers of the hints: there for the taking, or who gave which."""
    stamp(image, panel(SIDE_WIDTH, height), SIDE, top + height / 2)
    given = {hint.kind: (seat, hint) for seat, hint in enumerate(view.hints) if hint is not None}
    names = {"word": _("one word"), "yes": _("yes, this card"), "no": _("no, not this")}
    for row, (kind, name) in enumerate(names.items()):
        y = top + 46 + row * 80
        stamp(image, art.hint_marker(kind, 54, kind in given), SIDE_LEFT + 40, y)
        if kind not in given:
            fitted_text(image, SIDE_LEFT + 76, y, name, SIDE_WIDTH - 88, (22, 20, 18), INK, "lm")
            continue
        seat, hint = given[kind]
        stamp(image, badge(seat, 36), SIDE_LEFT + 92, y)
        if hint.word is not None:
            draw_name(image, SIDE_LEFT + 118, y, hint.word, SIDE_WIDTH - 130, INK, NAME_SIZES)
        else:
            words = _("yes: {n}", n=hint.card) if kind == "yes" else _("no: {n}", n=hint.card)
            text(image, SIDE_LEFT + 118, y, words, 26, INK, "lm")


def _track(image: Image.Image, view: DuosView, x: float, y: float, size: int, step: float, columns: int) -> None:
    """The nine turns of two players around `x`, the first row at `y`."""
    results = ["won" if event.points[0] else "lost" for event in scored(view)]
    states = [*results, "now", *[""] * TURNS_FOR_TWO][:TURNS_FOR_TWO]
    for at, state in enumerate(states):
        row, column = divmod(at, columns)
        stamp(image, art.turn_disc(at + 1, state, size), x + (column - (columns - 1) / 2) * step, y + row * step)


# What the last turn has shown


def reveal(view: DuosView, people: People) -> bytes | None:
    """The picture of the last scored turn: whose pairs were matched by whom, and the points; None before the first."""
    played = scored(view)
    if not played:
        return None
    event = played[-1]
    image = art.felt().copy()
    _reveal_head(image, event, people)
    pairs = event.shared[0] if event.narrator is None else event.pairs[event.narrator]
    for slot in range(PAIRS):
        x, y = (8 + 247.5 + slot % 2 * 511, 76 + 134 + slot // 2 * 282)
        if slot < len(pairs):
            _matched_pair(image, event, slot, pairs[slot], people, x, y)
        else:
            stamp(image, panel(495, 268, mix(art.FELT_DARK, art.FELT, 0.7)), x, y)
            text(image, x, y, _("not shared"), 30, mix(CREAM, art.FELT, 0.3))
    _other_pairs(image, event, pairs)
    if event.narrator is None:
        _reveal_side_for_two(image, view, people)
    else:
        _reveal_side(image, event, people)
    return encode(image, GAME)


EXAMPLE = ("Hen", "Chick", "Lion", "Tiger", "Octopus", "Squid", "Cat", "Mouse", "Fox", "Elephant", "Shark", "Duck")
"""Twelve animals, in their order on the table."""


def rules_picture() -> bytes:
    """A scored turn as an example: the narrator's pairs were matched four, two and one times."""
    told = ((1, 2), (3, 4), (5, 6), (7, 8))
    pairs = (told, told, ((1, 2), (3, 4), (5, 11), (8, 10)), ((7, 8), (2, 12), (1, 9), (6, 11)))
    shared = (told, told, told[:2], told[3:])
    points = (3, 4, 2, 1)
    known = {shown.label: shown for shown in BOXES["things-animals"]["animals"]}
    pictures = tuple(known[label] for label in EXAMPLE)
    view = DuosView(
        seat=None,
        seats=4,
        turn=2,
        waiting=(),
        outcome=None,
        turns=8,
        category=None,
        pictures=(),
        narrator=1,
        pairs=(),
        hints=(None,) * 4,
        scores=points,
        events=(TurnScored(1, 0, "animals", pictures, pairs, shared, points, points),),
    )
    return reveal(view, People(("Ann", "Bo", "Cy", "Di"))) or b""


def _reveal_head(image: Image.Image, event: TurnScored, people: People) -> None:
    width, height, y = 1006, 54, 36
    stamp(image, panel(width, height), 8 + width / 2, y)
    turn = _("Turn {turn} · {category}", turn=event.turn, category=category_name(event.category))
    text(image, 30, y, turn, 27, INK, "lm")
    if event.narrator is None:
        won = bool(event.points[0])
        words = _("{n} alike: won!", n=len(event.shared[0])) if won else _("{n} alike: lost", n=len(event.shared[0]))
        text(image, width - 12, y, words, 29, art.GREEN if won else art.RED, "rm")
        return
    text(image, width - 12, y, _("has paired"), 27, INK, "rm")
    name = draw_name(image, width - 176, y, people[event.narrator], 330, INK, (27, 25, 23, 21), "rm")
    stamp(image, badge(event.narrator, 40), width - 176 - name - 30, y)


def _matched_pair(
    image: Image.Image, event: TurnScored, look: int, pair: Pair, people: People, x: float, y: float
) -> None:
    """One pair with everybody who has made it, the narrator aside."""
    colour = art.PAIR_LOOKS[look].colour
    stamp(image, panel(495, 268, CREAM, colour), x, y)
    stamp(image, panel(495, 268, CREAM, INK, colour, 12), x, y)
    for side, card in zip((-1, 1), pair, strict=True):
        shown = event.pictures[card - 1]
        stamp(image, picture(shown.codepoint, 130), x + side * 118, y - 36)
        fitted_text(image, x + side * 118, y + 54, shown.label, 224, (26, 24, 22, 20, 18))
    stamp(image, art.cube(look, 56), x, y - 36)
    makers = [seat for seat, made in enumerate(event.pairs) if pair in made and seat != event.narrator]
    if not makers:
        text(image, x, y + 100, _("matched by nobody"), 22, art.FADED)
        return
    step = 52
    words = _("matched by") if event.narrator is not None else _("both")
    room = width_of(words, 22) + 8
    start = x - (room + step * len(makers)) / 2
    text(image, start, y + 100, words, 22, art.FADED, "lm")
    for at, seat in enumerate(makers):
        stamp(image, badge(seat, 46), start + room + step * (at + 0.5), y + 100)


def _other_pairs(image: Image.Image, event: TurnScored, shown: Sequence[Pair]) -> None:
    """In small, the pairs that have matched nothing, each with its makers."""
    makers: dict[Pair, list[int]] = {}
    for seat, pairs in enumerate(event.pairs):
        for pair in pairs:
            if pair not in shown:
                makers.setdefault(pair, []).append(seat)
    width, height, top = 1006, 298, 644
    stamp(image, panel(width, height, art.FELT), 8 + width / 2, top + height / 2)
    if not makers:
        words = _("No other pairs: everybody thought the same!")
        text(image, 8 + width / 2, top + height / 2, words, 30, CREAM)
        return
    text(image, 30, top + 28, _("other pairs"), 24, CREAM, "lm")
    ordered = sorted(makers.items(), key=lambda entry: (-len(entry[1]), entry[1], entry[0]))
    size = 104 if len(makers) <= 6 else 76 if len(makers) <= 12 else 60
    x, y = 30.0, top + 54 + size / 2
    for pair, seats in ordered:
        wide = 2 * size + 4 + 24 * len(seats)
        if x + wide > width:
            x, y = 30.0, y + size + 14
        for at, card in enumerate(pair):
            stamp(image, art.small_card(event.pictures[card - 1].codepoint, size), x + size / 2 + at * (size + 4), y)
        for at, seat in enumerate(seats):
            stamp(image, badge(seat, 36), x + 2 * size + 8 + 24 * at, y + size / 2 - 15)
        x += wide + 22


def _reveal_side(image: Image.Image, event: TurnScored, people: People) -> None:
    """Everybody's markers that matched, the points of the turn, and in all."""
    assert event.narrator is not None
    for seat in range(len(event.scores)):
        top, height = _place(seat, len(event.scores))
        _seat_panel(image, top, height, seat, people, seat == event.narrator)
        y = top + height - 36
        gained = f"+{event.points[seat]}"
        text(image, SIDE_LEFT + 20, y + 4, gained, 34, art.GREEN if event.points[seat] else art.FADED, "lm")
        text(image, SIDE_LEFT + SIDE_WIDTH - 18, y, str(event.scores[seat]), 46, INK, "rm")
        if seat != event.narrator:
            for look, pair in enumerate(event.pairs[event.narrator]):
                drawn = art.cube(look, 26) if pair in event.pairs[seat] else art.no_cube(26)
                stamp(image, drawn, SIDE_LEFT + 90 + look * 34, top + 74)


def _reveal_side_for_two(image: Image.Image, view: DuosView, people: People) -> None:
    for seat in range(2):
        _seat_panel(image, EDGE + seat * 94, 84, seat, people, False)
    _turns_won(image, view, EDGE + 2 * 94)


# The end


def _final(view: DuosView, people: People) -> Image.Image:
    """The points of every turn, the best first."""
    image = art.felt().copy()
    assert view.outcome is not None
    turns = scored(view)
    text(image, WIDTH / 2, 58, _("DUOS"), 60, CREAM, outline=INK, outline_width=4)
    for x in (WIDTH / 2 - 170, WIDTH / 2 + 170):
        stamp(image, picture("trophy", 84), x, 58)
    left, right = 430.0, 1130.0
    step = (right - left) / len(turns)
    for at, event in enumerate(turns):
        x = left + step * (at + 0.5)
        text(image, x, 128, str(event.turn), 26, CREAM)
        if event.narrator is not None:
            stamp(image, badge(event.narrator, 34), x, 162)
    text(image, left - 20, 128, _("turn"), 22, CREAM, "rm")
    text(image, left - 20, 162, _("narrator"), 22, CREAM, "rm")
    row = min(136, (HEIGHT - 206) // view.seats)
    order = sorted(range(view.seats), key=lambda seat: (-view.scores[seat], seat))
    for line, seat in enumerate(order):
        y = 190 + line * row + row / 2
        winner = seat in view.outcome.winners
        stamp(image, panel(WIDTH - 2 * EDGE, row - 10, mix(GOLD, CREAM, 0.3) if winner else CREAM), WIDTH / 2, y)
        place = 1 + sum(points > view.scores[seat] for points in view.scores)
        text(image, 48, y, str(place), 36, art.FADED)
        stamp(image, badge(seat, 66), 118, y)
        draw_name(image, 164, y, people[seat], 250, INK, (30, 27, 24, 21))
        for at, event in enumerate(turns):
            x = left + step * (at + 0.5)
            if seat == event.narrator:
                stamp(image, pill(str(event.points[seat]), 30, GOLD), x, y)
            else:
                text(image, x, y, str(event.points[seat]), 30, INK if event.points[seat] else art.FADED)
        text(image, 1196, y, str(view.scores[seat]), 56)
    return image


def _final_for_two(view: DuosView, people: People) -> Image.Image:
    """The nine turns with the pairs that were alike, and what they say."""
    image = art.felt().copy()
    text(image, WIDTH / 2, 58, _("DUOS"), 60, CREAM, outline=INK, outline_width=4)
    stamp(image, panel(1140, 826), WIDTH / 2, 524)
    for seat, x in ((0, WIDTH / 2 - 34), (1, WIDTH / 2 + 34)):
        stamp(image, badge(seat, 86), x, 178)
    draw_name(image, WIDTH / 2 - 92, 178, people[0], 400, INK, (34, 30, 26, 22), "rm")
    draw_name(image, WIDTH / 2 + 92, 178, people[1], 400, INK, (34, 30, 26, 22))
    text(image, WIDTH / 2, 288, _("{won} of {turns} turns won", won=view.scores[0], turns=TURNS_FOR_TWO), 62)
    fitted_text(image, WIDTH / 2, 370, rating(view.scores[0]), 1080, (44, 40, 36, 32), art.FADED)
    step = 122
    _track(image, view, WIDTH / 2, 482, 96, step, TURNS_FOR_TWO)
    for at, event in enumerate(scored(view)):
        x, alike = WIDTH / 2 + (at - 4) * step, event.shared[0]
        colour = art.GREEN if len(alike) >= WON_FROM else art.FADED
        text(image, x, 560, _("{n} alike", n=len(alike)), 25, colour)
        for row, pair in enumerate(alike):
            for side, card in zip((-1, 1), pair, strict=True):
                drawn = art.small_card(event.pictures[card - 1].codepoint, 54)
                stamp(image, drawn, x + side * 28, 620 + row * 76)
    return image
