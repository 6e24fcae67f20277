"""Two by Two in numbers: the times of rules and pictures, and how often the robot beats random play."""

from __future__ import annotations

from random import Random
from statistics import median
from time import perf_counter

from bot.robots.two_by_two import choose
from bot.rules.two_by_two import TwoByTwo


def random_game(number: int) -> tuple[TwoByTwo, list[tuple[int, str]], list[float]]:
    """The first position, the moves and the milliseconds that listing each seat's moves took."""
    rng = Random(number)
    seats = 2 + number % 3
    options = TwoByTwo.complete(seats, {})
    first = position = TwoByTwo.deal(seats, options, TwoByTwo.shuffle(seats, options, rng))
    log: list[tuple[int, str]] = []
    times: list[float] = []
    while position.waiting():
        seat = position.waiting()[0]
        start = perf_counter()
        moves = position.moves(seat)
        times.append((perf_counter() - start) * 1000)
        move = rng.choice(moves)
        log.append((seat, move))
        position = position.play(seat, move)
    return first, log, times


def replay(first: TwoByTwo, log: list[tuple[int, str]]) -> TwoByTwo:
    """The position after the moves."""
    position = first
    for seat, move in log:
        position = position.play(seat, move)
    return position


def robot_wins(games: int) -> tuple[int, list[float]]:
    """The games of two that the robot wins alone against random play, and the milliseconds of its choices."""
    won = 0
    times: list[float] = []
    for number in range(games):
        rng = Random(number)
        robot = number % 2
        options = TwoByTwo.complete(2, {})
        position = TwoByTwo.deal(2, options, TwoByTwo.shuffle(2, options, rng))
        while position.waiting():
            seat = position.waiting()[0]
            moves = position.moves(seat)
            if seat == robot:
                start = perf_counter()
                move = choose(position.view(seat), moves, rng)
                times.append((perf_counter() - start) * 1000)
            else:
                move = rng.choice(moves)
            position = position.play(seat, move)
        won += position.winners == (robot,)
    return won, times


def main() -> None:
    """Prints the numbers."""
    games = [random_game(number) for number in range(200)]
    times = [time for _, _, game_times in games for time in game_times]
    print(f"two_by_two moves: median {median(times):.3f} ms, worst {max(times):.2f} ms")
    start = perf_counter()
    for first, log, _ in games:
        replay(first, log)
    print(f"two_by_two replay of a whole game: {(perf_counter() - start) * 1000 / len(games):.2f} ms")
    won, choices = robot_wins(200)
    print(f"two_by_two robot: wins {won} of 200 against random play, {median(choices):.2f} ms a choice")


if __name__ == "__main__":
    main()
