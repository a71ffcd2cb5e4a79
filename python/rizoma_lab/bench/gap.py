"""The GAP benchmark's reference programs (Beamer, Asanovic, Patterson, arXiv:1508.03619) as a competitor.

They are built elsewhere and given as a directory: pr, bfs, cc, bc, sssp, tc.  They print the time of each
trial and, with -a, something of the last answer.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rizoma.core.errors import NotFoundError

from .entrants import Outcome, fastest_delta, output_of
from .graph import GraphFiles

__all__ = ["GapReference", "told_of", "trials_of"]

_PROGRAMS = ("pr", "bfs", "cc", "bc", "sssp", "tc")
_TRIAL = re.compile(r"Trial Time:\s+([0-9.]+)")
_SOURCE = re.compile(r"Source:\s+(\d+)")
_TOLD = {
    "pr": re.compile(r"^(\d+):([0-9.e+-]+)$", re.MULTILINE),
    "bc": re.compile(r"^(\d+):([0-9.e+-]+)$", re.MULTILINE),
    "bfs": re.compile(r"BFS Tree has (\d+)"),
    "sssp": re.compile(r"SSSP Tree reaches (\d+)"),
    "cc": re.compile(r"There are (\d+) components"),
    "tc": re.compile(r"(\d+) triangles"),
}


class GapReference:
    """The programs in a directory.  A trial is the kernel alone, in memory, without any result handed out."""

    name = "gap"
    version = "GAP reference"

    def __init__(self, directory: Path, files: GraphFiles, threads: int) -> None:
        self.kernels = {kernel for kernel in _PROGRAMS if (directory / kernel).is_file()}
        if "bfs" not in self.kernels:
            raise NotFoundError(f"there is no program bfs in {directory}; it has to have {', '.join(_PROGRAMS)}")
        self._directory = directory
        self._files = files
        self._threads = threads
        self._delta: int | None = None

    def run(self, kernel: str, calls: list[list[int]]) -> Outcome:
        """Run a kernel in one process, first once unmeasured; betweenness chooses its sources itself."""
        if kernel == "sssp" and self._delta is None:
            self._delta = fastest_delta(lambda delta: min(self._trials(kernel, calls, delta).seconds))
        return self._trials(kernel, calls, self._delta or 1)

    def betweenness_sources(self, calls: int, each: int) -> list[list[int]]:
        """The sources that `run` takes in this many calls: those of as many searches of the program bfs."""
        said = self._output("bfs", ["-n", str(each * (calls + 1)), "-l"])
        found = [int(source) for source in _SOURCE.findall(said)]
        return [found[at : at + each] for at in range(each, len(found), each)]

    def _trials(self, kernel: str, calls: list[list[int]], delta: int) -> Outcome:
        options = ["-n", str(len(calls) + 1), "-a"]
        if kernel == "pr":
            options += ["-i", "20", "-t", "0"]
        elif kernel == "bc":
            options += ["-i", str(len(calls[-1]))]
        elif kernel in ("bfs", "sssp"):
            options += ["-r", str(calls[-1][0])]
        if kernel == "sssp":
            options += ["-d", str(delta)]
        said = self._output(kernel, options)
        return Outcome(trials_of(said)[1:], told=told_of(kernel, said))

    def stop(self) -> None:
        """Nothing runs between the rounds."""

    def _output(self, kernel: str, options: list[str]) -> str:
        graph = str(self._files.serialized(kernel))
        return output_of([str(self._directory / kernel), "-f", graph, *options], self._threads)


def trials_of(said: str) -> list[float]:
    """The seconds of each trial."""
    return [float(seconds) for seconds in _TRIAL.findall(said)]


def told_of(kernel: str, said: str) -> dict[str, Any]:
    """`top`: scores of the largest vertices; `count`: a number that any right answer has."""
    found = _TOLD[kernel].findall(said)
    if kernel in ("pr", "bc"):
        return {"top": {int(vertex): float(score) for vertex, score in found}}
    return {"count": int(found[-1])}
