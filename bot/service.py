"""Runs the bot on Discord until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys

import discord

from bot.client import make_bot
from bot.config import Config
from bot.store import StoreError

log = logging.getLogger(__name__)


def serve(config: Config) -> int:
    """The exit status: 0 after a clean stop, 2 when it cannot start."""
    discord.utils.setup_logging(level=logging.INFO)
    return asyncio.run(_serve(config))


async def _serve(config: Config) -> int:
    assert config.token is not None
    bot = make_bot(config)
    running = asyncio.create_task(bot.start(config.token))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, running.cancel)
    try:
        await running
    except asyncio.CancelledError:
        log.info("Stopping")
    except discord.LoginFailure:
        print(
            "Discord does not accept the DISCORD_TOKEN; copy it anew from the developer portal.",
            file=sys.stderr,
        )
        return 2
    except discord.PrivilegedIntentsRequired as error:
        print(f"Discord refuses the connection: {error}", file=sys.stderr)
        return 2
    except StoreError as error:
        print(error, file=sys.stderr)
        return 2
    except (OSError, discord.HTTPException) as error:
        print(f"Discord cannot be reached: {error}", file=sys.stderr)
        return 2
    finally:
        await bot.close()
    return 0
