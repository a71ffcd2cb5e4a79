"""Patterns beside DuckDB: figures of docs/measurements/patterns.md.

Usage: match_figures.py [--peers] [--threads N] [GRAPH.el.zst ...]

Without files: a follower graph of the size of the study (435,154 vertices, 4,500,000 edges, made up: heavy-tailed,
partly reciprocated and clustered, with some self-loops and duplicates): mutual follows, directed triangles, paths,
rows.  With files: cycles, diamonds, cliques and paths of undirected graphs.  Each figure is the least of three calls:
processor seconds of all threads, and seconds of the clock; --peers has DuckDB count, too.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import rizoma as rz

VERTICES = 435_154
EDGES = 4_500_000

FOLLOWERS = {
    "mutual follows": "(a)-->(b)-->(a)",
    "directed triangles": "(a)-->(b)-->(c)-->(a)",
    "paths of 2 edges": "(a)-->(b)-->(c)",
    "paths of 3 edges": "(a)-->(b)-->(c)-->(d)",
}
UNDIRECTED = {
    "triangles": "(a)--(b)--(c)--(a)",
    "4-cycles": "(a)--(b)--(c)--(d)--(a)",
    "diamonds": "(a)--(b), (a)--(c)--(b), (a)--(d)--(b)",
    "4-cliques": "(a)--(b)--(c)--(d)--(a), (a)--(c), (b)--(d)",
    "paths of 2 edges": "(a)--(b)--(c)",
    "paths of 3 edges": "(a)--(b)--(c)--(d)",
}
SQL = {
    "mutual follows": "select count(*) from e x, e y where x.t = y.s and y.t = x.s",
    "directed triangles": "select count(*) from e x, e y, e z where x.t = y.s and y.t = z.s and z.t = x.s",
    "triangles": "select count(*) from e x, e y, e z where x.t = y.s and y.t = z.s and z.t = x.s",
}


def followers(seed: int = 7) -> np.ndarray[Any, Any]:
    """Edges of a Twitter-like graph; the same for the same seed."""
    rng = np.random.default_rng(seed)
    fans, idols = np.arange(1, VERTICES + 1) ** -0.5, np.arange(1, VERTICES + 1) ** -0.7
    out, into = np.cumsum(fans) / fans.sum(), np.cumsum(idols) / idols.sum()
    names = rng.permutation(VERTICES)
    made = np.empty((0, 2), np.int64)
    while len(made) < EDGES:
        count = EDGES // 2
        source, target = np.searchsorted(out, rng.random(count)), np.searchsorted(into, rng.random(count))
        near = rng.random(count) < 0.6  # who is alike follows each other
        target[near] = source[near] // 48 * 48 + (48 * rng.random(near.sum()) ** 1.5).astype(np.int64)
        edges = np.column_stack([source, np.minimum(target, VERTICES - 1)])
        edges = np.concatenate([edges, edges[rng.random(count) < 0.2][:, ::-1]])
        edges = edges[(edges[:, 0] != edges[:, 1]) | (rng.random(len(edges)) < 0.01)]
        made = np.unique(np.concatenate([made, edges]), axis=0)
    rng.shuffle(made)
    made = np.concatenate([made[: EDGES - 4000], made[:4000]])
    return names[made]


def processor_seconds() -> float:
    """Of all threads of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure(name: str, call: Callable[[], Any], rounds: int = 3) -> Any:
    """Print the least times; return the answer."""
    least = [float("inf"), float("inf")]
    for _ in range(rounds):
        processor, clock = processor_seconds(), time.perf_counter()
        answer = call()
        taken = processor_seconds() - processor, time.perf_counter() - clock
        least = [min(pair) for pair in zip(least, taken, strict=True)]
    print(f"{name:32} {answer!s:>16} {least[0]:9.3f} {least[1]:9.3f}", flush=True)
    return answer


def beside_duckdb(name: str, edges: Any, threads: int) -> None:
    """The same count by DuckDB, once."""
    import duckdb

    database = duckdb.connect(config={"threads": threads})
    database.register("edges", edges)
    turned = "" if name in FOLLOWERS else " union all select target, source from edges where source <> target"
    database.execute(f"create table e as select source as s, target as t from edges{turned}")
    measure(f"  DuckDB {duckdb.__version__}", lambda: database.execute(SQL[name]).fetchall()[0][0], 1)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", help="patterns whose name has this in it")
    parser.add_argument("files", nargs="*")
    given = parser.parse_args()
    print(f"{'':32} {'count':>16} {'processor':>9} {'clock':>9}")
    for file in given.files or [None]:
        if file is None:
            graph = rz.open(None, directed=True, parallel_edges="keep")
            graph.add_edges(followers())
        else:
            graph = rz.read(file, directed=False)
        print(file or "followers", graph)
        for name, pattern in (FOLLOWERS if file is None else UNDIRECTED).items():
            if given.only and given.only not in name:
                continue
            matches = graph.match(pattern, threads=given.threads)
            measure(name, matches.count)
            if name == "directed triangles":
                measure("  rows into Arrow", lambda matches=matches: matches.to_arrow().num_rows)
            if name == "triangles":
                measure("  triangle_count, times 6", lambda graph=graph: 6 * rz.triangle_count(graph).total)
            if given.peers and name in SQL:
                beside_duckdb(name, graph.edges.to_arrow(), given.threads)


if __name__ == "__main__":
    main()
