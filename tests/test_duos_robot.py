"""The computer player of DUOS pairs what people pair."""

from __future__ import annotations

from random import Random
from statistics import mean

import pytest

from bot.robots.duos import best_pairs, choose, liking, tie, ties
from bot.rules.duos import BOXES, Duos, Hint

CATEGORIES = {category: pictures for sides in BOXES.values() for category, pictures in sides.items()}
BOX_OF = {category: box for box, sides in BOXES.items() for category in sides}


def showing(category: str, labels: str, seats: int = 3) -> Duos:
    """A game whose first twelve pictures are those with these labels, separated by commas."""
    every = [picture.label for picture in CATEGORIES[category]]
    cards = [every.index(label.strip()) + 1 for label in labels.split(",")]
    rest = [card for card in range(1, 73) if card not in cards]
    options = Duos.complete(seats, {"box": BOX_OF[category], "first": category})
    sets = [cards] + [rest[start : start + 12] for start in range(0, 60, 12)]
    return Duos.deal(seats, options, {"sets": sets[: 5 if seats == 2 else seats]})


def dealt(number: int) -> Duos:
    """A game of three with some cards or other."""
    options = Duos.complete(3, {})
    return Duos.deal(3, options, Duos.shuffle(3, options, Random(number)))


def robot_plays(game: Duos, seat: int, rng: Random) -> Duos:
    """Lets the robot play that seat until it has locked."""
    turn = game.turn
    while game.turn == turn and seat in game.waiting():
        game = game.play(seat, choose(game.view(seat), game.moves(seat), rng))
    return game


def robot_pairs(game: Duos, seat: int = 0, rng: Random | None = None) -> set[frozenset[str]]:
    """What the robot locks on that seat, by labels."""
    after = robot_plays(game, seat, rng or Random(1))
    return {frozenset(game.pictures[card - 1].label for card in pair) for pair in after.view(seat).pairs}


def labels(pairs: str) -> set[frozenset[str]]:
    return {frozenset(pair.strip().split(" + ")) for pair in pairs.split(",")}


OBVIOUS = {
    "sport": "Golf + Golfer, Trophy + Medal, Boxing + Martial arts, Bicycle + Mountain biker",
    "fairy": "Genie + Magic lamp, Old key + Door, Vampire + Bat, Magic beans + Beanstalk",
    "things": "Key + Padlock, Teapot + Cup, Socks + Shoe, Guitar + Violin",
    "animals": "Hen + Chick, Lion + Tiger, Octopus + Squid, Butterfly + Caterpillar",
}
ODD = {
    "sport": "Kite, Chess pawn, Stadium, Curling",
    "fairy": "Mermaid, Story book, Lollipop, Axe",
    "things": "Umbrella, Magnet, Bed, Camera",
    "animals": "Elephant, Kangaroo, Shark, Fox",
}


@pytest.mark.parametrize("category", OBVIOUS)
@pytest.mark.parametrize("taste", range(3))
def test_an_obvious_layout_is_paired_obviously(category: str, taste: int) -> None:
    layout = f"{OBVIOUS[category]}, {ODD[category]}".replace(" + ", ", ").split(", ")
    Random(taste).shuffle(layout)
    game = showing(category, ",".join(layout))
    assert robot_pairs(game, rng=Random(taste)) == labels(OBVIOUS[category])


def test_the_pairs_of_the_rulebooks_second_example() -> None:
    """The insects and the birds, and what everybody knows beside."""
    game = showing("animals", "Mosquito,Fly,Peacock,Flamingo,Rhino,Giraffe,Cat,Mouse,Lobster,Panda,Worm,Moose")
    pairs = robot_pairs(game)
    assert labels("Mosquito + Fly, Peacock + Flamingo, Cat + Mouse") <= pairs


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_name_in_the_ties_is_on_a_card_and_every_card_has_ties(category: str) -> None:
    cards = {picture.label for picture in CATEGORIES[category]}
    known = ties(category)
    named = {label for _, pictures in known.tags.values() for label in pictures}
    named.update(label for pair in known.pairs for label in pair)
    assert named == cards
    assert all(len(pair) == 2 for pair in known.pairs)


def test_a_famous_pair_is_tied_more_than_two_of_a_kind() -> None:
    assert tie("fairy", "Old key", "Door") > tie("fairy", "Old key", "Candle")
    assert tie("animals", "Cat", "Mouse") > tie("animals", "Cat", "Hippo")


def test_the_best_pairs_are_the_best_together_and_not_one_by_one() -> None:
    """9 for 1-2 leaves 1 and 1 for their neighbours; 7 + 7 without it is more."""
    worth = {(1, 2): 9.0, (1, 3): 7.0, (2, 4): 7.0, (3, 4): 1.0, (5, 6): 5.0, (7, 8): 5.0, (9, 10): 1.5}
    assert set(best_pairs(worth)) == {(1, 3), (2, 4), (5, 6), (7, 8)}
    assert set(best_pairs(worth, ((1, 2),))) == {(1, 2), (5, 6), (7, 8), (9, 10)}


def test_a_robot_has_one_taste_and_another_robot_another() -> None:
    assert liking(1, "Cat", "Mouse") == liking(1, "Mouse", "Cat") != liking(2, "Cat", "Mouse")


def test_robots_at_a_table_differ_in_what_is_not_obvious() -> None:
    """Over forty layouts two seats share between two and three pairs of four."""
    shared = [
        len(robot_pairs(game, 0, Random(number)) & robot_pairs(game, 1, Random(number)))
        for number in range(40)
        for game in [dealt(number)]
    ]
    assert 2 <= mean(shared) <= 3


def test_pairs_that_somebody_made_before_are_kept() -> None:
    game = showing("things", "Key,Padlock,Teapot,Cup,Socks,Shoe,Guitar,Violin,Umbrella,Magnet,Bed,Camera")
    game = game.play(0, "pair 1 12").play(0, "pair 9 10")
    assert robot_pairs(game) == labels("Key + Camera, Umbrella + Magnet") | robot_pairs(game) & labels(
        "Teapot + Cup, Socks + Shoe, Guitar + Violin"
    )


# Two players

DOUBTFUL = "Umbrella,Magnet,Bed,Camera,Hourglass,Drum,Padlock,Wastebasket,Lipstick,Battery,Trumpet,Soap"


def test_in_doubt_it_gives_a_hint_before_it_pairs() -> None:
    game = showing("things", DOUBTFUL, seats=2)
    assert choose(game.view(0), game.moves(0), Random(1)).split()[0] in ("word", "yes", "no")


def test_its_word_is_one_that_the_rules_accept() -> None:
    game = showing("things", DOUBTFUL, seats=2).play(1, "yes 1")
    for category in CATEGORIES:
        for tag in ties(category).tags:
            assert game.play(0, f"word {tag}").view(1).hints[0] == Hint("word", word=tag)


@pytest.mark.parametrize("card", [1, 4, 8, 12])
def test_a_partners_yes_is_used_and_a_no_is_not(card: int) -> None:
    game = showing("things", DOUBTFUL, seats=2)
    used = robot_plays(game.play(1, f"yes {card}"), 0, Random(2))
    assert any(card in pair for pair in used.view(0).pairs)
    unused = robot_plays(game.play(1, f"no {card}"), 0, Random(2))
    assert not any(card in pair for pair in unused.view(0).pairs)


@pytest.mark.parametrize(("hint", "agrees"), [("yes 12", True), ("no 1", False)])
def test_a_hint_that_comes_late_changes_pairs_made_before(hint: str, agrees: bool) -> None:
    game = showing("things", DOUBTFUL, seats=2)
    for pair in ("pair 1 2", "pair 3 4", "pair 5 6", "pair 7 8"):
        game = game.play(0, pair)
    after = robot_plays(game.play(1, hint), 0, Random(3))
    assert any(int(hint.split()[1]) in pair for pair in after.view(0).pairs) is agrees


def test_a_seat_taken_over_keeps_the_hint_that_was_given() -> None:
    game = showing("things", DOUBTFUL, seats=2).play(0, "yes 12").play(1, "no 12")
    assert any(12 in pair for pair in robot_plays(game, 0, Random(4)).view(0).pairs)


def test_a_partners_word_joins_what_it_names() -> None:
    layout = DOUBTFUL.replace("Umbrella", "Socks").replace("Bed", "Sofa")
    told = showing("things", layout, seats=2).play(1, "word Fabrics")
    assert frozenset(("Socks", "Sofa")) in robot_pairs(told)


def test_two_robots_finish_a_game_for_two() -> None:
    rng = Random(5)
    options = Duos.complete(2, {})
    game = Duos.deal(2, options, Duos.shuffle(2, options, rng))
    steps = 0
    while game.waiting():
        seat = rng.choice(game.waiting())
        game = game.play(seat, choose(game.view(seat), game.moves(seat), rng))
        steps += 1
    assert game.scores()[0] >= 5
    assert steps <= 9 * 2 * 8
