"""What the first analysis after a small durable batch costs, beside one without a batch.

    python bench/living_figures.py --scale 22 --rounds 3 --directory /dev/shm [--draw uniform|edges] [-o figures.json]
    python bench/living_figures.py --scale 22 --stream 128 --batch 10000 --directory /dev/shm

An R-MAT graph is loaded whole.  In each round and for each size of batch: its changes are folded in (`compact`), the
kernels run a few times on it, a batch of new edges is added in one durable change, and each kernel's first run after it
is timed, with the memory of the process that is not shared, before the batch and after the run.  `uniform` draws both
ends of the new edges from all vertices, `edges` from the ends of the edges that exist, so that great vertices are
found often.  With `--stream`, N batches come one after the other instead, each with an analysis after it, and
nothing is folded in meanwhile.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import rizoma as rz
from stopwatch import seconds

BATCHES = [0, 10, 1000, 10_000]


def memory() -> float:
    """Anonymous memory of this process, in MiB: pages of files that it maps are not in it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon:")) / 1024


def drawing(graph: rz.Graph, draw: str) -> Callable[[int], np.ndarray]:
    """A function that gives this many new edges."""
    rng = np.random.default_rng(7)
    ids = np.asarray(graph.degrees().ids)
    if draw == "uniform":
        return lambda count: rng.choice(ids, (count, 2))
    degrees = graph.degrees().to_numpy()
    sums = np.cumsum(degrees)
    return lambda count: ids[np.searchsorted(sums, rng.integers(0, sums[-1], (count, 2)), side="right")]


def kernels(graph: rz.Graph, source: int, threads: int) -> dict[str, Callable[[], object]]:
    """The calls that are timed."""
    return {
        "bfs": lambda: rz.bfs(graph, source, threads=threads),
        "pagerank, 5 iterations": lambda: rz.pagerank(graph, max_iter=5, tol=0, threads=threads),
        "components": lambda: rz.connected_components(graph, threads=threads),
        "sssp": lambda: rz.sssp(graph, source, threads=threads),
        "labels, 3 iterations": lambda: rz.label_propagation(graph, max_iter=3, threads=threads),
        "triangles": lambda: rz.triangle_count(graph, threads=threads),
    }


def measure(
    graph: rz.Graph, wanted: list[str], batches: list[int], draw: str, rounds: int, threads: int
) -> dict[str, dict[str, list[float]]]:
    """Seconds by case, and MiB."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    source = graph.degrees().top(1)[0][0]
    new_edges = drawing(graph, draw)
    cases = kernels(graph, source, threads)
    for _ in range(rounds):
        for name, call in cases.items():
            if name.split(",")[0] not in wanted:
                continue
            for count in batches:
                graph.compact()
                for _ in range(3):
                    before = seconds(call)
                rest = memory()
                case = found[f"{name}, after {count:,}"]
                if count:
                    batch = new_edges(count)
                    case["the batch"].append(seconds(lambda batch=batch: graph.add_edges(batch)))
                case["before"].append(before)
                case["first"].append(seconds(call))
                case["second"].append(seconds(call))
                case["MiB"].append(memory() - rest)
    return found


def stream(graph: rz.Graph, wanted: str, size: int, options: argparse.Namespace) -> None:
    """One batch after the other, and the first two runs of a kernel after each: a line at each power of two."""
    source = graph.degrees().top(1)[0][0]
    new_edges = drawing(graph, options.draw)
    call = next(call for name, call in kernels(graph, source, options.threads).items() if name.startswith(wanted))
    graph.compact()
    before = min(seconds(call) for _ in range(4))
    rest = memory()
    print(
        f"{wanted} before: {before * 1e3:.1f} ms\n| batches | first, ms | second, ms | MiB |\n| --- | --- | --- | --- |"
    )
    for number in range(1, options.stream + 1):
        graph.add_edges(new_edges(size))
        first, second = seconds(call), seconds(call)
        if number.bit_count() == 1 or number == options.stream:
            print(f"| {number} | {first * 1e3:.1f} | {second * 1e3:.1f} | {memory() - rest:.0f} |", flush=True)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=22)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--draw", choices=["uniform", "edges"], default="uniform")
    kernel_names = ["bfs", "pagerank", "components", "sssp", "labels", "triangles"]
    parser.add_argument("--kernel", choices=kernel_names, action="append", help="default: bfs, pagerank")
    parser.add_argument("--batch", type=int, action="append", help="edges in a batch; default: 0, 10, 1000, 10000")
    parser.add_argument("--stream", type=int, help="this many batches one after the other")
    parser.add_argument("--directory", type=Path, default=None, help="for the store")
    parser.add_argument("--store", type=Path, help="a store that is there; it is changed")
    parser.add_argument("-o", "--output", type=Path, help="file for all samples, as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.directory) as directory:
        if options.store is None:
            graph = rz.generate("rmat", options.scale, into=Path(directory) / "living.rz", threads=options.threads)
        else:
            graph = rz.open(options.store)
        with graph:
            wanted = options.kernel or ["bfs", "pagerank"]
            batches = options.batch or BATCHES
            if options.stream:
                stream(graph, wanted[0], batches[-1], options)
                return
            found = measure(graph, wanted, batches, options.draw, options.rounds, options.threads)
    if options.output:
        options.output.write_text(json.dumps(found, indent=1))
    print("| first run | before the batch, s | first, s | ratio | second, s | the batch, s | MiB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, case in found.items():
        middle = {key: float(np.median(values)) for key, values in case.items()}
        batch = f"{middle['the batch']:.4f}" if "the batch" in middle else "-"
        print(
            f"| {name} | {middle['before']:.4f} | {middle['first']:.4f} | {middle['first'] / middle['before']:.2f} "
            f"| {middle['second']:.4f} | {batch} | {middle['MiB']:.0f} |"
        )


if __name__ == "__main__":
    main()
