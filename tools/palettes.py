"""Chooses the 256 colours of each game from pictures of sample games; `make palettes` runs it.

A palette that is fixed makes every picture of a game take a millisecond to reduce instead of forty, and a colour never
changes from one picture to the next.  Games named as arguments, else all.
"""

from __future__ import annotations

import sys
from itertools import chain
from unittest.mock import patch

from PIL import Image

from bench.pictures import people, positions, renderers
from renderers import canvas
from renderers.theme import CREAM, GOLD, INK, LOOKS, Colour

EXACT: list[Colour] = [INK, CREAM, GOLD, *(look.colour for look in LOOKS)]

PATCH = 3
"""Every picture is sampled on a grid of this many pixels."""


def sample(game: str) -> Image.Image:
    """Pixels of public and private pictures in full colour, of few and of many seats."""
    frames: list[Image.Image] = []

    def keep(image: Image.Image, _game: str) -> bytes:
        frames.append(image.convert("RGB").resize((canvas.WIDTH // PATCH, canvas.HEIGHT // PATCH), 0))
        return b""

    kind, renderer = next((kind, renderer) for kind, renderer in renderers().items() if kind.name == game)
    with patch.object(renderer, "encode", keep):
        for seats in sorted({kind.players[0], kind.players[-1]}):
            for position in positions(kind, seats):
                for seat in (None, 0):
                    moves = () if seat is None else position.moves(seat)
                    renderer.draw(position.view(seat), people(seats), moves)
    sheet = Image.new("RGB", (frames[0].width, frames[0].height * len(frames)))
    for at, frame in enumerate(frames):
        sheet.paste(frame, (0, at * frame.height))
    return sheet


def palette(pixels: Image.Image) -> list[Colour]:
    """The 256 colours nearest to those pixels, those of the seats and of all letters exactly among them."""
    reduced = pixels.quantize(256 - len(EXACT), Image.Quantize.MEDIANCUT, kmeans=3)
    flat = reduced.getpalette() or []
    found = [(flat[at], flat[at + 1], flat[at + 2]) for at in range(0, len(flat), 3)]
    return [*EXACT, *found, *[INK] * 256][:256]


def main() -> None:
    for kind in renderers():
        if not sys.argv[1:] or kind.name in sys.argv[1:]:
            colours = palette(sample(kind.name))
            (canvas.ASSETS / f"{kind.name}.pal").write_bytes(bytes(chain.from_iterable(colours)))
            print(kind.name)


if __name__ == "__main__":
    main()
