"""Several paths, several sources, and ways to all vertices: against NetworkX."""

from __future__ import annotations

import math
from itertools import islice, pairwise

import networkx as nx
import pytest
import rizoma as rz
from hypothesis import given, settings
from hypothesis import strategies as st


@st.composite
def weighted(draw, least=0):
    """A small graph with lengths, as NetworkX and as Rizoma have it."""
    directed, n = draw(st.booleans()), draw(st.integers(2, 9))
    ends = st.integers(0, n - 1)
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=24, unique_by=lambda p: p if directed else tuple(sorted(p))))
    lengths = draw(st.lists(st.integers(least, 4), min_size=len(pairs), max_size=len(pairs)))
    theirs = nx.DiGraph() if directed else nx.Graph()
    theirs.add_nodes_from(range(n))
    theirs.add_weighted_edges_from((u, v, w) for (u, v), w in zip(pairs, lengths, strict=True))
    column = draw(st.sampled_from(["weight", "km"]))
    ours = rz.open(None, directed=directed, edges={column: draw(st.sampled_from(["int32", "float64"]))}, ids="integer")
    ours.add_vertices(list(range(n)))
    if pairs:
        source, target = zip(*pairs, strict=True)
        ours.add_edges({"source": list(source), "target": list(target), column: lengths})
    return theirs, ours, column


@settings(max_examples=60, deadline=None)
@given(graphs=weighted(), k=st.integers(1, 6), by_length=st.booleans())
def test_k_shortest_paths_are_networkx_s(graphs, k, by_length):
    theirs, ours, column = graphs
    mine, other = (column, "weight") if by_length else (None, None)
    found = rz.k_shortest_paths(ours, 0, 1, k, weight=mine)
    try:
        expected = list(islice(nx.shortest_simple_paths(theirs, 0, 1, weight=other), k))
    except nx.NetworkXNoPath:
        expected = []
    assert [path.length for path in found] == [
        nx.path_weight(theirs, p, "weight") if by_length else len(p) - 1 for p in expected
    ]
    assert len({tuple(path) for path in found}) == len(found)
    for path in found:
        assert (path[0], path[-1]) == (0, 1)
        assert len(set(path)) == len(path)
        assert all(theirs.has_edge(u, v) for u, v in pairwise(path))
        if by_length:
            assert sum(path.edges[column].to_pylist()) == path.length


@settings(max_examples=60, deadline=None)
@given(graphs=weighted(least=1), by_length=st.booleans())
def test_all_shortest_paths_are_networkx_s(graphs, by_length):
    theirs, ours, column = graphs
    mine, other = (column, "weight") if by_length else (None, None)
    found = [tuple(path) for path in rz.all_shortest_paths(ours, 0, 1, weight=mine)]
    try:
        expected = {tuple(path) for path in nx.all_shortest_paths(theirs, 0, 1, weight=other)}
    except nx.NetworkXNoPath:
        expected = set()
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert [list(p) for p in rz.all_shortest_paths(ours, 0, 0)] == [[0]]


@settings(max_examples=60, deadline=None)
@given(graphs=weighted(), some=st.sets(st.integers(0, 1), min_size=1), by_length=st.booleans())
def test_several_sources(graphs, some, by_length):
    theirs, ours, column = graphs
    levels = rz.bfs(ours, sorted(some))
    steps = {v: min(nx.single_source_shortest_path_length(theirs, s).get(v, 99) for s in some) for v in theirs}
    assert {v: levels[v] for v in theirs} == {v: None if d == 99 else d for v, d in steps.items()}
    lengths = rz.sssp(ours, sorted(some), weight=column if by_length else None)
    expected = nx.multi_source_dijkstra_path_length(theirs, some, weight="weight" if by_length else None)
    assert {v: lengths[v] for v in theirs} == {v: expected.get(v, math.inf) for v in theirs}
    for source, result in [(some, lengths), ({0}, rz.sssp(ours, 0, weight=column if by_length else None))]:
        for v in theirs:
            path = result.path_to(v)
            assert (path is None) == math.isinf(result[v])
            if path is not None:
                assert path[0] in source
                assert path[-1] == v
                assert len(set(path)) == len(path)
                weights = [theirs[a][b]["weight"] if by_length else 1 for a, b in pairwise(path)]
                assert sum(weights) == result[v]


def test_mistakes_are_named():
    graph = rz.open(None, directed=True, in_edges=False, weights="float64")
    graph.add_edges([("a", "b", 1.0), ("b", "c", 2.0)])
    with pytest.raises(rz.UnsupportedError, match="in-edges"):
        rz.k_shortest_paths(graph, "a", "c", 2)
    with pytest.raises(rz.InvalidArgumentError, match="empty list"):
        rz.bfs(graph, [])
    with pytest.raises(rz.VertexNotFoundError, match="'z'"):
        rz.sssp(graph, ["a", "z"])
    other = rz.open(None, weights="float64")
    other.add_edges([("a", "b", -1.0)])
    with pytest.raises(rz.InvalidArgumentError, match="weights must be 0 or more"):
        rz.k_shortest_paths(other, "a", "b", 2, weight="weight")
    with pytest.raises(rz.InvalidArgumentError, match="k is 0"):
        rz.k_shortest_paths(other, "a", "b", 0)
