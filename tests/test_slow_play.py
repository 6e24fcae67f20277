"""What makes a game over days end well: clocks, banks, policies, absences, and seats that change hands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.deadlines import DAY, HOUR, Pace
from bot.rules.base import Refused
from bot.store import Entry, Store
from bot.table import ANYBODY, Table
from bot.tables import Tables
from tests.slow import NOW, answered, dealt, opened
from tests.test_deadlines import at

LAST = NOW + 4 * DAY
"""When the policy is applied by the usual pace: a day for the question, two in the bank, and one of grace."""


def late(table: Table, now: int) -> Table:
    """The table that the clock rings whenever it is due until then."""
    while table.due is not None and table.due <= now and table.state == "running":
        table = table.ring(table.due)
    return table


# The clock


def test_the_time_for_a_question_begins_when_it_is_put() -> None:
    table = dealt()
    assert (table.asked, table.deadline, table.due) == (NOW, NOW + DAY, NOW + DAY)
    after = answered(table, 1, NOW + 5 * HOUR)
    assert (after.owing, after.asked, after.deadline) == ((1,), NOW + 5 * HOUR, NOW + 29 * HOUR)


def test_whoever_is_late_is_named_before_anything_happens() -> None:
    table = late(dealt(), NOW + DAY)
    assert table.late and table.overdue == (0,)
    assert not table.seats[0].steward and table.due == LAST
    assert late(table, LAST - 1) == table


def test_a_player_with_nothing_to_decide_is_never_late() -> None:
    table = late(dealt(players=3), LAST)
    assert [seat.steward for seat in table.seats] == [True, False, False]
    assert [seat.bank for seat in table.seats] == [0, 2 * DAY, 2 * DAY]


def test_the_bank_pays_for_what_is_over_and_no_more() -> None:
    table = answered(late(dealt(), NOW + DAY), 1, NOW + DAY + 5 * HOUR)
    assert [seat.bank for seat in table.seats] == [2 * DAY - 5 * HOUR, 2 * DAY]
    assert (table.seats[0].answers, table.seats[0].punctual) == (1, 0)
    table = answered(table, 2, NOW + DAY + 6 * HOUR)
    table = answered(table, 1, NOW + DAY + 7 * HOUR)
    assert table.seats[0].bank == 2 * DAY - 5 * HOUR
    assert (table.seats[0].answers, table.seats[0].punctual) == (3, 2), "a turn is two questions: flood, and act"


def test_a_turn_of_several_moves_is_paid_once() -> None:
    table = answered(answered(dealt(), 1, NOW), 2, NOW)
    table = late(table, NOW + DAY)
    for hours in (40, 41):
        move = table.running().moves(0)[0]
        table = table.play_own(1, [move], NOW + DAY + hours * HOUR)
        assert table.seats[0].bank == (48 - hours) * HOUR
        assert table.owing == (0,) and table.last_moment(0) == LAST
        assert table.due == LAST
    table = answered(table, 1, NOW + DAY + 42 * HOUR)
    assert (table.owing, table.seats[0].bank, table.seats[0].spent) == ((1,), 6 * HOUR, 0)


def test_a_bank_that_is_used_up_ends_the_patience_sooner() -> None:
    table = late(dealt(), NOW + DAY)
    table = answered(table, 1, NOW + 3 * DAY)
    assert table.seats[0].bank == 0
    asked = NOW + 3 * DAY + HOUR
    table = late(answered(table, 2, asked), asked + DAY)
    assert table.last_moment(0) == asked + 2 * DAY


def test_the_bank_pays_for_no_weekend() -> None:
    friday = at("2026-08-07 12:00")
    table = dealt(now=friday, period=4 * HOUR, weekends=False)
    assert table.deadline == at("2026-08-07 16:00")
    table = answered(late(table, friday + 4 * HOUR), 1, at("2026-08-10 10:00"))
    assert table.seats[0].bank == 2 * DAY - 18 * HOUR, "eight hours of Friday and ten of Monday"


def test_a_player_who_goes_on_acting_keeps_the_deadline() -> None:
    table = answered(answered(dealt(), 1, NOW), 2, NOW)
    move = table.running().moves(0)[0]
    after = table.play_own(1, [move], NOW + HOUR)
    assert after.turn > table.turn and after.owing == (0,)
    assert (after.asked, after.deadline) == (NOW, NOW + DAY)


# Policies


def test_steward_a_robot_plays_until_the_player_acts() -> None:
    table = late(dealt(), LAST)
    assert table.seats[0].steward and table.owing == () and table.seat_of(1) == 0
    table = table.robot_played(Random(1), LAST)
    assert table.owing == (1,)
    table = answered(answered(table, 2, LAST), 1, LAST)
    assert not table.seats[0].steward and table.seats[0].bank == 0


def test_steward_looking_at_the_board_takes_the_seat_back() -> None:
    table = late(dealt(), LAST).robot_played(Random(1), LAST)
    assert not table.resumed(1, LAST).seats[0].steward
    away = dealt(absence="steward").goes_away(1, LAST, 0, NOW)
    assert away.resumed(1, NOW) == away, "whoever is away may look"
    assert away.back(1, NOW).seats[0].away is None


def test_wait_nothing_happens_however_long_it_takes() -> None:
    table = late(dealt(policy="wait"), NOW + DAY)
    assert table.late and table.due is None
    table = answered(table, 1, NOW + 90 * DAY)
    assert table.owing == (1,) and table.seats[0].bank == 0


def test_replace_the_seat_is_offered_and_then_a_robot_plays() -> None:
    table = late(dealt(policy="replace"), LAST)
    assert table.seats[0].offered == ANYBODY and table.owing == (0,)
    assert table.due == LAST + DAY
    assert late(table, LAST + DAY).seats[0].steward


def test_replace_whoever_takes_the_seat_has_the_full_time_and_bank() -> None:
    table = late(dealt(policy="replace"), LAST).take_seat(0, 9, "Nine", LAST + HOUR)
    assert (table.seats[0].user, table.seats[0].bank, table.late) == (9, 2 * DAY, False)
    assert table.deadline == LAST + HOUR + DAY
    assert not table.seated(1)


def test_replace_the_player_who_comes_back_in_time_keeps_the_seat() -> None:
    table = answered(late(dealt(policy="replace"), LAST), 1, LAST + HOUR)
    assert table.seats[0].offered is None and table.seats[0].user == 1


def test_end_the_game_ends_without_a_result() -> None:
    table = late(dealt(policy="end"), LAST)
    assert (table.state, table.ending, table.due, table.winners) == ("over", "expired", None, ())


def test_stored_choices_count_whether_ready_was_pressed_or_not() -> None:
    table = dealt("animal_crossing", 3)
    for user in (1, 2, 3):
        table = answered(table, user, NOW)
    table = table.play_own(1, ["board A"], NOW).play_own(2, ["board B"], NOW).play_own(3, ["stay"], NOW)
    table = table.play_own(3, ["ready"], NOW)
    assert table.owing == (0, 1)
    after = late(table, NOW + DAY)
    assert after.turn > table.turn and not after.late
    assert [seat.steward for seat in after.seats] == [False] * 3
    assert [line.seat for line in after.played][-1] is None, "the bell is in the log"


def test_only_those_without_a_choice_are_late() -> None:
    table = answered(dealt("animal_crossing", 3), 2, NOW)
    table = late(table, NOW + DAY)
    assert table.overdue == (0, 2)
    table = late(table, LAST)
    assert [seat.steward for seat in table.seats] == [True, False, True]


# More time


def test_an_extension_is_meant_in_all() -> None:
    table = dealt().extended(1, DAY, NOW, False)
    assert table.deadline == NOW + 2 * DAY
    assert table.extended(1, DAY, NOW, False) == table
    assert table.extended(1, 12 * HOUR, NOW, False) == table
    assert table.extended(1, 3 * DAY, NOW, False).deadline == NOW + 4 * DAY


def test_an_extension_is_the_hosts_and_has_an_end() -> None:
    with pytest.raises(Refused, match="Only the host"):
        dealt().extended(2, DAY, NOW, False)
    assert dealt().extended(9, DAY, NOW, True).deadline == NOW + 2 * DAY
    with pytest.raises(Refused, match="at most 7 days"):
        dealt().extended(1, 8 * DAY, NOW, False)


def test_an_extension_takes_the_lateness_back_and_is_for_one_question() -> None:
    table = late(dealt(), NOW + DAY).extended(1, 2 * DAY, NOW + 2 * DAY, False)
    assert not table.late and table.due == NOW + 3 * DAY
    table = answered(table, 1, NOW + 2 * DAY)
    assert (table.extension, table.deadline) == (0, NOW + 3 * DAY)


def test_what_the_bot_was_away_is_given_back_once() -> None:
    table = dealt().credited(NOW + HOUR, NOW + 7 * HOUR)
    assert table.deadline == NOW + DAY + 6 * HOUR
    assert table.credited(NOW + HOUR, NOW + 7 * HOUR) == table
    longer = table.credited(NOW + HOUR, NOW + 9 * HOUR)
    assert longer.deadline == NOW + DAY + 8 * HOUR, "the same outage, found to be longer"
    again = longer.credited(NOW + 10 * HOUR, NOW + 11 * HOUR)
    assert again.deadline == NOW + DAY + 9 * HOUR


def test_an_outage_on_a_free_weekend_costs_and_gives_nothing() -> None:
    table = dealt(now=at("2026-08-07 12:00"), weekends=False)
    assert table.credited(at("2026-08-08 06:00"), at("2026-08-09 06:00")) == table


# Absences


def test_away_the_clock_stands_where_the_table_waits_for_the_player() -> None:
    until = NOW + 5 * DAY
    table = dealt().goes_away(1, until, 0, NOW)
    assert table.seats[0].pauses and table.owing == (0,)
    assert table.deadline == until + DAY and table.due == until
    assert late(table, until).seats[0].away is None


def test_away_the_others_play_on_until_the_table_waits_for_the_player() -> None:
    until = NOW + 5 * DAY
    table = dealt().goes_away(2, until, 0, NOW)
    assert table.deadline == NOW + DAY
    assert answered(table, 1, NOW + HOUR).deadline == until + DAY


def test_away_longer_than_the_budget_a_robot_plays() -> None:
    assert dealt().goes_away(1, NOW + 2 * DAY, 28, NOW).seats[0].pauses
    table = dealt().goes_away(1, NOW + 3 * DAY, 28, NOW)
    assert not table.seats[0].pauses and table.seats[0].steward
    assert dealt(away_days=0).goes_away(1, NOW + DAY, 0, NOW).seats[0].steward


def test_away_where_the_table_lets_a_robot_play_it_does_until_then() -> None:
    until = NOW + 2 * DAY
    table = dealt(absence="steward").goes_away(1, until, 0, NOW)
    assert table.owing == () and table.due == NOW + DAY
    table = late(answered(table.robot_played(Random(1), NOW), 2, NOW), until)
    assert (table.seats[0].steward, table.seats[0].away) == (False, None)


def test_away_acting_ends_it() -> None:
    table = answered(dealt().goes_away(1, NOW + 5 * DAY, 0, NOW), 1, NOW + DAY)
    assert (table.seats[0].away, table.seats[0].pauses) == (None, False)
    assert table.deadline == NOW + 2 * DAY


def test_away_the_clock_of_those_who_are_still_away_stands_when_another_is_back() -> None:
    until = NOW + 5 * DAY
    table = dealt("animal_crossing", 3).goes_away(1, until, 0, NOW).goes_away(2, NOW + 2 * DAY, 0, NOW)
    assert table.deadline == until + DAY
    assert table.back(2, NOW + DAY).deadline == until + DAY
    assert table.back(1, NOW + DAY).deadline == NOW + 3 * DAY


def test_away_the_time_after_an_absence_is_never_lost_to_what_is_added() -> None:
    table = late(dealt().goes_away(1, NOW + 5 * DAY, 0, NOW), NOW + 5 * DAY)
    assert table.deadline == NOW + 6 * DAY
    assert table.extended(1, DAY, NOW + 5 * DAY, False).deadline == NOW + 7 * DAY
    table = dealt().goes_away(1, NOW + 5 * DAY, 0, NOW).back(1, NOW + 3 * DAY)
    assert table.credited(NOW + 3 * DAY, NOW + 3 * DAY + HOUR).deadline == NOW + 4 * DAY + HOUR


def test_back_the_clock_goes_on_with_the_full_time() -> None:
    table = dealt().goes_away(1, NOW + 5 * DAY, 0, NOW).back(1, NOW + DAY)
    assert table.seats[0].away is None and table.deadline == NOW + 2 * DAY


# Seats


def test_a_seat_that_is_given_up_is_played_by_a_robot_until_somebody_takes_it() -> None:
    table = dealt(players=3).leave(1)
    assert table.state == "running" and table.robot_plays(0) and table.seats[0].offered == ANYBODY
    assert table.host == 2
    with pytest.raises(Refused, match="no seat"):
        table.play_own(1, ["berth E"], NOW)
    assert table.take_seat(0, 1, "Back again", NOW).seats[0].player == 1


def test_of_two_who_play_the_other_wins_when_one_concedes() -> None:
    table = dealt().leave(1)
    assert (table.state, table.ending, table.winners) == ("over", "conceded", (1,))


def test_against_a_robot_the_game_ends_with_its_last_player() -> None:
    table = dealt(players=1, robots=1).leave(1)
    assert (table.state, table.ending, table.winners) == ("over", "abandoned", ())


def test_a_seat_is_offered_to_somebody_who_must_accept() -> None:
    table = dealt().offer(1, 1, 9, False)
    assert table.seats[1].user == 2 and table.seats[1].offered == 9
    with pytest.raises(Refused, match="somebody else"):
        table.take_seat(1, 8, "Eight", NOW)
    assert table.take_seat(1, 9, "Nine", NOW).seats[1].user == 9
    assert answered(answered(table, 1, NOW), 2, NOW).seats[1].offered is None, "its player acts: the offer is void"


def test_a_seat_is_offered_by_the_host_and_to_nobody_who_sits_there() -> None:
    with pytest.raises(Refused, match="Only the host"):
        dealt().offer(2, 0, 9, False)
    with pytest.raises(Refused, match="has a seat"):
        dealt().offer(1, 1, 1, False)
    with pytest.raises(Refused, match="no player's"):
        dealt(players=1, robots=1).offer(1, 1, 9, False)
    with pytest.raises(Refused, match="no player's"):
        dealt().offer(1, 5, 9, False)


@pytest.mark.parametrize("policy", ["steward", "replace"])
def test_the_host_role_passes_on_from_a_host_who_vanishes(policy: Any) -> None:
    assert late(dealt(policy=policy), LAST).host == 2


def test_a_member_who_has_left_the_server_is_given_up_at_once() -> None:
    assert dealt().gone(1).seats[0].steward
    assert dealt(policy="replace").gone(1).seats[0].offered == ANYBODY
    assert dealt(policy="end").gone(1).ending == "expired"
    table = dealt(policy="wait").gone(1)
    assert table.seats[0].offered == ANYBODY and table.host == 2, "nobody waits for somebody who is gone"
    assert dealt().gone(99) == dealt()


def test_a_game_ends_by_the_votes_of_all_who_play() -> None:
    table = dealt(players=3, robots=1).vote_end(1, NOW).vote_end(2, NOW)
    assert table.state == "running"
    assert table.vote_end(2, NOW) == table
    table = table.vote_end(3, NOW)
    assert (table.state, table.ending, table.due) == ("over", "agreed", None)


def test_whoever_stays_away_stops_no_vote() -> None:
    table = late(dealt(policy="wait", players=3), NOW + DAY)
    assert table.vote_end(2, LAST - 1).vote_end(3, LAST - 1).state == "running"
    assert table.vote_end(2, LAST).vote_end(3, LAST).ending == "agreed"


def test_a_vote_takes_the_seat_back_from_the_robot() -> None:
    table = late(dealt(), LAST).vote_end(1, LAST)
    assert table.state == "running" and not table.seats[0].steward


# Before the game


def test_the_host_sets_the_pace_before_the_game() -> None:
    table = opened().paced(1, Pace(period=HOUR, bank=0))
    assert table.pace.period == HOUR
    with pytest.raises(Refused, match="Only the host"):
        opened().paced(2, Pace())
    with pytest.raises(Refused, match="15 minutes"):
        opened().paced(1, Pace(period=60))
    with pytest.raises(Refused, match="14 days"):
        opened().paced(1, Pace(bank=15 * DAY))
    with pytest.raises(Refused, match="started already"):
        dealt().paced(1, Pace())


# What is stored


class Desk:
    """Stored tables and a clock that the test sets."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now = NOW
        self.tables = Tables(store, lambda: self.now, Random(1))

    async def open(self, guild: int = 7, **pace: Any) -> Table:
        """A stored table that user 1 has opened, with a free seat."""
        table = opened(**pace)
        return await self.tables.open(replace(table, guild=guild, seats=table.seats[:1]))

    async def start(self, guild: int = 7, **pace: Any) -> Table:
        table = await self.open(guild, **pace)
        return await self.tables.join(table.id, 2, "Player 2")


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    store = await Store.open(tmp_path / "dawdle.sqlite3")
    yield Desk(store)
    await store.close()


async def test_an_extension_is_noted_once_with_who_and_when(desk: Desk) -> None:
    table = await desk.start()
    for _ in range(2):
        await desk.tables.extend(table.id, 1, DAY, False)
    desk.now += HOUR
    await desk.tables.extend(table.id, 9, 2 * DAY, True)
    assert await desk.store.journal(table.id) == [
        Entry(NOW, 1, f"extend {DAY}"),
        Entry(NOW + HOUR, 9, f"extend {2 * DAY}"),
    ]


async def test_away_is_said_once_for_all_servers(desk: Desk) -> None:
    tables = [await desk.start(guild) for guild in (7, 8)]
    robots = await desk.start(9, absence="steward")
    changed = await desk.tables.go_away(1, NOW + 3 * DAY)
    assert sorted(table.id for table in changed) == [*(table.id for table in tables), robots.id]
    assert [table.seats[table.seat_of(1)].pauses for table in sorted(changed, key=lambda each: each.id)] == [
        True,
        True,
        False,
    ]
    await desk.tables.come_back(1)
    for table in changed:
        assert (await desk.tables.load(table.id)).seats[table.seat_of(1)].away is None


async def test_a_move_at_one_table_ends_the_absence_at_all(desk: Desk) -> None:
    one, two = [await desk.start() for _ in range(2)]
    user = one.seats[one.owing[0]].user or 0
    await desk.tables.go_away(user, NOW + 3 * DAY)
    desk.now += HOUR
    await desk.tables.play(one.id, user, [one.running().moves(one.owing[0])[0]])
    seat = (await desk.tables.load(two.id)).seats[two.seat_of(user)]
    assert (seat.away, seat.pauses) == (None, False)
    assert await desk.store.away_until(user, desk.now) is None


async def test_the_days_of_a_year_are_counted_over_all_absences(desk: Desk) -> None:
    table = await desk.start(away_days=10)
    for _ in range(3):
        await desk.tables.go_away(1, desk.now + 3 * DAY)
        desk.now += 3 * DAY
        assert (await desk.tables.load(table.id)).seats[table.seat_of(1)].pauses
        await desk.tables.ring(table.id)
    (table,) = await desk.tables.go_away(1, desk.now + 2 * DAY)
    assert not table.seats[table.seat_of(1)].pauses


async def test_a_game_that_starts_finds_its_player_away(desk: Desk) -> None:
    table = await desk.open()
    await desk.tables.go_away(1, NOW + 3 * DAY)
    table = await desk.tables.join(table.id, 2, "Player 2")
    assert table.seats[table.seat_of(1)].away == NOW + 3 * DAY


async def test_an_absence_ends_in_the_future(desk: Desk) -> None:
    for until in (NOW, NOW + 400 * DAY):
        with pytest.raises(Refused, match="within a year"):
            await desk.tables.go_away(1, until)
