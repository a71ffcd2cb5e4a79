"""Greedy colouring: neighbours never have the same colour.

When to use it
    To plan what must not happen at the same time: exams, frequencies, registers.  Few colours, not always the
    fewest.
Cost
    One pass over the edges, on one thread.
Memory
    12 bytes a vertex.
Source
    Welsh, Powell, "An upper bound for the chromatic number of a graph and its application to timetabling problems",
    Computer J. 10, 1967.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.greedy_color(g)
>>> len(set(result.to_dict().values()))
3
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError, UnsupportedError
from ..core.options import checked_seed
from ..graph.state import Reader, state_of
from ..results.vertex import VertexResult
from ._running import run

__all__ = ["greedy_color"]


class ColoringResult(VertexResult):
    """Colours: `color`, 0..; `count` of them.  Adjacent vertices have different ones."""

    name = "Greedy colouring"
    value = "color"
    count: int

    def _how(self) -> str:
        return f"{self.count:,} colours"


def greedy_color(
    graph: Reader,
    strategy: Literal["largest_first", "random_sequential"] = "largest_first",
    seed: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> ColoringResult:
    """Colour the vertices one after the other, each with the first colour that no neighbour has (Welsh, Powell, 1967).

    Args:
        graph: an undirected Graph or Snapshot.
        strategy: "largest_first": by decreasing degree; "random_sequential": in random order.
        seed: seed of that order; None: a new one each time.

    Returns:
        ColoringResult: the number of the colour, one value for each vertex, in the order of internal ids.

    Raises:
        InvalidArgumentError: `strategy` is not known.
        UnsupportedError: the graph is directed.
    """
    if strategy not in ("largest_first", "random_sequential"):
        raise InvalidArgumentError(f"strategy is {strategy!r}; choose 'largest_first' or 'random_sequential'")
    state = state_of(graph)
    if state.schema.directed:
        raise UnsupportedError("greedy_color: the graph is directed; give an undirected one, such as g.undirected()")

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        live = _core.live_vertices(view)
        vertices = np.arange(view.num_vertices, dtype=np.uint64) if live is None else live
        if strategy == "random_sequential":
            order = np.random.default_rng(checked_seed(seed)).permutation(vertices)
        else:
            degrees = _core.degrees(borrowed, view).view(np.int64)[vertices]
            order = vertices[np.argsort(-degrees, kind="stable")]
        return _core.greedy_coloring(borrowed, view, order)

    return run(ColoringResult, state, kernel, threads, progress)
