"""Research stores for growing graphs as the harness runs them: programs built elsewhere, given by their paths.

DGAP (Islam and Dai, SC'23), GraphOne (Kumar and Huang, FAST'19) and XPGraph (Wang et al., MICRO'22) as the repository
DIR-LAB/DGAP has them: with the kernels of the GAP benchmark, and ported to persistent memory.  Each reads a tenth of
the entries first and inserts the others.  On a file system that is none of persistent memory their flushes end in the
page cache (`PMEM_IS_PMEM_FORCE`), so that nothing that they do waits for a disk.

The searches of GraphOne and XPGraph there are left out: they ask whether an unsigned number is below zero, and so end
at their source.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Protocol

from rizoma.core.errors import NotFoundError, RizomaError

from .gap import told_of, trials_of

__all__ = ["Dgap", "Given", "GraphOne", "Grown", "Grows", "XpGraph", "disk_bytes", "run_measured"]

_GIB = 1 << 30


@dataclass(frozen=True)
class Given:
    """The entries of a graph (both directions of each edge) as files, and what is done with them."""

    directory: Path
    num_vertices: int
    base: int
    dynamic: int
    source: int
    kernels: tuple[str, ...]
    trials: int

    @property
    def base_file(self) -> Path:
        """The tenth that comes first, a line `u v` an entry."""
        return self.directory / "base.el"

    @property
    def dynamic_file(self) -> Path:
        """What is inserted, a line `u v` an entry, both directions of an edge one after the other."""
        return self.directory / "dynamic.el"

    @property
    def binary_directory(self) -> Path:
        """Both in one file of pairs of 32 bits, alone in this directory."""
        return self.directory / "binary"


@dataclass
class Grown:
    """What one store told: seconds of insertions and of each trial of a kernel, memory, and its answers."""

    entries: int
    insert_seconds: list[float] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    peak_bytes: int = 0
    disk_bytes: int = 0
    told: dict[str, dict[str, Any]] = field(default_factory=dict)
    answers: dict[str, Path] = field(default_factory=dict)

    def add_process(self, kernel: str, seconds: list[float], told: dict[str, Any], peak: int, place: Path) -> None:
        """Add what a process told that made the store in `place` and ran one kernel; the place is emptied."""
        self.seconds.setdefault(kernel, []).extend(seconds)
        self.told[kernel] = told
        self.peak_bytes = max(self.peak_bytes, peak)
        self.disk_bytes = disk_bytes(place)
        _empty(place)


class Grows(Protocol):
    """A store that can be grown and asked."""

    name: str

    def run(self, given: Given, threads: int, place: Path) -> Grown:
        """Make a store in `place`, which is empty, insert, and run the kernels."""


class Dgap:
    """DGAP: a program for each kernel in a directory, each of which makes the store anew."""

    name = "DGAP"
    _PROGRAMS = {"pr": "pr", "bfs": "bfs", "cc": "cc_sv", "bc": "bc"}  # noqa: RUF012
    _INSERTED = re.compile(r"D-Graph Build Time: ([0-9.e+-]+)")
    _VERTICES = re.compile(r"Graph has (\d+) nodes")

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        for program in self._PROGRAMS.values():
            _expect_program(directory / program)

    def run(self, given: Given, threads: int, place: Path) -> Grown:
        """All trials of a kernel in one process."""
        grown = Grown(given.dynamic)
        for kernel in given.kernels:
            command = [str(self._directory / self._PROGRAMS[kernel]), "-B", str(given.base_file)]
            command += ["-D", str(given.dynamic_file), "-f", str(place / "graph"), "-n", str(given.trials), "-a"]
            command += {"pr": ["-i", "20"], "bfs": ["-r", str(given.source)], "cc": []}.get(
                kernel, ["-r", str(given.source), "-i", "1"]
            )
            said, peak = run_measured(command, threads)
            grown.insert_seconds.append(_seconds(self._INSERTED, said, self.name))
            grown.add_process(kernel, trials_of(said), self._told(kernel, said, given), peak, place)
        return grown

    def _told(self, kernel: str, said: str, given: Given) -> dict[str, Any]:
        """It has vertices up to a multiple of its segments, each of which is a component of its own."""
        told, found = told_of(kernel, said), self._VERTICES.search(said)
        if kernel != "cc" or found is None:
            return told
        return {"count": told["count"] - (int(found[1]) - given.num_vertices)}


class GraphOne:
    """GraphOne's program graphone_test: one kernel a run, whose time holds that of making its view."""

    name = "GraphOne"
    _JOBS = {"pr": "0", "bc": "2", "cc": "3"}  # noqa: RUF012
    _INSERTED = re.compile(r"D-graph load time = ([0-9.e+-]+)")
    _KERNEL = re.compile(r"^(?:PageRank|BFS|BC|CC) time = ([0-9.e+-]+)", re.MULTILINE)

    def __init__(self, program: Path) -> None:
        self._program = _expect_program(program)

    def run(self, given: Given, threads: int, place: Path) -> Grown:
        """A process for each kernel and trial."""
        grown = Grown(given.dynamic)
        for kernel in (kernel for kernel in given.kernels if kernel in self._JOBS):
            for _ in range(given.trials):
                command = [str(self._program), "-b", str(given.base_file), "-d", str(given.dynamic_file)]
                command += ["-o", f"{place}/", "-v", str(given.num_vertices), "-j", self._JOBS[kernel]]
                said, peak = run_measured([*command, "-s", str(given.source), "-t", str(threads)], threads)
                grown.insert_seconds.append(_seconds(self._INSERTED, said, self.name))
                seconds = _seconds(self._KERNEL, said, self.name)
                grown.add_process(kernel, [seconds], told_of(kernel, said), peak, place)
        return grown


class XpGraph:
    """XPGraph's program bin/main: all kernels in one process, which archives every 65,536 entries."""

    name = "XPGraph"
    _TITLES = {"pr": "PAGERANK", "cc": "CC_SV", "bc": "BC"}  # noqa: RUF012
    _INSERTED = re.compile(r"Archive graph time = ([0-9.e+-]+)")
    _KERNEL = re.compile(r"(?:PageRank|BC|CC) time = ([0-9.e+-]+)")
    _PART = re.compile(r"<+ALGO: (\w+)>+")

    def __init__(self, program: Path) -> None:
        self._program = _expect_program(program)

    def run(self, given: Given, threads: int, place: Path) -> Grown:
        """Inserts the first tenth, too; runs all four kernels, whatever was asked for."""
        entries = given.base + given.dynamic
        grown = Grown(entries)
        (place / "store").mkdir()
        (place / "recovery").mkdir()
        sizes = {"--elogsize": max(24, math.ceil(math.log2(2 * entries)))}
        sizes |= {"--pblk_pools": max(4, math.ceil(64 * entries / _GIB)), "--vbuf_pool": max(1, entries * 16 // _GIB)}
        sizes |= {"--vert_pool": 1, "--snap_pool": 1, "--tedge_pool": 1}
        command = [str(self._program), "-f", f"{given.binary_directory}/", "-p0", f"{place}/store/"]
        command += ["--recovery", f"{place}/recovery/", "--source", str(given.source), "-v", str(given.num_vertices)]
        command += ["-q", str(given.trials), "-j", "2", "-t", str(threads)]
        # What it saves at the end, for a recovery, crashes; edges are in its files before.
        command += ["--persist", "0"]
        command += [word for name, size in sizes.items() for word in (name, str(size))]
        library = self._program.parent.parent / "src" / "api" / "lib"
        said, grown.peak_bytes = run_measured(
            command, threads, {"LD_LIBRARY_PATH": str(library)}, within=place, complete=self._is_complete(given)
        )
        grown.insert_seconds.append(_seconds(self._INSERTED, said, self.name))
        parts = self._PART.split(said)[1:]
        for title, part in zip(parts[::2], parts[1::2], strict=True):
            for kernel in (kernel for kernel in given.kernels if self._TITLES.get(kernel) == title):
                grown.seconds.setdefault(kernel, []).append(_seconds(self._KERNEL, part, self.name))
                grown.told[kernel] = told_of(kernel, part)
        grown.disk_bytes = disk_bytes(place)
        return grown

    def _is_complete(self, given: Given) -> Callable[[str], bool]:
        """On some graphs it crashes as it ends, when all is printed."""
        return lambda said: len(self._KERNEL.findall(said)) == given.trials * len(self._TITLES)


def run_measured(
    command: Sequence[str],
    threads: int,
    more: dict[str, str] | None = None,
    within: Path | None = None,
    complete: Callable[[str], bool] = lambda _: False,
) -> tuple[str, int]:
    """What a program prints, and the most bytes that it had resident (to 10 ms).

    `within`: where it runs; `complete`: whether it had printed all although it crashed.
    """
    environment = os.environ | {"OMP_NUM_THREADS": str(threads), "PMEM_IS_PMEM_FORCE": "1"} | (more or {})
    peak = 0
    with TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment, cwd=within)
        while process.poll() is None:
            peak = max(peak, _peak_resident(process.pid))
            time.sleep(0.01)
        out.seek(0)
        said = out.read().decode(errors="replace")
    if process.returncode != 0 and not complete(said):
        last = "\n".join(said.strip().splitlines()[-3:])
        raise RizomaError(f"{' '.join(command)} failed with exit code {process.returncode}: {last}")
    return said, peak


def _peak_resident(process: int) -> int:
    """Of its present program: what `wait4` counts has that of the process which started it, too."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0


def disk_bytes(place: Path) -> int:
    """What the files below a directory take on the disk."""
    return sum(path.stat().st_blocks * 512 for path in place.rglob("*") if path.is_file())


def _expect_program(path: Path) -> Path:
    if not path.is_file():
        raise NotFoundError(f"there is no program {path}; build it from DIR-LAB/DGAP, and give its path")
    return path.resolve()


def _seconds(pattern: re.Pattern[str], said: str, name: str) -> float:
    found = pattern.search(said)
    if found is None:
        raise RizomaError(f"{name} did not print its time ({pattern.pattern}); is it that of DIR-LAB/DGAP?")
    return float(found[1])


def _empty(place: Path) -> None:
    for path in place.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
