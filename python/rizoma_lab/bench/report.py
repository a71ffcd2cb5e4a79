"""A report of the harness as table, JSON and plot."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rizoma.core.errors import InvalidArgumentError

from .statistics import geometric_mean

__all__ = ["check_plot", "plot_report", "print_report", "write_json"]


def print_report(report: dict[str, Any]) -> None:
    """Medians with intervals, how many times our time the others take, and the means of that."""
    machine = report["machine"]
    threads = report["plan"]["threads"] or machine["processors"]
    table = Table(title=f"{machine['processor']}, {threads} threads", title_justify="left")
    for heading in ("graph", "kernel", "by"):
        table.add_column(heading)
    for heading in ("median ms", "95% interval", "times ours", "95% interval"):
        table.add_column(heading, justify="right")
    table.add_column("answer")
    for name, graph in report["graphs"].items():
        _add_graph(table, name, graph, [row for row in report["results"] if row["graph"] == name])
    if len(report["graphs"]) > 1:
        table.add_section()
        _add_means(table, "all", report["results"])
    console = Console()
    console.print(table, highlight=False, width=None if console.is_terminal else 120)


def _add_graph(table: Table, name: str, graph: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    kind = "directed" if graph["directed"] else "undirected"
    says = iter([name, f"{graph['vertices']:,} v", f"{graph['entries']:,} e", kind])
    table.add_section()
    for row in rows:
        own = row["by"] == "rizoma"
        table.add_row(
            next(says, ""),
            row["kernel"] if own else "",
            row["by"],
            _milliseconds(row["median"]),
            f"{_milliseconds(row['low'])} - {_milliseconds(row['high'])}",
            "" if own else f"{row['times']:.2f}",
            "" if own else f"{row['times_low']:.2f} - {row['times_high']:.2f}",
            row["answer"],
        )
    _add_means(table, "", rows)


def _add_means(table: Table, name: str, rows: list[dict[str, Any]]) -> None:
    """For each competitor the geometric mean over the cells."""
    for by in dict.fromkeys(row["by"] for row in rows if row["by"] != "rizoma"):
        times = [row["times"] for row in rows if row["by"] == by]
        cells = "1 cell" if len(times) == 1 else f"{len(times)} cells"
        table.add_row(name, "mean", by, "", cells, f"{geometric_mean(times):.2f}", "", "", style="bold")


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:,.{3 if seconds < 0.01 else 1}f}"


def write_json(report: dict[str, Any], path: Path) -> None:
    """Write everything measured."""
    path.write_text(json.dumps(report, indent=2, default=str) + "\n")


def check_plot() -> None:
    """Raises if there is nothing to draw with: before hours of measuring, not after."""
    if importlib.util.find_spec("matplotlib") is None:
        raise InvalidArgumentError("--plot needs Matplotlib; install it: pip install 'rizoma[plots]'")


def plot_report(report: dict[str, Any], path: Path) -> None:
    """How many times our time each competitor takes, cell by cell, on a logarithmic axis."""
    check_plot()
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = [row for row in report["results"] if row["by"] != "rizoma"]
    cells = list(dict.fromkeys((row["graph"], row["kernel"]) for row in rows))
    names = list(dict.fromkeys(row["by"] for row in rows))
    figure, axes = pyplot.subplots(figsize=(max(6.0, 0.3 * len(cells) * max(len(names), 1)), 4.5))
    width = 0.8 / max(len(names), 1)
    for place, name in enumerate(names):
        own = [row for row in rows if row["by"] == name]
        times = np.array([[row["times"], row["times_low"], row["times_high"]] for row in own])
        spread = np.abs(times[:, 1:] - times[:, :1]).T
        at = [cells.index((row["graph"], row["kernel"])) for row in own]
        where = np.array(at) + (place - (len(names) - 1) / 2) * width
        axes.bar(where, times[:, 0] - 1, width, bottom=1, yerr=spread, label=name, capsize=2)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(range(len(cells)), [f"{graph} {kernel}" for graph, kernel in cells], rotation=90)
    axes.set_yscale("log")
    axes.set_ylabel("times Rizoma's seconds (95% interval)")
    axes.legend(ncols=2, fontsize="small")
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
