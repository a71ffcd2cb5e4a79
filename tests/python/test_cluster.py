"""Ranks: a command started by mpiexec, and a cluster driven from Python; real MPI on this machine."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from enough_work import with_work_enough
from rizoma.core.errors import ClusterError, InvalidArgumentError, UnsupportedError, VertexNotFoundError
from rizoma.distributed.launching import InPlaces
from rizoma.distributed.places import Place, end_proxy
from striking import Strike

MPIEXEC = Path(os.environ.get("RIZOMA_TEST_MPIEXEC", Path(sys.executable).with_name("mpiexec")))
HEARTBEAT_TIMEOUT = 300.0  # seconds: ranks may be more than processors, and those be busy otherwise
pytestmark = pytest.mark.skipif(
    not MPIEXEC.exists() and shutil.which("mpiexec") is None, reason="there is no mpiexec (pip install mpich)"
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A skewed graph of several sections, with string ids."""
    random = np.random.default_rng(1)
    sources = (random.pareto(1.0, 60_000) * 300).astype(np.int64) % 20_000
    targets = random.integers(0, 20_000, 60_000)
    path = tmp_path_factory.mktemp("cluster") / "g.rz"
    with rz.open(path, directed=True) as graph:
        graph.add_edges([(f"v{s}", f"v{t}") for s, t in zip(sources, targets, strict=True)])
        graph.compact()
    return path


def mpiexec(ranks: int, *command: str, timeout: float = 900) -> subprocess.CompletedProcess[str]:
    launcher = str(MPIEXEC) if MPIEXEC.exists() else "mpiexec"
    return subprocess.run(
        [launcher, "-n", str(ranks), *command],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env=os.environ | {"RIZOMA_HEARTBEAT_TIMEOUT": str(HEARTBEAT_TIMEOUT)},
    )


@pytest.mark.parametrize("ranks", [2, 3])
def test_a_command_on_ranks_gives_one_answer(store: Path, ranks: int) -> None:
    rizoma = [sys.executable, "-m", "rizoma"]
    alone = subprocess.run([*rizoma, "run", "pagerank", str(store)], capture_output=True, text=True, check=True)
    ran = mpiexec(ranks, *rizoma, "run", "pagerank", str(store))
    assert ran.returncode == 0, ran.stderr
    rows = [line.split() for line in alone.stdout.splitlines()]
    got = [line.split() for line in ran.stdout.splitlines()]
    assert [row[0] for row in got] == [row[0] for row in rows]
    assert ran.stderr.count("PageRank of") == 1
    assert f"{ranks} ranks" in ran.stderr
    assert re.search(r"[1-9][\d,]* bytes in", ran.stderr)


def test_each_rank_writes_a_part_of_the_answer(store: Path, tmp_path: Path) -> None:
    rizoma = [sys.executable, "-m", "rizoma"]
    ran = mpiexec(3, *rizoma, "run", "connected_components", str(store), "-o", str(tmp_path / "c.parquet"), "--parts")
    assert ran.returncode == 0, ran.stderr
    assert "c-0.parquet to c-2.parquet" in ran.stderr
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["c-0.parquet", "c-1.parquet", "c-2.parquet"]
    tables = [pq.read_table(file) for file in files]
    assert all(len(table) > 0 for table in tables)
    with rz.open(store, mode="read_only") as alone:
        assert pa.concat_tables(tables).equals(rz.connected_components(alone).to_arrow())
    ran = mpiexec(2, *rizoma, "run", "pagerank", str(store), "--parts")
    assert ran.returncode == 2
    assert "--parts divides the output file" in ran.stderr


@pytest.mark.parametrize("ranks", [2, 3])
def test_the_launcher_gives_the_exit_code_of_the_ranks(ranks: int, store: Path) -> None:
    """The first rank that ends has the launcher kill the others: so they end together."""
    ran = mpiexec(ranks, sys.executable, "-m", "rizoma", "run", "bfs", str(store), "--source", "no such")
    assert ran.returncode == 1
    assert ran.stderr.startswith("rizoma: the graph has no vertex 'no such'; its ids are such as ")
    assert ran.stderr.count("\n") == 1
    assert "BAD TERMINATION" not in ran.stdout


def test_an_error_is_told_once(store: Path) -> None:
    ran = mpiexec(2, sys.executable, "-m", "rizoma", "run", "leiden", str(store))
    assert ran.returncode != 0
    assert ran.stderr.count("leiden does not run on several ranks") == 1
    ran = mpiexec(2, sys.executable, "-m", "rizoma", "run", "pagerank", str(store) + ".absent")
    assert ran.returncode != 0
    assert ran.stderr.count("rizoma: ") == 1


def test_results_are_those_of_one_process(store: Path) -> None:
    with (
        rz.open(store, mode="read_only") as alone,
        rz.cluster(3, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
        cluster.open(store) as graph,
    ):
        assert len(graph) == len(alone)
        expected = rz.pagerank(alone, tol=1e-9)
        ranks = rz.pagerank(graph, tol=1e-9)
        np.testing.assert_allclose(ranks.to_numpy(), expected.to_numpy(), rtol=1e-9)
        assert ranks.iterations == expected.iterations
        assert ranks.top(3)[0][0] == expected.top(1)[0][0]
        assert ranks.ranks == 3
        assert ranks.traffic is not None
        assert ranks.traffic.total.bytes > 0
        assert all(ranks.traffic.between[i][i].bytes == 0 for i in range(3))
        assert "3 ranks" in str(ranks)

        source = expected.top(1)[0][0]
        levels = rz.bfs(graph, source)
        np.testing.assert_array_equal(levels.levels, rz.bfs(alone, source).levels)
        assert levels.source == source
        components = rz.connected_components(graph)
        np.testing.assert_array_equal(components.to_numpy(), rz.connected_components(alone).to_numpy())
        triangles = rz.triangle_count(graph)
        np.testing.assert_array_equal(triangles.to_numpy(), rz.triangle_count(alone).to_numpy())
        assert triangles.total == rz.triangle_count(alone).total > 0
        cores = rz.core_number(graph)
        np.testing.assert_array_equal(cores.to_numpy(), rz.core_number(alone).to_numpy())
        assert cores.greatest == rz.core_number(alone).greatest > 1
        for options in ({"k": 3, "seed": 5}, {"k": 40, "seed": 5}):
            between = rz.betweenness_centrality(graph, **options)
            np.testing.assert_allclose(
                between.to_numpy(), rz.betweenness_centrality(alone, **options).to_numpy(), rtol=1e-9
            )
        assert rz.betweenness_centrality(graph, k=2).ranks == 3  # each rank draws sources: those of the first count
        np.testing.assert_array_equal(graph.degrees().to_numpy(), alone.degrees().to_numpy())
        for options in ({"alpha": 0.001}, {"alpha": 0.001, "normalized": False, "max_iter": 3}):
            katz, expected = (rz.katz_centrality(g, **options) for g in (graph, alone))
            np.testing.assert_allclose(katz.to_numpy(), expected.to_numpy(), rtol=1e-12)
            assert (katz.iterations, katz.converged) == (expected.iterations, expected.converged)
        with pytest.raises(InvalidArgumentError, match=r"the scores grow without bound with alpha = 0\.9"):
            rz.katz_centrality(graph, alpha=0.9)
        for options in ({"k": 4, "seed": 3}, {"k": 3, "method": "imm", "model": "lt", "epsilon": 0.4, "seed": 3}):
            best, expected = (rz.influence_maximization(g, probability=0.02, **options) for g in (graph, alone))
            assert best.seeds == expected.seeds
            assert (best.spread, best.guarantee, best.rr_sets) == (
                expected.spread, expected.guarantee, expected.rr_sets,
            )  # fmt: skip
            assert best.ranks == 3
            assert (best.to_dict(), len(best)) == (expected.to_dict(), len(expected))
            assert "seeds that reach" in str(best)
        assert len(rz.influence_maximization(graph, k=2, probability=0.02).seeds) == 2  # by the first rank's draw


def test_kernels_with_weights_and_seeds_answer_as_one_process_does(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    edges = random.integers(0, 15_000, (40_000, 2))
    path = tmp_path / "weighted.rz"
    with rz.open(path, weights="float64") as graph:
        graph.add_edges(list(zip(*edges.T.tolist(), random.random(len(edges)).tolist(), strict=True)))
    with (
        rz.open(path, mode="read_only") as alone,
        rz.cluster(3, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
        cluster.open(path) as graph,
    ):
        source = int(edges[0, 0])
        for weight in ("weight", None):
            lengths = rz.sssp(graph, source, weight=weight)
            np.testing.assert_array_equal(lengths.to_numpy(), rz.sssp(alone, source, weight=weight).to_numpy())
            assert lengths.ranks == 3
            assert lengths.source == source
            katz, expected = (rz.katz_centrality(g, alpha=0.01, weight=weight) for g in (graph, alone))
            np.testing.assert_allclose(katz.to_numpy(), expected.to_numpy(), rtol=1e-12)
        for options in ({"synchronous": True, "max_iter": 5}, {"seed": 3, "weight": "weight"}):
            labels, expected = (rz.label_propagation(g, **options) for g in (graph, alone))
            np.testing.assert_array_equal(labels.to_numpy(), expected.to_numpy())
            assert (labels.count, labels.iterations) == (expected.count, expected.iterations)
        drawn = rz.label_propagation(graph)  # each rank draws a seed: that of the first counts
        assert drawn.count == len(np.unique(drawn.to_numpy()))


def test_ranks_share_the_work_on_views(tmp_path: Path) -> None:
    random = np.random.default_rng(6)
    edges = random.integers(0, 9_000, (30_000, 2))
    path = tmp_path / "views.rz"
    with rz.open(path, directed=True, edges={"amount": "float64"}) as graph:
        graph.add_edges({"source": edges[:, 0], "target": edges[:, 1], "amount": random.random(len(edges))})

    def views_of(graph: Any) -> Iterator[Any]:
        yield graph.where(edges="amount > 0.5")
        yield graph.where(vertices="vertex < 5000")
        yield graph.subgraph(iter(range(0, 9_000, 2)))
        yield graph.reverse()
        yield graph.undirected().where(vertices="vertex > 100")
        yield graph.neighborhood(int(edges[0, 0]), 3)

    with (
        rz.open(path, mode="read_only") as alone,
        rz.cluster(3, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
        cluster.open(path) as graph,
    ):
        for view, expected in zip(views_of(graph), views_of(alone), strict=True):
            assert len(view) == len(expected) > 0
            found = rz.connected_components(view)
            assert found.ranks == 3
            np.testing.assert_array_equal(found.to_numpy(), rz.connected_components(expected).to_numpy())
            ranks = rz.pagerank(view, tol=1e-9)
            np.testing.assert_allclose(ranks.to_numpy(), rz.pagerank(expected, tol=1e-9).to_numpy(), rtol=1e-9)
            with pytest.raises(UnsupportedError, match="leiden does not run on several ranks"):
                rz.leiden(view)


def test_louvain_finds_the_communities_of_one_process(store: Path) -> None:
    with (
        rz.open(store, mode="read_only") as alone,
        rz.cluster(3, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
        cluster.open(store) as graph,
    ):
        expected = rz.louvain(alone, seed=3, weight=None)
        found = rz.louvain(graph, seed=3, weight=None)
        np.testing.assert_array_equal(found.to_numpy(), expected.to_numpy())
        assert found.count == expected.count
        assert found.modularity == expected.modularity
        assert found.ranks == 3
        assert found.traffic is not None
        assert found.traffic.total.bytes > 0
        assert set(found.traffic.to_dict()["packed"]) == {"alone", "by_all"}
        for level, same in zip(found.levels, expected.levels, strict=True):
            np.testing.assert_array_equal(level.to_numpy(), same.to_numpy())
        assert found.graph().num_edges == expected.graph().num_edges
        with rz.config(partition="round_robin"), pytest.raises(UnsupportedError, match="needs contiguous sections"):
            rz.louvain(graph, seed=3)


def test_a_rank_that_has_nothing_to_do_takes_work_of_another(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    edges = random.integers(0, 6_000, (300_000, 2))
    with rz.open(tmp_path / "g.rz", directed=False) as graph:
        graph.add_vertices(np.arange(40_000))
        graph.add_edges(edges[edges[:, 0] != edges[:, 1]])
        graph.compact()
        expected = rz.triangle_count(graph)
    with rz.cluster(3, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster, cluster.open(tmp_path / "g.rz") as graph:
        with rz.config(partition="halves", migration=False):
            counted = rz.triangle_count(graph)
            assert counted.total == expected.total
            assert counted.traffic is not None
            assert not np.any(counted.traffic.migrated)
        moved = np.zeros((3, 3), dtype=int)
        for cache in ("64M", "0", "64M", "1000") * 5:  # who is first is not sure
            with rz.config(partition="halves", rank_cache=cache):
                counted = rz.triangle_count(graph)
            assert counted.total == expected.total
            np.testing.assert_array_equal(counted.to_numpy(), expected.to_numpy())
            assert counted.traffic is not None
            moved += counted.traffic.migrated
        assert not moved[1:].any(), "only the first third of the vertices has edges"
        assert not moved.diagonal().any()
        assert moved.sum() > 0
        with pytest.raises(InvalidArgumentError, match="choose one of auto, chunk, halves, round_robin"):
            rz.config(partition="in_place")


def test_the_ladder_measures_each_step(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rizoma", "bench", "cluster", "--scale", "10", "--rounds", "1"]
    ran = subprocess.run(
        [*command, "--ladder", "-o", str(tmp_path / "l.json"), "--keep", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"RIZOMA_HEARTBEAT_TIMEOUT": str(HEARTBEAT_TIMEOUT)},
    )
    assert ran.returncode == 0, ran.stderr
    report = json.loads((tmp_path / "l.json").read_text())
    assert [row["step"]["migration"] for row in report["results"]] == [False, True, True, True, *[False] * 3]
    assert [row["step"]["rank_batch"] for row in report["results"]] == ["0"] * 6 + ["64K"]
    assert all(row["answer"] == "agrees" for row in report["results"])
    assert all(row["step"]["name"] in ran.stdout for row in report["results"])


def test_what_ranks_do_with_each_other_is_measured_by_size(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rizoma", "bench", "network", "--rounds", "1", "--seconds", "0.002"]
    ran = subprocess.run(
        [*command, "--sizes", "8,4K", "--ranks", "3", "-o", str(tmp_path / "n.json")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    rows = json.loads((tmp_path / "n.json").read_text())["results"]
    alone = [("fetch_add", 8, False), ("fetch_add", 8, True)]
    assert [(row["operation"], row["bytes"], row["other_computes"]) for row in rows] == alone + [
        (operation, size, computes)
        for size in (8, 4096)
        for operation, ways in (("read", 2), ("write", 2), ("message", 2), ("round", 1))
        for computes in (False, True)[:ways]
    ]
    assert all(row["operations"] >= 1 and 0 < row["median"] <= row["percentile_95"] for row in rows)
    assert all(len(row["processor_seconds"]) == 3 for row in rows)
    asked = subprocess.run([*command, "--sizes", "8,0"], capture_output=True, text=True, check=False)
    assert asked.returncode == 2
    assert "--sizes is '8,0'; give bytes of 1 or more" in " ".join(asked.stderr.split())


def test_errors_leave_the_cluster_usable(store: Path) -> None:
    with rz.cluster(2, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster, cluster.open(store) as graph:
        with pytest.raises(InvalidArgumentError, match=r"^pagerank: alpha is 2; it must be at least 0 and below 1"):
            rz.pagerank(graph, alpha=2)
        with pytest.raises(VertexNotFoundError, match="nobody"):
            rz.bfs(graph, "nobody")
        with pytest.raises(UnsupportedError, match=r"leiden does not run on several ranks.*\(on ranks run .*sssp"):
            rz.leiden(graph)
        assert rz.pagerank(graph).converged


@pytest.fixture(scope="module")
def islands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of many components, with a vertex that was removed."""
    rng = np.random.default_rng(5)
    pairs = rng.integers(0, 500, (700, 2))
    path = tmp_path_factory.mktemp("islands") / "g.rz"
    with rz.open(path) as graph:
        graph.add_edges([(int(a), int(b)) for a, b in pairs if a // 100 == b // 100])
        graph.add_edges([(600 + 2 * i, 601 + 2 * i) for i in range(40)])
        graph.remove_vertices([int(pairs[0, 0])])
    return path


def test_sums_of_distances_are_those_of_one_process(islands: Path) -> None:
    calls = [
        lambda graph: rz.closeness_centrality(graph),
        lambda graph: rz.closeness_centrality(graph, k=20, seed=3),
        lambda graph: rz.harmonic_centrality(graph),
        lambda graph: rz.harmonic_centrality(graph, k=20, seed=3),
        lambda graph: rz.eccentricity(graph),
        lambda graph: rz.clustering(graph),
        lambda graph: rz.clustering(graph, definition="ldbc"),
    ]
    with rz.open(islands, mode="read_only") as alone:
        expected = [call(alone) for call in calls]
    program = """
        import sys, numpy as np, rizoma as rz
        from mpi4py import MPI
        with rz.open(sys.argv[1], mode="read_only", comm=MPI.COMM_WORLD) as graph:
            a, b = rz.closeness_centrality(graph, k=20), rz.harmonic_centrality(graph, k=20)
            print(a.to_numpy().sum(), b.to_numpy().sum())
    """
    with rz.cluster(3, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster, cluster.open(islands) as graph:
        for call, one in zip(calls, expected, strict=True):
            shared = call(graph)
            np.testing.assert_array_equal(shared.to_numpy(), one.to_numpy())
            assert shared.ranks == 3
        assert rz.closeness_centrality(graph, k=20, seed=3).error == expected[1].error
        assert rz.eccentricity(graph).diameter == expected[4].diameter > 1
        assert rz.clustering(graph).average == pytest.approx(expected[5].average, rel=1e-12)
    # Each process draws a sample of its own, and that of the first counts: all have the same answer.
    ran = mpiexec(2, sys.executable, "-c", textwrap.dedent(program), str(islands))
    assert ran.returncode == 0, ran.stderr
    assert len(set(ran.stdout.split("\n"))) == 2, ran.stdout  # one line, twice, and nothing


def test_every_algorithm_either_runs_on_ranks_or_is_refused_by_name(store: Path) -> None:
    shared = {"pagerank", "bfs", "sssp", "connected_components", "label_propagation", "triangle_count"}
    shared |= {"core_number", "betweenness_centrality", "louvain", "katz_centrality", "influence_maximization"}
    shared |= {"closeness_centrality", "clustering", "eccentricity", "harmonic_centrality"}
    others = [name for name in rz.algorithms.__all__ if name not in shared]
    assert len(others) == len(rz.algorithms.__all__) - len(shared) > 5
    with rz.cluster(2, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster, cluster.open(store) as graph:
        for name in others:
            needed = [p for p in inspect.signature(getattr(rz, name)).parameters.values() if p.default is p.empty]
            with pytest.raises(UnsupportedError, match=rf"^{name} does not run on several ranks; .*sssp"):
                getattr(rz, name)(graph, *[3] * (len(needed) - 1))


def test_a_progress_function_hears_and_may_stop(store: Path) -> None:
    heard: list[str] = []

    def stop(phase: str, done: float, total: float) -> None:
        heard.append(phase)
        raise KeyError("enough")

    with rz.cluster(2, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster, cluster.open(store) as graph:
        with pytest.raises(KeyError, match="enough"):
            rz.pagerank(graph, tol=0, max_iter=10**9, progress=stop)
        assert heard == ["pagerank"]
        assert rz.pagerank(graph).converged


def test_ctrl_c_stops_the_call_and_not_the_ranks(store: Path, tmp_path: Path) -> None:
    program = textwrap.dedent(f"""
        import os, signal, threading
        import rizoma as rz
        with rz.cluster(2, heartbeat_timeout={HEARTBEAT_TIMEOUT}) as cluster, cluster.open({str(store)!r}) as graph:
            try:
                threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
                rz.pagerank(graph, tol=0, max_iter=10**9)
            except KeyboardInterrupt:
                print("interrupted")
            print(rz.pagerank(graph).converged)
    """)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=900, check=False)
    assert ran.stdout.split() == ["interrupted", "True"], ran.stderr


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_lost_rank_is_named(store: Path, how: signal.Signals) -> None:
    """Killed, or stopped and silent, in the middle of a call."""
    with rz.cluster(3, heartbeat_timeout=60 if how == signal.SIGSTOP else HEARTBEAT_TIMEOUT) as cluster:
        graph = cluster.open(store)
        victim = int(re.search(r"process (\d+)", cluster.names[1])[1])  # type: ignore[index]
        with pytest.raises(ClusterError, match=rf"rank 1 \(process {victim} on .*\) is lost"):
            rz.pagerank(graph, tol=0, max_iter=10**9, progress=Strike(victim, how=how))
        assert not cluster.running
        with pytest.raises(rz.ClosedError):
            rz.pagerank(graph)


def test_a_job_whose_rank_was_killed_goes_on_with_other_ranks(store: Path) -> None:
    kept = store.with_name(store.name + ".checkpoints")
    with rz.config(checkpoint=0), rz.cluster(3, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster:
        victim = int(re.search(r"process (\d+)", cluster.names[1])[1])  # type: ignore[index]
        strike = Strike(victim, lambda: any(file.suffix == "" for file in kept.glob("pagerank-*")))
        with pytest.raises(ClusterError, match="is lost"):
            rz.pagerank(cluster.open(store), tol=0, max_iter=10**9, progress=strike)
    with rz.open(store, mode="read_only") as alone:
        expected = rz.pagerank(alone, tol=1e-10)
    with rz.config(resume=True), rz.cluster(2, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster:
        result = rz.pagerank(cluster.open(store), tol=1e-10)
    assert result.resumed_after > 0
    assert result.converged
    np.testing.assert_allclose(result.to_numpy(), expected.to_numpy(), rtol=0, atol=3e-10)
    assert not kept.exists()


def killed_during(kernel: str, store: Path, options: dict[str, Any]) -> bool:
    """Kill one of three ranks once a state of the search is kept; false: it had its answer before."""

    def kept() -> bool:
        return any(file.suffix == "" for file in store.with_name(store.name + ".checkpoints").glob(f"{kernel}-*"))

    with rz.config(checkpoint=0), rz.cluster(3, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster:
        victim = int(re.search(r"process (\d+)", cluster.names[1])[1])  # type: ignore[index]
        graph = cluster.open(store)
        try:
            getattr(rz, kernel)(graph, **options, progress=Strike(victim, kept))
        except ClusterError as error:
            told = str(error)
        else:
            return False
    assert "is lost" in told
    return kept()


@pytest.mark.parametrize("kernel", ["bfs", "sssp", "betweenness_centrality"])
def test_searches_whose_rank_was_killed_go_on_with_other_ranks(tmp_path: Path, kernel: str) -> None:
    options: dict[str, Any] = {"k": 100, "seed": 4} if kernel == "betweenness_centrality" else {"source": 0}

    def attempt(size: int) -> bool:
        store = tmp_path / f"path{size}.rz"
        numbers = np.arange(size)
        with rz.open(store, directed=False) as graph:
            graph.add_edges(np.column_stack((numbers, numbers + 1)))
        if not killed_during(kernel, store, options):
            return False
        with rz.open(store, mode="read_only") as alone:
            expected = getattr(rz, kernel)(alone, **options)
        with rz.config(resume=True), rz.cluster(2, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster:
            result = getattr(rz, kernel)(cluster.open(store), **options)
        assert result.resumed_after > 0
        np.testing.assert_allclose(result.to_numpy(), expected.to_numpy(), rtol=1e-12)
        assert not store.with_name(store.name + ".checkpoints").exists()
        return True

    with_work_enough(attempt, 6_000)


def test_ranks_that_cannot_start_say_why_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidArgumentError, match="ranks is 0"):
        rz.cluster(0)
    with pytest.raises(ClusterError) as unknown:
        rz.cluster(hosts=["nowhere.invalid"] * 2)
    assert "mpiexec@" not in str(unknown.value)
    assert str(unknown.value).endswith(
        "hosts= names machines that ssh reaches without a password: ssh HOST true tries it"
    )
    monkeypatch.setenv("RIZOMA_MPI_LIBRARY", "/nowhere/libmpi_abi.so.1")
    with pytest.raises(
        ClusterError, match=r"^RIZOMA_MPI_LIBRARY is /nowhere/libmpi_abi.so.1, where no file is; unset it"
    ):
        rz.cluster(2)
    (tmp_path / "libmpi.so").write_text("no library")
    monkeypatch.setenv("RIZOMA_MPI_LIBRARY", str(tmp_path / "libmpi.so"))
    began = time.monotonic()
    with pytest.raises(
        ClusterError, match=r"^2 ranks could not be started: no MPI library [^\n]*\[cluster\]$"
    ) as wrong:
        rz.cluster(2)
    assert "Traceback" not in str(wrong.value)
    assert time.monotonic() - began < 15, "the launcher's end, 20 s later, is not waited for"


def test_a_place_that_does_not_answer_is_given_up() -> None:
    never, asked = threading.Event(), []

    def silent(function: Any, *args: Any) -> None:
        asked.append((function, args))
        never.wait()

    def broken(function: Any, *args: Any) -> None:
        raise KeyError("no such worker")

    place = Place("127.0.0.1", 1, 1, silent)
    with pytest.raises(TimeoutError, match="no answer within"):
        place.ask(0.01, end_proxy, 1)
    with pytest.raises(KeyError, match="no such worker"):
        Place("venus", 1, 1, broken).ask(HEARTBEAT_TIMEOUT, end_proxy, 1)
    assert Place("mars", 1, 1, lambda function, *args: function(*args)).ask(HEARTBEAT_TIMEOUT, max, 1, 2) == 2
    launching = InPlaces([place], None)
    launching.proxies = [(place, 7), (place, 8)]
    launching.end()  # though no host answers
    assert [args for _, args in asked] == [(1,), (7,), (8,)]
    never.set()


def test_a_program_of_mpi4py_opens_a_store_together(store: Path) -> None:
    pytest.importorskip("mpi4py")
    program = textwrap.dedent(f"""
        from mpi4py import MPI
        import rizoma as rz
        graph = rz.open({str(store)!r}, comm=MPI.COMM_WORLD)
        best = rz.pagerank(graph).top(1)[0][0]
        assert rz.pagerank(graph.reverse()).ranks == 2
        same = MPI.COMM_WORLD.allgather(best)
        print("together %d %d\\n" % (graph.ranks.size, len(set(same))), end="")  # one write: ranks share the pipe
        graph.close()
    """)
    ran = mpiexec(2, sys.executable, "-c", program)
    assert ran.stdout.split("\n").count("together 2 1") == 2, ran.stderr


@pytest.mark.parametrize(
    ("end", "told"),
    [("raise OSError('enough')", "has ended the run: the program ended by OSError"), ("sys.exit()", "has left")],
)
def test_a_rank_that_ends_early_is_missed(store: Path, tmp_path: Path, end: str, told: str) -> None:
    said = tmp_path / "said"
    program = textwrap.dedent(f"""
        import sys
        import rizoma as rz
        from rizoma.distributed.ranks import join
        ranks = join()
        graph = rz.open({str(store)!r}, comm=ranks)
        if ranks.rank == 1:
            {end}
        try:
            rz.pagerank(graph)
        except rz.ClusterError as error:
            print("missed:", error, flush=True)
            open({str(said)!r}, "w").close()
    """)
    # The launcher hears of it late: it would end the other rank before that can say a word.
    wait = f"for i in $(seq 6000); do test -e {said} && break; sleep 0.1; done"
    linger = ["sh", "-c", f'trap "" USR1; "$@" || {wait}', "sh"]
    ran = mpiexec(2, *linger, sys.executable, "-c", program)
    assert re.search(rf"missed: rank 1 .*{told}", ran.stdout), ran.stdout + ran.stderr


def test_a_rank_without_memory_is_named(store: Path, tmp_path: Path) -> None:
    """It gets no more than it has once the graph is open: all calls end, and say whose memory it was."""
    program = textwrap.dedent(f"""
        import resource
        import numpy.random
        import rizoma as rz
        from rizoma.distributed.ranks import join
        ranks = join()
        graph = rz.open({str(store)!r}, comm=ranks)
        rz.pagerank(graph, max_iter=2)
        as_before = resource.getrlimit(resource.RLIMIT_AS)
        if ranks.rank == 1:
            pages = int(open("/proc/self/statm").read().split()[0])
            resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize(), as_before[1]))
        try:
            for _ in range(20):
                rz.betweenness_centrality(graph, k=40, seed=1)
                rz.triangle_count(graph)
                rz.pagerank(graph)
        except (MemoryError, rz.RizomaError) as error:
            resource.setrlimit(resource.RLIMIT_AS, as_before)
            print("ended: " + type(error).__name__ + ": " + str(error) + "\\n", end="", flush=True)
    """)
    ran = mpiexec(3, sys.executable, "-c", program)
    told = [line for line in ran.stdout.splitlines() if line.startswith("ended: ")]
    assert len(told) == 3, ran.stdout + ran.stderr
    assert sum("rank 1 (process" in line and "memory" in line for line in told) >= 2, told


def test_ranks_with_other_stores_refuse(store: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.rz"
    with rz.open(other) as graph:
        graph.add_edges([(1, 2)])
    program = textwrap.dedent(f"""
        import rizoma as rz
        from rizoma.distributed.ranks import join
        ranks = join()
        try:
            rz.open([{str(store)!r}, {str(other)!r}][ranks.rank], comm=ranks)
        except rz.InvalidArgumentError as error:
            print("refused: " + str(error) + "\\n", end="")  # one write: ranks share the pipe
    """)
    ran = mpiexec(2, sys.executable, "-c", program)
    assert ran.stdout.count("refused: rank ") == 2, ran.stderr
    assert ran.stdout.count("has a different graph than") == 2


def test_ranks_of_different_versions_refuse() -> None:
    program = textwrap.dedent("""
        import os
        import rizoma as rz
        from rizoma import _core
        from rizoma.distributed.ranks import join
        if "1" in (os.environ.get("PMI_RANK"), os.environ.get("OMPI_COMM_WORLD_RANK")):
            _core.__version__ = "0.0.1"
        try:
            join()
        except rz.InvalidArgumentError as error:
            print("refused: " + str(error) + "\\n", end="")  # one write: ranks share the pipe
    """)
    ran = mpiexec(2, sys.executable, "-c", program)
    assert ran.stdout.count("refused: rank ") == 2, ran.stdout + ran.stderr
    assert ran.stdout.count("has a different version of Rizoma than") == 2
