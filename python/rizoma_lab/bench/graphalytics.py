"""`rizoma bench graphalytics`: LDBC Graphalytics' six algorithms on its datasets, validated, in its own metrics.

A dataset is NAME.v, NAME.e and NAME.properties, with the validation data NAME-BFS, NAME-PR and so on beside them.
Source: the LDBC Graphalytics Benchmark, version 1.0.5 (arXiv 2011.15028): metrics (2.6), validation (2.4), run flow.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv
from rich.console import Console
from rich.table import Table
from rizoma import __version__
from rizoma.cli.app import show_table
from rizoma.core.errors import InvalidArgumentError, NotFoundError
from rizoma.io.read import read

from .machine import describe
from .report import write_json

__all__ = ["ALGORITHMS", "Dataset", "GraphalyticsPlan", "datasets_in", "failure_of", "measure_graphalytics", "scale_of"]

ALGORITHMS = ("BFS", "PR", "WCC", "CDLP", "LCC", "SSSP")
_EPSILON = 1e-4  # of PR, LCC and SSSP; BFS and CDLP match exactly, WCC by the partition
_FAILED = {
    "EXE": "failed (EXE)",
    "TIM": "timed out (TIM)",
    "COM": "incomplete (COM)",
    "VAL": "wrong (VAL)",
    "": "yes",
    None: "no data",
}
# The options that an algorithm takes from the properties, and how they are called there.
_PARAMETERS: dict[str, dict[str, tuple[str, type]]] = {
    "BFS": {"source": ("bfs.source-vertex", int)},
    "PR": {"damping": ("pr.damping-factor", float), "iterations": ("pr.num-iterations", int)},
    "CDLP": {"iterations": ("cdlp.max-iterations", int)},
    "SSSP": {"source": ("sssp.source-vertex", int)},
}


@dataclass(frozen=True)
class GraphalyticsPlan:
    """What to measure: directories or files of datasets; no algorithms: those that each dataset names."""

    datasets: tuple[Path, ...]
    algorithms: tuple[str, ...] = ()
    repetitions: int = 5
    timeout: float = 900
    threads: int = 0
    directory: Path | None = None


@dataclass(frozen=True)
class Dataset:
    """A graph of Graphalytics: where it is without its ending, and what its properties say behind graph.NAME."""

    stem: Path
    properties: dict[str, str]

    @property
    def name(self) -> str:
        """Its name, which that of its files begins with."""
        return self.stem.name

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Those that its properties name, in the order of the specification."""
        named = {each.strip().upper() for each in self.properties.get("algorithms", "").split(",")}
        return tuple(each for each in ALGORITHMS if each in named)

    def parameters(self, algorithm: str) -> dict[str, Any]:
        """The options of an algorithm."""
        found: dict[str, Any] = {}
        for option, (key, kind) in _PARAMETERS.get(algorithm, {}).items():
            text = self.properties.get(key)
            try:
                found[option] = kind(text or "")
            except ValueError:
                said = f"graph.{self.name}.{key} is {text or 'missing'}; {algorithm} needs a number"
                raise InvalidArgumentError(f"{self.stem}.properties: {said}") from None
        return found

    def reference(self, algorithm: str) -> Path | None:
        """Its validation data, plain or compressed; None: there are none."""
        names = (f"{self.name}-{algorithm}{ending}" for ending in ("", ".gz", ".zst"))
        return next((path for name in names if (path := self.stem.with_name(name)).is_file()), None)


def datasets_in(places: Iterable[Path]) -> list[Dataset]:
    """The datasets of directories, and those whose files (any of the three) are given.

    Raises NotFoundError where there is none, or no .properties beside a dataset's files.
    """
    found: dict[Path, Dataset] = {}
    for place in places:
        if place.is_dir():
            stems = sorted(file.with_suffix("") for file in place.glob("*.properties"))
        else:
            stems = [place.with_suffix("") if place.suffix in (".v", ".e", ".properties") else place]
        if not stems:
            raise NotFoundError(f"{place} has no dataset of Graphalytics; one is NAME.v, NAME.e and NAME.properties")
        found |= {stem: Dataset(stem, _properties(stem)) for stem in stems}
    return list(found.values())


def _properties(stem: Path) -> dict[str, str]:
    path = stem.with_name(stem.name + ".properties")
    if not path.is_file():
        raise NotFoundError(
            f"{path}: no such file; it names the algorithms of a dataset, their sources and numbers of iterations"
        )
    pairs = (line.partition("=") for line in path.read_text(encoding="utf-8").splitlines() if line.lstrip()[:1] != "#")
    start = f"graph.{stem.name}."
    return {key.strip().removeprefix(start): value.strip() for key, equals, value in pairs if equals}


def scale_of(vertices: int, edges: int) -> tuple[float, str]:
    """The scale of a graph, and its class: 7.7 and S."""
    scale = math.floor(10 * math.log10(max(vertices + edges, 1))) / 10
    classes = ("2XS", "XS", "S", "M", "L", "XL", "2XL", "3XL")
    step = math.floor(round(2 * (scale - 6.5), 6))
    return scale, "below 2XS" if step < 0 else classes[min(step, len(classes) - 1)]


def failure_of(algorithm: str, output: Path, reference: Path | None) -> str | None:
    """How an output fails its validation: COM (not all vertices), VAL (values differ), "" (valid); None: no data."""
    if reference is None:
        return None
    vertices, values = _lines_of(output)
    expected_vertices, expected = _lines_of(reference)
    if not np.array_equal(vertices, expected_vertices):
        return "COM"
    if algorithm == "WCC":
        pairs = np.unique(np.column_stack([values, expected]), axis=0)
        same = len(pairs) == len(np.unique(values)) == len(np.unique(expected))
    elif algorithm in ("BFS", "CDLP"):
        same = np.array_equal(values, expected)
    else:
        finite = np.isfinite(expected)
        same = np.array_equal(values[~finite], expected[~finite]) and bool(
            np.all(np.abs(values[finite] - expected[finite]) <= _EPSILON * np.abs(expected[finite]))
        )
    return "" if same else "VAL"


def _lines_of(path: Path) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Vertices in their order, and their values."""
    with pa.input_stream(str(path), compression="detect") as stream:
        table = csv.read_csv(
            stream, csv.ReadOptions(column_names=["vertex", "value"]), csv.ParseOptions(delimiter=" ")
        ).sort_by("vertex")
    return table["vertex"].to_numpy(), table["value"].to_numpy()


def measure_graphalytics(plan: GraphalyticsPlan, output: Path | None = None) -> dict[str, Any]:
    """Measure, print a table, and write the result in Graphalytics' form as JSON if `output` says where."""
    wrong = [each for each in plan.algorithms if each not in ALGORITHMS]
    if wrong:
        raise InvalidArgumentError(f"there is no algorithm {wrong[0]!r} in Graphalytics; there are {_and(ALGORITHMS)}")
    datasets = datasets_in(plan.datasets)
    jobs = [job for dataset in datasets for job in _jobs_of(dataset, plan)]
    _print(jobs)
    report = _report(plan, jobs)
    if output is not None:
        write_json(report, output)
    return report


def _and(names: Iterable[str]) -> str:
    return ", ".join(names)


@dataclass(frozen=True)
class _Run:
    """One run of an algorithm: seconds, and how it failed ("": it did not; None: nothing to validate it by)."""

    at: float
    makespan: float
    processing_time: float
    failure: str | None


@dataclass(frozen=True)
class _Job:
    """An algorithm on a dataset."""

    algorithm: str
    dataset: str
    vertices: int
    edges: int
    load_time: float
    runs: tuple[_Run, ...]

    @property
    def failure(self) -> str | None:
        """The first failure of its runs."""
        return next((run.failure for run in self.runs if run.failure), self.runs[0].failure)

    def median(self, what: str) -> float:
        """Of its runs."""
        return float(median(getattr(run, what) for run in self.runs))


def _jobs_of(dataset: Dataset, plan: GraphalyticsPlan) -> Iterator[_Job]:
    """Load the graph once, then run each algorithm as often as is asked for."""
    console = Console(stderr=True, highlight=False)
    asked = [each for each in dataset.algorithms if not plan.algorithms or each in plan.algorithms]
    parameters = {each: dataset.parameters(each) for each in asked}
    console.print(f"{dataset.name}: {_and(asked) or 'none of these algorithms'}")
    if not asked:
        return
    with TemporaryDirectory(prefix="rizoma-graphalytics-", dir=plan.directory) as directory:
        store, output = Path(directory) / "graph.rz", Path(directory) / "output"
        begin = time.perf_counter()
        edges = dataset.stem.with_name(dataset.name + ".e")
        with read(edges, into=store, format="graphalytics", ids="integer", threads=plan.threads) as graph:
            size = graph.num_vertices, graph.num_edges
        load_time = time.perf_counter() - begin
        for algorithm in asked:
            request = {
                "store": str(store),
                "output": str(output),
                "algorithm": algorithm,
                "parameters": parameters[algorithm],
                "threads": plan.threads,
            }
            reference = dataset.reference(algorithm)
            runs = tuple(_run(request, reference, plan.timeout) for _ in range(plan.repetitions))
            yield _Job(algorithm, dataset.name, *size, load_time, runs)


def _run(request: dict[str, Any], reference: Path | None, timeout: float) -> _Run:
    """A cold process opens the store, runs the algorithm, and writes its output, which is then validated."""
    output = Path(request["output"])
    output.unlink(missing_ok=True)
    command = [sys.executable, "-m", "rizoma_lab.bench.graphalytics_worker", json.dumps(request)]
    at, begin = time.time(), time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return _Run(at, timeout, timeout, "TIM")
    makespan = time.perf_counter() - begin
    if done.returncode != 0:
        print(done.stderr.strip(), file=sys.stderr)
        return _Run(at, makespan, makespan, "EXE")
    seconds = float(json.loads(done.stdout)["processing_time"])
    return _Run(at, makespan, seconds, failure_of(request["algorithm"], output, reference))


def _report(plan: GraphalyticsPlan, jobs: list[_Job]) -> dict[str, Any]:
    """The benchmark's result as its driver writes it: system, benchmark, experiments of jobs, jobs of runs."""
    every: dict[str, Any] = {"experiments": {}, "jobs": {}, "runs": {}}
    for number, job in enumerate(jobs):
        names = [f"r{number}_{each}" for each in range(len(job.runs))]
        every["jobs"][f"j{number}"] = {
            "id": f"j{number}",
            "algorithm": job.algorithm,
            "dataset": job.dataset,
            "scale": "1",
            "repetition": str(len(job.runs)),
            "runs": names,
        } | {key: value for key, value in _metrics(job).items() if key not in ("algorithm", "dataset")}
        for name, run in zip(names, job.runs, strict=True):
            every["runs"][name] = {
                "id": name,
                "timestamp": str(int(1000 * run.at)),
                "success": str(run.failure == "").lower(),
                "load_time": f"{job.load_time:.6f}",
                "makespan": f"{run.makespan:.6f}",
                "processing_time": f"{run.processing_time:.6f}",
                "failure": run.failure or "",
            }
    for algorithm in dict.fromkeys(job.algorithm for job in jobs):
        found = [f"j{number}" for number, job in enumerate(jobs) if job.algorithm == algorithm]
        name = f"e{len(every['experiments'])}"
        every["experiments"][name] = {"id": name, "type": f"custom:{algorithm.lower()}", "jobs": found}
    system = {"platform": {"name": "Rizoma", "version": __version__}, "environment": describe()}
    return {"system": system, "benchmark": asdict(plan), "result": every}


def _metrics(job: _Job) -> dict[str, Any]:
    """A row of the table: medians of the seconds, and the rates, which are by the processing time."""
    seconds = job.median("processing_time")
    done = job.failure in ("", None)
    return {
        "dataset": job.dataset,
        "algorithm": job.algorithm,
        "vertices": job.vertices,
        "edges": job.edges,
        "class": scale_of(job.vertices, job.edges),
        "load_time": job.load_time,
        "makespan": job.median("makespan"),
        "processing_time": seconds,
        "eps": job.edges / seconds if done and seconds else None,
        "evps": (job.vertices + job.edges) / seconds if done and seconds else None,
        "validated": _FAILED[job.failure],
    }


def _print(jobs: list[_Job]) -> None:
    table = Table(title=f"LDBC Graphalytics, {describe()['processor']}", title_justify="left")
    for heading in ("dataset", "algorithm"):
        table.add_column(heading)
    for heading in ("load s", "makespan s", "processing s", "EPS", "EVPS", "runs"):
        table.add_column(heading, justify="right")
    table.add_column("validated")
    before = ""
    for job in jobs:
        row = _metrics(job)
        if job.dataset != before:
            table.add_section()
        first = f"{job.dataset} ({row['class'][0]})" if job.dataset != before else ""
        before = job.dataset
        rates = ("" if row[name] is None else _rate(row[name]) for name in ("eps", "evps"))
        times = (f"{row[name]:#.3g}" for name in ("load_time", "makespan", "processing_time"))
        table.add_row(first, job.algorithm, *times, *rates, str(len(job.runs)), row["validated"])
    show_table(table)


def _rate(value: float) -> str:
    """Three digits and a power: 12.3 M."""
    for power, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= power:
            return f"{value / power:.3g}{letter}"
    return f"{value:.3g}"
