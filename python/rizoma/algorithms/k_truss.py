"""Trusses: the part of a graph where every edge is in k - 2 triangles or more.

When to use it
    Where cores let too much through: two people are kept together only if they share friends.
Cost
    Edges times the square root of edges at worst.
Memory
    About 24 bytes an edge.
Source
    Cohen, "Trusses: cohesive subgraphs for social network analysis", 2008.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.k_truss(g, 3)
>>> result.count
3
>>> sorted(v for v, degree in result if degree)
['ann', 'bob', 'cem']
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..core.engines import ProgressOption
from ..core.lazy_arrow import pa
from ..core.options import whole_number
from ..graph.checkpoints import checkpoints_of
from ..graph.state import Reader, state_of
from ..results.vertex import VertexResult
from ._running import run

__all__ = ["k_truss"]


class TrussResult(VertexResult):
    """The k-truss: `degree` of each vertex in it, 0 outside; `count` of its edges, and `edges()`."""

    name = "Truss"
    value = "degree"
    k: int
    count: int
    _ends: list[np.ndarray[Any, np.dtype[np.int64]]]

    def edges(self) -> pa.Table:
        """Return a table of the edges of the truss, each once: `source`, `target`."""
        source, target = (self._ids_of(numbers) for numbers in self._ends)
        return pa.table({"source": source, "target": target})

    def _how(self) -> str:
        return f"{self.count:,} edges, each in {max(self.k - 2, 0)} triangles or more"


def k_truss(graph: Reader, k: int, *, threads: int | None = None, progress: ProgressOption = None) -> TrussResult:
    """Return the k-truss: the largest subgraph where each edge is in `k - 2` triangles or more (Cohen, 2008).

    Parallel edges count once, self-loops not at all.

    Args:
        graph: an undirected Graph or Snapshot.
        k: 2 for all edges, 3 for those that are in triangles, and so on.

    Returns:
        TrussResult: `degree` in the k-truss, one value for each vertex, in the order of internal ids; 0 outside it.

    Raises:
        UnsupportedError: the graph is directed.
    """
    whole_number("k", k, 0)

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        kept = _core.k_truss(borrowed, view, k).astype(bool)
        offsets, targets, *_ = _core.csr(borrowed, view)
        lengths = (offsets[1:] - offsets[:-1]).astype(np.int64)
        sources = np.repeat(np.arange(view.num_vertices), lengths)[kept]
        ends = np.unique(np.stack([sources, targets[kept].astype(np.int64)]), axis=1)
        once = ends[:, ends[0] < ends[1]]
        degrees = np.bincount(ends[0], minlength=view.num_vertices)
        return {"degree": degrees, "count": once.shape[1], "k": k, "_ends": list(once)}

    keep = checkpoints_of(graph, "k_truss", k=k)
    return run(TrussResult, state_of(graph), kernel, threads, progress, keep=keep)
