"""Filling a new graph: its first data decides the kind of ids, by every way in, and nothing gets lost."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz

BULK = 1 << 17  # rows from which an empty graph is loaded in bulk


def _together(*calls: Callable[[], object]) -> list[BaseException | None]:
    """Run the calls in threads that start at once; what each of them raised."""
    barrier = threading.Barrier(len(calls))
    raised: list[BaseException | None] = [None] * len(calls)

    def run(number: int) -> None:
        barrier.wait()
        try:
            calls[number]()
        except BaseException as error:
            raised[number] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


@pytest.mark.parametrize("place", ["memory", "store"])
@pytest.mark.parametrize("second", [(10**12, 5), ("ann", "bob"), (1, 2)])
def test_two_threads_fill_a_new_graph(tmp_path: Path, place: str, second: tuple[object, object]) -> None:
    """Each either gets its edge in, or is refused for ids of another kind; never loses it."""
    for round_ in range(150 if place == "memory" else 40):
        path = None if place == "memory" else tmp_path / f"g{round_}.rz"
        graph = rz.open(path, durability="none")
        edges = [(0, 1), second]
        raised = _together(*(partial(graph.add_edges, [edge]) for edge in edges))
        assert None in raised
        if path is not None:
            graph.close()
            graph = rz.open(path, mode="read_only")
        for edge, error in zip(edges, raised, strict=True):
            if error is None:
                assert graph.has_edge(*edge)
            else:
                assert isinstance(error, rz.InvalidArgumentError), error
        assert graph.num_edges == raised.count(None)
        graph.close()


def test_threads_load_a_new_graph_in_bulk() -> None:
    """One loads, the others find that it is not empty any more and add what they have as changes."""
    rows = np.arange(2 * (BULK + 1), dtype=np.int64).reshape(-1, 2)
    for _ in range(5):
        graph = rz.open(None, ids="integer")
        raised = _together(*(partial(graph.add_edges, data) for data in (rows, rows + 1, [(-5, -6)])))
        assert raised == [None, None, None]
        assert graph.num_edges == 2 * len(rows) + 1
        graph.close()


def test_a_stream_that_adds_to_the_same_graph() -> None:
    """No lock is held while the caller's data is read."""
    graph = rz.open(None)

    def rows() -> Iterator[tuple[int, int]]:
        yield 0, 1
        graph.add_vertices(range(5))
        yield 1, 2

    thread = threading.Thread(target=lambda: graph.add_edges(rows()), daemon=True)
    thread.start()
    thread.join(900)
    assert not thread.is_alive()
    assert (len(graph), graph.num_edges) == (5, 2)


def test_others_go_on_while_a_stream_waits() -> None:
    graph = rz.open(None)
    read, gone_on = threading.Event(), threading.Event()

    def rows() -> Iterator[tuple[int, int]]:
        yield 0, 1
        read.set()
        assert gone_on.wait(900)

    thread = threading.Thread(target=lambda: graph.add_edges(rows()))
    thread.start()
    assert read.wait(900)
    graph.add_edges([(7, 8)])
    graph.add_vertices([9])
    gone_on.set()
    thread.join()
    assert (graph.num_edges, sorted(graph.snapshot().neighbors(0))) == (2, [1])


def test_a_stream_cannot_be_read_again() -> None:
    """A bulk load of an iterator that others forestall is refused whole."""
    graph = rz.open(None)

    def rows() -> Iterator[tuple[int, int]]:
        for i in range(2 * BULK + 10):  # more than are read at a time
            yield i, i + 1
        graph.add_vertices([5])

    with pytest.raises(rz.AlreadyExistsError, match="during this load"):
        graph.add_edges(rows())
    assert (len(graph), graph.num_edges) == (1, 0)


def test_a_stream_that_was_not_read_yet_is_added_as_a_change() -> None:
    graph = rz.open(None)

    def rows() -> Iterator[tuple[int, int]]:
        for i in range(BULK + 10):
            yield i, i + 1
        graph.add_vertices([5])

    graph.add_edges(rows())
    assert (graph.num_edges, graph.ids) == (BULK + 10, "integer")


def test_files_of_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    with rz.open(path, directed=True) as graph:
        (path / "NOTES.txt").write_text("mine")
        (path / "sub").mkdir()
        graph.add_edges([("ann", "bob")])
        assert graph.ids == "string"
    assert (path / "NOTES.txt").read_text() == "mine"
    assert (path / "sub").is_dir()
    with rz.open(path) as graph:
        assert (graph.directed, graph.num_edges) == (True, 1)


def test_ids_asked_for_stay_across_openings(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    rz.open(path, ids="integer").close()
    with rz.open(path) as graph:
        with pytest.raises(rz.InvalidArgumentError, match="string"):
            graph.add_edges([("ann", "bob")])
        graph.add_edges([(0, 1)])
        assert graph.info().ids == "integer"


def test_ids_not_asked_for_stay_open_across_openings(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    rz.open(path, weights="int32").close()
    with rz.open(path) as graph:
        graph.add_edges([("ann", "bob", 3)])
        assert (graph.info().ids, graph.weights) == ("string", "int32")
    with rz.open(path) as graph, pytest.raises(rz.InvalidArgumentError):
        graph.add_edges([(0, 1)])


def test_ids_asked_for_later(tmp_path: Path) -> None:
    """Of a store that is still empty."""
    path = tmp_path / "g.rz"
    rz.open(path).close()
    with rz.open(path, ids="string") as graph, pytest.raises(rz.InvalidArgumentError):
        graph.add_edges([(0, 1)])
    with rz.open(path) as graph:
        graph.add_edges([("ann", "bob")])
    with pytest.raises(rz.InvalidArgumentError, match="created with ids=string"):
        rz.open(path, ids="dense")


def test_a_change_that_fails_leaves_the_kind_open() -> None:
    graph = rz.open(None, weights=True)
    with pytest.raises(rz.InvalidArgumentError):
        graph.add_edges([("ann", "bob", float("nan"))])
    graph.add_edges([(0, 1, 2.0)])
    assert graph.info().ids == "dense"


def test_a_bulk_load_decides_the_kind(tmp_path: Path) -> None:
    rows = np.arange(2 * (BULK + 1), dtype=np.int64).reshape(-1, 2) * 1000
    with rz.open(tmp_path / "g.rz", directed=True) as graph:
        graph.add_edges(rows)
        info = graph.info()
        assert (info.ids, info.num_edges, info.directed) == ("integer", len(rows), True)
        loaded = info.num_sections
    with rz.open(tmp_path / "asked.rz", directed=True, ids="integer") as graph:
        graph.add_edges(rows)
        assert graph.info().num_sections == loaded  # the load chooses sections, asked or not


_KILLED = """
import os, sys, rizoma as rz
graph = rz.open(sys.argv[1], directed=True, weights="float32", parallel_edges="keep")
graph._native.settle_ids(rz._core.IdKind.string)
os._exit(9)
"""


def test_a_process_that_dies_keeps_the_properties(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    assert subprocess.run([sys.executable, "-c", _KILLED, str(path)], timeout=900).returncode == 9
    with rz.open(path) as graph:
        graph.add_edges([(1, 2, 0.5), (1, 2, 0.5)])
        info = graph.info()
        assert (info.directed, graph.weights, info.num_edges, info.ids) == (True, "float32", 2, "integer")
