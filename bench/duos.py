"""DUOS in numbers: the times of rules, robot and reveal, and how many pairs two robots share."""

from __future__ import annotations

from random import Random
from statistics import mean, median
from time import perf_counter

from bench.pictures import people, positions
from bot.robots.duos import choose
from bot.rules.duos import BOXES, Duos
from renderers.duos import reveal


def dealt(number: int, seats: int, box: str, first: str) -> Duos:
    """The first position of that game."""
    options = Duos.complete(seats, {"box": box, "first": first})
    return Duos.deal(seats, options, Duos.shuffle(seats, options, Random(number)))


def random_games(games: int) -> float:
    """Milliseconds that the rules take for a whole game of random moves with four players."""
    whole = 0.0
    for number in range(games):
        rng = Random(number)
        position = dealt(number, 4, "sport-fairy", "sport")
        began = perf_counter()
        while waiting := position.waiting():
            moves = position.moves(waiting[0])
            position = position.play(waiting[0], "lock" if "lock" in moves else rng.choice(moves))
        whole += (perf_counter() - began) * 1000
    return whole / games


def robots_agree(box: str, category: str, layouts: int) -> tuple[float, list[float]]:
    """Pairs that two robots of different tastes share on average, and the milliseconds of their choices."""
    shared: list[int] = []
    times: list[float] = []
    for number in range(layouts):
        position = dealt(number, 3, box, category)
        for seat in (0, 1):
            while seat in position.waiting():
                rng = Random(number * 2 + seat)
                began = perf_counter()
                move = choose(position.view(seat), position.moves(seat), rng)
                times.append((perf_counter() - began) * 1000)
                position = position.play(seat, move)
        shared.append(len(set(position.pairs[0]) & set(position.pairs[1])))
    return mean(shared), times


def robots_for_two(games: int) -> tuple[float, list[float]]:
    """Turns of nine that two robots win on average, and the milliseconds of their choices, hints among them."""
    won: list[int] = []
    times: list[float] = []
    for number in range(games):
        rng = Random(number)
        position = dealt(number, 2, "things-animals", "things")
        while waiting := position.waiting():
            seat = rng.choice(waiting)
            began = perf_counter()
            move = choose(position.view(seat), position.moves(seat), rng)
            times.append((perf_counter() - began) * 1000)
            position = position.play(seat, move)
        won.append(position.scores()[0])
    return mean(won), times


def reveals() -> tuple[float, int]:
    """Median milliseconds and the largest size in bytes of the pictures of scored turns."""
    times: list[float] = []
    largest = 0
    for seats in (2, 3, 6):
        for position in positions(Duos, seats):
            assert isinstance(position, Duos)
            for _ in range(3):
                began = perf_counter()
                picture = reveal(position.view(None), people(seats))
                if picture:
                    times.append((perf_counter() - began) * 1000)
                    largest = max(largest, len(picture))
    return median(times), largest


def main() -> None:
    """Prints the numbers."""
    print(f"duos whole random game: {random_games(100):.1f} ms")
    for box, sides in BOXES.items():
        for category in sides:
            shared, times = robots_agree(box, category, 30)
            print(f"duos robots on {category}: share {shared:.2f} of 4 pairs, median {median(times):.1f} ms a move")
    won, times = robots_for_two(5)
    print(f"duos robots for two: win {won:.1f} of 9 turns, median {median(times):.1f} ms, worst {max(times):.0f} ms")
    ms, size = reveals()
    print(f"duos picture of a scored turn: median {ms:.1f} ms, largest {size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
