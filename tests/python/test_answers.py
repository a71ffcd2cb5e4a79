"""The kernels against NetworkX and SciPy, for every thread count and inner order."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import rizoma as rz
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_graphs import random_graph, stored
from scipy.sparse import csgraph

EVERY_WAY = [
    (threads, order, directed)
    for threads in (1, 2, 3, 4)
    for order in ("given", "degree")
    for directed in (False, True)
]
every_way = pytest.mark.parametrize(("threads", "order", "directed"), EVERY_WAY)


@every_way
def test_pagerank(threads, order, directed):
    graph = random_graph(threads, directed=directed)
    jump = {0: 1.0, 3: 2.0}
    with rz.config(threads=threads):
        mine = stored(graph, order)
        for personalization in (None, jump):
            want = nx.pagerank(graph, weight=None, personalization=personalization, tol=1e-12, max_iter=1000)
            got = rz.pagerank(mine, personalization=personalization, tol=1e-10, max_iter=1000)
            assert got.converged
            assert got.error <= 1e-10
            assert got.to_dict() == pytest.approx(want, abs=1e-9)
        weighted = rz.pagerank(mine, weight="weight", tol=1e-10, max_iter=1000).to_dict()
        assert weighted == pytest.approx(nx.pagerank(graph, tol=1e-12, max_iter=1000), abs=1e-9)


def test_the_error_of_pagerank_is_a_bound():
    graph = random_graph(5)
    mine = stored(graph)
    exact = rz.pagerank(mine, tol=1e-14, max_iter=1000).to_numpy()
    for tol in (1e-2, 1e-4, 1e-6):
        result = rz.pagerank(mine, tol=tol)
        assert np.abs(result.to_numpy() - exact).sum() <= result.error <= tol


@every_way
def test_bfs(threads, order, directed):
    graph = random_graph(threads + 10, directed=directed)
    mine = stored(graph, order)
    want = nx.single_source_shortest_path_length(graph, 0)
    got = rz.bfs(mine, 0, threads=threads)
    assert got.to_dict() == want
    assert got.reached == len(want)
    assert got.depth == max(want.values())
    for vertex, level, parent in got.to_pandas().dropna().itertuples(index=False):
        assert (vertex == parent == 0) if level == 0 else graph.has_edge(parent, vertex) and want[parent] == level - 1
    assert rz.bfs(mine, 0, max_depth=1).to_dict() == {v: d for v, d in want.items() if d <= 1}


@every_way
def test_connected_components(threads, order, directed):
    graph = random_graph(threads + 20, m=60, directed=directed)
    got = rz.connected_components(stored(graph, order), threads=threads)
    want = nx.weakly_connected_components(graph) if directed else nx.connected_components(graph)
    want = sorted(map(sorted, want))
    parts: dict[object, list[int]] = {}
    for vertex, label in got.to_dict().items():
        parts.setdefault(label, []).append(vertex)
    assert sorted(map(sorted, parts.values())) == want
    assert all(label in part for label, part in parts.items())
    assert got.count == len(want)
    assert got.largest == max(map(len, want))
    assert [size for _, size in got.top(3)] == sorted(map(len, want), reverse=True)[:3]


@every_way
def test_betweenness_centrality(threads, order, directed):
    graph = random_graph(threads + 30, directed=directed)
    mine = stored(graph, order)
    for normalized in (True, False):
        want = nx.betweenness_centrality(graph, normalized=normalized)
        got = rz.betweenness_centrality(mine, normalized=normalized, threads=threads)
        assert got.to_dict() == pytest.approx(want, abs=1e-9)
    assert rz.betweenness_centrality(mine, k=len(mine)).to_dict() == pytest.approx(nx.betweenness_centrality(graph))


def test_sampled_betweenness_is_reproducible():
    mine = stored(random_graph(3))
    first = rz.betweenness_centrality(mine, k=5, seed=7)
    assert first.sources == 5
    assert first.to_dict() == pytest.approx(rz.betweenness_centrality(mine, k=5, seed=7).to_dict())
    assert first.to_dict() != pytest.approx(rz.betweenness_centrality(mine, k=5, seed=8).to_dict())


@every_way
def test_sssp(threads, order, directed):
    graph = random_graph(threads + 40, directed=directed)
    mine = stored(graph, order)
    matrix = nx.to_scipy_sparse_array(graph, nodelist=range(len(graph)))
    want = csgraph.dijkstra(matrix, indices=0)
    for delta in (None, 1, 7.5):
        got = rz.sssp(mine, 0, delta=delta, threads=threads)
        assert [got[v] for v in range(len(graph))] == want.tolist()
        assert got.reached == np.isfinite(want).sum()


@every_way
def test_triangle_count(threads, order, directed):
    graph = random_graph(threads + 50, m=300, directed=directed)
    got = rz.triangle_count(stored(graph, order), threads=threads)
    want = nx.triangles(nx.Graph(graph))
    assert got.to_dict() == want
    assert got.total == sum(want.values()) // 3


edges = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=40)


@settings(deadline=None, max_examples=60)
@given(edges, st.booleans())
def test_any_graph(pairs, directed):
    """Small graphs of every shape: loops, parallel edges, holes in the numbering."""
    graph = nx.DiGraph(pairs) if directed else nx.Graph(pairs)
    mine = rz.open(None, directed=directed)
    mine.add_edges(pairs)
    ids = set(mine.degrees().ids.tolist())
    assert ids == set(graph)
    assert mine.num_edges == graph.number_of_edges()
    for vertex in graph:
        assert sorted(mine.neighbors(vertex)) == sorted(graph[vertex])
    source = pairs[0][0]
    assert rz.bfs(mine, source).to_dict() == nx.single_source_shortest_path_length(graph, source)
    simple = nx.Graph(graph)
    assert rz.triangle_count(mine).to_dict() == nx.triangles(simple)
    assert rz.connected_components(mine).count == nx.number_connected_components(simple)
    want = nx.pagerank(graph, tol=1e-12, max_iter=1000)
    assert rz.pagerank(mine, tol=1e-10, max_iter=1000).to_dict() == pytest.approx(want, abs=1e-8)


@every_way
def test_structure(threads, order, directed):
    graph = random_graph(threads + 60, m=200, directed=directed)
    plain = graph.copy()
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    with rz.config(threads=threads):
        mine = stored(graph, order)
        assert rz.core_number(mine).to_dict() == nx.core_number(plain)
        assert rz.clustering(mine).to_dict() == pytest.approx(nx.clustering(graph))
        assert rz.clustering(mine).average == pytest.approx(nx.average_clustering(graph))
        assert rz.closeness_centrality(mine).to_dict() == pytest.approx(nx.closeness_centrality(graph))
        improved = nx.closeness_centrality(graph, wf_improved=False)
        assert rz.closeness_centrality(mine, wf_improved=False).to_dict() == pytest.approx(improved)
        assert rz.harmonic_centrality(mine).to_dict() == pytest.approx(nx.harmonic_centrality(graph))
        parts: dict[int, set[int]] = {}
        for vertex, label in rz.strongly_connected_components(mine).to_dict().items():
            parts.setdefault(label, set()).add(vertex)
        strong = nx.strongly_connected_components(graph) if directed else nx.connected_components(graph)
        assert sorted(map(sorted, parts.values())) == sorted(map(sorted, strong))


@every_way
def test_louvain(threads, order, directed):
    graph = nx.planted_partition_graph(6, 20, 0.5, 0.03, seed=threads, directed=directed)
    mine = stored(graph, order, weights=None)
    got = rz.louvain(mine, seed=5, threads=threads)
    parts: dict[int, set[int]] = {}
    for vertex, label in got.to_dict().items():
        parts.setdefault(label, set()).add(vertex)
    assert got.count == len(parts)
    assert got.modularity == pytest.approx(nx.community.modularity(graph, parts.values()))
    best = nx.community.modularity(graph, nx.community.louvain_communities(graph, seed=1))
    assert got.modularity > best - 0.02
    assert got.top(1)[0][1] == max(map(len, parts.values()))
    assert rz.louvain(mine, seed=5).to_dict() == got.to_dict()
    assert rz.louvain(mine, resolution=5, seed=5).count > got.count
    weighted = stored(random_graph(threads, directed=directed), order)
    found = rz.louvain(weighted, seed=1)
    whole = [[v for v, c in found.to_dict().items() if c == part] for part in range(found.count)]
    assert found.modularity == pytest.approx(nx.community.modularity(random_graph(threads, directed=directed), whole))
    with pytest.raises(ValueError, match="max_levels"):
        rz.louvain(mine, max_levels=0)
