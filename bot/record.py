"""Records: JSON files that hold a whole game, replayed to what a seat or the public may know at the end.

A record is `{"game", "seats", "options", "setup", "moves": [[seat, move], [null, "bell"], …]}`; the options
may be left out.  Nothing in a file, however wrong, leads to more than one line that says so.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bot import snapshot
from bot.rules import games
from bot.rules.base import Game, Refused, Seat, mapping, sequence, whole_number

LONGEST_NUMBER = 100
"""The digits of a number that is read exactly."""


def add_arguments(parser: ArgumentParser) -> None:
    """What `python -m bot record` takes."""
    parser.add_argument("--as", dest="seat", metavar="SEAT", help="the seat whose view is shown, from 0")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a record")


def main(arguments: Namespace) -> int:
    """Print one JSON object a file; 0 if all were replayed, 2 if any is an error."""
    lines, status = replay(arguments.files, arguments.seat)
    for line in lines:
        print(line)
    return status


def replay(paths: Iterable[str | Path], seat: str | None) -> tuple[list[str], int]:
    """One JSON object a file, as that seat (in digits; None: the public) sees it, and the exit status."""
    results = [_result(path, seat) for path in paths]
    status = 2 if any("error" in result for result in results) else 0
    return [json.dumps(result) for result in results], status


def _result(path: str | Path, seat: str | None) -> dict[str, Any]:
    try:
        position, moves = _dealt(_read(path))
        viewer = _viewer(position, seat)
    except Refused as refusal:
        return {"error": str(refusal), "move": None}
    for number, entry in enumerate(moves, start=1):
        try:
            position = _played(position, entry)
        except Refused as refusal:
            return {"error": str(refusal), "move": number}
    outcome = position.outcome()
    return {
        "turn": position.turn,
        "waiting": position.waiting(),
        "scores": position.scores(),
        "outcome": None if outcome is None else {"winners": outcome.winners},
        "view": snapshot.dump(position.view(viewer)),
    }


def _read(path: str | Path) -> Any:
    try:
        text = Path(path).read_bytes().decode()
    except OSError:
        raise Refused("The file cannot be read.") from None
    except ValueError:
        raise Refused("The file is not text in UTF-8.") from None
    try:
        return json.loads(text, parse_constant=_no_constant, parse_int=_number)
    except ValueError:
        raise Refused("The file is not JSON.") from None
    except RecursionError:
        raise Refused("The file is nested too deeply.") from None


def _no_constant(name: str) -> None:
    """NaN and the infinities, which Python reads, are not JSON."""
    raise ValueError(name)


def _number(digits: str) -> int | float:
    """Python refuses to read whole numbers of thousands of digits; JSON does not, and no game has a use for them."""
    return int(digits) if len(digits) <= LONGEST_NUMBER else float(digits)


def _dealt(record: Any) -> tuple[Game, Sequence[Any]]:
    """The first position and the moves to come."""
    record = mapping(record, "A record is a JSON object.")
    name = record.get("game")
    if not isinstance(name, str) or name not in games():
        raise Refused("The record names no game that is known here.")
    game = games()[name]
    seats = whole_number(record.get("seats"), "The number of seats is a whole number.")
    if seats not in game.players:
        least, most = game.players[0], game.players[-1]
        raise Refused("{game} has {least} to {most} seats.", game=game.title, least=least, most=most)
    options = game.complete(seats, mapping(record.get("options", {}), "The options are a JSON object."))
    setup = mapping(record.get("setup"), "The set-up is a JSON object.")
    moves = sequence(record.get("moves"), "The moves are a list.")
    return game.deal(seats, options, setup), moves


def _viewer(position: Game, seat: str | None) -> Seat | None:
    if seat is None:
        return None
    numbers = {str(number): number for number in range(position.seats)}
    if seat not in numbers:
        raise Refused("The game has no such seat to see it from.")
    return numbers[seat]


def _played(position: Game, entry: Any) -> Game:
    match entry:
        case [None, "bell"]:
            return position.bell()
        case [int() as seat, str() as move] if type(seat) is int:
            if seat not in range(position.seats):
                raise Refused("The game has no seat {seat}.", seat=seat)
            return position.play(seat, move)
        case _:
            raise Refused("A move is a list of a seat and a text.")
