"""What a server has settled for all its tables."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from bot import snapshot
from bot.deadlines import Pace
from bot.store import Store

T = TypeVar("T", bound=Any)


@dataclass(frozen=True)
class Settings:
    """The settings of one server, as good for one that never touched them."""

    channel: int | None = None
    """Where tables are opened; None: wherever they are asked for."""
    threads: bool = True
    """Whether games are played in threads of their own, if their opener does not say."""
    pace: Pace = field(default_factory=Pace)
    openers: int | None = None
    """The role that may open tables; None: everybody."""
    most_a_member: int = 10
    most_tables: int = 100
    """The most unfinished tables of one member, and of the server."""
    language: str | None = None
    """Of public posts; None: the server's own."""


def changed(value: T, **changes: Any) -> T:
    """The same dataclass with the changes that are not None."""
    return replace(value, **{name: change for name, change in changes.items() if change is not None})


async def settings_of(store: Store, server: int) -> Settings:
    text = await store.settings(server)
    return Settings() if text is None else snapshot.load(Settings, json.loads(text))


async def keep_settings(store: Store, server: int, settings: Settings) -> None:
    await store.set_settings(server, json.dumps(snapshot.dump(settings)))
