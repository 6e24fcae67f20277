"""The one function that computes when things fall due: weekends, and days on which the clocks change."""

from __future__ import annotations

from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from bot.deadlines import DAY, HOUR, MINUTE, Pace, is_zone, spread, zones

EVERY_DAY = Pace()
WEEKDAYS = Pace(weekends=False)
BERLIN = Pace(weekends=False, zone="Europe/Berlin")
CAIRO = Pace(weekends=False, zone="Africa/Cairo")


def at(text: str, zone: str = "UTC") -> int:
    """A moment by the wall clock of that zone; 7 August 2026 is a Friday."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp())


def test_where_weekends_count_a_day_is_24_hours() -> None:
    assert EVERY_DAY.after(at("2026-08-07 18:00"), DAY) == at("2026-08-08 18:00")
    assert EVERY_DAY.between(at("2026-08-07 18:00"), at("2026-08-08 18:00")) == DAY


def test_what_is_left_on_friday_night_goes_on_on_monday() -> None:
    assert WEEKDAYS.after(at("2026-08-07 18:00"), 12 * HOUR) == at("2026-08-10 06:00")
    assert WEEKDAYS.between(at("2026-08-07 18:00"), at("2026-08-10 06:00")) == 12 * HOUR


def test_a_question_that_is_put_on_a_weekend_has_its_time_from_monday_on() -> None:
    assert WEEKDAYS.after(at("2026-08-08 09:00"), DAY) == at("2026-08-11 00:00")
    assert WEEKDAYS.after(at("2026-08-09 23:59"), HOUR) == at("2026-08-10 01:00")
    assert WEEKDAYS.between(at("2026-08-08 09:00"), at("2026-08-09 21:00")) == 0


def test_time_that_ends_with_friday_ends_when_monday_begins() -> None:
    assert WEEKDAYS.after(at("2026-08-07 12:00"), 12 * HOUR) == at("2026-08-10 00:00")


def test_seven_weekdays_are_nine_days_or_eleven() -> None:
    assert WEEKDAYS.after(at("2026-08-03 12:00"), 7 * DAY) == at("2026-08-12 12:00")
    assert WEEKDAYS.after(at("2026-08-06 12:00"), 7 * DAY) == at("2026-08-17 12:00")


def test_the_weekend_is_that_of_the_tables_own_time_zone() -> None:
    auckland = Pace(weekends=False, zone="Pacific/Auckland")
    assert auckland.after(at("2026-08-07 13:00"), HOUR) == at("2026-08-10 01:00", "Pacific/Auckland")
    assert WEEKDAYS.after(at("2026-08-07 13:00"), HOUR) == at("2026-08-07 14:00")


def test_clocks_that_go_forward_on_a_weekend_change_no_deadline_on_the_wall() -> None:
    """On 29 March 2026 Berlin goes from 02:00 to 03:00: from Friday noon to Monday noon are 71 hours."""
    friday, monday = at("2026-03-27 12:00", "Europe/Berlin"), at("2026-03-30 12:00", "Europe/Berlin")
    assert monday - friday == 71 * HOUR
    assert BERLIN.after(friday, DAY) == monday
    assert BERLIN.between(friday, monday) == DAY


def test_clocks_that_go_back_on_a_weekend_change_no_deadline_on_the_wall() -> None:
    """On 25 October 2026 Berlin goes from 03:00 to 02:00: from Friday noon to Monday noon are 73 hours."""
    friday, monday = at("2026-10-23 12:00", "Europe/Berlin"), at("2026-10-26 12:00", "Europe/Berlin")
    assert monday - friday == 73 * HOUR
    assert BERLIN.after(friday, DAY) == monday
    assert BERLIN.between(friday, monday) == DAY


def test_a_weekday_on_which_the_clocks_go_forward_has_23_hours() -> None:
    """Cairo goes from 00:00 to 01:00 on Friday, 24 April 2026: from Thursday noon 35 hours are left of the week."""
    thursday = at("2026-04-23 12:00", "Africa/Cairo")
    assert CAIRO.after(thursday, 34 * HOUR) == at("2026-04-24 23:00", "Africa/Cairo")
    assert CAIRO.after(thursday, 35 * HOUR) == at("2026-04-27 00:00", "Africa/Cairo")


def test_a_day_on_which_the_clocks_go_back_has_25_hours() -> None:
    """Cairo goes from 24:00 to 23:00 on Thursday, 29 October 2026: from its noon to Friday's noon are 25 hours."""
    thursday = at("2026-10-29 12:00", "Africa/Cairo")
    assert CAIRO.after(thursday, 25 * HOUR) == at("2026-10-30 12:00", "Africa/Cairo")
    assert CAIRO.between(thursday, at("2026-10-30 12:00", "Africa/Cairo")) == 25 * HOUR


@pytest.mark.parametrize("pace", [EVERY_DAY, WEEKDAYS, BERLIN, CAIRO])
def test_between_measures_what_after_adds(pace: Pace) -> None:
    rng = Random(6)
    for _ in range(500):
        start, seconds = at("2026-01-01") + rng.randrange(365 * DAY), rng.randrange(1, 30 * DAY)
        end = pace.after(start, seconds)
        assert pace.between(start, end) == seconds
        assert pace.after(start, seconds + MINUTE) > end
        if not pace.weekends:
            assert datetime.fromtimestamp(end, ZoneInfo(pace.zone)).weekday() < 5


def test_what_is_over_has_no_time_left() -> None:
    assert WEEKDAYS.between(at("2026-08-07 12:00"), at("2026-08-07 12:00")) == 0
    assert EVERY_DAY.between(at("2026-08-07 12:00"), at("2026-08-06 12:00")) == 0


def test_tables_that_are_asked_together_do_not_fall_due_in_the_same_second() -> None:
    assert spread(1) == 7 and spread(9) == 3
    assert len({spread(number) for number in range(60)}) == 60


def test_zones_are_known_by_their_names() -> None:
    assert is_zone("Europe/Berlin") and is_zone("UTC")
    assert not is_zone("Europe/Nowhere") and not is_zone("../etc/passwd") and not is_zone("")
    assert zones("berlin") == ["Europe/Berlin"]
