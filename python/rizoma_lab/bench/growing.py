"""`rizoma bench growing`: stores for growing graphs side by side: insertion, memory, and four kernels right after it.

Source: tables 5.2 and 5.3 of the dissertation, whose systems are DGAP, GraphOne, XPGraph and a static CSR.  A tenth of
the edges, in random order, is there first; the others are inserted and timed, then the kernels run on what has grown.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rizoma.cli.app import show_table
from rizoma.core.errors import InvalidArgumentError, NotFoundError

from .entrants import Yardstick, find_yardstick
from .figures import told_agrees
from .graph import EdgeKeys, GraphFiles, make_files
from .growing_peers import Dgap, Given, GraphOne, Grown, Grows, XpGraph, disk_bytes, run_measured
from .machine import describe
from .oracle import Oracle
from .report import write_json
from .shapes import data_directory, shapes_of
from .statistics import median_interval

__all__ = ["KERNELS", "GrowingPlan", "measure_growing"]

KERNELS = ("pr", "bfs", "cc", "bc")
_MIB = 1 << 20


@dataclass(frozen=True)
class GrowingPlan:
    """What to measure: peers are programs by their paths; `batch`: edges of a call of Rizoma's `add_edges`."""

    graphs: tuple[str, ...] = ("kron",)
    scale: int = 20
    data: Path | None = None
    threads: tuple[int, ...] = (1,)
    kernels: tuple[str, ...] = KERNELS
    durabilities: tuple[str, ...] = ("always", "none")
    batch: int = 4096
    rounds: int = 3
    trials: int = 5
    dgap: Path | None = None
    graphone: Path | None = None
    xpgraph: Path | None = None
    yardstick: Path | None = None
    directory: Path | None = None
    seed: int = 1


@dataclass
class _Row:
    graph: str
    threads: int
    by: str
    rates: list[float] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    peak_bytes: int = 0
    disk_bytes: int = 0
    differs: set[str] = field(default_factory=set)

    def add(self, grown: Grown) -> None:
        self.rates += [grown.entries / seconds for seconds in grown.insert_seconds]
        for kernel, seconds in grown.seconds.items():
            self.seconds.setdefault(kernel, []).append(float(np.median(seconds)))
        self.peak_bytes = max(self.peak_bytes, grown.peak_bytes)
        self.disk_bytes = max(self.disk_bytes, grown.disk_bytes)

    def summary(self) -> dict[str, Any]:
        return {
            "graph": self.graph,
            "threads": self.threads,
            "by": self.by,
            "entries_per_second": _interval(self.rates),
            "seconds": {kernel: _interval(seconds) for kernel, seconds in self.seconds.items()},
            "peak_bytes": self.peak_bytes,
            "disk_bytes": self.disk_bytes,
            "answer": f"DIFFERS: {', '.join(sorted(self.differs))}" if self.differs else "agrees",
        }


def measure_growing(plan: GrowingPlan, output: Path | None = None) -> dict[str, Any]:
    """Measure, print a table, and write everything as JSON if `output` says where."""
    for kernel in plan.kernels:
        if kernel not in KERNELS:
            raise InvalidArgumentError(f"there is no kernel {kernel!r} here; choose out of {', '.join(KERNELS)}")
    console = Console(stderr=True, highlight=False)
    peers = _peers(plan)
    report: dict[str, Any] = {"machine": describe(), "plan": asdict(plan), "results": []}
    for shape in shapes_of(plan.graphs):
        with TemporaryDirectory(prefix="rizoma-growing-", dir=plan.directory) as directory:
            graph = shape.make(data_directory(plan.data), plan.scale, plan.seed, 0)
            if graph is None:
                console.print(f"{shape.name}: left out: {shape.file} is not in {plan.data or 'a directory of data'}")
                continue
            measured = _Measured(shape.name, _connected(graph), plan, Path(directory), console)
            report["results"] += [row.summary() for row in measured.rows(peers)]
    _print(report)
    if output is not None:
        write_json(report, output)
    return report


def _peers(plan: GrowingPlan) -> list[Grows]:
    found: list[Grows] = [_Rizoma(durability, plan.batch) for durability in plan.durabilities]
    for kind, path in ((Dgap, plan.dgap), (GraphOne, plan.graphone), (XpGraph, plan.xpgraph)):
        if path is not None:
            found.append(kind(path))
    return found


def _connected(graph: EdgeKeys) -> EdgeKeys:
    """Without directions and vertices without edges, which the stores count each in its own way."""
    sources, targets = graph.ends()
    names, numbers = np.unique(np.concatenate([sources, targets]), return_inverse=True)
    return EdgeKeys.of(numbers[: len(sources)], numbers[len(sources) :], len(names), directed=False)


class _Measured:
    """The rounds on one graph."""

    def __init__(self, name: str, graph: EdgeKeys, plan: GrowingPlan, directory: Path, console: Console) -> None:
        self._name, self._plan, self._directory, self._console = name, plan, directory, console
        self._files = make_files(directory / "graph", graph, 0)
        self._oracle = Oracle(self._files)
        self._given = _write_given(self._files, directory, plan)
        self._answers: dict[str, Any] = {}

    def rows(self, peers: list[Grows]) -> Iterator[_Row]:
        """In each round every store grows once, for each number of threads."""
        peers = [*peers, *self._static()]
        for threads in self._plan.threads:
            rows = [_Row(self._name, threads, peer.name) for peer in peers]
            for number in range(self._plan.rounds):
                self._console.print(f"{self._name}, {threads} threads: round {number + 1} of {self._plan.rounds}")
                for peer, row in zip(peers, rows, strict=True):
                    self._grow(peer, row)
            yield from rows

    def _grow(self, peer: Grows, row: _Row) -> None:
        with TemporaryDirectory(dir=self._directory) as place:
            grown = peer.run(self._given, row.threads, Path(place))
            for kernel, path in grown.answers.items():
                answer = self._answers[kernel] = np.load(path)
                if self._oracle.right(kernel, answer, [self._given.source]) is False:
                    row.differs.add(kernel)
        row.add(grown)
        for kernel, told in grown.told.items():
            if not told_agrees(kernel, self._answers[kernel], told, [self._given.source], self._oracle):
                row.differs.add(kernel)

    def _static(self) -> list[Grows]:
        """The static CSR, if its program is there."""
        try:
            return [_Static(find_yardstick(self._plan.yardstick), self._files)]
        except NotFoundError as error:
            if self._plan.yardstick is not None:
                raise
            self._console.print(f"left out: {error}")
            return []


class _Static:
    """The static CSR, which does not grow: kernels alone."""

    name = "static CSR"

    def __init__(self, program: Path, files: GraphFiles) -> None:
        self._program, self._files = program, files

    def run(self, given: Given, threads: int, place: Path) -> Grown:
        """A process for each kernel."""
        yardstick = Yardstick(self._program, self._files, threads)
        grown = Grown(0)
        for kernel in given.kernels:
            outcome = yardstick.run(kernel, [[given.source]] * given.trials)
            grown.seconds[kernel], grown.told[kernel] = outcome.seconds, outcome.told
        return grown


class _Rizoma:
    """A store that grows by batches; see growing_worker.py."""

    def __init__(self, durability: str, batch: int) -> None:
        self.name = f"Rizoma, {durability}"
        self._durability, self._batch = durability, batch

    def run(self, given: Given, threads: int, place: Path) -> Grown:
        """In a process of its own, whose memory counts with that of Python."""
        request = {
            "base": str(given.directory / "base.npy"),
            "dynamic": str(given.directory / "dynamic.npy"),
            "vertices": given.num_vertices,
            "threads": threads,
            "durability": self._durability,
            "batch": self._batch,
            "source": given.source,
            "kernels": given.kernels,
            "trials": given.trials,
        }
        command = [sys.executable, "-m", "rizoma_lab.bench.growing_worker", str(place), json.dumps(request)]
        said, peak = run_measured(command, threads)
        told = json.loads(said.splitlines()[-1])
        answers = {kernel: Path(path) for kernel, path in told["answers"].items()}
        return Grown(
            given.dynamic, [told["insert_seconds"]], told["seconds"], peak, disk_bytes(place / "graph.rz"), {}, answers
        )


def _write_given(files: GraphFiles, directory: Path, plan: GrowingPlan) -> Given:
    """A tenth of the edges, one of the last vertex among them (which says how many there are); then the others."""
    sources, targets, _ = files.edges()
    edges = np.stack([sources, targets], axis=1)
    edges = edges[np.random.default_rng(plan.seed).permutation(len(edges))]
    last = int(np.flatnonzero((edges == files.num_vertices - 1).any(axis=1))[0])
    edges[[0, last]] = edges[[last, 0]]
    base, dynamic = np.split(edges, [max(len(edges) // 10, 1)])
    parts = {"base": base, "dynamic": dynamic}
    both = {name: np.stack([part, part[:, ::-1]], axis=1).reshape(-1, 2) for name, part in parts.items()}
    (directory / "binary").mkdir()
    np.concatenate(list(both.values())).astype(np.uint32).tofile(directory / "binary" / "0.bin")
    for name, part in parts.items():
        np.save(directory / f"{name}.npy", part)
        np.savetxt(directory / f"{name}.el", both[name], "%d")
    source = int(np.diff(files.offsets).argmax())
    sizes = (files.num_vertices, len(both["base"]), len(both["dynamic"]))
    return Given(directory, *sizes, source, plan.kernels, plan.trials)


def _interval(values: list[float]) -> tuple[float, float, float] | None:
    return median_interval(values) if values else None


def _print(report: dict[str, Any]) -> None:
    table = Table(title=f"{report['machine']['processor']}: growing by nine tenths, then kernels", title_justify="left")
    table.add_column("graph")
    table.add_column("threads", justify="right")
    table.add_column("by")
    for heading in ("M entries/s", "peak MiB", "disk MiB", *(f"{kernel} ms" for kernel in report["plan"]["kernels"])):
        table.add_column(heading, justify="right")
    table.add_column("answer")
    for row in report["results"]:
        rate = row["entries_per_second"]
        sizes = [f"{row[name] / _MIB:,.0f}" if row[name] else "" for name in ("peak_bytes", "disk_bytes")]
        times = [row["seconds"].get(kernel) for kernel in report["plan"]["kernels"]]
        table.add_row(
            row["graph"],
            str(row["threads"]),
            row["by"],
            f"{rate[0] / 1e6:.2f}" if rate else "",
            *sizes,
            *(f"{cell[0] * 1e3:,.2f}" if cell else "" for cell in times),
            row["answer"],
        )
    show_table(table)
