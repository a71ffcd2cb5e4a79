"""Graphs that would not fit: ids far away, and kernels without memory."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
import rizoma as rz

FAR = 5_000_000_000


def test_an_edge_may_not_blow_up_a_dense_graph(tmp_path: Path) -> None:
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges([(0, 1)])
        assert graph.ids == "dense"
        with pytest.raises(rz.InvalidArgumentError, match=rf"vertex {FAR}.*ids=\"integer\""):
            graph.add_edges([(FAR, 1)])
        with pytest.raises(rz.InvalidArgumentError, match=str(FAR)), graph.batch() as batch:
            batch.add_edges([(1, 2), (2, FAR)])
        assert len(graph) == 2
        with pytest.raises(rz.InvalidArgumentError, match="vertex 1000000"):
            graph.add_edges([(1, 1_000_000)])
        graph.add_edges([(1, 60_000)])  # small enough not to ask
        assert len(graph) == 60_001
        graph.add_edges([(1, 240_000)])  # less than four times as many
        assert len(graph) == 240_001


def test_a_vertex_far_away_can_be_asked_for() -> None:
    graph = rz.open(None, ids="dense")
    graph.add_vertices([3_000_000])
    graph.add_edges([(0, 3_000_000)])
    assert len(graph) == 3_000_001


def test_many_edges_may_make_a_small_graph_large() -> None:
    graph = rz.open(None, ids="dense")
    graph.add_edges([(0, 1)])
    graph.add_edges([(i, i + 1) for i in range(0, 2_000_000, 50)])
    assert len(graph) == 1_999_952


def test_memory_that_runs_out_is_an_error_of_rizoma() -> None:
    script = (
        "import rizoma as rz\n"
        "graph = rz.open(None, ids='dense')\n"
        f"graph.add_vertices([{FAR}])\n"
        "for call in (rz.pagerank, rz.connected_components, lambda g: g.degrees()):\n"
        "    try:\n"
        "        call(graph)\n"
        "    except rz.OutOfMemoryError as error:\n"
        "        print(error)\n"
    )
    limit = 16 << 30  # less than any state of all these vertices, and room for what each processor adds
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=900,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("not enough memory") == 3, done.stdout
