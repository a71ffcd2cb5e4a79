"""Rizoma itself, on the durable store just opened and warmed."""

from __future__ import annotations

import numpy as np
from rizoma import __version__, _core
from rizoma.algorithms import bfs, connected_components, pagerank, sssp
from rizoma.core.config import config
from rizoma.core.engines import engine
from rizoma.graph.graph import Snapshot
from rizoma.graph.ids import find_many
from rizoma.graph.open import open_graph

from ..graph import GraphFiles
from . import Kernel

__all__ = ["Contender", "kernels_of"]


class Contender:
    """See `rizoma_lab.bench.competitors`."""

    version = __version__

    def __init__(self, files: GraphFiles, threads: int) -> None:
        config(threads=threads)
        plain, weighted = (open_graph(files.store(w), mode="read_only").snapshot() for w in (False, True))
        symmetric = plain
        if files.directed:
            symmetric = open_graph(files.symmetric.store(False), mode="read_only").snapshot()
        for graph in (plain, weighted, symmetric):
            with engine() as borrowed:
                graph._view(borrowed)

        def triangles(_: list[int]) -> int:
            with engine() as borrowed:
                return _core.triangle_total(borrowed, symmetric._view(borrowed))

        def distances(sources: list[int]) -> object:
            result = sssp(weighted, sources[0])
            return lambda: result.to_numpy()[weighted.find(np.arange(files.num_vertices))]

        self.kernels: dict[str, Kernel] = kernels_of(plain, files.num_vertices) | {"sssp": distances, "tc": triangles}


def kernels_of(graph: Snapshot, num_vertices: int) -> dict[str, Kernel]:
    """The kernels that need no weights, of a graph whose ids are 0 .. num_vertices - 1."""
    order = graph.find(np.arange(num_vertices))

    def betweenness(sources: list[int]) -> object:
        numbers = find_many(graph._state(), sources)
        with engine() as borrowed:
            answer = _core.betweenness_centrality(borrowed, graph._view(borrowed), numbers, False)
        # Undirected pairs count once here, and the sum is scaled to all sources (a source itself
        # is seen by the other sources only): undo both.
        ways = 1 if graph.directed else 2
        seen_by = np.full(num_vertices, float(len(sources)))
        seen_by[sources] -= 1
        return lambda: np.where(seen_by > 0, answer["score"][order] * ways * seen_by / (num_vertices - 1), 0)

    def ranks(_: list[int]) -> object:
        result = pagerank(graph, max_iter=20, tol=0)
        return lambda: result.to_numpy()[order]

    def levels(sources: list[int]) -> object:
        result = bfs(graph, sources[0])
        return lambda: result.to_numpy()[order]

    def labels(_: list[int]) -> object:
        result = connected_components(graph)
        return lambda: result.to_numpy()[order]

    return {"pr": ranks, "bfs": levels, "cc": labels, "bc": betweenness}
