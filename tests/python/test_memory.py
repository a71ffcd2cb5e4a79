"""Graphs that would not fit: ids far away, and kernels without memory."""

import subprocess
import sys
from pathlib import Path

import rizoma as rz

FAR = 5_000_000_000


def test_a_far_id_costs_what_it_names(tmp_path: Path) -> None:
    """Of a graph with dense ids: it has no vertices in between, whatever the way."""
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges([(0, 1)])
        assert graph.ids == "dense"
        graph.add_edges([(FAR, 1)])
        with graph.batch() as batch:
            batch.add_edges([(1, 2), (2, 2 * FAR)])
        graph.add_vertices([3 * FAR])
        assert (sorted(graph), graph.ids) == ([0, 1, 2, FAR, 2 * FAR, 3 * FAR], "integer")
        assert rz.connected_components(graph).count == 2
    with rz.open(tmp_path / "g.rz", ids="dense") as graph:
        assert graph.find([0, 3, FAR]).tolist() == [0, -1, 2]
        assert graph.check().findings == []


def test_edges_in_steps_name_no_vertices_in_between() -> None:
    graph = rz.open(None, ids="dense")
    graph.add_edges([(0, 1)])
    graph.add_edges([(i, i + 1) for i in range(0, 2_000_000, 50)])
    assert len(graph) == 80_000


def test_memory_that_runs_out_is_an_error_of_rizoma() -> None:
    script = (
        "import numpy as np, resource, rizoma as rz\n"
        "graph = rz.open(None, ids='dense')\n"
        "graph.add_vertices(np.arange(30_000_000))\n"
        "pages = int(open('/proc/self/statm').read().split()[0])\n"
        "limit = pages * resource.getpagesize() + (64 << 20)\n"  # less than any state of them
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "for call in (rz.pagerank, rz.connected_components, lambda g: g.degrees()):\n"
        "    try:\n"
        "        call(graph)\n"
        "    except rz.OutOfMemoryError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("not enough memory") == 3, done.stdout
