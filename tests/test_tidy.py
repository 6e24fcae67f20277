"""What a newcomer or a host would trip over: stale commands, missing files, unlocked or unlicensed things."""

from __future__ import annotations

import re
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from bot.__main__ import parser

ROOT = Path(__file__).parents[1]
TRACKED = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
BINARY = (".webp", ".woff2", ".png", ".mo", ".pal")
LOCKS = ("run", "local", "dev")

TEXTS = {name: (ROOT / name).read_text() for name in TRACKED if not name.endswith(BINARY) and (ROOT / name).is_file()}
GUIDES = ("README.md", "CONTRIBUTING.md")

HOSTS = {"discord.com", "discord.gg", "127.0.0.1", "localhost", "www.w3.org", "elsewhere.example"}
"""The addresses that code and texts may name; licence texts name their own."""


COMMANDS = set(re.findall(r"^    ([a-z]+) ", parser().format_help(), re.MULTILINE))


def found(pattern: str, names: list[str] | None = None) -> list[str]:
    """Where that pattern occurs, as `file: text`."""
    return [
        f"{name}: {match.group()}"
        for name in names or TEXTS
        for match in re.finditer(pattern, TEXTS[name])
        if not name.endswith(("Apache-2.0.txt", "OFL-1.1.txt"))
    ]


def test_no_path_of_somebodys_machine() -> None:
    assert found(r"(?<![\w.])/(?:home|root|Users|work|opt|mnt)/[\w.-]+") == []


def test_no_address_but_those_that_are_meant() -> None:
    unknown = [hit for hit in found(r"https?://[\w.-]+") if hit.split("//")[1] not in HOSTS]
    assert unknown == []


def test_nothing_is_left_for_later() -> None:
    assert found(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b") == []


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_is_exact_and_names_no_place_to_get_it(name: str) -> None:
    text = (ROOT / f"requirements/{name}.txt").read_text()
    assert "://" not in text
    assert not re.search(r"^\s*-(?:i|f|-index|-extra|-find|-trusted)", text, re.MULTILINE)
    assert not re.search(r"[a-z]\.(?:org|com|net|io|dev)\b", text)
    entries = re.split(r"\n(?=[a-z])", text)[1:]
    assert len(entries) > 10
    for entry in entries:
        assert re.match(r"[\w.-]+==[\w.]+ ", entry), entry.split("\n")[0]
        assert "--hash=sha256:" in entry, entry.split("\n")[0]


def locked(name: str) -> dict[str, str]:
    """Versions by package."""
    text = (ROOT / f"requirements/{name}.txt").read_text()
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE))


def test_the_locks_agree_and_hold_what_the_project_asks_for() -> None:
    run, local, dev = (locked(name) for name in LOCKS)
    assert run.items() < local.items() < dev.items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {"run": project["dependencies"], **project["optional-dependencies"]}
    for name, versions in zip(LOCKS, (run, local, dev), strict=True):
        for requirement in wanted[name]:
            package = re.split(r"[\[<>=]", requirement)[0].replace(".", "-").lower()
            assert package in versions or package == "dawdle", package
    assert not {"simcord", "pytest", "playwright"} & run.keys()


def test_every_dependency_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    run = text[text.index("dependencies = [") : text.index("[project.optional-dependencies]")]
    for line in re.findall(r'^    "[^"]+",.*$', run, re.MULTILINE):
        assert "# " in line, line


@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_of_the_guides_exists(guide: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", TEXTS["Makefile"], re.MULTILINE))
    made = set(re.findall(r"(?:`|^    |… )make ([a-z]+)", TEXTS[guide], re.MULTILINE))
    assert made and made <= targets, made - targets
    assert set(re.findall(r"python -m bot ([a-z]+)", TEXTS[guide])) <= COMMANDS


def test_the_readme_knows_every_command_of_the_bot() -> None:
    table = TEXTS["README.md"].split("| `python -m bot …` |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `([a-z]+)", table, re.MULTILINE)) == COMMANDS


def test_every_variable_of_the_readme_is_read() -> None:
    said = set(re.findall(r"`((?:DISCORD|DAWDLE)_[A-Z]+)", TEXTS["README.md"]))
    read = set(re.findall(r'"((?:DISCORD|DAWDLE)_[A-Z]+)"', TEXTS["bot/config.py"]))
    assert said == read


@pytest.mark.parametrize("guide", [*GUIDES, "CHANGELOG.md", "renderers/assets/README.md"])
def test_every_file_a_guide_links_to_exists(guide: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", TEXTS[guide]):
        assert (ROOT / guide).parent.joinpath(target).exists(), target


def data_files() -> list[str]:
    """What ships beside the code and is no code."""
    tops = ("bot/", "cogs/", "renderers/")
    return [name for name in TRACKED if name.startswith(tops) and not name.endswith((".py", ".md", ".pot"))]


def test_all_data_ships_with_the_package() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["*"]
    for name in data_files():
        assert any(fnmatch(Path(name).name, pattern) for pattern in patterns), name


def test_every_picture_and_font_names_its_licence() -> None:
    guide = TEXTS["renderers/assets/README.md"]
    rows = [line.split("|")[1:-1] for line in guide.splitlines() if line.startswith("| `")]
    licensed = {
        pattern: row[-1]
        for row in rows
        for pattern in re.findall(r"`([^`]+)`", row[0])
        for pattern in (pattern, f"fonts/{pattern}")
    }
    assets = [name for name in data_files() if name.endswith((".webp", ".woff2"))]
    assert assets
    for name in assets:
        inside = name.removeprefix("renderers/assets/")
        licences = [text for pattern, text in licensed.items() if fnmatch(inside, pattern)]
        assert any("Apache" in text or "OFL" in text for text in licences), name
    for text in ("Apache-2.0.txt", "OFL-1.1.txt"):
        assert (ROOT / "renderers/assets" / text).stat().st_size > 3_000


def test_ci_runs_what_developers_run() -> None:
    assert "make test" in TEXTS[".ci/run"] and "set -euo pipefail" in TEXTS[".ci/run"]
    hooks = set(re.findall(r"entry: (\S+)", TEXTS[".pre-commit-config.yaml"]))
    assert hooks == {".venv/bin/ruff", ".venv/bin/pyright"}
    for tool in ("ruff check .", "ruff format --check .", "pyright", "pytest"):
        assert f"$(BIN)/{tool}" in TEXTS["Makefile"]
