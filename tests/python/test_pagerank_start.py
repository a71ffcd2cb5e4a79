"""PageRank from a former result: as near to the exact scores as from scratch, in fewer iterations."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import rizoma as rz


def exact(graph):
    return rz.pagerank(graph, tol=1e-13, max_iter=1000).to_dict()


def distance(result, ranks):
    assert result.to_dict().keys() == ranks.keys()
    return sum(abs(result[v] - rank) for v, rank in ranks.items())


@pytest.fixture
def grown():
    """A graph of string ids, its ranks, and the graph after some changes: vertices come and go."""
    random = np.random.default_rng(2)
    graph = rz.open(None, directed=True)
    edges = [(f"v{a}", f"v{b}") for a, b in random.integers(0, 300, (3000, 2)).tolist()]
    graph.add_edges(edges)
    before = rz.pagerank(graph)
    graph.remove_vertices(["v7", "v8"])
    graph.remove_edges([edge for edge in edges[:10] if not {"v7", "v8"} & set(edge)])
    graph.add_edges([("v1", "new"), ("new", "newer"), ("v2", "v3")])
    return graph, before


def test_it_is_as_near_to_the_exact_ranks(grown):
    graph, before = grown
    result = rz.pagerank(graph, start=before)
    assert result.converged
    assert distance(result, exact(graph)) <= 1e-6
    assert result.iterations < rz.pagerank(graph).iterations
    sent = pickle.loads(pickle.dumps(before))
    np.testing.assert_array_equal(rz.pagerank(graph, start=sent).to_numpy(), result.to_numpy())


def test_it_begins_with_the_former_ranks_whatever_the_numbers_are_now(grown):
    graph, _ = grown
    before = rz.pagerank(graph, tol=1e-12, max_iter=1000)
    assert rz.pagerank(graph, start=before).iterations <= 1
    graph.compact("degree")
    again = rz.pagerank(graph, start=before)
    assert again.iterations <= 1
    assert distance(again, before.to_dict()) <= 1e-6


def test_in_an_undirected_graph_iterations_are_accelerated():
    graph = rz.open(None)
    graph.add_edges([(v, v + step) for v in range(2000) for step in (1, 40)])
    before = rz.pagerank(graph)
    assert distance(before, exact(graph)) <= 1e-6
    as_many = rz.pagerank(graph, tol=0, max_iter=2 * before.iterations)
    assert as_many.error > 1e-6, "twice as many without acceleration are not enough"
    graph.add_edges([(3, 1500), (700, 20)])
    graph.remove_edges([(10, 11)])
    result = rz.pagerank(graph, start=before)
    assert distance(result, exact(graph)) <= 1e-6
    assert result.iterations < rz.pagerank(graph).iterations


def test_new_vertices_begin_with_an_even_share():
    graph = rz.open(None, directed=True)
    graph.add_edges([(0, 1), (1, 0)])
    before = rz.pagerank(graph)
    graph.add_edges([(1, 2), (2, 3)])
    first = rz.pagerank(graph, start=before, max_iter=0, tol=0).to_numpy()
    np.testing.assert_allclose(first, np.array([0.5, 0.5, 0.25, 0.25]) / 1.5)


def test_odd_starts_are_refused(grown):
    graph, before = grown
    with pytest.raises(rz.InvalidArgumentError, match="one of them"):
        rz.pagerank(graph, start=before, nstart={"v1": 1})
    for odd in ({"v1": 1}, rz.connected_components(graph)):
        with pytest.raises(rz.InvalidArgumentError, match="earlier result of pagerank"):
            rz.pagerank(graph, start=odd)
