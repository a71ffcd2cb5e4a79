"""`rizoma bench overnight`: everything that a large machine can tell, measured without supervision."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rizoma import _core
from rizoma.core.errors import RizomaError
from rizoma.io.read import generate

from .machine import describe, nodes
from .report import check_plot
from .scaling import ScalingPlan, measure_scaling
from .scaling_report import table_of

__all__ = ["OvernightPlan", "measure_overnight"]

KERNELS = ("pagerank", "bfs", "connected_components", "sssp", "betweenness_centrality", "triangle_count", "core_number")
_ON_RANKS = (1, 2, 4)


@dataclass(frozen=True)
class OvernightPlan:
    """The folder of the report; the graphs, or none for R-MAT of `scale`; rounds of each measurement."""

    folder: Path
    stores: tuple[Path, ...] = ()
    scale: int = 22
    rounds: int = 10


def measure_overnight(plan: OvernightPlan) -> Path:
    """Measure what is not in the folder yet; returns the page, which is written again after each measurement."""
    check_plot()
    plan.folder.mkdir(parents=True, exist_ok=True)
    page = plan.folder / "report.md"
    console = Console(stderr=True, highlight=False)
    for store in plan.stores or (_made(plan, console),):
        for kernel in KERNELS:
            for what, ways in _ways().items():
                figures = plan.folder / f"{store.stem}-{kernel}-{what}.json"
                if not figures.exists():
                    console.print(f"{store}: {kernel} over {what}")
                    _measured(ScalingPlan(kernel, store, rounds=plan.rounds, **ways), figures)
                page.write_text(_page(plan.folder), encoding="utf-8")
    console.print(f"the report is {page}")
    return page


def _made(plan: OvernightPlan, console: Console) -> Path:
    store = plan.folder / f"rmat{plan.scale}.rz"
    if not store.exists():
        console.print(f"{store}: making the graph")
        generate("rmat", plan.scale, into=store).close()
    return store


def _ways() -> dict[str, dict[str, Any]]:
    """Over threads; over placements on all nodes, where there are several; over ranks that share the processors."""
    processors = int(describe()["processors"])
    ways: dict[str, dict[str, Any]] = {"threads": {}}
    if nodes() > 1:
        policies = tuple(name for name in _core.placement_policies() if name != "in_place")
        ways["placements"] = {"homes": (nodes(),), "placements": policies}
    shared = [ranks for ranks in _ON_RANKS if ranks <= processors]
    ways["ranks"] = {"ranks": tuple(shared), "threads": (max(processors // shared[-1], 1),)}
    return ways


def _measured(plan: ScalingPlan, figures: Path) -> None:
    """One measurement; where it cannot be made the report says why and the night goes on."""
    try:
        measure_scaling(plan, figures, figures.with_suffix(".png"))
    except RizomaError as error:
        figures.write_text(json.dumps({"failed": str(error)}) + "\n", encoding="utf-8")


def _page(folder: Path) -> str:
    told = "; ".join(f"{name}: {value}" for name, value in describe().items())
    lines = ["# Rizoma on this machine", "", told, ""]
    for figures in sorted(folder.glob("*.json")):
        report = json.loads(figures.read_text(encoding="utf-8"))
        lines += [f"## {figures.stem}", ""]
        if "failed" in report:
            lines += [f"Not measured: {report['failed']}", ""]
            continue
        headings = ("ranks", "homes", "placement", "threads", "ms", "interval", "speed-up", "interval", "answer")
        lines += [f"Speed-up over {report['base']}.", ""]
        lines += [f"| {' | '.join(headings)} |", "|" + " --- |" * len(headings)]
        lines += [f"| {' | '.join(cells)} |" for cells in table_of(report)]
        lines += ["", f"![{figures.stem}]({figures.stem}.png)", ""]
    return "\n".join(lines)
