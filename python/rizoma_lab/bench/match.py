"""`rizoma bench match`: patterns over a graph of followers, beside DuckDB's joins, with every count checked."""

from __future__ import annotations

import importlib.util
import resource
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rizoma.core.errors import InvalidArgumentError
from rizoma.graph.graph import Graph
from rizoma.graph.open import open_graph

from .followers import EDGES, VERTICES, Edges, kept_followers
from .machine import describe
from .report import write_json
from .statistics import median_interval, ratio_interval

__all__ = [
    "COMPETITORS",
    "TASKS",
    "MatchPlan",
    "Task",
    "chosen_competitors",
    "duckdb_asker",
    "followers_of",
    "measure",
    "mutual_follows",
]

COMPETITORS = ("duckdb",)


@dataclass(frozen=True)
class Task:
    """A pattern, and the same as a join."""

    name: str
    pattern: str
    sql: str
    rows: bool = False


TASKS = (
    Task(
        "C1, mutual follows: count",
        "(a)-->(b)-->(a)",
        "select count(*) from e x, e y where x.t = y.s and y.t = x.s",
    ),
    Task(
        "C2, directed triangles: count",
        "(a)-->(b)-->(c)-->(a)",
        "select count(*) from e x, e y, e z where x.t = y.s and y.t = z.s and z.t = x.s",
    ),
    Task(
        "C2, directed triangles: rows",
        "(a)-->(b)-->(c)-->(a)",
        "select x.s as a, y.s as b, z.s as c from e x, e y, e z where x.t = y.s and y.t = z.s and z.t = x.s",
        rows=True,
    ),
)


@dataclass(frozen=True)
class MatchPlan:
    """What to measure.  `competitors`: None: those that are installed."""

    vertices: int = VERTICES
    edges: int = EDGES
    keep: Path | None = None
    rounds: int = 5
    competitors: tuple[str, ...] | None = None
    seed: int = 1
    threads: int = 0


def measure(plan: MatchPlan, output: Path | None) -> None:
    """Measure, print a table, and write everything as JSON if `output` says where."""
    names = chosen_competitors(plan.competitors)
    edges = followers_of(plan)
    machine = describe()
    threads = plan.threads or machine["processors"]
    with open_graph(None, directed=True, parallel_edges="keep") as graph:
        graph.add_edges(edges)
        askers = {"rizoma": _rizoma(graph, threads)}
        if "duckdb" in names:
            askers["duckdb"] = duckdb_asker(edges, threads)
        known: dict[str, set[int]] = {TASKS[0].pattern: {mutual_follows(edges)}}
        results = [row for task in TASKS for row in _measured(task, askers, plan.rounds, known)]
    for row in results:
        row["answer"] = "agrees" if len(known[row["pattern"]]) == 1 else "DIFFERS"
    report = {
        "machine": machine,
        "plan": {**asdict(plan), "threads": threads},
        "graph": {"vertices": plan.vertices, "edges": len(edges)},
        "results": results,
    }
    _print(report)
    if output is not None:
        write_json(report, output)


def followers_of(plan: MatchPlan) -> Edges:
    """The graph of a plan, kept where that says so."""
    file = None if plan.keep is None else plan.keep / f"followers-{plan.vertices}-{plan.edges}-{plan.seed}.npy"
    if plan.keep is not None:
        plan.keep.mkdir(parents=True, exist_ok=True)
    return kept_followers(file, plan.vertices, plan.edges, plan.seed)


def chosen_competitors(given: tuple[str, ...] | None) -> tuple[str, ...]:
    """Those that were asked for, or else those that are installed."""
    there = tuple(name for name in COMPETITORS if importlib.util.find_spec(name) is not None)
    for name in given or ():
        if name not in COMPETITORS:
            raise InvalidArgumentError(f"there is no competitor {name!r}; choose one of {', '.join(COMPETITORS)}")
        if name not in there:
            raise InvalidArgumentError(f"{name} is not installed; install it: pip install {name}")
    return there if given is None else given


Asker = Callable[[Task], int]


def _rizoma(graph: Graph, threads: int) -> Asker:
    known = {task.pattern: graph.match(task.pattern, threads=threads) for task in TASKS}

    def ask(task: Task) -> int:
        matches = known[task.pattern]
        return int(matches.to_arrow().num_rows) if task.rows else matches.count()

    return ask


def duckdb_asker(edges: Edges, threads: int) -> Asker:
    """Returns what answers a task by DuckDB."""
    import duckdb
    import pyarrow as pa

    database = duckdb.connect(config={"threads": threads})
    database.register("given", pa.table({"s": edges[:, 0], "t": edges[:, 1]}))
    database.execute("create table e as from given")

    def ask(task: Task) -> int:
        asked = database.sql(task.sql)
        return int(asked.to_arrow_table().num_rows if task.rows else asked.fetchall()[0][0])

    return ask


def mutual_follows(edges: Edges) -> int:
    """C1 by sorting: of each pair how often it is there, times how often its turned pair is."""
    size = int(edges.max()) + 1
    pairs, counts = np.unique(edges[:, 0] * size + edges[:, 1], return_counts=True)
    turned, turned_counts = np.unique(edges[:, 1] * size + edges[:, 0], return_counts=True)
    _, here, there = np.intersect1d(pairs, turned, assume_unique=True, return_indices=True)
    return int((counts[here] * turned_counts[there]).sum())


def _measured(task: Task, askers: dict[str, Asker], rounds: int, known: dict[str, set[int]]) -> list[dict[str, Any]]:
    """A row for each asker; rounds are interleaved.  Adds what the pattern's count was to what is known."""
    taken: dict[str, list[tuple[float, float]]] = {by: [] for by in askers}
    counts: dict[str, set[int]] = {by: set() for by in askers}
    for _ in range(rounds):
        for by, ask in askers.items():
            processor, clock = _processor_seconds(), time.perf_counter()
            counts[by].add(ask(task))
            taken[by].append((time.perf_counter() - clock, _processor_seconds() - processor))
    known.setdefault(task.pattern, set()).update(*counts.values())
    own = [seconds for seconds, _ in taken["rizoma"]]
    rows = []
    for by, pairs in taken.items():
        seconds = [pair[0] for pair in pairs]
        middle, low, high = median_interval(seconds)
        times, times_low, times_high = ratio_interval(seconds, own)
        rows.append(
            {
                "task": task.name,
                "pattern": task.pattern,
                "by": by,
                "count": max(counts[by]),
                "answer": "",
                "seconds": seconds,
                "processor_seconds": [pair[1] for pair in pairs],
                "median": middle,
                "low": low,
                "high": high,
                "processor_median": float(np.median([pair[1] for pair in pairs])),
                "times": times,
                "times_low": times_low,
                "times_high": times_high,
            }
        )
    return rows


def _processor_seconds() -> float:
    """Of all threads of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _print(report: dict[str, Any]) -> None:
    graph = report["graph"]
    table = Table(
        title=f"{report['machine']['processor']}, {report['plan']['threads']} threads; "
        f"{graph['vertices']:,} vertices, {graph['edges']:,} edges",
        title_justify="left",
    )
    for heading in ("pattern", "by"):
        table.add_column(heading)
    for heading in ("count", "median s", "95% interval", "processor s", "times ours"):
        table.add_column(heading, justify="right")
    table.add_column("answer")
    for row in report["results"]:
        own = row["by"] == "rizoma"
        table.add_row(
            row["task"] if own else "",
            row["by"],
            f"{row['count']:,}",
            f"{row['median']:.3f}",
            f"{row['low']:.3f} - {row['high']:.3f}",
            f"{row['processor_median']:.3f}",
            "" if own else f"{row['times']:.2f}",
            row["answer"],
        )
    console = Console()
    console.print(table, highlight=False, width=None if console.is_terminal else 120)
