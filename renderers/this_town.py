"""How This Town looks: the map, and beside it the task, the scores and the towns just closed.

It reads and is told as `renderers.this_town_words` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from bot.locales import _, plural
from bot.rules.base import Seat
from bot.rules.this_town import (
    BRANDS,
    Cell,
    Effect,
    Ended,
    Laid,
    Step,
    ThisTownView,
    Town,
    TownClosed,
    free_places,
    picked,
    preview,
)
from renderers.canvas import HEIGHT, WIDTH, encode, fitted_text, panel, paragraph, picture, pill, stamp, text, wrapped
from renderers.names import draw_name
from renderers.people import People
from renderers.theme import CREAM, GOLD, INK, LARGE, MEDIUM, SMALL, Colour
from renderers.this_town_map import LARGEST_TILE, MARGIN, Layout, draw_shadow, draw_tiles, layout_of, seam, tile_face
from renderers.this_town_sprites import (
    BRAND_LOOKS,
    COLUMN,
    brand_badge,
    desert,
    frame,
    ground,
    marker,
    scenery,
    silver_bar,
    slot,
    stack,
)
from renderers.this_town_words import ask, describe, letter_of, ordinal, tell, tie_note

__all__ = ["ask", "describe", "draw", "tell"]

GAME = "this_town"

RIM = 0.56
"""How much of a free place at the edge of the map is shown at least, in tiles."""

CARD = WIDTH - COLUMN - 28
"""The width of the cards in the column."""
CARD_LEFT = COLUMN + 17
ROOMY, CROWDED = 126, 64
"""The heights of the cards of towns: with all there is to say, or without their size and the ranks in words."""
PAPER: Colour = (247, 231, 198)
BRASS: Colour = (176, 126, 74)


# The scene: what is shown


@dataclass(frozen=True)
class Scene:
    """The map to be shown, with the draft carried out, and what is marked on it.

    `held` is the tile that a relocation takes up, `lifted` the same until it is put down; `fresh` are the towns
    of which the ranks are shown, with their numbers, and `gains` the points that they bring.
    """

    laid: tuple[Laid, ...]
    towns: tuple[Town, ...]
    places: tuple[Cell, ...]
    letters: tuple[Cell, ...]
    lifted: Cell | None
    held: Cell | None
    step: Step | None
    fresh: tuple[tuple[int, Town], ...]
    gains: tuple[int, ...]


def _scene_of(view: ThisTownView, draft: str) -> Scene:
    source, step = picked(view, draft)
    places = free_places(view.laid, source) if source else view.free
    effect: Effect | None = preview(view, step) if step else None
    fresh = [*enumerate(effect.towns, start=len(view.towns) + 1)] if effect else _just_closed(view)
    return Scene(
        laid=effect.laid if effect else view.laid,
        towns=(*view.towns, *(effect.towns if effect else ())),
        places=places,
        letters=view.movable if not source else (),
        lifted=source if not step else None,
        held=source,
        step=step,
        fresh=tuple(fresh),
        gains=tuple(sum(town.points[seat] for _n, town in fresh) for seat in range(view.seats)),
    )


def _just_closed(view: ThisTownView) -> list[tuple[int, Town]]:
    """The towns that the last answer closed, with their numbers."""
    return [
        (event.number, event.town)
        for event in view.events
        if isinstance(event, TownClosed) and event.turn == view.events[-1].turn
    ]


# The picture


def draw(view: ThisTownView, people: People, moves: tuple[str, ...] = (), draft: str = "") -> bytes:
    """The table as PNG; with a draft as it would be then.

    What is possible is public, so with `moves` nothing is added, but the map stays where it is from draft to draft.
    """
    scene = _scene_of(view, draft)
    cells = [tile.at for tile in scene.laid]
    layout = layout_of([tile.at for tile in view.laid], 1) if moves else layout_of(cells, RIM if scene.places else 0.1)
    canvas = desert().copy()
    _draw_scenery(canvas, layout, [*cells, *scene.places])
    lying = [tile for tile in scene.laid if tile.at != scene.lifted]
    draw_shadow(canvas, layout, [tile.at for tile in lying])
    draw_tiles(canvas, layout, lying, scene.towns, view.brands)
    _draw_marks(canvas, layout, scene, view)
    _draw_column(canvas, scene, view, people)
    return encode(canvas, GAME)


def _draw_scenery(canvas: Image.Image, layout: Layout, cells: Sequence[Cell]) -> None:
    corners = [layout.corner(cell) for cell in cells]
    for image, x, y, size in scenery():
        reach = size * 0.6
        if not any(
            left - reach < x < left + layout.size + reach and top - reach < y < top + layout.size + reach
            for left, top in corners
        ):
            stamp(canvas, image, x, y)


def _draw_marks(canvas: Image.Image, layout: Layout, scene: Scene, view: ThisTownView) -> None:
    """Numbers of places, letters of tiles, and the frame round the last tile."""
    size = layout.size
    disc = min(46, max(26, round(size * 0.36)))
    for number, cell in enumerate(scene.places, start=1):
        if scene.step and scene.step.at == cell:
            continue
        left, top = layout.corner(cell)
        right, bottom = min(left + size, COLUMN - MARGIN), min(top + size, HEIGHT - MARGIN)
        left, top = max(left, MARGIN), max(top, MARGIN)
        middle = (left + right) / 2, (top + bottom) / 2
        stamp(canvas, slot(right - left, bottom - top), *middle)
        stamp(canvas, marker(str(number), disc), *middle)
    if scene.lifted:
        stamp(canvas, slot(size, size), *layout.middle(scene.lifted))
    elif len(view.laid) > 1 or scene.step:
        stamp(canvas, frame(size, GOLD), *layout.middle(scene.laid[-1].at))
    for number, cell in enumerate(scene.letters):
        stamp(canvas, marker(letter_of(number), disc, square=True), *layout.middle(cell))
    tiles = {tile.at: tile for tile in scene.laid}
    shown = [number for number, _town in scene.fresh] or list(_deciding(view))
    for number in shown:
        plots = scene.towns[number - 1].plots
        stamp(canvas, pill(str(number), max(SMALL, round(size * 0.17)), CREAM), *seam(layout, tiles, plots))


def _deciding(view: ThisTownView) -> tuple[int, ...]:
    """The numbers of the towns that were looked at to break a tie for first place."""
    last = view.events[-1] if view.events else None
    return last.largest if isinstance(last, Ended) else ()


# The column beside the map


def _draw_column(canvas: Image.Image, scene: Scene, view: ThisTownView, people: People) -> None:
    """What is to be done, the scores, and the ranks in the towns that were just closed."""
    last = view.events[-1] if view.events else None
    if view.outcome:
        y = _draw_winners(canvas, MARGIN + 2, view, view.outcome.winners)
    else:
        y = _draw_task(canvas, MARGIN + 2, scene, view)
    order = [seat for level in last.ranking for seat in level] if isinstance(last, Ended) else range(view.seats)
    for seat in order:
        y = _draw_plate(canvas, y, seat, scene, view, people)
    y = _draw_nobodys(canvas, y, view.brands)
    if isinstance(last, Ended) and last.tied:
        y = _draw_note(canvas, y, tie_note(last))
    _draw_ranks(canvas, y, scene, view)


def _card(canvas: Image.Image, y: float, height: int, rim: Colour = BRASS, head: Colour | None = None) -> float:
    """A card in the column; returns where the next one begins."""
    stamp(canvas, panel(CARD, height, PAPER, rim, head, 38), CARD_LEFT + CARD / 2, y + height / 2)
    return y + height + 8


def _draw_task(canvas: Image.Image, y: float, scene: Scene, view: ThisTownView) -> float:
    """The tile to be placed or the silver to be used, large, and how many tiles are left."""
    look = BRAND_LOOKS[view.brands[view.waiting[0]]]
    below = _card(canvas, y, 274, GOLD, look.colour)
    silver = plural("Silver move", "{n} silver moves", view.owed)
    title = silver if view.owed else _("To place")
    fitted_text(canvas, CARD_LEFT + 18, y + 25, title, CARD - 36, (24, 22, 20, 18), look.letters, "lm")
    middle = CARD_LEFT + CARD / 2, y + 138
    held = next((tile for tile in view.laid if tile.at == scene.held), None)
    tile = view.drawn or (held.tile if held else None)
    if tile:
        turned = scene.step.turned if scene.step else held.turned if held else 0
        stamp(canvas, ground(LARGEST_TILE, 1), *middle)
        stamp(canvas, tile_face(LARGEST_TILE, tile, turned), *middle)
    else:
        stamp(canvas, silver_bar(150), *middle)
    left = plural("{n} tile left", "{n} tiles left", view.left)
    stamp(canvas, stack(26), CARD_LEFT + 40, y + 250)
    fitted_text(canvas, CARD_LEFT + 62, y + 252, left, CARD - 78, (24, 22, 20, 18), INK, "lm")
    return below


def _draw_winners(canvas: Image.Image, y: float, view: ThisTownView, winners: tuple[Seat, ...]) -> float:
    below = _card(canvas, y, 130, GOLD)
    stamp(canvas, picture("trophy", 96), CARD_LEFT + 62, y + 65)
    middle = CARD_LEFT + 176
    fitted_text(canvas, middle, y + 34, _("Game over"), CARD - 124, (24, 22, 20, 18))
    step = min(58, 132 // len(winners))
    for number, seat in enumerate(winners):
        x = middle + step * (number - (len(winners) - 1) / 2)
        stamp(canvas, brand_badge(view.brands[seat], min(54, step + 8)), x, y + 84)
    return below


def _draw_plate(canvas: Image.Image, y: float, seat: int, scene: Scene, view: ThisTownView, people: People) -> float:
    """A player: brand, name, points, and what the towns just closed bring; in the end the place."""
    winner = view.outcome is not None and seat in view.outcome.winners
    below = _card(canvas, y, 76, GOLD if winner or seat in view.waiting else BRASS)
    stamp(canvas, brand_badge(view.brands[seat], 56), CARD_LEFT + 40, y + 38)
    draw_name(canvas, CARD_LEFT + 76, y + 23, people[seat], CARD - 88)
    text(canvas, CARD_LEFT + CARD - 16, y + 52, str(view.scores[seat]), LARGE + 4, INK, "rm")
    last = view.events[-1] if view.events else None
    if isinstance(last, Ended):
        place = 1 + sum(len(level) for level in last.ranking[: _rank_in(last, seat)])
        text(canvas, CARD_LEFT + 76, y + 53, ordinal(place), MEDIUM, INK, "lm")
    elif scene.fresh and any(town.ranks[seat] for _number, town in scene.fresh):
        gain = pill(f"+{scene.gains[seat]}", MEDIUM, GOLD if scene.gains[seat] else PAPER)
        stamp(canvas, gain, CARD_LEFT + 70 + gain.width / 2, y + 53)
    return below


def _rank_in(end: Ended, seat: int) -> int:
    """Which level of the ranking the seat is in, from 0."""
    return next(number for number, level in enumerate(end.ranking) if seat in level)


def _draw_nobodys(canvas: Image.Image, y: float, brands: tuple[str, ...]) -> float:
    """The brands that belong to no player."""
    free = [brand for brand in BRANDS if brand not in brands]
    if not free:
        return y
    below = _card(canvas, y, 48)
    fitted_text(canvas, CARD_LEFT + 16, y + 25, _("Nobody's"), CARD - 60 - 38 * len(free), (20, 18), anchor="lm")
    for number, brand in enumerate(reversed(free)):
        stamp(canvas, brand_badge(brand, 34), CARD_LEFT + CARD - 28 - 40 * number, y + 24)
    return below


def _draw_note(canvas: Image.Image, y: float, words: str) -> float:
    lines = wrapped(words, 20, CARD - 32)
    below = _card(canvas, y, 20 + 27 * len(lines))
    paragraph(canvas, CARD_LEFT + 16, y + 24, words, 20, CARD - 32)
    return below


def _draw_ranks(canvas: Image.Image, y: float, scene: Scene, view: ThisTownView) -> None:
    """For every fresh town its number and size, and the ranked seats with their brands, ranks and points."""
    if not scene.fresh:
        return
    title = _("Would close") if scene.step else _("Just closed")
    text(canvas, CARD_LEFT + 4, y + 12, title, SMALL + 2, CREAM, "lm")
    y += 28
    roomy = (ROOMY + 8) * len(scene.fresh) <= HEIGHT - y
    for number, town in scene.fresh:
        below = _card(canvas, y, ROOMY if roomy else CROWDED, GOLD)
        label = pill(str(number), SMALL + 2, CREAM)
        if not roomy:
            stamp(canvas, label, CARD_LEFT + 26, y + CROWDED / 2)
            _draw_ranked(canvas, CARD_LEFT + 46, y + 4, CARD - 50, town, view.brands)
        else:
            stamp(canvas, label, CARD_LEFT + 26, y + 22)
            brands = plural("{n} brand", "{n} brands", town.size)
            text(canvas, CARD_LEFT + 48, y + 22, brands, SMALL + 2, INK, "lm", "bold")
            for bar in range(town.bars):
                stamp(canvas, silver_bar(30), CARD_LEFT + CARD - 26 - 22 * bar, y + 21)
            _draw_ranked(canvas, CARD_LEFT + 6, y + 40, CARD - 12, town, view.brands)
            for seat, x in _columns(CARD_LEFT + 6, CARD - 12, town):
                text(canvas, x, y + 110, ordinal(town.ranks[seat]), SMALL, INK, weight="bold")
        y = below


def _columns(left: float, width: float, town: Town) -> list[tuple[Seat, float]]:
    """The ranked seats from the first on, and the middle of the column that each has between these bounds."""
    ranked = sorted((rank, seat) for seat, rank in enumerate(town.ranks) if rank)
    each = width / max(3, len(ranked))
    return [(seat, left + each * (number + 0.5)) for number, (_rank, seat) in enumerate(ranked)]


def _draw_ranked(canvas: Image.Image, left: float, y: float, width: float, town: Town, brands: tuple[str, ...]) -> None:
    """The ranked brands with their numbers, and below them the points."""
    columns = _columns(left, width, town)
    if not columns:
        fitted_text(canvas, left + width / 2, y + 28, _("No player is in it"), width, (20, 18))
    for seat, x in columns:
        stamp(canvas, brand_badge(brands[seat], 28), x - 14, y + 14)
        text(canvas, x + 4, y + 15, str(town.brands[BRANDS.index(brands[seat])]), MEDIUM, INK, "lm")
        text(canvas, x, y + 43, f"+{town.points[seat]}", MEDIUM)
