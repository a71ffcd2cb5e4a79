"""`rizoma bench cluster`: what each way of sharing uneven work between ranks brings, switched on one after the other.

Triangles of an R-MAT graph in order of degree are counted by ranks of one thread on this machine, first with equally
many vertices each, so that the first rank has nearly all edges and works alone.  Core numbers, for which ranks send
each other many messages, are found with messages that leave at the end of a sweep, and in batches before.

Source: Cui et al., "RGraph: effective distributed graph data processing system based on RDMA", 2022.  Of the
six steps of its table 4 this has migration and its cache whole and batches in part, on other algorithms than its two.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table
from rizoma import algorithms
from rizoma.core.config import config
from rizoma.distributed import cluster
from rizoma.graph.open import open_graph
from rizoma.io.read import generate

from .machine import describe
from .report import write_json
from .statistics import median_interval

__all__ = ["STEPS", "LadderPlan", "Step", "measure_ladder"]


@dataclass(frozen=True)
class Step:
    """Settings of ranks, and what they add to the step before."""

    name: str
    partition: str
    migration: bool
    rank_cache: str = "64M"
    kernel: str = "triangles"
    rank_batch: str = "0"


KERNELS: dict[str, Callable[[Any], Any]] = {
    "triangles": algorithms.triangle_count,
    "core numbers": algorithms.core_number,
}
STEPS = (
    Step("equally many vertices", "halves", False),
    Step("+ migration, no cache", "halves", True, "0"),
    Step("+ cache", "halves", True),
    Step("+ equally much work", "chunk", True),
    Step("equally much work alone", "chunk", False),
    Step("core numbers", "chunk", False, kernel="core numbers"),
    Step("+ batches before the end", "chunk", False, kernel="core numbers", rank_batch="64K"),
)


@dataclass(frozen=True)
class LadderPlan:
    """What to measure."""

    scale: int
    ranks: int
    rounds: int
    seed: int = 1
    keep: Path | None = None


def measure_ladder(plan: LadderPlan, output: Path | None) -> dict[str, Any]:
    """Measure, print a table, and write everything as JSON if `output` says where."""
    with TemporaryDirectory() as directory:
        store = Path(plan.keep or directory, f"rmat{plan.scale}-{plan.seed}.rz")
        if not store.exists():
            store.parent.mkdir(parents=True, exist_ok=True)
            generate("rmat", plan.scale, seed=plan.seed, into=store, order="degree").close()
        with open_graph(store, mode="read_only") as graph:
            expected = {name: _answer(kernel(graph)) for name, kernel in KERNELS.items()}
            size = {"vertices": len(graph), "edges": graph.num_edges}
        results = _measured(store, plan, expected)
    report = {
        "machine": describe(),
        "plan": asdict(plan),
        "graph": size,
        "triangles": expected["triangles"],
        "results": results,
    }
    _print(report)
    if output is not None:
        write_json(report, output)
    return report


def _answer(result: Any) -> int:
    """One number that tells whether a kernel has found the same."""
    return int(result.total) if hasattr(result, "total") else int(result.to_numpy().sum())


def _settings(step: Step) -> config:
    return config(
        partition=step.partition,
        migration=step.migration,
        rank_cache=step.rank_cache,
        rank_batch=step.rank_batch,
    )


def _measured(store: Path, plan: LadderPlan, expected: dict[str, int]) -> list[dict[str, Any]]:
    """A row for each step; rounds are interleaved, and one before them warms up."""
    seconds: dict[Step, list[float]] = {step: [] for step in STEPS}
    rows: dict[Step, dict[str, Any]] = {}
    with cluster(plan.ranks, threads=1) as ranks, ranks.open(store) as graph:
        for round_ in range(plan.rounds + 1):
            for step in STEPS:
                with _settings(step):
                    begin = time.perf_counter()
                    counted = KERNELS[step.kernel](graph)
                    if round_ > 0:
                        seconds[step].append(time.perf_counter() - begin)
                traffic = counted.traffic
                agrees = _answer(counted) == expected[step.kernel] and rows.get(step, {}).get("answer") != "DIFFERS"
                rows[step] = {
                    "step": asdict(step),
                    "answer": "agrees" if agrees else "DIFFERS",
                    "bytes": traffic.total.bytes if traffic else 0,
                    "batches": traffic.total.batches if traffic else 0,
                    "blocks": sum(map(sum, traffic.migrated)) if traffic else 0,
                }
    for step, row in rows.items():
        row["seconds"] = seconds[step]
        row["median"], row["low"], row["high"] = median_interval(seconds[step])
    return list(rows.values())


def _print(report: dict[str, Any]) -> None:
    graph, console = report["graph"], Console(width=None if sys.stdout.isatty() else 140)
    machine, ranks = report["machine"], report["plan"]["ranks"]
    table = Table(
        title=f"{machine['processor']}, {machine['processors']} processors; {ranks} ranks of one thread; "
        f"{graph['vertices']:,} vertices, {graph['edges']:,} edges",
        title_justify="left",
    )
    table.add_column("step")
    for heading in ("median s", "95% interval", "of the first", "blocks moved", "batches", "MB"):
        table.add_column(heading, justify="right")
    table.add_column("answer")
    first: dict[str, float] = {}
    for row in report["results"]:
        of_first = row["median"] / first.setdefault(row["step"]["kernel"], row["median"])
        table.add_row(
            row["step"]["name"],
            f"{row['median']:.3f}",
            f"{row['low']:.3f} - {row['high']:.3f}",
            f"{of_first:.2f}",
            f"{row['blocks']:,}",
            f"{row['batches']:,}",
            f"{row['bytes'] / 1e6:.1f}",
            row["answer"],
        )
    console.print(table, highlight=False)
