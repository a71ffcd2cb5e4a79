"""What was acknowledged is there after a clean close and after SIGKILL; other processes beside a writer."""

from __future__ import annotations

import subprocess
import sys

import pytest
import rizoma as rz

WRITER = """
import sys
import rizoma as rz

graph = rz.open(sys.argv[1], directed=True, ids="dense")
batch = 0
while True:
    first = 100 * batch
    graph.add_edges([(first + i, first + i + 1) for i in range(100)])
    batch += 1
    print(batch, flush=True)
"""


def start_writer(path):
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)


def acknowledged(writer, at_least):
    count = 0
    while count < at_least:
        line = writer.stdout.readline()
        assert line, "the writer ended"
        count = int(line)
    return count


def test_reopen_after_a_clean_close(tmp_path):
    path = tmp_path / "g.rz"
    with rz.open(path, weights="int32") as graph:
        graph.add_edges([("a", "b", 1), ("b", "c", 2)])
    with rz.open(path) as graph:
        assert graph.neighbors("b") == ["a", "c"]
        graph.add_edges([("c", "d", 3)])
        graph.checkpoint()
        graph.add_edges([("d", "e", 4)])
        graph.flush()
        graph.compact("degree")
    with rz.open(path, mode="read_only") as graph:
        assert rz.sssp(graph, "a").to_dict() == {"a": 0, "b": 1, "c": 3, "d": 6, "e": 10}
        assert graph.check().findings == []


@pytest.mark.parametrize("batches", [1, 7, 60])
def test_a_killed_writer_loses_nothing_acknowledged(tmp_path, batches):
    path = tmp_path / "g.rz"
    writer = start_writer(path)
    count = acknowledged(writer, batches)
    writer.kill()
    count = max([count, *map(int, writer.stdout.read().split())])
    writer.wait()
    with rz.open(path) as graph:
        edges = graph.num_edges
        assert edges >= 100 * count
        assert edges % 100 == 0
        assert rz.bfs(graph, 0).reached == edges + 1
        assert graph.check().findings == []
        graph.add_edges([(0, 2)])
    with rz.open(path) as graph:
        assert graph.num_edges == edges + 1


def test_readers_beside_a_writer_and_no_second_writer(tmp_path):
    path = tmp_path / "g.rz"
    writer = start_writer(path)
    try:
        acknowledged(writer, 2)
        with pytest.raises(rz.LockedError):
            rz.open(path)
        with rz.open(path, mode="read_only") as graph:
            edges = graph.num_edges
            assert edges % 100 == 0
            assert rz.connected_components(graph).largest == max(edges + 1, 0) or edges == 0
    finally:
        writer.kill()
        writer.wait()
    with rz.open(path) as graph:
        assert graph.num_edges >= 200


def test_a_damaged_store_is_told_and_never_read_wrong(tmp_path):
    path = tmp_path / "g.rz"
    rz.generate("uniform", 12, into=path).close()
    data = max(path.iterdir(), key=lambda file: file.stat().st_size)
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 0x10
    data.write_bytes(content)
    from rizoma import _core
    from rizoma.core.engines import engine

    with engine() as borrowed:
        report = _core.Graph.check(path, borrowed)
    assert report.findings
    assert all(finding.where and finding.what and finding.loss for finding in report.findings)
    with pytest.raises(rz.CorruptError), rz.open(path) as graph:
        rz.pagerank(graph)
