"""The open file: its connections, its transactions and its migrations.

One connection writes, in one transaction at a time; another reads what is committed.  A database of an older release
is migrated when it is opened; one of a newer release is refused.
"""

from __future__ import annotations

import asyncio
import fcntl
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from importlib import resources
from pathlib import Path
from typing import Any, Self

import aiosqlite


class StoreError(Exception):
    """The database cannot be used; the message is one sentence for the host."""


class Conflict(Exception):
    """Somebody else stored a newer version in between."""


def migrations() -> list[tuple[int, str]]:
    """The numbered scripts, ascending."""
    folder = resources.files("bot") / "migrations"
    scripts = sorted((entry.name, entry.read_text()) for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name.split("_")[0]), script) for name, script in scripts]


class Database:
    """The open database.  `await Store.open(path)`, and `await store.close()` at the end."""

    def __init__(self, writer: aiosqlite.Connection, reader: aiosqlite.Connection, lock: Any) -> None:
        self._writer = writer
        self._reader = reader
        self._file_lock = lock
        self._writing = asyncio.Lock()
        self._reading = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Opens or makes the database at `path` and holds it; StoreError when another process has it."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = open(path.with_name(path.name + ".lock"), "w")  # noqa: SIM115, ASYNC230 - held until close
        except OSError as error:
            raise StoreError(f"No database can be kept at {path}: {error.strerror}.") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise StoreError(f"Another bot already runs on {path}; stop it first.") from None
        async with _opening(path) as opened:
            opened.callback(lock.close)
            writer = await _connect(path, opened)
            async with writer.execute("pragma journal_mode = wal"):
                pass  # its cursor is closed, or no commit would succeed
            await _migrate(writer, path)
            store = cls(writer, await _connect(path, opened), lock)
            opened.pop_all()
        return store

    @classmethod
    async def read(cls, path: Path) -> Self:
        """Opens the database only to look at it, while a bot may run on it; StoreError when that is impossible."""
        _must_exist(path)
        async with _opening(path) as opened:
            reader = await _connect(path, opened)
            await reader.execute("pragma query_only = on")
            if (version := await _schema(reader)) != migrations()[-1][0]:
                raise StoreError(f"{path} has schema {version}; start the bot of this release once on it.")
            snapshot = await _connect(path, opened)
            await snapshot.execute("begin")  # all that is read is of one moment
            store = cls(reader, snapshot, None)
            opened.pop_all()
        return store

    async def close(self) -> None:
        """Waits for the transaction under way and lets go of the file."""
        async with self._writing:
            await self._reader.close()
            await self._writer.close()
        if self._file_lock is not None:
            self._file_lock.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """All or nothing: committed when the block ends, rolled back when it raises."""
        async with self._writing:
            try:
                await self._writer.execute("begin immediate")
                yield self._writer
            except BaseException:
                await self._writer.rollback()
                raise
            await self._writer.commit()

    async def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        async with self._query(sql, values) as cursor:
            return list(await cursor.fetchall())

    @asynccontextmanager
    async def _query(self, sql: str, values: Sequence[Any]) -> AsyncIterator[aiosqlite.Cursor]:
        """One at a time: a query that is still open would keep the next from seeing what is committed since."""
        async with self._reading, self._reader.execute(sql, values) as cursor:
            yield cursor

    async def _write(self, sql: str, values: Sequence[Any] = ()) -> None:
        async with self.transaction() as connection:
            await connection.execute(sql, values)

    async def verify(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty when nothing."""
        findings = [row[0] for row in await self._all("pragma integrity_check")]
        return [finding for finding in findings if finding != "ok"]


async def run_for_each(connection: aiosqlite.Connection, sql: str, values: Iterable[Sequence[Any]]) -> None:
    """Runs the statement for each of the values, and closes its cursor in the connection's own thread.

    Dropped in another thread, it could reset the same statement while that runs again (CPython 3.11).
    """
    async with connection.executemany(sql, values):
        pass


def _must_exist(path: Path) -> None:
    if not path.exists():
        raise StoreError(f"There is no database at {path}.")


@asynccontextmanager
async def _opening(path: Path) -> AsyncIterator[AsyncExitStack]:
    """What was opened is closed again unless all of it can be: a connection left open would keep the process alive."""
    try:
        async with AsyncExitStack() as opened:
            yield opened
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} cannot be read as a database: {error}.") from error


async def _connect(path: Path, opened: AsyncExitStack) -> aiosqlite.Connection:
    with closing(sqlite3.connect(path)):
        pass  # what cannot be opened fails here: a thread of aiosqlite would report it after the loop has closed
    connection = await aiosqlite.connect(path, isolation_level=None)
    opened.push_async_callback(connection.close)
    await connection.execute("pragma foreign_keys = on")
    await connection.execute("pragma busy_timeout = 10000")
    await connection.execute("pragma synchronous = full")
    return connection


async def _schema(connection: aiosqlite.Connection) -> int:
    """The number of the newest migration that was applied."""
    async with connection.execute("pragma user_version") as cursor:
        return await anext(number async for (number,) in cursor)


async def _migrate(connection: aiosqlite.Connection, path: Path) -> None:
    version = await _schema(connection)
    scripts = migrations()
    newest = scripts[-1][0]
    if version > newest:
        raise StoreError(
            f"{path} was made by a newer release (schema {version}, this one knows {newest}); install that release."
        )
    for number, script in scripts:
        if number > version:
            await connection.executescript(f"begin immediate;\n{script}\npragma user_version = {number};\ncommit;")


def read_only(path: Path) -> sqlite3.Connection:
    """The database at `path`, whatever stands in its name, for reading alone."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def backup(source: Path, target: Path) -> None:
    """A whole copy of the database at `source`, safe while the bot runs; StoreError when it cannot be made."""
    _must_exist(source)
    if target.exists():
        raise StoreError(f"{target} exists already; name a new file.")
    try:
        with closing(read_only(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise StoreError(f"The backup failed: {error}.") from error
