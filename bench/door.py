"""How long a move takes from the door to the disk, and how much memory a thousand tables cost."""

from __future__ import annotations

import asyncio
import resource
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from bot.deadlines import Pace
from bot.rules import games
from bot.store import Store
from bot.table import Seat, Table
from bot.tables import Tables

TABLES = 1_000
MOVES = 200


def table(game: str, seats: int) -> Table:
    """An open table with that many players."""
    return Table(
        id=0,
        game=game,
        guild=1,
        channel=1,
        place=1,
        host=1,
        state="open",
        options={},
        most=seats + 1,
        least=seats,
        pace=Pace(),
        thread=False,
        seats=tuple(Seat(user, f"Player {user}") for user in range(1, seats + 1)),
        rules=games()[game].version,
    )


async def moves(tables: Tables, game: str) -> list[float]:
    """The milliseconds of each of some random moves at one table."""
    rng = Random(1)
    seats = max(games()[game].players[0], 3)
    current = await tables.open(table(game, seats))
    current = await tables.start(current.id, 1)
    taken: list[float] = []
    while len(taken) < MOVES and current.waiting:
        seat = current.waiting[0]
        move = rng.choice(current.running().moves(seat)).replace("<word>", "metal")
        user = current.seats[seat].user
        assert user is not None
        began = perf_counter()
        current = await tables.play(current.id, user, [move])
        taken.append((perf_counter() - began) * 1_000)
    return taken


async def measure(folder: Path) -> None:
    store = await Store.open(folder / "dawdle.sqlite3")
    tables = Tables(store, lambda: 1_800_000_000, Random(1))
    try:
        for game in sorted(games()):
            taken = await moves(tables, game)
            print(f"door {game}: a stored move takes {median(taken):.1f} ms, worst {max(taken):.1f} ms")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = perf_counter()
        for _ in range(TABLES):
            opened = await tables.open(table("this_town", 2))
            await tables.start(opened.id, 1)
        seconds = perf_counter() - began
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1_024
        print(f"door {TABLES} tables opened and started in {seconds:.1f} s; memory grew by {grown:.1f} MB")
    finally:
        await store.close()


def main() -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    main()
