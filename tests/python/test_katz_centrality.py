"""Katz centrality against NetworkX."""

from __future__ import annotations

import pytest
import rizoma as rz

networkx = pytest.importorskip("networkx")


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("normalized", [False, True])
def test_agrees_with_networkx(directed, weight, normalized):
    plain = networkx.gnp_random_graph(60, 0.08, seed=2, directed=directed)
    for u, v, data in plain.edges(data=True):
        data["weight"] = 1 + (u + v) % 3
    options = {"alpha": 0.02, "beta": 1.5, "tol": 1e-10, "normalized": normalized}
    expected = networkx.katz_centrality(plain, weight=weight, **options)
    with rz.open(None, directed=directed, weights=True) as graph:
        graph.add_edges([(u, v, data["weight"]) for u, v, data in plain.edges(data=True)])
        graph.add_vertices(list(plain))
        found = rz.katz_centrality(graph, weight=weight, **options)
        assert found.converged
        assert found.to_dict() == pytest.approx(expected, rel=1e-7)
        assert "converged" in repr(found)


def test_says_that_alpha_is_too_great():
    with rz.open(None) as graph:
        graph.add_edges([(0, v) for v in range(1, 200)])
        with pytest.raises(rz.InvalidArgumentError, match="without bound"):
            rz.katz_centrality(graph, alpha=1.0, max_iter=10_000)
