"""What streams of changes of every kind cost, an analysis after each batch: for docs/measurements/store.md.

    python bench/stream_figures.py --scale 20 --batches 100 --directory DISK [--kinds add,hot,remove,weigh]

For each kind an R-MAT graph with weights is loaded whole, then changed in durable batches, with a breadth-first search
after each.  `add` draws both ends of new edges evenly, `hot` gives all of them to one vertex, `remove` takes edges away
and `weigh` gives edges new weights.  Printed are the search before all batches, the first one after a batch (median,
and that after the last batch), the time of a batch, the space of the store before and after (closed, without a fold),
and what the system was given to write for each byte of a change, 12 for an edge with its weight.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

import numpy as np
import rizoma as rz
from stopwatch import seconds

CHANGE_BYTES = 12
Columns = dict[str, np.ndarray]


def bytes_written() -> int:
    """What this process has given the system to write to files."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar"))


def space(store: Path) -> float:
    """What its files take, in MiB."""
    return sum(file.stat().st_blocks * 512 for file in store.iterdir()) / 2**20


def changes(graph: rz.Graph, kind: str, count: int) -> Columns:
    """So many edges to change."""
    random = np.random.default_rng(3)
    weights = random.random(count).astype("f4")
    if kind in ("add", "hot"):
        ids = np.asarray(graph.degrees().ids)
        sources = np.full(count, graph.degrees().top(1)[0][0]) if kind == "hot" else random.choice(ids, count)
        return {"source": sources, "target": random.choice(ids, count), "weight": weights}
    edges = graph.edges.to_arrow()
    rows = random.choice(len(edges), count, replace=False)
    ends = {end: edges[end].to_numpy()[rows] for end in ("source", "target")}
    return ends if kind == "remove" else ends | {"weight": weights}


def measure(kind: str, store: Path, options: argparse.Namespace) -> str:
    """One stream; a row of the table."""
    rz.generate("rmat", options.scale, into=store, weights="float32", threads=options.threads).close()
    with rz.open(store, auto_reorder=False) as graph:
        table = changes(graph, kind, options.batches * options.batch)
        source = graph.degrees().top(1)[0][0]
        search = lambda: rz.bfs(graph, source, threads=options.threads)  # noqa: E731
        search()
        before = statistics.median(seconds(search) for _ in range(7))
        change = {"remove": graph.remove_edges, "weigh": graph.set_weights}.get(kind, graph.add_edges)
        begin_space, begin_bytes = space(store), bytes_written()
        batches, firsts = [], []
        for first in range(0, options.batches * options.batch, options.batch):
            part = {name: values[first : first + options.batch] for name, values in table.items()}
            batches.append(seconds(lambda part=part: change(part)))
            firsts.append(seconds(search))
    written = (bytes_written() - begin_bytes) / (options.batches * options.batch * CHANGE_BYTES)
    return (
        f"| {kind} | {before * 1e3:.1f} | {statistics.median(firsts) * 1e3:.1f} | {firsts[-1] * 1e3:.1f} "
        f"| {statistics.median(batches) * 1e3:.2f} | {max(batches) * 1e3:.1f} "
        f"| {begin_space:.0f} | {space(store):.0f} | {written:.1f} |"
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--batches", type=int, default=100)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--kinds", default="add,hot,remove,weigh")
    parser.add_argument("--directory", type=Path, default=None, help="for the stores")
    options = parser.parse_args()
    print("| stream | BFS before, ms | first after a batch, ms | after the last | a batch, ms | longest | MiB before "
          "| after | bytes written for one |\n|" + " --- |" * 9)  # fmt: skip
    for kind in options.kinds.split(","):
        with tempfile.TemporaryDirectory(dir=options.directory) as directory:
            print(measure(kind, Path(directory) / "stream.rz", options), flush=True)


if __name__ == "__main__":
    main()
