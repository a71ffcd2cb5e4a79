"""Spanning trees: the cheapest edges that hold everything together.

When to use it
    To lay cables, to cluster by the largest gaps, and to see the skeleton of a weighted graph.  ``maximum=True``
    keeps the heaviest edges instead.
Cost
    Two passes over the edges, and sorting the light ones; at worst sorting all.
Memory
    24 bytes a vertex, and 48 for each edge that is sorted: about two a vertex, at worst all.
Source
    Kruskal, "On the shortest spanning subtree of a graph", Proc. AMS 7, 1956.

>>> import rizoma as rz
>>> g = rz.open(None, weights="float64")
>>> g.add_edges([("a", "b", 1), ("b", "c", 2), ("a", "c", 3), ("c", "d", 1)])
>>> result = rz.minimum_spanning_tree(g)
>>> result.edges().column("weight").to_pylist()
[1.0, 1.0, 2.0]
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa
from ..graph.schema import warn_of_hops, weight_wanted
from ..graph.state import Reader, state_of
from ..results.vertex import VertexResult
from ._running import run

__all__ = ["minimum_spanning_tree"]


class SpanningTreeResult(VertexResult):
    """A minimum spanning forest: `degree` of each vertex in it, its `weight`, and its `edges()`."""

    name = "Spanning tree"
    value = "degree"
    count: int
    weight: float
    _ends: list[npt.NDArray[np.uint64]]
    _weights: list[npt.NDArray[np.float64]]

    def edges(self) -> pa.Table:
        """Return a table of the edges in the order of choice: `source`, `target`, `weight`."""
        source, target = (self._ids_of(numbers) for numbers in self._ends)
        return pa.table({"source": source, "target": target, "weight": self._weights[0]})

    def _how(self) -> str:
        return f"{self.count:,} edges of weight {self.weight:g}"


def minimum_spanning_tree(
    graph: Reader,
    maximum: bool = False,
    weight: str | None = "weight",
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> SpanningTreeResult:
    """Minimum spanning forest: one tree per component (Kruskal, 1956).

    Args:
        graph: an undirected Graph or Snapshot.  Without weights each edge weighs 1; a ReadWarning tells of columns of
            numbers that might be meant.
        maximum: the tree of largest weight instead.
        weight: "weight", or the name of a numeric edge column; None, in a graph without weights: 1 each.

    Returns:
        SpanningTreeResult: the edges of the forest, and their total weight.

    Raises:
        UnsupportedError: the graph is directed.
        InvalidArgumentError: a weight is NaN; `weight` is no numeric edge column, or None in a graph with
            weights.
    """
    state = state_of(graph)
    if weight is None and state.schema.weights != _core.WeightType.none:
        raise InvalidArgumentError("weight is None, and the graph has weights, by which a tree is chosen; leave it out")
    hops = not weight_wanted(state, weight, must=False) and weight is not None

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        found = _core.spanning_forest(borrowed, view, maximum)
        ends = [found["source"], found["target"]]
        degrees = np.bincount(np.concatenate(ends).astype(np.int64), minlength=view.num_vertices)
        weights = found["weight"]
        figures = {"count": len(weights), "weight": float(weights.sum())}
        return {"degree": degrees, "_ends": ends, "_weights": [weights], **figures}

    result = run(SpanningTreeResult, state, kernel, threads, progress, weight)
    if hops:
        warn_of_hops(state)
    return result
