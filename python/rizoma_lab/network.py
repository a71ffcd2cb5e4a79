"""How long a sweep of PageRank would take on ranks that a network joins: work of the fullest rank, and exchange.

The model is the plainest that has both costs of a message (Hockney, "The communication challenge for MPP", 1994): a
batch of b bytes takes `latency + b / bandwidth`.  In a sweep each rank sends a batch to each of the others, one after
the other, all ranks at once; its bytes are the values that its boundary needs, as `explain_ranks` counts them.  Work
and exchange do not overlap, as they do not in the engine.  Left out: ranks that wait for each other beyond the fullest
one, switches that give less than each link's bandwidth, and a memory that is faster for the smaller part of a rank.
"""

from __future__ import annotations

from dataclasses import dataclass

from rizoma.core.errors import InvalidArgumentError
from rizoma.graph.placement import RankBalance

__all__ = ["NETWORKS", "Network", "SweepEstimate", "estimate_sweep"]


@dataclass(frozen=True)
class Network:
    """A link of each rank's host: seconds for a batch to arrive, and bytes a second in each direction."""

    latency: float
    bandwidth: float


# Bandwidths are 94% of what the links are called, which TCP leaves; latencies are assumptions, to be measured on site.
NETWORKS = {
    "1gbit": Network(100e-6, 0.94 * 1e9 / 8),
    "10gbit": Network(30e-6, 0.94 * 10e9 / 8),
    "25gbit": Network(20e-6, 0.94 * 25e9 / 8),
    "100gbit": Network(15e-6, 0.94 * 100e9 / 8),
    "400gbit": Network(15e-6, 0.94 * 400e9 / 8),
    "rdma": Network(2e-6, 0.94 * 100e9 / 8),
}


@dataclass(frozen=True)
class SweepEstimate:
    """Seconds of a sweep."""

    work: float
    exchange: float

    @property
    def seconds(self) -> float:
        """Of both, one after the other."""
        return self.work + self.exchange


def estimate_sweep(balance: RankBalance, network: str | Network, entries_a_second: float) -> SweepEstimate:
    """Estimate a sweep of PageRank over ranks of this speed, each alone on its host.

    Args:
        balance: of `explain_ranks`.
        network: one of NETWORKS by name, or another.
        entries_a_second: entries of neighbour lists that a rank works off, as measured on one host.
    """
    if isinstance(network, str):
        if network not in NETWORKS:
            raise InvalidArgumentError(f"network is {network!r}; it must be one of {', '.join(NETWORKS)}")
        network = NETWORKS[network]
    if not entries_a_second > 0:
        raise InvalidArgumentError(f"entries_a_second is {entries_a_second}; it must be greater than 0")
    values = sum(rank.boundary for rank in balance.ranks)
    a_value = balance.bytes_a_sweep / values if values else 0.0
    most = max(max(rank.sent, rank.boundary) for rank in balance.ranks)
    others = sum(rank.vertices > 0 for rank in balance.ranks) - 1
    exchange = others * network.latency + most * a_value / network.bandwidth if values else 0.0
    return SweepEstimate(max(rank.edges for rank in balance.ranks) / entries_a_second, exchange)
