"""Eccentricity against NetworkX."""

from __future__ import annotations

import pytest
import rizoma as rz

networkx = pytest.importorskip("networkx")


@pytest.mark.parametrize("directed", [False, True])
def test_agrees_with_networkx(directed):
    plain = networkx.gnp_random_graph(80, 0.09, seed=3, directed=directed)
    with rz.open(None, directed=directed) as graph:
        graph.add_edges(list(plain.edges))
        found = rz.eccentricity(graph)
        assert found.connected
        assert found.to_dict() == networkx.eccentricity(plain)
        assert (found.diameter, found.radius) == (networkx.diameter(plain), networkx.radius(plain))
        assert "diameter" in repr(found)


def test_parts_and_removed_vertices():
    with rz.open(None) as graph:
        graph.add_edges([(0, 1), (1, 2), (3, 4), (5, 0)])
        graph.remove_vertices([5])
        found = rz.eccentricity(graph)
        assert found.to_dict() == {0: 2, 1: 1, 2: 2, 3: 1, 4: 1}
        assert not found.connected
    with rz.open(None) as empty:
        assert (rz.eccentricity(empty).diameter, rz.eccentricity(empty).connected) == (0, True)
