"""The things in the pictures of Animal Crossing: sea, island, rafts, people on dry land and in the water."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from random import Random

from PIL import Image, ImageDraw

from renderers.canvas import (
    HEIGHT,
    WIDTH,
    Brush,
    Point,
    badge,
    fitted_text,
    font,
    medallion,
    mix,
    panel,
    picture,
    shadowed,
    silhouette,
    sprite,
    stamp,
    text,
)
from renderers.names import name_sprite
from renderers.theme import (
    CREAM,
    FOAM,
    GOLD,
    INK,
    SAND,
    SEA_DEEP,
    SEA_SHALLOW,
    WOOD,
    WOOD_DARK,
    WOOD_LIGHT,
    Colour,
)

GREEN: Colour = (38, 146, 82)
WATER: Colour = (40, 132, 176)
FADED: Colour = (196, 214, 220)
PALE: Colour = (222, 240, 248)
ROPE: Colour = (238, 216, 166)

SAIL_WIDTH, SAIL_HEIGHT = 176, 116
DECK = 104
"""How far below the top of its mast the deck of a raft begins."""


@cache
def sea() -> Image.Image:
    """Open water, lighter in the middle, as an opaque image of the whole canvas."""
    width, height = round(WIDTH * 1.3), round(HEIGHT * 1.3)
    depth = Image.radial_gradient("L").resize((width, height))
    left, top = (width - WIDTH) // 2, (height - HEIGHT) // 2
    depth = depth.crop((left, top, left + WIDTH, top + HEIGHT))
    # Steps instead of a smooth change keep the file small.
    depth = depth.point([min(255, round(value / 255 * 11) * 27) for value in range(256)])
    water = Image.composite(
        Image.new("RGB", (WIDTH, HEIGHT), SEA_DEEP), Image.new("RGB", (WIDTH, HEIGHT), SEA_SHALLOW), depth
    )
    random = Random(5)
    for _ in range(150):
        stamp(water, _wave(), random.uniform(10, WIDTH - 10), random.uniform(120, HEIGHT - 10))
    return water


@cache
def _wave() -> Image.Image:
    def paint(brush: Brush) -> None:
        for crest in range(2):
            brush.arc(2 + crest * 14, 3, 16 + crest * 14, 15, 200, 340, (255, 255, 255, 80), 2.2)

    return sprite(32, 13, paint)


def _coast(width: int, height: int, margin: float) -> list[Point]:
    """The outline of the island in a box of that size, `margin` pixels inside its outermost line."""
    points: list[Point] = []
    for degrees in range(0, 360, 2):
        angle = math.radians(degrees)
        cos, sin = math.cos(angle), math.sin(angle)
        # Between an ellipse and a rectangle, so that people find room in the corners.
        reach = (abs(cos) ** 2.7 + abs(sin) ** 2.7) ** (-1 / 2.7)
        reach *= 0.965 + 0.02 * math.sin(3 * angle + 1) + 0.014 * math.sin(7 * angle + 2)
        across, down = width / 2 - margin, height / 2 - margin
        points.append((width / 2 + across * reach * cos, height / 2 + down * reach * sin))
    return points


@lru_cache(8)
def island(width: int, height: int) -> Image.Image:
    """Sand in rings of foam, with palms at its upper shore."""
    rings: tuple[tuple[float, Colour], ...] = (
        (0, mix(SEA_SHALLOW, FOAM, 0.2)),
        (9, mix(SEA_SHALLOW, FOAM, 0.6)),
        (18, FOAM),
        (24, (226, 196, 128)),
        (29, SAND),
    )

    def paint(brush: Brush) -> None:
        for margin, colour in rings:
            brush.polygon(_coast(width, height, margin), colour)
        random = Random(3)
        for _ in range(width * height // 3200):
            x, y = random.uniform(0.16, 0.84) * width, random.uniform(0.16, 0.88) * height
            brush.oval(x - 2, y - 1.2, x + 2, y + 1.2, (226, 198, 134))

    image = sprite(width, height, paint)
    for name, x, y, size in (
        ("palm-tree", 0.17, 66, 116),
        ("palm-tree", 0.33, 50, 84),
        ("palm-tree", 0.83, 64, 110),
        ("spiral-shell", 0.58, height - 46, 28),
        ("crab", 0.43, height - 50, 32),
    ):
        stamp(image, shadowed(picture(name, size), drop=3, blur=3, darkness=0.35), width * x, y)
    return image


@lru_cache(32)
def raft(width: int, height: int, letter: str, load: int, sunk: bool = False) -> Image.Image:
    """A raft of logs, `height` with its sail, that shows its letter and how much it carries."""
    top = DECK

    def paint(brush: Brush) -> None:
        brush.box(10, top + 12, width - 10, height - 2, (8, 50, 84, 110), 26)
        logs = max(5, round(width / 46))
        thick = (width - 24) / logs
        random = Random(ord(letter))
        for log in range(logs):
            left = 12 + log * thick
            ends = top + random.uniform(2, 12), height - 12 - random.uniform(0, 9)
            tone = mix(WOOD, WOOD_LIGHT, random.uniform(0, 0.55))
            brush.box(left, ends[0], left + thick, ends[1], mix(WOOD_DARK, WOOD, 0.15), thick / 2.4)
            brush.box(left + 1.6, ends[0] + 1.6, left + thick - 1.6, ends[1] - 1.6, tone, thick / 2.6)
            brush.line(
                [(left + thick * 0.3, ends[0] + 24), (left + thick * 0.3, ends[1] - 24)],
                mix(tone, CREAM, 0.3),
                3,
            )
            for _ in range(3):
                grain = random.uniform(ends[0] + 30, ends[1] - 70)
                x = left + thick * random.uniform(0.5, 0.75)
                brush.line([(x, grain), (x, grain + random.uniform(14, 40))], mix(tone, WOOD_DARK, 0.25), 1.6)
        for y in (top + 34, height - 44):
            brush.box(8, y - 7, width - 8, y + 7, WOOD_DARK, 7)
            brush.box(9.5, y - 5.5, width - 9.5, y + 5.5, ROPE, 5.5)
            for log in range(logs * 2):
                x = 16 + log * thick / 2
                brush.line([(x, y + 5), (x + 8, y - 5)], mix(ROPE, WOOD_DARK, 0.45), 1.8)
        middle = width / 2
        brush.box(middle - 7, 0, middle + 7, top + 44, WOOD_DARK, 6)
        brush.box(middle - 5, 1.5, middle + 5, top + 43, mix(WOOD, WOOD_DARK, 0.25), 5)
        left, right = middle - SAIL_WIDTH / 2, middle + SAIL_WIDTH / 2
        bottom = SAIL_HEIGHT - 6
        for inset, colour in ((0, INK), (2.5, CREAM)):
            brush.polygon(
                [
                    (left + 12 + inset, 8 + inset),
                    (right - 12 - inset, 8 + inset),
                    (right - 4 - inset, 34),
                    (right - 2 - inset, 62),
                    (right - inset * 1.5, bottom - inset),
                    (middle, bottom - 9 - inset),
                    (left + inset * 1.5, bottom - inset),
                    (left + 2 + inset, 62),
                    (left + 4 + inset, 34),
                ],
                colour,
            )
        brush.box(left, 2, right, 12, WOOD_DARK, 5)
        brush.box(left + 1.5, 3.5, right - 1.5, 10.5, WOOD, 4)
        medallion(brush, left + 42, 56, 27, WOOD_DARK)

    image = sprite(width, height, paint)
    left = width / 2 - SAIL_WIDTH / 2
    text(image, left + 42, 57, letter, 34, CREAM)
    text(image, left + 118, 58, str(load), 78 if load < 10 else 66, INK)
    return drowned(image) if sunk else shadowed(image, drop=4, blur=5, darkness=0.35, margin=10)


def drowned(image: Image.Image) -> Image.Image:
    """The same seen through water, with a margin of 10 pixels as a shadow has."""
    tinted = Image.blend(image, Image.new("RGBA", image.size, (*WATER, 255)), 0.62)
    tinted.putalpha(image.getchannel("A").point([round(value * 0.72) for value in range(256)]))
    result = Image.new("RGBA", (image.width + 20, image.height + 20), (*WATER, 0))
    result.paste(tinted, (10, 10))
    return result


@cache
def tick(diameter: int) -> Image.Image:
    """A white tick on green: this one is ready."""

    def paint(brush: Brush) -> None:
        middle = diameter / 2
        brush.disc(middle, middle, middle, INK)
        brush.disc(middle, middle, middle - 1.4, CREAM)
        brush.disc(middle, middle, middle - 3, GREEN)
        unit = diameter / 10
        brush.line([(3 * unit, 5.2 * unit), (4.5 * unit, 6.8 * unit), (7.1 * unit, 3.6 * unit)], CREAM, unit * 1.1)

    return sprite(diameter, diameter, paint)


@cache
def _ring(diameter: int) -> Image.Image:
    def paint(brush: Brush) -> None:
        middle = diameter / 2
        brush.disc(middle, middle, middle, INK)
        brush.disc(middle, middle, middle - 1.5, GOLD)

    return sprite(diameter, diameter, paint)


@cache
def _ripples(width: int, height: int) -> Image.Image:
    def paint(brush: Brush) -> None:
        brush.oval(0, 0, width, height, (*FOAM, 210))
        brush.oval(4, 3, width - 4, height - 3, (*WATER, 255))
        brush.oval(width * 0.12, height * 0.14, width * 0.88, height * 0.86, (*FOAM, 160))
        brush.oval(width * 0.12 + 3, height * 0.14 + 3, width * 0.88 - 3, height * 0.86 - 2, (*WATER, 255))

    return sprite(width, height, paint)


@cache
def _surface(width: int, height: int) -> Image.Image:
    """Water in front of somebody, its upper edge a wave of foam."""

    def paint(brush: Brush) -> None:
        crests = 4
        step = width / crests
        for rise, colour in ((0, (*FOAM, 255)), (4, (*WATER, 235))):
            for crest in range(crests):
                brush.oval(crest * step - 2, rise, (crest + 1) * step + 2, rise + 22, colour)
            brush.box(0, rise + 11, width, height, colour)

    return sprite(width, height, paint)


@lru_cache(512)
def person(
    seat: int,
    name: str,
    diameter: int,
    width: int,
    ready: bool = False,
    own: bool = False,
    swimming: bool = False,
    animal: str | None = None,
    points: str = "",
) -> Image.Image:
    """A player: the badge with its marks, the name below on a label no wider than `width`."""
    label = max(26, round(diameter * 0.4))
    height = diameter + label + 6
    # The marks around the badge may reach a little into the neighbours' ground.
    image = Image.new("RGBA", (width + 40, height + 16))
    middle, centre = image.width / 2, 8 + diameter / 2
    if swimming:
        stamp(image, _ripples(round(diameter * 1.5), round(diameter * 0.62)), middle, centre + diameter * 0.24)
    if own:
        stamp(image, _ring(diameter + 12), middle, centre)
    stamp(image, badge(seat, diameter), middle, centre)
    if swimming:
        body = Image.new("L", image.size)
        ImageDraw.Draw(body).ellipse(
            [middle - diameter / 2, centre - diameter / 2, middle + diameter / 2, centre + diameter / 2], fill=255
        )
        front = Image.new("RGBA", image.size)
        stamp(front, _surface(diameter, round(diameter * 0.42)), middle, centre + diameter * 0.31)
        front.putalpha(Image.composite(front.getchannel("A"), Image.new("L", image.size), body))
        image.alpha_composite(front)
    if ready:
        stamp(image, tick(round(diameter * 0.44)), middle + diameter * 0.42, centre + diameter * 0.3)
    if animal:
        stamp(image, animal_disc(animal, round(diameter * 0.64)), middle - diameter * 0.64, centre - diameter * 0.08)
    if points:
        stamp(image, _points(points, round(diameter * 0.42)), middle + diameter * 0.6, centre - diameter * 0.16)
    size = round(label * 0.74)
    written = name_sprite(name, width - 24, INK, (size, max(18, size - 2), 18))
    paper = PALE if swimming else CREAM

    def paint(brush: Brush) -> None:
        brush.box(0, 0, written.width + 20, label, INK, label / 2)
        brush.box(1.6, 1.6, written.width + 18.4, label - 1.6, GOLD if own else paper, label / 2 - 1.6)

    stamp(image, sprite(written.width + 20, label, paint), middle, 8 + diameter + label / 2)
    stamp(image, written, middle, 8 + diameter + label / 2)
    return image


@lru_cache(64)
def animal_disc(animal: str, diameter: int, rim: Colour = CREAM) -> Image.Image:
    """An animal on a small pale disc."""

    def paint(brush: Brush) -> None:
        middle = diameter / 2
        brush.disc(middle, middle, middle, INK)
        brush.disc(middle, middle, middle - 1.5, rim)
        brush.paste(animal, middle, middle, diameter * 0.74)

    return sprite(diameter, diameter, paint)


@lru_cache(64)
def _points(points: str, height: int) -> Image.Image:
    width = round(font(round(height * 0.72)).getlength(points) + height * 0.6)

    def paint(brush: Brush) -> None:
        brush.box(0, 0, width, height, INK, height / 2)
        brush.box(1.5, 1.5, width - 1.5, height - 1.5, GREEN, height / 2)

    image = sprite(width, height, paint)
    text(image, width / 2, height / 2 + 1, points, round(height * 0.72), CREAM)
    return image


@lru_cache(64)
def number_disc(number: int, diameter: int) -> Image.Image:
    """A number in cream on a disc of ink."""

    def paint(brush: Brush) -> None:
        middle = diameter / 2
        brush.disc(middle, middle, middle, CREAM)
        brush.disc(middle, middle, middle - 1.5, INK)

    image = sprite(diameter, diameter, paint)
    text(image, diameter / 2, diameter / 2 + 1, str(number), round(diameter * 0.6), CREAM)
    return image


@lru_cache(128)
def load_tag(letter: str, load: int) -> Image.Image:
    """A raft's letter on wood beside its load."""

    def paint(brush: Brush) -> None:
        brush.disc(15, 16, 14, WOOD_DARK)

    image = sprite(66, 32, paint)
    text(image, 15, 17, letter, 19, CREAM)
    text(image, 32, 17, str(load), 28 if load < 10 else 24, INK, "lm")
    return image


@lru_cache(64)
def animal_card(
    width: int, height: int, animal: str, name: str, weight: int, traits: tuple[str, str], own: bool, faded: bool
) -> Image.Image:
    """An animal to choose, with its weight and what it should know; gold when it is one's own."""
    card = panel(width, height, GOLD if own else CREAM).copy()
    left, top = 12, 12
    stamp(card, picture(animal, 128), left + 78, top + 76)
    text(card, left + 226, top + 40, name, 30)
    stamp(card, number_disc(weight, 58), left + 226, top + 94)
    for line, words in enumerate(traits):
        fitted_text(card, left + width / 2, top + height - 48 + line * 26, words, width - 24, (20, 19, 18, 17))
    if faded:
        grey = Image.blend(card, Image.new("RGBA", card.size, (*FADED, 255)), 0.6)
        grey.putalpha(card.getchannel("A"))
        return grey
    return card


@lru_cache(64)
def round_head(number: int, loads: tuple[int, ...]) -> Image.Image:
    """The head of a round's column: its number, and the loads in the order of the rafts."""
    image = Image.new("RGBA", (108, 60))
    stamp(image, number_disc(number, 32), 54, 16)
    text(
        image,
        54,
        46,
        " ".join(f"{letter}{load}" for letter, load in zip("ABC", loads, strict=False)),
        20,
        CREAM,
        outline=SEA_DEEP,
    )
    return image


@lru_cache(256)
def fate_cell(animal: str, place: str, sank: bool, score: int, height: int) -> Image.Image:
    """What became of one player in one round: the animal, the raft if any, and the points, or water."""
    width = 104
    ground = mix(WATER, PALE, 0.35) if sank else mix(WOOD_LIGHT, CREAM, 0.35) if place else SAND

    def paint(brush: Brush) -> None:
        brush.box(0, 0, width, height, mix(ground, INK, 0.35), 12)
        brush.box(1.5, 1.5, width - 1.5, height - 1.5, ground, 10.5)

    image = sprite(width, height, paint)
    size = min(54, height - 8)
    stamp(image, picture(animal, size), 6 + size / 2, height / 2)
    if place:
        text(image, 12, height - 13, place, 18, CREAM, outline=WOOD_DARK)
    if sank:
        stamp(image, picture("droplet", 34), 82, height / 2)
    else:
        text(image, 82, height / 2, str(score), 28)
    return image


@lru_cache(8)
def token(diameter: int, half: bool = False) -> Image.Image:
    """The golden token of the show, or half of it."""

    def paint(brush: Brush) -> None:
        middle = diameter / 2
        brush.disc(middle, middle, middle, INK)
        brush.disc(middle, middle, middle - 1.5, (178, 124, 24))
        brush.disc(middle, middle, middle - 4, GOLD)
        brush.ring(middle, middle, middle - 8, 2, (206, 154, 40))
        if not half:
            paw = silhouette("paw-prints", round(diameter * 0.5 * brush.scale), (150, 98, 12))
            stamp(brush.image, paw, middle * brush.scale, middle * brush.scale)

    image = sprite(diameter, diameter, paint)
    if half:
        image.paste((0, 0, 0, 0), (diameter * 6 // 10, 0, diameter, diameter))
        ImageDraw.Draw(image).line([(diameter * 0.6, 6), (diameter * 0.6, diameter - 7)], (178, 124, 24), 3)
        text(image, diameter * 0.34, diameter / 2, "½", round(diameter * 0.52))
    return shadowed(image, drop=2, blur=2, margin=6)


@lru_cache(8)
def strike(diameter: int) -> Image.Image:
    """A red cross: the strike of the show."""

    def paint(brush: Brush) -> None:
        middle, reach = diameter / 2, diameter * 0.22
        brush.disc(middle, middle, middle, INK)
        brush.disc(middle, middle, middle - 1.5, CREAM)
        brush.disc(middle, middle, middle - 4, (196, 44, 52))
        for side in (-1, 1):
            brush.line(
                [(middle - reach, middle - side * reach), (middle + reach, middle + side * reach)],
                CREAM,
                diameter * 0.12,
            )

    return shadowed(sprite(diameter, diameter, paint), drop=2, blur=2, margin=6)


@lru_cache(4)
def scares(width: int) -> Image.Image:
    """A red arrow to the right: this one scares that one."""

    def paint(brush: Brush) -> None:
        middle = width / 2
        for grow, colour in ((3, CREAM), (0, (196, 44, 52))):
            brush.box(4 - grow, middle - 9 - grow, width - 26 + grow, middle + 9 + grow, colour, 6)
            brush.polygon(
                [
                    (width - 32 - grow, middle - 26 - grow * 2),
                    (width - 4 + grow, middle),
                    (width - 32 - grow, middle + 26 + grow * 2),
                ],
                colour,
            )

    return shadowed(sprite(width, width, paint), drop=3, blur=2, margin=6)
