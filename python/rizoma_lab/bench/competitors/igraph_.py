"""igraph."""

from __future__ import annotations

import igraph
import numpy as np

from ..graph import GraphFiles
from . import Kernel

__all__ = ["Contender"]


class Contender:
    """See `rizoma_lab.bench.competitors`.  igraph uses one thread."""

    version = igraph.__version__

    def __init__(self, files: GraphFiles, threads: int) -> None:
        sources, targets, weights = files.edges()
        graph = igraph.Graph(n=files.num_vertices, edges=np.column_stack([sources, targets]))
        lengths = weights.tolist()
        triples = sum(d * (d - 1) // 2 for d in np.diff(files.offsets).tolist())

        def betweenness(sources: list[int]) -> object:
            scores = graph.betweenness(directed=False, sources=sources)
            return lambda: 2 * np.array(scores)  # it halves the sums of an undirected graph

        self.kernels: dict[str, Kernel] = {
            "pr": lambda _: graph.pagerank(damping=0.85),
            "bfs": lambda sources: graph.distances(source=sources[0])[0],
            "cc": lambda _: graph.connected_components().membership,
            "bc": betweenness,
            "sssp": lambda sources: graph.distances(source=sources[0], weights=lengths)[0],
            "tc": lambda _: round(graph.transitivity_undirected() * triples / 3),
        }
