"""NetworKit."""

from __future__ import annotations

from typing import Any

import networkit as nk
import numpy as np
import numpy.typing as npt

from ..graph import GraphFiles
from . import Kernel

__all__ = ["Contender"]


class Contender:
    """See `rizoma_lab.bench.competitors`."""

    version = nk.__version__

    def __init__(self, files: GraphFiles, threads: int) -> None:
        nk.setNumberOfThreads(threads)
        sources, targets, weights = files.edges()
        n = files.num_vertices
        plain = nk.GraphFromCoo((sources, targets), n=n, weighted=False, directed=False)
        weighted = nk.GraphFromCoo((weights.astype(float), (sources, targets)), n=n, weighted=True, directed=False)
        plain.indexEdges()

        def ranks(_: list[int]) -> object:
            algorithm = nk.centrality.PageRank(plain, damp=0.85, tol=0.0)
            algorithm.maxIterations = 20
            algorithm.run()
            return lambda: np.array(algorithm.scores())

        def levels(sources: list[int]) -> object:
            algorithm = nk.distance.BFS(plain, sources[0], storePaths=False).run()
            return lambda: _finite(algorithm.getDistances())

        def labels(_: list[int]) -> object:
            algorithm = nk.components.ParallelConnectedComponents(plain).run()
            return lambda: np.array(algorithm.getPartition().getVector())

        def betweenness(sources: list[int]) -> object:
            nk.centrality.EstimateBetweenness(plain, len(sources), normalized=False, parallel=True).run()
            return lambda: np.empty(0)  # it draws its own sources

        def distances(sources: list[int]) -> object:
            algorithm = nk.distance.Dijkstra(weighted, sources[0], storePaths=False).run()
            return lambda: _finite(algorithm.getDistances())

        def triangles(_: list[int]) -> object:
            algorithm = nk.sparsification.TriangleEdgeScore(plain).run()
            return lambda: sum(algorithm.scores()) // 3

        self.kernels: dict[str, Kernel] = {
            "pr": ranks,
            "bfs": levels,
            "cc": labels,
            "bc": betweenness,
            "sssp": distances,
            "tc": triangles,
        }


def _finite(distances: list[float]) -> npt.NDArray[Any]:
    """NetworKit's largest double means not reached."""
    values = np.array(distances)
    values[values > 1e300] = np.inf
    return values
