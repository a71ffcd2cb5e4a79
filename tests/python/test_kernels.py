"""The kernels that have no function of the package, against NetworkX; orders of visit included."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from rizoma import _core
from rizoma.core.engines import engine
from sample_graphs import sorted_graph, stored

NONE = 2**64 - 1
each_way = pytest.mark.parametrize(("threads", "directed"), [(1, False), (2, False), (1, True), (2, True)])
SOURCES = np.array([3, 0, 7, 55, 20], np.uint64)


@contextmanager
def viewed(graph, threads, weights="int32"):
    """The engine, and a view of the graph whose internal ids are its vertices."""
    with engine(threads) as borrowed:
        state = stored(graph, "given", weights).snapshot()._state()
        yield borrowed, state.view(borrowed)


def trees(answer):
    """Of each search: {vertex: (distance, parent)}, in order."""
    ends = answer["offsets"]
    columns = [answer[name].tolist() for name in ("order", "distance", "parent")]
    return [{v: (d, p) for v, d, p in zip(*(c[a:b] for c in columns), strict=True)} for a, b in pairwise(ends)]


def lengths(tree):
    return [(v, d) for v, (d, _) in tree.items()]


def path(tree, v):
    found = [v]
    while tree[found[-1]][1] != NONE:
        found.append(tree[found[-1]][1])
    return found[::-1]


@each_way
def test_breadth_first_trees(threads, directed):
    graph = sorted_graph(1, directed=directed)
    with viewed(graph, threads) as (borrowed, view):
        found = trees(_core.breadth_first_trees(borrowed, view, SOURCES))
        for source, tree in zip(SOURCES.tolist(), found, strict=True):
            want = nx.single_source_shortest_path_length(graph, source)
            assert lengths(tree) == list(want.items())
            assert [(p, v) for v, (_, p) in tree.items() if p != NONE] == list(nx.bfs_edges(graph, source))
        (both,) = trees(_core.breadth_first_trees(borrowed, view, SOURCES, together=True, max_depth=1))
        assert set(both) == set(SOURCES.tolist()).union(*(graph[s] for s in SOURCES.tolist()))
        assert list(both)[:5] == SOURCES.tolist()
        (back,) = trees(_core.breadth_first_trees(borrowed, view, SOURCES[:1], in_edges=True))
        turned = graph.reverse() if directed else graph
        assert dict(lengths(back)) == nx.single_source_shortest_path_length(turned, 3)
        (short,) = trees(_core.breadth_first_trees(borrowed, view, SOURCES[:1], target=20))
        assert path(short, 20) == nx.shortest_path(graph, 3, 20) or len(path(short, 20)) == len(
            nx.shortest_path(graph, 3, 20)
        )
        assert list(short)[-1] == 20
        with pytest.raises(ValueError, match="source 60"):
            _core.breadth_first_trees(borrowed, view, np.array([60], np.uint64))


@each_way
def test_dijkstra_trees(threads, directed):
    graph = sorted_graph(2, directed=directed)
    with viewed(graph, threads) as (borrowed, view):
        found = trees(_core.dijkstra_trees(borrowed, view, SOURCES))
        for source, tree in zip(SOURCES.tolist(), found, strict=True):
            distances, paths = nx.single_source_dijkstra(graph, source)
            assert lengths(tree) == list(distances.items())
            assert {v: path(tree, v) for v in tree} == paths
        (near,) = trees(_core.dijkstra_trees(borrowed, view, SOURCES, together=True, cutoff=20))
        want = nx.multi_source_dijkstra_path_length(graph, SOURCES.tolist(), 20)
        assert lengths(near) == list(want.items())
        (one,) = trees(_core.dijkstra_trees(borrowed, view, SOURCES[:1], target=20))
        assert (one[20][0], path(one, 20)) == nx.single_source_dijkstra(graph, 3, 20)


@each_way
def test_dijkstra_without_weights(threads, directed):
    graph = sorted_graph(3, directed=directed)
    with viewed(graph, threads, weights=None) as (borrowed, view):
        (tree,) = trees(_core.dijkstra_trees(borrowed, view, SOURCES[:1]))
        assert lengths(tree) == list(nx.single_source_dijkstra_path_length(graph, 3, weight=None).items())


@each_way
def test_negative_weights(threads, directed):
    graph = sorted_graph(4, directed=True)
    height = np.random.default_rng(1).integers(0, 30, 60)
    for u, v, data in graph.edges.data():
        data["weight"] += int(height[u] - height[v])  # no cycle's sum changes
    with viewed(graph, threads) as (borrowed, view):
        answer = _core.bellman_ford(borrowed, view, SOURCES)
        assert answer["negative_cycle"] is None
        for source, tree in zip(SOURCES.tolist(), trees(answer), strict=True):
            distances, paths = nx.single_source_bellman_ford(graph, source)
            assert lengths(tree) == list(distances.items())
            assert {v: path(tree, v) for v in tree} == paths
        with pytest.raises(ValueError, match="weights must be 0 or more"):
            _core.dijkstra_trees(borrowed, view, SOURCES)
    if not directed:
        graph.add_weighted_edges_from([(3, 4, -100), (4, 3, 1)])
    graph.add_weighted_edges_from([(57, 58, -5), (58, 57, 4)])
    with viewed(graph, threads) as (borrowed, view):
        for heuristic in (True, False):
            answer = _core.bellman_ford(borrowed, view, SOURCES, together=True, heuristic=heuristic)
            assert (answer["negative_cycle"] is None) == directed


@each_way
def test_distance_sums(threads, directed):
    graph = sorted_graph(5, n=150, directed=directed)
    with viewed(graph, threads) as (borrowed, view):
        for in_edges in (False, True):
            sums = _core.distance_sums(borrowed, view, in_edges=in_edges)
            turned = graph.reverse() if directed and in_edges else graph
            for v in graph:
                want = nx.single_source_shortest_path_length(turned, v).values()
                assert sums["reached"][v] == len(want)
                assert sums["sum"][v] == sum(want)
                assert sums["eccentricity"][v] == max(want)
                assert sums["harmonic"][v] == pytest.approx(sum(1 / d for d in want if d))
        some = _core.distance_sums(borrowed, view, SOURCES, in_edges=True)
        assert np.array_equal(some["sum"], sums["sum"][SOURCES])


@each_way
@pytest.mark.parametrize("weight", [None, "weight"])
def test_path_dependencies(threads, directed, weight):
    graph = sorted_graph(6, directed=directed, loops=False)
    with viewed(graph, threads) as (borrowed, view):
        sums = _core.path_dependencies(borrowed, view, weighted=weight is not None, edges=True)
        half = 1 if directed else 0.5
        want = nx.betweenness_centrality(graph, normalized=False, weight=weight)
        assert dict(enumerate(sums["vertices"] * half)) == pytest.approx(want)
        got = dict.fromkeys(graph.edges, 0.0)
        for (u, v), value in zip(entries(graph), sums["edges"], strict=True):
            got[(u, v) if (u, v) in got else (v, u)] += value * half
        assert got == pytest.approx(nx.edge_betweenness_centrality(graph, normalized=False, weight=weight))
        ends = _core.path_dependencies(borrowed, view, weighted=weight is not None, endpoints=True)
        want = nx.betweenness_centrality(graph, normalized=False, weight=weight, endpoints=True)
        assert dict(enumerate(ends["vertices"] * half)) == pytest.approx(want)


def entries(graph):
    return [(u, v) for u in graph for v in graph[u]]


def parts_of(found):
    return [set(np.flatnonzero(found["component"] == i).tolist()) for i in range(found["count"])]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("edges", [40, 80, 150])
def test_strong_components(threads, edges):
    graph = sorted_graph(7, m=edges, directed=True)
    with viewed(graph, threads) as (borrowed, view):
        searched = _core.strong_components(borrowed, view, depth_first_order=True)
        found = _core.strong_components(borrowed, view)
    want = list(nx.strongly_connected_components(graph))
    assert parts_of(searched) == want
    assert sorted(map(sorted, parts_of(found))) == sorted(map(sorted, want))
    assert all(found["component"][u] >= found["component"][v] for u, v in graph.edges)


@pytest.mark.parametrize("threads", [1, 2])
def test_topological_order(threads):
    graph = nx.DiGraph((min(u, v), max(u, v)) for u, v in sorted_graph(8, loops=False).edges)
    shuffled = np.random.default_rng(2).permutation(60)
    acyclic = nx.DiGraph()
    acyclic.add_nodes_from(range(60))
    acyclic.add_edges_from(sorted((int(shuffled[u]), int(shuffled[v])) for u, v in graph.edges))
    with viewed(acyclic, threads, weights=None) as (borrowed, view):
        found = _core.topological_order(borrowed, view)
    ends = found["offsets"]
    got = [found["order"][a:b].tolist() for a, b in pairwise(ends)]
    assert found["acyclic"]
    assert got == list(nx.topological_generations(acyclic))
    acyclic.add_edge(int(shuffled[59]), int(shuffled[0]))
    acyclic.add_edge(int(shuffled[0]), int(shuffled[59]))
    with viewed(acyclic, threads, weights=None) as (borrowed, view):
        assert not _core.topological_order(borrowed, view)["acyclic"]


@each_way
def test_core_numbers(threads, directed):
    graph = sorted_graph(9, m=300, directed=directed, loops=False)
    with viewed(graph, threads) as (borrowed, view):
        found = _core.core_numbers(borrowed, view)
    assert dict(enumerate(found["core"])) == nx.core_number(graph)
    assert found["greatest"] == max(nx.core_number(graph).values())


@each_way
@pytest.mark.parametrize("weight", [None, "weight"])
def test_multiply(threads, directed, weight):
    graph = sorted_graph(10, directed=directed)
    x = np.random.default_rng(3).random(60)
    matrix = nx.to_scipy_sparse_array(graph, weight=weight, dtype=float)
    with viewed(graph, threads) as (borrowed, view):
        for transpose in (False, True):
            got = _core.multiply(borrowed, view, x, transpose=transpose, use_weights=weight is not None)
            assert got == pytest.approx((matrix.T if transpose else matrix) @ x)


@each_way
def test_depth_first_forest(threads, directed):
    graph = sorted_graph(11, directed=directed)
    with viewed(graph, threads) as (borrowed, view):
        whole = _core.depth_first_forest(borrowed, view)
        assert whole["order"].tolist() == list(nx.dfs_preorder_nodes(graph))
        assert whole["left"].tolist() == list(nx.dfs_postorder_nodes(graph))
        for limit in (1, 2, 5):
            (tree,) = trees(_core.depth_first_forest(borrowed, view, SOURCES[:1], depth_limit=limit))
            want = list(nx.dfs_edges(graph, 3, depth_limit=limit))
            assert [(p, v) for v, (_, p) in tree.items() if p != NONE] == want
            assert max(d for d, _ in tree.values()) <= limit


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("edges", [30, 60, 90, 200])
def test_biconnected_components(threads, edges):
    graph = sorted_graph(12, m=edges)
    with viewed(graph, threads) as (borrowed, view):
        found = _core.biconnected_components(borrowed, view, depth_first_order=True)
    pairs = list(zip(found["source"].tolist(), found["target"].tolist(), strict=True))
    got = [pairs[a:b] for a, b in pairwise(found["offsets"])]
    assert got == list(nx.biconnected_component_edges(graph))
    assert found["articulation_points"].tolist() == list(nx.articulation_points(graph))
    bridges = {frozenset(edge) for part in got for edge in part if sum(u != v for u, v in part) == 1} - {
        frozenset([v]) for v in graph
    }
    assert bridges == {frozenset(edge) for edge in nx.bridges(graph)}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("edges", [30, 60, 90, 200])
def test_biconnected_components_in_the_order_of_levels(threads, edges):
    graph = sorted_graph(12, m=edges)
    with viewed(graph, threads) as (borrowed, view):
        found = _core.biconnected_components(borrowed, view)
        cuts = _core.cut_elements(borrowed, view)
    pairs = [frozenset(pair) for pair in zip(found["source"].tolist(), found["target"].tolist(), strict=True)]
    got = {frozenset(pairs[a:b]) for a, b in pairwise(found["offsets"])}
    plain = nx.Graph(graph)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    assert got == {frozenset(map(frozenset, part)) for part in nx.biconnected_component_edges(plain)}
    assert len(found["offsets"]) == len(got) + 1 == cuts["biconnected_components"] + 1
    points = sorted(nx.articulation_points(graph))
    assert found["articulation_points"].tolist() == cuts["articulation_points"].tolist() == points
    bridges = {frozenset(pair) for pair in zip(cuts["source"].tolist(), cuts["target"].tolist(), strict=True)}
    assert bridges == {frozenset(edge) for edge in nx.bridges(plain)}
    assert cuts["connected_components"] == nx.number_connected_components(graph)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("maximum", [False, True])
def test_spanning_forest(threads, maximum):
    graph = sorted_graph(13)
    with viewed(graph, threads) as (borrowed, view):
        found = _core.spanning_forest(borrowed, view, maximum)
    choose = nx.maximum_spanning_edges if maximum else nx.minimum_spanning_edges
    got = list(zip(*(found[name].tolist() for name in ("source", "target", "weight")), strict=True))
    assert got == [(u, v, d["weight"]) for u, v, d in choose(graph)]
    assert [entries(graph)[e] for e in found["entry"]] == [(u, v) for u, v, _ in got]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("edges", [150, 400])
def test_triangles(threads, edges):
    graph = sorted_graph(14, m=edges)
    plain = nx.Graph(graph)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    most = max(w for _, _, w in graph.edges.data("weight"))
    pairs = entries(graph)
    with viewed(graph, threads) as (borrowed, view):
        squares = _core.square_clustering(borrowed, view)
        assert dict(enumerate(squares)) == pytest.approx(nx.square_clustering(graph))
        around = _core.local_efficiency(borrowed, view)
        assert around.mean() == pytest.approx(nx.local_efficiency(graph))
        counts = _core.weighted_triangles(borrowed, view)
        assert dict(enumerate(counts)) == nx.triangles(graph)
        weighted = _core.weighted_triangles(borrowed, view, use_weights=True) / most
        degree = np.array([d for _, d in plain.degree], float)
        share = np.divide(2 * weighted, degree * (degree - 1), out=np.zeros(60), where=degree > 1)
        assert dict(enumerate(share)) == pytest.approx(nx.clustering(graph, weight="weight"))
        support = _core.edge_triangles(borrowed, view)
        want = [len(set(plain[u]) & set(plain[v])) if u != v else 0 for u, v in pairs]
        assert support.tolist() == want
        for k in (0, 2, 3, 4, 5, 7):
            kept = _core.k_truss(borrowed, view, k)
            got = {(u, v) for (u, v), keep in zip(pairs, kept, strict=True) if keep and u < v}
            assert got == {(min(e), max(e)) for e in nx.k_truss(plain, k).edges}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_directed_triangles(threads, weight):
    graph = sorted_graph(15, m=400, directed=True)
    with viewed(graph, threads) as (borrowed, view):
        sums = 2 * _core.weighted_triangles(borrowed, view, use_weights=weight is not None)
    most = max(w for _, _, w in graph.edges.data("weight")) if weight else 1
    want = nx.clustering(graph, weight=weight)
    for v in graph:
        preds, succs = set(graph.pred[v]) - {v}, set(graph.succ[v]) - {v}
        total = len(preds) + len(succs)
        possible = 2 * (total * (total - 1) - 2 * len(preds & succs))
        assert (sums[v] / most / possible if possible else 0) == pytest.approx(want[v])


@pytest.mark.parametrize("threads", [1, 2])
def test_common_neighbors(threads):
    graph = sorted_graph(16, m=300)
    rng = np.random.default_rng(4)
    us, vs = np.sort(rng.integers(0, 50, 500)).astype(np.uint64), rng.integers(0, 50, 500).astype(np.uint64)
    us, vs = us[us != vs], vs[us != vs]
    pairs = list(zip(us.tolist(), vs.tolist(), strict=True))
    with viewed(graph, threads) as (borrowed, view):
        found = _core.common_neighbors(borrowed, view, us, vs)
    assert found["common"].tolist() == [len(nx.common_neighbors(graph, u, v)) for u, v in pairs]
    jaccard = found["common"] / np.maximum(found["either"], 1)
    assert jaccard == pytest.approx([p for _, _, p in nx.jaccard_coefficient(graph, pairs)])
    assert found["adamic_adar"] == pytest.approx([p for _, _, p in nx.adamic_adar_index(graph, pairs)])
    want = [p for _, _, p in nx.resource_allocation_index(graph, pairs)]
    assert found["resource_allocation"] == pytest.approx(want)


@each_way
def test_two_coloring(threads, directed):
    tree = nx.random_labeled_tree(40, seed=1)
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(60))
    graph.add_edges_from(sorted((min(e), max(e)) for e in tree.edges))
    graph.add_edges_from([(50, 51), (51, 52)])
    with viewed(graph, threads, weights=None) as (borrowed, view):
        found = _core.two_coloring(borrowed, view)
    assert found["bipartite"]
    assert dict(enumerate(found["color"])) == nx.bipartite.color(graph)
    graph.add_edge(50, 52)
    with viewed(graph, threads, weights=None) as (borrowed, view):
        assert not _core.two_coloring(borrowed, view)["bipartite"]


@pytest.mark.parametrize("threads", [1, 2])
def test_greedy_coloring(threads):
    graph = sorted_graph(17, m=400, loops=False)
    order = sorted(graph, key=graph.degree, reverse=True)
    with viewed(graph, threads) as (borrowed, view):
        found = _core.greedy_coloring(borrowed, view, np.array(order, np.uint64))
    want = nx.greedy_color(graph, "largest_first")
    assert dict(enumerate(found["color"])) == want
    assert found["count"] == max(want.values()) + 1


@each_way
@pytest.mark.parametrize("weight", [None, "weight"])
def test_dangling_vertices_of_pagerank(threads, directed, weight):
    graph = sorted_graph(18, directed=directed)
    jumps = np.random.default_rng(5).random((2, 60))
    with viewed(graph, threads) as (borrowed, view):
        got = _core.pagerank(borrowed, view, 0.85, 1e-12, 1000, weight is not None, jumps[0], None, jumps[1])
    personalization, dangling = ({v: jump[v] for v in graph} for jump in jumps)
    want = nx.pagerank(graph, 0.85, personalization, 1000, 1e-12, weight=weight, dangling=dangling)
    assert dict(enumerate(got["rank"])) == pytest.approx(want, abs=1e-9)
