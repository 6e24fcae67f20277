"""When things fall due: the one place that computes it.

All times are whole seconds since 1970, UTC; lengths are seconds.  On a table with weekends off only the time from
Monday to Friday counts, by the wall clock of the table's time zone, so that a day on which the clocks change has 23
or 25 hours and nobody gains or loses by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cache, cached_property
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

MINUTE, HOUR, DAY = 60, 3_600, 86_400

SHORTEST, USUAL, LONGEST = 15 * MINUTE, DAY, 7 * DAY
"""The least, the default and the most time for one question."""

MOST_BANK = 14 * DAY
MOST_EXTENSION = 7 * DAY

Policy = Literal["steward", "wait", "replace", "end"]
"""What happens to a seat that stays late: a robot plays it until its player acts; nothing; it is offered to others;
the game ends."""

Absence = Literal["pause", "steward"]
"""What a player's announced absence does: the clock stands, or a robot plays."""

SATURDAY = 5


@dataclass(frozen=True)
class Pace:
    """How fast a table is played and what it does about those who are late."""

    period: int = USUAL
    """The time for each question."""
    bank: int = 2 * DAY
    """What each seat may use in all beyond that, in one game."""
    grace: int = DAY
    """The time after that in which those who are late are named, before the policy is applied."""
    policy: Policy = "steward"
    weekends: bool = True
    """Whether weekends count."""
    zone: str = "UTC"
    """The IANA name of the table's time zone."""
    absence: Absence = "pause"
    away_days: int = 30
    """How many days a year a player's absence is honoured as the table chose; beyond that a robot plays."""

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    def after(self, start: int, seconds: int) -> int:
        """The moment at which that much counted time has passed since `start`."""
        if self.weekends:
            return start + seconds
        moment, left = self._weekday(start), seconds
        while True:
            friday_night = self._next(moment, SATURDAY)
            if left < friday_night - moment:
                return moment + left
            left -= friday_night - moment
            moment = self._weekday(friday_night)

    def between(self, start: int, end: int) -> int:
        """How much counted time lies between the two; 0 when `end` is not after `start`."""
        if end <= start:
            return 0
        if self.weekends:
            return end - start
        counted, moment = 0, self._weekday(start)
        while moment < end:
            friday_night = self._next(moment, SATURDAY)
            counted += min(friday_night, end) - moment
            moment = self._weekday(friday_night)
        return counted

    def _weekday(self, moment: int) -> int:
        """That moment, or on a weekend the following Monday's midnight."""
        day = self._local(moment).weekday()
        return moment if day < SATURDAY else self._next(moment, 0)

    def _next(self, moment: int, weekday: int) -> int:
        """The next midnight at which that weekday begins."""
        local = self._local(moment)
        days = (weekday - local.weekday() - 1) % 7 + 1
        midnight = datetime.combine(local.date() + timedelta(days=days), time.min, self._zone)
        return int(midnight.timestamp())

    def _local(self, moment: int) -> datetime:
        return datetime.fromtimestamp(moment, UTC).astimezone(self._zone)


def spread(table_id: int) -> int:
    """Some seconds, so that tables asked in the same minute do not all fall due in the same second."""
    return table_id * 7 % MINUTE


def is_zone(name: str) -> bool:
    """Whether that is the IANA name of a time zone."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


@cache
def _zones() -> tuple[str, ...]:
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


def zones(typed: str) -> list[str]:
    """The time zones whose names contain what somebody typed, those of cities by the city alone first."""
    wanted = typed.strip().replace(" ", "_").casefold()
    found = [name for name in _zones() if wanted in name.casefold()]
    return sorted(found, key=lambda name: not name.casefold().rpartition("/")[2].startswith(wanted))
