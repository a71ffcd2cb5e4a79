"""Readers in other processes, beside a writer that reuses and gives back space."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import rizoma as rz

VERTICES = 20_000
# Reads nothing of the sections before the first call; then answers by the sum over all edges.
READER = """
import sys
import rizoma as rz

graph = rz.open(sys.argv[1], mode="read_only")
print("open", flush=True)
for line in sys.stdin:
    degrees = graph.degrees().to_numpy()
    ranks = rz.pagerank(graph, max_iter=20).to_numpy()
    print(graph.num_edges, int((degrees.astype("int64") ** 2).sum()), float(ranks[:1000].sum()), flush=True)
"""


class Reader:
    """A process that holds one state of a store."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [sys.executable, "-c", READER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout.readline() == "open\n"

    def answer(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the reader ended"
        return line.split()

    def end(self, *, killed=False):
        self.process.kill() if killed else self.process.stdin.close()
        self.process.wait()


def some_edges(seed, count=100_000):
    return np.random.default_rng(seed).integers(0, VERTICES, (count, 2))


def rewrite(graph, times, seed):
    """Replaces a part of the edges and moves the log into sections, several times."""
    for i in range(times):
        graph.remove_edges(some_edges(seed))
        seed = 1000 + seed + i
        graph.add_edges(some_edges(seed))
        graph.checkpoint()
    return seed


def data_on_disk(graph):
    return next(file["allocated"] for file in graph.info().files if file["name"] == "data")


@pytest.fixture
def graph(tmp_path):
    with rz.open(tmp_path / "g.rz", ids="dense") as graph:
        graph.add_edges(some_edges(0))
        graph.checkpoint()
        yield graph


@pytest.mark.parametrize("killed", [False, True])
def test_a_reader_keeps_its_state_and_its_space_comes_back(graph, tmp_path, killed):
    fresh = data_on_disk(graph)
    early, late = Reader(tmp_path / "g.rz"), Reader(tmp_path / "g.rz")
    expected = early.answer()
    seed = rewrite(graph, 8, 0)
    assert data_on_disk(graph) > 1.5 * fresh
    # `late` has not read a section yet.
    assert late.answer() == early.answer() == expected
    early.end(killed=killed)
    seed = rewrite(graph, 2, seed)
    assert late.answer() == expected
    late.end(killed=killed)
    seed = rewrite(graph, 2, seed)
    assert data_on_disk(graph) < 1.5 * fresh
    reader = Reader(tmp_path / "g.rz")
    assert int(reader.answer()[0]) == graph.num_edges
    reader.end()


def test_a_reader_is_minded_by_the_next_writer_too(graph, tmp_path):
    reader = Reader(tmp_path / "g.rz")
    seed = rewrite(graph, 2, 0)
    graph.close()
    with rz.open(tmp_path / "g.rz") as again:
        rewrite(again, 6, seed)
        edges = again.num_edges
        first = reader.answer()
        assert int(first[0]) != edges
        rewrite(again, 1, 7)
        assert reader.answer() == first
        reader.end()


def test_readers_come_and_go_beside_a_busy_writer(graph, tmp_path):
    seed = 0
    for _ in range(4):
        reader = Reader(tmp_path / "g.rz")
        seed = rewrite(graph, 2, seed)
        answer = reader.answer()
        seed = rewrite(graph, 2, seed)
        assert reader.answer() == answer
        reader.end()
    assert graph.check().findings == []


@pytest.mark.parametrize(
    "change",
    [
        lambda graph: graph.add_edges([(1, 2)]),
        lambda graph: graph.remove_vertices([1]),
        lambda graph: graph.flush(),
        lambda graph: graph.checkpoint(),
        lambda graph: graph.compact(),
        lambda graph: graph.compact("degree"),
    ],
)
def test_a_reader_may_change_nothing(graph, tmp_path, change):
    graph.add_edges([(0, 1)])
    graph.close()
    with rz.open(tmp_path / "g.rz", mode="read_only") as reader:
        with pytest.raises(rz.InvalidArgumentError, match="is open for reading only"):
            change(reader)
        assert reader.has_edge(0, 1)
