"""Days and times as people type them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

UNITS = {"h": 3_600, "d": 86_400, "w": 7 * 86_400}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_SPAN = re.compile(r"(?:in |for )?(\d{1,4}) ?(h|d|w)(?:ours?|ays?|eeks?)?")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY_FIRST = re.compile(r"(\d{1,2})[. ] ?(\d{1,2}|[a-z]{3})[a-z]*\.?,? ?(\d{4})?")
_MONTH_FIRST = re.compile(r"([a-z]{3})[a-z]* (\d{1,2}),? ?(\d{4})?")
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?")


def moment(text: str, now: int, zone: str) -> int | None:
    """The moment meant by `3 days`, `2 weeks`, `2026-12-24`, `24.12.` or `Dec 24`; None when it is none.

    A date is the moment at which that day begins in the time zone; without a year it is the next one.
    """
    typed = " ".join(text.casefold().split())
    if found := _SPAN.fullmatch(typed):
        return now + int(found[1]) * UNITS[found[2]]
    today = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(zone)).date()
    day = _date(typed, today)
    return None if day is None else int(datetime.combine(day, time.min, ZoneInfo(zone)).timestamp())


def _date(typed: str, today: date) -> date | None:
    if typed == "tomorrow":
        return today + timedelta(days=1)
    if found := _ISO.fullmatch(typed):
        return _day(int(found[1]), int(found[2]), int(found[3]))
    if found := _DAY_FIRST.fullmatch(typed):
        number, month, year = found[1], found[2], found[3]
    elif found := _MONTH_FIRST.fullmatch(typed):
        month, number, year = found[1], found[2], found[3]
    else:
        return None
    if month.isdigit():
        month_number = int(month)
    elif month in MONTHS:
        month_number = MONTHS.index(month) + 1
    else:
        return None
    if year:
        return _day(int(year), month_number, int(number))
    day = _day(today.year, month_number, int(number))
    return day if day is None or day > today else _day(today.year + 1, month_number, int(number))


def _day(year: int, month: int, number: int) -> date | None:
    try:
        return date(year, month, number)
    except ValueError:
        return None


def spoken(moment: int, zone: str) -> str:
    """A moment where Discord shows no time of its own, as `2026-12-24 00:00`."""
    return datetime.fromtimestamp(moment, UTC).astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


def minute(text: str) -> int | None:
    """The minute of the day meant by `22:00`, `7.30` or `7`; None when it is none."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None or int(found[1]) > 24 or int(found[2] or 0) > 59:
        return None
    return (int(found[1]) * 60 + int(found[2] or 0)) % (24 * 60)


def clock(minute: int) -> str:
    """A minute of the day as `22:00`."""
    return f"{minute // 60:02}:{minute % 60:02}"
