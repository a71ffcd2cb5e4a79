"""Greedy colouring: no two neighbours alike, and as many colours as NetworkX needs."""

from __future__ import annotations

import pytest
import rizoma as rz

networkx = pytest.importorskip("networkx")


@pytest.mark.parametrize("strategy", ["largest_first", "random_sequential"])
def test_neighbours_differ(strategy):
    plain = networkx.gnp_random_graph(90, 0.1, seed=6)
    with rz.open(None) as graph:
        graph.add_edges(list(plain.edges))
        graph.add_vertices(list(plain))
        found = rz.greedy_color(graph, strategy, seed=2)
        colors = found.to_dict()
    assert all(colors[u] != colors[v] for u, v in plain.edges)
    assert set(colors.values()) == set(range(found.count))
    assert found.count <= 1 + max(degree for _, degree in plain.degree)


def test_a_star_takes_two_and_bad_arguments_are_refused():
    with rz.open(None) as graph:
        graph.add_edges([(0, v) for v in range(1, 9)])
        assert rz.greedy_color(graph).to_dict() == {0: 0} | dict.fromkeys(range(1, 9), 1)
        with pytest.raises(rz.InvalidArgumentError, match="largest_first"):
            rz.greedy_color(graph, "best")
    with rz.open(None, directed=True) as graph, pytest.raises(rz.UnsupportedError, match="directed"):
        rz.greedy_color(graph)
