"""Square clustering against NetworkX."""

from __future__ import annotations

import pytest
import rizoma as rz

networkx = pytest.importorskip("networkx")


def test_agrees_with_networkx():
    plain = networkx.gnp_random_graph(50, 0.15, seed=4)
    with rz.open(None) as graph:
        graph.add_edges(list(plain.edges))
        graph.add_vertices(list(plain))
        found = rz.square_clustering(graph).to_dict()
    assert found == pytest.approx(networkx.square_clustering(plain))


def test_a_directed_graph_is_refused():
    with rz.open(None, directed=True) as graph:
        graph.add_edges([(0, 1)])
        with pytest.raises(rz.UnsupportedError, match="directed"):
            rz.square_clustering(graph)
