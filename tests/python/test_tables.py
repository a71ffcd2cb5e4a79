"""Everything that lists edges goes in, and the same edges come out."""

from __future__ import annotations

import warnings
from pathlib import Path

import duckdb
import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import rizoma as rz
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

PAIRS = [(0, 1), (1, 2), (2, 0), (2, 3)]
NAMES = [("ann", "bob"), ("bob", "cem"), ("cem", "ann"), ("cem", "d\u00e9")]
WEIGHTS = [1.5, 2.0, 3.0, 4.25]


def columns(rows):
    sources, targets = zip(*rows, strict=True)
    return {"source": list(sources), "target": list(targets), "weight": WEIGHTS}


def batches(rows):
    table = pa.table(columns(rows))
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=3))


KINDS = {
    "pandas": lambda rows: pd.DataFrame(columns(rows)),
    "polars": lambda rows: pl.DataFrame(columns(rows)),
    "pyarrow table": lambda rows: pa.table(columns(rows)),
    "pyarrow batch": lambda rows: pa.record_batch(columns(rows)),
    "pyarrow reader": batches,
    "duckdb": lambda rows: duckdb.from_arrow(pa.table(columns(rows))),
    "mapping": columns,
    "triples": lambda rows: [(u, v, w) for (u, v), w in zip(rows, WEIGHTS, strict=True)],
    "generator": lambda rows: ((u, v, w) for (u, v), w in zip(rows, WEIGHTS, strict=True)),
    "dictionary-encoded": lambda rows: pd.DataFrame(columns(rows)).astype({"source": "category", "target": "category"}),
    "networkx": lambda rows: _weighted(nx.DiGraph(), rows),
}


def _weighted(graph, rows):
    graph.add_weighted_edges_from((u, v, w) for (u, v), w in zip(rows, WEIGHTS, strict=True))
    return graph


def weighted_edges(graph):
    table = graph.edges.to_arrow().to_pydict()
    return sorted(zip(table["source"], table["target"], table["weight"], strict=True))


@pytest.mark.parametrize("rows", [PAIRS, NAMES], ids=["integers", "strings"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(kind, rows):
    graph = rz.open(None, directed=True, weights=True)
    graph.add_edges(KINDS[kind](rows))
    assert weighted_edges(graph) == sorted((u, v, w) for (u, v), w in zip(rows, WEIGHTS, strict=True))
    assert graph.ids == ("string" if rows is NAMES else "dense")


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint32, np.int64, np.uint64, ">i8", float])
@pytest.mark.parametrize("layout", ["C", "F"])
def test_numpy(dtype, layout):
    graph = rz.open(None, directed=True)
    graph.add_edges(np.array(PAIRS, dtype=dtype, order=layout))
    assert graph.num_edges == 4
    assert graph.neighbors(2) == [0, 3]


def test_numpy_with_weights():
    graph = rz.open(None, weights="float32")
    graph.add_edges(np.array([[0, 1, 0.5], [1, 2, 0.25]]))
    assert graph.neighbor_weights(1).tolist() == [0.5, 0.25]


def test_scipy():
    dense = np.array([[0, 2, 0, 0], [0, 0, 3, 0], [0, 0, 0, 0], [0, 0, 0, 0]], float)
    for matrix in (sp.csr_array(dense), sp.coo_matrix(dense)):
        graph = rz.open(None, directed=True, weights=True)
        graph.add_edges(matrix)
        assert len(graph) == 4
        assert weighted_edges(graph) == [(0, 1, 2.0), (1, 2, 3.0)]


def test_symmetric_matrix_gives_each_edge_once():
    matrix = sp.csr_array(np.array([[0, 1, 0], [1, 0, 5], [0, 5, 0]]))
    graph = rz.open(None, weights="int32", parallel_edges="keep")
    graph.add_edges(matrix)
    assert graph.num_edges == 2
    assert graph.neighbors(1) == [0, 2]


def test_networkx_keeps_isolated_vertices_and_directions():
    source = nx.Graph([(0, 1)])
    source.add_node(7)
    graph = rz.open(None, directed=True)
    graph.add_edges(source)
    assert sorted(graph.degrees().to_dict().items()) == [(0, 1), (1, 1), (7, 0)]
    assert graph.has_edge(1, 0)


def test_igraph():
    source = igraph.Graph(n=4, edges=[(0, 1), (1, 2)])
    graph = rz.open(None)
    graph.add_edges(source)
    assert (len(graph), graph.num_edges) == (4, 2)
    source.vs["name"] = ["a", "b", "c", "d"]
    named = rz.open(None)
    named.add_edges(source)
    assert sorted(named.neighbors("b")) == ["a", "c"]


@pytest.mark.parametrize("names", [("src", "dst"), ("From", "To"), ("u", "v"), ("x", "y")])
def test_columns_are_recognised(names):
    graph = rz.open(None, directed=True)
    graph.add_edges(pd.DataFrame({names[0]: [0, 1], names[1]: [1, 2]}))
    assert graph.has_edge(0, 1)


def test_columns_by_name():
    table = pa.table({"miles": [5, 6], "dest": ["b", "c"], "origin": ["a", "b"]})
    graph = rz.open(None, directed=True, weights="int32")
    graph.add_edges(table, source="origin", target="dest", weight="miles")
    assert weighted_edges(graph) == [("a", "b", 5), ("b", "c", 6)]
    with pytest.raises(rz.ColumnNotFoundError, match="no column 'nope'"):
        graph.add_edges(table, source="nope", target="dest")


def test_a_weighted_graph_takes_one_where_there_is_no_weight():
    graph = rz.open(None, directed=True, weights=True)
    graph.add_edges(PAIRS)
    assert {w for _, _, w in weighted_edges(graph)} == {1.0}


def test_weights_are_left_out_unless_asked_for():
    graph = rz.open(None)
    with pytest.warns(UserWarning, match="weights of these edges are dropped") as told:
        graph.add_edges(pd.DataFrame(columns(PAIRS)))
    assert told[0].filename == __file__
    assert graph.weights is None
    with pytest.raises(ValueError, match="no weights"):
        graph.add_edges(pd.DataFrame(columns(PAIRS)), weight="weight")


@pytest.mark.parametrize(
    "data",
    [
        [("a", "b", 1.0), ("b", "c", 2.5)],
        [{"source": "a", "target": "b", "weight": 2}],
        np.array([[0, 1, 7]]),
        sp.csr_array([[0, 3], [0, 0]]),
        nx.path_graph(2, create_using=nx.DiGraph),
    ],
    ids=["rows", "mappings", "array", "matrix", "networkx"],
)
def test_weights_that_are_not_kept_are_told(data):
    if isinstance(data, nx.Graph):
        data.edges[0, 1]["weight"] = 4
    for add in (rz.Graph.add_edges, in_a_batch):
        for graph in (rz.open(None, directed=True), rz.open(None, directed=True, weights=True)):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                add(graph, data)
            assert [each.filename for each in told] == ([] if graph.weights else [__file__])


def test_ids_that_pandas_made_floats_are_the_integers_that_they_were():
    for values in (pd.Series([1.0, 2.0]), np.array([1.0, 2.0], np.float32), [1.0, 2]):
        graph = rz.open(None)
        graph.add_edges({"source": values, "target": [2, 3]})
        assert sorted(graph.edges) == [(1, 2), (2, 3)]
    for values in (pd.Series([1.0, 2.5]), np.array([1.0, np.inf]), [1.0, 2.5]):
        with pytest.raises(rz.InvalidArgumentError, match=r"in row 1; vertex ids are whole numbers"):
            rz.open(None).add_edges({"source": values, "target": [2, 3]})
    with pytest.raises(rz.InvalidArgumentError, match=r"timestamp.*integers or strings: convert others to text"):
        rz.open(None).add_edges({"source": pd.to_datetime(["2026-01-01"]), "target": ["a"]})


def test_an_import_calls_a_table_what_it_is():
    """With columns to keep it was a RecordBatchReader."""
    table = pd.DataFrame({"source": [1], "target": [2], "note": ["x"]})
    for edges in (None, "infer"):
        assert "DataFrame: " in str(rz.read(table, into=None, edges=edges).last_import)


@pytest.mark.parametrize("there", [[], [(0, 1)]], ids=["bulk", "change"])
def test_weights_that_begin_late_are_told_too(there):
    """Only the first rows were looked at."""
    many = 300_000
    data = np.stack([np.arange(many), np.arange(many) + 1, np.ones(many, np.int64)], axis=1)
    data[-1, 2] = 7
    table = pa.table(dict(zip(("source", "target", "weight"), data.T, strict=True)))
    for add in (rz.Graph.add_edges, in_a_batch):
        graph = rz.open(None)
        graph.add_edges(there)
        with pytest.warns(UserWarning, match="weights of these edges are dropped") as told:
            add(graph, table)
        assert [each.filename for each in told] == [__file__]
        assert graph.num_edges == many
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(UserWarning):
                add(graph, [(many + 5, 0, 2)])
        assert graph.num_edges == many


def in_a_batch(graph, data):
    with graph.batch() as batch:
        batch.add_edges(data)


def test_weights_of_one_are_lost_without_a_loss():
    graph = rz.open(None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph.add_edges(sp.csr_array([[0, 1], [1, 0]]))
        graph.add_edges([(0, 1, 1), (1, 2, 1.0)])
    assert graph.weight(1, 2) == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([(1, 2), (3,)], "row 1"),
        ([(1, 2), ("a", "b")], "mixture"),
        ([(1.5, 2)], "float"),
        ([(True, False)], "bool"),
        ([(1, 2**70)], "64 bits"),
        (["ab", "cd"], "row 0"),
        (np.zeros((3, 4), int), "shape"),
        (np.array([[0.5, 1]]), "whole numbers"),
        (sp.csr_array((2, 3)), "square"),
        (pd.DataFrame({"source": [1, None], "target": [2, 3]}), "double|null"),
        (pa.table({"source": pa.array([1, None]), "target": [2, 3]}), "row 1"),
        (42, "cannot read edges"),
    ],
)
def test_what_cannot_be_edges(data, message):
    graph = rz.open(None)
    with pytest.raises(ValueError, match=message):
        graph.add_edges(data)
    assert len(graph) == 0


def test_decimal_weights_are_numbers():
    graph = rz.open(None, weights="float64")
    graph.add_edges(duckdb.sql("select 2 as source, 3 as target, 2.5 as weight"))
    assert graph.edges.to_arrow()["weight"].to_pylist() == [2.5]


def test_large_tables_are_loaded_in_bulk(tmp_path):
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, 50_000, (300_000, 2))
    with rz.open(tmp_path / "big.rz", directed=True) as graph:
        graph.add_edges(pd.DataFrame(pairs, columns=["source", "target"]))
        assert graph.info().pending_entries == 0
        assert graph.num_edges == len(np.unique(pairs, axis=0))
    with rz.open(tmp_path / "big.rz") as graph:
        table = graph.edges.to_arrow()
        assert set(zip(table[0].to_pylist(), table[1].to_pylist(), strict=True)) == set(map(tuple, pairs.tolist()))


def test_bulk_load_of_strings():
    names = np.array([f"v{i}" for i in range(40_000)])
    graph = rz.open(None)
    graph.add_edges(pa.table({"source": np.repeat(names, 4), "target": np.tile(names, 4)}))
    assert len(graph) == 40_000


ids = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(0, 5))
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)


@settings(deadline=None, max_examples=50)
@given(st.one_of(st.lists(st.tuples(ids, ids), max_size=20), st.lists(st.tuples(words, words), max_size=20)))
def test_any_ids_come_back(pairs):
    graph = rz.open(None, directed=True)
    graph.add_edges(pairs)
    table = graph.edges.to_arrow()
    assert set(zip(table[0].to_pylist(), table[1].to_pylist(), strict=True)) == set(pairs)
    for u, v in pairs:
        assert u in graph
        assert graph.has_edge(u, v)


def test_edges_stream_into_other_libraries():
    graph = rz.open(None, directed=True, weights=True)
    graph.add_edges(pd.DataFrame(columns(NAMES)))
    edges = graph.edges
    assert len(edges) == 4
    assert pl.DataFrame(edges)["weight"].sum() == sum(WEIGHTS)
    assert duckdb.sql("select count(*) from edges").fetchall() == [(4,)]
    assert "source" in repr(edges)
    assert sum(batch.num_rows for batch in edges.batches(rows=1)) == 4


@pytest.mark.filterwarnings("ignore:the weights of these edges are dropped")
@pytest.mark.parametrize("directed", [False, True])
def test_another_graph_of_rizoma_goes_in_with_its_vertices(directed):
    one = rz.open(None, directed=directed, weights="float64")
    one.add_edges([(*pair, weight) for pair, weight in zip(NAMES, WEIGHTS, strict=True)])
    one.add_vertices(["eve"])
    other = rz.open(None, directed=directed, weights="float64")
    other.add_edges(one)
    assert other.edges.to_pandas().equals(one.edges.to_pandas())
    assert "eve" in other
    assert other.remove_edges(one.snapshot()) == len(NAMES)
    both_ways = rz.open(None, directed=True)
    both_ways.add_edges(one)
    assert both_ways.num_edges == len(NAMES) * (1 if directed else 2)


@pytest.mark.parametrize("into", [None, "g.rz"])
def test_tables_are_read_into_a_new_graph(tmp_path, monkeypatch, into):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"who": ["ann", "bob"], "whom": ["bob", "cem"], "sum": [1.5, 2.5]})
    with rz.read(frame, into=into, directed=True, source="who", target="whom", weight="sum") as graph:
        assert (graph.directed, graph.weights, graph.ids) == (True, "float64", "string")
        assert graph.weight("bob", "cem") == 2.5
        assert graph.last_import.files[0].format == "table"
        assert graph.last_import.edges_added == 2
    if into:
        rz.read([("cem", "dia")], into=into, append=True, weights=False).close()
        with rz.open(into) as graph:
            assert len(graph) == 4
        with pytest.raises(rz.AlreadyExistsError, match="append"):
            rz.read(frame, into=into, source="who", target="whom")
    with pytest.raises(rz.InvalidArgumentError, match="mixes files and tables"):
        rz.read(frame, "edges.csv")
    with pytest.raises(rz.InvalidArgumentError):
        rz.read(17, into="other.rz")
    assert not Path("other.rz").exists()


def test_what_a_table_is_decides_the_graph():
    weights = pa.array([2.5], pa.float32())
    graph = rz.read(np.array([[0, 1], [1, 2]]), pa.table({"source": [0], "target": [1], "weight": weights}))
    assert (graph.ids, graph.weights, len(graph), graph.directed) == ("dense", "float32", 3, False)
    networkx = pytest.importorskip("networkx")
    again = rz.read(networkx.DiGraph([(5, 9)]))
    assert (again.directed, again.ids) == (True, "integer")
