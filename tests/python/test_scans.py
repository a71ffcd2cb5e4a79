"""A stored graph read as tables and as a matrix: edges and vertices, in batches, by other libraries."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import rizoma as rz
from hypothesis import given, settings
from hypothesis import strategies as st

KINDS = {
    "dense": lambda n: n,
    "integer": lambda n: n * 10**12 - 7,
    "string": lambda n: f"v{n}",
}


@pytest.fixture(params=list(KINDS))
def named(request):
    """A directed weighted graph and its edges, for each kind of ids."""
    rng = np.random.default_rng(3)
    pairs = np.unique(rng.integers(0, 60, (400, 2)), axis=0)
    name = KINDS[request.param]
    rows = [(name(int(u)), name(int(v)), float(u * 100 + v)) for u, v in pairs]
    graph = rz.open(None, directed=True, weights="float64", ids=request.param)
    graph.add_edges(rows)
    return graph, set(rows)


@pytest.mark.parametrize("rows", [1, 7, 1 << 18])
def test_batches_of_any_size_list_every_edge_once(named, rows):
    graph, edges = named
    batches = list(graph.edges.batches(rows))
    assert all(batch.num_rows <= rows for batch in batches)
    found = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    assert len(found) == len(edges)
    assert set(found) == edges


def test_other_libraries_query_a_graph(named):
    graph, edges = named
    total = sum(weight for _, _, weight in edges)
    stored = graph.edges
    assert duckdb.sql("select sum(weight) from stored").fetchall() == [(total,)]
    assert duckdb.sql("select sum(weight) from stored").fetchall() == [(total,)]  # and again
    assert pl.DataFrame(stored)["weight"].sum() == total
    assert stored.to_pandas()["weight"].sum() == total
    assert pa.table(stored).num_rows == len(edges)
    assert pd.DataFrame.from_records(stored.to_arrow().to_pylist()).shape == (len(edges), 3)


def test_polars_reads_lazily(named):
    graph, edges = named
    bound = 3000.0
    lazy = graph.edges.lazy()
    found = lazy.filter(pl.col("weight") < bound).select("target", "source").collect()
    assert found.columns == ["target", "source"]
    assert set(found.iter_rows()) == {(v, u) for u, v, weight in edges if weight < bound}
    assert len(lazy.head(5).collect()) == 5
    assert lazy.select(pl.len()).collect().item() == len(edges)
    assert lazy.filter(pl.col("weight") < 0).collect().is_empty()


def test_a_query_that_has_enough_stops_reading(monkeypatch):
    graph = rz.open(None)
    graph.add_edges(np.column_stack([np.arange(5000), np.arange(1, 5001)]))
    scan = graph.edges
    read = []
    batches = scan.batches

    def counted(rows, columns):
        for batch in batches(min(rows, 100), columns):
            read.append(batch.num_rows)
            yield batch

    monkeypatch.setattr(scan, "batches", counted)
    assert len(scan.lazy().head(150).collect()) == 150
    assert sum(read) <= 300


def test_only_the_columns_asked_for_are_read(named):
    graph, _ = named
    all_rows = graph.edges.to_arrow()
    for columns in (["target"], ["weight", "source"]):
        table = pa.Table.from_batches(graph.edges.batches(50, columns))
        assert table.schema.names == [name for name in all_rows.schema.names if name in columns]
        assert table.equals(all_rows.select(table.schema.names))
    vertices = pa.Table.from_batches(graph.vertices.batches(7, ["in_degree"]))
    assert vertices.equals(graph.vertices.to_arrow().select(["in_degree"]))
    with pytest.raises(rz.ColumnNotFoundError, match="no column 'x'; there are source, target, weight"):
        next(graph.edges.batches(10, ["x"]))


@pytest.mark.parametrize("base", [0, -3, 2**40])
def test_ids_of_every_size(base):
    graph = rz.open(None, directed=True)
    ends = np.array([(5, 2), (2, 9), (9, 5)]) + base
    graph.add_edges(ends)
    found = graph.edges.to_arrow()
    assert sorted(zip(*(found[name].to_pylist() for name in ("source", "target")), strict=True)) == sorted(
        map(tuple, ends.tolist())
    )


@pytest.mark.parametrize("threads", [1, 3])
def test_many_ids_are_read_by_several_threads(threads):
    ids = np.random.default_rng(5).permutation(200_000) * 7 - 300_000
    graph = rz.open(None, directed=True, ids="integer")
    graph.add_edges(np.column_stack([ids[:-1], ids[1:]]), order="degree")
    with rz.config(threads=threads):
        scan = graph.edges
        columns = pl.concat([pl.DataFrame(batch) for batch in scan.batches(70_000)])
    assert dict(columns.iter_rows()) == dict(zip(ids[:-1].tolist(), ids[1:].tolist(), strict=True))


def test_vertices_with_their_degrees(named):
    graph, edges = named
    table = graph.vertices.to_arrow()
    assert table.schema.names == ["vertex", "out_degree", "in_degree"]
    assert len(graph.vertices) == len(graph) == table.num_rows
    for row in table.to_pylist():
        assert row["out_degree"] == sum(u == row["vertex"] for u, _, _ in edges)
        assert row["in_degree"] == sum(v == row["vertex"] for _, v, _ in edges)
    vertices = graph.vertices  # DuckDB finds it by its name
    assert "degree" in repr(vertices)
    assert duckdb.sql("select count(*) from vertices").fetchall() == [(len(graph),)]
    assert len(list(graph.vertices.batches(7))) == -(-len(graph) // 7)


def test_an_undirected_edge_is_one_row():
    graph = rz.open(None)
    graph.add_edges([("a", "b"), ("b", "a"), ("b", "b")])
    assert sorted(tuple(sorted(row.values())) for row in graph.edges.to_arrow().to_pylist()) == [
        ("a", "b"),
        ("b", "b"),
    ]
    assert graph.vertices.schema.names == ["vertex", "degree"]


def test_a_scan_stays_as_the_graph_was():
    graph = rz.open(None)
    graph.add_edges([(0, 1)])
    edges, vertices = graph.edges, graph.vertices
    graph.add_edges([(1, 2)])
    assert (len(edges), len(vertices)) == (1, 2)
    assert edges.to_arrow().num_rows == 1
    assert vertices.to_arrow()["degree"].to_pylist() == [1, 1]


def test_scans_of_an_empty_graph():
    graph = rz.open(None)
    assert graph.edges.to_arrow().num_rows == 0
    assert graph.vertices.to_arrow().num_rows == 0
    assert graph.edges.lazy().collect().is_empty()
    assert graph.to_scipy().shape == (0, 0)


@pytest.mark.parametrize("weights", [None, "int32", "float32", "float64"])
def test_the_matrix_is_the_graph(weights):
    graph = rz.open(None, directed=True, weights=weights)
    rows = [(0, 1, 3), (1, 2, 4), (2, 0, 5), (0, 3, 6)]
    graph.add_edges(rows if weights else [row[:2] for row in rows])
    matrix = graph.to_scipy()
    expected = np.zeros((4, 4))
    for u, v, weight in rows:
        expected[graph.find([u])[0], graph.find([v])[0]] = weight if weights else 1
    assert np.array_equal(matrix.toarray(), expected)
    assert matrix.dtype == (weights or np.float64)
    assert graph.to_scipy(np.int8).dtype == np.int8


def test_the_matrix_of_one_section_is_not_copied():
    graph = rz.open(None, directed=True, weights="float32")
    graph.add_edges([(0, 1, 3.0), (1, 2, 4.0)])
    state = graph.snapshot()
    first, second = state.to_scipy(), state.to_scipy()
    for part in ("indices", "indptr", "data"):
        assert np.shares_memory(getattr(first, part), getattr(second, part))
    del state, graph
    assert first.sum() == 7


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=80), st.booleans())
def test_matrix_and_scan_agree(pairs, directed):
    graph = rz.open(None, directed=directed, ids="dense")
    graph.add_edges(np.array(pairs, np.int64).reshape(-1, 2))
    matrix = graph.to_scipy(np.int64)
    table = graph.edges.to_arrow()
    u, v = graph.find(table["source"]), graph.find(table["target"])
    listed = np.zeros(matrix.shape, np.int64)
    listed[u, v] = 1
    if not directed:
        listed[v, u] = 1
    assert np.array_equal(matrix.toarray(), listed)


def test_results_are_shared_by_dlpack():
    graph = rz.open(None)
    graph.add_edges([(0, 1), (1, 2)])
    result = rz.bfs(graph, 0)
    shared = np.from_dlpack(result)
    assert np.shares_memory(shared, result.to_numpy())
    assert np.array_equal(np.from_dlpack(result.parents), result.parents)
