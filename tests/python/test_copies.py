"""`copy_to`: a store of its own with everything that the graph has, made while others change the graph."""

from __future__ import annotations

import threading

import pytest
import rizoma as rz


def everything(graph):
    """Schema, vertices and edges with all values."""
    info = graph.info()
    schema = (info.directed, info.weights, info.ids, info.parallel_edges, info.self_loops, info.in_edges)
    edges = graph.edges.to_arrow().to_pylist()
    for edge in edges:  # an undirected one is listed from either end
        if not info.directed:
            edge["source"], edge["target"] = sorted((edge["source"], edge["target"]))
    return schema, sorted(map(str, graph.vertices.to_arrow().to_pylist())), sorted(map(str, edges))


def graphs():
    """One of each kind, some with vertices that were removed."""
    for ids in ("dense", "integer", "string"):
        for directed in (False, True):
            graph = rz.open(
                None,
                directed=directed,
                weights="float32" if directed else None,
                ids=ids,
                parallel_edges="keep" if directed else None,
                self_loops="drop" if ids == "integer" else None,
            )
            name = str if ids == "string" else int
            rows = [(name(u), name(v), w) for u, v, w in [(0, 1, 2), (1, 2, 3), (1, 2, 4), (2, 2, 1), (3, 0, 1)]]
            graph.add_edges(rows if directed else [row[:2] for row in rows])
            graph.add_vertices([name(5)])
            graph.remove_vertices([name(0), name(5)])
            yield graph
    columns = rz.open(
        None, ids="string", edges={"amount": "float64 not null", "weight": "int32"}, vertices={"age": "int16"}
    )
    columns.add_edges({"source": ["a", "b"], "target": ["b", "c"], "amount": [1.5, 2.5], "weight": [3, 4]})
    columns.set("a", age=7)
    yield columns


def test_the_copy_is_the_same(tmp_path):
    for number, graph in enumerate(graphs()):
        graph.copy_to(tmp_path / f"{number}.rz")
        with rz.open(tmp_path / f"{number}.rz", mode="open") as copy:
            assert everything(copy) == everything(graph)
            assert (copy.edge_columns, copy.vertex_columns) == (graph.edge_columns, graph.vertex_columns)
            assert copy.check().findings == []


def test_a_large_graph_and_views(tmp_path):
    graph = rz.generate("rmat", 13, seed=3, weights="int32")
    graph.copy_to(tmp_path / "all.rz")
    few = graph.where(edges="weight > 100")
    few.copy_to(tmp_path / "few.rz")
    with rz.open(tmp_path / "all.rz") as copy, rz.open(tmp_path / "few.rz") as some:
        assert everything(copy)[1:] == everything(graph)[1:]
        assert rz.pagerank(copy).to_dict() == pytest.approx(rz.pagerank(graph).to_dict())
        assert everything(some)[2] == sorted(row for row in everything(graph)[2] if int(row.split()[-1][:-1]) > 100)
        assert some.num_edges == few.num_edges < graph.num_edges


def test_nothing_is_overwritten_and_nothing_half_is_left(tmp_path, monkeypatch):
    graph = rz.open(None)
    graph.add_edges([(0, 1)])
    graph.copy_to(tmp_path / "a.rz")
    with pytest.raises(rz.AlreadyExistsError, match=r"a\.rz already"):
        graph.copy_to(tmp_path / "a.rz")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(rz.RizomaError):
        graph.copy_to(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"

    def stop(state, copy, **_):
        copy.add_edges([(0, 1)])
        raise KeyboardInterrupt

    monkeypatch.setattr("rizoma.queries.copy.fill_from", stop)
    with pytest.raises(KeyboardInterrupt):
        graph.copy_to(tmp_path / "b.rz")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.rz", "file"]


def test_while_a_writer_goes_on(tmp_path):
    with rz.open(tmp_path / "g.rz", ids="dense") as graph:
        graph.add_edges([(0, 1)])
        done = threading.Event()

        def write():
            number = 1
            while not done.is_set():
                graph.add_edges([(number, number + 1), (number, number + 2)])  # two a batch, or none
                number += 2

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for number in range(5):
                graph.copy_to(tmp_path / f"{number}.rz")
        finally:
            done.set()
            writer.join()
        sizes = []
        for number in range(5):
            with rz.open(tmp_path / f"{number}.rz", mode="read_only") as copy:
                sizes.append(copy.num_edges)
                assert copy.num_edges % 2 == 1
        assert sizes == sorted(sizes)
