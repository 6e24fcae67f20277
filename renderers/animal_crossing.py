"""How Animal Crossing looks and reads: the island between its rafts, and the table of points at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from PIL import Image

from bot.locales import _, and_list, plural
from bot.rules.animal_crossing import (
    BONUS_OVER,
    ISLAND,
    OVERLOADED,
    RAFTS,
    ROUNDS,
    SCARED,
    WEIGHTS,
    AnimalCrossingView,
    BoardingBegan,
    Crossing,
    Ended,
    Happening,
    Prizes,
    Revealed,
    Round,
    RoundBegan,
    Stayed,
)
from renderers import animal_crossing_art as art
from renderers.canvas import (
    HEIGHT,
    WIDTH,
    badge,
    encode,
    fitted_text,
    mix,
    panel,
    picture,
    pill,
    shadowed,
    stamp,
    text,
    wrapped,
)
from renderers.names import draw_name
from renderers.people import People
from renderers.theme import CREAM, GOLD, INK, Colour

GAME = "animal_crossing"
RED: Colour = (196, 44, 52)
FADED: Colour = (112, 100, 88)

STRIP_TOP, STRIP_HEIGHT = 10, 104
PUBLIC_FOOT, PRIVATE_FOOT = 96, 196
EDGE = 14
LARGEST_BADGE = 84
NARROWEST_NAME = 110


# Words


def _animal(animal: str) -> str:
    words = {"mouse": _("mouse"), "cat": _("cat"), "dog": _("dog"), "elephant": _("elephant")}
    return words[animal]


def _place(place: str) -> str:
    return _("the island") if place == ISLAND else _("raft {raft}", raft=place)


def _loads(loads: Sequence[int]) -> str:
    """`raft A carries 4 and raft B 7`, for the middle of a sentence."""
    first, *others = zip(RAFTS, loads, strict=False)
    parts = [_("raft {raft} carries {load}", raft=first[0], load=first[1])]
    return and_list(parts + [_("raft {raft} {load}", raft=raft, load=load) for raft, load in others])


def _all(seats: Sequence[int], people: People) -> str:
    return and_list([people[seat] for seat in seats]) or _("nobody")


def ask(view: AnimalCrossingView, people: People) -> str:
    """One sentence: what is asked now, of whom."""
    gaps = {
        "n": view.round + 1,
        "rounds": ROUNDS,
        "who": _all(view.waiting, people),
    }
    match view.question:
        case "animal":
            return _("Round {n} of {rounds}: {who}, choose your animal in secret.", **gaps)
        case "place":
            return _("Round {n} of {rounds}: {who}, board or stay, then be ready.", **gaps)
        case "both":
            return _("Round {n} of {rounds}: {who}, choose animal and place in secret.", **gaps)
        case _:
            return _("The game is over.")


def tell(event: Happening, people: People) -> str:
    """One sentence for one event."""
    match event:
        case RoundBegan():
            return _("**Round {n}** begins: {loads}.", n=event.round + 1, loads=_loads(event.loads))
        case BoardingBegan():
            return _("Everybody has chosen an animal: **boarding is open**.")
        case Crossing(sank=()):
            return _("Raft {raft} **crosses** with {who}.", raft=event.raft, who=_all(event.crossed, people))
        case Crossing(crossed=()):
            # Scared animals always leave another aboard: where all sank, the load was exceeded.
            who = _all(event.sank, people)
            return _("Raft {raft} is too heavy and **sinks** with {who}.", raft=event.raft, who=who)
        case Crossing():
            return plural(
                "Raft {raft} **crosses** with {who}; {sank} is scared off and **sinks**.",
                "Raft {raft} **crosses** with {who}; {sank} are scared off and **sink**.",
                len(event.sank),
                raft=event.raft,
                who=_all(event.crossed, people),
                sank=_all(event.sank, people),
            )
        case Stayed(sunk=0):
            return _("{who} stayed on the island, and nobody sank.", who=_all(event.stayed, people))
        case Stayed():
            return plural(
                "{who} stayed on the island while {n} player sank.",
                "{who} stayed on the island while {n} players sank.",
                event.sunk,
                who=_all(event.stayed, people),
            )
        case Revealed():
            return _(
                "Round {n} unveiled: {list}.",
                n=event.round + 1,
                list=and_list(
                    [
                        _("{who} {animal} {points}", who=people[seat], animal=_animal(animal), points=points)
                        for seat, (animal, points) in enumerate(zip(event.animals, event.points, strict=True))
                    ]
                ),
            )
        case Ended():
            return " ".join([_standing(event.points, people), *_prize_sentences(event.prizes, people)])


def _standing(points: Sequence[int], people: People) -> str:
    order = sorted(range(len(points)), key=lambda seat: -points[seat])
    listed = [_("{who} {points}", who=people[seat], points=points[seat]) for seat in order]
    return _("Final points: {list}.", list=and_list(listed))


def _prize_sentences(prizes: Prizes, people: People) -> list[str]:
    sentences = [
        _("**{who}** wins the full token.", who=_all(prizes.token, people))
        if len(prizes.token) == 1
        else _("**{who}** each win a full token.", who=_all(prizes.token, people)),
        plural(
            "{who} gets the strike.",
            "{who} get a strike each.",
            len(prizes.strike),
            who=_all(prizes.strike, people),
        ),
    ]
    if prizes.half:
        sentences.append(_("Half a token for more than {n}: {who}.", n=BONUS_OVER, who=_all(prizes.half, people)))
    return sentences


def describe(view: AnimalCrossingView, people: People) -> str:
    """The whole state that the view may know, the most important first."""
    lines = [ask(view, people)]
    if view.question:
        lines.append(_("In this round {loads}.", loads=_loads(view.loads)))
    if view.points is not None and view.prizes:
        lines = [_standing(view.points, people)]
        lines += [sentence.replace("**", "") for sentence in _prize_sentences(view.prizes, people)]
    elif view.points is not None and view.rounds:
        listed = [_("{who} {points}", who=people[s], points=p) for s, p in enumerate(view.points)]
        lines.append(_("Points: {list}.", list=and_list(listed)))
    if view.question and view.seat is not None:
        own = _animal(view.animal) if view.animal else _("not chosen yet")
        lines.append(_("Your animal: {animal}.", animal=own))
    if view.question:
        for place in (*RAFTS[: len(view.loads)], ISLAND):
            there = [seat for seat, where in enumerate(view.places) if where == place]
            if there:
                lines.append(_("On {place}: {who}.", place=_place(place), who=_all(there, people)))
        if unknown := [seat for seat, where in enumerate(view.places) if where is None]:
            lines.append(_("Place secret: {who}.", who=_all(unknown, people)))
    if done := [seat for seat in range(view.seats) if seat not in view.waiting] if view.question else []:
        lines.append(_("Done: {who}.", who=_all(done, people)))
    for number, past in reversed(list(enumerate(view.rounds))):
        lines.append(_round_in_words(number, past, people))
    return "\n".join(lines)


def _round_in_words(number: int, past: Round, people: People) -> str:
    def one(seat: int) -> str:
        parts = [people[seat]]
        if animal := past.animals[seat]:
            parts.append(_animal(animal))
        if seat in past.sank:
            parts.append(_("sank"))
        if past.points:
            parts.append(str(past.points[seat]))
        return " ".join(parts)

    aboard: list[str] = []
    for place, load in (*zip(RAFTS, past.loads, strict=False), (ISLAND, 0)):
        who = ", ".join(one(seat) for seat in range(len(past.places)) if past.places[seat] == place)
        where = _place(place) if place == ISLAND else _("{raft} (load {load})", raft=place, load=load)
        aboard.append(_("{place}: {who}", place=where, who=who or _("nobody")))
    return _("Round {n}: {list}.", n=number + 1, list="; ".join(aboard))


# Pictures


@dataclass(frozen=True)
class Box:
    """Part of the canvas, in pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2

    @property
    def bottom(self) -> float:
        return self.top + self.height


Boxes = dict[str, Box]
"""Where the island and each raft lie."""


@dataclass(frozen=True)
class Figure:
    """One player in the scene."""

    seat: int
    ready: bool = False
    own: bool = False
    swimming: bool = False
    animal: str | None = None
    points: str = ""


def draw(view: AnimalCrossingView, people: People, moves: Sequence[str] = (), draft: str = "") -> bytes:
    """The picture of that view.

    A seat's own picture shows its animal, or with `moves` the animals to choose from.  Every answer is a move at
    once, so that there is no `draft` to show.
    """
    if view.prizes:
        return encode(_final(view, people), GAME)
    private = view.seat is not None
    foot = PRIVATE_FOOT if private else PUBLIC_FOOT
    boxes = _boxes(len(view.loads), STRIP_TOP + STRIP_HEIGHT + 8, HEIGHT - foot - 2 * 12)
    fresh = len(view.waiting) == view.seats and all(place in (ISLAND, None) for place in view.places)
    picture_of = _aftermath if view.rounds and fresh and not private else _present
    image = picture_of(view, people, boxes)
    _strip(image, view)
    if private:
        _choice(image, view, moves, HEIGHT - foot - 12)
    else:
        _legend(image, HEIGHT - foot - 12)
    return encode(image, GAME)


def _boxes(rafts: int, top: float, bottom: float) -> Boxes:
    """Where rafts and island lie between those heights: one raft on either side, the third below the island."""
    height = bottom - top
    if rafts == 2:
        side, tall = 412, min(height, 590)
        start = top + (height - tall) / 2
        return {
            "A": Box(EDGE, start, side, tall),
            ISLAND: Box(EDGE + side, start + 8, WIDTH - 2 * EDGE - 2 * side, tall),
            "B": Box(WIDTH - EDGE - side, start, side, tall),
        }
    side, tall = 384, min(height, 560)
    start = top + (height - tall) / 2
    middle = Box(EDGE + side + 4, top, WIDTH - 2 * EDGE - 2 * side - 8, height * 0.47)
    return {
        "A": Box(EDGE, start, side, tall),
        ISLAND: middle,
        "B": Box(WIDTH - EDGE - side, start, side, tall),
        "C": Box(middle.left, middle.bottom + 4, middle.width, height - middle.height - 4),
    }


def _ground(place: str, box: Box) -> Box:
    """The part of an island or raft on which people stand."""
    if place == ISLAND:
        return Box(box.left + 34, box.top + box.height * 0.2, box.width - 68, box.height * 0.72)
    return Box(box.left + 16, box.top + art.DECK + 10, box.width - 32, box.height - art.DECK - 24)


def _stand(image: Image.Image, box: Box, figures: Sequence[Figure], people: People) -> None:
    """Draws people in rows that fill the box, as large as they fit."""
    if not figures:
        return
    count = len(figures)
    columns = max(range(1, count + 1), key=lambda columns: _room(box, count, columns))
    rows = ceil(count / columns)
    diameter = int(min(_room(box, count, columns)[1], LARGEST_BADGE))
    step = min(box.height / rows, diameter * 1.4 + 60)
    for at, figure in enumerate(figures):
        row, column = divmod(at, columns)
        beside = min(columns, len(figures) - row * columns)
        drawn = art.person(
            figure.seat,
            people[figure.seat],
            diameter,
            int(box.width / columns),
            figure.ready,
            figure.own,
            figure.swimming,
            figure.animal,
            figure.points,
        )
        x = box.middle + (column - (beside - 1) / 2) * box.width / columns
        stamp(image, drawn, x, box.top + box.height / 2 + (row - (rows - 1) / 2) * step)


def _room(box: Box, count: int, columns: int) -> tuple[float, float]:
    """How large badges can be in so many columns: first as far as it matters, then without limit."""
    wide, high = box.width / columns, box.height / ceil(count / columns)
    diameter = min(high - 38, (high - 10) / 1.4, wide * 0.56)
    if wide < NARROWEST_NAME:
        diameter *= wide / NARROWEST_NAME / 2
    return min(diameter, LARGEST_BADGE), diameter


def _present(view: AnimalCrossingView, people: People, boxes: Boxes) -> Image.Image:
    """Everybody where they stand in this round; those whose place is secret on the island, where all begin."""
    places = [place or ISLAND for place in view.places]
    image = _scenery(tuple(boxes.items()), view.loads).copy()
    for place, box in boxes.items():
        figures = [
            Figure(seat, ready=seat not in view.waiting, own=seat == view.seat)
            for seat in range(view.seats)
            if places[seat] == place
        ]
        _stand(image, _ground(place, box), figures, people)
    return image


@lru_cache(8)
def _scenery(boxes: tuple[tuple[str, Box], ...], loads: tuple[int, ...]) -> Image.Image:
    """The sea with the island and the empty rafts."""
    image = art.sea().copy()
    _land(image, dict(boxes), loads)
    return image


def _land(image: Image.Image, boxes: Boxes, loads: Sequence[int], sunk: Sequence[str] = ()) -> None:
    for place, box in boxes.items():
        if place == ISLAND:
            drawn = art.island(round(box.width), round(box.height))
        else:
            load = loads[RAFTS.index(place)]
            drawn = art.raft(round(box.width), round(box.height), place, load, place in sunk)
        stamp(image, drawn, box.middle, box.top + box.height / 2)


def _aftermath(view: AnimalCrossingView, people: People, boxes: Boxes) -> Image.Image:
    """The last round as it ended: who is still dry, who is in the water, and which rafts went down."""
    image = art.sea().copy()
    past = view.rounds[-1]

    def figures(place: str, sank: bool) -> list[Figure]:
        return [
            Figure(
                seat,
                swimming=sank,
                animal=past.animals[seat],
                points=f"+{past.points[seat]}" if past.points and not sank else "",
            )
            for seat in range(view.seats)
            if past.places[seat] == place and (seat in past.sank) == sank
        ]

    for place, box in boxes.items():
        dry, wet = figures(place, False), figures(place, True)
        if place == ISLAND or not wet:
            _land(image, {place: box}, past.loads)
            _stand(image, _ground(place, box), dry, people)
            note = _("crossed") if dry else _("empty")
            colour = art.GREEN if dry else FADED
        elif not dry:
            _land(image, {place: box}, past.loads, (place,))
            _stand(image, _ground(place, box), wet, people)
            note, colour = _("too heavy"), RED
        else:
            share = min(0.64, max(0.46, len(wet) / (len(wet) + len(dry))))
            afloat = Box(box.left, box.top, box.width, box.height * (1 - share) + art.DECK * share)
            _land(image, {place: afloat}, past.loads)
            _stand(image, _ground(place, afloat), dry, people)
            _stand(
                image,
                Box(box.left + 16, afloat.bottom + 14, box.width - 32, box.bottom - afloat.bottom - 20),
                wet,
                people,
            )
            stamp(image, pill(_("scared off"), 22, RED, CREAM), box.middle, afloat.bottom + 2)
            note, colour = _("crossed"), art.GREEN
        if place != ISLAND:
            stamp(image, pill(note, 22, colour, CREAM), box.middle + 138, box.top + 34)
    heading = _("Round {n}", n=len(view.rounds))
    island = boxes[ISLAND]
    stamp(image, pill(heading, 30, INK, CREAM), island.middle, island.top + 34)
    return image


def _strip(image: Image.Image, view: AnimalCrossingView) -> None:
    """The five rounds: their loads as far as announced, and who sank."""
    gap = 8
    width = (WIDTH - 2 * EDGE - gap * (ROUNDS - 1)) // ROUNDS
    for number in range(ROUNDS):
        past = view.rounds[number] if number < len(view.rounds) else None
        now = number == view.round
        fill = GOLD if now else CREAM if past else mix(CREAM, art.WATER, 0.7)
        left = EDGE + number * (width + gap)
        stamp(image, panel(width, STRIP_HEIGHT, fill), left + width / 2, STRIP_TOP + STRIP_HEIGHT / 2)
        y = STRIP_TOP + 34
        stamp(image, art.number_disc(number + 1, 34), left + 25, y)
        if not past and not now:
            text(image, left + width / 2, STRIP_TOP + STRIP_HEIGHT / 2, "?", 44, CREAM)
            continue
        loads = past.loads if past else view.loads
        room = (width - 48) / len(loads)
        for at, load in enumerate(loads):
            stamp(image, art.load_tag(RAFTS[at], load), left + 46 + room * (at + 0.5), y)
        y = STRIP_TOP + 77
        if past:
            _sunk(image, past.sank, left, y, width)
        else:
            fitted_text(image, left + width / 2, y, _progress(view), width - 24, (22, 20, 18))


def _sunk(image: Image.Image, sank: Sequence[int], left: float, y: float, width: float) -> None:
    if not sank:
        text(image, left + width / 2, y, _("all dry"), 20, FADED)
        return
    step = min(34, (width - 62) / len(sank))
    start = left + width / 2 - (step * len(sank) + 30) / 2
    stamp(image, picture("droplet", 30), start + 12, y)
    for at, seat in enumerate(sank):
        stamp(image, badge(seat, 32), start + 30 + step * (at + 0.5), y)


def _progress(view: AnimalCrossingView) -> str:
    done = view.seats - len(view.waiting)
    if view.question == "place":
        return _("boarding: {n} of {all} ready", n=done, all=view.seats)
    return _("choosing: {n} of {all}", n=done, all=view.seats)


def _traits() -> dict[str, tuple[str, str]]:
    """What each animal should know, in two short lines."""
    return {
        "mouse": (_("scared by any cat"), _("+1 for each other mouse")),
        "cat": (_("scared by dogs,"), _("if they outnumber cats")),
        "dog": (_("never scared, but"), _("no points on the island")),
        "elephant": (_("scared by any mouse"), _("crosses for the most")),
    }


def _legend(image: Image.Image, top: float) -> None:
    """The four animals with their weights and what they fear."""
    stamp(image, _legend_panel(_traits_key()), WIDTH / 2, top + PUBLIC_FOOT / 2)


def _traits_key() -> tuple[tuple[str, str, str], ...]:
    return tuple((animal, *lines) for animal, lines in _traits().items())


@lru_cache(8)
def _legend_panel(traits: tuple[tuple[str, str, str], ...]) -> Image.Image:
    sheet = panel(WIDTH - 2 * EDGE, PUBLIC_FOOT).copy()
    width = (WIDTH - 2 * EDGE) / len(traits)
    for at, (animal, *lines) in enumerate(traits):
        left, y = 12 + at * width, sheet.height / 2
        stamp(sheet, picture(animal, 74), left + 50, y)
        stamp(sheet, art.number_disc(WEIGHTS[animal], 38), left + 84, y + 24)
        for line, words in enumerate(lines):
            fitted_text(sheet, left + 110, y - 14 + 28 * line, words, width - 122, (20, 19, 18, 17), INK, "lm")
    return sheet


def _choice(image: Image.Image, view: AnimalCrossingView, moves: Sequence[str], top: float) -> None:
    """The four animals as cards: one's own in gold, and those that can no longer be chosen faded."""
    gap = 10
    width = (WIDTH - 2 * EDGE - 3 * gap) // 4
    for at, (animal, lines) in enumerate(_traits().items()):
        open_ = f"choose {animal}" in moves
        card = art.animal_card(
            width,
            PRIVATE_FOOT,
            animal,
            _animal(animal),
            WEIGHTS[animal],
            lines,
            animal == view.animal,
            not open_ and animal != view.animal,
        )
        stamp(image, card, EDGE + at * (width + gap) + width / 2, top + PRIVATE_FOOT / 2)


def _final(view: AnimalCrossingView, people: People) -> Image.Image:
    """The table at the end: points, prizes, and what everybody was in each round."""
    image = art.sea().copy()
    points, prizes = view.points or (), view.prizes
    assert prizes is not None
    text(image, WIDTH / 2, 54, _("Animal Crossing"), 50, CREAM, outline=INK, outline_width=4)
    for x in (EDGE + 60, WIDTH - EDGE - 60):
        stamp(image, shadowed(picture("trophy", 92)), x, 70)
    order = sorted(range(view.seats), key=lambda seat: (-points[seat], seat))
    row = min(124, (HEIGHT - 178) // view.seats)
    top = 158
    columns = [446 + 116 * number for number in range(ROUNDS)]
    for number, past in enumerate(view.rounds):
        stamp(image, art.round_head(number + 1, past.loads), columns[number], 120)
    for line, seat in enumerate(order):
        y = top + line * row + row / 2
        winner = seat in prizes.token
        fill = mix(GOLD, CREAM, 0.35) if winner else CREAM
        stamp(image, panel(WIDTH - 2 * EDGE, row - 8, fill), WIDTH / 2, y)
        place = 1 + sum(other > points[seat] for other in points)
        text(image, 46, y, str(place), 32, FADED)
        stamp(image, badge(seat, min(62, row - 22)), 108, y)
        draw_name(image, 148, y, people[seat], 238, INK, (30, 27, 24, 21))
        for number, past in enumerate(view.rounds):
            stamp(image, _cell(past, seat, row - 18), columns[number], y)
        text(image, 1040, y, str(points[seat]), 46)
        x = 1126.0
        for held, drawn in (
            (winner, art.token(min(62, row - 22))),
            (seat in prizes.half, art.token(min(62, row - 22), half=True)),
            (seat in prizes.strike, art.strike(min(62, row - 22))),
        ):
            if held:
                stamp(image, drawn, x, y)
                x += 64
    return image


def _cell(past: Round, seat: int, height: int) -> Image.Image:
    fates = past.fates or ()
    fate = fates[seat]
    place = "" if past.places[seat] == ISLAND else past.places[seat]
    score = past.points[seat] if past.points else 0
    return art.fate_cell(past.animals[seat] or "", place, fate in (SCARED, OVERLOADED), score, height)


def rules_picture() -> bytes:
    """The rules on one card: who scares whom, what rafts carry, and what is scored."""
    image = art.sea().copy()
    text(image, WIDTH / 2, 58, _("Animal Crossing"), 56, CREAM, outline=INK, outline_width=4)
    chain = ("dog", "cat", "mouse", "elephant")
    notes = {
        "dog": _("scare cats if they outnumber them; no points on the island"),
        "cat": _("scare all mice"),
        "mouse": _("score the number of mice on their raft; scare all elephants"),
        "elephant": _("are heavy, and scare nobody"),
    }
    plurals = {"dog": _("Dogs"), "cat": _("Cats"), "mouse": _("Mice"), "elephant": _("Elephants")}
    width, height, gap = 268, 366, 50
    lefts = [29 + at * (width + gap) for at in range(len(chain))]
    for left, animal in zip(lefts, chain, strict=True):
        x, y = left + width / 2, 110 + height / 2
        stamp(image, panel(width, height), x, y)
        stamp(image, picture(animal, 160), x - 14, y - 90)
        stamp(image, art.number_disc(WEIGHTS[animal], 62), x + 88, y - 136)
        text(image, x, y + 24, plurals[animal], 34)
        _lines(image, x, y + 66, notes[animal], width - 28)
    for left in lefts[:-1]:
        stamp(image, art.scares(gap + 26), left + width + gap / 2, 110 + height / 2 - 60)
    rules = (
        (
            art.raft(250, 220, "A", 7),
            _("Board a raft. All scaring happens at once; then, if those left weigh more than it carries, all sink."),
        ),
        (
            art.island(250, 220),
            _("Or stay on the island, and score 1 for every player who sinks. Who sinks scores 0."),
        ),
        (
            art.token(150),
            _(
                "Cross, and score your weight. After five rounds most points win the token, least get a strike, "
                "and more than {n} earn half a token.",
                n=BONUS_OVER,
            ),
        ),
    )
    width, height, gap = 398, 440, 14
    for at, (drawn, words) in enumerate(rules):
        x, y = 29 + width / 2 + at * (width + gap), 498 + height / 2
        stamp(image, panel(width, height), x, y)
        stamp(image, drawn, x, y - 88)
        _lines(image, x, y + 58, words, width - 36)
    return encode(image, GAME)


def _lines(image: Image.Image, x: float, y: float, words: str, width: float) -> None:
    for line, part in enumerate(wrapped(words, 23, width, "bold")):
        text(image, x, y + line * 31, part, 23, INK, weight="bold")
