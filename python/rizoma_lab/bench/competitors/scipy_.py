"""SciPy's sparse matrices and its graph routines."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy
from scipy.sparse import csgraph, csr_array

from ..graph import GraphFiles
from . import Kernel

__all__ = ["Contender"]


class Contender:
    """See `rizoma_lab.bench.competitors`.  SciPy uses one thread, and has no betweenness or triangles."""

    version = scipy.__version__

    def __init__(self, files: GraphFiles, threads: int) -> None:
        n = files.num_vertices
        shape = (n, n)
        offsets, targets = np.asarray(files.offsets), np.asarray(files.targets)
        plain = csr_array((np.ones(len(targets)), targets, offsets), shape=shape)
        weighted = csr_array((files.weights.astype(float), targets, offsets), shape=shape)
        degree = np.diff(offsets)

        def ranks(_: list[int]) -> object:
            rank = np.full(n, 1 / n)
            for _round in range(20):
                share = np.divide(rank, degree, out=np.zeros(n), where=degree > 0)
                rank = 0.15 / n + 0.85 * (plain @ share + rank[degree == 0].sum() / n)
            return rank

        def levels(sources: list[int]) -> object:
            order, parents = csgraph.breadth_first_order(plain, sources[0])
            return lambda: _levels(order, parents)

        self.kernels: dict[str, Kernel] = {
            "pr": ranks,
            "bfs": levels,
            "cc": lambda _: csgraph.connected_components(plain, directed=False)[1],
            "sssp": lambda sources: csgraph.dijkstra(weighted, indices=sources[0]),
        }


def _levels(order: npt.NDArray[Any], parents: npt.NDArray[Any]) -> npt.NDArray[Any]:
    levels = np.full(len(parents), -1)
    levels[order[0]] = 0
    for vertex, parent in zip(order[1:].tolist(), parents[order[1:]].tolist(), strict=True):
        levels[vertex] = levels[parent] + 1
    return levels
