"""Whatever kills the bot, and whenever: no acknowledged move is missing, and nothing is half stored."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.client import make_bot
from bot.config import Config
from bot.deadlines import Pace
from bot.rules.animal_crossing import AnimalCrossing
from bot.store import Store, StoreError, backup, migrations
from bot.table import Seat, Table
from bot.tables import Tables
from tests.animals import started
from tests.sim import World

KILLS = 20

PLAYER = """
import asyncio, sys
from pathlib import Path
from random import Random
from typing import Any
from bot.store import Store
from bot.tables import Tables

async def main():
    store = await Store.open(Path(sys.argv[1]))
    rng, now = Random(), 1_000_000
    tables = Tables(store, lambda: now)
    print("open", flush=True)
    while True:
        table = await tables.load(rng.choice([1, 2, 3]))
        if table.state == "open":
            table = await tables.start(table.id, table.host)
        seat = rng.choice(table.waiting)
        move = rng.choice(table.running().moves(seat))
        table = await tables.play(table.id, table.seats[seat].user, [move])
        print(table.id, len(await store.log(table.id)), seat, move, flush=True)
        if table.state == "over":
            break

asyncio.run(main())
"""


def new_table(*users: int) -> Table:
    return Table(
        id=0,
        game="animal_crossing",
        guild=1,
        channel=2,
        place=2,
        host=users[0],
        state="open",
        options={},
        most=len(users) + 1,
        least=len(users),
        pace=Pace(),
        thread=False,
        seats=tuple(Seat(user, f"Player {user}") for user in users),
        rules=AnimalCrossing.version,
    )


def run(*words: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def check(database: Path) -> tuple[str, str, int]:
    """What `python -m bot check` says of that database, on both outputs, and its exit status."""
    child = run("-m", "bot", "check", env={**os.environ, "DAWDLE_DATABASE": str(database)})
    said, error = child.communicate(timeout=30)
    return said, error, child.returncode


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    """A database with three tables that are about to start."""
    path = tmp_path / "dawdle.sqlite3"
    store = await Store.open(path)
    tables = Tables(store, lambda: 1_000_000)
    for _ in range(3):
        await tables.open(new_table(11, 12, 13))
    await store.close()
    return path


async def test_no_kill_loses_a_move_that_was_acknowledged(database: Path) -> None:
    acknowledged: dict[int, dict[int, tuple[int, str]]] = {1: {}, 2: {}, 3: {}}
    rng = Random(7)
    for _ in range(KILLS):
        child = run("-c", PLAYER, str(database))
        assert child.stdout is not None
        assert child.stdout.readline() == "open\n", child.communicate()
        lines = [child.stdout.readline() for _ in range(rng.randrange(4))]
        await asyncio.sleep(rng.uniform(0.0, 0.02))
        child.send_signal(signal.SIGKILL)
        said, _error = child.communicate()
        for line in [*lines, *said.splitlines(keepends=True)]:
            if line.endswith("\n"):
                table, number, seat, move = line.rstrip().split(" ", 3)
                acknowledged[int(table)][int(number)] = (int(seat), move)
    store = await Store.open(database)
    total = 0
    for table_id, moves in acknowledged.items():
        log = await store.log(table_id)
        for number, (seat, move) in moves.items():
            assert (log[number - 1].seat, log[number - 1].move) == (seat, move)
            total += 1
    await store.close()
    assert total >= KILLS
    said, error, status = check(database)
    assert status == 0 and "3 tables, 0 findings." in said, said + error


def hold(database: Path) -> subprocess.Popen[str]:
    """A process that has the database open."""
    child = run("-c", PLAYER, str(database))
    assert child.stdout is not None and child.stdout.readline() == "open\n"
    return child


async def test_a_second_instance_is_refused_until_the_first_is_gone(database: Path) -> None:
    first = hold(database)
    first.send_signal(signal.SIGSTOP)
    with pytest.raises(StoreError, match="Another bot already runs"):
        await Store.open(database)
    first.kill()
    first.communicate()
    await (await Store.open(database)).close()


async def test_a_bot_whose_database_is_held_says_so_and_ends(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = await Store.open(database)
    bot = make_bot(Config(token=None, database=database))
    with pytest.raises(StoreError, match="stop it first"):
        await bot._async_setup_hook()
        await bot.setup_hook()
    await bot.close()
    await store.close()


async def _opens(path: Path) -> None:
    await (await Store.open(path)).close()


async def test_a_database_of_a_newer_release_is_refused_in_a_sentence(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("pragma user_version = 999")
    with pytest.raises(StoreError, match="newer release"):
        await Store.open(database)
    said, error, status = check(database)
    assert status == 2 and "schema 999" in error and "Traceback" not in error + said


async def test_a_file_that_is_no_database_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "dawdle.sqlite3"
    path.write_text("This is a shopping list.\n" * 100)
    with pytest.raises(StoreError, match="cannot be read as a database"):
        await Store.open(path)
    said, error, status = check(path)
    assert status == 2 and "cannot be read as a database" in error and "Traceback" not in error + said


NEWEST = migrations()[-1][0]


@pytest.mark.parametrize("release", [number for number, _ in migrations()][:-1] or [0])
async def test_a_database_of_every_older_release_is_migrated(tmp_path: Path, release: int) -> None:
    path = tmp_path / "dawdle.sqlite3"
    with sqlite3.connect(path) as connection:
        for number, script in migrations():
            if number <= release:
                connection.executescript(script)
        connection.execute(f"pragma user_version = {release}")
        connection.execute("create table if not exists meta (key text primary key, value text not null)")
        connection.execute("insert into meta values ('kept', 'yes')") if release else None
    if not release:
        path.unlink()
    store = await Store.open(path)
    assert await store._all("pragma user_version") == [(NEWEST,)]
    assert await store.note("kept") == ("yes" if release else None)
    fresh = await Store.open(tmp_path / "fresh.sqlite3")
    shape = "select type, name, sql from sqlite_master where name not like 'sqlite_%' order by name"
    assert await store._all(shape) == await fresh._all(shape)
    await fresh.close()
    await store.close()


async def test_a_migration_that_fails_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "dawdle.sqlite3"
    await _opens(path)
    broken = [*migrations(), (NEWEST + 1, "create table half (id integer); create table half (id integer);")]
    monkeypatch.setattr("bot.store.database.migrations", lambda: broken)
    with pytest.raises(StoreError):
        await Store.open(path)
    monkeypatch.undo()
    store = await Store.open(path)
    assert await store._all("select name from sqlite_master where name = 'half'") == []
    await store.close()


async def test_a_backup_made_while_moves_are_stored_is_whole(database: Path, tmp_path: Path) -> None:
    child = run("-c", PLAYER, str(database))
    assert child.stdout is not None
    for _ in range(5):
        child.stdout.readline()
    copies = [tmp_path / f"copy {number}.sqlite3" for number in range(3)]
    for copy in copies:
        backup(database, copy)
    child.kill()
    child.communicate()
    for copy in copies:
        said, error, status = check(copy)
        assert status == 0 and "0 findings" in said, said + error
    with pytest.raises(StoreError, match="exists already"):
        backup(database, copies[0])


async def test_a_cancelled_transaction_leaves_the_store_usable(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "dawdle.sqlite3")
    for steps in range(8):
        task = asyncio.create_task(store.set_note("key", str(steps)))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await store.set_note("after", str(steps))
        assert await store.note("after") == str(steps)
    await store.close()


async def test_what_is_stored_is_seen_by_whoever_reads_next(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "dawdle.sqlite3")
    tables = Tables(store, lambda: 1_000_000)
    busy = True

    async def read() -> None:
        while busy:
            await store.tables_of(11)

    async def write() -> None:
        for _ in range(12):
            table = await tables.open(new_table(11, 12, 13))
            assert (await tables.load(table.id)).version == 0
            await tables.start(table.id, 11)
            assert (await tables.load(table.id)).state == "running"

    readers = [asyncio.create_task(read()) for _ in range(8)]
    await asyncio.gather(*(write() for _ in range(4)))
    busy = False
    await asyncio.gather(*readers)
    await store.close()


async def test_what_fails_while_storing_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await Store.open(tmp_path / "dawdle.sqlite3")
    tables = Tables(store, lambda: 1_000_000, Random(1))
    table = await tables.start((await tables.open(new_table(11, 12, 13))).id, 11)

    async def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store, "_set_seats", full)
    with pytest.raises(sqlite3.OperationalError):
        await tables.play(table.id, 11, ["choose mouse"])
    monkeypatch.undo()
    assert await tables.load(table.id) == table and await store.log(table.id) == []
    await tables.play(table.id, 11, ["choose cat"])
    assert [line.move for line in await store.log(table.id)] == ["choose cat"]
    await store.close()


async def test_check_names_a_table_that_cannot_be_read(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("""update tables set data = '{"seats": 3}' where id = 2""")
    said, error, status = check(database)
    assert status == 1 and "Table 2" in said and "1 findings" in said and "Traceback" not in said + error


# Stopping


async def test_closing_waits_for_what_is_being_shown(world: World) -> None:
    table = await started(world)
    bot = world.bot
    for person in table.people[:2]:
        await table.choose(person, "mouse")
    await bot.tables.play(table.number, table.people[2].id, ["choose mouse"])
    await bot.close()
    assert "boarding is open" in table.board.text
    left = [task for task in asyncio.all_tasks() if "table" in task.get_name()]
    assert not left
    await world.env.restart_bot(world._make_bot())


async def test_closing_stops_robots_after_the_answer_under_way(world: World) -> None:
    await world.alice.slash("animals new", players=9)
    lobby = world.games.last
    for _ in range(7):
        await world.alice.press(lobby, "Add a robot")
    bot = world.bot
    await bot.tables.add_robot(1, world.alice.id)
    await bot.close()
    await world.env.restart_bot(world._make_bot())
    await world.wait(seconds=30)
    table = await world.bot.tables.load(1)
    assert table.owing == (table.seat_of(world.alice.id),) == table.waiting


async def test_closing_does_not_wait_for_ever(world: World, monkeypatch: pytest.MonkeyPatch, config: Config) -> None:
    monkeypatch.setattr("bot.client.DRAIN", 0.05)
    bot = world.bot

    async def never(urgency: object) -> None:
        await asyncio.get_running_loop().create_future()

    bot.publisher._outbox.turn = never
    await bot.tables.open(new_table(11, 12, 13))
    await bot.close()
    (stuck,) = [task for task in asyncio.all_tasks() if "show table" in task.get_name()]
    stuck.cancel()
    await world.env.restart_bot(world._make_bot())
    assert (await world.bot.tables.load(1)).state == "open"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_local_table_that_is_told_to_stop_exits_cleanly(tmp_path: Path) -> None:
    environment = {**os.environ, "DAWDLE_DATABASE": str(tmp_path / "dawdle.sqlite3"), "DISCORD_TOKEN": ""}
    child = run(
        "-m", "bot", "local", "--port", str(port := free_port()), env=environment, cwd=Path(__file__).parent.parent
    )
    deadline = time.monotonic() + 30
    while not listens(port) and time.monotonic() < deadline and child.poll() is None:
        time.sleep(0.1)
    child.send_signal(signal.SIGTERM)
    said, error = child.communicate(timeout=20)
    assert child.returncode == 0, said + error
    assert "Traceback" not in said + error
