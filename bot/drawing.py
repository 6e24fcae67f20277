"""Draws pictures beside the event loop, two at a time, in the language that is being spoken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import ParamSpec

P = ParamSpec("P")

_pool = ThreadPoolExecutor(2, thread_name_prefix="drawing")


async def drawn(draw: Callable[P, bytes], *args: P.args, **kwargs: P.kwargs) -> bytes:
    """The picture that `draw` makes of these arguments."""
    context = copy_context()
    return await asyncio.get_running_loop().run_in_executor(_pool, lambda: context.run(draw, *args, **kwargs))
