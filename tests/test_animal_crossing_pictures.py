"""The pictures and words of Animal Crossing: they tell what happened, and nothing that is secret."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from PIL import Image

from bot.rules.animal_crossing import WEIGHTS, AnimalCrossing, AnimalCrossingView
from renderers import animal_crossing as renderer
from renderers.people import People
from tests.test_canvas import NASTY

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida")


def people(seats: int) -> People:
    return People(NAMES[:seats])


def dealt(seats: int, **options: str) -> AnimalCrossing:
    complete = AnimalCrossing.complete(seats, options)
    return AnimalCrossing.deal(seats, complete, AnimalCrossing.shuffle(seats, complete, Random(0)))


def chosen(game: AnimalCrossing, animals: str) -> AnimalCrossing:
    """Everybody is that animal, by its initial, in seat order."""
    names = {name[0]: name for name in WEIGHTS}
    for seat, initial in enumerate(animals):
        game = game.play(seat, f"choose {names[initial]}")
    return game


def boarded(game: AnimalCrossing, places: str) -> AnimalCrossing:
    """Everybody stands there, A, B, C or - for the island, and is ready."""
    for seat, place in enumerate(places):
        game = game.play(seat, "stay" if place == "-" else f"board {place}")
    for seat in range(len(places)):
        game = game.play(seat, "ready")
    return game


def rounds(game: AnimalCrossing, *played: tuple[str, str]) -> AnimalCrossing:
    for animals, places in played:
        game = boarded(chosen(game, animals), places)
    return game


def shown(view: AnimalCrossingView, moves: tuple[str, ...] = ()) -> tuple[bytes, str, str]:
    """All that a reader of that view sees."""
    who = people(view.seats)
    told = [renderer.tell(event, who) for event in view.events]
    return renderer.draw(view, who, moves), renderer.describe(view, who), "\n".join(told)


# With loads 4 and 7 these sink alike: A is overloaded, on B somebody is scared off by somebody who crosses.
ALIKE = (("eeecmm", "AA-BB-"), ("dddcmc", "AA-BB-"), ("eddcmd", "AA-BB-"))


@pytest.mark.parametrize("options", [{}, {"boarding": "secret"}])
def test_while_choosing_nothing_shows_what_others_chose(options: dict[str, str]) -> None:
    games = [chosen(dealt(3, **options), "m" + animal) for animal in "mcde"]
    assert len({shown(game.view(None)) for game in games}) == 1
    assert len({shown(game.view(0), game.moves(0)) for game in games}) == 1
    assert len({shown(game.view(1), game.moves(1)) for game in games}) == 4


def test_while_boarding_places_are_public_and_animals_are_not() -> None:
    games = [chosen(dealt(6), animals).play(2, "board B") for animals in ("mmmmmm", "mcdeed", "meeeee")]
    assert len({shown(game.view(None)) for game in games}) == 1
    assert len({shown(game.view(0)) for game in games}) == 1
    assert "On raft B: Cid" in renderer.describe(games[0].view(None), people(6))


def test_after_a_round_only_who_sank_is_shown() -> None:
    games = [rounds(dealt(6), played) for played in ALIKE]
    assert len({game.rounds[0].sank for game in games}) == 1
    assert len({game.scores() for game in games}) > 1
    assert len({shown(game.view(None)) for game in games}) == 1


def test_where_places_are_secret_nothing_shows_them() -> None:
    game = chosen(dealt(6, boarding="secret"), "mcdemc")
    games = [game, game.play(3, "board A"), game.play(3, "board B")]
    assert len({shown(game.view(None)) for game in games}) == 1
    assert len({shown(game.view(5)) for game in games}) == 1
    assert len({shown(game.view(3)) for game in games}) == 3


def test_with_public_scores_animals_are_shown_after_the_round() -> None:
    view = rounds(dealt(6, scores="public"), ALIKE[0]).view(None)
    words = renderer.describe(view, people(6))
    assert "Ann elephant sank 0" in words
    assert "Points: Ann 0, Bob 0, Cid 3, Dee 2, Eve 0 and Fay 3." in words
    hidden = rounds(dealt(6), ALIKE[0]).view(None)
    assert renderer.draw(view, people(6)) != renderer.draw(hidden, people(6))


def test_what_happened_is_told_as_far_as_it_is_public() -> None:
    told = [renderer.tell(event, people(6)) for event in rounds(dealt(6), ALIKE[0]).view(None).events]
    assert told == [
        "**Round 1** begins: raft A carries 4 and raft B 7.",
        "Everybody has chosen an animal: **boarding is open**.",
        "Raft A is too heavy and **sinks** with Ann and Bob.",
        "Raft B **crosses** with Dee; Eve is scared off and **sinks**.",
        "Cid and Fay stayed on the island while 3 players sank.",
        "**Round 2** begins: raft A carries 5 and raft B 5.",
    ]


def test_at_the_end_points_prizes_and_animals_are_told() -> None:
    # Ann stays a mouse on the island and sees nobody sink but Cid in each round: 5.  Bob crosses as a cat: 10.
    game = rounds(dealt(3), *[("mcm", "-BB")] * 5)
    words = renderer.describe(game.view(None), people(3))
    assert words.startswith("Final points: Bob 10, Ann 5 and Cid 0.\nBob wins the full token.\nCid gets the strike.")
    assert "half" not in words.lower()
    told = renderer.tell(game.events[-1], people(3))
    assert "**Bob** wins the full token." in told
    unveiled = [renderer.tell(event, people(3)) for event in game.events]
    assert "Round 5 unveiled: Ann mouse 1, Bob cat 2 and Cid mouse 0." in unveiled


def test_all_who_are_level_are_named_with_the_prize() -> None:
    words = renderer.describe(rounds(dealt(3), *[("mcc", "-BA")] * 5).view(None), people(3))
    assert "Bob and Cid each win a full token." in words
    assert "Ann gets the strike." in words


def test_the_loads_of_the_round_are_described_at_every_question() -> None:
    for game in (dealt(3), chosen(dealt(3), "mmm"), dealt(3, boarding="secret")):
        loads = game.view(None).loads
        assert f"raft A carries {loads[0]} and raft B {loads[1]}" in renderer.describe(game.view(None), people(3))


def test_the_question_names_those_who_owe_an_answer() -> None:
    game = chosen(dealt(3), "m")
    assert renderer.ask(game.view(None), people(3)) == ("Round 1 of 5: Bob and Cid, choose your animal in secret.")
    game = chosen(dealt(3), "mmm").play(1, "ready")
    assert "Ann and Cid, board or stay" in renderer.ask(game.view(None), people(3))
    assert renderer.ask(dealt(3, boarding="secret").view(None), people(3)).endswith(
        "Ann, Bob and Cid, choose animal and place in secret."
    )


def test_ones_own_picture_shows_ones_animal() -> None:
    game = chosen(dealt(3), "mcd")
    assert "Your animal: cat." in renderer.describe(game.view(1), people(3))
    pictures = {renderer.draw(chosen(dealt(3), f"m{animal}d").view(1), people(3)) for animal in "mcde"}
    assert len(pictures) == 4


@pytest.mark.parametrize("seats", [3, 6, 7, 9])
def test_every_picture_is_whole_and_small(seats: int) -> None:
    who = People(tuple(NASTY[seat + 10] for seat in range(seats)))
    game = dealt(seats, scores="public")
    positions = [game, chosen(game, "mcdemcdem"[:seats])]
    for number in range(5):
        places = "".join("AB-C"[(seat * (number + 1)) % (4 if seats > 6 else 3)] for seat in range(seats))
        game = rounds(game, ("mcdemcdem"[:seats], places))
        positions.append(game)
    positions.append(chosen(dealt(seats), "e" * seats).play(0, "board A"))
    for position in positions:
        for seat in (None, 0):
            moves = () if seat is None else position.moves(seat)
            picture = renderer.draw(position.view(seat), who, moves)
            assert len(picture) <= 250_000
            assert Image.open(BytesIO(picture)).size == (1280, 960)
            assert renderer.describe(position.view(seat), who)


@pytest.mark.parametrize("place", ["A", "B", "C", "-"])
def test_nine_on_one_raft_have_room(place: str) -> None:
    game = chosen(dealt(9), "m" * 9)
    for seat in range(9):
        game = game.play(seat, "stay" if place == "-" else f"board {place}")
    people_apart = {renderer.draw(game.view(None), People((*NAMES[:8], name))) for name in ("Ida", "Jon")}
    assert len(people_apart) == 2


def test_the_rules_fit_on_a_picture() -> None:
    picture = renderer.rules_picture()
    assert len(picture) <= 250_000
    assert Image.open(BytesIO(picture)).size == (1280, 960)
