"""What This Town says: the table, its events and its result in words, and the map in letters."""

from __future__ import annotations

from string import ascii_letters, ascii_uppercase

from bot.locales import _, and_list, plural
from bot.rules.this_town import (
    BRANDS,
    SIDES,
    TILES,
    Area,
    Cell,
    Ended,
    Happening,
    Kept,
    MoveLapsed,
    Placed,
    Relocated,
    Section,
    ThisTownView,
    Town,
    TownClosed,
    areas_of,
    free_places,
    neighbours,
    town_of,
)
from renderers.people import People


def _brand_name(brand: str) -> str:
    return {
        "bell": _("Blue Bell"),
        "arrow": _("Broken Arrow"),
        "bull": _("Green Bull"),
        "sunrise": _("Sunrise"),
    }[brand]


def _short_name(brand: str) -> str:
    return {"bell": _("bell"), "arrow": _("arrow"), "bull": _("bull"), "sunrise": _("sunrise")}[brand]


def ordinal(rank: int) -> str:
    return (_("1st"), _("2nd"), _("3rd"), _("4th"))[rank - 1]


def letter_of(number: int) -> str:
    """The letter of the movable tile with that number, from 0."""
    return ascii_uppercase[number]


def tie_note(end: Ended) -> str:
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
        _("{rank} {who} +{points}", rank=ordinal(rank), who=people[seat], points=town.points[seat])
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
    return f"{won} {tie_note(end)}" if end.tied else won


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


def _section_in_words(section: Section, sides: tuple[int, ...]) -> str:
    things = [
        _("{n} {brand}", n=count, brand=_brand_name(brand))
        for brand, count in zip(BRANDS, section.brands, strict=True)
        if count
    ]
    if section.bars:
        things.append(plural("{n} silver bar", "{n} silver bars", section.bars))
    return f"{' '.join(SIDES[side] for side in sides)}: {', '.join(things)}"


def _tile_in_words(tile: str, turned: int) -> str:
    """The sections of a tile as it lies: the sides each touches, and what is in it."""
    printed = TILES[tile]
    return "; ".join(
        _section_in_words(section, printed.sides_of(number, turned)) for number, section in enumerate(printed.sections)
    )


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
