"""A month of 200 tables of all games, with people who vanish, return, travel, block direct messages and leave servers.

The bot is restarted and is away for hours meanwhile, and the clocks of Berlin (25 October) and of New York
(1 November) are put back.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot import inspection
from bot.config import Config
from bot.deadlines import DAY, HOUR, MINUTE
from bot.rules import games
from bot.store import Store
from tests.month import Month, crowd, paces, seated
from tests.test_deadlines import at

TABLES, PEOPLE = 200, 150
BEGIN, END = at("2026-10-05 08:00"), at("2026-11-05 08:00")
OUTAGES = {
    at("2026-10-09 03:00"): 9 * HOUR,
    at("2026-10-17 12:00"): 30 * HOUR,
    at("2026-10-24 22:00"): 8 * HOUR,
    **{BEGIN + day * DAY + 5 * HOUR: 5 * MINUTE for day in range(2, 30, 3)},
}
ENDINGS = {
    "steward": {"played"},
    "replace": {"played"},
    "end": {"played", "expired"},
    "wait": {"played", "agreed"},
}
"""How a table may end by its policy, besides by those who give up."""


async def test_a_month(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dawdle.sqlite3"
    await (await Store.open(path)).close()
    rng = Random(2026)
    month = Month(path, BEGIN, END, OUTAGES, rng, crowd(PEOPLE, BEGIN, END, rng))
    monkeypatch.setattr("bot.table.choose", month.robot)
    names = [*games()]
    for number in range(TABLES):
        users, robots = seated(names[number % len(names)], [*month.people], rng)
        month.open(names[number % len(names)], users, robots, paces(rng), BEGIN + rng.randrange(4 * DAY))
    await month.run()

    assert month.faults == []
    assert len(month.tables) == TABLES
    for table in month.tables.values():
        policy = table.pace.policy
        if table.state == "over":
            assert table.ending in ENDINGS[policy] | {"conceded", "abandoned"}, table.id
        else:
            people = [month.people[table.seats[seat].user or 0] for seat in table.owing]
            assert policy == "wait" and people and all(person.absent(END) for person in people), table.id
    for told in month.messages.values():
        owed = [(user, month.tables[table], asked) for user, table, asked in told]
        assert any(table.asked == asked and table.seat_of(user) in table.owing for user, table, asked in owed)
    assert (month.seen["outage"], month.seen["restart"]) == (3, 10)
    happened = ("turn", "half", "hour", "last", "digest", "failure", "away", "given up", "taken")
    assert all(month.seen[what] > 10 for what in happened), month.seen
    assert {table.ending for table in month.tables.values()} >= {"played", "agreed", "expired", "conceded"}
    assert await inspection.check(Config(token=None, database=path)) == 0
    assert f"{TABLES} tables, 0 findings." in capsys.readouterr().out
