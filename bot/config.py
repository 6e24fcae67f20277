"""The environment as one frozen value."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dotenv import dotenv_values

DATABASE = "data/dawdle.sqlite3"

HEARTBEAT = 60
"""Seconds between two signs of life."""


@dataclass(frozen=True)
class Config:
    """What the host has set; `token` is None for the local table."""

    token: str | None
    database: Path
    sync: bool = False
    """Whether the commands are sent to Discord even if they have not changed."""
    heartbeat: int = HEARTBEAT
    """Seconds between two signs of life; where time is simulated and flies, fewer will do."""


def load(environment: Mapping[str, str] = os.environ, file: Path = Path(".env")) -> Config:
    """From the environment, and where it says nothing from the file `.env`."""
    values = {**{key: value for key, value in dotenv_values(file).items() if value}, **environment}
    return Config(
        token=values.get("DISCORD_TOKEN", "").strip() or None,
        database=Path(values.get("DAWDLE_DATABASE") or DATABASE),
        sync=values.get("DAWDLE_SYNC", "") == "1",
    )
