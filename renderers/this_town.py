"""How This Town looks, reads and is told."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters, ascii_uppercase

from PIL import Image, ImageDraw

from bot.locales import _, and_list, plural
from bot.rules.base import Seat
from bot.rules.this_town import (
    BRANDS,
    SIDES,
    TILES,
    Area,
    Cell,
    Effect,
    Ended,
    Happening,
    Kept,
    Laid,
    MoveLapsed,
    Placed,
    Plot,
    Relocated,
    Step,
    ThisTownView,
    Town,
    TownClosed,
    areas_of,
    free_places,
    neighbours,
    picked,
    preview,
    town_of,
)
from renderers.canvas import (
    HEIGHT,
    WIDTH,
    Point,
    encode,
    fitted_text,
    panel,
    paragraph,
    picture,
    pill,
    stamp,
    text,
    wrapped,
)
from renderers.names import draw_name
from renderers.people import People
from renderers.theme import CREAM, GOLD, INK, LARGE, MEDIUM, SMALL, Colour
from renderers.this_town_sprites import (
    BRAND_LOOKS,
    COLUMN,
    Part,
    brand_badge,
    claimed,
    desert,
    face,
    frame,
    ground,
    marker,
    scenery,
    section_mask,
    silver_bar,
    slot,
    spots,
    stack,
)

GAME = "this_town"

MARGIN = 12
LARGEST_TILE, SMALLEST_TILE = 176, 28
RIM = 0.56
"""How much of a free place at the edge of the map is shown at least, in tiles."""

ALONG = (-0.3, -0.15, 0, 0.15, 0.3)
"""Where on an edge the number of a town may stand, in tiles from its middle."""

SHADOW: tuple[tuple[int, Colour], ...] = ((11, (128, 74, 44)), (7, (112, 63, 36)), (3, (92, 50, 27)))
"""How far each ring of the map's shadow reaches, in pixels, and its colour."""

CARD = WIDTH - COLUMN - 28
"""The width of the cards in the column."""
CARD_LEFT = COLUMN + 17
ROOMY, CROWDED = 126, 64
"""The heights of the cards of towns: with all there is to say, or without their size and the ranks in words."""
PAPER: Colour = (247, 231, 198)
BRASS: Colour = (176, 126, 74)


def _brand_name(brand: str) -> str:
    return {
        "bell": _("Blue Bell"),
        "arrow": _("Broken Arrow"),
        "bull": _("Green Bull"),
        "sunrise": _("Sunrise"),
    }[brand]


def _short_name(brand: str) -> str:
    return {"bell": _("bell"), "arrow": _("arrow"), "bull": _("bull"), "sunrise": _("sunrise")}[brand]


def _ordinal(rank: int) -> str:
    return (_("1st"), _("2nd"), _("3rd"), _("4th"))[rank - 1]


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


# Where everything is


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


def _layout_of(cells: Sequence[Cell], rim: float) -> Layout:
    """The largest tiles with which these fit beside the column, and so much of a tile on every side."""
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


# The picture


def draw(view: ThisTownView, people: People, moves: tuple[str, ...] = (), draft: str = "") -> bytes:
    """The table as PNG; with a draft as it would be then.

    What is possible is public, so with `moves` nothing is added, but the map stays where it is from draft to draft.
    """
    scene = _scene_of(view, draft)
    cells = [tile.at for tile in scene.laid]
    if moves:
        layout = _layout_of([tile.at for tile in view.laid], 1)
    else:
        layout = _layout_of(cells, RIM if scene.places else 0.1)
    canvas = desert().copy()
    _draw_scenery(canvas, layout, [*cells, *scene.places])
    _draw_shadow(canvas, layout, [cell for cell in cells if cell != scene.lifted])
    _draw_tiles(canvas, layout, scene, view.brands)
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


def _draw_shadow(canvas: Image.Image, layout: Layout, cells: Sequence[Cell]) -> None:
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


def _draw_tiles(canvas: Image.Image, layout: Layout, scene: Scene, brands: tuple[str, ...]) -> None:
    """Sand first, then claimed ground, then fences and brands, so that nothing is cut off by a neighbour."""
    size = layout.size
    tiles = {tile.at: tile for tile in scene.laid if tile.at != scene.lifted}
    for x, y in tiles:
        canvas.paste(_sand(size, (x * 5 + y * 3) % 7), layout.corner((x, y)))
    for town in scene.towns:
        land = claimed(size, tuple(brands[seat] for seat in town.leaders))
        for x, y, section in town.plots:
            tile = tiles[x, y]
            mask = section_mask(size, TILES[tile.tile].sides_of(section, tile.turned))
            canvas.paste(land, layout.corner((x, y)), mask)
    for cell, tile in tiles.items():
        stamp(canvas, _tile_face(size, tile.tile, tile.turned), *layout.middle(cell))


@lru_cache(64)
def _sand(size: int, variant: int) -> Image.Image:
    """The bare sand of a tile, with the map's shadow where its corners are round."""
    flat = Image.new("RGB", (size, size), SHADOW[-1][1])
    stamp(flat, ground(size, variant), size / 2, size / 2)
    return flat


@lru_cache(512)
def _tile_face(size: int, tile: str, turned: int) -> Image.Image:
    return face(size, _fences_of(tile, turned), _parts_of(tile, turned))


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
        stamp(canvas, pill(str(number), max(SMALL, round(size * 0.17)), CREAM), *_seam(layout, tiles, plots))


def letter_of(number: int) -> str:
    """The letter of the movable tile with that number, from 0."""
    return ascii_uppercase[number]


def _deciding(view: ThisTownView) -> tuple[int, ...]:
    """The numbers of the towns that were looked at to break a tie for first place."""
    last = view.events[-1] if view.events else None
    return last.largest if isinstance(last, Ended) else ()


def _seam(layout: Layout, tiles: Mapping[Cell, Laid], plots: tuple[Plot, ...]) -> tuple[float, float]:
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
        y = _draw_note(canvas, y, _tie_note(last))
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
        stamp(canvas, _tile_face(LARGEST_TILE, tile, turned), *middle)
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
        text(canvas, CARD_LEFT + 76, y + 53, _ordinal(place), MEDIUM, INK, "lm")
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
                text(canvas, x, y + 110, _ordinal(town.ranks[seat]), SMALL, INK, weight="bold")
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


# Words


def _tie_note(end: Ended) -> str:
    """How a tie for first place was settled, without names."""
    points = end.scores[end.tied[0]]
    if not end.largest:
        return _("Level at {points}, and no town to decide: the win is shared.", points=points)
    towns = and_list([str(number) for number in end.largest])
    if len(end.ranking[0]) == 1:
        return plural(
            "Level at {points}: being 1st in town {towns}, the one with most brands, decided.",
            "Level at {points}: being 1st in one of the towns {towns} with most brands decided.",
            len(end.largest),
            points=points,
            towns=towns,
        )
    return plural(
        "Level at {points}, and town {towns}, the one with most brands, does not decide: the win is shared.",
        "Level at {points}, and the towns {towns} with most brands do not decide: the win is shared.",
        len(end.largest),
        points=points,
        towns=towns,
    )


def tell(event: Happening, people: People) -> str:
    """One sentence for one event, the names emphasised."""
    return _sentence(event, People(tuple(f"**{name}**" for name in people.names), people.quote))


def _sentence(event: Happening, people: People) -> str:
    match event:
        case Placed():
            return _("{who} places a tile at {at}.", who=people[event.seat], at=_place(event.at))
        case Relocated():
            return _(
                "{who} moves the tile at {source} to {at}.",
                who=people[event.seat],
                source=_place(event.source),
                at=_place(event.at),
            )
        case TownClosed():
            return _(
                "{who} closes town {number} with {brands}{silver}: {ranks}.",
                who=people[event.seat],
                number=event.number,
                brands=plural("{n} brand", "{n} brands", event.town.size),
                silver=_(" and silver") if event.town.bars else "",
                ranks=_ranks_in_words(event.town, people),
            )
        case Kept():
            return _("{who} leaves the map as it is.", who=people[event.seat])
        case MoveLapsed():
            return _("No tile may be moved, so the silver is of no use to {who}.", who=people[event.seat])
        case Ended():
            return _("All tiles are placed.")


def _place(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _ranks_in_words(town: Town, people: People) -> str:
    ranked = sorted((rank, seat) for seat, rank in enumerate(town.ranks) if rank)
    return ", ".join(
        _("{rank} {who} +{points}", rank=_ordinal(rank), who=people[seat], points=town.points[seat])
        for rank, seat in ranked
    ) or _("no player is in it")


def _result(end: Ended, people: People) -> str:
    best = end.ranking[0]
    who = and_list([people[seat] for seat in best])
    points = plural("{n} point", "{n} points", end.scores[best[0]])
    if len(best) == 1:
        won = _("{who} wins with {points}.", who=who, points=points)
    else:
        won = _("{who} share the win with {points}.", who=who, points=points)
    return f"{won} {_tie_note(end)}" if end.tied else won


def ask(view: ThisTownView, people: People) -> str:
    """What is being asked now."""
    last = view.events[-1] if view.events else None
    if isinstance(last, Ended):
        return _result(last, people)
    who = people[view.waiting[0]]
    if view.owed:
        return plural(
            "{who} may move a tile for the silver.", "{who} may move a tile for the silver, {n} times.",
            view.owed, who=who,
        )  # fmt: skip
    if not view.left:
        return _("{who} is to place the last tile.", who=who)
    return plural(
        "{who} is to place a tile; {n} more is left.",
        "{who} is to place a tile; {n} more are left.",
        view.left,
        who=who,
    )


def _section_in_words(part: Part) -> str:
    sides = " ".join(SIDES[side] for side in part.sides)
    things = [
        _("{n} {brand}", n=part.brands.count(brand), brand=_brand_name(brand))
        for brand in BRANDS
        if brand in part.brands
    ]
    if part.bars:
        things.append(plural("{n} silver bar", "{n} silver bars", part.bars))
    return f"{sides}: {', '.join(things)}"


def _tile_in_words(tile: str, turned: int) -> str:
    """The sections of a tile as it lies: the sides each touches, and what is in it."""
    return "; ".join(_section_in_words(part) for part in _parts_of(tile, turned))


def _counts_in_words(town: Town) -> str:
    """How many of each brand and of bars are in a town or area."""
    counts = zip(BRANDS, town.brands, strict=True)
    things = [_("{n} {brand}", n=count, brand=_short_name(brand)) for brand, count in counts if count]
    if town.bars:
        things.append(plural("{n} silver bar", "{n} silver bars", town.bars))
    return ", ".join(things)


def _open_areas(view: ThisTownView) -> list[Area]:
    """The areas with open sides, from the north and each row from the west: a to z, then A to Z (40 is the most)."""
    areas = [area for area, gaps in areas_of(view.laid, view.laid) if gaps]
    return sorted(areas, key=lambda area: min((y, x, number) for x, y, number in area))


def _places_beside(view: ThisTownView, area: Area) -> str:
    """The free places into which the open sides of an area lead, by number while places are numbered."""
    tiles = {tile.at: tile for tile in view.laid}
    beside = {
        neighbours((x, y))[side]
        for x, y, number in area
        for side in TILES[tiles[x, y].tile].sides_of(number, tiles[x, y].turned)
    }
    places = [cell for cell in free_places(view.laid) if cell in beside]
    return " ".join(str(view.free.index(cell) + 1) if view.free else _place(cell) for cell in places)


def text_map(view: ThisTownView) -> str:
    """The map in letters, as `map_key` says: a row a line from the north, the first with the coordinates x."""
    letters = {plot: letter for letter, area in zip(ascii_letters, _open_areas(view), strict=False) for plot in area}
    entries = {
        (x, y): "".join(letters.get((x, y, TILES[tile.tile].section_at(side, tile.turned)), "#") for side in range(4))
        for tile in view.laid
        for x, y in [tile.at]
    }
    entries[view.laid[-1].at] += "*"
    entries |= {cell: f"({number})" for number, cell in enumerate(view.free, start=1)}
    xs, ys = sorted({x for x, _y in entries}), sorted({y for _x, y in entries})
    head = "".join(str(x).rjust(6) for x in xs)
    rows = [str(y).rjust(3) + "".join(entries.get((x, y), ".").rjust(6) for x in xs).rstrip() for y in ys]
    return "\n".join([" " * 3 + head, *rows])


def map_key() -> str:
    """How to read `text_map`."""
    return _(
        "a tile is its four sides, north, east, south, west: a letter for an open area, # for a town; the last tile"
        " has a *, free places are numbers in brackets."
    )


def summary(view: ThisTownView, people: People) -> str:
    """What is asked, the scores, what just happened, the open areas and the towns, in words."""
    lines = [ask(view, people)]
    lines.append(
        _(
            "Scores: {scores}.",
            scores=", ".join(
                _("{who} ({brand}) {points}", who=people[seat], brand=_brand_name(brand), points=view.scores[seat])
                for seat, brand in enumerate(view.brands)
            ),
        )
    )
    free = [_brand_name(brand) for brand in BRANDS if brand not in view.brands]
    if free:
        lines.append(_("Brands of nobody: {brands}.", brands=and_list(free)))
    if view.drawn:
        lines.append(_("Drawn tile, unturned: {sections}.", sections=_tile_in_words(view.drawn, 0)))
    latest = [event for event in view.events if event.turn == view.events[-1].turn]
    lines += [_sentence(event, people) for event in latest if not isinstance(event, Ended)]
    if view.movable:
        tiles = "; ".join(f"{letter_of(number)}: {_place(cell)}" for number, cell in enumerate(view.movable))
        lines.append(_("Tiles that may be moved: {tiles}.", tiles=tiles))
    areas = _open_areas(view)
    if areas:
        lines.append(_("Open areas, each with the free places beside it:"))
    for letter, area in zip(ascii_letters, areas, strict=False):
        things = _counts_in_words(town_of(area, view.brands))
        lines.append(
            _("{letter} ({places}): {things}", letter=letter, places=_places_beside(view, area), things=things)
        )
    for number, town in enumerate(view.towns, start=1):
        lines.append(
            _(
                "Town {number}: {things} ({ranks})",
                number=number,
                things=_counts_in_words(town),
                ranks=_ranks_in_words(town, people),
            )
        )
    return "\n".join(lines)


def describe(view: ThisTownView, people: People) -> str:
    """Everything that can be seen, in words: the summary, then the whole map."""
    lines = [summary(view, people)]
    if view.free:
        places = "; ".join(f"{number}: {_place(cell)}" for number, cell in enumerate(view.free, start=1))
        lines.append(_("Free places (x to the east, y to the south): {places}.", places=places))
    lines += [_("Map, where {key}", key=map_key()), text_map(view), _("Tiles:")]
    lines += [f"{_place(tile.at)}: {_tile_in_words(tile.tile, tile.turned)}" for tile in view.laid]
    return "\n".join(lines)
