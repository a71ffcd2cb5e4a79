"""`rizoma bench communities`: Louvain and Leiden beside GVE's programs, time and modularity.

GVE (Sahu, 2023 and 2024) is built elsewhere: main.cxx of puzzlef/leiden-communities-openmp, or of its Louvain, with
`g++ -O3 -march=native -fopenmp -DMAX_THREADS=2`: its number of threads is compiled in.  It prints its own seconds (a
mean of five runs) and its modularity, but not the communities, so that its modularity is its word; that of Rizoma is
computed again from the labels.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table
from rizoma.algorithms.leiden import leiden
from rizoma.algorithms.louvain import louvain
from rizoma.cli.app import show_table
from rizoma.core.errors import NotFoundError, RizomaError
from rizoma.graph.graph import Graph
from rizoma.graph.open import open_graph

from .entrants import output_of
from .graph import EdgeKeys
from .machine import describe
from .report import write_json
from .shapes import data_directory, shapes_of
from .statistics import median_interval

__all__ = ["CommunitiesPlan", "measure_communities", "modularity_of"]

Ints = npt.NDArray[np.int64]
_TOLD = re.compile(r"\{(?:\d+ threads\} -> \{)?(\d+\.\d+)ms,.* (-?\d+\.\d+) modularity.*\} (louvain|leiden)StaticOmp")
_CALLS: dict[str, Callable[..., Any]] = {"louvain": louvain, "leiden": leiden}


@dataclass(frozen=True)
class CommunitiesPlan:
    """What to measure; `gve`: programs by their paths."""

    graphs: tuple[str, ...] = ("gowalla",)
    scale: int = 18
    data: Path | None = None
    gve: tuple[Path, ...] = ()
    rounds: int = 5
    threads: int = 0
    directory: Path | None = None
    seed: int = 1


@dataclass
class _Row:
    graph: str
    algorithm: str
    by: str
    seconds: list[float] = field(default_factory=list)
    modularity: list[float] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        median, low, high = median_interval(self.seconds)
        return asdict(self) | {"median": median, "low": low, "high": high}


def measure_communities(plan: CommunitiesPlan, output: Path | None = None) -> dict[str, Any]:
    """Measure, print a table, and write everything as JSON if `output` says where."""
    for program in plan.gve:
        if not os.access(program, os.X_OK):
            raise NotFoundError(f"there is no program {program}; build GVE's main.cxx and give its path (--gve)")
    console = Console(stderr=True, highlight=False)
    report: dict[str, Any] = {"machine": describe(), "plan": asdict(plan), "results": []}
    for shape in shapes_of(plan.graphs):
        graph = shape.make(data_directory(plan.data), plan.scale, plan.seed, plan.threads)
        if graph is None:
            console.print(f"{shape.name}: left out: {shape.file} is not in {plan.data or 'a directory of data'}")
            continue
        console.print(f"{shape.name}: {plan.rounds} rounds")
        report["results"] += [row.summary() for row in _rows(shape.name, graph.symmetric(), plan)]
    _print(report)
    if output is not None:
        write_json(report, output)
    return report


def _rows(name: str, graph: EdgeKeys, plan: CommunitiesPlan) -> list[_Row]:
    """In each round every program runs once."""
    rows: dict[tuple[str, str], _Row] = {}
    with TemporaryDirectory(prefix="rizoma-communities-", dir=plan.directory) as directory, _in_memory(graph) as stored:
        matrix = Path(directory) / "graph.mtx"
        if plan.gve:
            _write_matrix(graph, matrix)
        for number in range(plan.rounds):
            for algorithm, by, seconds, modularity in _round(stored, graph, matrix, plan, plan.seed + number):
                row = rows.setdefault((algorithm, by), _Row(name, algorithm, by))
                row.seconds.append(seconds)
                row.modularity.append(modularity)
    return sorted(rows.values(), key=lambda row: row.algorithm)


def _round(
    stored: Graph, graph: EdgeKeys, matrix: Path, plan: CommunitiesPlan, seed: int
) -> Iterator[tuple[str, str, float, float]]:
    for algorithm, call in _CALLS.items():
        once = {"iterations": 1} if algorithm == "leiden" else {}
        found = call(stored, seed=seed, threads=plan.threads, **once)
        modularity = modularity_of(graph, found.to_numpy())
        if abs(modularity - found.modularity) > 1e-6:
            raise RizomaError(f"{algorithm} says {found.modularity} of communities whose modularity is {modularity}")
        yield algorithm, "rizoma", found.seconds, modularity
    for program in plan.gve:
        told = _TOLD.findall(output_of([str(program), str(matrix), "1", "0"], plan.threads or os.cpu_count() or 1))
        if not told:
            raise RizomaError(f"{program} printed no time and modularity; is it GVE's main.cxx?")
        for milliseconds, modularity, algorithm in told:
            yield algorithm, "GVE", float(milliseconds) / 1000, float(modularity)


def modularity_of(graph: EdgeKeys, labels: Ints) -> float:
    """Newman's modularity of an undirected graph without weights, by its definition."""
    sources, targets = graph.ends()
    degrees = np.bincount(sources, minlength=graph.num_vertices)
    inside = np.count_nonzero(labels[sources] == labels[targets]) / len(sources)
    sums = np.bincount(np.unique(labels, return_inverse=True)[1], weights=degrees)
    return float(inside - np.square(sums / len(sources)).sum())


def _in_memory(graph: EdgeKeys) -> Graph:
    stored = open_graph(None, ids="dense")
    stored.add_vertices(np.arange(graph.num_vertices))
    sources, targets = graph.ends()
    once = sources < targets
    stored.add_edges(np.column_stack([sources[once], targets[once]]))
    return stored


def _write_matrix(graph: EdgeKeys, path: Path) -> None:
    """Matrix Market with both directions of each edge, counted from 1."""
    sources, targets = graph.ends()
    with path.open("w") as out:
        out.write("%%MatrixMarket matrix coordinate pattern general\n")
        out.write(f"{graph.num_vertices} {graph.num_vertices} {len(sources)}\n")
        np.savetxt(out, np.column_stack([sources + 1, targets + 1]), fmt="%d")


def _print(report: dict[str, Any]) -> None:
    table = Table(title=f"{report['machine']['processor']}; communities", title_justify="left")
    for heading in ("graph", "algorithm", "by"):
        table.add_column(heading)
    for heading in ("median ms", "95% interval", "modularity, least", "greatest"):
        table.add_column(heading, justify="right")
    for row in report["results"]:
        low, middle, high = (f"{1000 * row[name]:.1f}" for name in ("low", "median", "high"))
        modularity = row["modularity"]
        table.add_row(
            row["graph"],
            row["algorithm"],
            row["by"],
            middle,
            f"{low} - {high}",
            f"{min(modularity):.4f}",
            f"{max(modularity):.4f}",
        )
    show_table(table)
