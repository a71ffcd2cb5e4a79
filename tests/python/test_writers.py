"""Durability levels, many writing threads, readers in other processes, a second writer, a forked child."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
import rizoma as rz

READER = """
import sys
import rizoma as rz

with rz.open(sys.argv[1], mode="read_only") as graph:
    print(graph.num_edges, rz.bfs(graph, 0).reached)
"""


def read_elsewhere(path):
    done = subprocess.run([sys.executable, "-c", READER, str(path)], check=True, capture_output=True, text=True)
    return tuple(map(int, done.stdout.split()))


@pytest.mark.parametrize("durability", ["always", "group", "none"])
def test_every_level_keeps_everything(tmp_path, durability):
    path = tmp_path / "g.rz"
    with rz.open(path, ids="dense", durability=durability, group_delay=0.001) as graph:
        assert graph.info().durability == durability
        for i in range(50):
            graph.add_edges([(i, i + 1)])
        graph.flush()
        assert read_elsewhere(path) == (50, 51)
    with rz.open(path) as graph:
        assert graph.num_edges == 50


def test_a_level_that_is_none_of_them(tmp_path):
    with pytest.raises(rz.InvalidArgumentError, match="always"):
        rz.open(tmp_path / "g.rz", durability="sometimes")


def test_threads_share_a_graph_and_its_log_stays_short(tmp_path):
    path = tmp_path / "g.rz"
    limit = 256 * 1024
    with rz.open(path, directed=True, ids="dense", log_limit="256KiB") as graph:

        def write(first):
            for batch in range(40):
                start = first + 200 * batch
                graph.add_edges([(start + i, start + i + 1) for i in range(200)])

        writers = [threading.Thread(target=write, args=(8000 * t,)) for t in range(4)]
        for writer in writers:
            writer.start()
        seen = []
        while any(writer.is_alive() for writer in writers):
            seen.append(graph.num_edges)
            assert graph.info().log_bytes < 2 * limit
        for writer in writers:
            writer.join()
        assert seen == sorted(seen)
        assert all(edges % 200 == 0 for edges in seen)
        assert graph.num_edges == 4 * 40 * 200
        assert graph.info().background_error == ""
        assert graph.check().findings == []
    with rz.open(path) as graph:
        assert graph.num_edges == 4 * 40 * 200


def test_a_reader_sees_what_was_published_before_it_opened(tmp_path):
    path = tmp_path / "g.rz"
    with rz.open(path, ids="dense") as graph:
        for i in range(30):
            graph.add_edges([(i, i + 1)])
            if i % 10 == 5:
                graph.checkpoint()
            if i % 10 == 7:
                assert read_elsewhere(path) == (i + 1, i + 2)


def test_a_second_writer_is_told_who_the_first_is(tmp_path):
    path = tmp_path / "g.rz"
    with rz.open(path), pytest.raises(rz.LockedError, match=rf"process {os.getpid()} on .* since \d{{4}}-"):
        rz.open(path)


def test_a_forked_child_is_told_to_open_its_own(tmp_path):
    with rz.open(tmp_path / "g.rz", ids="dense") as graph:
        graph.add_edges([(0, 1)])
        child = os.fork()
        if child == 0:
            told = 0
            for use in (lambda: graph.add_edges([(1, 2)]), graph.flush, graph.info, lambda: graph.num_edges):
                try:
                    use()
                except rz.ClosedError as error:
                    told += "forked" in str(error)
            graph.close()
            os._exit(0 if told == 4 else 1)
        _, status = os.waitpid(child, 0)
        assert status == 0
        graph.add_edges([(1, 2)])
    with rz.open(tmp_path / "g.rz") as graph:
        assert graph.num_edges == 2
