"""The map of This Town: where its tiles are in a picture, and how they are drawn there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.rules.this_town import BRANDS, TILES, Cell, Laid, Plot, Town
from renderers.canvas import HEIGHT, Point, stamp
from renderers.theme import Colour
from renderers.this_town_sprites import COLUMN, Part, claimed, face, ground, section_mask, spots

MARGIN = 12
LARGEST_TILE, SMALLEST_TILE = 176, 28


ALONG = (-0.3, -0.15, 0, 0.15, 0.3)
"""Where on an edge the number of a town may stand, in tiles from its middle."""

SHADOW: tuple[tuple[int, Colour], ...] = ((11, (128, 74, 44)), (7, (112, 63, 36)), (3, (92, 50, 27)))
"""How far each ring of the map's shadow reaches, in pixels, and its colour."""


def _parts_of(tile: str, turned: int) -> tuple[Part, ...]:
    """The sections of a tile as it lies."""
    printed = TILES[tile]
    return tuple(
        Part(
            printed.sides_of(number, turned),
            tuple(brand for brand, count in zip(BRANDS, section.brands, strict=True) for _n in range(count)),
            section.bars,
        )
        for number, section in enumerate(printed.sections)
    )


def _fences_of(tile: str, turned: int) -> tuple[int, ...]:
    """The corners at which the fences of a tile end as it lies."""
    return tuple(sorted((corner + turned) % 4 for corner in TILES[tile].fences))


@dataclass(frozen=True)
class Layout:
    """The size of a tile in pixels and where the tile at 0,0 begins."""

    size: int
    left: int
    top: int

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The north-western corner of that place."""
        return self.left + cell[0] * self.size, self.top + cell[1] * self.size

    def middle(self, cell: Cell) -> tuple[float, float]:
        x, y = self.corner(cell)
        return x + self.size / 2, y + self.size / 2


def layout_of(cells: Sequence[Cell], rim: float) -> Layout:
    """The largest tiles with which these places fit beside the column, and so much of a tile on every side."""
    xs, ys = [cell[0] for cell in cells], [cell[1] for cell in cells]
    columns, rows = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    width, height = COLUMN - 2 * MARGIN, HEIGHT - 2 * MARGIN
    room = min(width / (columns + 2 * rim), height / (rows + 2 * rim), LARGEST_TILE)
    # Sprites are made anew for every size: steps keep them few.
    step = 8 if room > 80 else 2
    size = max(SMALLEST_TILE, int(room) // step * step)
    left = (COLUMN - columns * size) / 2 - min(xs) * size
    top = (HEIGHT - rows * size) / 2 - min(ys) * size
    return Layout(size, round(left), round(top))


def draw_shadow(canvas: Image.Image, layout: Layout, cells: Sequence[Cell]) -> None:
    """The shadow of the whole map: three rings of ever darker sand, each laid under all tiles before the next."""
    pen = ImageDraw.Draw(canvas)
    runs = [(layout.corner((x, y)), length * layout.size) for x, y, length in _runs(cells)]
    for reach, colour in SHADOW:
        for (x, y), width in runs:
            box = (x - reach, y - reach + 5, x + width + reach, y + layout.size + reach + 4)
            pen.rounded_rectangle(box, radius=reach + 6, fill=colour)


def _runs(cells: Sequence[Cell]) -> list[tuple[int, int, int]]:
    """The first place, and the length, of every unbroken run of these cells from west to east."""
    runs: list[tuple[int, int, int]] = []
    for x, y in sorted(cells, key=lambda cell: (cell[1], cell[0])):
        if runs and (runs[-1][0] + runs[-1][2], runs[-1][1]) == (x, y):
            runs[-1] = (runs[-1][0], y, runs[-1][2] + 1)
        else:
            runs.append((x, y, 1))
    return runs


def draw_tiles(
    canvas: Image.Image, layout: Layout, laid: Sequence[Laid], towns: Sequence[Town], brands: tuple[str, ...]
) -> None:
    """Sand first, then claimed ground, then fences and brands, so that nothing is cut off by a neighbour."""
    size = layout.size
    tiles = {tile.at: tile for tile in laid}
    for x, y in tiles:
        canvas.paste(_sand(size, (x * 5 + y * 3) % 7), layout.corner((x, y)))
    for town in towns:
        land = claimed(size, tuple(brands[seat] for seat in town.leaders))
        for x, y, section in town.plots:
            tile = tiles[x, y]
            mask = section_mask(size, TILES[tile.tile].sides_of(section, tile.turned))
            canvas.paste(land, layout.corner((x, y)), mask)
    for cell, tile in tiles.items():
        stamp(canvas, tile_face(size, tile.tile, tile.turned), *layout.middle(cell))


@lru_cache(64)
def _sand(size: int, variant: int) -> Image.Image:
    """The bare sand of a tile, with the map's shadow where its corners are round."""
    flat = Image.new("RGB", (size, size), SHADOW[-1][1])
    stamp(flat, ground(size, variant), size / 2, size / 2)
    return flat


@lru_cache(512)
def tile_face(size: int, tile: str, turned: int) -> Image.Image:
    """The fences, brands and bars of a tile as it lies."""
    return face(size, _fences_of(tile, turned), _parts_of(tile, turned))


def seam(layout: Layout, tiles: Mapping[Cell, Laid], plots: tuple[Plot, ...]) -> tuple[float, float]:
    """The point on an edge between two tiles of a town that is farthest from all brands and bars."""
    points: list[Point] = []
    things: list[Point] = []
    for x, y in {plot[:2] for plot in plots}:
        tile = tiles[x, y]
        for part in _parts_of(tile.tile, tile.turned):
            things += [(x + dx, y + dy) for dx, dy in spots(part.sides, len(part.brands) + part.bars)]
    for x, y, number in plots:
        sides = TILES[tiles[x, y].tile].sides_of(number, tiles[x, y].turned)
        points += [(x + 0.5, y + along) for along in ALONG if 1 in sides]
        points += [(x + along, y + 0.5) for along in ALONG if 2 in sides]
    x, y = max(points, key=lambda point: min(math.dist(point, thing) for thing in things))
    left, top = layout.middle((0, 0))
    return left + x * layout.size, top + y * layout.size
