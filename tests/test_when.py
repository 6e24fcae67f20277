"""Days and times as people type them, and the quiet hours of a day."""

from __future__ import annotations

import pytest

from bot.deadlines import DAY, HOUR
from bot.when import clock, minute, moment, spoken
from bot.wishes import Wishes
from tests.test_deadlines import at

NOW = at("2026-08-03 12:00")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("3 days", 3 * DAY), ("1 day", DAY), ("2w", 14 * DAY), ("in 2 weeks", 14 * DAY), ("for 36 hours", 36 * HOUR)],
)
def test_a_length_of_time_counts_from_now(text: str, seconds: int) -> None:
    assert moment(text, NOW, "Asia/Tokyo") == NOW + seconds


@pytest.mark.parametrize(
    "text", ["2026-12-24", "24.12.", "24.12.2026", "24 Dec", "Dec 24", "december 24, 2026", "24 dec."]
)
def test_a_date_is_the_beginning_of_that_day_in_the_users_time_zone(text: str) -> None:
    assert moment(text, NOW, "Asia/Tokyo") == at("2026-12-24", "Asia/Tokyo")


def test_a_date_without_a_year_is_the_next_one() -> None:
    assert moment("2 Aug", NOW, "UTC") == at("2027-08-02")
    assert moment("4 Aug", NOW, "UTC") == at("2026-08-04")


def test_tomorrow_is_tomorrow_where_the_user_lives() -> None:
    assert moment("tomorrow", NOW, "Pacific/Auckland") == at("2026-08-05", "Pacific/Auckland")
    assert moment("Tomorrow", NOW, "UTC") == at("2026-08-04")


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "31.2.", "3 moons", "Foo 24", "-3 days", "1e9 days"])
def test_anything_else_is_not_understood(text: str) -> None:
    assert moment(text, NOW, "UTC") is None


def test_times_of_the_day() -> None:
    assert [minute(text) for text in ("22:00", "7.30", "7", "24:00", "0:00")] == [1320, 450, 420, 0, 0]
    assert [minute(text) for text in ("25", "7:60", "late", "")] == [None] * 4
    assert clock(450) == "07:30"
    assert spoken(at("2026-12-24", "Asia/Tokyo"), "Asia/Tokyo") == "2026-12-24 00:00"


NIGHT = Wishes(quiet_from=22 * 60, quiet_to=7 * 60 + 30)


def test_quiet_hours_over_midnight() -> None:
    end = at("2026-08-04 07:30")
    assert NIGHT.quiet_until(at("2026-08-03 21:59")) is None
    assert NIGHT.quiet_until(at("2026-08-03 22:00")) == end
    assert NIGHT.quiet_until(at("2026-08-04 07:29")) == end
    assert NIGHT.quiet_until(end) is None


def test_quiet_hours_within_a_day() -> None:
    work = Wishes(quiet_from=9 * 60, quiet_to=17 * 60)
    assert work.quiet_until(at("2026-08-03 09:00")) == at("2026-08-03 17:00")
    assert work.quiet_until(at("2026-08-03 17:00")) is None
    assert work.quiet_until(at("2026-08-03 03:00")) is None


def test_who_has_no_quiet_hours_is_never_quiet() -> None:
    assert Wishes().quiet_until(NOW) is None
    assert Wishes(quiet_from=60, quiet_to=60).quiet_until(at("2026-08-03 01:00")) is None


def test_quiet_hours_follow_the_clocks_of_the_users_time_zone() -> None:
    """Berlin goes from 02:00 to 03:00 on 29 March 2026 and from 03:00 to 02:00 on 25 October 2026."""
    berlin = Wishes(quiet_from=22 * 60, quiet_to=7 * 60, zone="Europe/Berlin")
    assert berlin.quiet_until(at("2026-03-28 21:00")) == at("2026-03-29 05:00")
    assert berlin.quiet_until(at("2026-10-24 20:00")) == at("2026-10-25 06:00")


@pytest.mark.parametrize("day", ["2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25"])
@pytest.mark.parametrize("end", ["01:30", "02:30", "03:00"])
def test_quiet_hours_always_end_after_now(day: str, end: str) -> None:
    wishes = Wishes(quiet_from=23 * 60, quiet_to=minute(end) or 0, zone="Europe/Berlin")
    for minutes in range(0, 26 * 60, 5):
        now = at(day) + minutes * 60
        until = wishes.quiet_until(now)
        assert until is None or now < until <= now + 5 * HOUR
