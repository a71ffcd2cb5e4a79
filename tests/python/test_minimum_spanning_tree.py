"""Spanning trees against NetworkX."""

from __future__ import annotations

import pytest
import rizoma as rz

networkx = pytest.importorskip("networkx")


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_agrees_with_networkx(maximum, weighted):
    plain = networkx.gnp_random_graph(70, 0.08, seed=9)
    for u, v, data in plain.edges(data=True):
        data["weight"] = ((u * 7 + v * 13) % 101) / 4 if weighted else 1
    span = networkx.maximum_spanning_tree if maximum else networkx.minimum_spanning_tree
    expected = span(plain)
    with rz.open(None, weights=True if weighted else None) as graph:
        rows = [(u, v, data["weight"]) for u, v, data in plain.edges(data=True)]
        graph.add_edges(rows if weighted else [row[:2] for row in rows])
        graph.add_vertices(list(plain))
        found = rz.minimum_spanning_tree(graph, maximum)
        columns = found.edges().to_pydict()
        assert found.weight == pytest.approx(expected.size(weight="weight"))
        assert found.count == expected.number_of_edges() == len(columns["source"])
        tree = networkx.Graph(zip(columns["source"], columns["target"], strict=True))
        assert networkx.is_forest(tree)
        assert {v: found[v] for v in tree} == dict(tree.degree)
        assert sum(columns["weight"]) == pytest.approx(found.weight)


def test_a_directed_graph_is_refused():
    with rz.open(None, directed=True) as graph:
        graph.add_edges([(0, 1)])
        with pytest.raises(rz.UnsupportedError, match="directed"):
            rz.minimum_spanning_tree(graph)
