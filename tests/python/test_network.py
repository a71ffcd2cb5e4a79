"""The model of a sweep over ranks that a network joins."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import rizoma as rz
from rizoma.core.errors import InvalidArgumentError
from rizoma.graph.placement import RankBalance, RankLoad, explain_ranks
from rizoma_lab.network import NETWORKS, Network, estimate_sweep


def test_a_sweep_is_the_fullest_ranks_work_and_one_batch_to_each_other() -> None:
    # Values that cross: rank 0 reads 10 and shows 30, rank 1 reads 20 and shows 0, rank 2 reads 0 and shows 0.
    loads = [RankLoad(1, 100, 1000, 10, 30), RankLoad(1, 100, 4000, 20, 0), RankLoad(1, 100, 2000, 0, 0)]
    balance = RankBalance("chunk", loads, 1.1, 30 * 4)
    estimate = estimate_sweep(balance, Network(latency=1.0, bandwidth=8.0), 1000.0)
    assert estimate.work == 4.0
    assert estimate.exchange == pytest.approx(2 * 1.0 + 30 * 4 / 8.0)
    assert estimate.seconds == pytest.approx(4.0 + 17.0)


def test_one_rank_exchanges_nothing_and_faster_networks_take_less() -> None:
    with rz.generate("rmat", scale=14) as graph:
        (alone,) = explain_ranks(graph, 1, ["chunk"])
        assert estimate_sweep(alone, "1gbit", 1e8).exchange == 0
        (four,) = explain_ranks(graph, 4, ["chunk"])
    slowest_first = [estimate_sweep(four, name, 1e8).seconds for name in NETWORKS]
    assert slowest_first == sorted(slowest_first, reverse=True)
    assert slowest_first[-1] > max(rank.edges for rank in four.ranks) / 1e8
    with pytest.raises(InvalidArgumentError, match="network is 'pigeons'"):
        estimate_sweep(four, "pigeons", 1e8)
    with pytest.raises(InvalidArgumentError, match="greater than 0"):
        estimate_sweep(four, "rdma", 0)


def test_auto_is_what_ranks_do_in_that_order_of_vertices(tmp_path: Path) -> None:
    with rz.generate("rmat", scale=14, into=tmp_path / "g.rz") as graph:
        for order, policy in (("degree", "round_robin"), ("striped", "chunk")):
            graph.compact(order=order)
            (found,) = explain_ranks(graph, 4, ["auto"])
            assert found == explain_ranks(graph, 4, [policy])[0]
            assert found.policy == policy


def test_the_command_tells_the_estimate(tmp_path: Path) -> None:
    rz.generate("rmat", scale=14, into=tmp_path / "g.rz").close()

    def explain(*options: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "rizoma", "placement", "explain", str(tmp_path / "g.rz"), *options]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    ran = explain("--ranks", "3", "--network", "10gbit")
    assert ran.returncode == 0, ran.stderr
    assert "chunk: a sweep of PageRank in about" in ran.stderr
    told = json.loads(explain("--ranks", "3", "--network", "10gbit", "--json").stdout)
    assert all(each["work_seconds"] > 0 and each["exchange_seconds"] > 0 for each in told)
    assert explain("--network", "10gbit").returncode == 2
