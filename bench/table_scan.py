"""All edges of a stored graph into polars and DuckDB, against the same table from Parquet.

usage: python bench/table_scan.py STORE [ROUNDS]      (the Parquet file is written beside the store)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import rizoma as rz
from rizoma_lab.bench.statistics import median_interval

POLARS = pl.col("source").sum() + pl.col("target").max()  # a sum: no file knows it beforehand
DUCKDB = "select (sum(source) + max(target))::bigint from {}"


def ways(graph: rz.Graph, file: Path) -> dict[str, Callable[[], int]]:
    """Each reads every edge and gives the same number."""

    def duck() -> int:
        edges = graph.edges
        assert len(edges) == graph.num_edges
        return duckdb.sql(DUCKDB.format("edges")).fetchall()[0][0]

    return {
        "polars, eager": lambda: pl.DataFrame(graph.edges).select(POLARS).item(),
        "polars, eager, Parquet": lambda: pl.read_parquet(file).select(POLARS).item(),
        "polars, lazy": lambda: graph.edges.lazy().select(POLARS).collect().item(),
        "polars, lazy, Parquet": lambda: pl.scan_parquet(file).select(POLARS).collect().item(),
        "DuckDB": duck,
        "DuckDB, Parquet": lambda: duckdb.sql(DUCKDB.format(f"'{file}'")).fetchall()[0][0],
    }


def main() -> None:
    store, rounds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 11
    file = store.with_suffix(".parquet")
    with rz.open(store, mode="read_only") as graph:
        if not file.exists():
            graph.export(file)
        found = ways(graph, file)
        assert len({way() for way in found.values()}) == 1
        seconds: dict[str, list[float]] = {name: [] for name in found}
        for _ in range(rounds):
            for name, way in found.items():
                begin = time.perf_counter()
                way()
                seconds[name].append(time.perf_counter() - begin)
        for name, values in seconds.items():
            middle, low, high = median_interval(values)
            rate = graph.num_edges / middle / 1e6
            print(f"{name:24} {middle:.4f} s ({low:.4f} - {high:.4f}), {rate:.0f} M edges/s")


if __name__ == "__main__":
    main()
