"""The local table's own folder: database, world and pictures, kept together and thrown away together."""

from __future__ import annotations

import fcntl
import os
import pickle
from pathlib import Path

from simcord.env import Env

from bot.local import simcord_private as private


class FolderError(Exception):
    """The folder cannot be used, with the sentence that says why."""


class Folder:
    """Where one local table is kept.

    The world is written anew at every change; pictures, which never change, are only ever added.  Both are pickles,
    which run what is in them: files of somebody else are refused.
    """

    def __init__(self, path: Path) -> None:
        self.database = path / "dawdle.sqlite3"
        self._world = path / "world.pickle"
        self._pictures = path / "pictures.pickle"
        self._path = path
        self._kept: set[str] = set()

    def hold(self) -> None:
        """Make the folder, for this user only, and keep other local tables out until this process ends."""
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = open(self._path / "lock", "w")  # noqa: SIM115 - held until the process ends
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise FolderError(f"Another local table already runs in {self._path}; stop it first.") from None

    def clear(self) -> None:
        """Forget everything that was played."""
        for file in (self._world, self._pictures, *self._path.glob(f"{self.database.name}*")):
            file.unlink(missing_ok=True)
        self._kept.clear()

    def load(self, env: Env) -> bool:
        """Give the world that was kept to an environment that has not started; False if there is none of use.

        A world without its database, or the other way round, is of no use, and neither is one of another SimCord.
        """
        if not (self._world.exists() and self.database.exists()):
            return False
        pictures = self._load_pictures() if self._pictures.exists() else {}
        if not private.unpack(env, _own(self._world), pictures):
            return False
        self._rewrite_pictures(env)
        return True

    def save(self, env: Env) -> None:
        """Keep the world as it is now."""
        new = {url: content for url, content in private.files_of(env).items() if url not in self._kept}
        with open(self._pictures, "ab") as file:
            for picture in new.items():
                pickle.dump(picture, file)
        self._kept.update(new)
        _write(self._world, private.pack(env))

    def _load_pictures(self) -> dict[str, bytes]:
        _own(self._pictures)
        pictures: dict[str, bytes] = {}
        with open(self._pictures, "rb") as file:
            while True:
                try:
                    url, content = pickle.load(file)
                except (EOFError, pickle.UnpicklingError):  # the end, or a picture cut off by a crash
                    return pictures
                pictures[url] = content

    def _rewrite_pictures(self, env: Env) -> None:
        """Drop the pictures that no message shows any more."""
        files, used = private.files_of(env), private.files_in_use(env)
        for url in files.keys() - used:
            del files[url]
        _write(self._pictures, b"".join(pickle.dumps(picture) for picture in files.items()))
        self._kept = set(files)


def _own(path: Path) -> bytes:
    """What the file holds, if it is this user's; FolderError otherwise."""
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_uid != os.geteuid():
            raise FolderError(f"{path} belongs to somebody else and is not opened; --fresh begins anew.")
        return file.read()


def _write(path: Path, content: bytes) -> None:
    """Replace the file in one step, so that a crash leaves the old one or the new one."""
    fresh = path.with_suffix(".new")
    fresh.write_bytes(content)
    fresh.replace(path)
