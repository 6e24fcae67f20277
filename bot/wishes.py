"""How a user wants to be told that tables wait: where, when, and of what."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from bot import snapshot
from bot.store import Store

Where = Literal["channel", "direct", "both"]
"""In the channel of the table, by direct message, or both."""

MINUTES_A_DAY = 24 * 60


@dataclass(frozen=True)
class Wishes:
    """The wishes of one user, as good for one who never said any."""

    where: Where = "channel"
    quiet_from: int = 0
    """The minute of the day in `zone` at which quiet hours begin, and the one at which they end; equal: there are
    none."""
    quiet_to: int = 0
    zone: str = "UTC"
    """The IANA name of the user's time zone."""
    half: bool = False
    """Whether to be reminded at half time, one hour before the end, and as the last one everybody waits for."""
    hour: bool = True
    last: bool = False

    def wants(self, kind: str) -> bool:
        """Whether a reminder of that kind is wanted; to be asked is to be told."""
        return kind == "turn" or bool(getattr(self, kind))

    def quiet_until(self, now: int) -> int | None:
        """When the quiet hours that last now are over; None when it is not quiet."""
        local = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(self.zone))
        minute = local.hour * 60 + local.minute
        since_began = (minute - self.quiet_from) % MINUTES_A_DAY
        if since_began >= (self.quiet_to - self.quiet_from) % MINUTES_A_DAY:
            return None
        day = local.date() + timedelta(days=int(self.quiet_to <= minute))
        hour, rest = divmod(self.quiet_to, 60)
        end = datetime.combine(day, time(hour, rest, fold=local.fold), local.tzinfo)
        return int(end.timestamp())


async def wishes_of(store: Store, user: int) -> Wishes:
    text = await store.wishes(user)
    return Wishes() if text is None else snapshot.load(Wishes, json.loads(text))


async def keep_wishes(store: Store, user: int, wishes: Wishes) -> None:
    await store.set_wishes(user, json.dumps(snapshot.dump(wishes)))
