"""Results kept as columns of the store, by one process, by a cluster, and by ranks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import rizoma as rz
from rizoma.core.errors import InvalidArgumentError, LockedError

MPIEXEC = Path(os.environ.get("RIZOMA_TEST_MPIEXEC", Path(sys.executable).with_name("mpiexec")))
needs_mpi = pytest.mark.skipif(
    not MPIEXEC.exists() and shutil.which("mpiexec") is None, reason="there is no mpiexec (pip install mpich)"
)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    random = np.random.default_rng(3)
    path = tmp_path / "g.rz"
    with rz.open(path, directed=True) as graph:
        graph.add_edges(random.integers(0, 3_000, (9_000, 2)) * 7)
    return path


def values_of(graph: rz.Graph, column: str) -> dict[Any, Any]:
    table = pa.table(graph.vertices)
    return dict(zip(table["vertex"].to_pylist(), table[column].to_pylist(), strict=True))


def test_every_kind_of_result_becomes_a_column(store: Path) -> None:
    with rz.open(store) as graph:
        results = {
            "rank": rz.pagerank(graph),
            "level": rz.bfs(graph, 7),
            "core": rz.core_number(graph),
            "component": rz.connected_components(graph),
            "triangles": rz.triangle_count(graph),
            "community": rz.label_propagation(graph, seed=1),
            "distance": rz.sssp(graph, 7),
        }
        for name, result in results.items():
            assert result.store(graph, name) == len(result.to_dict())
        assert results["level"].store(graph, "parent", value="parent") == len(results["level"].to_dict())
    with rz.open(store, mode="read_only") as graph:
        for name, result in results.items():
            expected = dict.fromkeys(graph_ids(graph)) | result.to_dict()
            assert values_of(graph, name) == expected, name
        assert len(graph.where(vertices="core >= 2")) == sum(v >= 2 for _, v in results["core"])


def graph_ids(graph: rz.Graph) -> list[Any]:
    ids: list[Any] = pa.table(graph.vertices)["vertex"].to_pylist()
    return ids


def test_a_column_that_is_there_gets_new_values(store: Path) -> None:
    with rz.open(store, mode="read_only") as graph:
        first = rz.pagerank(graph, alpha=0.5)
    assert first.store(store) == len(first)
    with rz.open(store) as graph:
        graph.add_edges([(1, 2)])
        second = rz.pagerank(graph)
        second.store(graph)
        assert values_of(graph, "rank") == second.to_dict()
        first.store(graph, "earlier")
        assert values_of(graph, "earlier") == {1: None, 2: None} | first.to_dict()


def test_of_two_searches_the_column_has_the_last_alone(tmp_path: Path) -> None:
    with rz.read([(1, 2), (2, 3), (5, 6)], directed=True, into=tmp_path / "two.rz", edges={"w": "int8"}) as graph:
        assert rz.bfs(graph, 1).store(graph, "steps") == 3
        assert rz.bfs(graph, 5).store(graph, "steps") == 2
        assert values_of(graph, "steps") == {1: None, 2: None, 3: None, 5: 0, 6: 1}


def test_results_of_another_graph_leave_no_column(store: Path) -> None:
    with rz.open(store) as graph:
        with pytest.raises(InvalidArgumentError, match="none of the vertices of the result is in this graph"):
            rz.pagerank(rz.read([(1, 2)])).store(graph, "other")
        with pytest.raises(InvalidArgumentError, match="a Snapshot cannot be changed"):
            rz.pagerank(graph).store(graph.snapshot(), "other")  # type: ignore[arg-type]
        with pytest.raises(InvalidArgumentError, match="column='' is not the name"):
            rz.pagerank(graph).store(graph, "")
        assert not graph.vertex_columns


def test_what_cannot_be_kept_says_so(store: Path) -> None:
    with rz.open(store) as graph:
        result = rz.core_number(graph)
        graph.add_column("name", "string", of="vertices")
        with pytest.raises(InvalidArgumentError, match="column name of type string, and these values are"):
            result.store(graph, "name")
        with pytest.raises(InvalidArgumentError, match="cannot be called 'vertex'"):
            result.store(graph, "vertex")
        with pytest.raises(rz.ColumnNotFoundError, match="no column 'colour'"):
            result.store(graph, value="colour")
        with pytest.raises(LockedError):
            result.store(store)
    with pytest.raises(rz.NotFoundError):
        result.store(store.with_name("absent.rz"))
    assert not store.with_name("absent.rz").exists()


def rizoma(*arguments: object, ranks: int = 1) -> subprocess.CompletedProcess[str]:
    launcher = [str(MPIEXEC) if MPIEXEC.exists() else "mpiexec", "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run(
        [*launcher, sys.executable, "-m", "rizoma", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | {"RIZOMA_HEARTBEAT_TIMEOUT": "300"},
    )


def test_the_command_keeps_values(store: Path) -> None:
    ran = rizoma("run", "core_number", store, "--column", "core")
    assert ran.returncode == 0, ran.stderr
    assert "column core of" in ran.stderr
    with rz.open(store, mode="read_only") as graph:
        assert values_of(graph, "core") == rz.core_number(graph).to_dict()


@needs_mpi
def test_ranks_keep_values_in_the_store(store: Path) -> None:
    for kernel in ("pagerank", "connected_components"):
        ran = rizoma("run", kernel, store, "--column", kernel, ranks=3)
        assert ran.returncode == 0, ran.stderr
        assert ran.stderr.count(f"column {kernel} of") == 1
    with rz.open(store, mode="read_only") as graph:
        assert values_of(graph, "connected_components") == rz.connected_components(graph).to_dict()
        expected = rz.pagerank(graph)
        kept = values_of(graph, "pagerank")
        np.testing.assert_allclose([kept[v] for v in expected.ids.tolist()], expected.to_numpy(), atol=1e-6)
    with rz.open(store):  # another process has it open for writing: all ranks end, with one reason
        ran = rizoma("run", "pagerank", store, "--column", "rank", ranks=2)
    assert ran.returncode != 0
    assert "is being written" in ran.stderr


@needs_mpi
def test_what_a_cluster_finds_is_kept(store: Path) -> None:
    with rz.cluster(2, heartbeat_timeout=300) as cluster, cluster.open(store) as shared:
        result = rz.connected_components(shared)
        assert result.store(store, "component") == len(result)
    with rz.open(store, mode="read_only") as graph:
        assert values_of(graph, "component") == result.to_dict()
