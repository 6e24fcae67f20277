"""The pictures in numbers: what one takes to make and to send, for every game that has a renderer."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from random import Random
from statistics import median
from time import perf_counter
from types import ModuleType

from bot.rules import games
from bot.rules.base import Game, View
from renderers.people import People

NAMES = ("Marguerite", "Борис", "Κατερίνα", "xX_DragonSlayer_Xx", "田中さくら", "🦁 Leo", "Nguyễn", "Al", "محمد")
TARGET_MS, TARGET_KB = 30, 250


def renderers() -> dict[type[Game], ModuleType]:
    """Every game that has a renderer, and the renderer."""
    return {
        game: importlib.import_module(f"renderers.{name}")
        for name, game in games().items()
        if find_spec(f"renderers.{name}")
    }


def people(seats: int) -> People:
    return People(NAMES[:seats])


def positions(game: type[Game], seats: int, wanted: int = 6) -> list[Game]:
    """So many positions of one game between computer players, evenly spread, with the first and the last."""
    rng = Random(seats)
    options = game.complete(seats, {})
    position = game.deal(seats, options, game.shuffle(seats, options, rng))
    robot = importlib.import_module(f"bot.robots.{game.name}")
    played = [position]
    while waiting := position.waiting():
        seat = rng.choice(waiting)
        moves = position.moves(seat)
        position = position.play(seat, robot.choose(position.view(seat), moves, rng))
        played.append(position)
    return [played[round(step * (len(played) - 1) / (wanted - 1))] for step in range(wanted)]


def drawn(renderer: ModuleType, view: View, moves: tuple[str, ...] = ()) -> tuple[bytes, float]:
    """The picture of that view, and the milliseconds it took."""
    began = perf_counter()
    picture = renderer.draw(view, people(view.seats), moves)
    return picture, (perf_counter() - began) * 1000


def main() -> None:
    print(f"{'game':16}{'seats':>6}{'first ms':>10}{'median ms':>11}{'largest KB':>12}")
    for game, renderer in renderers().items():
        for seats in sorted({game.players[0], game.players[-1]}):
            first = drawn(renderer, positions(game, seats)[0].view(None))[1]
            times: list[float] = []
            sizes: list[int] = []
            for position in positions(game, seats):
                for seat in (None, 0):
                    moves = () if seat is None else position.moves(seat)
                    pictures = [drawn(renderer, position.view(seat), moves) for _ in range(5)]
                    times += [ms for _, ms in pictures]
                    sizes.append(len(pictures[0][0]))
            print(f"{game.name:16}{seats:6}{first:10.0f}{median(times):11.1f}{max(sizes) / 1000:12.0f}")
    print(f"targets: {TARGET_MS} ms, {TARGET_KB} KB")


if __name__ == "__main__":
    main()
