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

from ..core.errors import InvalidArgumentError, RizomaError
from ..graph.import_report import FileReport
from ..io.file_sets import expanded
from ..io.remote import is_url, local_copies
from .app import say

__all__ = ["expect_no_pipes", "given_files", "name_reports"]


@contextmanager
def given_files(named: Iterable[str | Path] | None) -> Iterator[list[Path]]:
    """The files named, and those in directories; what pipes and URLs hold as copies, which the block has."""
    with ExitStack() as stack:
        names = expanded(list(named or []))
        files = [_readable(name, stack) for name in names]
        try:
            yield files
        except RizomaError as error:
            both = zip(names, files, strict=True)
            copies = {str(file): _shown(name) for name, file in both if str(file) != str(name)}
            error.args = tuple(_renamed(said, copies) for said in error.args)
            raise


def expect_no_pipes(named: Iterable[str | Path] | None) -> None:
    """Refuse what can be read only once, where each of several ranks opens the files."""
    for name in named or []:
        if not is_url(name) and (str(name) == "-" or Path(name).is_fifo()):
            pipe = "standard input" if str(name) == "-" else f"the pipe {name}"
            raise InvalidArgumentError(
                f"several ranks cannot read {pipe} together; write it to a file first, or import it with one process"
            )


def name_reports(reports: Iterable[FileReport], named: Iterable[str | Path]) -> None:
    """Give what was read the names that were given, in place of those of copies."""
    for report, name in zip(reports, named, strict=True):
        report.path = _shown(name)


def _shown(name: str | Path) -> str:
    return "standard input" if str(name) == "-" else str(name)


def _renamed(said: object, copies: dict[str, str]) -> object:
    """An error's message with the names that the user gave in place of those of copies."""
    if isinstance(said, str):
        for copy, name in copies.items():
            said = said.replace(copy, name)
    return said


def _readable(name: str | Path, stack: ExitStack) -> Path:
    if is_url(name):
        (copy,) = stack.enter_context(local_copies([name]))
        return copy
    path = Path(name)
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
    """A descriptor of the pipe once it has data; tells the user if that takes a while."""
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    written = select.poll()
    written.register(pipe, select.POLLIN)
    if not written.poll(1000):
        say(f"waiting for {path}, a pipe to which nothing has been written yet")
        written.poll()
    os.set_blocking(pipe, True)
    return pipe
