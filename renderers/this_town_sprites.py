"""What is on the table of This Town: brands, silver bars, tiles, claimed ground and the desert under them.

Tiles are given as plain numbers: sides 0-3 are N E S W, corners 0-3 are NE SE SW NW, both as seen on the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from PIL import Image, ImageChops, ImageDraw

from renderers.canvas import (
    HEIGHT,
    SUPERSAMPLING,
    WIDTH,
    Brush,
    Point,
    medallion,
    mix,
    picture,
    shadowed,
    sprite,
    text,
    width_of,
)
from renderers.theme import GOLD, INK, LOOKS, Colour, Look

COLUMN = 1004
"""Where the map ends and the column beside it begins."""

_LOOK_OF = {look.name: look for look in LOOKS}
BRAND_LOOKS: dict[str, Look] = {
    "bell": _LOOK_OF["navy"],
    "arrow": _LOOK_OF["red"],
    "bull": _LOOK_OF["yellow"],
    "sunrise": _LOOK_OF["sky"],
}

GROUND: Colour = (239, 217, 168)
CLAIM_SHARE = {"bell": 0.46, "arrow": 0.42, "bull": 0.66, "sunrise": 0.62}
"""How much of its colour a brand mixes into ground it claims, so that the four stay apart in grey as well."""
PATTERN: dict[str, Colour] = {
    "bell": (112, 114, 150),
    "arrow": (204, 96, 92),
    "bull": (208, 182, 34),
    "sunrise": (104, 166, 190),
}
"""The colour of the marks that a brand strews over ground it claims."""
NOBODYS: Colour = (210, 200, 182)

POST_DARK: Colour = (70, 40, 18)
POST: Colour = (156, 102, 54)
POST_LIGHT: Colour = (206, 154, 96)
RAIL: Colour = (190, 134, 78)


# Brands and silver

SMALLEST_MARK = 14


def _bell(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.disc(x, y - r * 0.32, r * 0.5, fill)
    skirt = [(-0.5, -0.34), (0.5, -0.34), (0.56, 0.18), (0.84, 0.52), (-0.84, 0.52), (-0.56, 0.18)]
    brush.polygon([(x + r * dx, y + r * dy) for dx, dy in skirt], fill)
    brush.disc(x, y + r * 0.71, r * 0.22, fill)
    brush.disc(x, y - r * 0.87, r * 0.14, fill)


def _arrow(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    """A shaft that is broken in the middle, with a head and two feathers."""
    strokes = [
        [(-0.78, 0.66), (-0.12, 0.16)],
        [(0.02, -0.22), (0.66, -0.62)],
        [(0.2, -0.78), (0.74, -0.68), (0.6, -0.14)],
        [(-0.84, 0.22), (-0.46, 0.42)],
        [(-0.36, 0.9), (-0.44, 0.44)],
    ]
    for stroke in strokes:
        brush.line([(x + r * dx, y + r * dy) for dx, dy in stroke], fill, r * 0.25)


def _bull(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    """The head of a steer with its horns."""
    head = [(-0.46, -0.28), (0.46, -0.28), (0.3, 0.5), (0.2, 0.84), (-0.2, 0.84), (-0.3, 0.5)]
    brush.polygon([(x + r * dx, y + r * dy) for dx, dy in head], fill)
    for side in (-1, 1):
        horn = [(0.36, -0.2), (0.78, -0.28), (0.9, -0.8)]
        brush.line([(x + side * r * dx, y + r * dy) for dx, dy in horn], fill, r * 0.26)


def _sunrise(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    """Half a sun with rays over the horizon."""
    half = [(x + r * 0.46 * math.cos(a / 10), y + r * (0.36 - 0.46 * math.sin(a / 10))) for a in range(32)]
    brush.polygon(half, fill)
    brush.line([(x - r * 0.88, y + r * 0.58), (x + r * 0.88, y + r * 0.58)], fill, r * 0.26)
    for angle in (14, 48, 90, 132, 166):
        east, north = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        ray = [(x + r * reach * east, y + r * (0.36 - reach * north)) for reach in (0.64, 0.98)]
        brush.line(ray, fill, r * 0.21)


MARKS: dict[str, Callable[[Brush, float, float, float, Colour], None]] = {
    "bell": _bell,
    "arrow": _arrow,
    "bull": _bull,
    "sunrise": _sunrise,
}
"""How each brand is drawn: on a brush, around a point, with a radius, in a colour."""


@lru_cache(128)
def brand_badge(brand: str, diameter: int) -> Image.Image:
    """The disc of a brand over its shadow; too small for a mark and a double rim it is a plain disc."""
    look = BRAND_LOOKS[brand]
    middle = diameter / 2

    def paint(brush: Brush) -> None:
        if diameter < SMALLEST_MARK:
            brush.disc(middle, middle, middle, INK)
            brush.disc(middle, middle, middle - 1, look.colour)
            return
        medallion(brush, middle, middle, middle, look.colour)
        MARKS[brand](brush, middle, middle, diameter * 0.31, look.letters)

    return shadowed(sprite(diameter, diameter, paint), drop=2, blur=2, margin=6)


@lru_cache(64)
def silver_bar(width: int) -> Image.Image:
    """A bar of silver, seen from the front and a little from above, over its shadow."""
    height = round(width * 0.66)

    def paint(brush: Brush) -> None:
        w, h, rim = float(width), float(height), max(1.0, width * 0.045)
        outline = [(w * 0.2, 0), (w * 0.8, 0), (w, h), (0, h)]
        front = [(w * 0.16, h * 0.36), (w * 0.84, h * 0.36), (w - rim * 1.6, h - rim), (rim * 1.6, h - rim)]
        top = [(w * 0.2 + rim, rim), (w * 0.8 - rim, rim), (w * 0.83, h * 0.34), (w * 0.17, h * 0.34)]
        brush.polygon(outline, (58, 64, 76))
        brush.polygon(front, (176, 186, 202))
        brush.polygon(top, (236, 241, 248))
        brush.polygon(
            [(w * 0.24, h * 0.5), (w * 0.42, h * 0.5), (w * 0.36, h * 0.8), (w * 0.17, h * 0.8)], (220, 227, 238)
        )

    return shadowed(sprite(width, height, paint), drop=2, blur=2, margin=6)


# Tiles


@dataclass(frozen=True)
class Part:
    """A section of a tile as it lies: its sides, the brands in it one by one, and its bars."""

    sides: tuple[int, ...]
    brands: tuple[str, ...]
    bars: int


SPOTS: dict[int, dict[int, list[Point]]] = {
    1: {
        1: [(0, -0.335)],
        2: [(-0.135, -0.36), (0.135, -0.36)],
        3: [(-0.2, -0.38), (0.2, -0.38), (0, -0.22)],
    },
    2: {
        1: [(-0.24, -0.24)],
        2: [(-0.31, -0.12), (-0.06, -0.34)],
        3: [(-0.34, -0.34), (-0.34, -0.04), (-0.04, -0.34)],
        4: [(-0.36, -0.36), (-0.37, -0.065), (-0.065, -0.37), (-0.2, -0.2)],
        5: [(-0.37, -0.37), (-0.37, -0.13), (-0.13, -0.37), (-0.37, 0.11), (0.11, -0.37)],
    },
    3: {
        1: [(-0.2, 0)],
        2: [(-0.3, -0.16), (-0.3, 0.16)],
        3: [(-0.3, 0), (-0.02, -0.32), (-0.02, 0.32)],
        4: [(-0.34, -0.18), (-0.34, 0.18), (0, -0.34), (0, 0.34)],
        5: [(-0.36, -0.3), (-0.36, 0), (-0.36, 0.3), (0, -0.34), (0, 0.34)],
    },
}
"""Where the things of a section stand, from the middle of a tile of size 1, by its number of sides and of things.

One side lies in the north, two in the north and west, three everywhere but in the east.
"""
_FIRST_SIDE = {1: 0, 2: 3, 3: 2}


def spots(sides: tuple[int, ...], things: int) -> list[Point]:
    """Where so many things stand in a section with those sides, from the middle of a tile of size 1."""
    first = next(side for side in sides if (side - 1) % 4 not in sides)
    quarters = (first - _FIRST_SIDE[len(sides)]) % 4
    places = SPOTS[len(sides)][things]
    for _quarter in range(quarters):
        places = [(-y, x) for x, y in places]
    return sorted(places, key=lambda place: (round(place[1], 2), place[0]))


def corners(size: float) -> list[Point]:
    """The corners NE SE SW NW of a tile whose north-western corner is the origin."""
    return [(size, 0), (size, size), (0, size), (0, 0)]


@lru_cache(64)
def ground(size: int, variant: int) -> Image.Image:
    """The bare sand of a tile, in one of seven variants."""
    dice = Random(variant)

    def paint(brush: Brush) -> None:
        brush.box(0, 0, size, size, (188, 152, 96), size * 0.07)
        brush.box(1, 1, size - 1, size - 1, (250, 236, 200), size * 0.066)
        brush.box(2.2, 2.2, size - 1.6, size - 1.6, GROUND, size * 0.06)
        for _dune in range(2):
            x, y, reach = dice.uniform(0.2, 0.8) * size, dice.uniform(0.2, 0.8) * size, size * 0.17
            brush.oval(x - reach, y - reach * 0.5, x + reach, y + reach * 0.5, (234, 209, 156))
        for _grain in range(5):
            x, y, r = dice.uniform(0.1, 0.9) * size, dice.uniform(0.1, 0.9) * size, size * 0.009
            brush.disc(x, y, r, (205, 172, 112))
        for _tuft in range(2):
            x, y, r = dice.uniform(0.15, 0.85) * size, dice.uniform(0.15, 0.85) * size, size * 0.03
            for lean in (-0.7, 0, 0.7):
                brush.line([(x, y), (x + lean * r, y - r)], (150, 158, 88), size * 0.011)

    return sprite(size, size, paint)


@lru_cache(128)
def section_mask(size: int, sides: tuple[int, ...]) -> Image.Image:
    """Where the section with those sides lies on a tile."""
    scale = SUPERSAMPLING
    middle = size / 2 * scale
    around = corners(size * scale)
    triangles = Image.new("L", (size * scale, size * scale))
    for side in sides:
        ImageDraw.Draw(triangles).polygon([(middle, middle), around[side - 1], around[side]], fill=255)
    inside = Image.new("L", triangles.size)
    ImageDraw.Draw(inside).rounded_rectangle(
        (2.4 * scale, 2.6 * scale, (size - 2.2) * scale, (size - 2.2) * scale),
        radius=size * 0.06 * scale,
        fill=255,
    )
    return ImageChops.multiply(triangles, inside).reduce(scale)


def claim_colour(brand: str) -> Colour:
    """The colour of ground that this brand claims."""
    return mix(GROUND, BRAND_LOOKS[brand].colour, CLAIM_SHARE[brand])


@lru_cache(64)
def claimed(size: int, brands: tuple[str, ...]) -> Image.Image:
    """A tile of ground claimed by one brand, hatched between several that are level, or of no player."""
    cell = size / 6

    def paint(brush: Brush) -> None:
        brush.box(0, 0, size, size, claim_colour(brands[0]) if brands else NOBODYS)
        if len(brands) > 1:
            # A whole number of stripes of every colour to a tile, so that they run on over its edge.
            width = size / (2 * len(brands))
            for stripe in range(-2 * len(brands), 2 * len(brands)):
                left = stripe * width
                corners = [(left, size), (left + size, 0), (left + size + width, 0), (left + width, size)]
                brush.polygon(corners, claim_colour(brands[stripe % len(brands)]))
                brush.line([(left, size), (left + size, 0)], (252, 242, 216), max(1.5, size * 0.018))
            return
        for column in range(6):
            for row in range(column % 2, 6, 2):
                x, y = (column + 0.5) * cell, (row + 0.5) * cell
                if brands:
                    MARKS[brands[0]](brush, x, y, cell * 0.42, PATTERN[brands[0]])
                else:
                    brush.line([(x - cell * 0.3, y), (x + cell * 0.3, y)], (186, 174, 154), size * 0.016)

    return sprite(size, size, paint).convert("RGB")


FENCE_MARGIN = 8
"""How far the posts of a fence may stand out over the edge of its tile, in pixels."""


@lru_cache(128)
def fence(size: int, ends: tuple[int, ...]) -> Image.Image:
    """Fences from the middle to those corners, over their shadow; larger than the tile by FENCE_MARGIN."""
    middle = size / 2 + FENCE_MARGIN
    tips = [(x + FENCE_MARGIN, y + FENCE_MARGIN) for x, y in corners(size)]
    thick = max(0.35, size / 136)
    steps = max(2, round(size / 2 * math.sqrt(2) / max(20, size / 4.6)))

    def paint(brush: Brush) -> None:
        for width, colour in ((8.5, POST_DARK), (5.2, RAIL), (1.4, (120, 76, 40))):
            for end in ends:
                brush.line([(middle, middle), tips[end]], colour, width * thick)
        posts = {
            (middle + (x - middle) * step / steps, middle + (y - middle) * step / steps)
            for x, y in (tips[end] for end in ends)
            for step in range(steps + 1)
        }
        for x, y in sorted(posts):
            brush.disc(x, y, 6.2 * thick, POST_DARK)
            brush.disc(x - 0.1 * thick, y - 0.2 * thick, 4.7 * thick, POST)
            brush.disc(x - 0.2 * thick, y - 0.9 * thick, 2.4 * thick, POST_LIGHT)

    drawn = sprite(size + 2 * FENCE_MARGIN, size + 2 * FENCE_MARGIN, paint)
    return shadowed(drawn, drop=2, blur=1.6, darkness=0.45, margin=0)


@lru_cache(512)
def face(size: int, ends: tuple[int, ...], parts: tuple[Part, ...]) -> Image.Image:
    """All that stands on the ground of a tile: fences, brands and bars; larger by FENCE_MARGIN."""
    drawn = fence(size, ends).copy()
    middle = drawn.width / 2
    disc = max(7, round(size * 0.215))
    for part in parts:
        things = [brand_badge(brand, disc) for brand in part.brands]
        things += [silver_bar(max(8, round(size * 0.2)))] * part.bars
        for thing, (x, y) in zip(things, spots(part.sides, len(things)), strict=True):
            drawn.alpha_composite(
                thing, (round(middle + x * size - thing.width / 2), round(middle + y * size - thing.height / 2))
            )
    return drawn


# Marks on the map and in the column


@lru_cache(4)
def stack(size: int) -> Image.Image:
    """Some tiles face down on each other."""

    def paint(brush: Brush) -> None:
        for level in (2, 1, 0):
            left, top = 4 * (2 - level), 4 * level
            brush.box(left, top, left + size, top + size, (58, 34, 16), 5)
            brush.box(left + 1.6, top + 1.6, left + size - 1.6, top + size - 1.6, (186, 128, 76), 4)
            brush.frame(left + 5, top + 5, left + size - 5, top + size - 5, (226, 178, 116), 1.6, 3)

    return shadowed(sprite(size + 8, size + 8, paint), drop=2, blur=2, margin=6)


@lru_cache(64)
def marker(words: str, diameter: int, square: bool = False) -> Image.Image:
    """The number of a place on a disc, or the letter of a tile on a square, over its shadow."""

    def paint(brush: Brush) -> None:
        radius = diameter * (0.26 if square else 0.5)
        brush.box(0, 0, diameter, diameter, INK, radius)
        brush.box(2, 2, diameter - 2, diameter - 2, GOLD, radius - 2)

    drawn = sprite(diameter, diameter, paint)
    size = round(diameter * 0.6)
    while width_of(words, size) > diameter - 8:
        size -= 1
    text(drawn, diameter / 2, diameter / 2 + 1, words, size)
    return shadowed(drawn, drop=2, blur=2, margin=6)


def _dashes(length: float) -> list[tuple[float, float]]:
    """Where dashes begin and end that fill about this length evenly."""
    dash, gap = 12, 9
    count = max(1, round((length + gap) / (dash + gap)))
    pitch = (length + gap) / count
    return [(number * pitch, (number + 1) * pitch - gap) for number in range(count)]


@lru_cache(256)
def slot(width: int, height: int) -> Image.Image:
    """A free place: a rounded rectangle with a dashed edge."""

    def paint(brush: Brush) -> None:
        radius = min(14.0, width / 4, height / 4)
        inset = radius + 3
        brush.box(3, 3, width - 3, height - 3, (255, 236, 196, 34), radius)
        for start, end in _dashes(width - 2 * inset):
            for y in (4, height - 4):
                brush.line([(inset + start, y), (inset + end, y)], (255, 222, 160), 2.4)
        for start, end in _dashes(height - 2 * inset):
            for x in (4, width - 4):
                brush.line([(x, inset + start), (x, inset + end)], (255, 222, 160), 2.4)

    return sprite(width, height, paint)


@lru_cache(64)
def frame(size: int, colour: Colour) -> Image.Image:
    """A frame round a tile, larger than it by five pixels on every side."""

    def paint(brush: Brush) -> None:
        outer = size + 10
        brush.frame(0, 0, outer, outer, INK, 8, size * 0.07 + 5)
        brush.frame(1.4, 1.4, outer - 1.4, outer - 1.4, colour, 5.2, size * 0.07 + 4)

    return sprite(size + 10, size + 10, paint)


# The table


SCENERY = (
    ("cactus", 78, 7),
    ("rock", 44, 8),
    ("cactus", 50, 8),
    ("skull", 38, 3),
    ("cow", 62, 2),
    ("lizard", 38, 3),
    ("horse", 66, 2),
    ("eagle", 58, 2),
    ("scorpion", 34, 2),
    ("snake", 40, 2),
)


@cache
def scenery() -> tuple[tuple[Image.Image, float, float, int], ...]:
    """Pictures with the points and sizes at which they stand where the desert is free, none near another."""
    dice = Random(29)
    placed: list[tuple[Image.Image, float, float, int]] = []
    for name, size, count in SCENERY:
        for _attempt in range(count):
            x, y = dice.uniform(46, COLUMN - 46), dice.uniform(50, HEIGHT - 50)
            if all(math.dist((x, y), (left, top)) > 104 for _picture, left, top, _size in placed):
                placed.append((shadowed(picture(name, size), darkness=0.4), x, y, size))
    return tuple(placed)


@cache
def desert() -> Image.Image:
    """The table: dunes, pebbles, and the wooden column at the right."""
    scale = 2
    dunes = Image.new("RGB", (WIDTH * scale, HEIGHT * scale), (142, 84, 52))
    draw = ImageDraw.Draw(dunes)
    tones = ((148, 89, 55), (142, 84, 52), (150, 92, 58), (140, 82, 50))
    for wave in range(7):
        edge = [
            (x * scale, (70 + wave * 136 + 26 * math.sin(x / 150 + wave * 1.7) + 14 * math.sin(x / 57 + wave)) * scale)
            for x in range(-20, WIDTH + 21, 10)
        ]
        draw.polygon([*edge, (WIDTH * scale, HEIGHT * scale), (0, HEIGHT * scale)], fill=tones[wave % 4])
    table = dunes.reduce(scale)
    draw = ImageDraw.Draw(table)
    dice = Random(3)
    for _pebble in range(130):
        x, y, r = dice.uniform(0, COLUMN), dice.uniform(0, HEIGHT), dice.uniform(1, 2.6)
        draw.ellipse((x - r, y - r * 0.7, x + r, y + r * 0.7), fill=dice.choice([(120, 68, 40), (168, 106, 68)]))
    draw.rectangle((COLUMN, 0, WIDTH, HEIGHT), fill=(74, 42, 22))
    for plank in range(1, 5):
        x = COLUMN + plank * (WIDTH - COLUMN) // 5
        draw.line((x, 0, x, HEIGHT), fill=(64, 35, 17), width=3)
    draw.rectangle((COLUMN, 0, COLUMN + 3, HEIGHT), fill=(176, 126, 74))
    draw.rectangle((COLUMN + 4, 0, COLUMN + 6, HEIGHT), fill=(40, 20, 8))
    return table
