"""Results and readers go to other processes; a reader follows a writer."""

from __future__ import annotations

import multiprocessing
import pickle

import numpy as np
import pytest
import rizoma as rz

EDGES = [("ann", "bob"), ("bob", "cem"), ("cem", "ann"), ("cem", "dee")]


@pytest.fixture
def path(tmp_path):
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges(EDGES)
    return tmp_path / "g.rz"


@pytest.mark.parametrize("edges", [EDGES, [(0, 1), (1, 2)], [(5, -7), (-7, 2**60)]])
def test_results_are_the_same_afterwards(edges):
    graph = rz.open(None)
    graph.add_edges(edges)
    first, gone = edges[0][0], edges[-1][1]
    graph.remove_vertices([gone])
    for result in (rz.pagerank(graph), rz.bfs(graph, first), rz.connected_components(graph), rz.k_truss(graph, 2)):
        again = pickle.loads(pickle.dumps(result))
        assert type(again) is type(result)
        assert again.to_dict() == result.to_dict()
        assert again.to_arrow().equals(result.to_arrow())
        assert again.top(3) == result.top(3)
        assert again[first] == result[first]
        assert gone not in again
        with pytest.raises(KeyError):
            again[gone]
        assert repr(again) == repr(result)
        assert np.array_equal(again.to_numpy(), result.to_numpy())
        assert pickle.loads(pickle.dumps(again)).to_dict() == result.to_dict()
    assert again.edges().equals(result.edges())  # of the truss


def ranks_of(graph):
    return rz.pagerank(graph)


def test_readers_work_in_other_processes(path):
    context = multiprocessing.get_context("spawn")
    with rz.open(path, mode="read_only") as reader, context.Pool(1) as pool:
        (there,) = pool.map(ranks_of, [reader])
        assert there.to_dict() == rz.pagerank(reader).to_dict()


def test_what_belongs_to_a_process_says_so(path):
    with rz.open(path) as graph:
        for what in (graph, graph.snapshot(), rz.open(None)):
            with pytest.raises(TypeError, match="belongs to this process"):
                pickle.dumps(what)


def test_a_reader_follows_when_it_is_asked_to(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    with rz.open("g.rz") as writer, rz.open("g.rz", mode="read_only") as reader:
        monkeypatch.chdir("/")
        before, ranks = reader.snapshot(), rz.pagerank(reader)
        for number in range(3):
            writer.add_edges([(f"new{number}", "ann")])
            if number == 1:
                writer.checkpoint()
            assert f"new{number}" not in reader
            reader.refresh()
            assert (len(reader), reader.num_edges) == (len(writer), writer.num_edges)
        writer.compact("degree")
        reader.refresh()
        assert sorted(reader.neighbors("ann")) == sorted(writer.neighbors("ann"))
        assert (len(before), len(ranks)) == (4, 4)
        writer.refresh()
    with pytest.raises(rz.ClosedError):
        reader.refresh()
