"""Draws the display name of anybody: every script, emoji, and the strange things people put in names.

A name is cleaned and split into clusters (a letter with its marks, an emoji with all its parts); each cluster
goes to the first font that can draw it, and neighbouring clusters of one font are drawn together.
"""

from __future__ import annotations

import json
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from PIL import Image, ImageDraw, ImageFont, features

from renderers.canvas import ASSETS, sheet
from renderers.theme import INK, Colour

SIZES = (23, 21, 19, 17)
LONGEST = 64

FONTS = ("rounded-extrabold", "arabic", "hebrew", "thai", "devanagari", "wenquanyi", "unifont")
SHAPED = frozenset({"arabic", "hebrew", "thai", "devanagari"})
RIGHT_TO_LEFT = frozenset({"arabic", "hebrew"})
EMOJI = "emoji"

JOINER, EMOJI_STYLE, MISSING = "\u200d", "\ufe0f", "\ufffd"
FILLERS = str.maketrans({"\u3164": " ", "\uffa0": " ", "\u115f": " ", "\u1160": " ", "\u2800": " "})


@dataclass(frozen=True)
class Run:
    """Neighbouring clusters that one font draws, or one emoji."""

    font: str
    clusters: tuple[str, ...]


def _is_skin_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_tag(character: str) -> bool:
    return "\U000e0020" <= character <= "\U000e007f"


def clean(name: str) -> str:
    """The name without anything invisible, and with plain letters for ornamental ones; may be empty."""
    kept: list[str] = []
    base, marks = "", 0
    for character in unicodedata.normalize("NFKC", name.translate(FILLERS)).translate(FILLERS):
        category = unicodedata.category(character)
        if character in (JOINER, EMOJI_STYLE) or _is_tag(character):
            kept.append(character)
        elif category in ("Cc", "Cf", "Cs", "Co", "Cn"):
            continue
        elif category.startswith("M"):
            # What NFKC left over a letter of these scripts belongs to no language: it is a pile of ornaments.
            ornament = unicodedata.name(base, "").startswith(("LATIN", "GREEK", "CYRILLIC")) if base else True
            marks += 1
            if not ornament and marks <= 2:
                kept.append(character)
        else:
            base, marks = character, 0
            kept.append(" " if category.startswith("Z") else character)
    words = "".join(kept)[:LONGEST].split()
    return " ".join(words) if any(_visible(character) for word in words for character in word) else ""


def _visible(character: str) -> bool:
    return not (character in (JOINER, EMOJI_STYLE) or _is_tag(character) or unicodedata.category(character)[0] in "ZM")


def clusters(name: str) -> list[str]:
    """The smallest parts of a cleaned name that must not be torn apart."""
    parts: list[str] = []
    for character in name:
        extends = (
            unicodedata.category(character).startswith("M")
            or character in (JOINER, EMOJI_STYLE)
            or _is_skin_tone(character)
            or _is_tag(character)
        )
        if parts and (extends or parts[-1].endswith(JOINER)):
            parts[-1] += character
        else:
            parts.append(character)
    return parts


@cache
def _coverage() -> dict[str, tuple[list[int], list[int]]]:
    """Of every font the first and the last code points of the ranges it can draw."""
    table = json.loads((ASSETS / "fonts" / "coverage.json").read_text())
    return {font: tuple(map(list, zip(*table[font], strict=True))) for font in FONTS}  # pyright: ignore


def _covers(font: str, character: str) -> bool:
    firsts, lasts = _coverage()[font]
    at = bisect_right(firsts, ord(character)) - 1
    return at >= 0 and ord(character) <= lasts[at]


def _emoji(cluster: str) -> str | None:
    """The key of that cluster among the emoji: whole, without its skin tone, or only its first part."""
    cells = sheet(EMOJI).cells
    if ord(cluster[0]) < 0x2190 or (len(cluster) == 1 and _covers(FONTS[0], cluster)):
        return None
    without_style = [character for character in cluster if character != EMOJI_STYLE]
    without_tone = [character for character in without_style if not _is_skin_tone(character)]
    for part in (without_style, without_tone, cluster[:1]):
        key = "-".join(f"{ord(character):x}" for character in part)
        if key in cells:
            return key
    return None


def runs(name: str) -> tuple[Run, ...]:
    """A cleaned name as what each font draws; characters that no font has become U+FFFD."""
    result: list[Run] = []
    for cluster in clusters(name):
        if key := _emoji(cluster):
            result.append(Run(EMOJI, (key,)))
            continue
        letters = "".join(c for c in cluster if c not in (JOINER, EMOJI_STYLE) and not _is_tag(c)) or MISSING
        able = next((f for f in FONTS if all(_covers(f, c) for c in letters)), None)
        if able is None:
            letters = letters[0] if any(_covers(f, letters[0]) for f in FONTS) else MISSING
            able = next(f for f in FONTS if _covers(f, letters))
        last = result[-1] if result else None
        if last and last.font != EMOJI and (last.font == able or letters == " "):
            result[-1] = Run(last.font, (*last.clusters, letters))
        else:
            result.append(Run(able, (letters,)))
    return tuple(result)


@cache
def _can_shape() -> bool:
    return bool(features.check("raqm"))


@lru_cache(64)
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    shaped = name in SHAPED and _can_shape()
    layout = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    return ImageFont.truetype(ASSETS / "fonts" / f"{name}.woff2", size, layout_engine=layout)


def _words(run: Run) -> str:
    backwards = run.font in RIGHT_TO_LEFT and not _can_shape()
    return "".join(reversed(run.clusters) if backwards else run.clusters)


def _stroke(font: str) -> int:
    # Beside the extra bold letters the thin ones of this font would look faint.
    return 1 if font == "wenquanyi" else 0


def _width(run: Run, size: int) -> float:
    if run.font == EMOJI:
        return size * 1.14
    return _font(run.font, size).getlength(_words(run)) + 2 * _stroke(run.font)


def _cut(name: tuple[Run, ...], size: int, width: float) -> tuple[Run, ...]:
    """As much of the beginning as fits together with two dots."""
    dots = Run(FONTS[0], (".", "."))
    room = width - _width(dots, size)
    kept: list[Run] = []
    for run in name:
        fits = run.clusters
        while fits and _width(Run(run.font, fits), size) > room:
            fits = fits[:-1]
        if fits:
            kept.append(Run(run.font, fits))
            room -= _width(kept[-1], size)
        if fits != run.clusters:
            break
    return (*kept, dots)


@lru_cache(2048)
def name_sprite(
    name: str, width: int, colour: Colour = INK, sizes: Sequence[int] = SIZES, otherwise: str = "?"
) -> Image.Image:
    """A name in the largest of the sizes (a tuple of pixels) that fits, cut to at most `width` pixels.

    The image is as wide as the name and 1.5 times the first size high, with the base line at three quarters.
    `otherwise` stands for a name of which nothing can be seen.
    """
    parts = runs(clean(name) or otherwise)
    size = next((s for s in sizes if sum(_width(run, s) for run in parts) <= width), sizes[-1])
    if sum(_width(run, size) for run in parts) > width:
        parts = _cut(parts, size, width)
    length = min(sum(_width(run, size) for run in parts), width)
    height = round(sizes[0] * 1.5)
    # Centred by the height of capitals, whatever the size is.
    base = round(height / 2 + size * 0.365)
    image = Image.new("RGBA", (max(1, round(length)), height), (*colour, 0))
    draw = ImageDraw.Draw(image)
    x = 0.0
    for run in parts:
        if run.font == EMOJI:
            drawn = sheet(EMOJI).picture(run.clusters[0], round(size * 1.06))
            image.alpha_composite(drawn, (round(x + size * 0.04), max(0, round(base - size * 0.9))))
        else:
            stroke = _stroke(run.font)
            draw.text(
                (x + stroke, base),
                _words(run),
                font=_font(run.font, size),
                fill=colour,
                anchor="ls",
                stroke_width=stroke,
            )
        x += _width(run, size)
    return image


def draw_name(
    canvas: Image.Image,
    x: float,
    y: float,
    name: str,
    width: int,
    colour: Colour = INK,
    sizes: tuple[int, ...] = SIZES,
    anchor: str = "lm",
) -> int:
    """Writes a name no wider than `width` from (`lm`), around (`mm`) or up to (`rm`) the point.

    Returns how wide it became.
    """
    drawn = name_sprite(name, width, colour, sizes)
    left = {"l": x, "m": x - drawn.width / 2, "r": x - drawn.width}[anchor[0]]
    canvas.paste(drawn, (round(left), round(y - drawn.height / 2)), drawn)
    return drawn.width
