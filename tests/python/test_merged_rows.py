"""Rows that make no new edge are counted alike in each way in; rows without values are edges where all are kept."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma.graph.bulk import BULK_ROWS

Pairs = list[tuple[int, int]]
ROWS: Pairs = [(1, 2), (2, 1), (1, 2), (3, 3), (2, 3), (4, 1), (3, 3)]
STORED: Pairs = [(2, 3), (1, 4), (5, 5)]


def _text(rows: Pairs, path: Path) -> Path:
    path = path.with_suffix(".csv")
    path.write_text("source,target\n" + "".join(f"{u},{v}\n" for u, v in rows))
    return path


def _lines(rows: Pairs, path: Path) -> Path:
    path = path.with_suffix(".ndjson")
    path.write_text("".join(json.dumps({"source": u, "target": v}) + "\n" for u, v in rows))
    return path


def _parquet(rows: Pairs, path: Path) -> Path:
    path = path.with_suffix(".parquet")
    pq.write_table(_table(rows, path), path)
    return path


def _table(rows: Pairs, _: Path) -> pa.Table:
    return pa.table({"source": [u for u, _ in rows], "target": [v for _, v in rows]})


def _gml(rows: Pairs, path: Path) -> Path:
    path = path.with_suffix(".gml")
    nodes = "".join(f"node [ id {v} ]\n" for v in sorted({v for row in rows for v in row}))
    edges = "".join(f"edge [ source {u} target {v} ]\n" for u, v in rows)
    path.write_text(f"graph [ directed 1\n{nodes}{edges}]\n")
    return path


def _gexf(rows: Pairs, path: Path) -> Path:
    path = path.with_suffix(".gexf")
    nodes = "".join(f'<node id="{v}"/>' for v in sorted({v for row in rows for v in row}))
    edges = "".join(f'<edge source="{u}" target="{v}"/>' for u, v in rows)
    path.write_text(
        f'<gexf><graph defaultedgetype="directed"><nodes>{nodes}</nodes><edges>{edges}</edges></graph></gexf>'
    )
    return path


SOURCES: dict[str, Callable[[Pairs, Path], Any]] = {
    "csv": _text,
    "ndjson": _lines,
    "parquet": _parquet,
    "arrow": _table,
    "networkx": lambda rows, _: nx.MultiDiGraph(rows),
    "gml": _gml,
    "gexf": _gexf,
}


def _edges(rows: Pairs, directed: bool, parallel: str, loops: str) -> int:
    """How many edges rows make."""
    kept = [row for row in rows if loops == "keep" or row[0] != row[1]]
    return len(kept) if parallel == "keep" else len({row if directed else tuple(sorted(row)) for row in kept})


@pytest.mark.parametrize("loops", ["keep", "drop"])
@pytest.mark.parametrize("parallel", ["merge", "keep"])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("source", SOURCES)
def test_rows_that_make_no_new_edge_are_counted(
    source: str, directed: bool, parallel: str, loops: str, tmp_path: Path
) -> None:
    """In a load, in an append, and in an append of the same rows again."""
    place = tmp_path / "g.rz"
    shape = {"directed": directed, "parallel_edges": parallel, "self_loops": loops}
    before: Pairs = []
    for number, rows in enumerate((STORED, ROWS, ROWS)):
        data = SOURCES[source](rows, tmp_path / f"part{number}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph = rz.read(data, into=place, append=number > 0, **(shape if number == 0 else {}))
        made = _edges(before + rows, directed, parallel, loops) - _edges(before, directed, parallel, loops)
        report = graph.last_import
        assert (report.edges_read, report.edges_added, report.merged) == (len(rows), made, len(rows) - made)
        assert ("made no new edge" in str(report)) == (made < len(rows))
        before += rows
        assert graph.num_edges == _edges(before, directed, parallel, loops)
        graph.close()


WAYS = ("call", "batch", "bulk", "lines", "file")


def _added(graph: Any, rows: list[dict[str, Any]], way: str, place: Path) -> Any:
    """The rows, of which the first has all columns, added to the graph; it may be another one afterwards."""
    if way == "bulk":
        others = [{"source": 7, "target": 8 + i, "a": i, "b": "n"} for i in range(BULK_ROWS)]
        graph.add_edges([*rows, *others])
    elif way == "call":
        graph.add_edges(rows)
    elif way == "batch":
        with graph.batch() as batch:
            for row in rows:
                batch.add_edges([row])
    elif way == "lines":
        path = place / "rows.ndjson"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        store = graph.path
        graph.close()
        graph = rz.read(path, into=store, append=True)
    else:
        path = place / "pairs.csv"
        path.write_text("source,target\n" + "".join(f"{row['source']},{row['target']}\n" for row in rows))
        store = graph.path
        graph.close()
        graph = rz.read(path, into=store, append=True)
    return graph


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("stored", ["nothing", "rows", "nulls"])
@pytest.mark.parametrize("way", WAYS)
def test_rows_without_values_are_edges_where_all_are_kept(
    way: str, stored: str, directed: bool, tmp_path: Path
) -> None:
    """Parallel edges without some or all values are null there, whatever the graph has, and stay apart."""
    if way == "bulk" and stored != "nothing":
        return  # only an empty graph is loaded in bulk
    graph = rz.open(tmp_path / "g.rz", directed, edges={"a": "int64", "b": "string"}, parallel_edges="keep")
    expected: Counter[tuple[Any, Any]] = Counter()
    if stored == "rows":
        graph.add_edges([{"source": 1, "target": 2, "a": 0, "b": "first"}])
        expected[0, "first"] += 1
    elif stored == "nulls":
        graph.add_edges([(1, 2), (1, 2)])
        expected[None, None] += 2
    values: list[dict[str, Any]] = [{"a": 1, "b": "x"}, {}, {"a": 2}, {"b": "y"}, {"a": None, "b": None}, {}]
    rows = [{"source": 1, "target": 2} | row for row in values]
    graph = _added(graph, rows, way, tmp_path)
    for row in values:
        expected[(None, None) if way == "file" else (row.get("a"), row.get("b"))] += 1
    there = [row for row in graph.edges.to_arrow().to_pylist() if row["target"] < 8 or row["source"] == 1]
    assert Counter((row["a"], row["b"]) for row in there) == expected
    store = graph.path
    graph.close()
    with rz.open(store) as graph:
        nulls = expected[None, None]
        assert graph.remove_edges([(1, 2)], parallel="one") == 1
        left = sum(expected.values()) - 1
        there = [row for row in graph.edges.to_arrow().to_pylist() if {row["source"], row["target"]} == {1, 2}]
        assert len(there) == left
        graph.set_edges({"source": [1], "target": [2], "a": [9]})
        there = [row for row in graph.edges.to_arrow().to_pylist() if {row["source"], row["target"]} == {1, 2}]
        assert [row["a"] for row in there] == [9] * left
        assert sum(row["b"] is None for row in there) in (nulls, nulls - 1, nulls + 1, nulls + 2)
