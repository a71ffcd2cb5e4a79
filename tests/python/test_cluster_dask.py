"""Ranks on the workers of a Dask cluster, on this machine."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rizoma as rz
from rizoma.core.errors import ClusterError, InvalidArgumentError
from rizoma.distributed.places import grouped
from striking import Strike

distributed = pytest.importorskip("distributed", reason="there is no Dask (pip install rizoma[dask])")
dataframe = pytest.importorskip("dask.dataframe", reason="there is no Dask (pip install rizoma[dask])")
pd = pytest.importorskip("pandas")
pytestmark = pytest.mark.skipif(
    not Path(sys.executable).with_name("hydra_pmi_proxy").exists(), reason="there is no mpiexec (pip install mpich)"
)
HEARTBEAT_TIMEOUT = 300.0  # seconds: ranks may be more than processors, and those be busy otherwise


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as workers,
        distributed.Client(workers) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def edges() -> Any:
    random = np.random.default_rng(4)
    sources = (random.pareto(1.0, 40_000) * 300).astype(np.int64) % 15_000
    targets = random.integers(0, 15_000, 40_000)
    return pd.DataFrame({"from": sources, "to": targets, "amount": random.random(40_000)})


@pytest.fixture(scope="module")
def store(edges: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dask") / "g.rz"
    rz.read(edges, into=path, source="from", target="to", weight="amount", directed=True).close()
    return path


def test_a_rank_for_each_worker_answers_as_one_process_does(client: Any, store: Path) -> None:
    with rz.open(store, mode="read_only") as alone:
        expected = rz.pagerank(alone, tol=1e-9)
    workers = client.run(os.getpid)
    with rz.cluster(dask=client, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster, cluster.open(store) as graph:
        assert cluster.size == 3
        result = rz.pagerank(graph, tol=1e-9)
        np.testing.assert_allclose(result.to_numpy(), expected.to_numpy(), rtol=1e-9)
        assert result.ranks == 3
        assert result.traffic is not None
        assert result.traffic.total.bytes > 0
        table = result.to_dask()
        assert table.npartitions == 3
        pd.testing.assert_frame_equal(table.compute(), result.to_pandas())
        assert result.to_arrow().num_rows == len(graph)
    assert client.run(os.getpid) == workers  # which exist for other work


def test_partitions_of_a_dataframe_become_a_store(client: Any, edges: Any, store: Path, tmp_path: Path) -> None:
    frame = dataframe.from_pandas(edges, npartitions=5)
    names = {"source": "from", "target": "to", "weight": "amount"}
    with rz.cluster(2, dask=client, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster:
        assert cluster.size == 2
        with cluster.read(frame, into=tmp_path / "big.rz", directed=True, **names) as graph:
            result = rz.pagerank(graph)
        with cluster.read(edges, into=tmp_path / "table.rz", directed=True, **names) as graph:
            assert rz.pagerank(graph).to_dict() == pytest.approx(result.to_dict())
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []
    with rz.open(store) as expected, rz.open(tmp_path / "big.rz") as got:
        assert got.info().num_edges == expected.info().num_edges
        assert rz.pagerank(got).to_dict() == pytest.approx(rz.pagerank(expected).to_dict())


def test_text_and_categories_of_a_dataframe_are_ids(client: Any, tmp_path: Path) -> None:
    names = pd.DataFrame({"source": ["a", "b", "c", "a"], "target": ["b", "c", "a", "c"]})
    for number, kind in enumerate(("str", "category")):
        frame = dataframe.from_pandas(names.astype(kind), npartitions=2)
        with (
            rz.cluster(1, dask=client, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
            cluster.read(frame, into=tmp_path / f"{number}.rz", directed=True) as graph,
        ):
            assert sorted(graph.neighbors("a")) == ["b", "c"]
            assert graph.ids == "string"


def test_a_lost_rank_is_named_and_the_workers_stay(client: Any, store: Path) -> None:
    with rz.cluster(dask=client, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster:
        victim = int(re.search(r"process (\d+)", cluster.names[1])[1])  # type: ignore[index]
        with pytest.raises(ClusterError, match=rf"rank 1 \(process {victim} on .*\) is lost"):
            rz.pagerank(cluster.open(store), tol=0, max_iter=10**9, progress=Strike(victim))
    assert len(client.run(os.getpid)) == 3
    with rz.cluster(dask=client, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster, cluster.open(store) as graph:
        assert rz.pagerank(graph).converged


def test_what_cannot_be_is_refused(client: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="ranks is 4, but the cluster has 3 workers"):
        rz.cluster(4, dask=client)
    with pytest.raises(InvalidArgumentError, match="hosts, dask and ray each say where"):
        rz.cluster(dask=client, hosts=["mercury"])
    with pytest.raises(InvalidArgumentError, match=r"must be a dask\.distributed\.Client"):
        rz.cluster(dask="tcp://127.0.0.1:8786")


def test_ranks_of_a_host_are_started_together() -> None:
    found = [("mercury", 2, print), ("venus", 1, repr), ("mercury", 4, str)]
    places = grouped(found, None, "workers")
    assert [(place.host, place.ranks, place.threads, place.call) for place in places] == [
        ("mercury", 2, 1, print),
        ("venus", 1, 1, repr),
    ]
    assert [(place.host, place.ranks, place.threads) for place in grouped(found, 1, "workers")] == [("mercury", 1, 2)]
    with pytest.raises(ClusterError, match="the cluster has no workers yet"):
        grouped([], None, "workers")
