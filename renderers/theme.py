"""The colours and typefaces that all four games share, and how the seats look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Colour = tuple[int, int, int]

INK: Colour = (43, 36, 32)
CREAM: Colour = (255, 248, 231)
GOLD: Colour = (255, 214, 74)
SAND: Colour = (246, 224, 168)
WOOD: Colour = (205, 158, 101)
WOOD_LIGHT: Colour = (231, 190, 128)
WOOD_DARK: Colour = (92, 58, 28)
SEA_DEEP: Colour = (14, 74, 118)
SEA_SHALLOW: Colour = (58, 172, 202)
FOAM: Colour = (222, 246, 247)
JUNGLE: Colour = (74, 150, 88)

SMALL = 18
"""The least height of letters in pixels, for what only accompanies; below it a phone loses them."""
MEDIUM = 22
"""The least height of letters for what a move depends on."""
LARGE = 28
"""The least height of letters for points."""

Weight = Literal["bold", "extrabold"]

Emblem = Literal["disc", "star", "square", "triangle", "diamond", "heart", "cross", "crescent", "hexagon"]


@dataclass(frozen=True)
class Look:
    """How a seat looks: its colour with its English name, its emblem, and the colour of letters on it."""

    name: str
    colour: Colour
    emblem: Emblem
    letters: Colour


LOOKS = (
    Look("red", (215, 38, 61), "disc", CREAM),
    Look("navy", (43, 58, 140), "star", CREAM),
    Look("sky", (86, 180, 233), "square", INK),
    Look("yellow", (240, 228, 66), "triangle", INK),
    Look("green", (0, 126, 84), "diamond", CREAM),
    Look("pink", (247, 168, 200), "heart", INK),
    Look("black", (58, 54, 60), "cross", CREAM),
    Look("orange", (240, 138, 36), "crescent", INK),
    Look("white", (238, 238, 240), "hexagon", INK),
)
"""One look a seat, in seat order, for up to nine seats.

The first four keep apart under every common colour blindness and in grey; nine colours cannot, so that every
piece carries its emblem as well.
"""
