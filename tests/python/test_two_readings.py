"""Input that can be read in two ways is refused with both named, or read in the one that the data proves."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import rizoma as rz


def test_rows_that_are_mappings_are_read_by_their_keys():
    g = rz.open(None, weights="float64")
    g.add_edges([{"source": "ann", "target": "bob"}, {"target": "cem", "source": "bob"}])
    assert sorted(g.edges) == [("ann", "bob"), ("bob", "cem")]
    with pytest.raises(rz.ColumnNotFoundError, match="'note'"):
        g.add_edges([{"Weight": 2.5, "to": "dee", "From": "ann", "note": "x"}])
    g.add_edges([{"Weight": 2.5, "to": "dee", "From": "ann"}])
    assert g.weight("ann", "dee") == 2.5
    g.add_edges([{"a": "x", "b": "y"}], source="a", target="b")
    assert g.has_edge("x", "y")


@pytest.mark.parametrize(
    "rows",
    [
        [{"a": "ann", "b": "bob"}],
        [{"ann": "bob"}],
        [{"source": "ann", "target": "bob"}, {"source": "ann"}],
        [{"source": "ann", "target": "bob"}, ("a", "b")],
        [("a", "b"), {"source": "ann", "target": "bob"}],
        [("a", "b"), "cd"],
        [{"ann", "bob"}],
        [b"ab"],
    ],
)
def test_rows_that_are_no_pairs_are_refused(rows):
    g = rz.open(None)
    with pytest.raises(rz.InvalidArgumentError, match="row"):
        g.add_edges(rows)
    assert len(g) == 0


FRAME = {"name": ["x", "y"], "vertex": ["ann", "bob"]}


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(FRAME),
        pl.DataFrame(FRAME),
        pl.LazyFrame(FRAME),
        pa.table(FRAME),
        pa.record_batch(FRAME),
        pd.DataFrame({"ID": ["ann", "bob"], "n": [1, 2]}),
        pl.DataFrame({"who": ["ann", "bob"]}),
        pd.Series(["ann", "bob"]),
        pl.Series(["ann", "bob"]),
        pa.array(["ann", "bob"]),
        pa.chunked_array([["ann"], ["bob"]]),
        np.array(["ann", "bob"]),
        ["ann", "bob"],
        iter(["ann", "bob"]),
    ],
    ids=lambda table: type(table).__module__ + "." + type(table).__name__,
)
def test_a_table_of_vertices_is_read_by_its_column(table):
    g = rz.open(None)
    if hasattr(table, "__next__"):
        table = list(table)
    g.add_vertices(table)
    assert sorted(g) == ["ann", "bob"]
    assert g.remove_vertices(table) == 2
    assert len(g) == 0


def test_a_table_of_vertices_that_does_not_tell_the_column_is_refused():
    g = rz.open(None)
    g.add_vertices(["ann"])
    for table in (pd.DataFrame({"a": ["ann"], "b": ["bob"]}), {"vertex": ["ann"]}, {"ann": 1}):
        for call in (g.add_vertices, g.remove_vertices):
            with pytest.raises((rz.ColumnNotFoundError, rz.InvalidArgumentError)):
                call(table)
    assert list(g) == ["ann"]


def test_a_lazy_frame_of_edges_is_collected():
    g = rz.open(None)
    g.add_edges(pl.LazyFrame({"source": [1, 2], "target": [2, 3]}))
    assert sorted(g.edges) == [(1, 2), (2, 3)]


def test_a_dense_graph_does_not_grow_by_a_million_in_passing():
    """`1 999999` added to 58,000 vertices used to make 941,772 more."""
    graph = rz.open(None, ids="dense")
    graph.add_edges(np.stack([np.arange(58_000), np.arange(58_000) // 2], axis=1))
    with pytest.raises(rz.InvalidArgumentError, match=r'999999, but the graph has 58000 vertices.*"integer"'):
        graph.add_edges([(1, 999_999)])
    assert len(graph) == 58_000
    graph.add_edges([(1, 100_000)])  # near enough to be meant
    graph.add_vertices([999_999])
    graph.add_edges([(1, 999_999)])
    assert len(graph) == 1_000_000
