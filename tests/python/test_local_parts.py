"""Functions and views that are about a few vertices look at those alone, and answer as those that look at all do."""

from __future__ import annotations

import gc
import random

import networkx as nx
import pyarrow as pa
import pytest
import rizoma as rz
from networkx_cases import assert_same
from rizoma.networkx import convert
from rizoma.queries import views

LOCAL = {
    "boundary_expansion": lambda graph: nx.boundary_expansion(graph, [1, 2]),
    "cut_size": lambda graph: nx.cut_size(graph, [1, 2], [3, 4]),
    "descendants_at_distance": lambda graph: nx.descendants_at_distance(graph, 1, 2),
    "efficiency": lambda graph: nx.efficiency(graph, 1, 4),
    "ego_graph": lambda graph: nx.ego_graph(graph, 1, radius=2),
    "ego_graph by weight": lambda graph: nx.ego_graph(graph, 1, radius=2, center=False, distance="weight"),
    "generalized_degree": lambda graph: nx.generalized_degree(graph, [1, 2]),
    "is_isolate": lambda graph: nx.is_isolate(graph, 1),
    "is_simple_path": lambda graph: nx.is_simple_path(graph, [1, 2, 3]),
    "node_boundary": lambda graph: nx.node_boundary(graph, [1, 2]),
    "node_expansion": lambda graph: nx.node_expansion(graph, [1, 2]),
    "square_clustering": lambda graph: nx.square_clustering(graph, [1, 2]),
    "volume": lambda graph: nx.volume(graph, [1, 2], weight="weight"),
}
UNDIRECTED = {"efficiency", "generalized_degree", "square_clustering"}


@pytest.mark.parametrize(
    ("name", "directed"),
    [*((name, False) for name in LOCAL), *((name, True) for name in LOCAL if name not in UNDIRECTED)],
)
def test_few_vertices_are_asked_about_without_a_conversion(name, directed, monkeypatch):
    theirs = nx.gnm_random_graph(40, 90, seed=1, directed=directed)
    theirs.add_weighted_edges_from([(u, v, 1.0 + (u + v) % 3) for u, v in theirs.edges])
    graph = rz.open(None, directed=directed, weights="float64")
    graph.add_edges(theirs)

    def refuse(reader):
        raise AssertionError(f"{name} converts the whole graph")

    monkeypatch.setattr(convert, "_compiled_of_reader", refuse)
    assert_same(LOCAL[name](theirs), LOCAL[name](graph), name)


def test_the_number_of_edges_is_known_without_looking(monkeypatch):
    graph = rz.open(None, directed=True, weights="float64")
    graph.add_edges([(1, 2, 0.5), (2, 3, 2.0), (3, 3, 1.0)])
    theirs = nx.DiGraph()
    theirs.add_weighted_edges_from([(1, 2, 0.5), (2, 3, 2.0), (3, 3, 1.0)])
    assert graph.size(weight="weight") == theirs.size(weight="weight") == 3.5
    assert graph.number_of_edges(1, 2) == 1
    monkeypatch.setattr(nx.DiGraph, "degree", None)  # what NetworkX adds up
    assert graph.number_of_edges() == graph.size() == nx.number_of_edges(graph) == 3
    assert nx.density(graph) == 0.5


@pytest.mark.parametrize("directed", [False, True])
def test_degrees_of_several_vertices_are_those_of_networkx(directed):
    edges = [("ann", "bob", 2.0), ("bob", "cem", 0.5), ("cem", "cem", 1.0)]
    theirs = nx.DiGraph() if directed else nx.Graph()
    theirs.add_weighted_edges_from(edges)
    graph = rz.open(None, directed=directed, weights="float64")
    graph.add_edges(edges)
    for vertices in (["ann", "cem"], {"bob"}, ["nobody"]):
        assert dict(nx.degree(graph, vertices)) == dict(nx.degree(theirs, vertices))
    assert dict(nx.degree(graph, weight="weight")) == dict(nx.degree(theirs, weight="weight"))
    assert nx.degree(graph, "bob", weight="weight") == 2.5
    for v in theirs:
        assert nx.degree(graph, v) == graph.degree(v) == graph.degree[v] == theirs.degree[v]
    with pytest.raises(rz.VertexNotFoundError, match="nobody"):
        graph.degree("nobody")


def content(view):
    """All that a view has, in its order."""
    return view.vertices.to_arrow().to_pydict(), view.edges.to_arrow().to_pydict()


@pytest.mark.parametrize("ids", ["dense", "integer", "string"])
@pytest.mark.parametrize("parallel_edges", ["merge", "keep"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, "int32", "float64"])
def test_few_vertices_have_the_part_that_all_edges_say(ids, parallel_edges, directed, weights, monkeypatch):
    draw = random.Random(1)
    graph = rz.open(None, directed=directed, ids=ids, parallel_edges=parallel_edges, weights=weights)
    name = str if ids == "string" else int
    pairs = [(name(draw.randrange(30)), name(draw.randrange(30))) for _ in range(150)]
    graph.add_edges([(u, v, draw.randrange(1, 9)) for u, v in pairs] if weights else pairs)
    graph.remove_vertices([name(7)])
    asked = [name(v) for v in (3, 4, 5, 7, 9, 11, 3, 28)]
    found = {}
    for edges in (0, 10**9):
        monkeypatch.setattr(views, "_EDGES_A_LIST", edges)
        none = graph.subgraph([name(7)])
        found[edges] = [content(part) for part in (graph.subgraph(asked), graph.neighborhood(name(3), 2), none)]
    assert found[0] == found[10**9]
    assert len(found[0][0][0]["vertex"]) == 6


def test_values_of_vertices_come_along(monkeypatch):
    graph = rz.open(None, vertices={"age": "int32"})
    graph.add_edges([("ann", "bob"), ("bob", "cem"), ("cem", "ann")])
    graph.set_vertices({"vertex": ["ann", "cem"], "age": [30, 50]})
    monkeypatch.setattr(views, "_EDGES_A_LIST", 0)
    part = graph.subgraph(["ann", "cem"])
    assert part.vertex("cem") == {"age": 50}
    assert part.num_edges == 1


def test_many_vertices_are_a_kernels(monkeypatch):
    theirs = nx.gnm_random_graph(400, 900, seed=1)
    graph = rz.open(None)
    graph.add_edges(theirs)
    calls = []
    convert_all = convert._compiled_of_reader
    monkeypatch.setattr(convert, "_compiled_of_reader", lambda reader: calls.append(1) or convert_all(reader))
    half = sorted(graph)[::2]
    assert nx.cut_size(graph, half) == nx.cut_size(theirs, half)
    assert nx.clustering(graph, half) == nx.clustering(theirs, half)
    assert len(calls) >= 2


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("center", [False, True])
def test_ego_graphs_in_both_directions_copy_no_whole_graph(directed, center, monkeypatch):
    theirs = nx.gnm_random_graph(40, 60, seed=1, directed=directed)
    graph = rz.open(None, directed=directed)
    graph.add_edges(theirs)
    for radius in (0, 1, 1.5, 2, 100):
        wanted = nx.ego_graph(theirs, 1, radius, center=center, undirected=True)
        with monkeypatch.context() as patched:
            for kind in (nx.Graph, nx.DiGraph):
                patched.setattr(kind, "to_undirected", None)
            found = nx.ego_graph(graph, 1, radius, center=center, undirected=True)
        assert found.is_directed() == directed
        assert nx.utils.graphs_equal(found, wanted)
    with pytest.raises(nx.NodeNotFound):
        nx.ego_graph(graph, "nobody", undirected=True)


def test_weights_are_read_from_any_column_of_numbers():
    graph = rz.open(None, weights="float64", edges={"cost": "float64"})
    graph.add_edges(pa.table({"source": [1, 2], "target": [2, 3], "weight": [2.0, 3.0], "cost": [5.0, 7.0]}))
    asked = [
        lambda name: graph.degree(2, weight=name),
        lambda name: graph.size(weight=name),
        lambda name: nx.degree(graph, 2, weight=name),
        lambda name: nx.pagerank(graph, weight=name),
        lambda name: nx.dijkstra_path_length(graph, 1, 3, name),
        lambda name: nx.closeness_centrality(graph, distance=name),
        lambda name: nx.single_source_bellman_ford(graph, 1, weight=name),
    ]
    for ask in asked:
        ask("weight")
        ask("cost")
        with pytest.raises(rz.InvalidArgumentError, match=r"='csot' is not an edge column; .*weight, cost"):
            ask("csot")
    assert graph.degree(2, weight="cost") == 12.0
    assert nx.dijkstra_path_length(graph, 1, 3, "cost") == 12.0
    assert graph.adj[2][1] == {"weight": 2.0, "cost": 5.0}
    assert sorted(graph._as_networkx().edges(data="cost")) == [(1, 2, 5.0), (2, 3, 7.0)]
    assert graph[1][2] == {"weight": 2.0, "cost": 5.0}
    assert nx.dijkstra_path_length(graph, 1, 3, weight=lambda u, v, data: 4) == 8
    bare = rz.open(None)
    bare.add_edges([(1, 2), (2, 3)])
    assert nx.dijkstra_path_length(bare, 1, 3) == nx.dijkstra_path_length(bare, 1, 3, weight="weight") == 2
    assert bare.degree(2, weight="weight") == 2
    assert nx.closeness_centrality(bare, 2) == 1


def test_degrees_of_any_vertices():
    graph = rz.open(None)
    graph.add_edges([("a", "b"), ("b", "c")])
    for several in ({"a": 0, "b": 0}.keys(), pa.array(["a", "b"]).to_pandas(), iter(["a", "b"])):
        assert dict(graph.degree(several)) == {"a": 1, "b": 2}
    for one in (("a", "b"), b"a"):
        with pytest.raises(rz.VertexNotFoundError):
            graph.degree(one)


@pytest.mark.parametrize("parallel_edges", ["merge", "keep"])
@pytest.mark.parametrize("directed", [False, True])
def test_degrees_in_all_ways_of_networkx(directed, parallel_edges):
    edges = [("ann", "bob"), ("bob", "cem"), ("cem", "ann"), ("cem", "cem"), ("ann", "dia"), ("ann", "bob")]
    kinds = ((nx.Graph, nx.DiGraph), (nx.MultiGraph, nx.MultiDiGraph))
    theirs = kinds[parallel_edges == "keep"][directed](edges)
    graph = rz.open(None, directed=directed, parallel_edges=parallel_edges)
    graph.add_edges(edges)
    for g in (graph, graph.snapshot()):
        assert dict(g.degree) == dict(theirs.degree)
        assert list(g.degree) == list(theirs.degree)
        assert len(g.degree) == len(theirs.degree) == 4
        assert max(g.degree, key=lambda pair: pair[1]) == max(theirs.degree, key=lambda pair: pair[1])
        assert ("dia", 1) in g.degree
        for v in theirs:
            assert g.degree[v] == theirs.degree[v]
            assert type(g.degree[v]) is int
        assert dict(g.degree(["ann", "dia"])) == dict(theirs.degree(["ann", "dia"]))
        assert sorted(theirs, key=g.degree) == sorted(theirs, key=theirs.degree)
        assert nx.degree_histogram(g) == nx.degree_histogram(theirs)
        for name in ("in_degree", "out_degree") if directed else ():
            mine, wanted = getattr(g, name), getattr(theirs, name)
            assert dict(mine) == dict(wanted)
            assert mine["cem"] == mine("cem") == wanted["cem"]
            assert dict(mine(["cem", "dia"])) == dict(wanted(["cem", "dia"]))
        with pytest.raises(rz.VertexNotFoundError, match="no vertex 'nobody'"):
            g.degree["nobody"]
    graph.close()
    assert repr(graph.degree) == "Degrees(Graph(:memory:, closed))"
    with pytest.raises(rz.ClosedError):
        graph.degree["ann"]


def test_data_of_edges_as_networkx_names_them():
    graph = rz.open(None, directed=True, weights="float64")
    graph.add_edges([("ann", "bob", 2.0), ("bob", "cem", 0.5)])
    assert list(graph.edges.data()) == [("ann", "bob", {"weight": 2.0}), ("bob", "cem", {"weight": 0.5})]
    assert list(graph.edges.data("weight")) == [("ann", "bob", 2.0), ("bob", "cem", 0.5)]
    assert list(graph.edges.data("color", default="red", nbunch=["bob"])) == [("bob", "cem", "red")]


@pytest.mark.parametrize("name", ["update", "clear", "clear_edges"])
def test_changes_of_networkx_name_those_of_rizoma(name):
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'; a graph of Rizoma is changed by "):
        getattr(rz.open(None), name)


def test_nothing_that_was_asked_stands_in_the_way_of_a_purge(tmp_path):
    graph = rz.open(tmp_path / "g.rz", weights="float64")
    graph.add_edges([(1, 2, 0.5), (2, 3, 1.0), (3, 4, 1.0)])
    graph.checkpoint()
    gc.collect()
    gc.disable()
    try:
        assert nx.has_path(graph, 1, 3)
        assert set(nx.node_boundary(graph, [1])) == {2}
        assert len(nx.ego_graph(graph, 1)) == 2
        assert not nx.is_isolate(graph, 1)
        assert graph.size(weight="weight") == 2.5
        graph.remove_vertices([4])
        graph.compact(purge=True)
    finally:
        gc.enable()
    assert sorted(graph) == [1, 2, 3]


def test_a_degree_without_in_edges_says_what_there_is():
    graph = rz.open(None, directed=True, in_edges=False)
    graph.add_edges([("ann", "bob")])
    with pytest.raises(rz.InvalidArgumentError, match=r"stores no in-edges.* g\.out_degree"):
        graph.degree("ann")
    assert graph.out_degree("ann") == 1
