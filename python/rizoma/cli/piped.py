"""Standard input and pipes as files: what reads edges goes over a file in parts, and more than once."""

from __future__ import annotations

import os
import select
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .app import say

__all__ = ["given_files"]


@contextmanager
def given_files(named: Iterable[Path] | None) -> Iterator[list[Path]]:
    """The files named; `-` and pipes as copies, which are there as long as the block runs."""
    with ExitStack() as stack:
        yield [_readable(path, stack) for path in named or []]


def _readable(path: Path, stack: ExitStack) -> Path:
    if str(path) != "-" and not path.is_fifo():
        return path
    directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="rizoma-"))
    copy = Path(directory) / ("stdin" if str(path) == "-" else path.name)
    with copy.open("wb") as target:
        if str(path) == "-":
            shutil.copyfileobj(sys.stdin.buffer, target)
        else:
            with os.fdopen(_opened(path), "rb") as pipe:
                shutil.copyfileobj(pipe, target)
    return copy


def _opened(path: Path) -> int:
    """A descriptor of the pipe once something is written to it; says so if that takes a while."""
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    written = select.poll()
    written.register(pipe, select.POLLIN)
    if not written.poll(1000):
        say(f"waiting for {path}, a pipe to which nothing has been written yet")
        written.poll()
    os.set_blocking(pipe, True)
    return pipe
