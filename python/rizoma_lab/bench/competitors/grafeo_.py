"""Grafeo: an embedded graph database in Rust, in memory; its algorithms as methods of Python.

Each vertex and each direction of an edge is created by it, which takes about a microsecond an entry and 200 bytes.
"""

from __future__ import annotations

from importlib.metadata import version

import grafeo
import numpy as np
import numpy.typing as npt
import pandas as pd

from ..graph import GraphFiles
from . import Kernel

__all__ = ["Contender"]


class Contender:
    """See `rizoma_lab.bench.competitors`; both directions of an undirected edge are edges of the database."""

    version = version("grafeo")

    def __init__(self, files: GraphFiles, _: int) -> None:  # it says of no algorithm on how many threads it runs
        database = grafeo.GrafeoDB()
        self._nodes = np.asarray(database.batch_create_nodes_with_props("V", [{}] * files.num_vertices), np.int64)
        self._first = int(self._nodes.min(initial=0))
        sources, targets = self._nodes[files.sources()], self._nodes[np.asarray(files.targets, np.int64)]
        edges = pd.DataFrame({"source": sources, "target": targets, "weight": np.asarray(files.weights, float)})
        database.import_df(edges, "edges", edge_type="E")
        self._algorithms = database.algorithms
        self._database = database
        self.kernels: dict[str, Kernel] = {
            "pr": lambda _: self._told(self._algorithms.pagerank(0.85, 20, 0.0), 0.0),
            "bfs": self._levels,
            "cc": lambda _: self._told(self._algorithms.connected_components(), -1),
            "sssp": self._distances,
            "tc": lambda _: self._algorithms.total_triangles(),
        }

    def _levels(self, sources: list[int]) -> object:
        layers = self._algorithms.bfs_layers(int(self._nodes[sources[0]]))
        return lambda: self._by_vertex({node: level for level, layer in enumerate(layers) for node in layer}, -1)

    def _distances(self, sources: list[int]) -> object:
        return self._told(self._algorithms.dijkstra(int(self._nodes[sources[0]]), weight="weight"), np.inf)

    def _told(self, told: dict[int, float], missing: float) -> object:
        return lambda: self._by_vertex(told, missing)

    def _by_vertex(self, told: dict[int, float], missing: float) -> npt.NDArray[np.float64]:
        by_node = np.full(int(self._nodes.max(initial=-1)) - self._first + 1, float(missing))
        by_node[np.fromiter(told.keys(), np.int64, len(told)) - self._first] = np.fromiter(
            told.values(), float, len(told)
        )
        return by_node[self._nodes - self._first]
