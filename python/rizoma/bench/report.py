"""A report of the harness as table, JSON and plot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ..errors import InvalidArgumentError

__all__ = ["plot_report", "print_report", "write_json"]


def print_report(report: dict[str, Any]) -> None:
    """Medians with intervals, and how many times our time the others take."""
    graph, machine = report["graph"], report["machine"]
    table = Table(
        title=f"{graph['vertices']:,} vertices, {graph['entries']:,} edge entries; {machine['processor']}, "
        f"{report['plan']['threads'] or machine['processors']} threads",
        title_justify="left",
    )
    table.add_column("kernel")
    table.add_column("by")
    for heading in ("median s", "95% interval", "times ours"):
        table.add_column(heading, justify="right")
    table.add_column("answer")
    ours = {row["kernel"]: row["median"] for row in report["results"] if row["by"] == "rizoma"}
    for row in report["results"]:
        if row["by"] == "rizoma":
            table.add_section()
        table.add_row(
            row["kernel"] if row["by"] == "rizoma" else "",
            row["by"],
            f"{row['median']:.4f}",
            f"{row['low']:.4f} - {row['high']:.4f}",
            f"{row['median'] / ours[row['kernel']]:.2f}",
            "" if row["by"] == "rizoma" else row["answer"],
        )
    Console().print(table, highlight=False)


def write_json(report: dict[str, Any], path: Path) -> None:
    """Write everything measured."""
    path.write_text(json.dumps(report, indent=2, default=str) + "\n")


def plot_report(report: dict[str, Any], path: Path) -> None:
    """Bars of the medians with their intervals, one group a kernel, on a logarithmic axis."""
    try:
        import matplotlib
    except ImportError:
        raise InvalidArgumentError("--plot needs matplotlib: pip install 'rizoma[plots]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    kernels = list(dict.fromkeys(row["kernel"] for row in report["results"]))
    names = list(report["versions"])
    figure, axes = pyplot.subplots(figsize=(1.6 * len(kernels) + 2, 4))
    width = 0.8 / len(names)
    for place, name in enumerate(names):
        rows = [row for row in report["results"] if row["by"] == name]
        middles = [row["median"] for row in rows]
        spread = [[row["median"] - row["low"] for row in rows], [row["high"] - row["median"] for row in rows]]
        where = [kernels.index(row["kernel"]) + (place - (len(names) - 1) / 2) * width for row in rows]
        axes.bar(where, middles, width, yerr=spread, label=name, capsize=2)
    axes.set_xticks(range(len(kernels)), kernels)
    axes.set_yscale("log")
    axes.set_ylabel("seconds (median, 95% interval)")
    axes.set_title(f"{report['graph']['vertices']:,} vertices, {report['graph']['entries']:,} entries")
    axes.legend(ncols=2, fontsize="small")
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
