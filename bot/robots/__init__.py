"""Computer players: one file a game, found by its name.  A robot sees its seat's view and moves, nothing else."""

from __future__ import annotations

import importlib
import importlib.util
from random import Random

from bot.rules.base import View


def choose(game: str, view: View, moves: tuple[str, ...], rng: Random) -> str:
    """The move which that game's robot makes on the seat's view; `moves` is not empty.

    A game without a robot of its own is played at random.
    """
    if importlib.util.find_spec(f"{__name__}.{game}") is None:
        return rng.choice(moves)
    return importlib.import_module(f"{__name__}.{game}").choose(view, moves, rng)
