"""`rizoma bench kernels`: graph by graph, make it, go round the competitors, check every answer, report."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rizoma.core.errors import InvalidArgumentError, NotFoundError

from .checks import RULES, agrees
from .entrants import Entrant, Outcome, Process, Yardstick, find_yardstick, installed
from .figures import told_agrees
from .gap import GapReference
from .graph import GraphFiles, make_files
from .machine import describe
from .oracle import Oracle
from .report import check_plot, plot_report, print_report, write_json
from .shapes import Shape, data_directory, shapes_of
from .statistics import MOST_CALLS, SECONDS_A_ROUND, median_interval, ratio_interval

__all__ = ["ALL_COMPETITORS", "Measured", "Plan", "measure"]

ALL_COMPETITORS = ("yardstick", "networkit", "igraph", "scipy", "graphblas", "graphtool", "ladybug", "grafeo")
_BETWEENNESS_SOURCES = 4


@dataclass(frozen=True)
class Plan:
    """What to measure.  `real`: files where there are any; `competitors`: None: those that exist."""

    graphs: tuple[str, ...] = ("kron",)
    scale: int = 20
    directed: bool | None = None
    data: Path | None = None
    real: bool = True
    keep: Path | None = None
    rounds: int = 5
    kernels: tuple[str, ...] = tuple(RULES)
    competitors: tuple[str, ...] | None = ("yardstick",)
    yardstick: Path | None = None
    gap: Path | None = None
    seed: int = 1
    threads: int = 0

    @property
    def data_directory(self) -> Path | None:
        """Where the real graphs are, if they are wanted."""
        return data_directory(self.data) if self.real else None


@dataclass
class Measured:
    """The rounds of one competitor on one kernel: of each the median of its calls."""

    graph: str
    kernel: str
    by: str
    seconds: list[float] = field(default_factory=list)
    verdicts: list[bool | None] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """`agrees`, `DIFFERS`, or `not comparable`."""
        if False in self.verdicts:
            return "DIFFERS"
        return "agrees" if True in self.verdicts else "not comparable"

    def summary(self, ours: Measured) -> dict[str, Any]:
        """Everything, with the median and its interval, and how many times our seconds it took."""
        middle, low, high = median_interval(self.seconds)
        times, least, most = ratio_interval(self.seconds, ours.seconds)
        return {
            "graph": self.graph,
            "kernel": self.kernel,
            "by": self.by,
            "seconds": self.seconds,
            "median": middle,
            "low": low,
            "high": high,
            "times": times,
            "times_low": least,
            "times_high": most,
            "answer": self.verdict,
        }


def measure(plan: Plan, output: Path | None = None, plot: Path | None = None) -> dict[str, Any]:
    """Measure, print the table, and write what was asked for; returns the report."""
    console = Console(stderr=True, highlight=False)
    for kernel in plan.kernels:
        if kernel not in RULES:
            raise InvalidArgumentError(f"there is no kernel {kernel!r}; choose one of {', '.join(RULES)}")
    if plot is not None:
        check_plot()
    report: dict[str, Any] = {
        "machine": describe(),
        "plan": asdict(plan),
        "graphs": {},
        "versions": {},
        "rules": {kernel: RULES[kernel] for kernel in plan.kernels},
        "results": [],
    }
    for shape in shapes_of(plan.graphs, plan.directed):
        with _made(shape, plan, console) as files:
            if files is not None:
                _measure_graph(shape, files, plan, console, report)
    print_report(report)
    if output is not None:
        write_json(report, output)
    if plot is not None:
        plot_report(report, plot)
    return report


@contextmanager
def _made(shape: Shape, plan: Plan, console: Console) -> Iterator[GraphFiles | None]:
    """The graph's files, made now or kept from a run before; None: the graph cannot be had."""
    data = plan.data_directory
    generated = shape.path(data) is None
    name = f"{shape.name}-{plan.scale}-{plan.seed}" if generated else shape.name
    with tempfile.TemporaryDirectory(prefix="rizoma-bench-") as directory:
        place = (plan.keep or Path(directory)) / name
        whole = place / "whole"
        if whole.exists():
            yield GraphFiles(place)
            return
        console.print(f"{shape.name}: making the graph")
        graph = shape.make(data, plan.scale, plan.seed, plan.threads)
        if graph is None:
            console.print(f"{shape.name}: left out: {shape.file} is not in {data or 'a directory of data'}")
            yield None
            return
        files = make_files(place, graph, plan.threads)
        del graph
        whole.touch()
        yield files


def _measure_graph(shape: Shape, files: GraphFiles, plan: Plan, console: Console, report: dict[str, Any]) -> None:
    entrants = _start(plan, files, console)
    try:
        kernels = [kernel for kernel in plan.kernels if kernel in (shape.kernels or plan.kernels)]
        measured = _Rounds(shape.name, plan, files, entrants, console).run(kernels)
    finally:
        for entrant in entrants:
            entrant.stop()
    ours = {cell.kernel: cell for cell in measured if cell.by == "rizoma"}
    report["results"] += [cell.summary(ours[cell.kernel]) for cell in measured]
    report["versions"] |= {entrant.name: entrant.version for entrant in entrants}
    report["graphs"][shape.name] = {
        "vertices": files.num_vertices,
        "entries": len(files.targets),
        "directed": files.directed,
        "from": "generated" if shape.path(plan.data_directory) is None else str(shape.file),
    }


def _start(plan: Plan, files: GraphFiles, console: Console) -> list[Entrant]:
    """Rizoma first; then the competitors that exist and that know such a graph."""
    threads = plan.threads or int(describe()["processors"])
    entrants: list[Entrant] = [Process("rizoma", files, threads)]
    if plan.gap is not None:
        entrants.append(GapReference(plan.gap, files, threads))
    for name in ALL_COMPETITORS if plan.competitors is None else plan.competitors:
        if name == "yardstick":
            entrants += _yardstick(plan, files, threads, console)
        elif files.directed:
            console.print(f"{name} measures undirected graphs only: left out")
        elif installed(name):
            console.print(f"loading into {name}")
            entrants.append(Process(name, files, threads))
        else:
            console.print(f"{name} is not installed: left out")
    return entrants


def _yardstick(plan: Plan, files: GraphFiles, threads: int, console: Console) -> list[Entrant]:
    try:
        return [Yardstick(find_yardstick(plan.yardstick), files, threads)]
    except NotFoundError as error:
        if plan.yardstick is not None or plan.competitors is not None:
            raise
        console.print(f"left out: {error}")
        return []


class _Rounds:
    """The rounds on one graph: in each, every competitor runs every kernel in turn."""

    def __init__(self, graph: str, plan: Plan, files: GraphFiles, entrants: list[Entrant], console: Console) -> None:
        self._graph = graph
        self._plan = plan
        self._entrants = entrants
        self._console = console
        self._oracle = Oracle(files)
        self._calls: dict[str, int] = {}
        rng = np.random.default_rng(plan.seed)
        candidates = np.flatnonzero(self._oracle.degrees)
        self._sources: list[list[int]] = [
            rng.choice(candidates, _BETWEENNESS_SOURCES, replace=False).tolist()
            for _ in range(max(plan.rounds, MOST_CALLS))
        ]
        self._between = self._sources[:MOST_CALLS]
        for entrant in entrants:
            if isinstance(entrant, GapReference) and "bc" in plan.kernels:
                self._between = entrant.betweenness_sources(MOST_CALLS, _BETWEENNESS_SOURCES)

    def run(self, kernels: list[str]) -> list[Measured]:
        """One unmeasured round, which also says how often to call; then the measured ones."""
        measured = {
            (kernel, entrant.name): Measured(self._graph, kernel, entrant.name)
            for kernel in kernels
            for entrant in self._entrants
        }
        for number in range(-1, self._plan.rounds):
            step = "warming up" if number < 0 else f"round {number + 1} of {self._plan.rounds}"
            self._console.print(f"{self._graph}: {step}")
            for kernel in kernels:
                self._round(kernel, number, measured)
        return [cell for cell in measured.values() if cell.seconds]

    def _round(self, kernel: str, number: int, measured: dict[tuple[str, str], Measured]) -> None:
        calls = self._calls_of(kernel, max(number, 0))
        ours: npt.NDArray[Any] | None = None
        verdicts: dict[str, bool | None] = {}
        for entrant in self._entrants:
            if kernel not in entrant.kernels:
                continue
            outcome = entrant.run(kernel, calls)
            if ours is None:
                ours = outcome.answer
                assert ours is not None  # ours is the first
                if number < 0:
                    wanted = math.ceil(SECONDS_A_ROUND / max(min(outcome.seconds), 1e-9))
                    self._calls[kernel] = min(wanted, MOST_CALLS)
            if number >= 0:
                measured[kernel, entrant.name].seconds.append(float(np.median(outcome.seconds)))
                verdicts[entrant.name] = self._verdict(kernel, ours, outcome, calls[-1], entrant)
        if verdicts.get("rizoma", True) is None:  # the oracle has no answer: agreement of the others confirms ours
            verdicts["rizoma"] = True in verdicts.values() or None
        for name, verdict in verdicts.items():
            measured[kernel, name].verdicts.append(verdict)

    def _calls_of(self, kernel: str, number: int) -> list[list[int]]:
        """For each call its sources: betweenness from four that are others in each call."""
        count = self._calls.get(kernel, 1)
        if kernel == "bc":
            return self._between[:count]
        return [self._sources[number][:1]] * count

    def _verdict(
        self, kernel: str, ours: npt.NDArray[Any], outcome: Outcome, sources: list[int], entrant: Entrant
    ) -> bool | None:
        if entrant is self._entrants[0]:
            return self._oracle.right(kernel, ours, sources)
        if outcome.told:
            return told_agrees(kernel, ours, outcome.told, sources, self._oracle)
        return None if outcome.answer is None else agrees(kernel, ours, outcome.answer, self._oracle.degrees)
