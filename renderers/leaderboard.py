"""The leaderboard: who has won how many games, as a picture and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from PIL import Image

from bot.locales import _, plural
from renderers.canvas import WIDTH, Brush, encode, fitted_text, mix, panel, sprite, stamp, text
from renderers.names import clean, draw_name
from renderers.theme import CREAM, FOAM, GOLD, INK, SEA_DEEP, SEA_SHALLOW, WOOD, WOOD_DARK, Colour

HEAD, LINE, HONOURED_LINE, MARGIN = 180, 92, 122, 30
"""The heights of the title and of a line without and with honours, and what is left free around them."""

MOST_LINES = 10

MEDALS: tuple[Colour, ...] = (GOLD, (206, 212, 218), (214, 148, 88))
"""Of the first, second and third place."""


@dataclass(frozen=True)
class Line:
    """One player: the place from 1, and how many games were won of how many; `honours` are further prizes."""

    place: int
    name: str
    won: int
    contests: int
    honours: str = ""


def draw(title: str, lines: Sequence[Line]) -> bytes:
    """The picture (PNG, 1280 pixels wide, as high as its lines need)."""
    heights = [HONOURED_LINE if line.honours else LINE for line in lines]
    image = _ground(HEAD + sum(heights) + MARGIN).copy()
    stamp(image, panel(WIDTH - 2 * MARGIN, HEAD - MARGIN - 16, CREAM, WOOD_DARK), WIDTH / 2, HEAD / 2)
    fitted_text(image, WIDTH / 2, HEAD / 2 - 22, title, WIDTH - 4 * MARGIN, (50, 44, 38, 32))
    text(image, WIDTH / 2, HEAD / 2 + 36, _("games won / games played"), 30, weight="bold")
    y = HEAD
    for line, height in zip(lines, heights, strict=True):
        _draw_line(image, y, height, line, max(line.contests for line in lines))
        y += height
    return encode(image, "leaderboard")


@lru_cache(16)
def _ground(height: int) -> Image.Image:
    image = Image.new("RGB", (WIDTH, height))
    for y in range(height):
        image.paste(mix(SEA_DEEP, SEA_SHALLOW, y / height * 0.7), (0, y, WIDTH, y + 1))
    return image


@cache
def _medal(place: int) -> Image.Image:
    def paint(brush: Brush) -> None:
        brush.disc(34, 34, 34, INK)
        brush.disc(34, 34, 31, MEDALS[place - 1] if place <= len(MEDALS) else CREAM)

    return sprite(68, 68, paint)


def _draw_line(image: Image.Image, top: float, height: int, line: Line, most: int) -> None:
    middle = top + height / 2
    fill = CREAM if line.place == 1 else FOAM
    stamp(image, panel(WIDTH - 2 * MARGIN, height - 14, fill, INK), WIDTH / 2, middle)
    stamp(image, _medal(line.place), 88, middle)
    text(image, 88, middle, str(line.place), 36)
    name_at = top + LINE / 2 - (8 if line.honours else 0)
    draw_name(image, 144, name_at, clean(line.name) or "?", 510, sizes=(44, 40, 36, 32))
    if line.honours:
        fitted_text(image, 146, top + height - 33, line.honours, 1070, (30, 28, 26, 24), anchor="lm", weight="bold")
    _draw_bar(image, middle, line, most)
    text(image, 1216, middle, f"{line.won} / {line.contests}", 44, anchor="rm")


def _draw_bar(image: Image.Image, y: float, line: Line, most: int) -> None:
    """Games as a bar, those won of them filled."""
    left, width = 680, 350

    def paint(brush: Brush) -> None:
        long = max(28, width * line.contests / most)
        brush.box(0, 0, long, 40, INK, 12)
        brush.box(2, 2, long - 2, 38, WOOD, 10)
        if line.won:
            brush.box(2, 2, max(26, long * line.won / line.contests) - 2, 38, GOLD, 10)

    bar = sprite(width, 40, paint)
    image.paste(bar, (left, round(y - 20)), bar)


def describe(title: str, lines: Sequence[Line]) -> str:
    """The same in words."""
    told = [
        plural(
            "{place}. {name}: {won} of {n} game won{honours}.",
            "{place}. {name}: {won} of {n} games won{honours}.",
            line.contests,
            place=line.place,
            name=line.name,
            won=line.won,
            honours=f", {line.honours}" if line.honours else "",
        )
        for line in lines
    ]
    return " ".join([_("{title}.", title=title), *told])
