"""Drawing that all renderers share: pictures, sprites, shadows, words, badges, panels and the PNG.

A renderer copies a cached background, stamps cached sprites on it and encodes the copy.  Cached images are
shared between threads: stamp them or copy them, but never change or save them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from renderers.theme import CREAM, INK, LOOKS, Colour, Emblem, Weight

WIDTH, HEIGHT = 1280, 960
SUPERSAMPLING = 4
ASSETS = Path(__file__).parent / "assets"

Point = tuple[float, float]
Paint = Colour | tuple[int, int, int, int]


def mix(colour: Colour, other: Colour, share: float) -> Colour:
    """The colour with that share (0 to 1) of the other in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(colour, other, strict=True))
    return red, green, blue


# Pictures


class Sheet:
    """A grid of square pictures of `size` pixels and the cells that its index names."""

    def __init__(self, file: str) -> None:
        index = json.loads((ASSETS / f"{file}.json").read_text())
        self.size: int = index["size"]
        self.columns: int = index["columns"]
        self.cells: dict[str, int] = index["cells"]
        self.image = Image.open(ASSETS / f"{file}.webp").convert("RGBA")

    def picture(self, key: str, size: int) -> Image.Image:
        """That picture as a new image of `size` pixels square."""
        cell = self.cells[key]
        x, y = cell % self.columns * self.size, cell // self.columns * self.size
        cut = self.image.crop((x, y, x + self.size, y + self.size))
        return cut if size == self.size else cut.resize((size, size), Image.Resampling.LANCZOS)


@cache
def sheet(file: str) -> Sheet:
    """The sheet of that name in the assets: pictures, portraits or emoji."""
    return Sheet(file)


@lru_cache(2048)
def picture(name: str, size: int) -> Image.Image:
    """A picture of `size` pixels square, by its name or code point in `assets/pictures.txt`.

    Sharp up to 160 pixels, the four animals of Animal Crossing up to 400.
    """
    large = size > sheet("pictures").size and name in sheet("portraits").cells
    return sheet("portraits" if large else "pictures").picture(name, size)


@lru_cache(512)
def silhouette(name: str, size: int, colour: Colour, opacity: float = 1.0) -> Image.Image:
    """The outline of a picture filled with one colour, as for something that is not there yet."""
    alpha = picture(name, size).getchannel("A").point([round(value * opacity) for value in range(256)])
    image = Image.new("RGBA", (size, size), (*colour, 0))
    image.putalpha(alpha)
    return image


# Sprites


class Brush:
    """Draws in final pixels on a canvas that is larger by the supersampling; made by `sprite`.

    A `width` is that of the stroke, and a shape without `fill` is only outlined.
    """

    def __init__(self, image: Image.Image, scale: int) -> None:
        self.image = image
        self.scale = scale
        self._draw = ImageDraw.Draw(image)

    def _box(self, left: float, top: float, right: float, bottom: float) -> list[float]:
        return [left * self.scale, top * self.scale, right * self.scale - 1, bottom * self.scale - 1]

    def _points(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self.scale, y * self.scale) for x, y in points]

    def disc(self, x: float, y: float, radius: float, fill: Paint) -> None:
        self.oval(x - radius, y - radius, x + radius, y + radius, fill)

    def ring(self, x: float, y: float, radius: float, width: float, fill: Paint) -> None:
        """A circle whose stroke lies within `radius`."""
        box = self._box(x - radius, y - radius, x + radius, y + radius)
        self._draw.ellipse(box, outline=fill, width=round(width * self.scale))

    def oval(self, left: float, top: float, right: float, bottom: float, fill: Paint) -> None:
        self._draw.ellipse(self._box(left, top, right, bottom), fill=fill)

    def box(self, left: float, top: float, right: float, bottom: float, fill: Paint, radius: float = 0) -> None:
        """A rectangle, its corners rounded by `radius`."""
        self._draw.rounded_rectangle(self._box(left, top, right, bottom), radius=radius * self.scale, fill=fill)

    def frame(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: Paint,
        width: float,
        radius: float = 0,
    ) -> None:
        """The outline of a rectangle, its stroke within the rectangle."""
        self._draw.rounded_rectangle(
            self._box(left, top, right, bottom),
            radius=radius * self.scale,
            outline=fill,
            width=round(width * self.scale),
        )

    def polygon(self, points: Sequence[Point], fill: Paint) -> None:
        self._draw.polygon(self._points(points), fill=fill)

    def line(self, points: Sequence[Point], fill: Paint, width: float) -> None:
        """A stroke through the points with round joints and ends."""
        self._draw.line(self._points(points), fill=fill, width=round(width * self.scale), joint="curve")
        for x, y in (points[0], points[-1]):
            self.disc(x, y, width / 2, fill)

    def arc(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        start: float,
        end: float,
        fill: Paint,
        width: float,
    ) -> None:
        """Part of an ellipse, in degrees clockwise from three o'clock."""
        self._draw.arc(self._box(left, top, right, bottom), start, end, fill=fill, width=round(width * self.scale))

    def paste(self, name: str, x: float, y: float, size: float) -> None:
        """A picture, centred on the point."""
        drawn = picture(name, round(size * self.scale))
        self.image.alpha_composite(drawn, (round((x - size / 2) * self.scale), round((y - size / 2) * self.scale)))


def sprite(width: int, height: int, paint: Callable[[Brush], None]) -> Image.Image:
    """A transparent image on which `paint` has drawn, with smooth edges.

    Cache it by all that `paint` depends on.
    """
    image = Image.new("RGBA", (width * SUPERSAMPLING, height * SUPERSAMPLING))
    paint(Brush(image, SUPERSAMPLING))
    return image.reduce(SUPERSAMPLING)


def shadowed(
    image: Image.Image, drop: int = 3, blur: float = 2.5, darkness: float = 0.5, margin: int = 8
) -> Image.Image:
    """The sprite over its shadow, larger by `margin` on every side, so that its centre stays its centre."""
    size = image.width + 2 * margin, image.height + 2 * margin
    shade = Image.new("L", size)
    shade.paste(image.getchannel("A"), (margin, margin + drop))
    shade = shade.filter(ImageFilter.GaussianBlur(blur)).point([round(value * darkness) for value in range(256)])
    result = Image.new("RGBA", size, (10, 25, 30, 0))
    result.putalpha(shade)
    result.alpha_composite(image, (margin, margin))
    return result


def stamp(canvas: Image.Image, image: Image.Image, x: float, y: float) -> None:
    """Puts a sprite on the canvas, centred on the point; what lies outside is cut off."""
    # `paste` with a mask lets other threads run, `alpha_composite` does not.
    canvas.paste(image, (round(x - image.width / 2), round(y - image.height / 2)), image)


# Words


@lru_cache(128)
def font(size: int, weight: Weight = "extrabold", file: str = "") -> ImageFont.FreeTypeFont:
    """M PLUS Rounded in that weight, or another of the fonts in the assets, at that size in pixels."""
    path = ASSETS / "fonts" / f"{file or f'rounded-{weight}'}.woff2"
    # The basic layout is the same on every machine; the other one depends on a library of the system.
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def text(
    canvas: Image.Image,
    x: float,
    y: float,
    words: str,
    size: int,
    colour: Colour = INK,
    anchor: str = "mm",
    weight: Weight = "extrabold",
    outline: Colour | None = None,
    outline_width: int = 3,
) -> None:
    """Writes our own words (names of people are for `renderers.names`), `outline` around the letters.

    The anchor is Pillow's: `mm` centres on the point, `lm` begins and `rm` ends there.
    """
    ImageDraw.Draw(canvas).text(
        (x, y),
        words,
        font=font(size, weight),
        fill=colour,
        anchor=anchor,
        stroke_width=outline_width if outline else 0,
        stroke_fill=outline,
    )


def width_of(words: str, size: int, weight: Weight = "extrabold") -> float:
    """How wide our own words are, in pixels."""
    return font(size, weight).getlength(words)


def fitting(words: str, width: float, sizes: Sequence[int], weight: Weight = "extrabold") -> int:
    """The first of the sizes at which the words are no wider than `width`, else the last."""
    return next((size for size in sizes if width_of(words, size, weight) <= width), sizes[-1])


def fitted_text(
    canvas: Image.Image,
    x: float,
    y: float,
    words: str,
    width: float,
    sizes: Sequence[int],
    colour: Colour = INK,
    anchor: str = "mm",
    weight: Weight = "extrabold",
) -> None:
    """Writes words in the largest of the sizes that keeps them within `width`."""
    text(canvas, x, y, words, fitting(words, width, sizes, weight), colour, anchor, weight)


def wrapped(words: str, size: int, width: float, weight: Weight = "extrabold") -> list[str]:
    """The words broken at spaces into lines no wider than `width`; a longer word keeps a line of its own."""
    lines: list[str] = []
    for word in words.split():
        if lines and width_of(f"{lines[-1]} {word}", size, weight) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def paragraph(
    canvas: Image.Image,
    x: float,
    y: float,
    words: str,
    size: int,
    width: float,
    colour: Colour = INK,
    anchor: str = "lm",
    weight: Weight = "extrabold",
) -> float:
    """Writes wrapped words, the first line at `y`; returns where the line after the last would be."""
    for line in wrapped(words, size, width, weight):
        text(canvas, x, y, line, size, colour, anchor, weight)
        y += round(size * 1.35)
    return y


# Pieces


def regular(x: float, y: float, radius: float, corners: int, turned: float = -90) -> list[Point]:
    """The corners of a regular polygon, the first one `turned` degrees clockwise from three o'clock."""
    angles = (math.radians(turned + 360 / corners * corner) for corner in range(corners))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def star(x: float, y: float, outer: float, inner: float, tips: int = 5) -> list[Point]:
    """The corners of a star, its first tip upwards."""
    outside = regular(x, y, outer, tips)
    inside = regular(x, y, inner, tips, -90 + 180 / tips)
    return [point for pair in zip(outside, inside, strict=True) for point in pair]


def _disc(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.disc(x, y, r * 0.82, fill)


def _star(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.polygon(star(x, y + r * 0.06, r * 1.1, r * 0.48), fill)


def _square(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.box(x - r * 0.76, y - r * 0.76, x + r * 0.76, y + r * 0.76, fill, r * 0.14)


def _triangle(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.polygon([(x, y - r * 0.98), (x + r * 0.98, y + r * 0.72), (x - r * 0.98, y + r * 0.72)], fill)


def _diamond(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.polygon([(x, y - r * 1.12), (x + r * 0.84, y), (x, y + r * 1.12), (x - r * 0.84, y)], fill)


def _heart(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    for side in (-1, 1):
        brush.disc(x + side * r * 0.46, y - r * 0.3, r * 0.52, fill)
    brush.polygon([(x - r * 0.9, y - r * 0.04), (x + r * 0.9, y - r * 0.04), (x, y + r * 0.98)], fill)


def _cross(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    arm, reach = r * 0.32, r * 0.98
    brush.box(x - arm, y - reach, x + arm, y + reach, fill, r * 0.08)
    brush.box(x - reach, y - arm, x + reach, y + arm, fill, r * 0.08)


def _crescent(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    outer = [(x - r * 0.1 + r * math.cos(a / 20), y + r * math.sin(a / 20)) for a in range(17, 110)]
    inner = [(x + r * 0.34 + r * 0.8 * math.cos(a / 20), y + r * 0.8 * math.sin(a / 20)) for a in range(109, 16, -1)]
    brush.polygon(outer + inner, fill)


def _hexagon(brush: Brush, x: float, y: float, r: float, fill: Colour) -> None:
    brush.polygon(regular(x, y, r, 6), fill)


EMBLEMS: dict[Emblem, Callable[[Brush, float, float, float, Colour], None]] = {
    "disc": _disc,
    "star": _star,
    "square": _square,
    "triangle": _triangle,
    "diamond": _diamond,
    "heart": _heart,
    "cross": _cross,
    "crescent": _crescent,
    "hexagon": _hexagon,
}
"""How each emblem is drawn: on a brush, around a point, with a radius, in a colour."""


def medallion(brush: Brush, x: float, y: float, radius: float, colour: Colour) -> None:
    """A disc with a double rim, ink outside and cream inside, that stands out on every ground."""
    brush.disc(x, y, radius, INK)
    brush.disc(x, y, radius - 1.2, CREAM)
    brush.disc(x, y, radius - 1.2 - radius * 0.15, colour)


@lru_cache(256)
def badge(seat: int, diameter: int) -> Image.Image:
    """The disc of a seat (0 to 8) in its colour with its emblem, over its shadow."""
    look = LOOKS[seat]
    middle = diameter / 2

    def paint(brush: Brush) -> None:
        medallion(brush, middle, middle, middle, look.colour)
        EMBLEMS[look.emblem](brush, middle, middle, diameter * 0.25, look.letters)

    return shadowed(sprite(diameter, diameter, paint), drop=2, blur=2, margin=6)


@lru_cache(1024)
def pill(words: str, size: int, fill: Colour, letters: Colour = INK, rim: Colour = INK, least: int = 0) -> Image.Image:
    """Our own words on a rounded label with a rim, at least `least` pixels wide, over its shadow."""
    height = round(size * 1.45)
    width = max(round(width_of(words, size) + size * 0.9), height, least)

    def paint(brush: Brush) -> None:
        brush.box(0, 0, width, height, rim, height / 2)
        brush.box(2, 2, width - 2, height - 2, fill, height / 2 - 2)

    label = sprite(width, height, paint)
    text(label, width / 2, height / 2 + 1, words, size, letters)
    return shadowed(label, drop=2, blur=2, margin=6)


@lru_cache(128)
def panel(
    width: int,
    height: int,
    fill: Colour = CREAM,
    rim: Colour = INK,
    head: Colour | None = None,
    top: int = 44,
) -> Image.Image:
    """A rounded sheet with a rim over its shadow, and on it a band of `head` colour `top` pixels high.

    Its shadow needs 12 pixels on every side; stamped by its centre, the sheet covers width x height.
    """

    def paint(brush: Brush) -> None:
        brush.box(0, 0, width, height, rim, 16)
        brush.box(2, 2, width - 2, height - 2, fill, 14)
        if head:
            brush.box(5, 5, width - 5, 5 + top, head, 11)

    return shadowed(sprite(width, height, paint), drop=5, blur=5, darkness=0.45, margin=12)


# The result


@cache
def palette(game: str) -> Image.Image | None:
    """The 256 colours of that game, made by `make palettes`, or None while it has none."""
    file = ASSETS / f"{game}.pal"
    if not file.exists():
        return None
    colours = Image.new("P", (1, 1))
    colours.putpalette(file.read_bytes())
    return colours


def encode(image: Image.Image, game: str) -> bytes:
    """The picture as PNG in the fixed palette of that game."""
    fixed = palette(game)
    opaque = image if image.mode == "RGB" else image.convert("RGB")
    if fixed:
        indexed = opaque.quantize(palette=fixed, dither=Image.Dither.NONE)
    else:
        indexed = opaque.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    # Two threads that save one image mix up their options: this one is ours alone.
    file = BytesIO()
    indexed.save(file, "PNG", compress_level=3)
    return file.getvalue()
