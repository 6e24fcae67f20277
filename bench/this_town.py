"""This Town in numbers: the times of rules and robot, and how often the robot beats random play."""

from __future__ import annotations

from random import Random
from statistics import median
from time import perf_counter

from bot.robots.this_town import choose
from bot.rules.this_town import ThisTown


def dealt(number: int, seats: int) -> tuple[ThisTown, Random]:
    """The first position of that game, and the generator of its random players."""
    rng = Random(number)
    options = ThisTown.complete(seats, {})
    return ThisTown.deal(seats, options, ThisTown.shuffle(seats, options, rng)), rng


def random_games(games: int) -> tuple[float, list[float], list[ThisTown]]:
    """Milliseconds a whole game and of every listing of moves with 24 tiles, and the last positions."""
    whole = 0.0
    late: list[float] = []
    ends: list[ThisTown] = []
    for number in range(games):
        position, rng = dealt(number, 2 + number % 3)
        began = perf_counter()
        while position.waiting():
            start = perf_counter()
            moves = position.moves(position.mover)
            if len(position.laid) == 24:
                late.append((perf_counter() - start) * 1000)
            position = position.play(position.mover, rng.choice(moves))
        whole += (perf_counter() - began) * 1000
        ends.append(position)
    return whole / games, late, ends


def robot_wins(games: int) -> tuple[int, list[float]]:
    """The games of two that the robot wins alone against random play, and the milliseconds of its choices."""
    won = 0
    times: list[float] = []
    for number in range(games):
        robot = number % 2
        position, rng = dealt(number, 2)
        while position.waiting():
            seat = position.mover
            moves = position.moves(seat)
            if seat == robot:
                start = perf_counter()
                move = choose(position.view(seat), moves, rng)
                times.append((perf_counter() - start) * 1000)
            else:
                move = rng.choice(moves)
            position = position.play(seat, move)
        outcome = position.outcome()
        won += outcome is not None and outcome.winners == (robot,)
    return won, times


def main() -> None:
    """Prints the numbers."""
    whole, late, _ = random_games(1000)
    print(f"this_town moves with 24 tiles: median {median(late):.2f} ms, worst {max(late):.1f} ms")
    print(f"this_town whole random game: {whole:.1f} ms")
    won, times = robot_wins(200)
    print(f"this_town robot: wins {won} of 200 against random play, median {median(times):.1f} ms a move")
    print(f"this_town robot: worst {max(times):.1f} ms a move")


if __name__ == "__main__":
    main()
