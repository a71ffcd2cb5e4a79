"""Random histories of adding, removing and weighing, against NetworkX; then the kernels on what is left."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pytest
import rizoma as rz
from hypothesis import given, settings
from hypothesis import strategies as st
from rizoma.core.errors import InvalidArgumentError

VERTICES = st.integers(0, 11)
EDGES = st.lists(st.tuples(VERTICES, VERTICES, st.integers(1, 9)), min_size=1, max_size=8)
STEPS = st.one_of(
    st.tuples(st.sampled_from(["add", "add", "remove", "weigh"]), EDGES),
    st.tuples(st.sampled_from(["add_vertices", "remove_vertices"]), st.lists(VERTICES, min_size=1, max_size=3)),
)
HISTORIES = st.lists(st.lists(STEPS, min_size=1, max_size=4), min_size=1, max_size=6)


def name(v, ids):
    return f"v{v}" if ids == "string" else v


def change(oracle, kind, what, ids):
    """Do a step to the oracle; returns it as the graph takes it."""
    if kind.endswith("vertices"):
        what = [name(v, ids) for v in what]
        (oracle.add_nodes_from if kind == "add_vertices" else oracle.remove_nodes_from)(what)
        return what
    what = [(name(u, ids), name(v, ids), w) for u, v, w in what]
    if kind == "add":
        oracle.add_weighted_edges_from(what)
    elif kind == "remove":
        oracle.remove_edges_from([edge[:2] for edge in what])
    else:
        for u, v, w in what:
            if oracle.has_edge(u, v):
                oracle[u][v]["weight"] = w
    return what


def play(graph, oracle, history, ids):
    for steps in history:
        with graph.batch() as batch:
            for kind, what in steps:
                data = change(oracle, kind, what, ids)
                if kind == "add":
                    batch.add_edges(data)
                elif kind == "remove":
                    batch.remove_edges(data)
                elif kind == "weigh":
                    batch.set_weights(data)
                else:
                    getattr(batch, kind)(data)


def edges_of(graph):
    """Edges with their weights; the ends of an undirected one in order."""
    rows = zip(*graph.edges.to_arrow().to_pydict().values(), strict=True)
    return {((u, v) if graph.directed else tuple(sorted((u, v)))): w for u, v, w in rows}


def assert_same(graph, oracle):
    directed = oracle.is_directed()
    want = {((u, v) if directed else tuple(sorted((u, v)))): w for u, v, w in oracle.edges.data("weight")}
    assert edges_of(graph) == want
    assert graph.num_edges == oracle.number_of_edges()
    assert len(graph) == oracle.number_of_nodes()
    if len(graph) == 0:
        return
    for v in oracle:
        assert v in graph
        assert set(graph.neighbors(v)) == set(oracle[v])
        if directed:
            assert set(graph.in_neighbors(v)) == set(oracle.predecessors(v))
    assert set(graph.degrees().to_dict()) == set(oracle)


def assert_kernels_agree(graph, oracle):
    got = rz.pagerank(graph, tol=1e-10, max_iter=1000).to_dict()
    assert got == pytest.approx(nx.pagerank(oracle, weight=None, tol=1e-12, max_iter=1000), abs=1e-8)
    parts = nx.weakly_connected_components if oracle.is_directed() else nx.connected_components
    assert rz.connected_components(graph).count == len(list(parts(oracle)))
    source = next(iter(oracle))
    assert rz.bfs(graph, source).to_dict() == nx.single_source_shortest_path_length(oracle, source)
    distances = nx.single_source_dijkstra_path_length(oracle, source)
    assert rz.sssp(graph, source).to_dict() == distances
    scores = rz.betweenness_centrality(graph).to_dict()
    assert scores == pytest.approx(nx.betweenness_centrality(oracle), abs=1e-9)
    plain = nx.Graph(oracle)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    assert rz.triangle_count(graph).to_dict() == nx.triangles(plain)


@pytest.mark.parametrize("ids", ["integer", "string"])
@pytest.mark.parametrize("directed", [False, True])
@given(history=HISTORIES, compact=st.sampled_from([None, "keep", "degree"]))
@settings(max_examples=40, deadline=None)
def test_random_histories(ids, directed, history, compact):
    oracle = nx.DiGraph() if directed else nx.Graph()
    with rz.open(None, directed=directed, weights="float64", ids=ids) as graph:
        play(graph, oracle, history, ids)
        if compact:
            graph.compact(None if compact == "keep" else compact)
        assert_same(graph, oracle)
        if len(graph):
            assert_kernels_agree(graph, oracle)


@pytest.mark.parametrize("in_edges", [False, True])
def test_histories_last(tmp_path, in_edges):
    rng = np.random.default_rng(5)
    oracle = nx.DiGraph()
    for round_ in range(6):
        with rz.open(tmp_path / "g.rz", directed=True, weights="int32", ids="integer", in_edges=in_edges) as graph:
            ends = rng.integers(0, 200, (300, 2)).tolist()
            history = [
                [
                    ("add", [(*pair, int(w)) for pair, w in zip(ends, rng.integers(1, 9, 300), strict=True)]),
                    ("remove", [(u, v, 1) for u, v in ends[::3]]),
                    ("remove_vertices", rng.integers(0, 200, 5).tolist()),
                ]
            ]
            play(graph, oracle, history, "integer")
            want = {(u, v): w for u, v, w in oracle.edges.data("weight")}
            assert edges_of(graph) == want
            if round_ % 2:
                graph.flush()
            assert graph.check().findings == []
    with rz.open(tmp_path / "g.rz") as graph:
        assert edges_of(graph) == {(u, v): w for u, v, w in oracle.edges.data("weight")}
        assert len(graph) == oracle.number_of_nodes()


def test_dense_ids_leave_holes_that_can_be_filled_again(tmp_path):
    with rz.open(tmp_path / "g.rz", ids="dense") as graph:
        graph.add_edges([(0, 1), (1, 2), (2, 3), (3, 0), (1, 1)])
        assert graph.remove_vertices([1, 7]) == 1
        assert (len(graph), graph.num_edges, 1 in graph) == (3, 2, False)
        info = graph.info()
        assert (info.num_vertices, info.removed_vertices) == (3, 1)
    with rz.open(tmp_path / "g.rz") as graph:
        assert graph.find([0, 1, 2]).tolist() == [0, -1, 2]
        graph.compact("degree")
        assert (len(graph), 1 in graph) == (3, False)
        graph.add_edges([(1, 3)])
        assert graph.neighbors(1) == [3]
        assert sorted(graph.degrees().to_dict().items()) == [(0, 1), (1, 1), (2, 1), (3, 3)]


def test_what_is_not_there():
    with rz.open(None, weights="int32") as graph:
        graph.add_edges([("a", "b", 1), ("b", "c", 2)])
        assert graph.remove_edges([("a", "c"), ("a", "z"), ("b", "a")]) == 1
        assert graph.remove_vertices(["z"]) == 0
        assert graph.set_weights([("a", "b", 9), ("c", "b", 7)]) == 1
        assert edges_of(graph) == {("b", "c"): 7}
        with pytest.raises(rz.NotInGraphError, match="no edge from 'a' to 'b'"):
            graph.remove_edges([("b", "c"), ("a", "b")], missing="error")
        with pytest.raises(KeyError, match="no vertex 'z'"):
            graph.remove_vertices(["c", "z"], missing="error")
        with pytest.raises(rz.InvalidArgumentError, match="choose one of ignore, error"):
            graph.remove_vertices(["c"], missing="raise")
        with pytest.raises(rz.InvalidArgumentError, match=r"weights are asked for, and these pairs have none"):
            graph.set_weights([("b", "c")])
        assert edges_of(graph) == {("b", "c"): 7}
        with graph.batch() as batch:
            batch.remove_vertices(["a"])
            batch.add_edges([("a", "c", 4)])
            batch.remove_edges([("a", "c"), ("c", "a")])
        counts = batch.counts
        assert (counts.vertices_removed, counts.edges_removed, counts.edges_missing) == (1, 1, 1)
        assert "a" in graph


def test_parallel_edges():
    with rz.open(None, directed=True, weights="int32", parallel_edges="keep") as graph:
        graph.add_edges([("a", "b", 1), ("a", "b", 2), ("a", "b", 3), ("a", "c", 4)])
        assert graph.remove_edges([("a", "b")], parallel="one") == 1
        assert graph.neighbor_weights("a").tolist() == [1, 2, 4]
        assert graph.set_weights([("a", "b", 8)]) == 2
        assert graph.neighbor_weights("a").tolist() == [8, 8, 4]
        assert graph.remove_edges([("a", "b")]) == 2
        assert graph.neighbors("a") == ["c"]
        assert graph.in_neighbors("b") == []


def test_a_table_of_an_undirected_graph_names_each_edge_once():
    oracle = nx.karate_club_graph()
    with rz.open(None) as graph:
        graph.add_edges(oracle)
        assert graph.remove_edges(nx.to_scipy_sparse_array(oracle)) == oracle.number_of_edges()
        assert (len(graph), graph.num_edges) == (34, 0)


def test_export_leaves_removed_vertices_out(tmp_path):
    with rz.open(None) as graph:
        graph.add_edges([("a", "b"), ("b", "c"), ("c", "a")])
        graph.remove_vertices(["b"])
        graph.export(tmp_path / "g.csv")
    lines = (tmp_path / "g.csv").read_text().splitlines()
    assert lines in (["source,target", "a,c"], ["source,target", "c,a"])


def test_a_graph_is_changed_while_it_is_reordered(tmp_path):
    def pairs(of):
        return {frozenset(edge) for edge in of.edges}

    with rz.open(tmp_path / "g.rz") as graph, ThreadPoolExecutor(1) as pool:
        graph.add_edges([(f"v{i * 7 % 50}", f"v{i}") for i in range(200)])
        held = graph.snapshot()
        before = pairs(held)

        def change():
            for i in range(100):
                graph.add_edges([(f"w{i}", f"v{i}"), (f"w{i}", f"w{i // 2}")])
                graph.remove_vertices([f"v{i + 100}"])

        changing = pool.submit(change)
        for order in ("degree", "given", "auto", "degree"):
            graph.reorder(order)
        changing.result()
        graph.reorder("given")
        gone = {f"v{i + 100}" for i in range(100)}
        added = {frozenset((f"w{i}", end)) for i in range(100) for end in (f"v{i}", f"w{i // 2}")}
        assert pairs(graph) == {pair for pair in before if not pair & gone} | added
        assert pairs(held) == before
        assert graph.info().removed_vertices == 0
        assert graph.check().findings == []


def test_the_commands(rizoma, tmp_path):
    (tmp_path / "edges.csv").write_text("source,target,weight\nann,bob,1\nbob,cem,2\ncem,dee,3\n")
    rizoma("import", "g.rz", "edges.csv", "--weight-column", "weight")
    (tmp_path / "more.csv").write_text("source,target,weight\ndee,ann,4\n")
    assert "1 new edge, 1 new vertex" in rizoma("add", "g.rz", "more.csv", "--vertex", "eve").stderr
    (tmp_path / "less.csv").write_text("source,target\ncem,bob\nann,eve\n")
    done = rizoma("remove", "g.rz", "less.csv", "--vertex", "dee", "--durability", "none")
    assert "3 edges and 1 vertex removed; not there: 1 edge, 0 vertices" in done.stderr
    (tmp_path / "weights.csv").write_text("source,target,weight\nann,bob,9\n")
    done = rizoma("set-weights", "g.rz", "weights.csv", "--durability", "group")
    assert "1 weight set; not there: 0 edges" in done.stderr
    failed = rizoma("remove", "g.rz", "--vertex", "dee", "--missing", "error", check=False)
    assert failed.returncode == 1
    assert "no vertex 'dee'" in failed.stderr
    failed = rizoma("add", "g.rz", "--vertex", "dee", "--durability", "often", check=False)
    assert failed.returncode == 2
    assert "durability" in failed.stderr
    with rz.open(tmp_path / "g.rz") as graph:
        assert edges_of(graph) == {("ann", "bob"): 9}
        assert len(graph) == 4


@pytest.mark.parametrize("let_go", ["before the change", "after the change", "between two purges"])
def test_a_snapshot_of_a_closed_graph_holds_up_a_purge_no_longer_than_it_lives(tmp_path, let_go):
    """Its bytes are free once it is gone, for the handle that was opened meanwhile too."""
    path = tmp_path / "g.rz"
    before = rz.open(path, ids="string")
    before.add_edges([("secret", "b"), ("b", "c")])
    before.checkpoint()
    snapshot = before.snapshot()
    before.close()
    with rz.open(path) as graph:
        if let_go == "before the change":
            del snapshot
        graph.remove_vertices(["secret"])
        if let_go == "after the change":
            del snapshot
        if let_go == "between two purges":
            with pytest.raises(InvalidArgumentError, match="close it and purge again"):
                graph.compact(purge=True)
            assert snapshot.num_edges == 2
            del snapshot
        del before
        gc.collect()
        graph.compact(purge=True)
        assert sorted(graph.vertices.to_arrow().column("vertex").to_pylist()) == ["b", "c"]
    assert not any(b"secret" in file.read_bytes() for file in path.iterdir())
