"""The pictures and words of DUOS: they tell what happened, and nobody's pairs before the last lock."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.rules.duos import BOXES, Duos, DuosView, sets_for
from renderers import duos as renderer
from renderers.canvas import sheet
from renderers.duos_words import describe_reveal, rating
from renderers.people import People
from tests.test_canvas import NASTY

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
TOLD = "1-2 3-4 5-6 7-8"
OTHER = "1-3 2-4 5-7 9-12"


def people(seats: int) -> People:
    return People(NAMES[:seats])


def duos(seats: int, **options: str) -> Duos:
    sets = [list(range(start, start + 12)) for start in range(1, 12 * sets_for(seats), 12)]
    return Duos.deal(seats, Duos.complete(seats, options), {"sets": sets})


def arrange(game: Duos, seat: int, pairs: str) -> Duos:
    for pair in pairs.split():
        game = game.play(seat, f"pair {pair.replace('-', ' ')}")
    return game


def lock(game: Duos, seat: int, pairs: str = TOLD) -> Duos:
    return arrange(game, seat, pairs).play(seat, "lock")


def turn(game: Duos, *pairs: str) -> Duos:
    for seat, made in enumerate(pairs):
        game = lock(game, seat, made)
    return game


def finished(seats: int, pairs: str = TOLD) -> Duos:
    """A whole game in which everybody but seat 0 makes the same pairs."""
    game = duos(seats)
    while game.waiting():
        game = turn(game, pairs, *[TOLD] * (seats - 1))
    return game


def shown(view: DuosView, moves: tuple[str, ...] = ()) -> tuple[object, ...]:
    """All that a reader of that view sees."""
    who = people(view.seats)
    told = tuple(renderer.tell(event, who) for event in view.events)
    return (
        renderer.draw(view, who, moves),
        renderer.reveal(view, who),
        renderer.describe(view, who),
        renderer.ask(view, who),
        told,
    )


def size(picture: bytes | None) -> tuple[int, int]:
    return Image.open(BytesIO(picture or b"")).size


# Secrets


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_before_the_last_lock_nothing_shows_what_others_paired(seats: int) -> None:
    """Whatever the first seat has made so far, and whatever the second has locked."""
    first = turn(duos(seats), *[TOLD] * seats)
    games = [
        lock(arrange(first, 0, made), 1, locked) for made, locked in (("", TOLD), ("1-2 3-4", OTHER), (OTHER, TOLD))
    ]
    assert len({shown(game.view(None)) for game in games}) == 1
    if seats > 2:
        assert len({shown(game.view(2), game.moves(2)) for game in games}) == 1
    assert len({shown(game.view(0), game.moves(0)) for game in games}) == 3


def test_who_has_locked_is_shown_to_all() -> None:
    game = arrange(duos(3), 0, TOLD)
    assert shown(game.view(None)) != shown(game.play(0, "lock").view(None))
    assert "Locked: Ann." in renderer.describe(game.play(0, "lock").view(None), people(3))


# Words


def test_the_question_names_turn_category_and_narrator() -> None:
    assert renderer.ask(duos(4).view(None), people(4)) == (
        "Turn 1 of 8, Sport: Ann narrates, and everybody makes four pairs in secret."
    )
    assert renderer.ask(duos(2, first="fairy").view(None), people(2)) == (
        "Turn 1 of 9, Fairy tales: both of you make four pairs; three alike win the turn."
    )


def test_the_description_begins_with_the_question_and_the_cards() -> None:
    lines = renderer.describe(duos(3).view(None), people(3)).splitlines()
    assert lines[0] == renderer.ask(duos(3).view(None), people(3))
    assert lines[1].startswith("Cards, four in a row: 1 Football, 2 Basketball, 3 American football")
    assert len("\n".join(lines[:2])) < 1024


def test_the_private_description_lists_ones_own_pairs_first() -> None:
    game = arrange(duos(3), 1, "1-2 5-9")
    assert "Your pairs so far: 1 Football + 2 Basketball, 5 Tennis + 9 Bowling." in renderer.describe(
        game.view(1), people(3)
    )
    assert "You have made no pairs yet." in renderer.describe(game.view(2), people(3))
    assert "Your pairs, locked:" in renderer.describe(lock(game.play(1, "clear"), 1).view(1), people(3))


def test_a_scored_turn_is_told_with_the_narrators_pairs_and_all_points() -> None:
    game = turn(duos(3), TOLD, TOLD, OTHER)
    told = renderer.tell(game.events[-1], people(3))
    assert told == (
        "**Ann** paired Football + Basketball, American football + Baseball, Tennis + Volleyball, "
        "Rugby + Flying disc. Points: Bob 4, Cid 0; Ann 2 as the narrator."
    )
    words = renderer.describe(game.view(None), people(3))
    assert "Points: Bob 4, Ann 2, Cid 0." in words
    assert "Bob (4 matched, 4 points): Football + Basketball" in words


@pytest.mark.parametrize(
    ("pairs", "beginning"),
    [
        (TOLD, "Turn 1 is **won** with 4 pairs in common: Football + Basketball"),
        ("1-2 3-4 5-7 6-8", "Turn 1 is **lost** with only 2 pairs in common: Football + Basketball"),
        ("1-2 3-5 4-6 7-9", "Turn 1 is **lost** with only 1 pair in common: Football + Basketball."),
        (OTHER, "Turn 1 is **lost**: no pair in common."),
    ],
)
def test_a_turn_of_two_is_told_as_won_or_lost(pairs: str, beginning: str) -> None:
    game = turn(duos(2), TOLD, pairs)
    assert renderer.tell(game.events[-1], people(2)).startswith(beginning)


def test_hints_are_told_and_described_with_the_name_of_the_card() -> None:
    game = duos(2).play(0, "word metal").play(1, "no 3")
    assert [renderer.tell(event, people(2)) for event in game.events] == [
        "Ann says one word: **metal**.",
        "Bob says **NO** to card 3, American football.",
    ]
    words = renderer.describe(game.view(None), people(2))
    assert "Hint of Ann: the word metal." in words
    assert "Hint of Bob: no to card 3, American football." in words
    assert "Hint of Ann: yes to card 1, Football." in renderer.describe(duos(2).play(0, "yes 1").view(1), people(2))


def test_a_spoken_word_is_quoted() -> None:
    game = duos(2).play(0, "word metal")
    escaping = People(NAMES[:2], lambda text: f"<{text}>")
    assert renderer.tell(game.events[-1], escaping) == "Ann says one word: **<metal>**."


def test_the_end_is_told_and_described() -> None:
    """Everybody shares all pairs: twice 4 as the narrator and four times 4 as a player."""
    game = finished(3)
    assert renderer.tell(game.events[-1], people(3)) == "**Ann, Bob and Cid** share the victory with 24 points each."
    words = renderer.describe(game.view(None), people(3))
    assert words.startswith("The game is over.\nWon by Ann, Bob and Cid.\nPoints: Ann 24, Bob 24, Cid 24.\n")


def test_who_thinks_alone_does_not_win() -> None:
    """Bob and Cid narrate twice for each other: 2 + 2 as the narrator and 4 + 4 as a player."""
    game = finished(3, OTHER)
    assert renderer.tell(game.events[-1], people(3)) == "**Bob and Cid** share the victory with 12 points each."
    ended = replace(game.events[-1], winners=(1,))
    assert renderer.tell(ended, people(3)) == "**Bob wins** with 12 points."


def test_every_number_of_turns_won_has_a_rating_of_its_own() -> None:
    assert len({rating(won) for won in range(10)}) == 10
    words = renderer.describe(finished(2).view(None), people(2))
    assert rating(9) in words
    assert "Turns won: 9 of 9 played." in words


# Pictures


def test_every_card_has_its_picture() -> None:
    codepoints = {picture.codepoint for sides in BOXES.values() for side in sides.values() for picture in side}
    assert codepoints <= sheet("pictures").cells.keys()


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_all_pictures_are_full_size_and_light(seats: int) -> None:
    begun = duos(seats, box="things-animals")
    played = turn(begun, TOLD, *[OTHER] * (seats - 1))
    views = [begun.view(None), arrange(played, 1, TOLD).view(1), played.view(None), finished(seats).view(None)]
    for view in views:
        pictures = [renderer.draw(view, people(seats))]
        if view.turn > 1:
            pictures.append(renderer.reveal(view, people(seats)) or b"")
        for picture in pictures:
            assert size(picture) == (1280, 960)
            assert len(picture) <= 250_000


def test_there_is_nothing_to_reveal_before_the_first_turn_is_scored() -> None:
    assert renderer.reveal(duos(3).view(None), people(3)) is None


@pytest.mark.parametrize("seats", [2, 3])
def test_the_reveal_shows_who_matched_and_what_else_was_paired(seats: int) -> None:
    turns = [(TOLD, TOLD), (TOLD, OTHER), (TOLD, "1-2 3-5 4-6 7-9"), (TOLD, "1-2 3-5 4-6 7-10")]
    pictures = {
        renderer.reveal(turn(duos(seats), *made, *[TOLD] * (seats - 2)).view(None), people(seats)) for made in turns
    }
    assert len(pictures) == 4


def test_the_private_picture_stays_until_there_are_four_pairs_and_then_marks_them() -> None:
    game = duos(3)
    pictures = [renderer.draw(game.view(1), people(3), game.moves(1))]
    for pair in TOLD.split():
        pictures.append(renderer.draw(game.view(1), people(3), game.moves(1), pair[0]))
        game = arrange(game, 1, pair)
        pictures.append(renderer.draw(game.view(1), people(3), game.moves(1)))
    assert len(set(pictures[:-1])) == 1
    assert pictures[-1] not in pictures[:-1]
    assert len({pictures[-1], renderer.draw(lock(duos(3), 1).view(1), people(3)), pictures[0]}) == 3


def test_the_reveal_in_words_is_the_last_turn_alone() -> None:
    game = turn(duos(3), TOLD, TOLD, OTHER)
    assert describe_reveal(duos(3).view(None), people(3)) == ""
    words = describe_reveal(game.view(None), people(3))
    assert words.startswith("Turn 1, Sport: Ann, narrator (4 matched, 2 points): Football + Basketball, ")
    assert "Cid (0 matched, 0 points): Football + American football" in words
    later = describe_reveal(turn(game, OTHER, TOLD, TOLD).view(None), people(3))
    assert later.startswith("Turn 2, Fairy tales: ") and "Turn 1" not in later


def test_hints_are_marked_on_their_cards_even_both_on_one() -> None:
    game = duos(2)
    hinted = [game, game.play(0, "yes 4"), game.play(0, "no 4"), game.play(0, "yes 4").play(1, "no 4")]
    assert len({renderer.draw(each.view(None), people(2)) for each in hinted}) == 4


@pytest.mark.parametrize("name", NASTY)
def test_any_name_can_be_shown(name: str) -> None:
    who = People((name,) * 3)
    view = lock(turn(duos(3), TOLD, TOLD, TOLD), 1).view(None)
    assert size(renderer.draw(view, who)) == (1280, 960)
    assert size(renderer.reveal(view, who)) == (1280, 960)
    assert name in renderer.describe(view, who)
    assert name in renderer.ask(view, who)


@pytest.mark.parametrize("word", ["вода", "水", "हिन्दी", "a" * 30, "Ж" * 30, "a" + "\u0301" * 29, "𝔘𝔫𝔦𝔠𝔬𝔡𝔢"])
def test_any_word_can_be_shown(word: str) -> None:
    view = duos(2).play(0, f"word {word}").view(None)
    assert size(renderer.draw(view, people(2))) == (1280, 960)
    assert word in renderer.describe(view, people(2))
