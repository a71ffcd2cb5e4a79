"""`rizoma bench match --scenarios`: the study of data nodes and workers, on the ranks of this machine or of several.

The study's protocol: five rounds, in each of which every scenario runs once; the first and the second execution of a
query apart; means without the least and the greatest round, beside medians.

Source: da Silva, de Almeida, Braganholo, "Explorando arquiteturas multi-core para processamento eficiente de
consultas em sistemas de gerencia de Big Data", 2017.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rizoma.core.errors import InvalidArgumentError
from rizoma.graph.open import open_graph
from rizoma.queries.fetch_cost import ranks_that_pay

from .machine import describe
from .match import TASKS, MatchPlan, chosen_competitors, duckdb_asker, followers_of, mutual_follows
from .ranks_program import answer_of, start_on_ranks
from .report import check_plot, write_json
from .statistics import median_interval, trimmed_mean

__all__ = ["STUDY", "Scenario", "measure_scenarios", "parse_scenarios", "study_scenarios"]


@dataclass(frozen=True)
class Scenario:
    """Data nodes and workers of one thread each, on a number of machines."""

    data_nodes: int
    workers: int
    machines: int = 1

    @property
    def ranks(self) -> int:
        """Processes."""
        return self.data_nodes + self.workers

    def __str__(self) -> str:
        where = f"m:{self.machines}_" if self.machines > 1 else ""
        return f"{where}dn:{self.data_nodes}_wn:{self.workers}"


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


def study_scenarios(machines: int, processors: int) -> tuple[Scenario, ...]:
    """Those of the study for machines of this many processors each: its table 1, for 8 of 8.

    2, 4, 8 .. nodes, of which 2, 4 .. are data nodes, at most one a machine; on as few machines as have a processor for
    each node and a disk for each data node, and, as MyriaX does by itself, with one node a machine.
    """
    found = []
    for bit in range(1, (machines * processors).bit_length()):
        nodes = 1 << bit
        for data_nodes in (1 << i for i in range(1, min(nodes, machines).bit_length())):
            fewest = max(data_nodes, -(-nodes // processors))
            for used in (fewest, nodes):
                if fewest <= used <= machines:
                    found.append(Scenario(data_nodes, nodes - data_nodes, used))
    return tuple(dict.fromkeys(found))


def parse_scenarios(text: str) -> tuple[Scenario, ...]:
    """Such as "1+0,1+1,2+0": data nodes and workers; "m:2_dn:2_wn:6"; "study:8x8": those of the study."""
    found: list[Scenario] = []
    for each in text.split(","):
        short = re.fullmatch(r"\s*([1-9]\d*)\+(\d+)\s*", each)
        whole = re.fullmatch(r"\s*m:([1-9]\d*)_dn:([1-9]\d*)_wn:(\d+)\s*", each)
        study = re.fullmatch(r"\s*study:([1-9]\d*)x([1-9]\d*)\s*", each)
        if short:
            found.append(Scenario(int(short[1]), int(short[2])))
        elif whole:
            found.append(Scenario(int(whole[2]), int(whole[3]), int(whole[1])))
        elif study:
            found += study_scenarios(int(study[1]), int(study[2]))
        else:
            raise InvalidArgumentError(
                f"{each!r} is no scenario; give data nodes + workers, such as 1+3, m:2_dn:2_wn:6, or study:8x8 for the "
                "study's on 8 machines of 8 processors"
            )
    if Scenario(1, 0) not in found:
        found.insert(0, Scenario(1, 0))
    return tuple(dict.fromkeys(found))


def measure_scenarios(
    plan: MatchPlan,
    scenarios: tuple[Scenario, ...],
    output: Path | None,
    plot: Path | None,
    hosts: tuple[str, ...] = (),
    concurrent: int = 1,
) -> dict[str, Any]:
    """Measure, print tables, and write everything as JSON and as a picture if these say where.

    `hosts`: the machines, where a scenario has several; `concurrent`: this many programs count at once.
    """
    if plot is not None:
        check_plot()
    _check_hosts(scenarios, hosts)
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
        took = _rounds(store, scenarios, plan.rounds, hosts, concurrent)
        results = [row for each in scenarios for row in _rows(each, took[each], known, concurrent)]
        _compare(results)
        rules = [_rule(store, task.pattern, results) for task in _ASKED]
    report = {
        "machine": describe(),
        "plan": asdict(plan) | {"hosts": hosts, "concurrent": concurrent},
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


def _check_hosts(scenarios: tuple[Scenario, ...], hosts: tuple[str, ...]) -> None:
    most = max(each.machines for each in scenarios)
    if most > 1 and most > len(hosts):
        raise InvalidArgumentError(
            f"a scenario has {most} machines and --hosts names {len(hosts)}; name them all (--hosts node1,node2), "
            "or leave out m: to run on this machine"
        )


def _rounds(
    store: Path, scenarios: tuple[Scenario, ...], rounds: int, hosts: tuple[str, ...], concurrent: int
) -> dict[Scenario, list[list[dict[str, Any]]]]:
    """What each program of each round found: in a round every scenario runs once, as the study did it."""
    took: dict[Scenario, list[list[dict[str, Any]]]] = {each: [] for each in scenarios}
    for _ in range(rounds):
        for each in scenarios:
            running = [_start(store, each, hosts) for _ in range(concurrent)]
            took[each] += [_finish(program, each) for program in running]
    return took


def _start(store: Path, scenario: Scenario, hosts: tuple[str, ...]) -> subprocess.Popen[str]:
    """A program that counts each pattern twice; ranks go to the machines in turn, so data nodes come to all."""
    asked = [str(store), str(scenario.data_nodes), "1", *(task.pattern for task in _ASKED)]
    where = ["-hosts", ",".join(hosts[: scenario.machines]), "-ppn", "1"] if scenario.machines > 1 else []
    return start_on_ranks("scenario_rank", asked, scenario.ranks, where)


def _finish(program: subprocess.Popen[str], scenario: Scenario) -> list[dict[str, Any]]:
    ranks = f"mpiexec -n {scenario.ranks} python -m rizoma_lab.bench.scenario_rank"
    alone = f"{ranks} STORE {scenario.data_nodes} 1 PATTERN"
    return answer_of(program, f"{scenario} did not run", f"try its ranks alone: {alone}")


def _rows(
    scenario: Scenario, took: list[list[dict[str, Any]]], known: dict[str, int], concurrent: int
) -> list[dict[str, Any]]:
    """A row for each pattern."""
    rows = []
    for place, task in enumerate(_ASKED):
        own = [program[place] for program in took]
        first = [each["first"] for each in own]
        second = [seconds for each in own for seconds in each["seconds"]]
        counts = sorted({count for each in own for count in each["counts"]})
        middle, low, high = median_interval(second)
        agrees = counts == [known.get(task.pattern, counts[0])]
        rows.append(
            {
                "scenario": str(scenario),
                "machines": scenario.machines,
                "data_nodes": scenario.data_nodes,
                "workers": scenario.workers,
                "task": task.name,
                "pattern": task.pattern,
                "count": counts[0],
                "answer": ("agrees" if task.pattern in known else "not compared") if agrees else "DIFFERS",
                "first": first,
                "seconds": second,
                "first_mean": trimmed_mean(first),
                "second_mean": trimmed_mean(second),
                "median": middle,
                "low": low,
                "high": high,
                "processor_seconds": [seconds for each in own for seconds in each["processor_seconds"]],
                "processor_median": float(np.median([s for each in own for s in each["processor_seconds"]])),
                "counts_a_second": concurrent / middle,
                "shares": own[-1]["shares"],
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
    for heading in (
        "count",
        "median s",
        "95% interval",
        "first s",
        "second s",
        "times as fast",
        "lists fetched",
        "MB fetched",
    ):
        measured.add_column(heading, justify="right")
    measured.add_column("answer")
    for row in sorted(report["results"], key=lambda row: row["task"]):
        measured.add_row(
            row["task"],
            row["scenario"],
            f"{row['count']:,}",
            f"{row['median']:.3f}",
            f"{row['low']:.3f} - {row['high']:.3f}",
            f"{row['first_mean']:.3f}",
            f"{row['second_mean']:.3f}",
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
