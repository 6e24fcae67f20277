"""What a host asks of a database: is it sound (`check`), and does the bot live (`health`)?"""

from __future__ import annotations

import base64
import binascii
import sqlite3
import sys
from contextlib import closing

import discord

from bot.client import PERMISSIONS, invite_link
from bot.config import HEARTBEAT, Config
from bot.rules import games
from bot.rules.base import Game, Refused
from bot.store import Store, StoreError, TableRow, read_only
from bot.table import UNDO, Table
from bot.tables import from_row

STALE = 4 * HEARTBEAT


async def check(config: Config) -> int:
    """Opens, verifies and replays; prints what it found, and exits 0 when all is well, else 1."""
    store = await Store.read(config.database)
    tables = 0
    try:
        findings = await store.verify()
        async for row in store.all_tables():
            tables += 1
            if (found := await _examined(store, row)) is not None:
                findings.append(found)
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{config.database} is damaged: {error}.") from error
    finally:
        await store.close()
    for finding in findings:
        print(finding)
    print(f"{tables} tables, {len(findings)} findings.")
    print(f"Permissions: {PERMISSIONS.value}")
    client_id = _client_id(config.token)
    print(f"Invite: {invite_link(client_id) if client_id else 'set DISCORD_TOKEN to see the link.'}")
    return 1 if findings else 0


async def _examined(store: Store, row: TableRow) -> str | None:
    """What is wrong with that table, if anything."""
    if row.game not in games():
        return f"Table {row.id} is of a game that is not installed: {row.game}."
    try:
        table = from_row(row)
    except Exception as error:  # whatever a broken text makes of the reader
        return f"Table {row.id} cannot be read: {type(error).__name__}."
    return await _replayed(store, table)


async def _replayed(store: Store, table: Table) -> str | None:
    """What differs between the table's snapshot and its log, if the rules are still those it was dealt by."""
    kind: type[Game] = table.kind
    if table.position is None or table.setup is None or table.rules != kind.version:
        return None
    try:
        position = kind.deal(len(table.seats), table.options, table.setup)
        for line in await store.log(table.id):
            if line.seat is None:
                position = position.bell()
            elif line.move == UNDO:
                position = position.undo(line.seat)
            else:
                position = position.play(line.seat, line.move)
    except Refused as refused:
        return f"Table {table.id}: its log cannot be replayed: {refused}"
    return None if position == table.position else f"Table {table.id}: its log leads to another position."


async def health(config: Config) -> int:
    """0 when the last heartbeat of a connected bot is fresh, 1 otherwise."""
    try:
        with closing(read_only(config.database)) as connection:
            row = connection.execute("select value from meta where key = 'heartbeat'").fetchone()
    except sqlite3.Error:
        row = None
    age = None if row is None else discord.utils.utcnow().timestamp() - int(row[0])
    if age is None or age > STALE:
        print("The bot is not connected.", file=sys.stderr)
        return 1
    return 0


def _client_id(token: str | None) -> int | None:
    """The application's id, which is the first part of its token."""
    try:
        part = (token or "").split(".")[0]
        return int(base64.b64decode(part + "=" * (-len(part) % 4), validate=True))
    except (ValueError, binascii.Error):
        return None
