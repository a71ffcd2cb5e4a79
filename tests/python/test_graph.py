"""Graph, Snapshot and Batch; settings; errors."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
import rizoma as rz
from rizoma.core import errors


def test_reading_by_external_id():
    graph = rz.open(None, directed=True, weights="int32")
    graph.add_edges([(10, 20, 3), (10, 30, 4), (30, 10, 5)])
    assert len(graph) == 3
    assert graph.num_edges == 3
    assert graph.degree(10) == 3
    assert graph.out_degree(10) == 2
    assert sorted(graph.neighbors(10)) == [20, 30]
    assert graph.in_neighbors(10) == [30]
    assert dict(zip(graph.neighbors(10), graph.neighbor_weights(10), strict=True)) == {20: 3, 30: 4}
    assert graph.has_edge(10, 20)
    assert not graph.has_edge(20, 10)
    assert not graph.has_edge(10, 99)
    assert np.int32(10) in graph
    assert 99 not in graph
    assert "10" not in graph
    assert 10.0 not in graph
    assert 2**70 not in graph
    assert graph.degrees().to_dict() == {10: 2, 20: 0, 30: 1}
    assert graph.degrees(in_edges=True).to_dict() == {10: 1, 20: 1, 30: 1}
    assert graph.find([10, 99]).tolist() == [0, -1]


def test_a_snapshot_stays_as_it_is():
    graph = rz.open(None)
    graph.add_edges([(0, 1)])
    before = graph.snapshot()
    graph.add_edges([(1, 2)])
    assert (len(before), before.num_edges) == (2, 1)
    assert (len(graph), graph.num_edges) == (3, 2)
    assert len(rz.pagerank(before)) == 2
    assert "Snapshot(undirected, 2 vertices" in repr(before)


def test_batch_is_one_commit(tmp_path):
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges([(0, 1)])
        generation = graph.info().generation
        with graph.batch() as batch:
            batch.add_edges([(1, 2)])
            batch.add_edges(np.array([[2, 3], [3, 4]]))
            assert graph.num_edges == 1
        assert graph.num_edges == 4
        assert graph.info().generation - generation <= 1
        with pytest.raises(RuntimeError), graph.batch() as batch:  # noqa: PT012
            batch.add_edges([(7, 8)])
            raise RuntimeError
        assert graph.num_edges == 4


def test_a_batch_checks_as_the_graph_does():
    graph = rz.open(None)
    table = {"source": [1], "target": [2], "w": [0.5]}
    batch = graph.batch().__enter__()
    for adder in (graph, batch):
        with pytest.raises(rz.InvalidArgumentError, match="has no weights"):
            adder.add_edges(table, weight="w")
        with pytest.raises(rz.InvalidArgumentError, match="has no weights"):
            adder.set_weights(table, weight="w")
    assert len(graph) == 0


def test_a_batch_that_is_used_twice_commits_each_step_once():
    graph = rz.open(None, parallel_edges="keep")
    batch = graph.batch()
    with batch:
        batch.add_edges([(0, 1)])
    with batch:
        batch.add_edges([(1, 2)])
    assert graph.num_edges == 2
    with pytest.raises(RuntimeError), batch:  # noqa: PT012
        batch.add_edges([(2, 3)])
        raise RuntimeError
    with batch:
        pass
    assert graph.num_edges == 2


@pytest.mark.parametrize(
    ("weights", "bad", "message"),
    [
        ("float64", float("nan"), "not a number"),
        ("float32", float("nan"), "not a number"),
        ("float32", 1e300, "too large for float32"),
        ("int32", 0.5, "is not an integer"),
        ("int32", 2.0**31, "does not fit an int32"),
    ],
)
@pytest.mark.parametrize("rows", [5, (1 << 17) + 5])
def test_weights_that_do_not_fit_are_refused_whatever_the_way(weights, bad, message, rows):
    edges = np.ones((rows, 3))
    edges[:, 0] = np.arange(rows)
    edges[:, 1] = np.arange(rows) + 1
    edges[rows - 2, 2] = bad
    graph = rz.open(None, weights=weights)
    with pytest.raises(rz.InvalidArgumentError, match=rf"edge {rows - 2} .*{message}"):
        graph.add_edges(edges)
    assert len(graph) == 0
    graph.add_edges(edges[: rows - 2])
    with pytest.raises(rz.InvalidArgumentError, match=message):
        graph.set_weights([(0, 1, bad)])
    assert graph.neighbor_weights(0).tolist() == [1]


def test_edges_and_isolated_vertices_are_one_commit():
    graph = rz.open(None, ids="dense")
    graph.add_edges([(0, 1)])
    with pytest.raises(ValueError, match="id"), graph.batch() as batch:  # noqa: PT012
        batch.add_vertices([5])
        batch.add_edges([(2, "x")])
    assert len(graph) == 2
    with graph.batch() as batch:
        batch.add_vertices([5])
        batch.add_vertices(np.array([7], np.uint8))
        batch.add_edges([(2, 3)])
    assert (sorted(graph), graph.num_edges) == ([0, 1, 2, 3, 5, 7], 2)


def test_a_graph_with_isolated_vertices_is_one_commit():
    nx = pytest.importorskip("networkx")
    source = nx.Graph([(2, "x")])
    source.add_node(5)
    graph = rz.open(None, ids="dense")
    graph.add_edges([(0, 1)])
    with pytest.raises(ValueError, match="id"):
        graph.add_edges(source)
    assert len(graph) == 2


def test_batch_keeps_what_it_was_given():
    graph = rz.open(None)
    pairs = np.array([[0, 1], [1, 2]])
    with graph.batch() as batch:
        batch.add_edges(pairs)
        batch.add_vertices([3])
        pairs[:] = 9
    assert graph.neighbors(1) == [0, 2]
    assert len(graph) == 4


def test_the_first_data_decides_the_kind_of_ids(tmp_path):
    for name, data, kind in [
        ("a", [("x", "y")], "string"),
        ("b", [(5, 700)], "integer"),
        ("c", [(0, 1), (1, 2)], "dense"),
        ("d", [(-1, 0)], "integer"),
    ]:
        with rz.open(tmp_path / name) as graph:
            graph.add_edges(data)
            assert graph.ids == kind
            assert graph.num_edges == len(data)
        with rz.open(tmp_path / name) as graph:
            assert graph.ids == kind
            assert graph.num_edges == len(data)
            assert graph.check().findings == []


def test_ids_asked_for_stay():
    graph = rz.open(None, ids="dense")
    graph.add_edges([(1, 3)])
    assert sorted(graph) == [1, 3]
    with pytest.raises(ValueError, match=r"string|id"):
        graph.add_edges([("a", "b")])


def test_vertices_without_edges(tmp_path):
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_vertices(["a", "b"])
        graph.add_vertices(["b", "c"])
        graph.add_vertices([])
        assert sorted(graph.degrees().to_dict()) == ["a", "b", "c"]


def test_policies():
    pairs = [(0, 1), (0, 1), (1, 0), (1, 1), (1, 2)]
    kept = rz.open(None, parallel_edges="keep", self_loops="keep")
    kept.add_edges(pairs)
    assert kept.num_edges == 5
    merged = rz.open(None, self_loops="drop")
    merged.add_edges(pairs)
    assert merged.num_edges == 2
    latest = rz.open(None, weights="int32")
    latest.add_edges([(0, 1, 5)])
    latest.add_edges([(1, 0, 7)])
    assert latest.neighbor_weights(0).tolist() == [7]


def test_properties_of_a_store_are_kept(tmp_path):
    path = tmp_path / "g.rz"
    rz.open(path, directed=True, weights="float32").close()
    with rz.open(path) as graph:
        assert graph.directed
        assert graph.weights == "float32"
    with pytest.raises(rz.InvalidArgumentError, match="created with directed=True, not directed=False"):
        rz.open(path, directed=False)
    with pytest.raises(ValueError, match="weights=float32, not weights=float64"):
        rz.open(path, weights=True)
    rz.open(path).close()


def test_modes(tmp_path):
    with pytest.raises(FileNotFoundError):
        rz.open(tmp_path / "none.rz", mode="open")
    with pytest.raises(FileNotFoundError):
        rz.open(tmp_path / "none.rz", mode="read_only")
    rz.open(tmp_path / "g.rz", mode="create").close()
    with pytest.raises(FileExistsError):
        rz.open(tmp_path / "g.rz", mode="create")
    with pytest.raises(ValueError, match="choose one of"):
        rz.open(tmp_path / "g.rz", mode="nope")


def test_what_is_no_store_is_refused(tmp_path):
    (tmp_path / "file").write_text("hello")
    with pytest.raises(rz.RizomaError):
        rz.open(tmp_path / "file")


def test_a_closed_graph():
    graph = rz.open(None)
    graph.close()
    graph.close()
    assert graph.closed
    assert repr(graph) == "Graph(:memory:, closed)"
    with pytest.raises(rz.ClosedError, match="is closed"):
        graph.num_edges  # noqa: B018
    with pytest.raises(ValueError, match="is closed"):
        rz.pagerank(graph)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda g: rz.bfs(g, 99), KeyError, "no vertex 99"),
        (lambda g: rz.bfs(g, "a"), rz.VertexNotFoundError, "ids are integers"),
        (lambda g: g.degree(99), KeyError, "no vertex 99"),
        (lambda g: rz.pagerank(g, alpha=1.5), ValueError, "alpha"),
        (lambda g: rz.pagerank(g, weight="weight"), ValueError, "no weights"),
        (lambda g: rz.pagerank(g, weight="cost"), ValueError, "cost"),
        (lambda g: rz.pagerank(g, personalization={99: 1}), KeyError, "99"),
        (lambda g: rz.pagerank(g, personalization=[1.0]), ValueError, "personalization"),
        (lambda g: rz.betweenness_centrality(g, k=0), ValueError, "k is 0"),
        (lambda g: rz.betweenness_centrality(g, k=10), ValueError, "k is 10"),
        (lambda g: rz.sssp(g, 0, delta=-1), ValueError, "delta"),
        (lambda g: g.compact("nope"), ValueError, "choose one of"),
        (lambda g: g.check(), ValueError, "in memory"),
        (lambda g: rz.pagerank(g, threads=-1), ValueError, "threads"),
    ],
)
def test_errors_are_also_those_of_python(call, error, message):
    graph = rz.open(None)
    graph.add_edges([(0, 1), (1, 2)])
    with pytest.raises(error, match=message) as caught:
        call(graph)
    assert isinstance(caught.value, rz.RizomaError)


def test_negative_weights_are_refused():
    graph = rz.open(None, weights=True)
    graph.add_edges([(0, 1, -1.0)])
    with pytest.raises(ValueError, match="0 or more"):
        rz.sssp(graph, 0)


def test_every_exception_is_a_rizoma_error():
    for name in errors.__all__:
        kind = UserWarning if name.endswith("Warning") else rz.RizomaError
        assert issubclass(getattr(errors, name), kind)
    assert str(errors.VertexNotFoundError("no vertex 'a'")) == "no vertex 'a'"


def test_config(monkeypatch):
    graph = rz.open(None)
    graph.add_edges([(0, 1)])
    with rz.config(threads=3) as settings:
        assert settings.threads == 3
        assert rz.pagerank(graph).threads == 3
        assert rz.pagerank(graph, threads=1).threads == 1
    with rz.config(threads=2, memory_limit="1.5G"):
        assert rz.config().__enter__().memory_limit == 3 * 2**29
    with pytest.raises(ValueError, match="not a size"):
        rz.config(memory_limit="much")
    with pytest.raises(ValueError, match="threads"):
        rz.config(threads=-1)


def test_progress_function_is_not_told_the_phase_of_the_call_before():
    graph = rz.generate("rmat", 14)
    seen = []
    rz.pagerank(graph, threads=1)
    time.sleep(0.06)  # so that the engine, which is the same, tells at once
    rz.betweenness_centrality(graph, threads=1, progress=lambda phase, *_: seen.append(phase), k=3000, seed=1)
    assert set(seen) == {"betweenness_centrality"}


def test_progress_function_is_told_and_may_stop():
    graph = rz.generate("rmat", 14)
    seen = []
    rz.pagerank(graph, threads=2)
    time.sleep(0.06)  # so that the engine, which is the same, tells at once
    rz.betweenness_centrality(graph, threads=2, progress=lambda *args: seen.append(args), k=3000, seed=1)
    assert seen
    assert all(0 <= done <= total or total == 0 for _, done, total in seen)

    def stop(phase, done, total):
        raise RuntimeError("enough")

    time.sleep(0.06)
    with pytest.raises(RuntimeError, match="enough"):
        rz.betweenness_centrality(graph, threads=2, progress=stop)
    assert len(rz.pagerank(graph)) == len(graph)


def test_many_python_threads_at_once():
    graph = rz.generate("uniform", 10, seed=3)
    want = rz.pagerank(graph, threads=1).to_numpy()
    got = []

    def work():
        got.extend(rz.pagerank(graph, threads=2).to_numpy() for _ in range(5))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(got) == 20
    assert all(np.allclose(ranks, want, atol=1e-9) for ranks in got)


def test_a_change_of_directory_does_not_matter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    with rz.open("g.rz") as graph:
        graph.add_edges([(0, 1)])
        monkeypatch.chdir("elsewhere")
        graph.add_edges([(1, 2)])
        graph.checkpoint()
        assert graph.check().findings == []
    assert list((tmp_path / "elsewhere").iterdir()) == []
    with rz.open(tmp_path / "g.rz") as graph:
        assert graph.num_edges == 2
