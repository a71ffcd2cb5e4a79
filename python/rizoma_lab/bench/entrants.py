"""The competitors as the harness sees them: processes to start, ask and stop."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from rizoma.core.errors import NotFoundError, RizomaError

from .graph import GraphFiles
from .pipes import Piped

__all__ = [
    "Entrant",
    "Outcome",
    "Process",
    "Yardstick",
    "fastest_delta",
    "find_yardstick",
    "installed",
    "output_of",
]

_PACKAGES = {
    "networkit": "networkit",
    "igraph": "igraph",
    "scipy": "scipy",
    "graphblas": "graphblas",
    "graphtool": "graph_tool",
    "ladybug": "ladybug",
    "grafeo": "grafeo",
}


def _interpreter(name: str) -> str | None:
    """The Python that a competitor is to run in, if not this one."""
    return os.environ.get(f"RIZOMA_BENCH_PYTHON_{name.upper()}")


def installed(name: str) -> bool:
    """Whether the package of a competitor can be imported."""
    return _interpreter(name) is not None or importlib.util.find_spec(_PACKAGES[name]) is not None


@dataclass(frozen=True)
class Outcome:
    """Some calls: the seconds of each, and the last answer, or figures of it by name."""

    seconds: list[float]
    answer: npt.NDArray[Any] | None = None
    told: dict[str, Any] = field(default_factory=dict)


class Entrant(Protocol):
    """A competitor that holds the graph."""

    name: str
    version: str
    kernels: set[str]

    def run(self, kernel: str, calls: list[list[int]]) -> Outcome:
        """Run a kernel once unmeasured, then once for each list of sources."""

    def stop(self) -> None:
        """End its process."""


class Process:
    """A competitor in a Python process of its own; see worker.py."""

    def __init__(self, name: str, files: GraphFiles, threads: int) -> None:
        self.name = name
        self._answer = files.directory / f"answer-{name}.npy"
        python = _interpreter(name) or sys.executable
        command = [python, "-m", "rizoma_lab.bench.worker", name, str(files.directory), str(threads)]
        self._piped = Piped(name, command, {"OMP_NUM_THREADS": str(threads)})
        hello = self._piped.receive()
        self.version: str = hello["version"]
        self.kernels: set[str] = set(hello["kernels"])
        self.load_seconds: float = hello["load_seconds"]

    def run(self, kernel: str, calls: list[list[int]]) -> Outcome:
        """Run a kernel once unmeasured, then once for each list of sources."""
        reply = self._piped.ask({"kernel": kernel, "calls": calls, "answer": str(self._answer)})
        if "error" in reply:
            raise RizomaError(f"{self.name} failed in {kernel}: {reply['error']}")
        return Outcome(reply["seconds"], answer=np.load(self._answer))

    def stop(self) -> None:
        """End its process."""
        self._piped.stop()


_YARDSTICK_KERNELS = {
    "pr": "pagerank",
    "bfs": "bfs",
    "cc": "connected_components",
    "bc": "betweenness_centrality",
    "sssp": "sssp",
    "tc": "triangle_count",
}


class Yardstick:
    """The program rizoma-yardstick: kernels on a plain static CSR.  It tells one figure of its answer."""

    name = "yardstick"
    version = "static CSR"

    def __init__(self, program: Path, files: GraphFiles, threads: int) -> None:
        self.kernels = set(_YARDSTICK_KERNELS)
        self._program = program
        self._files = files
        self._threads = threads
        self._delta: int | None = None

    def run(self, kernel: str, calls: list[list[int]]) -> Outcome:
        """Run a kernel in one process: betweenness with the sources of the last call in all of them."""
        if kernel == "sssp" and self._delta is None:
            self._delta = fastest_delta(lambda delta: min(self._trials(kernel, calls, delta).seconds))
        return self._trials(kernel, calls, self._delta or 1)

    def _trials(self, kernel: str, calls: list[list[int]], delta: int) -> Outcome:
        command = [str(self._program), _YARDSTICK_KERNELS[kernel], str(self._files.serialized(kernel))]
        options = {
            "--trials": str(len(calls) + 1),
            "--sources": ",".join(map(str, calls[-1])),
            "--delta": str(delta),
        }
        command += [word for option in options.items() for word in option]
        replies = [json.loads(line) for line in output_of(command, self._threads).splitlines()]
        seconds = [reply["seconds"] for reply in replies[1:]]
        return Outcome(seconds, told={"figure": replies[-1]["answer"]})

    def stop(self) -> None:
        """Nothing runs between the rounds."""


def output_of(command: list[str], threads: int) -> str:
    """What a program prints that runs with this many OpenMP threads."""
    environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        raise RizomaError(f"{' '.join(command)} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def fastest_delta(seconds: Callable[[int], float]) -> int:
    """The bucket width of delta-stepping that suits the graph: from 64 by fours, while it helps."""
    best, least = 64, seconds(64)
    for factor in (4.0, 0.25):
        delta, taken = int(best * factor), 0.0
        while 1 <= delta <= 1 << 20:
            taken = seconds(delta)
            if taken >= least:
                break
            best, least, delta = delta, taken, int(delta * factor)
    return best


def find_yardstick(given: Path | None) -> Path:
    """The program: as given, on the PATH, or in a build directory of the source tree."""
    if given is not None:
        if not given.is_file():
            raise NotFoundError(f"there is no program {given}")
        return given
    on_path = shutil.which("rizoma-yardstick")
    if on_path:
        return Path(on_path)
    root = Path(__file__).resolve().parents[3]
    found = sorted(root.glob("build*/**/rizoma-yardstick"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise NotFoundError("rizoma-yardstick is not built; build with -DRIZOMA_BENCH=ON or give --yardstick PATH")
    return found[-1]
