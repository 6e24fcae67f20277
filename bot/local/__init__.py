"""The local table: the bot in a simulated Discord on this computer, every seat played in a browser."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
import signal
import sys

from aiohttp import web

from bot.client import make_bot
from bot.config import Config
from bot.local.folder import Folder, FolderError
from bot.local.page import Errors, Page
from bot.local.table import LocalTable
from bot.store import StoreError

CANNOT_START = 2


def run(config: Config, fresh: bool, port: int = 8700) -> int:
    """Serve the local table until SIGINT or SIGTERM; `fresh` begins anew.  The exit status: 0 or 2.

    It is kept in a folder of its own beside the configured database, so that it never touches the games of a real
    server.
    """
    return asyncio.run(_serve(config, fresh, port))


async def _serve(config: Config, fresh: bool, port: int) -> int:
    errors = Errors()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger().addHandler(errors)
    folder = Folder(config.database.parent / "local")
    bot = make_bot(dataclasses.replace(config, token=None, database=folder.database, heartbeat=3_600))
    try:
        folder.hold()
        if fresh:
            folder.clear()
        table = LocalTable(bot, folder, f"http://127.0.0.1:{port} http://localhost:{port}")
        await table.open()
    except FolderError as error:
        print(error, file=sys.stderr)
        return CANNOT_START
    except StoreError as error:
        print(error, "`python -m bot local --fresh` begins anew.", file=sys.stderr)
        return CANNOT_START
    except TimeoutError:
        await bot.close()
        print("The bot had too much to do at once; start the local table again.", file=sys.stderr)
        return CANNOT_START
    runner = web.AppRunner(Page(table, errors, port).app(), access_log=None, handler_cancellation=False)
    running = asyncio.create_task(table.run())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, running.cancel)
    try:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port, shutdown_timeout=1).start()
        print(f"The local table is ready: http://127.0.0.1:{port}/  (Ctrl+C ends it)", flush=True)
        await running
    except asyncio.CancelledError:
        return 0
    except OSError as error:
        print(f"The page cannot be served on port {port}: {os.strerror(error.errno or 0)}.", file=sys.stderr)
        return CANNOT_START
    finally:
        running.cancel()
        await runner.cleanup()
        await table.close()
    return 0
