"""How time and memory grow with the graph: figures of docs/measurements/scale.md.

    python bench/scale_figures.py DIRECTORY --scales 20,22,24,26 [-o figures.json]

For each scale an R-MAT graph is generated into a store, in a new directory in DIRECTORY that is removed afterwards.
Processes of their own then open it: what opening takes, the first touch (which verifies checksums) and the following
calls of kernels, a durable batch of 4,096 edges between vertices drawn evenly, and the first search after it.  Memory
is what the process takes itself (`RssAnon`, the most after any of the calls); pages of the store that it maps are not
in it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import rizoma as rz

BATCH = 4096
ITERATIONS = 5

Figures = dict[str, float]


def memory() -> float:
    """Anonymous memory of this process, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon:")) / 1024


class Calls:
    """Times calls, and looks after each how much memory the process has."""

    def __init__(self) -> None:
        self.memory = memory()
        """The most that was seen, in MiB."""

    def seconds(self, call: Callable[[], object]) -> float:
        """How long it takes."""
        begin = time.perf_counter()
        result = call()
        taken = time.perf_counter() - begin
        self.memory = max(self.memory, memory())  # with the result, which is still there
        del result
        return taken

    def repeated(self, call: Callable[[], object], rounds: int) -> float:
        """Seconds in the median, after a call that is not counted."""
        self.seconds(call)
        return statistics.median(self.seconds(call) for _ in range(rounds))


def analyse(store: Path, threads: int, rounds: int) -> Figures:
    """Figures of kernels on a store that is opened for reading."""
    found: Figures = {}
    calls = Calls()
    begin = time.perf_counter()
    with rz.open(store, mode="read_only") as graph:
        source = next(iter(graph))
        next(iter(graph.neighbors(source)), None)
        found["open to first neighbour, ms"] = (time.perf_counter() - begin) * 1e3
        found["edges"] = float(graph.num_edges)
        found["first touch, BFS, s"] = calls.seconds(lambda: rz.bfs(graph, source, threads=threads))
        found["BFS, s"] = calls.repeated(lambda: rz.bfs(graph, source, threads=threads), rounds)
        found["components, s"] = calls.repeated(lambda: rz.connected_components(graph, threads=threads), rounds)
        few, many = (
            calls.repeated(lambda n=n: rz.pagerank(graph, max_iter=n, tol=0, threads=threads), rounds)
            for n in (1, 1 + ITERATIONS)
        )
        found["PageRank, an iteration, s"] = (many - few) / ITERATIONS
        found["memory of kernels, MiB"] = calls.memory
    return found


def change(store: Path, threads: int, rounds: int) -> Figures:
    """Figures of durable batches, on a store that is opened for writing."""
    rng = np.random.default_rng(7)
    found: Figures = {}
    with rz.open(store) as graph:
        source, count = next(iter(graph)), graph.num_vertices
        rz.bfs(graph, source, threads=threads)
        before = memory()
        batches = [rng.integers(0, count, (BATCH, 2)) for _ in range(rounds + 1)]
        graph.add_edges(batches.pop())
        calls = Calls()
        waits = [calls.seconds(lambda batch=batch: graph.add_edges(batch)) for batch in batches]
        found["vertices"] = float(count)
        found["a durable batch, ms"] = statistics.median(waits) * 1e3
        found["first BFS after batches, s"] = calls.seconds(lambda: rz.bfs(graph, source, threads=threads))
        found["memory of the view, MiB"] = calls.memory - before
    return found


def in_a_process(stage: str, store: Path, options: argparse.Namespace) -> Figures:
    """What a stage finds, in a process that has done nothing before."""
    command = [sys.executable, __file__, str(store), "--stage", stage]
    command += ["--threads", str(options.threads), "--rounds", str(options.rounds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{stage} of {store} failed: {done.stderr.strip()}")
    figures: Figures = json.loads(done.stdout)
    return figures


def figures_of(scale: int, options: argparse.Namespace) -> Figures:
    """All figures of one scale."""
    with tempfile.TemporaryDirectory(prefix=f"scale{scale}-", dir=options.directory) as directory:
        store = Path(directory) / "graph.rz"
        begin = time.perf_counter()
        limit = options.memory_limit
        rz.generate("rmat", scale, into=store, threads=options.threads, memory_limit=limit).close()
        found = {"generate and store, s": time.perf_counter() - begin}
        found["store, MiB"] = sum(file.stat().st_size for file in store.iterdir()) / 2**20
        for stage in ("analyse", "change"):
            found |= in_a_process(stage, store, options)
    found["PageRank, ns an entry"] = found["PageRank, an iteration, s"] / (2 * found["edges"]) * 1e9
    return found


def main() -> None:
    """Measure, and print one table: a row for each figure, a column for each scale."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--scales", default="20,22,24")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory-limit", help='of generating, as "8G"; beyond it edges are spilled into the store')
    parser.add_argument("--stage", choices=["analyse", "change"], help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", type=Path, help="file for all figures, as JSON")
    options = parser.parse_args()
    if options.stage:
        stage = analyse if options.stage == "analyse" else change
        print(json.dumps(stage(options.directory, options.threads, options.rounds)))
        return
    found: dict[int, Figures] = {}
    for scale in map(int, options.scales.split(",")):
        found[scale] = figures_of(scale, options)
        print(f"scale {scale} done", file=sys.stderr, flush=True)
        if options.output:
            options.output.write_text(json.dumps(found, indent=1))
    print("| what | " + " | ".join(map(str, found)) + " |")
    print("| --- |" + " --- |" * len(found))
    for name in next(iter(found.values())):
        print(f"| {name} | " + " | ".join(f"{column[name]:.4g}" for column in found.values()) + " |")


if __name__ == "__main__":
    main()
