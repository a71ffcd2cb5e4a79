"""Ranks on the nodes of a Ray cluster, on this machine."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz
from rizoma.core.errors import InvalidArgumentError

ray = pytest.importorskip("ray", reason="there is no Ray (pip install rizoma[ray])")
pytestmark = pytest.mark.skipif(
    not Path(sys.executable).with_name("hydra_pmi_proxy").exists(), reason="there is no mpiexec (pip install mpich)"
)
HEARTBEAT_TIMEOUT = 300.0  # seconds: ranks may be more than processors, and those be busy otherwise


def test_a_rank_for_each_node_answers_as_one_process_does(tmp_path: Path) -> None:
    """Two nodes, both on this machine."""
    from ray.cluster_utils import Cluster

    with pytest.raises(InvalidArgumentError, match=r"call ray\.init first"):
        rz.cluster(ray=True)
    rz.generate("rmat", scale=14, into=tmp_path / "g.rz").close()
    with rz.open(tmp_path / "g.rz", mode="read_only") as alone:
        expected = rz.pagerank(alone)
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        nodes.add_node(num_cpus=1)
        ray.init(address=nodes.address, log_to_driver=False)
        nodes.wait_for_nodes()
        with (
            rz.cluster(ray=True, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
            cluster.open(tmp_path / "g.rz") as graph,
        ):
            result = rz.pagerank(graph)
            assert result.ranks == cluster.size == 2
            assert result.threads == 1
            np.testing.assert_allclose(result.to_numpy(), expected.to_numpy(), rtol=1e-9)
        with pytest.raises(InvalidArgumentError, match="ranks is 3, but the cluster has 2 nodes"):
            rz.cluster(3, ray=True)
    finally:
        ray.shutdown()
        nodes.shutdown()
