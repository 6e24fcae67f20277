"""What a host types: `python -m bot …`, run as a host runs it, in a folder and a process of its own."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import discord
import pytest

from bot.config import Config
from bot.store import Store, StoreError, migrations
from tests.animals import draw_nothing, started
from tests.sim import World

ROOT = Path(__file__).parents[1]


def bot(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the bot's command line in that folder, with the database `dawdle.sqlite3` there."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "DAWDLE_DATABASE": str(folder / "dawdle.sqlite3"),
        **variables,
    }
    command = [sys.executable, "-m", "bot", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence that a wrong use is answered with."""
    assert done.returncode == 2, done
    assert done.stdout == ""
    (sentence,) = done.stderr.splitlines()
    assert sentence.endswith(".") and sentence[0].isupper() | sentence.startswith("/")
    return sentence


def change(database: Path, sql: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(sql)


@pytest.fixture
async def database(world: World, config: Config, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database of a running bot with one running table in which one animal has been chosen."""
    draw_nothing(monkeypatch)
    table = await started(world)
    await table.choose(world.alice, "mouse")
    return config.database


@pytest.fixture
def garbage(tmp_path: Path) -> Path:
    """A file that is no database."""
    file = tmp_path / "dawdle.sqlite3"
    file.write_bytes(b"This is not a database. " * 100)
    return file


# Wrong words


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dance"], "Argument COMMAND: invalid choice: 'dance'"),
        (["check", "--loudly"], "Unrecognized arguments: --loudly"),
        (["backup"], "The following arguments are required: FILE"),
        (["backup", "one", "two"], "Unrecognized arguments: two"),
        (["local", "--port", "north"], "Argument --port: invalid int value: 'north'"),
        (["record"], "The following arguments are required"),
    ],
)
def test_wrong_words_are_answered_in_one_sentence(tmp_path: Path, words: list[str], said: str) -> None:
    sentence = complaint(bot(tmp_path, *words))
    assert sentence.startswith(said) and sentence.endswith("`python -m bot --help` lists what there is.")
    assert list(tmp_path.iterdir()) == []


def test_the_help_lists_every_command(tmp_path: Path) -> None:
    done = bot(tmp_path, "--help")
    assert done.returncode == 0 and done.stderr == ""
    for command in ("run", "local", "record", "backup", "check", "health"):
        assert f"    {command} " in done.stdout


# Backup


async def test_a_backup_of_a_running_bot_is_whole(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    done = bot(tmp_path, "backup", str(copy))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("select move from log").fetchall() == [("choose mouse",)]
    checked = bot(tmp_path, "check", DAWDLE_DATABASE=str(copy))
    assert checked.returncode == 0 and "1 tables, 0 findings." in checked.stdout


async def test_a_name_may_hold_anything(database: Path, tmp_path: Path) -> None:
    strange = tmp_path / "50% of #2?.sqlite3"
    assert bot(tmp_path, "backup", str(strange)).returncode == 0
    assert bot(tmp_path, "backup", "again", DAWDLE_DATABASE=str(strange)).returncode == 0
    assert "1 tables, 0 findings." in bot(tmp_path, "check", DAWDLE_DATABASE=str(strange)).stdout


async def test_a_backup_never_overwrites(database: Path, tmp_path: Path) -> None:
    existing = tmp_path / "copy.sqlite3"
    existing.write_text("precious")
    assert "exists already; name a new file." in complaint(bot(tmp_path, "backup", str(existing)))
    assert existing.read_text() == "precious"


async def test_a_backup_into_no_folder_is_refused(database: Path, tmp_path: Path) -> None:
    assert complaint(bot(tmp_path, "backup", str(tmp_path / "nowhere" / "copy"))).startswith("The backup failed")


def test_a_backup_of_nothing_is_refused(tmp_path: Path) -> None:
    assert complaint(bot(tmp_path, "backup", "copy")).startswith("There is no database at ")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_of_garbage_leaves_no_file(garbage: Path, tmp_path: Path) -> None:
    assert complaint(bot(tmp_path, "backup", "copy")).startswith("The backup failed")
    assert list(tmp_path.iterdir()) == [garbage]


# Check


async def test_a_sound_database_is_checked_while_the_bot_runs(database: Path, tmp_path: Path) -> None:
    done = bot(tmp_path, "check", DISCORD_TOKEN="MTIzNDU2Nzg5MDEyMzQ1Njc4.secret.secret")
    assert done.returncode == 0 and done.stderr == ""
    assert "1 tables, 0 findings." in done.stdout
    assert "client_id=123456789012345678" in done.stdout and "secret" not in done.stdout
    assert "set DISCORD_TOKEN to see the link." in bot(tmp_path, "check").stdout


async def test_a_log_that_leads_elsewhere_is_found(database: Path, tmp_path: Path) -> None:
    change(database, "update log set move = 'choose dog'")
    done = bot(tmp_path, "check")
    assert done.returncode == 1 and "Table 1: its log leads to another position." in done.stdout
    change(database, "update log set move = 'fly'")
    done = bot(tmp_path, "check")
    assert done.returncode == 1 and "Table 1: its log cannot be replayed: " in done.stdout
    assert "1 tables, 1 findings." in done.stdout


async def test_a_game_that_is_not_installed_is_found(database: Path, tmp_path: Path) -> None:
    change(database, "update tables set game = 'chess'")
    done = bot(tmp_path, "check")
    assert done.returncode == 1 and "Table 1 is of a game that is not installed: chess." in done.stdout


def test_nothing_is_checked_without_a_database(tmp_path: Path) -> None:
    assert complaint(bot(tmp_path, "check")).startswith("There is no database at ")
    assert list(tmp_path.iterdir()) == []


def test_garbage_is_no_database(garbage: Path, tmp_path: Path) -> None:
    before = garbage.read_bytes()
    assert "cannot be read as a database" in complaint(bot(tmp_path, "check"))
    assert garbage.read_bytes() == before


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    assert "cannot be read as a database" in complaint(bot(tmp_path, "check", DAWDLE_DATABASE=str(tmp_path)))


@pytest.mark.parametrize("schema", [1, migrations()[-1][0] + 1])
def test_a_database_of_another_release_is_left_alone(tmp_path: Path, schema: int) -> None:
    change(tmp_path / "dawdle.sqlite3", f"pragma user_version = {schema}")
    assert f"schema {schema}" in complaint(bot(tmp_path, "check"))


# Health


def test_no_database_is_not_healthy(tmp_path: Path) -> None:
    done = bot(tmp_path, "health")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "The bot is not connected.\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("age", "status"), [(10, 0), (600, 1)])
def test_the_last_heartbeat_tells(tmp_path: Path, age: int, status: int) -> None:
    database = tmp_path / "dawdle.sqlite3"
    change(database, "create table meta (key text primary key, value text)")
    beat = int(discord.utils.utcnow().timestamp()) - age
    change(database, f"insert into meta values ('heartbeat', '{beat}')")
    assert bot(tmp_path, "health").returncode == status


def test_garbage_is_not_healthy(garbage: Path, tmp_path: Path) -> None:
    done = bot(tmp_path, "health")
    assert done.returncode == 1 and done.stderr == "The bot is not connected.\n"


# The database of a bot that starts


async def test_a_second_bot_on_the_same_database_is_refused(database: Path) -> None:
    with pytest.raises(StoreError, match="Another bot already runs on"):
        await Store.open(database)


async def test_a_place_where_nothing_can_be_kept_is_refused(garbage: Path) -> None:
    with pytest.raises(StoreError, match="No database can be kept at "):
        await Store.open(garbage / "dawdle.sqlite3")


async def test_a_bot_does_not_start_on_garbage_or_on_a_newer_schema(garbage: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read as a database"):
        await Store.open(garbage)
    newer = garbage.with_name("newer.sqlite3")
    change(newer, "pragma user_version = 999")
    with pytest.raises(StoreError, match="made by a newer release"):
        await Store.open(newer)
