"""What `rizoma bench scaling` has measured, as a table and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table
from rizoma.cli.app import show_table

__all__ = ["plot_scaling", "print_scaling", "table_of"]

_HEADINGS = ("median ms", "95% interval", "speed-up", "95% interval")


def print_scaling(report: dict[str, Any]) -> None:
    """Medians and speed-ups with their intervals, a row for each way to run."""
    machine, graph = report["machine"], report["graph"]
    table = Table(
        title=f"{report['plan']['algorithm']}: {machine['processor']}, {machine['processors']} processors, "
        f"{machine['nodes']} NUMA nodes; {graph['vertices']:,} vertices, {graph['edges']:,} edges; "
        f"speed-up over {report['base']}",
        title_justify="left",
    )
    for heading in ("ranks", "homes", "placement", "threads", *_HEADINGS):
        table.add_column(heading, justify="left" if heading == "placement" else "right")
    table.add_column("answer")
    for cells in table_of(report):
        table.add_row(*cells)
    show_table(table)


def table_of(report: dict[str, Any]) -> list[list[str]]:
    """The cells of the table, row by row."""
    return [
        [
            *_way(row, report["machine"]["nodes"]),
            f"{row['median'] * 1e3:,.2f}",
            f"{row['low'] * 1e3:,.2f} - {row['high'] * 1e3:,.2f}",
            f"{row['speedup']:.2f}",
            f"{row['speedup_low']:.2f} - {row['speedup_high']:.2f}",
            row["answer"],
        ]
        for row in report["results"]
    ]


def _way(row: dict[str, Any], nodes: int) -> list[str]:
    if row["by"] != "rizoma":
        return ["", "", row["by"], "1"]
    made_up = "" if row["homes"] == nodes else " (made up)"
    return [str(row["ranks"]), f"{row['homes']}{made_up}", row["placement"], str(row["threads"])]


def plot_scaling(report: dict[str, Any], path: Path) -> None:
    """Speed-up by threads of all ranks, a line for each placement, number of homes and number of ranks."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = [row for row in report["results"] if row["by"] == "rizoma"]
    figure, axes = pyplot.subplots(figsize=(6.5, 4.5))
    for line in dict.fromkeys((row["ranks"], row["homes"], row["placement"]) for row in rows):
        own = [row for row in rows if (row["ranks"], row["homes"], row["placement"]) == line]
        own.sort(key=lambda row: row["threads"])
        middle = [row["speedup"] for row in own]
        below = [max(row["speedup"] - row["speedup_low"], 0.0) for row in own]
        above = [max(row["speedup_high"] - row["speedup"], 0.0) for row in own]
        ranks, homes, placement = line
        label = f"{placement}, {homes} homes" if homes > 1 else "one home"
        label += f", {ranks} ranks" if ranks > 1 else ""
        threads = [row["threads"] * row["ranks"] for row in own]
        axes.errorbar(threads, middle, yerr=[below, above], marker="o", capsize=2, label=label)
    most = max(row["threads"] * row["ranks"] for row in rows)
    axes.plot([1, most], [1, most], color="grey", linestyle="--", linewidth=0.8, label="ideal")
    axes.set_xlabel("threads of all ranks")
    axes.set_ylabel(f"speed-up over {report['base']} (95% interval)")
    axes.set_title(report["plan"]["algorithm"])
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
