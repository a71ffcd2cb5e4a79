"""`rizoma bench scaling`: an algorithm over threads, homes, placements and ranks, beside a static CSR on one thread.

Source: the speed-ups of figures 5.1 to 5.8 of the dissertation on graphs over several memories, of figures 4 and 6 of
the study of partitioned memory (SC'21), and of figure 12 of RGraph; `docs/internals/papers.md` names them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import numpy as np
from rich.console import Console
from rizoma import algorithms
from rizoma.core.config import placement_setting
from rizoma.core.errors import InvalidArgumentError, NotFoundError, RizomaError
from rizoma.core.suggestions import FUNCTIONS_ELSEWHERE, suggestion
from rizoma.graph.open import open_graph

from .entrants import Yardstick, find_yardstick
from .graph import make_files
from .machine import describe, nodes
from .report import check_plot, write_json
from .scaling_report import plot_scaling, print_scaling
from .scaling_worker import Asked, Runner
from .shapes import entries_of
from .statistics import median_interval, ratio_interval

__all__ = ["Cell", "ScalingPlan", "cells_of", "expect_algorithm", "measure_scaling", "same_answer"]

_ON_CSR = {"pagerank": "pr", "bfs": "bfs", "connected_components": "cc", "triangle_count": "tc"}
STATIC = "static CSR, one thread"
ALONE = "Rizoma, one thread"


@dataclass(frozen=True)
class Cell:
    """One way to run: threads of each rank, homes, the policy where there are several homes, and ranks."""

    threads: int
    homes: int = 1
    placement: str = "in_place"
    ranks: int = 1


@dataclass(frozen=True)
class ScalingPlan:
    """What to measure; no threads: 1, 2, 4 and so on up to all processors."""

    algorithm: str
    store: Path
    threads: tuple[int, ...] = ()
    homes: tuple[int, ...] = (1,)
    ranks: tuple[int, ...] = (1,)
    placements: tuple[str, ...] = ("round_robin",)
    rounds: int = 10
    yardstick: Path | None = None


class _Timed(Protocol):
    """What runs once a round."""

    def run(self) -> tuple[list[float], Any]:
        """The seconds of each call, and the answer; None: not comparable."""


@dataclass
class _Row:
    seconds: list[float] = field(default_factory=list)
    agrees: bool = True


def cells_of(plan: ScalingPlan, processors: int) -> list[Cell]:
    """All combinations, Rizoma on one thread first; one home knows no policy."""
    threads = plan.threads or _powers(processors)
    found = [Cell(1)]
    for homes in plan.homes or (1,):
        policies = ("in_place",) if homes == 1 else plan.placements
        found += [Cell(t, homes, policy, r) for policy in policies for r in plan.ranks or (1,) for t in threads]
    return list(dict.fromkeys(found))


def measure_scaling(plan: ScalingPlan, output: Path | None = None, plot: Path | None = None) -> dict[str, Any]:
    """Measure, print a table, and write everything as JSON and as a picture if these say where."""
    if plot is not None:
        check_plot()
    expect_algorithm(plan.algorithm)
    for policy in plan.placements:
        placement_setting(policy)
    machine = describe()
    cells = cells_of(plan, int(machine["processors"]))
    console = Console(stderr=True, highlight=False)
    with open_graph(plan.store, mode="read_only") as graph:
        hub = graph.degrees().top(1)[0][0] if len(graph) else None
        size = {"vertices": len(graph), "edges": graph.num_edges, "directed": graph.directed}
    with TemporaryDirectory(prefix="rizoma-bench-") as directory, ExitStack() as stack:
        ways: dict[Cell | str, _Timed] = {}
        if (base := _static(plan, hub, Path(directory), console)) is not None:
            ways[STATIC] = base
        for cell in cells:
            asked = Asked(plan.algorithm, str(plan.store), hub, cell.threads, cell.ranks, cell.placement)
            ways[cell] = stack.enter_context(_started(asked, cell.homes))
        rows = _rounds(ways, plan.rounds, console)
    report = {
        "machine": machine | {"nodes": nodes()},
        "plan": asdict(plan),
        "graph": size,
        "base": STATIC if STATIC in rows else ALONE,
        "results": list(_results(rows)),
    }
    print_scaling(report)
    if output is not None:
        write_json(report, output)
    if plot is not None:
        plot_scaling(report, plot)
    return report


def _powers(processors: int) -> tuple[int, ...]:
    return tuple(sorted({1 << bit for bit in range(int(math.log2(processors)) + 1)} | {processors}))


def expect_algorithm(name: str) -> None:
    """Refuse what `rizoma run` does not have."""
    if name not in algorithms.__all__:
        meant = suggestion(name, algorithms.__all__, FUNCTIONS_ELSEWHERE)
        remedy = f"did you mean {meant}?" if meant else "rizoma run --help lists all"
        raise InvalidArgumentError(f"there is no algorithm {name!r}; {remedy}")


class _Static:
    """The kernel of rizoma-yardstick on one thread."""

    def __init__(self, program: Yardstick, kernel: str, source: int) -> None:
        self._program, self._kernel, self._source = program, kernel, source

    def run(self) -> tuple[list[float], Any]:
        """Its seconds; it tells no values."""
        return self._program.run(self._kernel, [[self._source]] * 3).seconds, None


def _static(plan: ScalingPlan, hub: Any, directory: Path, console: Console) -> _Static | None:
    """The static CSR of the same graph in the same order of vertices, without parallel edges and self-loops."""
    kernel = _ON_CSR.get(plan.algorithm)
    if kernel is None or hub is None:
        return None
    try:
        program = find_yardstick(plan.yardstick)
    except NotFoundError as error:
        if plan.yardstick is not None:
            raise
        console.print(f"speed-ups are over {ALONE}: {error}")
        return None
    with open_graph(plan.store, mode="read_only") as graph:
        source = int(graph.find([hub])[0])
        files = make_files(directory / "csr", entries_of(graph, 1), 1)
    return _Static(Yardstick(program, files, 1), kernel, source)


@contextmanager
def _started(asked: Asked, homes: int) -> Iterator[Runner]:
    runner = Runner(asked, homes if homes != nodes() else None)
    try:
        yield runner
    finally:
        runner.stop()


def _rounds(ways: dict[Cell | str, _Timed], rounds: int, console: Console) -> dict[Cell | str, _Row]:
    """One round that does not count, then those that do; in each every way runs in turn."""
    rows = {way: _Row() for way in ways}
    first = None
    for number in range(-1, rounds):
        console.print("warming up" if number < 0 else f"round {number + 1} of {rounds}")
        for way, timed in ways.items():
            seconds, answer = timed.run()
            if number >= 0:
                rows[way].seconds.append(float(np.median(seconds)))
            if answer is not None:
                first = answer if first is None else first
                rows[way].agrees &= same_answer(first, answer)
    return rows


def same_answer(first: Any, other: Any) -> bool:
    """Whether two runs found the same values, up to the order in which floating-point numbers were added."""
    if first.shape != other.shape:
        return False
    if np.issubdtype(first.dtype, np.floating):
        return bool(np.allclose(first, other, rtol=1e-6, atol=1e-9, equal_nan=True))
    return bool(np.array_equal(first, other))


def _results(rows: dict[Cell | str, _Row]) -> Iterator[dict[str, Any]]:
    base = rows.get(STATIC) or rows[Cell(1)]
    for way, row in rows.items():
        if not row.seconds:
            raise RizomaError("no round was measured")
        middle, low, high = median_interval(row.seconds)
        speedup, least, most = ratio_interval(base.seconds, row.seconds)
        told = {"by": STATIC} if isinstance(way, str) else {"by": "rizoma", **asdict(way)}
        answer = "not comparable" if isinstance(way, str) else "agrees" if row.agrees else "DIFFERS"
        yield told | {
            "seconds": row.seconds,
            "median": middle,
            "low": low,
            "high": high,
            "speedup": speedup,
            "speedup_low": least,
            "speedup_high": most,
            "answer": answer,
        }
