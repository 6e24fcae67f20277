"""The local table: started as its own process, played over plain HTTP, and in Chromium where there is one."""

from __future__ import annotations

import http.client
import json
import logging
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import discord
import pytest
import simcord
from simcord.env import Env

from bot.local import simcord_private as private
from bot.local.folder import Folder, FolderError
from bot.local.page import Errors

ROOT = Path(__file__).parent.parent
CHROMIUM = Path("/usr/bin/chromium")
GAME = {"game": "animals", "robots": "1", "who": ["alice", "bob"], "time": "86400", "thread": "True"}


class LocalTable:
    """The process and its page."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self._folder = folder

    def start(self, *options: str) -> None:
        environment = {**os.environ, "DAWDLE_DATABASE": str(self._folder / "dawdle.sqlite3")}
        environment.pop("DISCORD_TOKEN", None)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bot", "local", "--port", str(self.port), *options],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        assert self.origin in said, said + self._process.stdout.read()

    def stop(self) -> None:
        """Ends it as a terminal would, and expects it to end cleanly."""
        self._process.send_signal(signal.SIGINT)
        rest, _ = self._process.communicate(timeout=20)
        assert (self._process.returncode, rest) == (0, "")

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(
        self, method: str, path: str, form: Mapping[str, Any] | None = None, **headers: str
    ) -> tuple[int, str, str]:
        """Status, the address it leads to, and the text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        connection.request(method, path, urlencode(form or {}, doseq=True), sent)
        response = connection.getresponse()
        return response.status, response.headers.get("Location", ""), response.read().decode()

    def page(self, path: str = "/") -> str:
        status, _, text = self.ask("GET", path)
        assert status == 200, text
        return text

    def post(self, path: str, form: Mapping[str, Any]) -> str:
        """The address of the page that is shown then."""
        status, address, text = self.ask("POST", path, form, Origin=self.origin)
        assert status == 303, text
        return address

    def screen(self, key: str) -> Screen:
        """The room with that key as a browser shows it."""
        status, address, text = self.ask("GET", f"/room/{key}")
        assert status == 302, text
        return Screen(address)

    def rooms(self) -> dict[str, str]:
        """The keys of the listed rooms by name."""
        links = re.findall(r'href="/\?open=([0-9.a-z]+)"[^>]*><span class="sign"[^>]*>.</span>(.*?)</a>', self.page())
        return {re.sub(r"<.*", "", text.split('class="name">')[1]): key for key, text in links}


class Screen:
    """One browser page of a SimCord preview."""

    def __init__(self, address: str) -> None:
        self._host = urlsplit(address).netloc
        self._headers = {
            "X-Simcord-Capability": urlsplit(address).fragment,
            "Content-Type": "application/json",
        }
        self.state = self._ask("POST", "/api/pages", {})
        self._headers["X-Simcord-Context"] = self.state["context"]["id"]
        self._sequence = 0

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        connection = http.client.HTTPConnection(self._host, timeout=30)
        connection.request(method, path, None if body is None else json.dumps(body), self._headers)
        response = connection.getresponse()
        text = response.read().decode()
        assert response.status == 200, text
        return json.loads(text)

    def look(self) -> None:
        self.state = self._ask("GET", "/api/state")

    @property
    def ids(self) -> list[str]:
        return list(self.state["messages"])

    def button(self, label: str) -> Mapping[str, Any]:
        """The lowest button with that label."""
        messages = self.state["messages"].values()
        parts = [part for message in messages for part in private.parts_of(message["components"])]
        return [part for part in parts if part.get("label") == label][-1]

    def press(self, label: str) -> dict[str, Any]:
        """What became of the press, on the screen as it was seen last."""
        self._sequence += 1
        key = self.button(label)["control_key"]
        body = {
            "protocol_version": 3,
            "sequence": self._sequence,
            "request_id": f"press {self._sequence}",
            "generation": self.state["context"]["generation"],
            "bot_generation": self.state["botGeneration"],
            "published_revision": self.state["publishedRevision"],
            "kind": "click",
            "target_id": key.split(":")[1],
            "control_key": key,
        }
        receipt = self._ask("POST", "/api/action", body)
        self.look()
        return receipt

    @property
    def text(self) -> str:
        messages = self.state["messages"].values()
        texts = [part.get("content", "") for message in messages for part in private.parts_of(message["components"])]
        return "\n".join([*(message["content"] for message in messages), *texts])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LocalTable]:
    """A local table of the test's own."""
    yield from running(tmp_path)


@pytest.fixture(scope="module")
def idle_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalTable]:
    """A local table at which nothing is played."""
    yield from running(tmp_path_factory.mktemp("idle"))


def running(folder: Path) -> Iterator[LocalTable]:
    table = LocalTable(folder)
    table.start()
    try:
        yield table
    finally:
        table.kill()


def test_a_game_is_started_and_played_and_survives_a_restart(table: LocalTable) -> None:
    welcome = table.page()
    assert "you are everybody: Alice, Bob, Carol" in welcome
    assert set(table.rooms()) == {"games"}

    address = table.post("/start", GAME)
    [key] = re.findall(r"^/\?open=(\d+\.alice)$", address)
    page = table.page(address)
    assert f'src="/room/{key}"' in page and "waits for Alice, Bob" in page
    assert set(table.rooms()) == {"games", "Animal Crossing · table 1", "Alice", "Bob"}

    alice = table.screen(key)
    alice.press("My move")
    assert "Which animal are you in round 1?" in alice.text
    alice.press("cat 2")
    assert "Stored at" in alice.text
    assert "waits for Bob" in table.page(address)

    before = table.screen(key)
    table.stop()
    table.start()
    again = table.screen(key)
    assert again.ids == before.ids
    bob = table.screen(key.replace("alice", "bob"))
    bob.press("My move")
    bob.press("dog 3")
    assert "Where do you stand?" in bob.text

    table.stop()
    table.start("--fresh")
    assert set(table.rooms()) == {"games"}
    table.stop()


def test_an_old_screen_presses_nothing_else(table: LocalTable) -> None:
    key = table.post("/start", GAME).removeprefix("/?open=")
    alice = table.screen(key)
    alice.press("My move")
    old = table.screen(key)
    assert alice.press("cat 2")["rejected"] is False
    assert old.press("cat 2")["rejected"] is True
    assert "You are the cat" in old.text or "chosen" in old.text


def test_time_is_skipped(idle_table: LocalTable) -> None:
    def now() -> str:
        return re.findall(r'datetime="(\d{4}-\d\d-\d\d)T', idle_table.page())[0]

    before = now()
    assert idle_table.post("/skip", {"time": "3 days", "back": "/"}) == "/"
    assert now() > before


def test_a_game_that_cannot_be_started_says_why(idle_table: LocalTable) -> None:
    assert idle_table.post("/start", {**GAME, "robots": "0"}) == "/"
    assert "Animal Crossing is for 3 to 9 players, and that would be 2." in unescape(idle_table.page())


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://elsewhere.example"}, {"Origin": "null"}])
def test_another_site_can_change_nothing(idle_table: LocalTable, headers: dict[str, str]) -> None:
    status, _, text = idle_table.ask("POST", "/skip", {"time": "1 day"}, **headers)
    assert (status, text) == (403, "That did not come from the page of the local table.")


def test_a_foreign_host_name_sees_nothing(idle_table: LocalTable) -> None:
    status, _, text = idle_table.ask("GET", "/", Host=f"elsewhere.example:{idle_table.port}")
    assert (status, text) == (403, "This page is for this computer only.")


@pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Chromium")
def test_a_browser_plays_every_seat(table: LocalTable) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(table.origin)
        page.get_by_text("Animal Crossing", exact=True).click()
        page.get_by_role("button", name="Start Animal Crossing").click()

        room = page.frame_locator(".pane iframe").first
        room.get_by_role("button", name="My move").click()
        room.get_by_role("button", name="cat 2").click()
        page.get_by_text("waits for Bob", exact=True).wait_for()
        assert not room.locator("#toolbar").is_visible()

        page.get_by_role("link", name="Be Bob here, for whom the game waits").click()
        room.get_by_role("button", name="My move").click()
        room.get_by_role("button", name="dog 3").wait_for()
        page.get_by_role("link", name="Open Bob beside the others").click()
        messages = page.frame_locator(".pane iframe").nth(1)
        messages.get_by_role("button", name="dog 3").click()
        messages.locator("#channel-timeline").get_by_text("Where do you stand?").last.wait_for()
        page.get_by_text("waits for Alice, Bob", exact=True).wait_for()

        before = page.locator("#clock time").inner_text()
        page.get_by_role("button", name="+ 1 day").click()
        page.locator("#clock time", has_not_text=before).wait_for()
        assert page.locator(".pane").count() == 2
        page.get_by_role("link", name="Close Animal Crossing · table 1").click()
        page.locator(".pane").nth(1).wait_for(state="detached")
        assert wrong == []
        browser.close()


def world_with_a_picture() -> Env:
    env = Env(discord.Client(intents=discord.Intents.none()))
    channel = env.create_guild("Local table").create_text_channel("games")
    backend, user = env.backend, env.create_user("alice")
    picture = backend.store_attachments(channel.id, [("board.png", b"a picture")])
    backend.create_message(channel.id, user.id, "Look", attachments=picture)
    return env


def new_world() -> Env:
    return Env(discord.Client(intents=discord.Intents.none()))


def test_a_kept_world_is_given_back_with_its_pictures(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.save(world_with_a_picture())
    folder.database.touch()
    with open(tmp_path / "pictures.pickle", "ab") as pictures:
        pictures.write(pickle.dumps(("cut off by a crash", b"half a picture"))[:-9])
    env = new_world()
    assert Folder(tmp_path).load(env)
    assert list(private.files_of(env).values()) == [b"a picture"]
    assert [guild.name for guild in env.backend.guilds.values()] == ["Local table"]


def test_a_world_without_its_database_is_not_used(tmp_path: Path) -> None:
    Folder(tmp_path).save(world_with_a_picture())
    assert not Folder(tmp_path).load(new_world())


def test_a_world_of_another_simcord_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(tmp_path)
    folder.save(world_with_a_picture())
    folder.database.touch()
    monkeypatch.setattr(simcord, "__version__", "0.0")
    assert not folder.load(new_world())


def test_a_world_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(tmp_path)
    folder.save(world_with_a_picture())
    folder.database.touch()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(FolderError, match="belongs to somebody else"):
        folder.load(new_world())


def test_two_local_tables_do_not_share_a_folder(tmp_path: Path) -> None:
    first = Folder(tmp_path)
    first.hold()
    with pytest.raises(FolderError, match="Another local table already runs"):
        Folder(tmp_path).hold()


def test_errors_are_told_in_words() -> None:
    errors = Errors()
    log = logging.getLogger("tests.local_table")
    log.addHandler(errors)
    log.propagate = False
    try:
        [][0]
    except IndexError:
        log.exception("A press failed at table %s", 7)
    [(doing, wrong, trace)] = errors.kept
    assert doing == "A press failed at table 7"
    assert wrong.startswith("IndexError: list index out of range, in tests/test_local_table.py, line ")
    assert "Traceback" in trace
