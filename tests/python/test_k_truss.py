"""Trusses against NetworkX."""

from __future__ import annotations

import pytest
import rizoma as rz

networkx = pytest.importorskip("networkx")


@pytest.mark.parametrize("k", [0, 2, 3, 4, 5, 9])
def test_agrees_with_networkx(k):
    plain = networkx.gnp_random_graph(70, 0.15, seed=5)
    expected = networkx.k_truss(plain, k)
    with rz.open(None) as graph:
        graph.add_edges(list(plain.edges))
        graph.add_vertices(list(plain))
        found = rz.k_truss(graph, k)
        table = found.edges().to_pydict()
        edges = {frozenset(edge) for edge in zip(table["source"], table["target"], strict=True)}
        assert edges == {frozenset(edge) for edge in expected.edges}
        assert found.count == expected.number_of_edges() == found.edges().num_rows
        assert found.to_dict() == {v: expected.degree(v) if v in expected else 0 for v in plain}


def test_what_it_refuses():
    with rz.open(None, directed=True) as graph:
        graph.add_edges([(0, 1)])
        with pytest.raises(rz.UnsupportedError, match="directed"):
            rz.k_truss(graph, 3)
    with rz.open(None) as graph, pytest.raises(rz.InvalidArgumentError, match="k is -1"):
        rz.k_truss(graph, -1)
