"""The games: one file each.  A game is found by being here."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

from bot.rules.base import Game


@cache
def games() -> dict[str, type[Game]]:
    """Every game in this folder, by its name in records and in the database."""
    found: dict[str, type[Game]] = {}
    for module in pkgutil.iter_modules(__path__):
        for member in vars(importlib.import_module(f"{__name__}.{module.name}")).values():
            if inspect.isclass(member) and issubclass(member, Game) and not inspect.isabstract(member):
                found[member.name] = member
    return found
