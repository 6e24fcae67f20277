"""The rules of This Town on one card."""

from __future__ import annotations

from functools import cache

from PIL import Image

from bot.locales import _
from bot.rules.this_town import BRANDS, START, Cell, Laid, closed_towns, rank_and_score
from renderers.canvas import HEIGHT, WIDTH, Brush, encode, panel, paragraph, shadowed, sprite, stamp, text
from renderers.theme import CREAM, GOLD, INK, Colour
from renderers.this_town_map import Layout, draw_shadow, draw_tiles
from renderers.this_town_sprites import COLUMN, brand_badge, desert, frame, marker, silver_bar, slot
from renderers.this_town_words import ordinal

GAME = "this_town"

PANEL_WIDTH, PANEL_HEIGHT = 606, 414
TABLE_WIDTH, TABLE_HEIGHT = 294, 322
"""The part of a panel, at its left, in which the example is; the words are beside it."""
TABLE: Colour = (142, 84, 52)

SILVER_TOWN = (Laid(START, (0, 1), 0), Laid("A1", (0, 0), 2), Laid("F1", (1, 0), 0))
"""The tile placed last closes a town of two bells, a bull, two sunrises and a silver bar."""
OWNED = BRANDS[:3]

COUNTS = (4, 2, 2, 1)
"""The brands of four players in one town (rulebook, "Scoring Example")."""


def rules_picture() -> bytes:
    """A card with four examples: placing, closing, scoring and the silver move."""
    canvas = desert().crop((0, 0, COLUMN, HEIGHT)).resize((WIDTH, HEIGHT))
    text(canvas, WIDTH / 2, 52, _("This Town"), 52, CREAM, outline=INK, outline_width=4)
    examples = (
        (
            _draw_placing,
            _("1. Place your tile"),
            _(
                "Put it beside any tile, turned as you like. Nothing has to match: ground that meets is joined,"
                " and only fences divide it."
            ),
        ),
        (
            _draw_town,
            _("2. Close a town"),
            _(
                "Ground with a fence or a tile on every side is a town, and takes the colour of whoever leads there."
                " Beside the bare table it is still open."
            ),
        ),
        (
            _draw_points,
            _("3. Score it"),
            _(
                "All who have brands in the town are ranked. Each scores as many points as the next rank below has"
                " brands; the last scores none."
            ),
        ),
        (
            _draw_silver,
            _("4. Use its silver"),
            _(
                "A town with silver lets whoever closed it move a tile that is in no town to another place."
                " It may close the next town."
            ),
        ),
    )
    for number, (draw, title, words) in enumerate(examples):
        left = 26 + number % 2 * (PANEL_WIDTH + 16)
        top = 100 + number // 2 * (PANEL_HEIGHT + 16)
        stamp(canvas, panel(PANEL_WIDTH, PANEL_HEIGHT), left + PANEL_WIDTH / 2, top + PANEL_HEIGHT / 2)
        text(canvas, left + PANEL_WIDTH / 2, top + 38, title, 32)
        paragraph(canvas, left + 330, top + 96, words, 25, PANEL_WIDTH - 344, weight="bold")
        draw(canvas, left + 18, top + 74)
    return encode(canvas, GAME)


def _draw_table(canvas: Image.Image, left: int, top: int) -> None:
    table = panel(TABLE_WIDTH, TABLE_HEIGHT, TABLE)
    stamp(canvas, table, left + TABLE_WIDTH / 2, top + TABLE_HEIGHT / 2)


def _draw_placing(canvas: Image.Image, left: int, top: int) -> None:
    _draw_table(canvas, left, top)
    layout = Layout(92, left + 101, top + 116)
    laid = (Laid(START, (0, 0), 0), Laid("B1", (0, -1), 1))
    draw_shadow(canvas, layout, [tile.at for tile in laid])
    draw_tiles(canvas, layout, laid, (), BRANDS)
    for number, cell in enumerate([(-1, 0), (1, 0), (0, 1)], start=2):
        _draw_place(canvas, layout, cell, number)
    stamp(canvas, frame(layout.size, GOLD), *layout.middle(laid[-1].at))


def _draw_place(canvas: Image.Image, layout: Layout, cell: Cell, number: int) -> None:
    stamp(canvas, slot(layout.size, layout.size), *layout.middle(cell))
    stamp(canvas, marker(str(number), 40), *layout.middle(cell))


def _draw_town(canvas: Image.Image, left: int, top: int) -> None:
    _draw_table(canvas, left, top)
    layout = Layout(128, left + 19, top + 33)
    draw_shadow(canvas, layout, [tile.at for tile in SILVER_TOWN])
    draw_tiles(canvas, layout, SILVER_TOWN, closed_towns(SILVER_TOWN, OWNED), OWNED)
    stamp(canvas, frame(layout.size, GOLD), *layout.middle(SILVER_TOWN[-1].at))


def _draw_points(canvas: Image.Image, left: int, top: int) -> None:
    """A line a player: rank, brands and points."""
    ranks, points = rank_and_score(COUNTS)
    for number, brand in enumerate(BRANDS):
        y = top + 44 + 78 * number
        text(canvas, left + 4, y, ordinal(ranks[number]), 26, anchor="lm")
        for copy in range(COUNTS[number]):
            stamp(canvas, brand_badge(brand, 40), left + 88 + 38 * copy, y)
        text(canvas, left + TABLE_WIDTH - 4, y, f"+{points[number]}", 34, anchor="rm")


def _draw_silver(canvas: Image.Image, left: int, top: int) -> None:
    _draw_table(canvas, left, top)
    stamp(canvas, silver_bar(96), left + TABLE_WIDTH / 2, top + 66)
    layout = Layout(112, left + 14, top + 164)
    tile = Laid("C3", (0, 0), 0)
    draw_shadow(canvas, layout, [tile.at])
    draw_tiles(canvas, layout, [tile], (), BRANDS)
    x, y = layout.middle(tile.at)
    stamp(canvas, marker("A", 42, square=True), x, y)
    _draw_place(canvas, Layout(112, left + 168, top + 164), tile.at, 3)
    stamp(canvas, _arrow(), left + TABLE_WIDTH / 2 + 2, y)


@cache
def _arrow() -> Image.Image:
    """An arrow to the right."""

    def paint(brush: Brush) -> None:
        for grow, colour in ((3, INK), (0, GOLD)):
            tip, wing = 42 + grow * 0.6, 16 + grow * 1.2
            brush.box(4 - grow, 19 - grow, 28, 29 + grow, colour, 2)
            brush.polygon([(24 - grow, 24 - wing), (tip, 24), (24 - grow, 24 + wing)], colour)

    return shadowed(sprite(48, 48, paint), drop=2, blur=2, margin=6)
