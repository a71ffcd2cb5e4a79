"""Connected components from a former result are those from scratch."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
import rizoma as rz
from rizoma.graph.diff import changes


def parts(result):
    sets = {}
    for vertex, label in result.to_dict().items():
        sets.setdefault(label, set()).add(vertex)
    return {label: frozenset(members) for label, members in sets.items()}


def expect_of_scratch(graph, result):
    anew = rz.connected_components(graph)
    assert parts(result) == parts(anew)
    assert (result.count, result.largest) == (anew.count, anew.largest)
    oracle = nx.Graph(list(zip(*(graph.edges.to_arrow().column(i).to_pylist() for i in (0, 1)), strict=True)))
    oracle.add_nodes_from(result.to_dict())
    assert set(parts(result).values()) == {frozenset(part) for part in nx.connected_components(oracle)}


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("kind", [str, int])
def test_after_any_changes(directed, kind):
    random = np.random.default_rng(5)
    name = (lambda v: f"v{v}") if kind is str else int
    graph = rz.open(None, directed=directed)
    edges = sorted({(name(a), name(b)) for a, b in random.integers(0, 400, (300, 2)).tolist() if a != b})
    graph.add_edges(edges)
    result = rz.connected_components(graph)
    for step in range(6):
        before = graph.snapshot()
        changed = set()
        if step % 2 == 0:
            more = [(name(a), name(b)) for a, b in random.integers(0, 450, (5, 2)).tolist() if a != b]
            graph.add_edges(more)
            changed.update(v for edge in more for v in edge)
        if step > 0:
            less = [edges.pop(int(random.integers(len(edges)))) for _ in range(4)]
            graph.remove_edges([edge for edge in less if graph.has_edge(*edge)])
            changed.update(v for edge in less for v in edge)
        if step == 3:
            gone = edges[0][0]
            changed.update(graph.neighbors(gone), graph.in_neighbors(gone))
            graph.remove_vertices([gone])
            edges = [edge for edge in edges if gone not in edge]
            changed.add(gone)  # is of the former state alone
        told = changes(before, graph)
        for what in (changed, told):
            expect_of_scratch(graph, rz.connected_components(graph, start=result, changed=what))
            sent = pickle.loads(pickle.dumps(result))
            expect_of_scratch(graph, rz.connected_components(graph, start=sent, changed=what))
        result = rz.connected_components(graph, start=result, changed=changed)
        if step in (3, 4):
            graph.compact("degree")  # other internal ids
            expect_of_scratch(graph, rz.connected_components(graph, start=result, changed=[]))


def test_odd_starts_are_refused():
    graph = rz.open(None)
    graph.add_edges([(0, 1), (2, 3)])
    before = rz.connected_components(graph)
    with pytest.raises(rz.InvalidArgumentError, match="needs changed"):
        rz.connected_components(graph, start=before)
    with pytest.raises(rz.InvalidArgumentError, match="start="):
        rz.connected_components(graph, changed=[0])
    with pytest.raises(rz.InvalidArgumentError, match="earlier result"):
        rz.connected_components(graph, start=rz.pagerank(graph), changed=[0])
    with pytest.raises(rz.VertexNotFoundError, match="names 9, "):
        rz.connected_components(graph, start=before, changed=[1, 9, 10])
    for changed in (5, "ab", [1.5]):
        with pytest.raises(rz.InvalidArgumentError):
            rz.connected_components(graph, start=before, changed=changed)


@pytest.mark.parametrize("start", [rz.connected_components, lambda graph: rz.leiden(graph, seed=1)])
def test_vertices_that_were_removed_may_be_named(start):
    graph = rz.open(None)
    graph.add_edges([("a", "b"), ("b", "c"), ("d", "e")])
    before = start(graph)
    graph.remove_vertices(["b"])
    again = rz.connected_components if start is rz.connected_components else rz.leiden
    after = again(graph, start=before, changed=["a", "b", "c"])
    assert len({after[v] for v in "acde"}) == 3
    with pytest.raises(rz.VertexNotFoundError, match="'x'"):
        again(graph, start=before, changed=["b", "x"])


def test_communities_take_what_changes_tell():
    graph = rz.open(None)
    graph.add_edges(nx.connected_caveman_graph(10, 6))
    before, former = graph.snapshot(), rz.leiden(graph, seed=1)
    graph.add_edges([(0, 6), (0, 7), (1, 6)])
    graph.remove_edges([(0, 1)])
    told = changes(before, graph)
    after = rz.leiden(graph, seed=1, start=former, changed=told)
    assert after.to_dict() == rz.leiden(graph, seed=1, start=former, changed=[0, 1, 6, 7]).to_dict()
