"""Directories in which a store is being built: made, held and removed so that no two processes meet in one."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

__all__ = ["StagingDirectory", "lock_directory", "remove_partial"]

_STORE_FILE = re.compile(r"LOCK|data|superblock(\.new|\.discarded)?|(log|manifest|manifest-copy)\.\d+")


class StagingDirectory:
    """A new directory beside `path` for its store, held by a lock on the directory until `release`.

    What killed processes left of such directories is removed: those of living ones are locked.
    """

    def __init__(self, path: Path) -> None:
        self._start = f".{path.name}.loading-"
        self._remove_left(path.parent)
        while True:
            # Not by the process alone: it may build several, and in containers others have its number.
            self.path = path.with_name(f"{self._start}{os.getpid()}-{secrets.token_hex(4)}")
            os.mkdir(self.path)
            held = lock_directory(self.path)
            if held is not None:  # otherwise another process has just taken it for a killed one's
                self._descriptor = held
                return

    def _remove_left(self, parent: Path) -> None:
        made_here = re.compile(re.escape(self._start) + r"\d+-[0-9a-f]{8}")
        with suppress(OSError):
            for entry in os.scandir(parent):
                if not made_here.fullmatch(entry.name) or not entry.is_dir(follow_symlinks=False):
                    continue
                held = lock_directory(Path(entry.path))
                if held is None:
                    continue
                shutil.rmtree(entry.path, ignore_errors=True)
                os.close(held)

    def release(self) -> None:
        """Let go of the directory, which by now has another name, or none."""
        os.close(self._descriptor)

    def remove(self) -> None:
        """Remove the directory, if it has not been renamed, and let go of it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()


def lock_directory(directory: Path) -> int | None:
    """Lock a directory; None if another process holds it, or it is gone."""
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(directory, follow_symlinks=False)):
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return None


def remove_partial(path: Path) -> None:
    """Remove what a failed creation of a store left: nothing, if another process has put something there."""
    held = None
    try:
        held = os.open(path / "LOCK", os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        pass
    except OSError:
        return  # another process builds a store here
    try:
        names = os.listdir(path)
        if "superblock" not in names and all(_STORE_FILE.fullmatch(name) for name in names):
            for name in sorted(names, key=lambda name: name == "superblock.discarded"):  # which tells what the rest is
                os.unlink(path / name)
            os.rmdir(path)
    except OSError:
        pass  # gone, or another process's by now
    finally:
        if held is not None:
            os.close(held)
