"""graph-tool.

It comes as Debian's package python3-graph-tool, not from PyPI, and for the NumPy of the distribution: make an
environment with --system-site-packages, install rizoma there, and name its interpreter in the variable
RIZOMA_BENCH_PYTHON_GRAPHTOOL to have it take part.
"""

from __future__ import annotations

import graph_tool.all as gt
import numpy as np
import numpy.typing as npt

from ..graph import GraphFiles
from . import Kernel

__all__ = ["Contender"]


class Contender:
    """See `rizoma_lab.bench.competitors`.  PageRank and betweenness use all threads, the searches one."""

    version = gt.__version__.split()[0]

    def __init__(self, files: GraphFiles, threads: int) -> None:
        gt.openmp_set_num_threads(threads)
        sources, targets, weights = files.edges()
        graph = gt.Graph(directed=False)
        graph.add_vertex(files.num_vertices)
        lengths = graph.new_edge_property("int")
        graph.add_edge_list(np.column_stack([sources, targets, weights]), eprops=[lengths])

        def ranks(_: list[int]) -> object:
            values = gt.pagerank(graph, damping=0.85, epsilon=0, max_iter=20)
            return lambda: np.array(values.a)

        def levels(sources: list[int]) -> object:
            found = gt.shortest_distance(graph, source=sources[0])
            return lambda: np.array(found.a, np.int64)

        def labels(_: list[int]) -> object:
            found, _sizes = gt.label_components(graph)
            return lambda: np.array(found.a)

        def betweenness(sources: list[int]) -> object:
            pivots = np.array(sources, np.int64)
            gt.betweenness(graph, pivots=pivots, norm=False)
            return lambda: np.empty(0)  # it scales the sum differently

        def distances(sources: list[int]) -> object:
            found = gt.shortest_distance(graph, source=sources[0], weights=lengths)
            return lambda: _finite(found.a)

        def triangles(_: list[int]) -> object:
            *_, count, _triples = gt.global_clustering(graph, ret_counts=True)
            return lambda: round(count)

        self.kernels: dict[str, Kernel] = {
            "pr": ranks,
            "bfs": levels,
            "cc": labels,
            "bc": betweenness,
            "sssp": distances,
            "tc": triangles,
        }


def _finite(distances: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """The largest integer means not reached."""
    values = np.array(distances, np.float64)
    values[values >= np.iinfo(np.int32).max] = np.inf
    return values
