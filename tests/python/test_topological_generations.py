"""Topological generations against NetworkX."""

from __future__ import annotations

import pytest
import rizoma as rz

networkx = pytest.importorskip("networkx")


def test_agrees_with_networkx():
    random = networkx.gnp_random_graph(60, 0.05, seed=8, directed=True)
    plain = networkx.DiGraph((u, v) for u, v in random.edges if u < v)
    expected = {v: place for place, some in enumerate(networkx.topological_generations(plain)) for v in some}
    with rz.open(None, directed=True) as graph:
        graph.add_edges(list(plain.edges))
        found = rz.topological_generations(graph)
        assert found.to_dict() == expected
        assert found.count == 1 + max(expected.values())


def test_cycles_and_undirected_graphs_are_refused():
    with rz.open(None, directed=True) as graph:
        graph.add_edges([(0, 1), (1, 2), (2, 1)])
        with pytest.raises(rz.InvalidArgumentError, match="cycle"):
            rz.topological_generations(graph)
    with rz.open(None) as graph:
        graph.add_edges([(0, 1)])
        with pytest.raises(rz.InvalidArgumentError, match="directed"):
            rz.topological_generations(graph)
