"""`rizoma bench match --scenarios`: the study of data nodes and workers, on the ranks of this machine.

Source: da Silva, de Almeida, Braganholo, "Explorando arquiteturas multi-core para processamento eficiente de
consultas em sistemas de gerencia de Big Data", 2017.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rizoma.core.errors import ClusterError, InvalidArgumentError
from rizoma.distributed.places import tool
from rizoma.graph.open import open_graph
from rizoma.queries.fetch_cost import ranks_that_pay

from .machine import describe
from .match import TASKS, MatchPlan, chosen_competitors, duckdb_asker, followers_of, mutual_follows
from .report import check_plot, write_json
from .statistics import median_interval

__all__ = ["STUDY", "Scenario", "measure_scenarios", "parse_scenarios"]


@dataclass(frozen=True)
class Scenario:
    """So many data nodes and workers, each one thread."""

    data_nodes: int
    workers: int

    @property
    def ranks(self) -> int:
        """Processes."""
        return self.data_nodes + self.workers

    def __str__(self) -> str:
        return f"dn:{self.data_nodes}_wn:{self.workers}"


STUDY = (
    ("m:1_dn:1_wn:7", "m:1_dn:1_wn:0", 3.06, 3.44),
    ("m:2_dn:2_wn:0", "m:1_dn:1_wn:0", 1.24, None),
    ("m:2_dn:2_wn:14", "m:2_dn:2_wn:0", 2.92, None),
    ("m:8_dn:2_wn:62", "m:2_dn:2_wn:0", 3.33, 1.88),
    ("m:4_dn:2_wn:30", "m:2_dn:2_wn:0", None, 1.77),
    ("m:4_dn:4_wn:28", "m:4_dn:4_wn:0", 1.77, None),
    ("m:4_dn:4_wn:4", "m:4_dn:4_wn:0", None, 1.32),
    ("m:8_dn:8_wn:8", "m:8_dn:8_wn:0", None, 1.07),
    ("m:8_dn:8_wn:56", "m:8_dn:8_wn:0", 1.32, 0.76),
)
"""A scenario of the study, the one it is compared with, and how many times as fast C1 and C2 were, where it says."""

_ASKED = tuple(task for task in TASKS if not task.rows)


def parse_scenarios(text: str) -> tuple[Scenario, ...]:
    """Such as "1+0,1+1,2+0": data nodes and workers."""
    found = []
    for each in text.split(","):
        nodes, _, workers = each.partition("+")
        if not (nodes.strip().isdecimal() and workers.strip().isdecimal() and int(nodes) > 0):
            raise InvalidArgumentError(f"{each!r} is no scenario; give data nodes + workers, such as 1+3")
        found.append(Scenario(int(nodes), int(workers)))
    if Scenario(1, 0) not in found:
        found.insert(0, Scenario(1, 0))
    return tuple(dict.fromkeys(found))


def measure_scenarios(
    plan: MatchPlan, scenarios: tuple[Scenario, ...], output: Path | None, plot: Path | None
) -> dict[str, Any]:
    """Measure, print tables, and write everything as JSON and as a picture if these say where."""
    if plot is not None:
        check_plot()
    names = chosen_competitors(plan.competitors)
    edges = followers_of(plan)
    known: dict[str, int] = {_ASKED[0].pattern: mutual_follows(edges)}
    if "duckdb" in names:
        ask = duckdb_asker(edges, plan.threads or describe()["processors"])
        known |= {task.pattern: ask(task) for task in _ASKED}
    with TemporaryDirectory() as directory:
        store = Path(directory, "followers.rz")
        with open_graph(store, directed=True, parallel_edges="keep") as graph:
            graph.add_edges(edges)
        results = [row for each in scenarios for row in _measured(store, each, plan.rounds, known)]
        _compare(results)
        rules = [_rule(store, task.pattern, results) for task in _ASKED]
    report = {
        "machine": describe(),
        "plan": asdict(plan),
        "graph": {"vertices": plan.vertices, "edges": len(edges)},
        "results": results,
        "rules": rules,
    }
    _print(report)
    if output is not None:
        write_json(report, output)
    if plot is not None:
        _plot(report, plot)
    return report


def _measured(store: Path, scenario: Scenario, rounds: int, known: dict[str, int]) -> list[dict[str, Any]]:
    """A row for each pattern."""
    program = [sys.executable, "-m", "rizoma_lab.bench.scenario_rank"]
    command = [*program, str(store), str(scenario.data_nodes), str(rounds)]
    if scenario.ranks > 1:
        command = [tool("mpiexec"), "-n", str(scenario.ranks), *command]
    ran = subprocess.run([*command, *(task.pattern for task in _ASKED)], capture_output=True, text=True, check=False)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("[")]
    if ran.returncode != 0 or not lines:
        raise ClusterError(
            f"{scenario} did not run: {ran.stderr.strip()[-500:] or 'it said nothing'}; "
            f"try its ranks alone: mpiexec -n {scenario.ranks} python -m rizoma_lab.bench.scenario_rank STORE "
            f"{scenario.data_nodes} {rounds} PATTERN"
        )
    rows = []
    for task, took in zip(_ASKED, json.loads(lines[-1]), strict=True):
        middle, low, high = median_interval(took["seconds"])
        agrees = took["counts"] == [known.get(task.pattern, took["counts"][0])]
        rows.append(
            {
                "scenario": str(scenario),
                "data_nodes": scenario.data_nodes,
                "workers": scenario.workers,
                "task": task.name,
                "pattern": task.pattern,
                "count": took["counts"][0],
                "answer": ("agrees" if task.pattern in known else "not compared") if agrees else "DIFFERS",
                "median": middle,
                "low": low,
                "high": high,
                "processor_median": float(np.median(took["processor_seconds"])),
                **took,
            }
        )
    return rows


def _compare(results: list[dict[str, Any]]) -> None:
    """How many times as fast as one data node alone."""
    alone = {row["pattern"]: row["median"] for row in results if (row["data_nodes"], row["workers"]) == (1, 0)}
    for row in results:
        row["speedup"] = alone[row["pattern"]] / row["median"]


def _rule(store: Path, pattern: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    """What `rizoma match --explain --ranks` says, beside what was measured."""
    numbers = sorted({row["data_nodes"] + row["workers"] for row in results} | {2**i for i in range(7)})
    alone = next(row for row in results if (row["pattern"], row["scenario"]) == (pattern, "dn:1_wn:0"))
    with open_graph(store, mode="read_only") as graph:
        estimates = graph.match(pattern, threads=1).sharing_estimate(numbers)
    told = {each.ranks: each for each in estimates}
    compared = [
        {
            "scenario": row["scenario"],
            "estimated_seconds": told[1 + row["workers"]].seconds(alone["median"]),
            "seconds": row["median"],
            "estimated_bytes": told[1 + row["workers"]].worker_bytes,
            "bytes": max(share[2] for share in row["shares"]),
        }
        for row in results
        if row["pattern"] == pattern and row["data_nodes"] == 1 and row["workers"] > 0
    ]
    return {
        "pattern": pattern,
        "pays": ranks_that_pay(estimates, alone["median"]),
        "compared": compared,
    }


def _print(report: dict[str, Any]) -> None:
    graph, console = report["graph"], Console()
    measured = Table(
        title=f"{report['machine']['processor']}, {report['machine']['processors']} processors, one thread a rank; "
        f"{graph['vertices']:,} vertices, {graph['edges']:,} edges",
        title_justify="left",
    )
    for heading in ("pattern", "scenario"):
        measured.add_column(heading)
    for heading in ("count", "median s", "95% interval", "times as fast", "lists fetched", "MB fetched"):
        measured.add_column(heading, justify="right")
    measured.add_column("answer")
    for row in sorted(report["results"], key=lambda row: row["task"]):
        measured.add_row(
            row["task"],
            row["scenario"],
            f"{row['count']:,}",
            f"{row['median']:.3f}",
            f"{row['low']:.3f} - {row['high']:.3f}",
            f"{row['speedup']:.2f}",
            f"{sum(share[1] for share in row['shares']):,}",
            f"{sum(share[2] for share in row['shares']) / 1e6:.1f}",
            row["answer"],
        )
    study = Table(title="the study, 8 processors a machine: times as fast", title_justify="left")
    for heading in ("scenario", "than", "C1", "C2"):
        study.add_column(heading)
    for scenario, base, *times in STUDY:
        study.add_row(scenario, base, *("" if each is None else f"{each:.2f}" for each in times))
    for table in (measured, study):
        console.print(table, highlight=False, width=None if console.is_terminal else 140)
    for rule in report["rules"]:
        console.print(f"{rule['pattern']}: {rule['pays']} ranks of one thread pay with one data node", highlight=False)
        for row in rule["compared"]:
            console.print(
                f"  {row['scenario']}: {row['estimated_seconds']:.3f} s estimated, {row['seconds']:.3f} s measured; "
                f"{row['estimated_bytes'] / 1e6:.1f} MB a worker estimated, {row['bytes'] / 1e6:.1f} MB fetched",
                highlight=False,
            )


def _plot(report: dict[str, Any], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.0, 4.0))
    names = list(dict.fromkeys(row["scenario"] for row in report["results"]))
    for i, task in enumerate(_ASKED):
        speedups = [row["speedup"] for row in report["results"] if row["pattern"] == task.pattern]
        axes.bar(np.arange(len(names)) + 0.4 * i, speedups, 0.4, label=task.name.split(",")[0])
    axes.set_xticks(np.arange(len(names)) + 0.2, names, rotation=30, ha="right")
    axes.set_ylabel("times as fast as one data node alone")
    axes.axhline(1.0, color="grey", linewidth=0.8)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
