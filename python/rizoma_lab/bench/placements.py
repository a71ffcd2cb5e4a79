"""`rizoma bench placement`: kernels under every way to place data and threads, beside the dissertation's figures.

Ways are the names of the setting `placement`, and `modulo`: vertex v at home v mod N, which is a copy of the store in
the order `striped` under `halves`.  Source: tables 5.2 and 5.3 and figure 1.1 of the dissertation, figure 1 of
ERAD-SP 2024.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table
from rizoma.cli.app import show_table
from rizoma.core.config import placement_setting
from rizoma.core.errors import InvalidArgumentError
from rizoma.core.placements import placement_names
from rizoma.graph.open import open_graph

from .dissertation import REMOTE_LOSS, TABLES, VARIANT_OF_SYSTEM, paper_ratio
from .machine import describe, nodes
from .report import check_plot, write_json
from .scaling import expect_algorithm, same_answer
from .scaling_worker import SAMPLED, Asked, Runner
from .statistics import median_interval, ratio_interval

__all__ = ["MODULO", "WAYS", "PlacementPlan", "measure_placements", "ways_of"]

MODULO = "modulo"
WAYS = (*placement_names(), MODULO)
_MOST_STRIPES = 64  # runs that the striped order has
_SYSTEM_OF = {way: system for system, way in VARIANT_OF_SYSTEM.items()}


@dataclass(frozen=True)
class PlacementPlan:
    """What to measure; no ways: all that the machine can have; no homes: its own, or two made-up ones."""

    store: Path
    kernels: tuple[str, ...]
    ways: tuple[str, ...] = ()
    homes: int | None = None
    threads: int = 0
    rounds: int = 10


@dataclass
class _Row:
    kernel: str
    way: str
    seconds: list[float] = field(default_factory=list)
    agrees: bool = True
    compared: bool = True  # a sample of vertices is another one in another order
    placement: dict[str, Any] | None = None


def ways_of(plan: PlacementPlan, homes: int) -> tuple[str, ...]:
    """The ways that are compared, the base `in_place` first."""
    for way in plan.ways:
        if way != MODULO:
            placement_setting(way)
    asked = plan.ways or tuple(way for way in WAYS if way != MODULO or _can_stripe(homes))
    if MODULO in asked and not _can_stripe(homes):
        raise InvalidArgumentError(f"modulo needs 2, 4, 8 .. {_MOST_STRIPES} homes, not {homes}; choose with --homes")
    return tuple(dict.fromkeys(("in_place", *asked)))


def _can_stripe(homes: int) -> bool:
    return 1 < homes <= _MOST_STRIPES and math.log2(homes).is_integer()


def measure_placements(plan: PlacementPlan, output: Path | None = None, plot: Path | None = None) -> dict[str, Any]:
    """Measure, print a table, and write everything as JSON and as a picture if these say where."""
    if plot is not None:
        check_plot()
    for kernel in plan.kernels:
        expect_algorithm(kernel)
    homes = plan.homes or max(nodes(), 2)
    ways = ways_of(plan, homes)
    machine = describe()
    console = Console(stderr=True, highlight=False)
    if homes != nodes():
        console.print(f"this machine has {nodes()} NUMA nodes: {homes} are made up, and times tell nothing of memory")
    threads = plan.threads or int(machine["processors"])
    with open_graph(plan.store, mode="read_only") as graph:
        hub = graph.degrees().top(1)[0][0] if len(graph) else None
        size = {"vertices": len(graph), "edges": graph.num_edges, "directed": graph.directed}
    rows: list[_Row] = []
    with TemporaryDirectory(prefix="rizoma-bench-") as directory:
        striped = _striped(plan.store, Path(directory)) if MODULO in ways else plan.store
        for kernel in plan.kernels:
            console.print(f"{kernel}: {len(ways)} ways, {plan.rounds} rounds")
            stores = {way: striped if way == MODULO else plan.store for way in ways}
            rows += _measured(plan, kernel, stores, hub, threads, homes)
    report = {
        "machine": machine | {"nodes": nodes()},
        "plan": asdict(plan) | {"homes": homes, "threads": threads},
        "graph": size,
        "results": list(_results(rows, threads)),
        "paper": {"graphs": TABLES, "all_remote_over_all_local": REMOTE_LOSS},
    }
    _print(report)
    if output is not None:
        write_json(report, output)
    if plot is not None:
        _plot(report, plot)
    return report


def _striped(store: Path, directory: Path) -> Path:
    """A copy in the order of v mod N."""
    copy = directory / "striped.rz"
    shutil.copytree(store, copy, ignore=shutil.ignore_patterns("*.lock"))
    with open_graph(copy) as graph:
        graph.compact("striped")
    return copy


def _measured(
    plan: PlacementPlan, kernel: str, stores: dict[str, Path], hub: Any, threads: int, homes: int
) -> list[_Row]:
    """One round that does not count, then those that do; in each every way runs in turn."""
    rows = {way: _Row(kernel, way) for way in stores}
    first: Any = None
    with ExitStack() as stack:
        runners = {}
        for way, store in stores.items():
            asked = Asked(kernel, str(store), hub, threads, 1, "halves" if way == MODULO else way, by_id=True)
            runners[way] = Runner(asked, homes if homes != nodes() else None)
            stack.callback(runners[way].stop)
        for number in range(-1, plan.rounds):
            for way, runner in runners.items():
                seconds, answer = runner.run()
                first = answer if first is None else first
                rows[way].compared = way != MODULO or kernel not in SAMPLED
                rows[way].agrees &= not rows[way].compared or same_answer(first, answer)
                rows[way].placement = runner.placement
                if number >= 0:
                    rows[way].seconds.append(sorted(seconds)[len(seconds) // 2])
    return list(rows.values())


def _results(rows: list[_Row], threads: int) -> Iterator[dict[str, Any]]:
    for row in rows:
        base = next(each for each in rows if each.kernel == row.kernel and each.way == "in_place")
        middle, low, high = median_interval(row.seconds)
        ratio, least, most = ratio_interval(row.seconds, base.seconds)
        placed = row.placement or {}
        system = _SYSTEM_OF.get(row.way)
        yield {
            "kernel": row.kernel,
            "way": row.way,
            "seconds": row.seconds,
            "median": middle,
            "low": low,
            "high": high,
            "ratio": ratio,
            "ratio_low": least,
            "ratio_high": most,
            "local_share": placed.get("local_share"),
            "policy": placed.get("policy"),
            "reason": placed.get("reason", ""),
            "answer": ("agrees" if row.compared else "not comparable") if row.agrees else "DIFFERS",
            "system": system,
            "paper": {graph: system and paper_ratio(graph, row.kernel, system, threads) for graph in TABLES},
        }


def _print(report: dict[str, Any]) -> None:
    machine, graph, plan = report["machine"], report["graph"], report["plan"]
    made_up = "" if plan["homes"] == machine["nodes"] else " (made up)"
    table = Table(
        title=f"{machine['processor']}, {plan['threads']} threads, {plan['homes']} homes{made_up}; "
        f"{graph['vertices']:,} vertices, {graph['edges']:,} edges; times by those of in_place",
        title_justify="left",
    )
    for heading in ("kernel", "way", "as"):
        table.add_column(heading)
    for heading in ("median ms", "by in_place", "95% interval", "local"):
        table.add_column(heading, justify="right")
    table.add_column("answer")
    for row in report["results"]:
        local = row["local_share"]
        table.add_row(
            row["kernel"],
            row["way"] if row["way"] != "auto" else f"auto: {row['policy']}",
            row["system"] or "",
            f"{row['median'] * 1e3:,.2f}",
            f"{row['ratio']:.2f}",
            f"{row['ratio_low']:.2f} - {row['ratio_high']:.2f}",
            "" if local is None else f"{local:.0%}",
            row["answer"],
        )
    show_table(table)


def _plot(report: dict[str, Any], path: Path) -> None:
    """Bars of each way's time by that of in_place, a group for each kernel."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = report["results"]
    kernels = list(dict.fromkeys(row["kernel"] for row in rows))
    ways = list(dict.fromkeys(row["way"] for row in rows))
    figure, axes = pyplot.subplots(figsize=(2.5 + 2.0 * len(kernels), 4.0))
    width = 0.85 / len(ways)
    for place, way in enumerate(ways):
        own = [row for row in rows if row["way"] == way]
        at = [number - 0.425 + width * (place + 0.5) for number in range(len(own))]
        axes.bar(at, [row["ratio"] for row in own], width, label=way)
    axes.axhline(1.0, color="grey", linewidth=0.8)
    axes.set_xticks(range(len(kernels)), kernels)
    axes.set_ylabel("time by that of in_place")
    axes.legend(fontsize="x-small")
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
