"""What data nodes and workers are expected to send each other, and how many of them pay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["FETCH_COST", "FetchCost", "ShareEstimate", "ranks_that_pay"]


@dataclass(frozen=True)
class FetchCost:
    """What sending or taking in lists costs a rank."""

    list_seconds: float
    byte_seconds: float

    def seconds(self, lists: float, size: float) -> float:
        """Of `lists` lists, with `fetched` bytes in all."""
        return lists * self.list_seconds + size * self.byte_seconds


FETCH_COST = FetchCost(0.1e-6, 2e-9)
"""As measured between processes of one machine (docs/measurements/patterns.md); a network takes longer for a byte."""


@dataclass(frozen=True)
class ShareEstimate:
    """What ranks that share a count are expected to fetch, if each keeps all that it fetched."""

    ranks: int
    data_nodes: int
    worker_lists: float
    """Lists that one worker fetches."""
    worker_bytes: float
    data_node_lists: float
    """What one data node fetches of the others."""
    data_node_bytes: float

    @property
    def served_lists(self) -> float:
        """What one data node sends."""
        return self._served(self.worker_lists, self.data_node_lists)

    @property
    def served_bytes(self) -> float:
        """What is in them."""
        return self._served(self.worker_bytes, self.data_node_bytes)

    def seconds(self, alone: float, cost: FetchCost = FETCH_COST) -> float:
        """The expected time, if one rank takes `alone` seconds.

        Data nodes send while workers wait, and workers take in while data nodes wait.
        """
        if self.ranks == 1:
            return alone
        sent = cost.seconds(self.served_lists, self.served_bytes)
        of_worker = cost.seconds(self.worker_lists, self.worker_bytes) if self.ranks > self.data_nodes else 0.0
        return alone / self.ranks + sent + max(of_worker, cost.seconds(self.data_node_lists, self.data_node_bytes))

    def _served(self, of_worker: float, of_data_node: float) -> float:
        workers = self.ranks - self.data_nodes
        return (workers * of_worker + self.data_nodes * of_data_node) / max(1, self.data_nodes)


def ranks_that_pay(
    estimates: Sequence[ShareEstimate], alone: float, cost: FetchCost = FETCH_COST, gain: float = 0.05
) -> int:
    """Return the number of ranks up to which each larger one that is given saves a share `gain` of the time."""
    best = estimates[0]
    for more in estimates[1:]:
        if more.seconds(alone, cost) > (1 - gain) * best.seconds(alone, cost):
            break
        best = more
    return best.ranks
