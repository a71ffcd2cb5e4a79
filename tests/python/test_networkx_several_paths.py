"""NetworkX's several shortest paths and A* over a stored graph: the answers of NetworkX on a copy."""

from __future__ import annotations

from itertools import islice

import networkx as nx
import pytest
import rizoma as rz
from hypothesis import given, settings
from hypothesis import strategies as st


@st.composite
def pairs(draw):
    """A graph of NetworkX, and the same stored."""
    directed, n = draw(st.booleans()), draw(st.integers(2, 9))
    ends = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(ends, ends), max_size=26, unique_by=lambda p: p if directed else tuple(sorted(p))))
    kind = draw(st.sampled_from(["int32", "float64"]))
    number = st.integers(0, 3) if kind == "int32" else st.sampled_from([0.1, 0.2, 0.3, 0.5])
    weights = draw(st.lists(number, min_size=len(edges), max_size=len(edges)))
    column = draw(st.sampled_from(["weight", "km"]))
    ours = rz.open(None, directed=directed, edges={column: kind}, ids="integer")
    ours.add_vertices(list(range(n)))
    if edges:
        source, target = zip(*edges, strict=True)
        ours.add_edges({"source": list(source), "target": list(target), column: weights})
    theirs = nx.DiGraph() if directed else nx.Graph()
    theirs.add_nodes_from(range(n))
    for row in sorted(ours.edges.to_arrow().to_pylist(), key=lambda row: (row["source"], row["target"])):
        theirs.add_edge(row["source"], row["target"], **{column: row[column]})
    return theirs, ours, column


def answer(function, *arguments, **options):
    try:
        return function(*arguments, **options)
    except (nx.NetworkXNoPath, nx.NodeNotFound, ValueError) as error:
        return type(error), str(error)


@settings(max_examples=150, deadline=None)
@given(graphs=pairs(), weighted=st.booleans(), last=st.integers(0, 9))
def test_all_shortest_paths(graphs, weighted, last):
    theirs, ours, column = graphs
    weight = column if weighted else None

    def of(graph):
        return answer(lambda: sorted(nx.all_shortest_paths(graph, 0, last, weight=weight)))

    assert of(ours) == of(theirs)


@settings(max_examples=100, deadline=None)
@given(graphs=pairs(), weighted=st.booleans(), last=st.integers(0, 9))
def test_shortest_simple_paths(graphs, weighted, last):
    theirs, ours, column = graphs
    weight = column if weighted else None

    def of(graph):
        return answer(lambda: list(islice(nx.shortest_simple_paths(graph, 0, last, weight=weight), 200)))

    found, expected = of(ours), of(theirs)
    if isinstance(expected, tuple):
        assert found == expected
        return
    length = (lambda path: round(nx.path_weight(theirs, path, weight), 9)) if weighted else len
    assert list(map(length, found)) == list(map(length, expected))
    if len(expected) < 200:
        assert sorted(found) == sorted(expected)


@settings(max_examples=100, deadline=None)
@given(graphs=pairs(), weighted=st.booleans(), last=st.integers(0, 9), estimate=st.sampled_from([None, 0, 1, 3]))
def test_astar(graphs, weighted, last, estimate):
    theirs, ours, column = graphs
    weight = column if weighted else None
    heuristic = None if estimate is None else lambda u, v: estimate * abs(u - v) / 10
    for cutoff in (None, 2):
        options = {"heuristic": heuristic, "weight": weight, "cutoff": cutoff}
        for function in (nx.astar_path, nx.astar_path_length):
            found, expected = (answer(function, graph, 0, last, **options) for graph in (ours, theirs))
            if function is nx.astar_path_length and not isinstance(expected, tuple):
                assert found == pytest.approx(expected)
            else:
                assert found == expected


def test_a_stored_graph_is_searched_and_not_copied(monkeypatch):
    graph = rz.open(None, weights="float64")
    graph.add_edges([(i, i + 1, 1.0) for i in range(1000)])
    monkeypatch.setattr("rizoma.networkx.registry.as_networkx", None)
    assert len(nx.astar_path(graph, 0, 1000)) == 1001
    assert nx.astar_path_length(graph, 0, 1000, weight="weight") == 1000
    assert [len(path) for path in nx.shortest_simple_paths(graph, 0, 1000, weight="weight")] == [1001]
    assert [len(path) for path in nx.all_shortest_paths(graph, 3, 900)] == [898]
