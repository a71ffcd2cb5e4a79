"""Louvain, Leiden and the measures of partitions, against NetworkX and definitions."""

from __future__ import annotations

import itertools
import math
import pickle

import networkx as nx
import numpy as np
import pytest
import rizoma as rz
from sample_graphs import random_graph, stored

METHODS = [rz.louvain, rz.leiden]


def parts_of(result) -> list[set]:
    parts: dict = {}
    for vertex, label in result.to_dict().items():
        parts.setdefault(label, set()).add(vertex)
    return list(parts.values())


@pytest.mark.parametrize("directed", [False, True])
def test_measures_are_those_of_networkx(directed):
    graph = random_graph(3, directed=directed)
    for order in ("given", "degree"):
        mine = stored(graph, order)
        labels = {v: f"part {v % 5}" for v in graph}
        parts = [{v for v in graph if v % 5 == part} for part in range(5)]
        for weight in ("weight", None):
            want = nx.community.modularity(graph, parts, weight=weight)
            assert rz.modularity(mine, labels, weight) == pytest.approx(want)
            assert rz.modularity(mine, parts, weight) == pytest.approx(want)
            want = nx.community.modularity(graph, parts, weight=weight, resolution=2.5)
            assert rz.modularity(mine, parts, weight, resolution=2.5) == pytest.approx(want)
            inside = sum(d.get(weight, 1) for u, v, d in graph.edges(data=True) if u % 5 == v % 5)
            loops = sum(d.get(weight, 1) for u, v, d in graph.edges(data=True) if u == v and not directed)
            whole = sum(d.get(weight, 1) for u, v, d in graph.edges(data=True))
            if not loops:
                assert rz.coverage(mine, parts, weight) == pytest.approx(inside / whole)
            got = rz.conductance(mine, labels, weight)
            assert got == pytest.approx({f"part {p}": nx.conductance(graph, parts[p], weight=weight) for p in range(5)})


def test_measures_refuse_what_is_no_partition():
    mine = stored(nx.path_graph(4))
    with pytest.raises(rz.VertexNotFoundError, match="9"):
        rz.modularity(mine, [{0, 1}, {2, 3, 9}])
    with pytest.raises(ValueError, match="leaves out"):
        rz.modularity(mine, [{0, 1}, {2}])
    with pytest.raises(ValueError, match="more than one"):
        rz.modularity(mine, [{0, 1}, {1, 2, 3}])
    with pytest.raises(ValueError, match="sets of vertices"):
        rz.coverage(mine, 5)
    with pytest.raises(ValueError, match="different vertices"):
        rz.nmi({1: 0, 2: 0}, {1: 0, 3: 0})


def mutual_information_by_definition(a, b):
    n = len(a)

    def entropy(values):
        return -sum(math.log(values.count(x) / n) * values.count(x) / n for x in set(values))

    pairs = list(zip(a, b, strict=True))
    shared = entropy(a) + entropy(b) - entropy(pairs)
    return 2 * shared / (entropy(a) + entropy(b))


def rand_by_definition(a, b):
    """(agreeing pairs - expected) / (largest - expected), pair by pair."""
    pairs = list(itertools.combinations(range(len(a)), 2))
    in_a = sum(a[i] == a[j] for i, j in pairs)
    in_b = sum(b[i] == b[j] for i, j in pairs)
    both = sum(a[i] == a[j] and b[i] == b[j] for i, j in pairs)
    expected = in_a * in_b / len(pairs)
    return (both - expected) / ((in_a + in_b) / 2 - expected)


@pytest.mark.parametrize("seed", range(5))
def test_nmi_and_ari_are_those_of_the_definitions(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4, 60).tolist(), rng.integers(0, 3, 60).tolist()
    first, second = dict(enumerate(a)), {v: f"p{b[v]}" for v in reversed(range(60))}
    assert rz.nmi(first, second) == pytest.approx(mutual_information_by_definition(a, b))
    assert rz.ari(first, second) == pytest.approx(rand_by_definition(a, b))
    again = [{v for v in range(60) if a[v] == part} for part in range(4)]
    assert rz.nmi(first, again) == pytest.approx(1)
    assert rz.ari(first, again) == pytest.approx(1)


def test_partitions_into_one_part_are_alike():
    assert rz.nmi([{1, 2, 3}], {1: "x", 2: "x", 3: "x"}) == 1
    assert rz.ari([{1, 2, 3}], {1: "x", 2: "x", 3: "x"}) == 1
    assert rz.nmi([{1, 2, 3}], [{1}, {2}, {3}]) == 0
    assert rz.ari([{1, 2, 3}], [{1}, {2}, {3}]) == 0


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_leiden(threads, directed):
    graph = nx.planted_partition_graph(8, 25, 0.4, 0.01, seed=threads, directed=directed)
    mine = stored(graph, "degree", weights=None)
    got = rz.leiden(mine, seed=5, threads=threads)
    parts = parts_of(got)
    assert got.count == len(parts)
    weak = graph.to_undirected() if directed else graph
    assert all(nx.is_connected(weak.subgraph(part)) for part in parts)
    assert got.modularity == pytest.approx(nx.community.modularity(graph, parts))
    planted = [set(range(i * 25, i * 25 + 25)) for i in range(8)]
    assert rz.nmi(got, planted) > 0.95
    assert rz.leiden(mine, seed=5, threads=1).to_dict() == got.to_dict()


@pytest.mark.parametrize("method", METHODS)
def test_levels_are_partitions_that_grow_better(method):
    graph = nx.connected_caveman_graph(60, 6)
    mine = stored(graph, weights=None)
    got = method(mine, seed=1)
    assert len(got.levels) > 1
    assert got.levels[-1].to_dict() == got.to_dict()
    assert [level.count for level in got.levels] == [len(parts_of(level)) for level in got.levels]
    values = [rz.modularity(mine, level) for level in got.levels]
    assert values == sorted(values)
    assert values[-1] == pytest.approx(got.modularity)
    assert len(method(mine, seed=1, max_levels=1).levels) == 1
    assert "communities" in repr(got.levels[0])


@pytest.mark.parametrize("method", METHODS)
def test_a_changed_graph_goes_on_from_former_communities(method):
    graph = nx.connected_caveman_graph(40, 8)
    mine = rz.open(None)
    mine.add_edges(graph)
    before = method(mine, seed=1)
    mine.add_edges([(0, 8), (0, 9), (1, 8), (1, 9), (999, 5)])
    after = method(mine, seed=1, start=before, changed=[0, 1, 8, 9, 999, 5])
    anew = method(mine, seed=1)
    assert after.modularity == pytest.approx(anew.modularity, abs=0.01)
    assert after.modularity == pytest.approx(rz.modularity(mine, after))
    assert after[999] == after[5]
    same = method(mine, seed=1, start=after, changed=[])
    assert same.to_dict() == after.to_dict()
    halves = {v: v % 2 for v in mine}
    kept = method(mine, seed=1, start=halves, changed=[])  # no vertex moves; leiden cuts
    assert all(len({halves[v] for v in part}) == 1 for part in parts_of(kept))
    other = rz.open(None)
    other.add_edges([(v, u) for u, v in reversed(list(graph.edges))])  # other internal ids
    moved = method(other, seed=1, start=before, changed=[0])
    assert rz.nmi(moved, before) == pytest.approx(1)
    with pytest.raises(ValueError, match="start"):
        method(mine, changed=[1])
    with pytest.raises(rz.VertexNotFoundError):
        method(mine, start=before, changed=[12345])


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_quotient_graphs_are_graphs_for_any_algorithm(directed, weighted):
    random = np.random.default_rng(4)
    mine = rz.open(None, directed=directed, weights="float32" if weighted else None)
    edges = {}
    for a, b, w in random.integers(1, 90, (700, 3)).tolist():
        pair = (f"v{a // 2}", f"v{b}")
        edges[pair if directed else tuple(sorted(pair))] = float(w)
    mine.add_edges([(a, b, w) if weighted else (a, b) for (a, b), w in edges.items()])
    mine.remove_vertices(["v17"])
    found = rz.leiden(mine, seed=1)
    for level in found.levels:
        coarse = level.graph()
        assert coarse.directed == directed
        assert sorted(coarse.vertices) == list(range(level.count))
        alone = {v: v for v in range(level.count)}
        assert rz.modularity(coarse, alone) == pytest.approx(rz.modularity(mine, level))
        label = level.to_dict()
        expected = {}
        for (a, b), w in edges.items():
            if "v17" in (a, b):
                continue
            pair = (label[a], label[b]) if directed else tuple(sorted((label[a], label[b])))
            expected[pair] = expected.get(pair, 0) + (w if weighted else 1)
        rows = zip(*(coarse.edges.to_arrow().column(i).to_pylist() for i in range(3)), strict=True)
        got = {(a, b) if directed else tuple(sorted((a, b))): w for a, b, w in rows}
        assert got == pytest.approx(expected)
    names = {v: "ab"[i % 2] for i, v in enumerate(label)}
    two = rz.quotient_graph(mine, names)
    assert sorted(two.vertices) == [0, 1]
    assert rz.modularity(two, {0: 0, 1: 1}) == pytest.approx(rz.modularity(mine, names))
    plain = rz.quotient_graph(mine, found, weight=None)
    assert sum(plain.edges.to_arrow().column(2).to_pylist()) == mine.num_edges
    assert rz.pagerank(plain).converged
    assert rz.connected_components(plain).count <= found.count
    with pytest.raises(rz.UnsupportedError, match="quotient_graph"):
        pickle.loads(pickle.dumps(found)).graph()


def test_a_quotient_graph_of_weights_beyond_their_type_is_refused():
    mine = rz.open(None, weights="float64")
    mine.add_edges([(u, v, 1e308) for u in range(3) for v in range(u)])
    with pytest.raises(rz.UnsupportedError, match="quotient_graph"):
        rz.quotient_graph(mine, {0: 0, 1: 0, 2: 1})
    assert rz.quotient_graph(mine, {0: 0, 1: 0, 2: 1}, weight=None).num_edges == 2


def test_networkx_calls_find_communities():
    graph = nx.planted_partition_graph(6, 30, 0.4, 0.01, seed=2)
    best = nx.community.modularity(graph, nx.community.louvain_communities(graph, seed=1))
    for function in (nx.community.louvain_communities, nx.community.leiden_communities):
        parts = function(graph, seed=3, backend="rizoma")
        assert sorted(v for part in parts for v in part) == sorted(graph)
        assert nx.community.modularity(graph, parts) > best - 0.02
        assert nx.community.modularity(graph, parts, backend="rizoma") == pytest.approx(
            nx.community.modularity(graph, parts)
        )
    for function in (nx.community.louvain_partitions, nx.community.leiden_partitions):
        *_, last = function(graph, seed=3, backend="rizoma")
        assert nx.community.modularity(graph, last) > best - 0.02
    spread = list(nx.community.asyn_lpa_communities(graph, seed=3, backend="rizoma"))
    assert sum(map(len, spread)) == len(graph)
    with pytest.raises(nx.NetworkXException):
        nx.community.modularity(graph, [set(graph), {0}], backend="rizoma")
