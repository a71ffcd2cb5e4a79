"""The NetworkX backend: the same answers as NetworkX, and what NetworkX asks of a backend."""

from __future__ import annotations

import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
import rizoma as rz
import rizoma.networkx as rzx
from networkx_cases import ENDLESS, SIGNED, TOGETHER, assert_same, calls, graphs, outcome
from rizoma import _core
from rizoma.networkx import backend
from rizoma.networkx.backend import FUNCTIONS
from rizoma.networkx.graphs import graph_class, share

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs")

GRAPHS = dict(graphs())

# NetworkX's own answer depends on a random start where the largest singular value is not alone.
NOT_UNIQUE = {("hits", "tree"), ("hits", "empty")}

# Searches by chance, of which NetworkX's own gives one partition of many.
BY_CHANCE = {
    "asyn_lpa_communities",
    "leiden_communities",
    "leiden_partitions",
    "louvain_communities",
    "louvain_partitions",
}


@pytest.mark.parametrize("name", sorted(BY_CHANCE))
def test_partitions_are_as_good_as_networkx_finds(name):
    mine = {"asyn_lpa_communities": None}.get(name, name.replace("leiden", "louvain"))
    for kind, graph in GRAPHS.items():
        got, error = outcome(name, graph, (), {"seed": 1}, "rizoma")
        if error is not None or not graph.size(weight="weight"):
            continue
        parts = got[-1] if name.endswith("partitions") else got
        assert sorted(map(str, graph)) == sorted(str(v) for part in parts for v in part), kind
        if mine is not None:
            theirs = outcome(mine, graph, (), {"seed": 1}, "networkx")[0]
            theirs = theirs[-1] if name.endswith("partitions") else theirs
            least = nx.community.modularity(graph, theirs, backend="networkx") - 0.05
            assert nx.community.modularity(graph, parts, backend="networkx") >= least, kind


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - BY_CHANCE - TOGETHER - SIGNED - ENDLESS))
def test_same_as_networkx(name):
    answered = 0
    for kind, graph in GRAPHS.items():
        if (name, kind) in NOT_UNIQUE:
            continue
        for args, options in calls(name, graph):
            where = f"{name}({kind}, {args}, {options})"
            want, expected = outcome(name, graph, args, options, "networkx")
            got, error = outcome(name, graph, args, options, "rizoma")
            if isinstance(error, NotImplementedError):  # NetworkX runs it then, for a graph of ours too
                ours = share(graph, graph_class(graph.is_directed(), graph.is_multigraph()))
                got, error = outcome(name, ours, args, options, None)
            assert type(expected) is type(error), f"{where}: {expected!r} is not {error!r}"
            if expected is None:
                assert_same(want, got, where)
                answered += 1
    assert answered > 0


def test_the_default_of_a_missing_weight_keeps_its_type():
    graph = nx.path_graph(3)
    assert nx.to_numpy_array(graph, backend="rizoma").dtype == np.float64  # each missing weight is 1.0
    assert nx.to_scipy_sparse_array(graph, backend="rizoma").dtype == np.int64  # and here 1


@pytest.mark.parametrize("multigraph", [False, True])
def test_attributes_of_a_graph_that_a_kernel_made(multigraph):
    graph = rzx.from_networkx(nx.MultiGraph([(0, 1), (1, 2)]) if multigraph else nx.path_graph(3))
    edge, stranger = ((1, 2, 0), (7, 8, 0)) if multigraph else ((2, 1), (7, 8))
    assert nx.pagerank(graph)[0] == nx.pagerank(graph)[2]
    nx.set_edge_attributes(graph, {edge: 9, stranger: 1}, "weight")
    assert nx.pagerank(graph)[0] < nx.pagerank(graph)[2]  # what was kept of the old weights is gone
    assert list(nx.get_edge_attributes(graph, "weight").values()) == [9]
    nx.set_node_attributes(graph, nx.degree_centrality(graph), "centrality")
    nx.set_node_attributes(graph, {0: {"color": "red"}, 5: {"color": "blue"}})
    assert nx.get_node_attributes(graph, "centrality") == {0: 0.5, 1: 1.0, 2: 0.5}
    assert nx.get_node_attributes(graph, "color", default="none") == {0: "red", 1: "none", 2: "none"}


def test_the_list_of_functions_is_that_of_the_backend():
    from _rizoma_networkx import functions, get_info

    assert sorted(FUNCTIONS) == functions()
    assert set(get_info()["functions"]) == set(FUNCTIONS)
    assert all(callable(getattr(backend, name)) for name in functions())
    assert "rizoma" in nx.config.backends


def test_asking_about_the_backend_loads_neither_the_engine_nor_numpy():
    code = "import sys, _rizoma_networkx; _rizoma_networkx.get_info(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"numpy", "rizoma", "rizoma._core", "networkx"} & set(loaded.split())


def test_zero_code_change():
    code = (
        "import logging, networkx as nx; logging.basicConfig(level=logging.DEBUG);"
        "G = nx.gnm_random_graph(500, 3000, seed=1); nx.pagerank(G); nx.to_dict_of_lists(G)"
    )
    environment = {"NETWORKX_BACKEND_PRIORITY": "rizoma", "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert "Using backend 'rizoma' for call to 'pagerank'" in done.stderr
    assert "cached" not in done.stderr  # NetworkX warns once a function of graphs that it keeps converted
    quiet = code.replace("logging.basicConfig(level=logging.DEBUG);", "") + "; nx.core_number(G)"
    done = subprocess.run([sys.executable, "-c", quiet], capture_output=True, text=True, check=True, env=environment)
    assert done.stderr == ""


class Hashable:
    """A node without an order."""


def test_nodes_of_any_hashable_kind():
    nodes = [Hashable(), "name", 2.5, (1, 2), frozenset({3}), None.__class__, 10**30, -1, True]
    graph = nx.cycle_graph(nodes)
    assert list(nx.single_source_shortest_path_length(graph, nodes[3], backend="rizoma")) == list(
        nx.single_source_shortest_path_length(graph, nodes[3])
    )
    found = nx.pagerank(graph, backend="rizoma")
    assert list(found) == nodes
    assert all(type(rank) is float for rank in found.values())


def test_keys_that_are_equal_are_one_node():
    graph = nx.Graph([(0, 1), (1.0, 2), (2, True)])
    assert nx.triangles(graph, backend="rizoma") == nx.triangles(graph)
    assert nx.core_number(graph, backend="rizoma") == nx.core_number(graph)


@pytest.mark.parametrize("value", ["text", None, 10**400, 1j])
def test_weights_that_are_no_numbers_are_left_to_networkx(value):
    graph = nx.Graph([(0, 1), (1, 2)])
    graph[0][1]["weight"] = value
    with pytest.raises(NotImplementedError):
        nx.pagerank(graph, backend="rizoma")


def test_conversions_are_remembered_and_forgotten():
    graph = nx.gnm_random_graph(100, 300, seed=1)
    assert nx.number_connected_components(graph, backend="rizoma") == nx.number_connected_components(graph)
    assert graph.__networkx_cache__["backends"]["rizoma"]
    graph.add_edge("a", "b")
    assert not graph.__networkx_cache__.get("backends")
    assert nx.number_connected_components(graph, backend="rizoma") == nx.number_connected_components(graph)


def test_views_can_be_converted():
    graph = nx.gnm_random_graph(60, 200, seed=3)
    part = graph.subgraph(range(0, 60, 2))
    assert nx.triangles(part, backend="rizoma") == nx.triangles(part)
    arcs = nx.gnm_random_graph(60, 200, seed=3, directed=True)
    back = arcs.reverse(copy=False)
    assert nx.descendants(back, 5, backend="rizoma") == nx.descendants(back, 5)


def test_small_graphs_stay_with_networkx():
    small, large = nx.path_graph(10), nx.gnm_random_graph(500, 2000, seed=1)
    assert isinstance(backend.should_run("pagerank", (small,), {}), str)
    assert backend.should_run("pagerank", (large,), {}) is True
    assert isinstance(backend.should_run("has_path", (large, 1, 2), {}), str)
    assert backend.should_run("has_path", (rzx.from_networkx(small), 1, 2), {}) is True


def test_what_cannot_be_run_is_said_before_converting():
    graph = nx.path_graph(3)
    assert backend.can_run("pagerank", (graph,), {}) is True
    assert "function" in backend.can_run("dijkstra_path", (graph, 0, 1), {"weight": lambda u, v, d: 1})
    assert "sort_neighbors" in backend.can_run("bfs_edges", (graph, 0), {"sort_neighbors": sorted})
    assert "not implemented" in backend.can_run("max_flow", (graph,), {})


@pytest.mark.parametrize("kind", ["named", "directed", "multigraph", "multidigraph"])
def test_graph_classes_are_networkx_graphs(kind):
    want = GRAPHS[kind]
    graph = rzx.from_networkx(want)
    assert_same(want, graph, kind)
    assert nx.utils.graphs_equal(graph.copy(), want)
    assert type(graph.copy()) is type(graph)
    assert type(graph.to_undirected()).__module__ == "rizoma.networkx.graphs"
    assert nx.number_of_isolates(graph) == nx.number_of_isolates(want)
    graph.add_edge("x", "y")
    assert nx.number_of_isolates(graph) == nx.number_of_isolates(want)
    graph.add_node("alone")
    assert nx.number_of_isolates(graph) == nx.number_of_isolates(want) + 1


def test_results_that_are_graphs_appear_when_looked_at():
    tree = nx.bfs_tree(rzx.Graph(nx.gnm_random_graph(50, 100, seed=1)), 0)
    assert isinstance(tree, rzx.DiGraph)
    assert "_adj" not in tree.__dict__
    before = nx.number_weakly_connected_components(tree)
    tree.add_edge(0, "new")
    assert "_adj" in tree.__dict__
    assert nx.number_weakly_connected_components(tree) == before
    assert tree.has_edge(0, "new")


@pytest.fixture
def stored(tmp_path):
    with rz.open(tmp_path / "g.rz", directed=True, weights="float64") as graph:
        graph.add_edges([("a", "b", 2.0), ("b", "c", 1.0), ("c", "a", 0.5), ("c", "d", 4.0)])
        yield graph


def test_stored_graphs_need_no_conversion(stored):
    same = nx.DiGraph()
    same.add_weighted_edges_from([("a", "b", 2.0), ("b", "c", 1.0), ("c", "a", 0.5), ("c", "d", 4.0)])
    for graph in (stored, stored.snapshot()):
        assert nx.pagerank(graph) == pytest.approx(nx.pagerank(same))
        assert nx.dijkstra_path_length(graph, "a", "d") == 7.0
        assert nx.number_strongly_connected_components(graph) == 2
        assert nx.descendants(graph, "a") == {"b", "c", "d"}
        assert nx.clustering(graph) == nx.clustering(same)
        assert nx.utils.edges_equal(rzx.from_networkx(graph).edges(data=True), same.edges(data=True), directed=True)
    stored.add_edges([("d", "a", 1.0)])
    assert nx.is_strongly_connected(stored)


def test_a_stored_graph_with_what_the_backend_lacks(stored):
    with nx.config(fallback_to_nx=True):
        assert sorted(map(sorted, nx.simple_cycles(stored))) == [["a", "b", "c"]]


def test_a_stored_undirected_multigraph(tmp_path):
    with rz.open(tmp_path / "g.rz", parallel_edges="keep") as graph:
        graph.add_edges([(0, 1), (0, 1), (1, 2), (2, 2)])
        assert nx.degree_centrality(graph) == nx.degree_centrality(nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 2)]))
        assert sorted(rzx.from_networkx(graph).edges()) == [(0, 1), (0, 1), (1, 2), (2, 2)]


@pytest.mark.parametrize("target", [1, 2**31, 2**32 - 1])
def test_targets_that_are_no_rows_are_refused(target):
    """Also the largest number, which one more makes 0."""
    offsets, targets = np.array([0, 1]), np.array([target], np.uint32)
    with pytest.raises(ValueError, match="a target is not a row"):
        _core.transpose_csr(offsets, targets)
    with pytest.raises(ValueError, match="a target is not a row"):
        _core.csr_view(offsets, targets, None, False)


def test_functions_that_the_backend_lacks():
    """NetworkX's code runs on graphs of ours; it was refused. For others it still is where the backend is named."""
    graph = nx.gnm_random_graph(30, 60, seed=1)
    ours = rzx.from_networkx(graph)
    assert nx.node_connectivity(ours) == nx.node_connectivity(graph)
    assert nx.is_maximal_matching(ours, nx.maximal_matching(ours))
    assert nx.check_planarity(ours)[0] == nx.check_planarity(graph)[0]
    assert nx.vf2pp_isomorphism(ours, ours) is not None
    path = nx.dijkstra_path(ours, 0, 7, weight=lambda u, v, data: 1)  # no kernel takes functions
    assert len(path) == nx.shortest_path_length(graph, 0, 7) + 1
    flow = rzx.DiGraph([(0, 1, {"weight": 3})])
    nx.set_node_attributes(flow, {0: -5, 1: 5}, "demand")
    assert nx.network_simplex(flow) == (15, {0: {1: 5}, 1: {}})
    with pytest.raises(NotImplementedError):
        nx.check_planarity(graph, backend="rizoma")


def test_what_a_kernel_refuses_of_a_graph_of_ours():
    """It failed. NetworkX's code answers, also where a generator's first step finds out."""
    tree = nx.balanced_tree(2, 4)
    ours = rzx.from_networkx(tree)
    assert nx.center(ours) == nx.center(tree) == [0]
    wheel = nx.wheel_graph(7)
    assert_same(nx.pagerank(rzx.from_networkx(wheel), alpha=1), nx.pagerank(wheel, alpha=1), "alpha")
    for each in (tree, ours):
        nx.set_edge_attributes(each, 0, "length")
        nx.set_edge_attributes(each, "1", "text")
    assert_same(
        nx.betweenness_centrality(ours, weight="length"), nx.betweenness_centrality(tree, weight="length"), "zeros"
    )
    assert_same(
        list(nx.all_pairs_dijkstra(ours, weight=lambda *_: 2)),
        list(nx.all_pairs_dijkstra(tree, weight=lambda *_: 2)),
        "function",
    )
    for name in ("pagerank", "all_pairs_dijkstra", "louvain_partitions"):
        want, expected = outcome(name, tree, (), {"weight": "text"}, None)
        got, error = outcome(name, ours, (), {"weight": "text"}, None)
        assert type(expected) is type(error), name
        assert_same(want, got, name)
    with pytest.raises(NotImplementedError):
        nx.center(tree, backend="rizoma")


def test_two_graphs_of_which_one_is_networkx_own():
    """NetworkX asks where to run them; the backend takes both."""
    graph = nx.path_graph(4)
    stored = rz.open(None)
    stored.add_edges(graph)
    for other in (stored, rzx.from_networkx(graph)):
        assert nx.is_isomorphic(graph, other, backend="rizoma")
        assert nx.vf2pp_is_isomorphic(graph, other, backend="rizoma")  # a function that the backend lacks
        assert nx.vf2pp_is_isomorphic(other, graph, backend="rizoma")
        assert nx.compose(graph, other, backend="rizoma").number_of_edges() == 3
        with pytest.raises(TypeError, match="specify a backend"):
            nx.is_isomorphic(graph, other)


def test_graphs_of_ours_are_changed_in_place():
    """They were refused."""
    graph = nx.gnm_random_graph(30, 60, seed=1)
    ours = rzx.from_networkx(graph)
    for each in (graph, ours):
        assert nx.relabel_nodes(each, {0: "zero", 5: 6}, copy=False) is each
        assert nx.contracted_nodes(each, "zero", 3, copy=False) is each
        edge = min(((u, v) for u, v in each.edges if "zero" not in (u, v)), key=sorted)
        assert nx.contracted_edge(each, edge, copy=False) is each
    assert_same(ours, graph, "in place")
    assert nx.number_connected_components(ours) == nx.number_connected_components(graph)
    degrees = dict(graph.degree())
    assert nx.double_edge_swap(ours, seed=1) is ours
    assert dict(ours.degree()) == degrees
    assert not nx.utils.edges_equal(ours.edges, graph.edges)
    with pytest.raises(NotImplementedError):  # a conversion has the dictionaries of its original
        nx.relabel_nodes(graph, {1: "one"}, copy=False, backend="rizoma")
    stored = rz.open(None)
    stored.add_edges([(0, 1)])
    with pytest.raises(rz.UnsupportedError, match="relabel_nodes changes a graph in place"):
        nx.relabel_nodes(stored, {0: 2}, copy=False)


@pytest.mark.parametrize("make", [nx.Graph, nx.MultiGraph])
def test_a_self_loop_at_its_end_makes_a_bridge_no_less_of_one(make):
    """Such bridges were missing."""
    for edges in ([(0, 1), (1, 1)], [(0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 1)], [(0, 0)]):
        graph = make(edges)
        assert list(nx.bridges(graph, backend="rizoma")) == list(nx.bridges(graph, backend="networkx"))
        assert nx.has_bridges(graph, backend="rizoma") == nx.has_bridges(graph, backend="networkx")
        assert nx.is_biconnected(graph, backend="rizoma") == nx.is_biconnected(graph, backend="networkx")
