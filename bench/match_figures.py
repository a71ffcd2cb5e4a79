"""Patterns beside DuckDB: figures of docs/measurements/patterns.md.

Usage: match_figures.py [--peers] [--columns] [--threads N] [--edges FILE.npy] [GRAPH.el.zst ...]

Without files: a follower graph of the size of the study (435,154 vertices, 4,500,000 edges, made up: heavy-tailed,
partly reciprocated and clustered, with some self-loops and duplicates): mutual follows, directed triangles, paths,
rows; `rizoma bench match` measures the first of these round by round.  With --columns the same graph has an amount on
each edge and an age on each vertex, and patterns ask for them.
With files: cycles, diamonds, cliques and paths of undirected graphs.  Each figure is the smallest of three calls:
processor seconds of all threads, and seconds of the clock; --peers has DuckDB count, too.  --edges keeps the synthetic
edges in a file, and takes them from there if it exists.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import rizoma as rz
from rizoma_lab.bench.followers import EDGES, VERTICES, kept_followers

FOLLOWERS = {
    "mutual follows": "(a)-->(b)-->(a)",
    "directed triangles": "(a)-->(b)-->(c)-->(a)",
    "paths of 2 edges": "(a)-->(b)-->(c)",
    "paths of 3 edges": "(a)-->(b)-->(c)-->(d)",
}
COLUMNS = {
    "follows over 90": ("(a)-[e]->(b)", "e.amount > 90"),
    "mutual follows, both over 50": ("(a)-[e]->(b)-[f]->(a)", "e.amount > 50 and f.amount > 50"),
    "follows of the older": ("(a)-->(b)", "a.age < b.age"),
    "triangles of the young": ("(a)-->(b)-->(c)-->(a)", "a.age < 20 and b.age < 20 and c.age < 20"),
    "paths from one in 10000": ("(a {code: 17})-->(b)-->(c)", ""),
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


def with_columns(edges: np.ndarray[Any, Any]) -> rz.Graph:
    """A graph of these edges with values."""
    rng = np.random.default_rng(3)
    columns = {"amount": "float64"}
    graph = rz.open(
        None,
        directed=True,
        ids="integer",
        parallel_edges="keep",
        edges=columns,
        vertices={"age": "int32", "code": "int32"},
    )
    amounts = rng.integers(0, 100, len(edges)).astype(np.float64)
    graph.add_edges({"source": edges[:, 0], "target": edges[:, 1], "amount": amounts})
    ids = np.unique(edges)
    ages, codes = rng.integers(10, 90, len(ids)), rng.integers(0, 10_000, len(ids))
    graph.add_vertices({"vertex": ids, "age": ages.astype(np.int32), "code": codes.astype(np.int32)})
    return graph


COLUMNS_SQL = {
    "follows over 90": "select count(*) from e where amount > 90",
    "mutual follows, both over 50": "select count(*) from e x, e y where x.target = y.source and y.target = x.source "
    "and x.amount > 50 and y.amount > 50",
    "follows of the older": "select count(*) from e, v a, v b where e.source = a.vertex and e.target = b.vertex "
    "and a.age < b.age",
    "triangles of the young": "with w as (select source as s, target as t from e, v a, v b where source = a.vertex "
    "and target = b.vertex and a.age < 20 and b.age < 20) select count(*) from w x, w y, w z where x.t = y.s "
    "and y.t = z.s and z.t = x.s",
    "paths from one in 10000": "select count(*) from v, e x, e y where v.code = 17 and v.vertex = x.source "
    "and x.target = y.source",
}


def measure_columns(edges: np.ndarray[Any, Any], threads: int, peers: bool) -> None:
    """Patterns over columns, and the same SQL."""
    graph = with_columns(edges)
    print("followers with columns", graph)
    if peers:
        import duckdb

        database = duckdb.connect(config={"threads": threads})
        database.register("given_e", graph.edges.to_arrow())
        database.register("given_v", graph.vertices.to_arrow())
        database.execute("create table e as from given_e; create table v as from given_v")
    for name, (pattern, where) in COLUMNS.items():
        measure(name, graph.match(pattern, where=where or None, threads=threads).count)
        if peers:
            sql = COLUMNS_SQL[name]
            measure(f"  DuckDB {duckdb.__version__}", lambda sql=sql: database.execute(sql).fetchall()[0][0])


def processor_seconds() -> float:
    """Of all threads of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure(name: str, call: Callable[[], Any], rounds: int = 3) -> Any:
    """Print the smallest times; return the answer."""
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
    parser.add_argument("--columns", action="store_true")
    parser.add_argument("--edges", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", help="patterns whose name has this in it")
    parser.add_argument("files", nargs="*")
    given = parser.parse_args()
    print(f"{'':32} {'count':>16} {'processor':>9} {'clock':>9}")
    if given.columns:
        measure_columns(kept_followers(given.edges, VERTICES, EDGES, 7), given.threads, given.peers)
        return
    for file in given.files or [None]:
        if file is None:
            graph = rz.open(None, directed=True, parallel_edges="keep")
            graph.add_edges(kept_followers(given.edges, VERTICES, EDGES, 7))
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
