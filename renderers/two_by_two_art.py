"""The pieces of Two by Two: ground, water, tokens, arks and labels, each a sprite."""

from __future__ import annotations

import math
from functools import lru_cache
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from renderers.canvas import (
    EMBLEMS,
    Brush,
    medallion,
    mix,
    panel,
    picture,
    regular,
    shadowed,
    silhouette,
    sprite,
    stamp,
    text,
)
from renderers.theme import CREAM, FOAM, GOLD, INK, JUNGLE, LOOKS, SAND, SEA_DEEP, WOOD_DARK, WOOD_LIGHT, Colour

ACROSS = 70
"""From one space of a row to the next, and the width of a space."""
RADIUS = ACROSS / math.sqrt(3)
HEX_SIZE = ACROSS + 2, round(2 * RADIUS) + 4
SOIL: tuple[tuple[Colour, Colour, Colour], ...] = (
    (JUNGLE, (98, 174, 106), (44, 112, 68)),
    ((66, 140, 84), (90, 164, 100), (40, 104, 64)),
    ((80, 156, 92), (104, 180, 112), (48, 118, 72)),
)
"""The body, the light edge and the dark edge of the jungle in three shades."""
BEACH_SOIL: tuple[Colour, Colour, Colour] = ((240, 214, 150), (250, 232, 184), (214, 180, 112))
WET: Colour = (72, 176, 208)
WATER_INK: Colour = (20, 86, 124)
DROWNED: Colour = (16, 88, 126)


@lru_cache(1)
def wave() -> Image.Image:
    """Two crests for the open sea."""

    def paint(brush: Brush) -> None:
        for x in (2, 16):
            brush.arc(x, 3, x + 14, 15, 200, 340, (255, 255, 255, 80), 2.2)

    return sprite(32, 13, paint)


@lru_cache(2)
def sea_tile(berth: bool) -> Image.Image:
    """The faint space of the sea, with a mooring ring if it is an ark space."""
    middle = HEX_SIZE[0] / 2, HEX_SIZE[1] / 2

    def paint(brush: Brush) -> None:
        brush.polygon(regular(*middle, RADIUS - 1.8, 6), (255, 255, 255, 30))
        if berth:
            for start in range(0, 360, 30):
                brush.arc(
                    middle[0] - 27,
                    middle[1] - 27,
                    middle[0] + 27,
                    middle[1] + 27,
                    start,
                    start + 17,
                    (255, 255, 255, 190),
                    2.6,
                )

    return sprite(*HEX_SIZE, paint)


@lru_cache(4)
def shore(ring: int) -> Image.Image:
    """One cell of a ring of the coast: shallows, foam, surf and sand."""
    reach, blur, colour = (
        (24, 30, (86, 186, 212)),
        (18, 24, (134, 212, 228)),
        (13, 18, FOAM),
        (8, 14, SAND),
    )[ring]
    radius = RADIUS + reach
    size = round(radius * 2) + 8
    mask = Image.new("L", (size * 4, size * 4))
    ImageDraw.Draw(mask).polygon([(x * 4, y * 4) for x, y in regular(size / 2, size / 2, radius, 6)], fill=255)
    # A blurred mask with a steep edge is a mask with round corners.
    mask = mask.filter(ImageFilter.GaussianBlur(blur)).point(
        [max(0, min(255, round((value - 118) / 20 * 255))) for value in range(256)]
    )
    cell = Image.new("RGBA", (size, size), (*colour, 0))
    cell.putalpha(mask.reduce(4))
    return cell


@lru_cache(18)
def ground(variety: int, beach: bool) -> Image.Image:
    """A space of land; jungle comes in nine varieties."""
    body, light, dark = BEACH_SOIL if beach else SOIL[variety % 3]
    x, y = HEX_SIZE[0] / 2, HEX_SIZE[1] / 2
    rng = Random(variety * 3 + 5)

    def paint(brush: Brush) -> None:
        brush.polygon(regular(x, y, RADIUS + 0.6, 6), dark)
        brush.polygon(regular(x, y - 1.2, RADIUS - 2, 6), light)
        brush.polygon(regular(x, y, RADIUS - 3.8, 6), body)
        for _tuft in range(7):
            angle, distance = rng.uniform(0, 2 * math.pi), rng.uniform(0, RADIUS * 0.6)
            at = x + distance * math.cos(angle), y + distance * math.sin(angle)
            if beach:
                brush.disc(*at, 1.3, dark)
                continue
            for lean in (-3, 3):
                brush.line([at, (at[0] + lean, at[1] - 5.5)], dark, 1.8)

    tile = sprite(*HEX_SIZE, paint)
    if beach:
        stamp(tile, shadowed(picture("palm-tree", 44), 2, 2, 0.35, 5), x, y - 12)
    return tile


@lru_cache(1)
def flooded_tile() -> Image.Image:
    """A space that has been flooded."""
    x, y = HEX_SIZE[0] / 2, HEX_SIZE[1] / 2

    def paint(brush: Brush) -> None:
        brush.polygon(regular(x, y, RADIUS - 1.8, 6), (120, 204, 224))
        brush.polygon(regular(x, y + 0.8, RADIUS - 4.4, 6), WET)
        for down in (-20, 20):
            for left in (x - 14, x):
                brush.arc(left, y + down - 6, left + 14, y + down + 6, 205, 335, FOAM, 2.3)

    return sprite(*HEX_SIZE, paint)


@lru_cache(512)
def written(space: str, colour: Colour, size: int = 21, outline: Colour | None = None) -> Image.Image:
    """The name of a space, written on the ground."""
    image = Image.new("RGBA", (64, 34), (*(outline or colour), 0))
    text(image, 32, 18, space, size, colour, outline=outline)
    return image


@lru_cache(512)
def tag(space: str, fill: Colour, letters: Colour = INK, points: int = 0) -> Image.Image:
    """The name of a space on a narrow label below what stands there, perhaps with the points of flooding it."""
    name_width = 37 if len(space) == 2 else 48
    width = name_width + (20 if points else 0)

    def paint(brush: Brush) -> None:
        brush.box(0, 0, width, 25, INK, 12.5)
        brush.box(1.5, 1.5, width - 1.5, 23.5, SEA_DEEP if points else fill, 11)
        if points:
            brush.box(1.5, 1.5, name_width, 23.5, fill, 11)
            brush.box(name_width - 12, 1.5, name_width, 23.5, fill)

    label = sprite(width, 25, paint)
    text(label, name_width / 2 + 0.5, 13.5, space, 20, letters)
    if points:
        text(label, name_width + 8.5, 13.5, str(points), 20, CREAM)
    return label


@lru_cache(160)
def face_down(space: str, bright: bool = False) -> Image.Image:
    """A token with its back up and the name of its space; bright if a draft would turn it up."""
    size = 58
    middle = size / 2
    back, face, letters = ((214, 158, 20), GOLD, INK) if bright else ((28, 70, 54), (38, 86, 66), (255, 246, 220))

    def paint(brush: Brush) -> None:
        brush.disc(middle, middle, middle, (20, 48, 36))
        brush.disc(middle, middle, middle - 1.5, (214, 178, 110))
        brush.disc(middle, middle, middle - 4, back)
        brush.disc(middle, middle - 0.5, middle - 5.5, face)

    token = sprite(size, size, paint)
    stamp(token, silhouette("paw-prints", 36, (140, 200, 150), 0.28), middle, middle)
    text(token, middle, middle + 1, space, 23, letters)
    return shadowed(token)


@lru_cache(16)
def face_up(kind: str) -> Image.Image:
    """A token with its face up."""
    size = 58
    middle = size / 2
    rim = {"unicorn": (206, 96, 176), "fishbone": (120, 132, 146)}.get(kind, (198, 160, 98))

    def paint(brush: Brush) -> None:
        brush.disc(middle, middle, middle, (70, 48, 20))
        brush.disc(middle, middle, middle - 1.3, rim)
        brush.disc(middle, middle, middle - 4, (255, 250, 236))

    token = sprite(size, size, paint)
    stamp(token, animal(kind, 42), middle, middle - 3)
    return shadowed(token)


def animal(kind: str, size: int) -> Image.Image:
    """What is on a token, `size` pixels square."""
    if kind == "fishbone":
        return fishbone(size)
    return picture("rhinoceros" if kind == "rhino" else kind, size)


@lru_cache(8)
def fishbone(size: int) -> Image.Image:
    """The bones that nobody can rescue."""
    grey: Colour = (74, 86, 104)

    def paint(brush: Brush) -> None:
        def at(x: float, y: float) -> tuple[float, float]:
            return x * size, y * size

        brush.line([at(0.2, 0.5), at(0.78, 0.5)], grey, size * 0.07)
        for x, reach in ((0.32, 0.15), (0.44, 0.21), (0.56, 0.25)):
            brush.line([at(x - 0.05, 0.5 - reach), at(x + 0.03, 0.5), at(x - 0.05, 0.5 + reach)], grey, size * 0.055)
        brush.polygon([at(0.22, 0.5), at(0.03, 0.3), at(0.1, 0.5), at(0.03, 0.7)], grey)
        brush.polygon([at(0.66, 0.26), at(0.86, 0.36), at(0.98, 0.52), at(0.86, 0.66), at(0.66, 0.74)], grey)
        brush.disc(*at(0.81, 0.44), size * 0.05, (255, 250, 236))

    return sprite(size, size, paint)


@lru_cache(64)
def shade(kind: str, size: int, colour: Colour, opacity: float) -> Image.Image:
    """The shape of what is gone or not yet there."""
    drawn = animal(kind, size)
    shape = Image.new("RGBA", drawn.size, (*colour, 0))
    shape.putalpha(drawn.getchannel("A").point([round(value * opacity) for value in range(256)]))
    return shape


@lru_cache(16)
def outline(colour: Colour, width: float = 5) -> Image.Image:
    """The border of a space in a colour between a dark and a light rim."""
    size = HEX_SIZE[0] + 8, HEX_SIZE[1] + 8
    x, y = size[0] / 2, size[1] / 2

    def paint(brush: Brush) -> None:
        for reach, paint_width, paint_colour in ((1.5, width + 3, INK), (0.5, width + 1, CREAM), (0, width, colour)):
            corners = regular(x, y, RADIUS + reach, 6)
            brush.line([*corners, corners[0], corners[1]], paint_colour, paint_width)

    return sprite(*size, paint)


@lru_cache(16)
def ring(colour: Colour, diameter: int, width: float) -> Image.Image:
    """A ring around a token."""
    size = diameter + 6

    def paint(brush: Brush) -> None:
        brush.ring(size / 2, size / 2, diameter / 2 + 1.5, width + 3, (*INK, 150))
        brush.ring(size / 2, size / 2, diameter / 2, width, colour)

    return sprite(size, size, paint)


@lru_cache(8)
def dot(colour: Colour) -> Image.Image:
    """One dot of the way of an ark."""
    return sprite(14, 14, lambda brush: medallion(brush, 7, 7, 6.5, colour))


@lru_cache(8)
def ark(seat: int, opacity: float = 1.0) -> Image.Image:
    """The ark of a seat, or its ghost."""
    look = LOOKS[seat]
    dark = mix(look.colour, INK, 0.35)

    def paint(brush: Brush) -> None:
        hull = [(2, 31), (74, 31), (64, 57), (12, 57)]
        brush.polygon([(0, 29), (76, 29), (65.5, 59), (10.5, 59)], INK)
        brush.box(20, 11, 56, 32, INK, 2)
        brush.box(22, 13, 54, 32, WOOD_LIGHT, 1)
        for x in (28, 42):
            brush.box(x, 18, x + 7, 27, WOOD_DARK, 1)
        brush.polygon([(14, 15), (38, -1), (62, 15)], INK)
        brush.polygon([(18.5, 13.2), (38, 1.4), (57.5, 13.2)], dark)
        brush.polygon([(23, 12), (38, 2.6), (53, 12)], look.colour)
        brush.polygon(hull, look.colour)
        brush.polygon([(8, 47), (68, 47), (64, 57), (12, 57)], dark)
        brush.polygon([(2, 31), (74, 31), (72, 36), (4, 36)], CREAM)
        brush.disc(38, 44, 11, INK)
        brush.disc(38, 44, 9.6, CREAM)
        EMBLEMS[look.emblem](brush, 38, 44, 7.2, INK)

    drawn = shadowed(sprite(76, 60, paint))
    drawn.putalpha(drawn.getchannel("A").point([round(value * opacity) for value in range(256)]))
    return drawn


@lru_cache(128)
def stock(name: str, number: int) -> Image.Image:
    """How much is left of something."""
    box = panel(80, 96, (226, 244, 250)).copy()
    middle = box.width / 2
    stamp(box, silhouette(name, 40, (38, 86, 66)) if name == "paw-prints" else picture(name, 40), middle, 40)
    text(box, middle, 82, str(number), 32, SEA_DEEP)
    return box


@lru_cache(8)
def number(pairs: int) -> Image.Image:
    """How many pairs are on board."""
    disc = sprite(22, 22, lambda brush: brush.disc(11, 11, 11, INK))
    text(disc, 11, 12, str(pairs), 18, CREAM)
    return disc
