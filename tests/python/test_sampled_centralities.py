"""Sampled centralities: no score is farther from the exact one than the result says."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import rizoma as rz


def stored(given):
    graph = rz.open(None, directed=given.is_directed(), ids="integer")
    graph.add_vertices(list(given))
    graph.add_edges(list(given.edges))
    return graph


GRAPHS = {
    "sparse": nx.gnm_random_graph(300, 330, seed=1),
    "dense": nx.gnm_random_graph(200, 3000, seed=2),
    "hubs": nx.barabasi_albert_graph(400, 2, seed=3),
    "circle": nx.cycle_graph(150),
    "parts": nx.disjoint_union_all([nx.star_graph(60), nx.cycle_graph(40), nx.path_graph(3), nx.empty_graph(4)]),
    "directed": nx.gnm_random_graph(250, 900, seed=4, directed=True),
}


@pytest.mark.parametrize("epsilon", [1e-6, 1e-10, 1e-100, 1e-200, 5e-324])
@pytest.mark.parametrize("name", ["hubs", "directed"])
def test_betweenness_is_exact_where_samples_would_be_more_than_pairs(name, epsilon):
    graph = stored(GRAPHS[name])
    for normalized in (True, False):
        found = rz.betweenness_centrality(graph, epsilon=epsilon, normalized=normalized, seed=1)
        exact = rz.betweenness_centrality(graph, normalized=normalized)
        assert np.allclose(found.to_numpy(), exact.to_numpy(), rtol=1e-12)
        assert (found.error, found.samples) == (0, 0)


@pytest.mark.parametrize("name", GRAPHS)
def test_sampled_harmonic_centrality_does_not_depend_on_the_threads(name):
    graph = stored(GRAPHS[name])
    found = [
        rz.harmonic_centrality(graph, k=k, seed=5, threads=threads).to_numpy()
        for k in (7, len(GRAPHS[name]) - 1)
        for threads in (1, 2, 2, 3, 5)
    ]
    for each in found[1:5]:
        assert np.array_equal(each, found[0])
    for each in found[6:]:
        assert np.array_equal(each, found[5])


@pytest.mark.parametrize("name", GRAPHS)
def test_betweenness_is_as_near_as_it_says(name):
    given = GRAPHS[name]
    graph = stored(given)
    for normalized in (True, False):
        exact = rz.betweenness_centrality(graph, normalized=normalized)
        assert exact.error == 0
        n = len(given)
        pairs = 1 if normalized else (n - 1) * (n - 2) / (1 if given.is_directed() else 2)
        for seed in range(3):
            found = rz.betweenness_centrality(graph, epsilon=0.05, delta=1e-4, normalized=normalized, seed=seed)
            assert np.abs(found.to_numpy() - exact.to_numpy()).max() <= found.error <= 0.05 * pairs * (1 + 1e-9)
            assert found.samples > 0
            options = {"epsilon": 0.05, "delta": 1e-4, "normalized": normalized, "seed": seed}
            again = rz.betweenness_centrality(graph, threads=1, **options)
            assert found.to_numpy().tolist() == again.to_numpy().tolist()
            sampled = rz.betweenness_centrality(graph, k=40, delta=1e-4, normalized=normalized, seed=seed)
            assert np.abs(sampled.to_numpy() - exact.to_numpy()).max() <= sampled.error
            assert sampled.error > 0


@pytest.mark.parametrize("name", GRAPHS)
def test_harmonic_centrality_is_as_near_as_it_says(name):
    graph = stored(GRAPHS[name])
    exact = rz.harmonic_centrality(graph)
    assert exact.error == 0
    for seed in range(4):
        some = [rz.harmonic_centrality(graph, k=50, delta=1e-4, seed=seed)]
        some.append(rz.harmonic_centrality(graph, epsilon=0.3, delta=1e-4, seed=seed))
        assert some[1].error <= 0.3 * (len(graph) - 1)
        for found in some:
            assert np.abs(found.to_numpy() - exact.to_numpy()).max() <= found.error
            assert 0 < found.samples < len(graph)
    assert rz.harmonic_centrality(graph, k=len(graph)).to_numpy().tolist() == exact.to_numpy().tolist()


@pytest.mark.parametrize("wf_improved", [True, False])
@pytest.mark.parametrize("name", [name for name in GRAPHS if name != "directed"])
def test_closeness_is_as_near_as_it_says(name, wf_improved):
    graph = stored(GRAPHS[name])
    exact = rz.closeness_centrality(graph, wf_improved)
    assert exact.error == 0
    for seed in range(4):
        for options in ({"k": 50}, {"k": 1}, {"epsilon": 0.25}):
            found = rz.closeness_centrality(graph, wf_improved, delta=1e-4, seed=seed, **options)
            assert np.abs(found.to_numpy() - exact.to_numpy()).max() <= found.error + 1e-12


def test_samples_are_better_the_larger_they_are():
    graph = rz.generate("rmat", 11, seed=1).undirected()
    exact = rz.closeness_centrality(graph).to_numpy()
    near = rz.closeness_centrality(graph, k=1500, seed=1)
    assert np.abs(near.to_numpy() - exact).max() < 0.05
    assert near.error < rz.closeness_centrality(graph, k=100, seed=1).error


def test_mistakes_are_named():
    graph = stored(GRAPHS["sparse"])
    directed = stored(GRAPHS["directed"])
    for function in (rz.betweenness_centrality, rz.harmonic_centrality, rz.closeness_centrality):
        for wrong in ({"epsilon": 0}, {"epsilon": 1}, {"delta": 0}, {"epsilon": 0.1, "delta": 2}, {"k": 0}, {"k": 301}):
            with pytest.raises(rz.InvalidArgumentError):
                function(graph, **wrong)
        with pytest.raises(rz.InvalidArgumentError, match="one of them"):
            function(graph, k=3, epsilon=0.1)
    with pytest.raises(rz.UnsupportedError, match="harmonic_centrality"):
        rz.closeness_centrality(directed, k=5)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_small_graphs(n):
    graph = stored(nx.path_graph(n))
    assert rz.betweenness_centrality(graph, epsilon=0.1).to_dict() == pytest.approx(
        nx.betweenness_centrality(nx.path_graph(n)), abs=0.1
    )
    assert rz.harmonic_centrality(graph, epsilon=0.1).to_dict() == nx.harmonic_centrality(nx.path_graph(n))


def test_the_diameter_is_networkx_s():
    for name, given in GRAPHS.items():
        graph = stored(given)
        if given.is_directed():
            with pytest.raises(rz.UnsupportedError):
                rz.diameter(graph)
            continue
        parts = [given.subgraph(part) for part in nx.connected_components(given)]
        assert rz.diameter(graph) == max(nx.diameter(part) for part in parts), name
