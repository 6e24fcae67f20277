"""The pieces of DUOS: the table, the cards, the markers of the pairs and of the hints."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from PIL import Image

from renderers.canvas import HEIGHT, WIDTH, Brush, mix, picture, shadowed, sprite, stamp, text
from renderers.theme import CREAM, GOLD, INK, Colour

FELT: Colour = (70, 84, 138)
FELT_DARK: Colour = (50, 60, 106)
GREEN: Colour = (36, 128, 84)
RED: Colour = (188, 48, 56)
FADED: Colour = (112, 104, 104)
PINK: Colour = (244, 150, 190)

COLUMNS, ROWS = 4, 3
CARD_WIDTH, CARD_HEIGHT = 228, 266
GAP = 12
LEFT, TOP = 62, 114
BAND = 50
"""Height of the strip with the name at the foot of a card."""


@dataclass(frozen=True)
class PairLook:
    """How one of four pairs is marked: a colour, letters on it, and a sign for those who cannot tell colours."""

    colour: Colour
    letters: Colour
    sign: Callable[[Brush, float, float, float, Colour], None]


def _square(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.box(x - r * 0.85, y - r * 0.85, x + r * 0.85, y + r * 0.85, fill, r * 0.2)


def _circle(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.disc(x, y, r, fill)


def _bolt(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    corners = [(0.55, -1.3), (-0.85, 0.2), (-0.05, 0.2), (-0.55, 1.3), (0.85, -0.3), (0.05, -0.3)]
    brush.polygon([(x + r * across, y + r * down) for across, down in corners], fill)


def _drop(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.disc(x, y + r * 0.35, r * 0.82, fill)
    brush.polygon([(x, y - r * 1.3), (x + r * 0.74, y), (x - r * 0.74, y)], fill)


PAIR_LOOKS = (
    PairLook((40, 38, 46), CREAM, _square),
    PairLook((178, 44, 140), CREAM, _circle),
    PairLook((244, 206, 40), INK, _bolt),
    PairLook((120, 206, 244), INK, _drop),
)
"""Black square, purple circle, yellow bolt, light blue drop: far apart in lightness, so in grey too."""


def corner(card: int) -> tuple[int, int]:
    """The upper left corner of card 1-12 on the canvas."""
    row, column = divmod(card - 1, COLUMNS)
    return LEFT + column * (CARD_WIDTH + GAP), TOP + row * (CARD_HEIGHT + GAP)


def centre(card: int) -> tuple[float, float]:
    x, y = corner(card)
    return x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2


@cache
def felt() -> Image.Image:
    """The bare table."""
    image = Image.new("RGB", (WIDTH, HEIGHT), FELT_DARK)

    def paint(brush: Brush) -> None:
        line = mix(FELT_DARK, FELT, 0.3)
        for row in range(9):
            for column in range(12):
                x, y = column * 116 + (row % 2) * 58, row * 116 + 14
                (_sun, _moon, _wave)[(row + column) % 3](brush, x, y, 15, line)

    stamp(image, sprite(WIDTH, HEIGHT, paint), WIDTH / 2, HEIGHT / 2)
    return image


@cache
def table() -> Image.Image:
    """The table with twelve empty cards on a mat, its columns and rows marked."""
    image = felt().copy()
    width = COLUMNS * (CARD_WIDTH + GAP) + 60
    height = ROWS * (CARD_HEIGHT + GAP) + 44

    def mat(brush: Brush) -> None:
        brush.box(0, 0, width, height, INK, 20)
        brush.box(2, 2, width - 2, height - 2, FELT, 18)
        for row, sign in enumerate((_sun, _moon, _wave)):
            sign(brush, 27, 38 + row * (CARD_HEIGHT + GAP) + CARD_HEIGHT / 2, 17, CREAM)

    stamp(image, sprite(width, height, mat), LEFT - 54 + width / 2, TOP - 38 + height / 2)
    for column, letter in enumerate("ABCD"):
        text(image, centre(column + 1)[0], TOP - 19, letter, 26, CREAM)
    for card in range(1, COLUMNS * ROWS + 1):
        stamp(image, card_front(None), *centre(card))
    return image


def _sun(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.disc(x, y, r * 0.52, fill)
    for ray in range(8):
        angle = math.radians(45 * ray)
        inner, outer = r * 0.72, r
        brush.line(
            [
                (x + inner * math.cos(angle), y + inner * math.sin(angle)),
                (x + outer * math.cos(angle), y + outer * math.sin(angle)),
            ],
            fill,
            r * 0.18,
        )


def _moon(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    centre, radius = 0.38, 0.8
    tip = math.acos((1 + centre**2 - radius**2) / (2 * centre))
    inner = math.atan2(math.sin(tip), math.cos(tip) - centre)
    steps = [step / 40 for step in range(41)]
    outside = [tip + step * (2 * math.pi - 2 * tip) for step in steps]
    inside = [2 * math.pi - inner - step * (2 * math.pi - 2 * inner) for step in steps]
    brush.polygon(
        [(x + r * math.cos(angle), y + r * math.sin(angle)) for angle in outside]
        + [(x + r * (centre + radius * math.cos(angle)), y + r * radius * math.sin(angle)) for angle in inside],
        fill,
    )


def _wave(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    for row in (-0.5, 0.1, 0.7):
        points = [
            (x + step * r / 10, y + row * r + math.sin(step / 10 * math.pi) * r * -0.2) for step in range(-10, 11)
        ]
        brush.line(points, fill, r * 0.18)


# Cards


@lru_cache(8)
def card_front(look: int | None) -> Image.Image:
    """A card without its picture: plain, or rimmed as one of a pair."""

    def paint(brush: Brush) -> None:
        width, height = CARD_WIDTH, CARD_HEIGHT
        if look is None:
            brush.box(0, 0, width, height, INK, 20)
            brush.box(2, 2, width - 2, height - 2, CREAM, 18)
            return
        colour = PAIR_LOOKS[look].colour
        brush.box(0, 0, width, height, CREAM, 20)
        brush.box(2, 2, width - 2, height - 2, INK, 18)
        brush.box(4, 4, width - 4, height - 4, colour, 16)
        brush.box(15, 15, width - 15, height - BAND - 2, INK, 8)
        brush.box(16, 16, width - 16, height - BAND - 3, CREAM, 7)

    return shadowed(sprite(CARD_WIDTH, CARD_HEIGHT, paint), drop=4, blur=3, margin=8)


@lru_cache(64)
def number(card: int, diameter: int = 46) -> Image.Image:
    """The number of a card."""

    def paint(brush: Brush) -> None:
        brush.disc(diameter / 2, diameter / 2, diameter / 2, CREAM)
        brush.disc(diameter / 2, diameter / 2, diameter / 2 - 2.5, INK)

    disc = sprite(diameter, diameter, paint)
    text(disc, diameter / 2, diameter / 2 + 1, str(card), round(diameter * 0.56), CREAM)
    return disc


@lru_cache(32)
def cube(look: int, size: int) -> Image.Image:
    """The wooden marker of one of the four pairs."""
    pair = PAIR_LOOKS[look]

    def paint(brush: Brush) -> None:
        brush.box(0, 0, size, size, INK, size * 0.22)
        brush.box(1.5, 1.5, size - 1.5, size - 1.5, CREAM, size * 0.2)
        inset = 1.5 + size * 0.06
        brush.box(inset, inset, size - inset, size - inset, pair.colour, size * 0.15)
        pair.sign(brush, size / 2, size / 2, size * 0.25, pair.letters)

    return shadowed(sprite(size, size, paint), drop=2, blur=2, margin=6)


@lru_cache(32)
def no_cube(size: int) -> Image.Image:
    """The place of a marker that matched nothing."""

    def paint(brush: Brush) -> None:
        brush.box(0, 0, size, size, (*FADED, 130), size * 0.22)
        brush.box(3, 3, size - 3, size - 3, (*CREAM, 255), size * 0.18)

    return sprite(size, size, paint)


# Hints

HINT_LOOKS: dict[str, tuple[Colour, Colour]] = {
    "word": (PINK, INK),
    "yes": ((255, 255, 255), INK),
    "no": ((24, 22, 26), CREAM),
}
"""Colour of each marker of the game for two, and of what stands on it."""


@lru_cache(32)
def hint_marker(kind: str, size: int, spent: bool = False) -> Image.Image:
    """A round marker: a speech bubble, a tick or a cross; the ring alone once it is spent."""
    fill, ink = HINT_LOOKS[kind]
    middle = size / 2

    def paint(brush: Brush) -> None:
        brush.disc(middle, middle, middle, INK)
        brush.disc(middle, middle, middle - 1.5, CREAM)
        brush.disc(middle, middle, middle - size * 0.07, fill if not spent else mix(CREAM, FADED, 0.25))
        if spent:
            return
        if kind == "word":
            brush.box(size * 0.24, size * 0.28, size * 0.76, size * 0.62, ink, size * 0.12)
            brush.polygon([(size * 0.36, size * 0.58), (size * 0.54, size * 0.58), (size * 0.36, size * 0.78)], ink)
        elif kind == "yes":
            brush.line(
                [(size * 0.28, size * 0.52), (size * 0.44, size * 0.68), (size * 0.73, size * 0.33)], ink, size * 0.1
            )
        else:
            for end in (0.7, 0.3):
                brush.line([(size * 0.3, size * (1 - end)), (size * 0.7, size * end)], ink, size * 0.1)

    return shadowed(sprite(size, size, paint), drop=2, blur=2, margin=6)


# The nine turns of two players


@lru_cache(32)
def turn_disc(turn: int, state: str, size: int) -> Image.Image:
    """One step of the track: its turn `won`, `lost`, being played `now`, or still to come."""
    fill = {"won": GREEN, "lost": mix(CREAM, FADED, 0.5), "now": GOLD}.get(state, mix(CREAM, FELT, 0.2))
    middle = size / 2

    def paint(brush: Brush) -> None:
        brush.disc(middle, middle, middle, INK)
        brush.disc(middle, middle, middle - 1.5, CREAM)
        brush.disc(middle, middle, middle - size * 0.06, fill)
        if state == "won":
            brush.line(
                [(size * 0.28, size * 0.52), (size * 0.44, size * 0.68), (size * 0.73, size * 0.33)], CREAM, size * 0.11
            )
        elif state == "lost":
            for end in (0.68, 0.32):
                brush.line([(size * 0.32, size * (1 - end)), (size * 0.68, size * end)], CREAM, size * 0.1)

    disc = sprite(size, size, paint)
    if state not in ("won", "lost"):
        text(disc, middle, middle + 1, str(turn), round(size * 0.46), INK if state == "now" else FADED)
    return disc


@lru_cache(64)
def small_card(codepoint: str, size: int) -> Image.Image:
    """A card of a few pixels, without name and number."""

    def paint(brush: Brush) -> None:
        brush.box(0, 0, size, size, INK, size * 0.16)
        brush.box(1.5, 1.5, size - 1.5, size - 1.5, CREAM, size * 0.14)

    card = sprite(size, size, paint)
    stamp(card, picture(codepoint, round(size * 0.8)), size / 2, size / 2)
    return card
