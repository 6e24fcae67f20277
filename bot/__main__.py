"""The command line: `python -m bot [run|local|record|backup|check|health]`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from bot import config as configuration
from bot import record
from bot.config import Config
from bot.store import StoreError, backup

WRONG_USE = 2


class Parser(argparse.ArgumentParser):
    """Says in one sentence what is wrong with the words it was given."""

    def error(self, message: str) -> NoReturn:
        print(f"{message[0].upper()}{message[1:]}; `python -m bot --help` lists what there is.", file=sys.stderr)
        sys.exit(WRONG_USE)


def parser() -> argparse.ArgumentParser:
    main = Parser(prog="python -m bot", description="Dawdle: board games played slowly on Discord.")
    commands = main.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    commands.add_parser("run", help="the bot on Discord, or the local table when there is no token (the default)")
    local = commands.add_parser("local", help="the local table: all seats in a browser, without Discord")
    local.add_argument("--fresh", action="store_true", help="begin anew and forget what was played")
    local.add_argument("--port", type=int, default=8700, help="where the page is served (default 8700)")
    record.add_arguments(commands.add_parser("record", help="replay records of whole games"))
    save = commands.add_parser("backup", help="copy the database to FILE, safe while the bot runs")
    save.add_argument("file", metavar="FILE", type=Path)
    commands.add_parser("check", help="verify the database and every table in it, and print the invite link")
    commands.add_parser("health", help="exit 0 while the bot is connected and its database lives")
    return main


def main(words: Sequence[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    if arguments.command == "record":
        return record.main(arguments)
    config = configuration.load()
    try:
        match arguments.command:
            case "backup":
                backup(config.database, arguments.file)
                return 0
            case "check" | "health":
                from bot import inspection

                return asyncio.run(getattr(inspection, arguments.command)(config))
            case "local":
                return _local(config, arguments.fresh, arguments.port)
            case _:
                return _run(config)
    except StoreError as error:
        print(error, file=sys.stderr)
        return WRONG_USE


def _run(config: Config) -> int:
    if config.token is None:
        return _local(config, fresh=False, port=8700)
    from bot.service import serve

    return serve(config)


def _local(config: Config, fresh: bool, port: int) -> int:
    if find_spec("simcord") is None:
        print(
            "There is no DISCORD_TOKEN, and the local table is not installed; set the token or run `make run`.",
            file=sys.stderr,
        )
        return WRONG_USE
    from bot import local

    return local.run(config, fresh=fresh, port=port)


if __name__ == "__main__":
    logging.captureWarnings(True)
    sys.exit(main())
