"""What remains of games that are over: a result a seat, and what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.store import Result
from bot.table import Ending, Table

DECIDED: tuple[Ending, ...] = ("played", "conceded")
"""The endings with a result; games that end in another way do not count as played."""


def results_of(table: Table, now: int) -> tuple[Result, ...]:
    """One result a seat of a table that is over; none when it was never dealt.

    A seat that was given up wins nothing, whatever its robot achieves.
    """
    position = table.position
    if table.state != "over" or table.ending is None or position is None:
        return ()
    decided = table.ending in DECIDED and position.competitive
    winners = table.winners if decided else ()
    honours = position.honours() if table.ending == "played" else ((),) * len(table.seats)
    ranks = [(seat in winners, score) for seat, score in enumerate(position.scores())]
    return tuple(
        Result(
            table_id=table.id,
            seat=number,
            user=seat.user,
            server=table.guild,
            game=table.game,
            ended=now,
            ending=table.ending,
            won=number in winners and not seat.left,
            shared=number in winners and len(winners) > 1,
            score=ranks[number][1],
            place=1 + sum(rank > ranks[number] for rank in ranks) if decided else None,
            seats=len(table.seats),
            answers=seat.answers,
            punctual=seat.punctual,
            honours=() if seat.left else honours[number],
        )
        for number, seat in enumerate(table.seats)
    )


@dataclass(frozen=True)
class Tally:
    """What several results add up to."""

    played: int
    contests: int
    """The games among them in which the players compete."""
    won: int
    shared: int
    """The wins among them that were shared."""
    answers: int
    punctual: int
    honours: Mapping[str, int]

    @property
    def share(self) -> float:
        """The share of the contests that was won, 0 to 1."""
        return self.won / self.contests if self.contests else 0.0


def tally(results: Iterable[Result]) -> Tally:
    """Adds up; a game without a result counts for nothing but punctuality."""
    everything = list(results)
    played = [result for result in everything if result.ending in DECIDED]
    return Tally(
        played=len(played),
        contests=sum(result.place is not None for result in played),
        won=sum(result.won for result in played),
        shared=sum(result.won and result.shared for result in played),
        answers=sum(result.answers for result in everything),
        punctual=sum(result.punctual for result in everything),
        honours=Counter(honour for result in played for honour in result.honours),
    )


def ranking(results: Iterable[Result]) -> list[tuple[int, Tally]]:
    """The users who have competed: most wins first, then those who needed fewer games, then the oldest account."""
    by_user: dict[int, list[Result]] = {}
    for result in results:
        if result.user is not None and result.place is not None:
            by_user.setdefault(result.user, []).append(result)
    tallies = [(user, tally(own)) for user, own in by_user.items()]
    return sorted(tallies, key=lambda entry: (-entry[1].won, entry[1].contests, entry[0]))
