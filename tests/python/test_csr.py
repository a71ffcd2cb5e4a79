"""The lists of a graph as arrays: what they hold, who owns the memory, and how long it lives."""

from __future__ import annotations

import gc

import numpy as np
import pyarrow as pa
import pytest
import rizoma as rz

SEED = np.random.default_rng(7)


def random_graph(path, *, directed, weights, n=400, m=3000, columns=None):
    graph = rz.open(path, directed=directed, weights=weights, edges=columns, parallel_edges="merge", ids="integer")
    ends = SEED.integers(0, n, (m, 2))
    pairs = sorted({(u, v) if directed else (min(u, v), max(u, v)) for u, v in ends.tolist()})
    table = {"source": [u for u, _ in pairs], "target": [v for _, v in pairs]}
    if weights:
        table["weight"] = [float(i % 17) for i in range(len(pairs))]
    for name in columns or {}:
        table[name] = [i % 23 for i in range(len(pairs))]
    graph.add_edges(pa.table(table))
    graph.add_vertices([n + 5])
    return graph


def expect_lists(graph, found, in_edges=False, weight="weight"):
    ids = rz.pagerank(graph).ids
    for number, v in enumerate(ids.tolist()):
        some = slice(found.indptr[number], found.indptr[number + 1])
        near = graph.in_neighbors(v) if in_edges and graph.directed else graph.neighbors(v)
        assert sorted(ids[found.indices[some]].tolist()) == sorted(near)
        assert (np.diff(found.indices[some]) > 0).all()
        if found.weights is not None and weight == "weight":
            ends = ids[found.indices[some]].tolist()
            expected = [graph.weight(u, v) if in_edges else graph.weight(v, u) for u in ends]
            assert found.weights[some].tolist() == expected


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, "int32", "float32", "float64"])
@pytest.mark.parametrize("stored", [False, True])
def test_arrays_are_the_lists(tmp_path, directed, weights, stored):
    with random_graph(tmp_path / "g.rz" if stored else None, directed=directed, weights=weights) as graph:
        for in_edges in (False, True):
            found = graph.csr(in_edges=in_edges)
            expect_lists(graph, found, in_edges)
            assert found.indptr.dtype == found.indices.dtype == np.int32
            assert (found.weights is None) == (weights is None)
            assert weights is None or found.weights.dtype == weights
            for array in (found.indptr, found.indices, found.weights):
                assert array is None or not array.flags.writeable
        assert graph.csr(weight=None).weights is None


def test_a_column_weighs():
    graph = random_graph(None, directed=True, weights=None, columns={"km": "int32"})
    found = graph.csr(weight="km")
    table = graph.edges.to_arrow()
    of = {(u, v): km for u, v, km in zip(*(table[c].to_pylist() for c in ("source", "target", "km")), strict=True)}
    ids = rz.pagerank(graph).ids
    sources = np.repeat(ids, np.diff(found.indptr))
    assert {
        (u, v): w for u, v, w in zip(sources.tolist(), ids[found.indices].tolist(), found.weights.tolist(), strict=True)
    } == of
    with pytest.raises(rz.InvalidArgumentError, match="'no'"):
        graph.csr(weight="no")


def test_memory_is_the_graphs_where_it_can_be_and_lives_as_long_as_it_is_used(tmp_path):
    graph = random_graph(tmp_path / "g.rz", directed=False, weights="float32")
    graph.compact()
    first, second = graph.csr(), graph.csr()
    assert not first.copied
    assert first.indices.ctypes.data == second.indices.ctypes.data
    kept = first.indices.copy(), first.weights.copy()
    shared = pa.array(first.indices), np.from_dlpack(first.indices)
    graph.remove_edges(graph.edges.to_arrow().select(["source", "target"]))
    graph.compact()
    graph.close()
    del graph, first, second
    gc.collect()
    assert shared[0].to_numpy().tolist() == kept[0].tolist()
    assert shared[1].tolist() == kept[0].tolist()


def test_pending_changes_and_several_sections_are_copied_and_kept_by_a_snapshot(tmp_path):
    graph = random_graph(tmp_path / "g.rz", directed=False, weights=None)
    graph.add_vertices(range(1000, 300_000))
    graph.add_edges([(5, 299_999)])
    state = graph.snapshot()
    found = state.csr()
    assert found.copied
    assert state.csr() is found
    assert state.csr(weight=None) is not found
    assert graph.csr() is not found
    number = int(graph.find([299_999])[0])
    assert found.indices[found.indptr[number] : found.indptr[number + 1]].tolist() == graph.find([5]).tolist()


def test_arrow_lists_share_the_arrays():
    graph = random_graph(None, directed=True, weights="float64")
    found = graph.csr()
    lists = found.to_arrow()
    assert lists.type == pa.list_(pa.struct({"target": pa.int32(), "weight": pa.float64()}))
    assert len(lists) == len(found.indptr) - 1
    number = int(np.argmax(np.diff(found.indptr)))
    some = slice(found.indptr[number], found.indptr[number + 1])
    assert lists[number].values.field("target").to_pylist() == found.indices[some].tolist()
    assert lists.values.field("target").buffers()[1].address == found.indices.ctypes.data
    assert pa.array(graph.csr(weight=None)).type == pa.list_(pa.int32())
    assert repr(found).endswith("weights float64, not copied)")


def test_what_is_not_stored_is_refused_and_an_empty_graph_is_empty():
    graph = rz.open(None, directed=True, in_edges=False)
    assert graph.csr().indptr.tolist() == [0]
    assert len(graph.csr().indices) == 0
    graph.add_edges([(0, 1)])
    with pytest.raises(rz.UnsupportedError, match="in_edges=True"):
        graph.csr(in_edges=True)
