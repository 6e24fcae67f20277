"""When a question falls due: the one place that computes it.  All times are whole seconds since 1970, UTC."""

from __future__ import annotations

MINUTE, HOUR, DAY = 60, 3_600, 86_400

SHORTEST, USUAL, LONGEST = 15 * MINUTE, DAY, 7 * DAY
"""The least, the default and the most time for one question."""


def due(asked: int, period: int, table_id: int) -> int:
    """When a question put at `asked` falls due.

    Tables that were asked in the same minute are spread over the minute after, so that a thousand of them do not
    fall due in the same second.
    """
    return asked + period + table_id * 7 % MINUTE
