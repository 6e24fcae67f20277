"""How Two by Two looks, reads and is told."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from bot.locales import _, and_list, plural
from bot.rules.two_by_two import (
    BEACH,
    BERTHS,
    LAND,
    NEIGHBOURS,
    PLACES,
    SEA,
    SPECIES,
    STARS,
    Berthed,
    CoastRevealed,
    Column,
    Flooded,
    GameEnded,
    Happening,
    Passed,
    Rescued,
    Sailed,
    TookBack,
    TwoByTwoView,
)
from renderers import two_by_two_art as art
from renderers.canvas import (
    HEIGHT,
    WIDTH,
    Brush,
    badge,
    encode,
    fitted_text,
    mix,
    panel,
    picture,
    pill,
    sprite,
    stamp,
    text,
)
from renderers.names import draw_name, name_sprite
from renderers.people import People
from renderers.theme import (
    CREAM,
    GOLD,
    INK,
    LOOKS,
    SEA_DEEP,
    SEA_SHALLOW,
    WOOD,
    WOOD_DARK,
    WOOD_LIGHT,
    Colour,
)

# Words


def one(kind: str) -> str:
    """One of that kind."""
    return {
        "lion": _("a lion"),
        "elephant": _("an elephant"),
        "giraffe": _("a giraffe"),
        "tiger": _("a tiger"),
        "zebra": _("a zebra"),
        "crocodile": _("a crocodile"),
        "monkey": _("a monkey"),
        "rhino": _("a rhino"),
        "penguin": _("a penguin"),
        "panda": _("a panda"),
        "turtle": _("a turtle"),
        "kangaroo": _("a kangaroo"),
        "unicorn": _("a unicorn"),
        "fishbone": _("a fishbone"),
    }[kind]


def many(kind: str) -> str:
    """Several of that kind."""
    return {
        "lion": _("lions"),
        "elephant": _("elephants"),
        "giraffe": _("giraffes"),
        "tiger": _("tigers"),
        "zebra": _("zebras"),
        "crocodile": _("crocodiles"),
        "monkey": _("monkeys"),
        "rhino": _("rhinos"),
        "penguin": _("penguins"),
        "panda": _("pandas"),
        "turtle": _("turtles"),
        "kangaroo": _("kangaroos"),
        "unicorn": _("unicorns"),
        "fishbone": _("fishbones"),
    }[kind]


def _colour(seat: int) -> str:
    return (_("red"), _("navy"), _("sky blue"), _("yellow"))[seat]


def tell(event: Happening, people: People) -> str:
    """What happened, in one or two sentences."""
    match event:
        case Berthed(seat=seat, berth=berth, space=space):
            return _("**{who}** moors at {berth} ({space}).", who=people[seat], berth=berth, space=space)
        case CoastRevealed():
            return plural(
                "The coast: {n} token is turned up.", "The coast: {n} tokens are turned up.", len(event.revealed)
            )
        case Flooded():
            return _tell_flood(event, people)
        case Sailed(seat=seat, space=space):
            return _("**{who}** sails to {space}.", who=people[seat], space=space)
        case Rescued(seat=seat, species=species, spaces=(one, other)):
            return _(
                "**{who}** rescues the {animals} from {one} and {other}.",
                who=people[seat],
                animals=many(species),
                one=one,
                other=other,
            )
        case TookBack(seat=seat):
            return _("**{who}** takes that back.", who=people[seat])
        case Passed(seat=seat, spared=spared):
            return plural(
                "**{who}** ends the turn with {n} action to spare.",
                "**{who}** ends the turn with {n} actions to spare.",
                spared,
                who=people[seat],
            )
        case GameEnded(water_ran_out=True):
            return _("The water has run out, and the pairs are counted.")
        case GameEnded():
            return _("No pair is left on the island, and the pairs on the arks are counted.")


def _tell_flood(event: Flooded, people: People) -> str:
    who, space = people[event.seat], event.space
    if event.drowned:
        told = plural(
            "**{who}** floods {space} for {n} point and washes away {animal}.",
            "**{who}** floods {space} for {n} points and washes away {animal}.",
            event.points,
            who=who,
            space=space,
            animal=one(event.drowned),
        )
    else:
        told = plural(
            "**{who}** floods {space} for {n} point.",
            "**{who}** floods {space} for {n} points.",
            event.points,
            who=who,
            space=space,
        )
    if not event.revealed:
        return told
    found = [_("{animal} at {space}", animal=one(kind), space=near) for near, kind in event.revealed.items()]
    return told + " " + _("Turned up: {animals}.", animals=and_list(found))


def ask(view: TwoByTwoView, people: People) -> str:
    """Who is asked for what, or who has won."""
    if view.ended:
        return _tell_winners(view.ended, people)
    who = people[view.waiting[0]]
    if view.berths:
        return _("{who} chooses an ark space: {berths}.", who=who, berths=", ".join(view.berths))
    if view.actions == 0:
        return _("{who} floods a space next to the water.", who=who)
    return plural(
        "{who} has {n} action left: sail, rescue a pair, or be done.",
        "{who} has {n} actions left: sail, rescue pairs, or be done.",
        view.actions,
        who=who,
    )


def _tell_winners(ended: GameEnded, people: People) -> str:
    points = max(ended.totals)
    winners = and_list([people[seat] for seat in ended.winners])
    if len(ended.winners) > 1:
        return plural(
            "{who} share the win with {n} point.", "{who} share the win with {n} points.", points, who=winners
        )
    if ended.totals.count(points) > 1:
        return plural(
            "{who} wins with {n} point, by the animals on board.",
            "{who} wins with {n} points, by the animals on board.",
            points,
            who=winners,
        )
    return plural("{who} wins with {n} point.", "{who} wins with {n} points.", points, who=winners)


def describe(view: TwoByTwoView, people: People) -> str:
    """The whole position in words, what matters most first."""
    lines = [_("Two by Two, {count}.", count=_count_name(view)) + " " + ask(view, people)]
    lines.append(
        plural("{n} water token is left", "{n} water tokens are left", view.water)
        + ", "
        + plural("{n} animal token lies face down.", "{n} animal tokens lie face down.", len(view.face_down))
    )
    lines += [_describe_seat(view, people, seat) for seat in range(view.seats)]
    lines += _describe_choices(view)
    kinds = {kind: [s for s in LAND if view.face_up.get(s) == kind] for kind in (*SPECIES, "fishbone")}
    face_up = [_("{animals} {spaces}", animals=many(k), spaces=", ".join(at)) for k, at in kinds.items() if at]
    if face_up:
        lines.append(_("Face up: {animals}.", animals="; ".join(face_up)))
    if view.face_down:
        lines.append(_("Face down: {spaces}.", spaces=_ranges(view.face_down)))
    empty = [space for space in LAND if not {space} & {*view.face_down, *view.face_up, *view.flooded}]
    if empty:
        lines.append(_("Empty land: {spaces}.", spaces=_ranges(empty)))
    if view.flooded:
        lines.append(_("Flooded: {spaces}.", spaces=", ".join(view.flooded)))
    return "\n".join(lines)


def _count_name(view: TwoByTwoView) -> str:
    return _("advanced count") if view.count == "advanced" else _("basic count")


def _describe_seat(view: TwoByTwoView, people: People, seat: int) -> str:
    """The points, place and load of one ark."""
    told = plural(
        "{who} ({colour}): {n} point",
        "{who} ({colour}): {n} points",
        view.points[seat],
        who=people[seat],
        colour=_colour(seat),
    )
    if seat < len(view.arks):
        told += ", " + _("ark at {space}", space=view.arks[seat])
    columns = [column for column in view.columns if column.pairs[seat]]
    pairs = [
        _("{animals} ×{pairs} ({points})", animals=many(c.species), pairs=c.pairs[seat], points=c.points[seat])
        for c in columns
    ]
    told += "; " + _("aboard: {pairs}", pairs=", ".join(pairs) or _("nothing"))
    if view.ended:
        told += "; " + _("{points} of them on the track", points=view.ended.track[seat])
    elif pairs:
        told += "; " + _("worth {points} more so far", points=sum(column.points[seat] for column in columns))
    stars = [many(species) for species in SPECIES if species in STARS[seat]]
    return told + "; " + _("doubles {animals}.", animals=and_list(stars))


def _describe_choices(view: TwoByTwoView) -> list[str]:
    """What the seat to move may do."""
    lines: list[str] = []
    if view.floods:
        floods = [
            _("{space} ({points}, {animal})", space=space, points=flood.points, animal=one(flood.drowned))
            if flood.drowned
            else _("{space} ({points})", space=space, points=flood.points)
            for space, flood in view.floods.items()
        ]
        lines.append(_("May be flooded, with points: {spaces}.", spaces=", ".join(floods)))
    if view.sails:
        lines.append(_("The ark may sail to {spaces}.", spaces=", ".join(view.sails)))
    if view.rescues:
        pairs = [
            _("{animals} {one} and {other}", animals=many(view.face_up[one]), one=one, other=other)
            for one, other in view.rescues
        ]
        lines.append(_("May be rescued: {pairs}.", pairs="; ".join(pairs)))
    return lines


def _ranges(spaces: Sequence[str]) -> str:
    """Spaces in reading order, neighbours of one row drawn together: `C4-C6, D3`."""
    runs: list[list[str]] = []
    for space in spaces:
        if runs and space[0] == runs[-1][-1][0] and int(space[1:]) == int(runs[-1][-1][1:]) + 1:
            runs[-1].append(space)
        else:
            runs.append([space])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


# Geometry, in pixels

DOWN = 1.5 * art.RADIUS
CENTRES = {
    space: (WIDTH / 2 + across * art.ACROSS / 2, HEIGHT / 2 + down * DOWN) for space, (across, down) in PLACES.items()
}

TRACK_WIDTH = 46
TRACK_STEP = HEIGHT / 25
LAP = 50

PANEL_WIDTH, PANEL_HEIGHT = 282, 137
CELL_WIDTH, CELL_HEIGHT = 39, 43
PANELS = (
    (TRACK_WIDTH + 10, 9),
    (WIDTH - TRACK_WIDTH - 10 - PANEL_WIDTH, 9),
    (WIDTH - TRACK_WIDTH - 10 - PANEL_WIDTH, HEIGHT - 9 - PANEL_HEIGHT),
    (TRACK_WIDTH + 10, HEIGHT - 9 - PANEL_HEIGHT),
)
"""The upper left corners of the seats' panels, clockwise."""


def draw(view: TwoByTwoView, people: People, moves: Sequence[str] = (), draft: str = "") -> bytes:
    """The board as a PNG; with `moves` it marks what the seat may do, and what the draft would do."""
    canvas = _island(frozenset(view.flooded)).copy()
    _draw_tokens(canvas, view)
    if not view.ended:
        _draw_latest(canvas, view)
    if moves:
        _draw_choices(canvas, view, draft)
    _draw_names(canvas, view, bool(moves), draft)
    _draw_arks(canvas, view)
    if view.ended:
        canvas = Image.blend(canvas, Image.new("RGB", canvas.size, SEA_DEEP), 0.45)
    for seat in range(view.seats):
        _draw_panel(canvas, view, people, seat)
    _draw_track(canvas, view)
    if view.ended:
        _draw_count(canvas, view, view.ended, people)
    else:
        _draw_stock(canvas, view)
    return encode(canvas, "two_by_two")


# The sea and the island


@lru_cache(1)
def _sea() -> Image.Image:
    """All that never changes: the water, the names of the sea spaces, the ark spaces and the track."""
    depth = Image.radial_gradient("L").resize((round(WIDTH * 1.3), round(HEIGHT * 1.34)))
    left, top = (depth.width - WIDTH) // 2, (depth.height - HEIGHT) // 2
    depth = depth.crop((left, top, left + WIDTH, top + HEIGHT))
    # Steps instead of a smooth gradient keep the file small.
    steps = 11
    depth = depth.point([min(255, round(round(v / 255 * steps) * 255 // steps * 1.18)) for v in range(256)])
    canvas = Image.composite(
        Image.new("RGB", (WIDTH, HEIGHT), SEA_DEEP),
        Image.new("RGB", (WIDTH, HEIGHT), SEA_SHALLOW),
        depth.filter(ImageFilter.GaussianBlur(0.8)),
    )
    rng = Random(7)
    for _wave in range(90):
        x, y = rng.uniform(70, WIDTH - 70), rng.uniform(10, HEIGHT - 10)
        if min(math.dist((x, y), centre) for centre in CENTRES.values()) > 52:
            stamp(canvas, art.wave(), x, y)
    for space in SEA:
        stamp(canvas, art.sea_tile(space in BERTHS.values()), *CENTRES[space])
        stamp(canvas, art.written(space, mix(SEA_SHALLOW, (255, 255, 255), 0.8)), *CENTRES[space])
    _draw_track_boards(canvas)
    return canvas


@lru_cache(8)
def _island(flooded: frozenset[str]) -> Image.Image:
    """The sea and the land that is left; the coast makes itself of cells painted ring by ring."""
    canvas = _sea().copy()
    land = [space for space in LAND if space not in flooded]
    coast = [space for space in land if any(near in SEA or near in flooded for near in NEIGHBOURS[space])]
    for space in sorted(flooded):
        stamp(canvas, art.flooded_tile(), *CENTRES[space])
    for ring in range(4):
        for space in coast:
            stamp(canvas, art.shore(ring), *CENTRES[space])
    for water in flooded.union(near for space in coast for near in NEIGHBOURS[space]):
        if water in SEA or water in flooded:
            stamp(canvas, art.written(water, CREAM, outline=art.WATER_INK), *CENTRES[water])
    for space in land:
        across, down = PLACES[space]
        stamp(canvas, art.ground((across // 2 * 7 + down * 4) % 9, space in BEACH), *CENTRES[space])
    return canvas


# Tokens


def _draw_tokens(canvas: Image.Image, view: TwoByTwoView) -> None:
    for space in view.face_down:
        stamp(canvas, art.face_down(space), *CENTRES[space])
    for space, kind in view.face_up.items():
        x, y = CENTRES[space]
        stamp(canvas, art.face_up(kind), x, y - 4)


def _draw_names(canvas: Image.Image, view: TwoByTwoView, planning: bool, draft: str) -> None:
    """The names on land, golden where a flood may fall; for a planner golden names on all it may choose."""
    rescuable = {space for pair in _open_pairs(view, draft) for space in pair} if planning else set[str]()
    for space in LAND:
        x, y = CENTRES[space]
        if space in view.face_down or space in view.flooded or draft == f"flood {space}":
            continue
        if space in view.floods:
            stamp(canvas, art.tag(space, GOLD, points=view.floods[space].points if planning else 0), x, y + 24)
        elif space in view.face_up:
            stamp(canvas, art.tag(space, GOLD if space in rescuable else CREAM), x, y + 24)
        elif space in BEACH:
            stamp(canvas, art.written(space, WOOD_DARK), x, y + 23)
        else:
            stamp(canvas, art.written(space, CREAM, outline=(38, 98, 60)), x, y)
    for space in view.sails if planning else ():
        x, y = CENTRES[space]
        stamp(canvas, art.tag(space, GOLD), x, y + (27 if draft == f"sail {space}" else 0))
    for berth in view.berths:
        x, y = CENTRES[BERTHS[berth]]
        label = pill(berth, 24, GOLD if planning else CREAM)
        stamp(canvas, label, x, y + (27 if draft == f"berth {berth}" else 0))


# What happened last


def _standing(events: Sequence[Happening]) -> list[Happening]:
    """The events without actions that were taken back."""
    standing: list[Happening] = []
    for event in events:
        if isinstance(event, TookBack):
            standing.pop()
        else:
            standing.append(event)
    return standing


def _draw_latest(canvas: Image.Image, view: TwoByTwoView) -> None:
    """The latest turn: the flood with its points, what it turned up, the way of the ark and the rescued pairs."""
    for event in _standing(view.latest):
        match event:
            case Flooded(seat=seat, space=space):
                _draw_flooded(canvas, space, event.drowned, LOOKS[seat].colour)
                for revealed in event.revealed:
                    x, y = CENTRES[revealed]
                    stamp(canvas, art.ring((255, 255, 255), 63, 3), x, y - 4)
            case Sailed(seat=seat):
                _draw_way(canvas, event.origin, event.space, LOOKS[seat].colour)
            case Rescued(seat=seat):
                for space in event.spaces:
                    x, y = CENTRES[space]
                    stamp(canvas, art.shade(event.species, 42, (20, 58, 36), 0.75), x, y - 6)
                    stamp(canvas, badge(seat, 25), x + 22, y - 15)
            case _:
                pass


def _draw_flooded(canvas: Image.Image, space: str, drowned: str | None, border: Colour) -> None:
    """A space under water with the animal that drowns there."""
    x, y = CENTRES[space]
    stamp(canvas, art.flooded_tile(), x, y)
    if drowned:
        stamp(canvas, art.shade(drowned, 42, art.DROWNED, 0.55), x, y - 4)
    stamp(canvas, art.written(space, CREAM, outline=art.WATER_INK), x, y + 17)
    stamp(canvas, art.outline(border), x, y)


def _draw_points(canvas: Image.Image, view: TwoByTwoView, space: str, points: int, seat: int) -> None:
    """The points of a flood, beside the ark if one has sailed there."""
    x, y = CENTRES[space]
    aside = 25 if space in view.arks else 0
    stamp(canvas, pill(f"+{points}", 20, LOOKS[seat].colour, LOOKS[seat].letters), x + aside, y - 15)


def _draw_way(canvas: Image.Image, origin: str, space: str, colour: Colour) -> None:
    """Dots from one space to another."""
    (x, y), (to_x, to_y) = CENTRES[origin], CENTRES[space]
    for part in (0.05, 0.25, 0.45, 0.65, 0.85):
        stamp(canvas, art.dot(colour), x + (to_x - x) * part, y + (to_y - y) * part)


# Arks


def _draw_arks(canvas: Image.Image, view: TwoByTwoView) -> None:
    for seat, space in enumerate(view.arks):
        x, y = CENTRES[space]
        look = LOOKS[seat]
        stamp(canvas, art.ark(seat), x, y - 7)
        stamp(canvas, art.tag(space, look.colour, look.letters), x, y + 27)
    for event in view.latest:
        if isinstance(event, Flooded) and not view.ended:
            _draw_points(canvas, view, event.space, event.points, event.seat)


# Choices of a planner


def _open_pairs(view: TwoByTwoView, draft: str) -> list[tuple[str, str]]:
    """The pairs that may be rescued; once one animal is picked, those with it."""
    verb, *picked = draft.split(" ")
    return [pair for pair in view.rescues if verb != "rescue" or set(picked) <= set(pair)]


def _draw_choices(canvas: Image.Image, view: TwoByTwoView, draft: str) -> None:
    """What a planner may choose, and its draft as if it were played."""
    seat = view.waiting[0]
    for space in view.sails:
        stamp(canvas, art.outline(GOLD), *CENTRES[space])
    for space in {space for pair in _open_pairs(view, draft) for space in pair}:
        x, y = CENTRES[space]
        stamp(canvas, art.ring(GOLD, 66, 6), x, y - 4)
    match draft.split(" "):
        case ["berth", berth] if berth in view.berths:
            x, y = CENTRES[BERTHS[berth]]
            stamp(canvas, art.ark(seat, 0.75), x, y - 7)
        case ["row", letter]:
            for space in view.floods:
                if space[0] == letter:
                    stamp(canvas, art.outline(GOLD), *CENTRES[space])
        case ["flood", space] if space in view.floods:
            _draw_flood_preview(canvas, view, space)
        case ["sail", space] if space in view.sails:
            _draw_way(canvas, view.arks[seat], space, LOOKS[seat].colour)
            stamp(canvas, art.ark(seat, 0.75), CENTRES[space][0], CENTRES[space][1] - 14)
        case ["rescue", *spaces]:
            for space in spaces:
                if space in view.face_up:
                    stamp(canvas, badge(seat, 30), CENTRES[space][0] + 21, CENTRES[space][1] - 24)
        case _:
            pass


def _draw_flood_preview(canvas: Image.Image, view: TwoByTwoView, space: str) -> None:
    flood = view.floods[space]
    for near in flood.reveals:
        stamp(canvas, art.face_down(near, bright=True), *CENTRES[near])
    _draw_flooded(canvas, space, flood.drowned, GOLD)
    _draw_points(canvas, view, space, flood.points, view.waiting[0])


# The rim of the picture


def _draw_track_boards(canvas: Image.Image) -> None:
    shade = Image.new("L", canvas.size)
    pen = ImageDraw.Draw(shade)
    pen.rectangle([0, 0, TRACK_WIDTH, HEIGHT], fill=255)
    pen.rectangle([WIDTH - TRACK_WIDTH, 0, WIDTH, HEIGHT], fill=255)
    shade = shade.filter(ImageFilter.GaussianBlur(7)).point([round(value * 0.6) for value in range(256)])
    canvas.paste((8, 40, 60), (0, 0), shade)
    for points in range(1, LAP + 1):
        fifth = points % 5 == 0
        wood = WOOD_LIGHT if fifth else mix(WOOD, WOOD_DARK, 0.08 * (points % 2))
        x, y = _track_place(points)

        def paint(brush: Brush, wood: Colour = wood) -> None:
            brush.box(0, 0, TRACK_WIDTH, 40, mix(wood, WOOD_DARK, 0.6))
            brush.box(1.5, 1.5, TRACK_WIDTH - 1.5, 37, wood, 7)
            brush.line([(9, 4), (TRACK_WIDTH - 9, 4)], mix(wood, CREAM, 0.35), 2)

        stamp(canvas, sprite(TRACK_WIDTH, 40, paint), x, y)
        text(canvas, x, y + 1, str(points), 22 if fifth else 20, (74, 44, 18) if fifth else WOOD_DARK)


def _track_place(points: int) -> tuple[float, float]:
    """The middle of a space of the scoring track: up on the left, down on the right, then another lap."""
    place = (points - 1) % LAP
    if place < 25:
        return TRACK_WIDTH / 2, HEIGHT - (place + 0.5) * TRACK_STEP
    return WIDTH - TRACK_WIDTH / 2, (place - 24.5) * TRACK_STEP


def _draw_track(canvas: Image.Image, view: TwoByTwoView) -> None:
    """The markers; those on one space stand in a row towards the sea, each under the laps it has made."""
    standing: Counter[tuple[float, float]] = Counter()
    for seat, points in enumerate(view.points):
        x, y = _track_place(points)
        at = x + (1 if x < WIDTH / 2 else -1) * 33 * standing[x, y]
        standing[x, y] += 1
        stamp(canvas, badge(seat, 36), at, y)
        if laps := (points - 1) // LAP:
            stamp(canvas, pill(str(laps * LAP), 15, GOLD), at, y - 17)


def _draw_stock(canvas: Image.Image, view: TwoByTwoView) -> None:
    """The water tokens left, and the tokens that still lie face down."""
    stamp(canvas, art.stock("droplet", view.water), 104, HEIGHT / 2)
    stamp(canvas, art.stock("paw-prints", len(view.face_down)), WIDTH - 104, HEIGHT / 2)


def _draw_panel(canvas: Image.Image, view: TwoByTwoView, people: People, seat: int) -> None:
    """One player: name, points, the pairs on the ark, and what they would count now."""
    left, top = PANELS[seat]
    x, y = left + PANEL_WIDTH / 2, top + PANEL_HEIGHT / 2
    look = LOOKS[seat]
    if seat in view.waiting:
        stamp(canvas, _panel_glow(), x, y)
    stamp(canvas, _panel_sheet(seat), x, y)
    draw_name(canvas, left + 48, top + 27, people[seat], PANEL_WIDTH - 48 - 68, look.letters)
    text(canvas, left + PANEL_WIDTH - 13, top + 28, str(view.points[seat]), 30, look.letters, "rm")
    for species, pairs in view.held[seat].items():
        cell_x, cell_y = _cell(SPECIES.index(species))
        stamp(canvas, art.animal(species, 33), left + cell_x - 2, top + cell_y)
        stamp(canvas, art.number(pairs), left + cell_x + 8, top + cell_y + 10)
    if not view.ended:
        worth = sum(column.points[seat] for column in view.columns)
        text(canvas, left + PANEL_WIDTH - 7, top + _cell(13)[1], f"+{worth}", 19, WOOD_DARK, "rm")
    if seat in view.waiting:
        outer = top + PANEL_HEIGHT + 8 if top < HEIGHT / 2 else top - 8
        stamp(canvas, pill(_task(view), 20, GOLD), x, outer)


def _task(view: TwoByTwoView) -> str:
    """What the seat to move has to do, in few words."""
    if view.berths:
        return _("places the ark")
    if view.actions == 0:
        return _("floods a space")
    return plural("{n} action left", "{n} actions left", view.actions)


def _cell(number: int) -> tuple[float, float]:
    """The middle of one of the fourteen cells of a panel."""
    return 4.5 + (number % 7 + 0.5) * CELL_WIDTH, 48 + (number // 7 + 0.5) * CELL_HEIGHT


@lru_cache(1)
def _panel_glow() -> Image.Image:
    def paint(brush: Brush) -> None:
        brush.box(0, 0, PANEL_WIDTH + 14, PANEL_HEIGHT + 14, INK, 22)
        brush.box(1.5, 1.5, PANEL_WIDTH + 12.5, PANEL_HEIGHT + 12.5, GOLD, 20.5)

    return sprite(PANEL_WIDTH + 14, PANEL_HEIGHT + 14, paint)


@lru_cache(4)
def _panel_sheet(seat: int) -> Image.Image:
    sheet = panel(PANEL_WIDTH, PANEL_HEIGHT, head=LOOKS[seat].colour, top=40).copy()
    margin = (sheet.width - PANEL_WIDTH) / 2

    def paint(brush: Brush) -> None:
        for number, species in enumerate(SPECIES):
            x, y = _cell(number)
            star = species in STARS[seat]
            brush.box(x - 18.5, y - 20.5, x + 18.5, y + 20.5, GOLD if star else (240, 226, 196), 9)
            if star:
                brush.box(x - 16, y - 18, x + 16, y + 18, (255, 238, 176), 7)

    cells = sprite(PANEL_WIDTH, PANEL_HEIGHT, paint)
    stamp(sheet, cells, sheet.width / 2, sheet.height / 2)
    for number, species in enumerate(SPECIES):
        x, y = _cell(number)
        stamp(sheet, art.shade(species, 30, (126, 104, 70), 0.26), margin + x, margin + y)
    stamp(sheet, badge(seat, 34), margin + 27, margin + 26)
    return sheet


# The count

COUNT_WIDTH = 1128
COUNT_NAME, COUNT_TRACK, COUNT_COLUMN = 196, 76, 57
ROW_HEIGHT = 74


def _draw_count(canvas: Image.Image, view: TwoByTwoView, ended: GameEnded, people: People) -> None:
    """The count, column by column, over the darkened board."""
    seats = range(len(ended.totals))
    height = 158 + ROW_HEIGHT * len(seats)
    left, top = (WIDTH - COUNT_WIDTH) / 2, (HEIGHT - height) / 2
    stamp(canvas, panel(COUNT_WIDTH, height, head=GOLD, top=56), WIDTH / 2, HEIGHT / 2)
    winners = and_list([people[seat] for seat in ended.winners])
    title = _("{who} wins", who=winners) if len(ended.winners) == 1 else _("{who} share the win", who=winners)
    headline = name_sprite(title, 800, INK, (36, 32, 28, 24))
    stamp(canvas, headline, WIDTH / 2 + 26, top + 34)
    stamp(canvas, picture("trophy", 46), WIDTH / 2 - headline.width / 2 - 14, top + 33)

    names = left + 16
    columns = names + COUNT_NAME + COUNT_TRACK
    totals = left + COUNT_WIDTH - 58
    header = top + 104
    fitted_text(canvas, names + 4, header + 10, _count_name(view), COUNT_NAME - 8, (20, 18), WOOD_DARK, "lm")
    fitted_text(
        canvas, names + COUNT_NAME + COUNT_TRACK / 2, header + 10, _("track"), COUNT_TRACK - 6, (20, 18), WOOD_DARK
    )
    fitted_text(canvas, totals, header + 10, _("total"), 100, (20, 18), WOOD_DARK)
    for number, column in enumerate(ended.columns):
        x = columns + (number + 0.5) * COUNT_COLUMN
        text(canvas, x, header - 24, str(number + 1), 18, WOOD_DARK)
        stamp(canvas, art.animal(column.species, 44), x, header + 12)
    for seat in seats:
        y = header + 46 + (seat + 0.5) * ROW_HEIGHT
        won = seat in ended.winners
        stamp(canvas, _count_row(seat, won), WIDTH / 2, y)
        stamp(canvas, badge(seat, 40), names + 24, y)
        draw_name(canvas, names + 52, y, people[seat], COUNT_NAME - 56, INK)
        text(canvas, names + COUNT_NAME + COUNT_TRACK / 2, y + 1, str(ended.track[seat]), 26, INK)
        for number, column in enumerate(ended.columns):
            _draw_cell(canvas, columns + (number + 0.5) * COUNT_COLUMN, y, column, seat)
        text(canvas, totals, y + 1, str(ended.totals[seat]), 38, INK)


def _draw_cell(canvas: Image.Image, x: float, y: float, column: Column, seat: int) -> None:
    """The points of one column for one seat, and below them the pairs with the bonus."""
    if not column.pairs[seat]:
        text(canvas, x, y, "·", 24, mix(WOOD_DARK, CREAM, 0.4))
        return
    text(canvas, x, y - 8, str(column.points[seat]), 28, INK)
    bonus = f"+{column.bonus[seat]}" if column.bonus[seat] else ""
    text(canvas, x, y + 18, f"×{column.pairs[seat]}{bonus}", 18, WOOD_DARK)


@lru_cache(8)
def _count_row(seat: int, won: bool) -> Image.Image:
    """The ground of one row, gold where the ark counts double."""
    width = COUNT_WIDTH - 20
    first = 6 + COUNT_NAME + COUNT_TRACK

    def paint(brush: Brush) -> None:
        brush.box(0, 2, width, ROW_HEIGHT - 2, (255, 236, 170) if won else (240, 226, 196), 12)
        for number, species in enumerate(SPECIES):
            x = first + number * COUNT_COLUMN
            if species in STARS[seat]:
                brush.box(x + 3, 7, x + COUNT_COLUMN - 3, ROW_HEIGHT - 7, GOLD, 9)
                brush.box(x + 5.5, 9.5, x + COUNT_COLUMN - 5.5, ROW_HEIGHT - 9.5, (255, 244, 200), 7)

    return sprite(width, ROW_HEIGHT, paint)
