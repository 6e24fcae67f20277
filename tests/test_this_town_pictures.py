"""This Town as it is seen, read and told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageChops

from bot.robots.this_town import choose
from bot.rules.base import Outcome
from bot.rules.this_town import (
    STACK,
    Kept,
    Laid,
    MoveLapsed,
    Placed,
    Relocated,
    ThisTown,
    ThisTownView,
    Town,
    TownClosed,
    free_places,
)
from renderers.canvas import HEIGHT, WIDTH
from renderers.people import People
from renderers.this_town import ask, describe, draw, tell
from renderers.this_town_sprites import COLUMN, claim_colour
from renderers.this_town_words import text_map
from tests.test_this_town_rules import about_to_place, dealt, ending, owing, silver_town, town

PEOPLE = People(("Ann", "Bob", "Cleo", "Dan"))

HOSTILE = (
    "",
    "​⁠‎",
    "W" * 80,
    "🏴‍☠️👩‍👩‍👧‍👦🇦🇶👍🏿" * 8,
    "Z̷̢̛̳͉̞͈̯̀̈́̀̓͜a̸̡̛̺͚͍̠͒̋̀̐̕l̶̨̛̬̘̺̮̒̽͝͝ǵ̴̢̨̛̙͎̩̈́̋͝o̷̢̡̝̮̖̾͛̈́̕",
    "‮drawkcab",
    "محمد بن عبد الله",
    "**@everyone** `{who}` {0} %s\n# big",
    "田中さくら한국어ไทย",
)


def whole_game(seats: int, seed: int) -> ThisTown:
    """A game between computer players, to its end."""
    rng = Random(seed)
    options = ThisTown.complete(seats, {})
    game = ThisTown.deal(seats, options, ThisTown.shuffle(seats, options, rng))
    while game.waiting():
        seat = game.mover
        game = game.play(seat, choose(game.view(seat), game.moves(seat), rng))
    return game


def seen(view: ThisTownView, draft: str = "", people: People = PEOPLE) -> Image.Image:
    return Image.open(BytesIO(draw(view, people, draft=draft))).convert("RGB")


def changed(one: Image.Image, other: Image.Image) -> tuple[int, int, int, int] | None:
    """The box within which two pictures differ."""
    return ImageChops.difference(one, other).getbbox()


def share_of(image: Image.Image, colour: Sequence[int]) -> float:
    """How much of the map is within a hair of that colour."""
    bands = image.crop((0, 0, COLUMN, HEIGHT)).split()
    near = [
        band.point([255 * (abs(value - wanted) <= 6) for value in range(256)])
        for band, wanted in zip(bands, colour, strict=True)
    ]
    return ImageChops.darker(ImageChops.darker(near[0], near[1]), near[2]).histogram()[255] / (COLUMN * HEIGHT)


def line_of_24(vertical: bool) -> ThisTown:
    """The longest map on which a tile is still to be placed."""
    cells = [(0, -n) if vertical else (n, 0) for n in range(24)]
    laid = [Laid(tile, cell, 0) for tile, cell in zip(("start", *STACK), cells, strict=False)]
    return replace(dealt(), laid=tuple(laid))


# --- the picture -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_a_full_map_is_a_small_picture_of_the_right_size(seats: int, seed: int) -> None:
    game = whole_game(seats, seed)
    assert len(game.laid) == 25
    png = draw(game.view(None), PEOPLE)
    assert png.startswith(b"\x89PNG")
    assert len(png) <= 250_000
    assert Image.open(BytesIO(png)).size == (WIDTH, HEIGHT) == (1280, 960)


def test_a_picture_depends_on_nothing_but_the_view() -> None:
    view = silver_town("B1 0,1 0").view(None)
    assert draw(view, PEOPLE) == draw(view, PEOPLE)


def test_neither_picture_nor_words_tell_the_order_of_the_stack() -> None:
    game = dealt("A1", seats=3).play(0, "place 0,-1 0")
    assert game.drawn
    other = replace(game, stack=game.stack[::-1])
    for seat in (None, 0, 1):
        assert draw(game.view(seat), PEOPLE) == draw(other.view(seat), PEOPLE)
        assert describe(game.view(seat), PEOPLE) == describe(other.view(seat), PEOPLE)
        assert ask(game.view(seat), PEOPLE) == ask(other.view(seat), PEOPLE)


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_stays_on_its_plate(name: str) -> None:
    view = dealt(seats=4).view(None)
    box = changed(seen(view), seen(view, people=People(("Ann", name, "Cleo", "Dan"))))
    assert box is not None
    assert box[0] > COLUMN + 80 and box[2] < WIDTH - 20
    assert box[3] - box[1] < 40


@pytest.mark.parametrize("vertical", [False, True])
def test_the_longest_map_fits_with_all_its_places(vertical: bool) -> None:
    """In a line of 24 tiles the first and the last free place are at the ends or corners of the map."""
    game = line_of_24(vertical)
    image = seen(game.view(0))
    places = free_places(game.laid)
    assert len(places) == 50
    for place in (places[0], places[-1]):
        drafted = seen(game.view(0), f"place {place[0]},{place[1]} 0")
        assert changed(image, drafted) is not None
    empty = seen(dealt().view(0))
    for edge in ((0, 0, COLUMN, 8), (0, HEIGHT - 8, COLUMN, HEIGHT), (0, 0, 8, HEIGHT)):
        assert changed(image.crop(edge), empty.crop(edge)) is None


def test_the_drawn_tile_is_shown_in_the_column_as_the_draft_turns_it() -> None:
    view = dealt("A1").view(0)
    plain, turned = seen(view, "place 1,0 0"), seen(view, "place 1,0 1")
    box = changed(plain.crop((COLUMN, 0, WIDTH, HEIGHT)), turned.crop((COLUMN, 0, WIDTH, HEIGHT)))
    assert box is not None and box[3] < 300
    assert changed(plain.crop((0, 0, COLUMN, HEIGHT)), turned.crop((0, 0, COLUMN, HEIGHT))) is not None


def test_another_drawn_tile_changes_only_its_card() -> None:
    box = changed(seen(dealt("E1").view(0)), seen(dealt("F1").view(0)))
    assert box is not None
    assert box[0] > COLUMN and box[3] < 300


@pytest.mark.parametrize(
    ("brands", "brand"),
    [
        (("bell", "arrow"), "bell"),
        (("arrow", "sunrise"), "sunrise"),
        (("bull", "arrow"), None),
        (("bell", "sunrise"), None),
    ],
)
def test_a_town_takes_the_colour_of_its_owner(brands: tuple[str, ...], brand: str | None) -> None:
    """F1 above the start tile joins a bell and a sunrise; ties are hatched and nobody's town is grey."""
    game = dealt("F1", brands=brands).play(0, "place 0,-1 0")
    image = seen(game.view(None))
    shares = {each: share_of(image, claim_colour(each)) for each in ("bell", "arrow", "bull", "sunrise")}
    if brand:
        assert shares.pop(brand) > 0.004
        assert max(shares.values()) < 0.001
    elif set(brands) == {"bell", "sunrise"}:
        assert shares["bell"] > 0.001 and shares["sunrise"] > 0.001
    else:
        assert max(shares.values()) < 0.001


def test_a_draft_shows_the_town_that_it_would_close() -> None:
    view = dealt("F1", brands=("bell", "arrow")).view(0)
    assert share_of(seen(view, "place 0,-1 0"), claim_colour("bell")) > 0.004
    assert share_of(seen(view, "place 0,1 2"), claim_colour("bell")) < 0.001


def test_ranks_are_shown_while_a_town_is_fresh_and_not_later() -> None:
    """The card stands below the plates, where the column is empty otherwise."""
    fresh = dealt("F1", "A1", "B1", seats=4).play(0, "place 0,-1 0")
    later = fresh.play(1, "place 1,0 0")
    below = (COLUMN, 660, WIDTH, HEIGHT)
    bare = seen(dealt(seats=4).view(None)).crop(below)
    assert changed(seen(fresh.view(None)).crop(below), bare) is not None
    assert changed(seen(later.view(None)).crop(below), bare) is None


def test_four_towns_at_once_leave_the_column_whole() -> None:
    """F4 amid three F tiles and the start tile closes a town on each side."""
    game = about_to_place("F4", "start 0,0 0", "F1 0,-2 0", "F2 -1,-1 0", "F3 1,-1 0")
    game = game.play(0, "place 0,-1 0")
    assert len(game.towns) == 4
    last_rows = (COLUMN, HEIGHT - 4, WIDTH, HEIGHT)
    assert changed(seen(game.view(None)).crop(last_rows), seen(dealt().view(None)).crop(last_rows)) is None


def test_a_movable_tile_gets_a_letter_and_loses_it_when_another_is_taken_up() -> None:
    game = owing("start 0,0 0", "D1 1,0 0", "A1 1,1 0")
    assert game.view(0).movable == ((0, 0), (1, 1))
    lettered, taken = seen(game.view(0)), seen(game.view(0), "relocate 0,0")
    assert share_of(lettered, (255, 214, 74)) > 0
    assert changed(lettered, taken) is not None
    put_down = seen(game.view(0), "relocate 0,0 2,0 1")
    assert changed(taken, put_down) is not None


def test_moves_add_nothing_to_what_everybody_sees() -> None:
    game = silver_town("B1 0,1 0")
    assert draw(game.view(0), PEOPLE, game.moves(0)) == draw(game.view(None), PEOPLE)


def test_the_last_picture_lists_the_players_by_rank_and_explains_a_tie() -> None:
    """Of two level players the second wins by the largest town: the note makes the column longer."""
    game = replace(dealt("A1"), stack=())
    big, small = town((1, 6, 0, 0), (2, 1), (2, 3)), town((3, 1, 0, 0), (1, 2), (4, 3))
    far = tuple(replace(each, plots=((0, 0, 2), (0, 1, 0))) for each in (big, small))
    laid = (*game.laid, Laid("F1", (0, 1), 0))
    tied = replace(game, towns=far, laid=laid).play(0, "place 0,-1 0")
    clear = replace(game, towns=far[:1], laid=laid).play(0, "place 0,-1 0")
    assert tied.outcome() == clear.outcome()
    note = (COLUMN + 20, 360, WIDTH, 480)
    assert changed(seen(tied.view(None)).crop(note), seen(clear.view(None)).crop(note)) is not None
    swapped = People(("Bob", "Ann", "Cleo", "Dan"))
    box = changed(seen(clear.view(None)), seen(clear.view(None), people=swapped))
    assert box is not None and 140 < box[1] < box[3] < 320


# --- words -------------------------------------------------------------------------------------------------


def test_the_question_names_who_is_asked_and_what_is_left() -> None:
    game = dealt("A1", seats=3)
    assert ask(game.view(None), PEOPLE) == "Ann is to place a tile; 23 more are left."
    assert ask(silver_town("B1 0,1 0").view(2), PEOPLE) == "Ann may move a tile for the silver."


def test_every_event_is_told_in_one_sentence() -> None:
    closing = silver_town("B1 0,1 0", brands=["arrow", "bell", "bull"])
    assert [tell(event, PEOPLE) for event in closing.events] == [
        "**Ann** places a tile at 1,-1.",
        "**Ann** closes town 1 with 5 brands and silver: 1st **Bob** +1, 2nd **Cleo** +0.",
    ]
    assert tell(Relocated(2, 1, "B1", (0, 1), (-1, -2), 0), PEOPLE) == "**Bob** moves the tile at 0,1 to -1,-2."
    assert tell(Kept(2, 1), PEOPLE) == "**Bob** leaves the map as it is."
    assert tell(MoveLapsed(2, 1, 1), PEOPLE) == "No tile may be moved, so the silver is of no use to **Bob**."
    nobodys = dealt("F1", brands=["arrow", "bull"]).play(0, "place 0,-1 0").events[-1]
    assert tell(nobodys, PEOPLE) == "**Ann** closes town 1 with 2 brands: no player is in it."


def over(*towns: Town) -> ThisTownView:
    """The view of a game of two that has ended after those towns."""
    end = ending(*towns)
    return replace(dealt().view(None), events=(end,), outcome=Outcome(end.ranking[0]))


def test_the_result_is_said_with_the_tie_break() -> None:
    clear = over(town((3, 1, 0, 0), (1, 2), (1, 0)))
    assert tell(clear.events[0], PEOPLE) == "All tiles are placed."
    assert ask(clear, PEOPLE) == "Ann wins with 1 point."
    broken = over(town((6, 2, 1, 0), (1, 2), (2, 0)), town((1, 3, 0, 0), (2, 1), (7, 9)))
    assert ask(broken, PEOPLE) == (
        "Ann wins with 9 points. Level at 9: being 1st in town 1, the one with most brands, decided."
    )
    shared = over(town((3, 3, 1, 0), (1, 1), (1, 1)))
    assert ask(shared, PEOPLE) == (
        "Ann and Bob share the win with 1 point. "
        "Level at 1, and town 1, the one with most brands, does not decide: the win is shared."
    )
    assert ask(over(), PEOPLE).endswith("Level at 0, and no town to decide: the win is shared.")


@pytest.mark.parametrize("name", HOSTILE)
def test_names_go_into_sentences_as_they_are(name: str) -> None:
    people = People((name, "Bob"))
    assert tell(Placed(1, 0, "A1", (0, 1), 0), people) == f"**{name}** places a tile at 0,1."
    assert describe(dealt().view(None), people).startswith(f"{name} is to place a tile")


def test_the_map_in_letters() -> None:
    """A1 turned twice has its north-western section in the south-east, where it meets that of the start tile."""
    game = dealt("A1").play(0, "place 0,-1 2")
    assert text_map(game.view(None)) == "\n".join(
        [
            "       -1     0     1",
            " -2     .   (1)     .",
            " -1   (2) baab*   (3)",
            "  0   (4)  acde   (5)",
            "  1     .   (6)     .",
        ]
    )


def test_the_areas_of_the_map_and_the_places_beside_them() -> None:
    words = describe(dealt("A1").play(0, "place 0,-1 2").view(None), PEOPLE).splitlines()
    first = words.index("Open areas, each with the free places beside it:") + 1
    assert words[first : first + 5] == [
        "a (3): 2 bell, 1 bull, 1 sunrise, 1 silver bar",
        "b (1 2): 1 bell, 2 bull",
        "c (5): 1 arrow",
        "d (6): 1 bull",
        "e (4): 1 sunrise",
    ]


def test_towns_have_no_letters_and_places_are_named_by_where_they_are_while_none_is_numbered() -> None:
    view = silver_town("B1 0,1 0").view(None)
    assert view.owed == 1
    assert text_map(view) == "\n".join(
        [
            "        0     1",
            " -1  a##a bcd#*",
            "  0  #efg     .",
            "  1  fhhf     .",
        ]
    )
    words = describe(view, PEOPLE).splitlines()
    assert {"d (1,0): 1 sunrise", "e (1,0): 1 arrow", "h (1,1 0,2): 2 arrow"} <= set(words)


def test_the_description_begins_with_what_matters_and_holds_the_rest() -> None:
    view = dealt("F1", "E1", brands=["arrow", "bell"]).play(0, "place 0,-1 0").view(None)
    words = describe(view, PEOPLE)
    assert words.splitlines()[:6] == [
        "Bob is to place a tile; 22 more are left.",
        "Scores: Ann (Broken Arrow) 0, Bob (Blue Bell) 0.",
        "Brands of nobody: Green Bull and Sunrise.",
        "Drawn tile, unturned: N W: 2 Blue Bell, 1 Broken Arrow, 1 silver bar; E: 2 Green Bull; S: 1 Broken Arrow.",
        "Ann places a tile at 0,-1.",
        "Ann closes town 1 with 2 brands: 1st Bob +0.",
    ]
    for line in (
        "Free places (x to the east, y to the south): 1: 0,-2; 2: -1,-1; 3: 1,-1; 4: -1,0; 5: 1,0; 6: 0,1.",
        "Town 1: 1 bell, 1 sunrise (1st Bob +0)",
        "0,-1: N: 1 Blue Bell; E: 1 Blue Bell, 1 Green Bull; S: 1 Sunrise; W: 1 Sunrise",
        "d (5): 1 arrow",
    ):
        assert line in words.splitlines()


def test_the_description_lists_the_tiles_that_may_be_moved() -> None:
    words = describe(owing("start 0,0 0", "D1 1,0 0", "A1 1,1 0").view(0), PEOPLE)
    assert "Tiles that may be moved: A: 0,0; B: 1,1." in words.splitlines()


def test_every_position_of_whole_games_is_described() -> None:
    """In the words of each position are all its scores, and every town."""
    rng = Random(5)
    options = ThisTown.complete(3, {})
    game = ThisTown.deal(3, options, ThisTown.shuffle(3, options, rng))
    while game.waiting():
        game = game.play(game.mover, rng.choice(game.moves(game.mover)))
        words = describe(game.view(None), PEOPLE)
        assert "Ann (Blue Bell) {}, Bob (Broken Arrow) {}, Cleo (Green Bull) {}".format(*game.scores()) in words
        assert sum(isinstance(event, TownClosed) for event in game.events) == words.count("\nTown ")
