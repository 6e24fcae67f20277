"""The image: built from the locked run-time requirements alone, not run by root, stopped politely."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
Instruction = tuple[str, str]


def instructions(text: str) -> list[Instruction]:
    """Every instruction of a Dockerfile and its arguments, continued lines joined, comments left out."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


ALL = instructions((ROOT / "Dockerfile").read_text())
SECOND = max(n for n, (word, _) in enumerate(ALL) if word == "FROM")
IMAGE = ALL[SECOND:]


def arguments(word: str, among: list[Instruction] = IMAGE) -> list[str]:
    return [rest for name, rest in among if name == word]


def sources() -> list[str]:
    """What is copied from the checkout."""
    return [source for rest in arguments("COPY", ALL) if "--from" not in rest for source in rest.split()[:-1]]


def kept_out(path: str) -> bool:
    """Whether .dockerignore keeps that path out of the build; its last line that fits decides."""
    out = False
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        if line and not line.startswith("#") and (fnmatch(path, pattern) or path.startswith(f"{pattern}/")):
            out = not line.startswith("!")
    return out


def test_everything_that_is_copied_exists_and_is_let_in() -> None:
    assert {"bot", "cogs", "renderers", "requirements/run.txt"} <= set(sources())
    for source in sources():
        assert (ROOT / source).exists(), source
        assert not kept_out(source), source


def test_tests_secrets_and_the_local_table_stay_out() -> None:
    for path in ("tests", ".env", "data", ".git", ".venv", "bot/local/__init__.py", "requirements/dev.txt"):
        assert kept_out(path), path


def test_dependencies_come_before_the_source_and_are_locked() -> None:
    installs = [rest for rest in arguments("RUN", ALL) if "pip install" in rest]
    assert len(installs) == 1
    assert "--require-hashes" in installs[0] and "requirements/run.txt" in installs[0]
    assert ALL.index(("RUN", installs[0])) < SECOND
    assert not any(word in (ROOT / "Dockerfile").read_text() for word in ("dev.txt", "local.txt", "simcord"))


def test_two_stages_from_the_same_python() -> None:
    first, second = arguments("FROM", ALL)
    assert first.split()[0] == second.split()[0]


def test_it_does_not_run_as_root_and_owns_its_volume() -> None:
    (user,) = arguments("USER")
    assert user not in ("root", "0")
    (setup,) = (rest for rest in arguments("RUN") if "apt-get" in rest)
    assert f"useradd --system --no-create-home {user}" in setup
    assert f"install --directory --owner {user} --group {user} /data" in setup
    assert arguments("VOLUME") == ["/data"]
    assert "DAWDLE_DATABASE=/data/dawdle.sqlite3" in arguments("ENV")[0]


def test_it_is_stopped_politely() -> None:
    assert arguments("STOPSIGNAL") == ["SIGTERM"]


def test_its_commands_run_from_nothing_but_what_is_copied(tmp_path: Path) -> None:
    for source in sources():
        if (ROOT / source).is_dir():
            shutil.copytree(
                ROOT / source,
                tmp_path / source,
                ignore=lambda folder, names: [
                    name for name in names if kept_out((Path(folder) / name).relative_to(ROOT).as_posix())
                ],
            )
    (entry,), (check,) = arguments("ENTRYPOINT"), arguments("HEALTHCHECK")
    (run, health) = json.loads(entry), json.loads(check[check.index("[") :])
    assert run == health[:3] == ["python", "-m", "bot"]
    told = subprocess.run(
        [sys.executable, *health[1:], "--help"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "health" in told.stdout
