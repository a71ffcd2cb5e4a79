"""Checkpoints: a job that dies goes on from the state that it kept, to the same answer."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rizoma as rz
from enough_work import with_work_enough
from rizoma.core.errors import InvalidArgumentError, UnsupportedError

FOR_EVER = {"tol": 0, "max_iter": 10**9}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    random = np.random.default_rng(3)
    path = tmp_path / "g.rz"
    with rz.open(path, directed=True) as graph:
        graph.add_edges(random.integers(0, 5_000, (20_000, 2)))
    return path


def directory(store: Path) -> Path:
    return store.with_name(store.name + ".checkpoints")


def kept(store: Path) -> bool:
    """Whether a state of a PageRank is there, whole."""
    return any(file.suffix == "" for file in directory(store).glob("pagerank-*"))


def stop_once_kept(store: Path) -> Any:
    """A progress function that ends the call as soon as it has kept a state."""

    def stop(phase: str, done: float, total: float) -> None:
        if kept(store):
            raise KeyError("enough")

    return stop


def test_a_call_that_ended_early_goes_on(store: Path) -> None:
    with rz.open(store, mode="read_only") as graph:
        expected = rz.pagerank(graph, tol=1e-12)
        with rz.config(checkpoint=0), pytest.raises(KeyError):
            rz.pagerank(graph, **FOR_EVER, progress=stop_once_kept(store))
        with rz.config(checkpoint="60s", resume=True):
            result = rz.pagerank(graph, tol=1e-12)
        assert result.resumed_after > 0
        assert result.converged
        np.testing.assert_allclose(result.to_numpy(), expected.to_numpy(), rtol=0, atol=3e-12)
        assert f"{result.resumed_after} before the checkpoint" in str(result)
        assert not directory(store).exists(), "a call that has its answer leaves nothing"
        assert rz.pagerank(graph).resumed_after == 0


@pytest.mark.parametrize(
    ("kernel", "options"),
    [
        ("bfs", {"source": 0}),
        ("sssp", {"source": np.int64(0)}),
        ("sssp", {"source": 0, "weight": None}),
        ("betweenness_centrality", {"k": 200}),
    ],
)
def test_searches_go_on(tmp_path: Path, kernel: str, options: dict[str, Any]) -> None:
    """The sources of a sample are those of the call that was broken off."""
    call = getattr(rz, kernel)

    def attempt(size: int) -> bool:
        store = tmp_path / f"path{size}.rz"

        def stop(phase: str, done: float, total: float) -> None:
            if any(file.suffix == "" for file in directory(store).glob(f"{kernel}-*")):
                raise KeyError("enough")

        numbers = np.arange(size)
        with rz.open(store, directed=False) as graph:
            graph.add_edges(np.column_stack((numbers, numbers + 1)))
            try:
                with rz.config(checkpoint=0):
                    call(graph, **options, progress=stop)
            except KeyError:
                pass
            else:
                return False
            with rz.config(resume=True):
                result = call(graph, **options)
            assert result.resumed_after > 0
            assert not directory(store).exists()
            if kernel == "betweenness_centrality":
                assert result.sources == 200
            else:
                np.testing.assert_array_equal(result.to_numpy(), call(graph, **options).to_numpy())
        return True

    with_work_enough(attempt, 20_000)


FEW_STEPS: dict[str, dict[str, Any]] = {
    "connected_components": {},
    "core_number": {},
    "louvain": {"seed": 1},
    "leiden": {"seed": 1},
    "strongly_connected_components": {},
    "katz_centrality": {"alpha": 0.01},
    "influence": {"seeds": [1, 2], "seed": 1, "runs": 100},
}


@pytest.mark.parametrize("kernel", FEW_STEPS)
def test_what_takes_few_steps_keeps_them_too(store: Path, kernel: str) -> None:
    call, options = getattr(rz, kernel), FEW_STEPS[kernel]
    with rz.open(store) as graph:
        expected = call(graph, **options)
        with rz.config(checkpoint=0, resume=True):
            result = call(graph, **options)
    if kernel == "influence":
        assert result == expected
    else:
        np.testing.assert_array_equal(result.to_numpy(), expected.to_numpy())
    assert not directory(store).exists()


def test_a_truss_keeps_its_rounds(tmp_path: Path) -> None:
    store = tmp_path / "g.rz"
    with rz.open(store, directed=False) as graph:
        graph.add_edges(np.random.default_rng(3).integers(0, 300, (3_000, 2)))
        expected = rz.k_truss(graph, 4)
        with rz.config(checkpoint=0, resume=True):
            result = rz.k_truss(graph, 4)
        assert result.edges().equals(expected.edges())
    assert not directory(store).exists()


def test_katz_centrality_goes_on(store: Path) -> None:
    def stop(phase: str, done: float, total: float) -> None:
        if any(file.suffix == "" for file in directory(store).glob("katz_centrality-*")):
            raise KeyError("enough")

    with rz.open(store) as graph:
        expected = rz.katz_centrality(graph, alpha=0.01)
        with rz.config(checkpoint=0), pytest.raises(KeyError):
            rz.katz_centrality(graph, alpha=0.01, tol=0, progress=stop)
        with rz.config(resume=True):
            result = rz.katz_centrality(graph, alpha=0.01)
        assert result.resumed_after > 0
        # The first job, which has no end of its own, hears late of the one it is given.
        assert result.iterations >= max(expected.iterations, result.resumed_after)
        np.testing.assert_allclose(result.to_numpy(), expected.to_numpy(), rtol=1e-5)
        assert not directory(store).exists()


def test_a_kernel_after_another_one_keeps_its_own_state(store: Path) -> None:
    """Views and kernels without checkpoints in between take none."""
    with rz.open(store) as graph:
        former = rz.connected_components(graph)
        graph.add_edges([(1, 2), (3, 4)])
        with rz.config(checkpoint=0, resume=True):
            result = rz.connected_components(graph, start=former, changed=[1, 2, 3, 4])
        np.testing.assert_array_equal(result.to_numpy(), rz.connected_components(graph).to_numpy())
    assert not directory(store).exists()


def test_a_killed_command_goes_on(store: Path) -> None:
    rizoma = [sys.executable, "-m", "rizoma"]
    endless = [*rizoma, "run", "pagerank", str(store), "--tol", "0", "--max-iter", "1000000000", "--checkpoint", "0s"]
    with subprocess.Popen(endless, stderr=subprocess.DEVNULL) as process:
        while not kept(store):
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    command = [*rizoma, "run", "pagerank", str(store), "--tol", "1e-9", "--resume", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(ran.stdout)
    assert answer["resumed_after"] > 0
    assert answer["converged"]
    with rz.open(store, mode="read_only") as graph:
        expected = rz.pagerank(graph, tol=1e-9)
        assert answer["top"][0]["vertex"] == expected.top(1)[0][0]
    assert subprocess.run([*rizoma, "check", str(store)], capture_output=True, check=False).returncode == 0


def test_each_call_goes_on_from_its_own_state(store: Path) -> None:
    with rz.open(store) as graph:
        with rz.config(checkpoint=0), pytest.raises(KeyError):
            rz.pagerank(graph, **FOR_EVER, progress=stop_once_kept(store))
        with rz.config(resume=True):
            other = rz.pagerank(graph, alpha=np.float32(0.5))
            assert other.resumed_after == 0
            assert other.converged
            assert rz.pagerank(graph, nstart=np.arange(1.0, graph.num_vertices + 1)).resumed_after == 0
            assert rz.pagerank(graph, start=other).resumed_after == 0
            assert kept(store), "another call leaves it alone"
            graph.add_edges([(1, 2), (3, 4)])
            with pytest.raises(InvalidArgumentError, match="another state"):
                rz.pagerank(graph)
        with rz.config(checkpoint="1m"):
            assert rz.pagerank(graph).resumed_after == 0, "who does not resume begins anew"


def test_what_keeps_nothing_says_so(store: Path) -> None:
    with rz.open(store, mode="read_only") as graph, rz.config(checkpoint="5m"):
        with pytest.raises(UnsupportedError, match="keeps no checkpoints"):
            rz.triangle_count(graph)
        memory = rz.open(None)
        memory.add_edges([(1, 2)])
        with pytest.raises(InvalidArgumentError, match="beside a graph on disk"):
            rz.pagerank(memory)
    with pytest.raises(InvalidArgumentError, match="not a time"):
        rz.config(checkpoint="soon")
