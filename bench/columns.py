"""Measures what columns and tags cost: figures of docs/measurements/store.md.

    python bench/columns.py --scale 17 --rounds 7 --parts unused,weighted,csv,size,filter,tags -o columns.json

The graph is R-MAT; each edge has an amount (float32), a time (seconds) and a kind (one of eight words).  DuckDB and
igraph run in the same rounds; their answers are compared with Rizoma's.  Every row is a median of the rounds with its
95% bootstrap interval; a ratio has one of its own.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import igraph
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
import rizoma as rz
from rizoma_lab.bench.machine import describe
from rizoma_lab.bench.statistics import median_interval, ratio_interval
from store_figures import Case, fresh, interleave

THREADS = 2
COLUMNS = {"amount": "float32", "since": "timestamp[s]", "kind": "string"}
SQL_TYPES = "{'source': 'BIGINT', 'target': 'BIGINT', 'amount': 'FLOAT', 'since': 'TIMESTAMP_S', 'kind': 'VARCHAR'}"
KINDS = ["rent", "wages", "gift", "loan", "fee", "refund", "tax", "other"]
BEGIN, END = 1_577_836_800, 1_767_225_600  # 2020 to 2026
UNUSED = {"amount": "float32", "since": "timestamp[s]", "kind": "string", "count": "int64", "checked": "bool"}
ITERATIONS = 20

KERNELS: dict[str, Callable[[rz.Graph], Any]] = {
    "pagerank, 20 iterations": lambda g: rz.pagerank(g, tol=0, max_iter=ITERATIONS, threads=THREADS),
    "bfs": lambda g: rz.bfs(g, 0, threads=THREADS),
    "connected_components": lambda g: rz.connected_components(g, threads=THREADS),
    "triangle_count": lambda g: rz.triangle_count(g, threads=THREADS),
}


def edge_table(scale: int, edge_factor: int = 16) -> pa.Table:
    """Each undirected R-MAT edge once, shuffled, with its values."""
    with rz.generate("rmat", scale, edge_factor=edge_factor) as graph:
        ends = graph.edges.to_arrow()
    rng = np.random.default_rng(1)
    ends = ends.take(rng.permutation(ends.num_rows))
    rows = ends.num_rows
    words = pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, len(KINDS), rows, np.int32)), pa.array(KINDS))
    values = {
        "source": ends.column(0).cast(pa.int64()),
        "target": ends.column(1).cast(pa.int64()),
        "amount": (rng.exponential(100, rows) + 0.01).astype(np.float32),
        "since": pa.array(np.sort(rng.integers(BEGIN, END, rows))).cast(pa.timestamp("s")),
        "kind": words.cast(pa.string()),
    }
    return pa.table(values)


def store(path: Path, table: pa.Table, columns: dict[str, str], **options: Any) -> rz.Graph:
    """A new store of the table's edges with these of its columns."""
    graph = rz.open(fresh(path), ids="dense", edges=columns or None, **options)
    graph.add_edges(table.select(["source", "target", *columns]), order="given", threads=THREADS)
    return graph


def compared(name: str, cases: dict[str, Case], rounds: int) -> dict[str, Any]:
    """Times of the cases, and of each the ratio to the last one."""
    found = interleave(cases, rounds)
    *others, last = found
    for other in others:
        ratio, low, high = ratio_interval(found[other]["samples"], found[last]["samples"])
        found[other]["of the last"] = [ratio, low, high]
    for case, row in found.items():
        ratio = "".join(f", {r[0]:.3f} ({r[1]:.3f} - {r[2]:.3f}) of the last" for r in [row.get("of the last")] if r)
        print(f"{name:28} {case:24} {row['median']:.4f} s ({row['low']:.4f} - {row['high']:.4f}){ratio}", flush=True)
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two results have the same values, rounding apart."""
    return bool(np.allclose(np.asarray(one.to_numpy(), np.float64), np.asarray(other.to_numpy(), np.float64)))


def unused(table: pa.Table, work: Path, rounds: int) -> dict[str, Any]:
    """Kernels on a graph with five columns of edges and five of vertices, beside the same graph without."""
    rows = table.num_rows
    wide = table.append_column("count", pa.array(np.arange(rows))).append_column(
        "checked", pa.array(np.arange(rows) % 2 == 0)
    )
    bare = store(work / "bare.rz", table, {})
    full = store(work / "full.rz", wide, UNUSED, vertices=UNUSED)
    vertices = len(full)
    values = wide.slice(0, vertices).select(list(UNUSED))
    full.add_vertices(values.add_column(0, "vertex", pa.array(np.arange(vertices))))
    full.checkpoint()
    result = {}
    for name, kernel in KERNELS.items():
        assert same(kernel(full), kernel(bare))
        cases: dict[str, Case] = {
            "with columns": lambda kernel=kernel: kernel(full),
            "bare": lambda kernel=kernel: kernel(bare),
        }
        result[name] = compared(f"unused: {name}", cases, rounds)
    bare.close()
    full.close()
    return result


def weighted(table: pa.Table, work: Path, rounds: int) -> dict[str, Any]:
    """PageRank by a column, beside PageRank without; and what the first use of the column takes."""
    graph = store(work / "weighted.rz", table, {"amount": "float32"})
    begin = time.perf_counter()
    first = rz.pagerank(graph, weight="amount", tol=0, max_iter=ITERATIONS, threads=THREADS)
    result: dict[str, Any] = {"first use, seconds": time.perf_counter() - begin}
    expected = pagerank_by_hand(table, len(graph))
    assert np.allclose(first.to_numpy(), expected, rtol=1e-3, atol=1e-9), "the ranks are wrong"
    cases: dict[str, Case] = {
        "by a float32 column": lambda: rz.pagerank(graph, weight="amount", tol=0, max_iter=ITERATIONS, threads=THREADS),
        "without weights": lambda: rz.pagerank(graph, weight=None, tol=0, max_iter=ITERATIONS, threads=THREADS),
    }
    interleave(cases, 2)
    result["pagerank"] = compared("weighted", cases, rounds)
    graph.close()
    return result


def pagerank_by_hand(table: pa.Table, vertices: int) -> np.ndarray[Any, Any]:
    """Weighted PageRank after as many steps, by SciPy."""
    from scipy.sparse import coo_array

    ends = [table.column(name).to_numpy() for name in ("source", "target")]
    weights = table.column("amount").to_numpy().astype(np.float64)
    apart = ends[0] != ends[1]
    rows = np.concatenate([ends[0], ends[1][apart]])
    columns = np.concatenate([ends[1], ends[0][apart]])
    matrix = coo_array((np.concatenate([weights, weights[apart]]), (rows, columns)), (vertices, vertices)).tocsr()
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    scale = np.divide(1, sums, out=np.zeros(vertices), where=sums > 0)
    ranks = np.full(vertices, 1 / vertices)
    for _ in range(ITERATIONS):
        spread = matrix.T @ (ranks * scale)
        ranks = 0.85 * (spread + ranks[sums == 0].sum() / vertices) + 0.15 / vertices
    return ranks


def csv(table: pa.Table, work: Path, rounds: int) -> dict[str, Any]:
    """Import of a CSV file with three columns beside the ends, beside DuckDB's into a file of its own."""
    file, imported, database = work / "edges.csv", work / "csv.rz", work / "csv.duckdb"
    pyarrow.csv.write_csv(table, file)

    def ours() -> None:
        rz.read(file, into=fresh(imported), directed=True, edges=COLUMNS, threads=THREADS).close()

    def duck() -> None:
        database.unlink(missing_ok=True)
        with duckdb.connect(str(database), config={"threads": THREADS}) as connection:
            connection.execute(f"create table e as select * from read_csv('{file}', types={SQL_TYPES})")

    result: dict[str, Any] = {"import": compared("csv", {"rizoma": ours, "duckdb": duck}, rounds)}
    amounts = float(pc.sum(table.column("amount").cast(pa.float64())).as_py())
    with rz.open(imported, mode="read_only") as graph:
        kept = graph.edges.to_arrow()
        assert kept.num_rows == table.num_rows
        assert np.isclose(pc.sum(kept.column("amount").cast(pa.float64())).as_py(), amounts)
    with duckdb.connect(str(database), read_only=True) as connection:
        row = connection.execute("select count(*), sum(amount::double) from e").fetchone()
        assert row is not None
        assert row[0] == table.num_rows
        assert np.isclose(row[1], amounts)
    result["bytes"] = {"csv": file.stat().st_size, "rizoma": size_of(imported), "duckdb": database.stat().st_size}
    print("csv: bytes", result["bytes"])
    file.unlink()
    return result


def size_of(path: Path) -> int:
    """Bytes that the files of a store take on the device."""
    return sum(file.stat().st_blocks * 512 for file in path.rglob("*") if file.is_file())


def size(table: pa.Table, work: Path, _: int) -> dict[str, Any]:
    """What columns add to a store, beside a Parquet file (zstd) of the same columns in the same order."""
    result: dict[str, Any] = {}
    store(work / "bare.rz", table, {}).close()
    bare = size_of(work / "bare.rz")
    for names in (["amount"], ["since"], ["kind"], [*COLUMNS]):
        with store(work / "wide.rz", table, {name: COLUMNS[name] for name in names}) as graph:
            graph.compact()
            in_its_order = graph.edges.to_arrow().select(names)
        wide = size_of(work / "wide.rz")
        sizes = {}
        for order, values in (("as added", table.select(names)), ("as stored", in_its_order)):
            pyarrow.parquet.write_table(values, work / "columns.parquet", compression="zstd")
            sizes[order] = (work / "columns.parquet").stat().st_size
        result[", ".join(names)] = {"store adds": wide - bare, "parquet": sizes, "rows": table.num_rows}
        print(f"size: {', '.join(names):24} store {wide - bare}, parquet {sizes}", flush=True)
    pyarrow.parquet.write_table(table, work / "table.parquet", compression="zstd")
    whole = (work / "table.parquet").stat().st_size
    result["whole table"] = {"store": wide, "parquet": whole, "bare store": bare}
    print(f"size: whole store {wide}, bare {bare}, whole table as parquet {whole}")
    return result


def filtered(table: pa.Table, work: Path, rounds: int) -> dict[str, Any]:
    """The edges since a day, then PageRank on them: Rizoma's view, and DuckDB's rows in a graph of igraph."""
    database = work / "filter.duckdb"
    database.unlink(missing_ok=True)
    graph = store(work / "filter.rz", table, COLUMNS)
    graph.checkpoint()
    result: dict[str, Any] = {}
    with duckdb.connect(str(database), config={"threads": THREADS}) as connection:
        connection.register("rows", table)
        connection.execute("create table e as select * from rows")
        connection.execute("checkpoint")
        for share in (0.1, 0.5):
            day = datetime.fromtimestamp(END - (END - BEGIN) * share, UTC).strftime("%Y-%m-%d")
            result[f"{share:.0%} of the edges"] = _filter_since(graph, connection, day, rounds)
    graph.close()
    return result


def _filter_since(graph: rz.Graph, connection: Any, day: str, rounds: int) -> dict[str, Any]:
    def view() -> Any:
        return graph.where(edges=f"since >= '{day}'")

    def ours() -> dict[Any, float]:
        with rz.config(threads=THREADS):
            return rz.pagerank(view(), tol=1e-8)

    def theirs() -> tuple[igraph.Graph, list[float]]:
        rows = connection.execute(f"select source, target from e where since >= timestamp '{day}'").fetchnumpy()
        made = igraph.Graph(len(graph), np.ascontiguousarray(np.column_stack([rows["source"], rows["target"]])))
        return made, made.pagerank()

    made, ranks = theirs()
    scores = ours()
    assert view().num_edges == made.ecount()
    best = int(np.argmax(ranks))
    assert scores.top(1)[0][0] == best, "they disagree"
    name = f"filter since {day}"
    return {
        "edges": made.ecount(),
        "filter and pagerank": compared(name, {"rizoma": ours, "duckdb and igraph": theirs}, rounds),
        "view alone": compared(f"{name}, view alone", {"rizoma": view}, rounds),
    }


def tags(table: pa.Table, work: Path, rounds: int) -> dict[str, Any]:
    """Opening a store with a hundred tags, a change apart from each other; a tag's time and bytes."""
    path = work / "tagged.rz"
    graph = store(path, table, COLUMNS)
    untagged = work / "untagged.rz"
    with graph:
        graph.checkpoint()
        shutil.copytree(path, untagged, ignore=shutil.ignore_patterns("LOCK"))
        seconds, grown = [], []
        for i in range(40):
            before = size_of(path)
            begin = time.perf_counter()
            graph.tag(f"same {i}")
            seconds.append(time.perf_counter() - begin)
            grown.append(size_of(path) - before)
        for i in range(40):
            graph.untag(f"same {i}")
        changed = []
        for i in range(100):
            graph.add_edges(table.slice(i * 10, 10).set_column(1, "target", pa.array(np.arange(10) + 10 * i)))
            begin = time.perf_counter()
            graph.tag(f"state {i}")
            changed.append(time.perf_counter() - begin)
    result: dict[str, Any] = {"bytes, nothing changes": {"median": float(np.median(grown)), "most": max(grown)}}
    print("tags: bytes while nothing changes", result["bytes, nothing changes"])
    for name, samples in (("nothing changes", seconds), ("ten edges since", changed)):
        result[f"tag, {name}"] = middle = median_interval(samples)
        print(f"tag, {name}: {middle[0] * 1e3:.3f} ms ({middle[1] * 1e3:.3f} - {middle[2] * 1e3:.3f})", flush=True)

    def opened(where: Path, mode: str) -> None:
        with rz.open(where, mode=mode) as reopened:
            reopened.neighbors(0)

    for mode in ("read_only", "open"):
        cases: dict[str, Case] = {
            "100 tags": lambda mode=mode: opened(path, mode),
            "no tag": lambda mode=mode: opened(untagged, mode),
        }
        interleave(cases, 2)
        result[f"open, {mode}"] = compared(f"open to neighbours, {mode}", cases, max(20, rounds))
    return result


PARTS: dict[str, Callable[[pa.Table, Path, int], dict[str, Any]]] = {
    "unused": unused,
    "weighted": weighted,
    "csv": csv,
    "size": size,
    "filter": filtered,
    "tags": tags,
}


def main() -> None:
    """The command."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--scale", type=int, default=17)
    parser.add_argument("--edge-factor", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--work", type=Path, default=Path(), help="directory for the stores and files")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    table = edge_table(options.scale, options.edge_factor)
    report: dict[str, Any] = {"machine": describe(), "scale": options.scale, "edges": table.num_rows}
    print(f"{table.num_rows} edges", flush=True)
    with tempfile.TemporaryDirectory(dir=options.work) as directory:
        for part in options.parts.split(","):
            report[part] = PARTS[part](table, Path(directory), options.rounds)
    if options.output:
        options.output.write_text(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
