"""`rizoma bench kernels`: make the graph, go round the competitors, check, report."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console

from ..errors import InvalidArgumentError
from .checks import RULES, agrees
from .entrants import Entrant, Outcome, Process, Yardstick, find_yardstick, installed
from .figures import figure, figure_agrees
from .graph import GraphFiles, make_files
from .machine import describe
from .report import plot_report, print_report, write_json
from .statistics import median_interval

__all__ = ["Measured", "Plan", "measure"]

_BETWEENNESS_SOURCES = 4


@dataclass(frozen=True)
class Plan:
    """What to measure."""

    scale: int = 20
    graph: Path | None = None
    rounds: int = 5
    kernels: tuple[str, ...] = tuple(RULES)
    competitors: tuple[str, ...] = ("yardstick",)
    yardstick: Path | None = None
    seed: int = 1
    threads: int = 0


@dataclass
class Measured:
    """The runs of one competitor on one kernel."""

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

    def summary(self) -> dict[str, Any]:
        """Everything, with the median and its interval."""
        middle, low, high = median_interval(self.seconds)
        return {
            "kernel": self.kernel,
            "by": self.by,
            "seconds": self.seconds,
            "median": middle,
            "low": low,
            "high": high,
            "answer": self.verdict,
        }


def measure(plan: Plan, output: Path | None = None, plot: Path | None = None) -> dict[str, Any]:
    """Measure, print the table, and write what was asked for; returns the report."""
    console = Console(stderr=True)
    for kernel in plan.kernels:
        if kernel not in RULES:
            raise InvalidArgumentError(f"there is no kernel {kernel!r}; choose out of {', '.join(RULES)}")
    with tempfile.TemporaryDirectory(prefix="rizoma-bench-") as directory:
        console.print("making the graph", highlight=False)
        files = make_files(Path(directory), plan.scale, plan.graph, plan.seed, plan.threads)
        entrants = _start(plan, files, console)
        try:
            measured = _rounds(plan, files, entrants, console)
        finally:
            for entrant in entrants:
                entrant.stop()
        report = _report(plan, files, entrants, measured)
    print_report(report)
    if output is not None:
        write_json(report, output)
    if plot is not None:
        plot_report(report, plot)
    return report


def _start(plan: Plan, files: GraphFiles, console: Console) -> list[Entrant]:
    """Rizoma first; then the competitors that there are."""
    threads = plan.threads or int(describe()["processors"])
    entrants: list[Entrant] = [Process("rizoma", files, threads)]
    for name in plan.competitors:
        if name == "yardstick":
            entrants.append(Yardstick(find_yardstick(plan.yardstick), files, threads))
        elif installed(name):
            console.print(f"loading into {name}", highlight=False)
            entrants.append(Process(name, files, threads))
        else:
            console.print(f"{name} is not installed: left out", highlight=False)
    return entrants


def _rounds(plan: Plan, files: GraphFiles, entrants: list[Entrant], console: Console) -> list[Measured]:
    """One unmeasured round to warm up, then the measured ones."""
    degrees = np.diff(files.offsets)
    sources = _sources(degrees, plan)
    reach = _reach(entrants[0])
    measured = {
        (kernel, entrant.name): Measured(kernel, entrant.name)
        for kernel in plan.kernels
        for entrant in entrants
    }
    for number in range(-1, plan.rounds):
        console.print("warming up" if number < 0 else f"round {number + 1} of {plan.rounds}", highlight=False)
        for kernel in plan.kernels:
            chosen = sources[max(number, 0)]
            chosen = chosen if kernel == "bc" else chosen[:1]
            ours: npt.NDArray[Any] | None = None
            for entrant in entrants:
                if kernel not in entrant.kernels:
                    continue
                outcome = entrant.run(kernel, chosen)
                ours = outcome.answer if ours is None else ours
                if number >= 0 and ours is not None:
                    cell = measured[kernel, entrant.name]
                    cell.seconds.append(outcome.seconds)
                    cell.verdicts.append(_verdict(kernel, ours, outcome, chosen, degrees, reach))
    return [cell for cell in measured.values() if cell.seconds]


def _reach(rizoma: Entrant) -> npt.NDArray[np.int64]:
    """How many vertices can be reached from each vertex, itself included."""
    labels = rizoma.run("cc", []).answer
    assert labels is not None
    _, number, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    return np.asarray(sizes[number])


def _verdict(
    kernel: str,
    ours: npt.NDArray[Any],
    outcome: Outcome,
    sources: list[int],
    degrees: npt.NDArray[Any],
    reach: npt.NDArray[Any],
) -> bool | None:
    if outcome.figure is not None:
        return figure_agrees(kernel, figure(kernel, ours, sources, degrees, reach), outcome.figure)
    return None if outcome.answer is None else agrees(kernel, ours, outcome.answer, degrees)


def _sources(degrees: npt.NDArray[Any], plan: Plan) -> list[list[int]]:
    """For each round its source vertices, all with edges."""
    rng = np.random.default_rng(plan.seed)
    candidates = np.flatnonzero(degrees)
    return [rng.choice(candidates, _BETWEENNESS_SOURCES, replace=False).tolist() for _ in range(plan.rounds)]


def _report(
    plan: Plan, files: GraphFiles, entrants: list[Entrant], measured: list[Measured]
) -> dict[str, Any]:
    return {
        "machine": describe(),
        "plan": asdict(plan) | {"graph": None if plan.graph is None else plan.graph.name, "yardstick": None},
        "graph": {"vertices": files.num_vertices, "entries": len(files.targets)},
        "versions": {entrant.name: entrant.version for entrant in entrants},
        "rules": {kernel: RULES[kernel] for kernel in plan.kernels},
        "results": [cell.summary() for cell in measured],
    }
