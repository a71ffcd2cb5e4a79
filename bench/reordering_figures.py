"""What it costs to give a graph that grew by batches its order back, for docs/measurements/store.md.

    python bench/reordering_figures.py --directory DIR [--scale 20 | --graph FILE] [--batch 4096] [--rounds 3]

The edges of an R-MAT graph, or of a file, are added in random order and in durable batches to an empty store, which
then is in the order of arrival.  One copy of it is renumbered while nothing changes; another while a thread goes on
adding batches, each of which is timed; a third and a fourth renumber themselves, while nothing changes and among
batches.  Then kernels run on the grown graph, on the one that reordered itself, and on one that was loaded whole.
`--stage` does one part of it; the stores stay in the directory.
"""

from __future__ import annotations

import argparse
import shutil
import threading
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import rizoma as rz
from stopwatch import seconds


def pauses(graph: rz.Graph, batches: list[np.ndarray], threads: int) -> tuple[list[float], list[float], float]:
    """Seconds of each batch that a thread adds before a renumbering and during it, and those of the renumbering."""
    before = [seconds(lambda batch=batch: graph.add_edges(batch)) for batch in batches[:200]]
    during: list[float] = []
    reordered = threading.Event()

    def add() -> None:
        for batch in batches[200:]:
            if reordered.is_set():
                return
            during.append(seconds(lambda batch=batch: graph.add_edges(batch)))

    adding = threading.Thread(target=add)
    adding.start()
    took = seconds(lambda: graph.reorder(threads=threads))
    reordered.set()
    adding.join()
    return before, during, took


def by_itself(graph: rz.Graph, batches: list[np.ndarray]) -> tuple[float, list[float]]:
    """Seconds that a graph takes to renumber itself once it has begun, and those of each batch added meanwhile."""
    while not graph.info().reordering["running"]:
        time.sleep(0.02)
    begin = time.perf_counter()
    during: list[float] = []
    waiting = iter(batches)
    while graph.info().reordering["running"]:
        few = list(islice(waiting, 20))
        during += [seconds(lambda batch=batch: graph.add_edges(batch)) for batch in few]
        if not few:
            time.sleep(0.02)
    took = time.perf_counter() - begin
    if graph.info().reordering["error"]:
        print(f"not to its end: {graph.info().reordering['error']}")
    return took, during


def kernels(graph: rz.Graph, source: int, threads: int) -> dict[str, Callable[[], object]]:
    """The calls that are timed."""
    return {
        "bfs": lambda: rz.bfs(graph, source, threads=threads),
        "pagerank, 5 iterations": lambda: rz.pagerank(graph, max_iter=5, tol=0, threads=threads),
        "connected_components": lambda: rz.connected_components(graph, threads=threads),
        "label_propagation, 3 iterations": lambda: rz.label_propagation(graph, max_iter=3, threads=threads),
        "betweenness_centrality, k=1": lambda: rz.betweenness_centrality(graph, k=1, seed=1, threads=threads),
        "triangle_count": lambda: rz.triangle_count(graph, threads=threads),
    }


def grow(options: argparse.Namespace) -> None:
    """Make the stores: loaded whole, and grown by batches."""
    where = options.directory
    where.mkdir(parents=True, exist_ok=True)
    if options.graph:
        fresh = rz.read(options.graph, into=where / "fresh.rz", threads=options.threads)
    else:
        fresh = rz.generate("rmat", options.scale, into=where / "fresh.rz", threads=options.threads)
    table = fresh.edges.to_arrow()
    edges = np.stack([table.column(0).to_numpy(), table.column(1).to_numpy()], axis=1)
    np.random.default_rng(7).shuffle(edges)
    np.save(where / "edges.npy", edges)
    with rz.open(where / "grown.rz", ids="integer", directed=fresh.directed, auto_reorder=False) as grown:
        for begin in range(0, len(edges), options.batch):
            grown.add_edges(edges[begin : begin + options.batch])
    with rz.open(where / "grown.rz", auto_reorder=False) as grown:
        grown.compact()
    fresh.close()
    for name in ("reordered", "busy", "alone", "among"):
        shutil.copytree(where / "grown.rz", where / f"{name}.rz")


def renumber(options: argparse.Namespace) -> None:
    """Time the renumberings, and those who change the graph meanwhile."""
    where = options.directory
    edges = np.load(where / "edges.npy")
    batches = [edges[i : i + options.batch] for i in range(0, len(edges), options.batch)]
    for name, added in (("alone", []), ("among", batches)):
        with rz.open(where / f"{name}.rz", auto_reorder=True) as itself:
            took, during = by_itself(itself, added)
        print(f"renumbered itself in {took:.2f} s among {len(during)} batches")
        if during:
            print(f"a batch meanwhile: {1e3 * np.median(during):.1f} ms, at most {1e3 * max(during):.1f} ms")
    with rz.open(where / "reordered.rz", auto_reorder=False) as reordered:
        print(f"renumbered in {seconds(lambda: reordered.reorder(threads=options.threads)):.2f} s, nothing changing")
    with rz.open(where / "busy.rz", auto_reorder=False) as busy:
        before, during, took = pauses(busy, batches, options.threads)
    print(f"renumbered in {took:.2f} s among {len(during)} batches of {options.batch}")
    for name, times in (("before", before), ("during", during)):
        print(f"a batch {name}: {1e3 * np.median(times):.1f} ms, at most {1e3 * max(times):.1f} ms")


def compare(options: argparse.Namespace) -> None:
    """Time kernels on what was reordered by itself and on the others, in turns."""
    graphs = {of: rz.open(options.directory / f"{of}.rz", auto_reorder=False) for of in ("grown", "alone", "fresh")}
    print({of: str(graph.info().order) for of, graph in graphs.items()})
    source = graphs["fresh"].degrees().top(1)[0][0]
    print("| kernel | grown, s | reordered, s | loaded, s | reordered to loaded |\n| --- | --- | --- | --- | --- |")
    for name in kernels(graphs["fresh"], source, options.threads):
        calls = {of: kernels(graph, source, options.threads)[name] for of, graph in graphs.items()}
        for call in calls.values():
            call()
        times: dict[str, list[float]] = {of: [] for of in graphs}
        for _ in range(options.rounds):
            for of, call in calls.items():
                times[of].append(seconds(call))
        medians = {of: float(np.median(of_it)) for of, of_it in times.items()}
        ratios = np.array(times["alone"]) / np.array(times["fresh"])
        low, high = np.percentile(ratios, [2.5, 97.5])
        cells = " | ".join(f"{medians[of]:.4f}" for of in graphs)
        print(f"| {name} | {cells} | {np.median(ratios):.2f} ({low:.2f} to {high:.2f}) |", flush=True)
    for graph in graphs.values():
        graph.close()


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--graph", type=Path, default=None, help="a file of edges instead")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--directory", type=Path, required=True, help="for the stores")
    stages = {"grow": grow, "renumber": renumber, "compare": compare}
    parser.add_argument("--stage", choices=list(stages), default=None)
    options = parser.parse_args()
    for name, stage in stages.items():
        if options.stage in (None, name):
            stage(options)


if __name__ == "__main__":
    main()
