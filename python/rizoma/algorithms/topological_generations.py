"""Topological order: every edge leads forward.

When to use it
    To order tasks by what they depend on, and to find out whether a directed graph has a cycle.  Tasks of one
    generation can be done at the same time.
Cost
    One pass over the edges, on one thread.
Memory
    16 bytes a vertex.
Source
    Kahn, "Topological sorting of large networks", CACM 5, 1962.

>>> import rizoma as rz
>>> g = rz.open(None, directed=True)
>>> g.add_edges([("flour", "dough"), ("water", "dough"), ("dough", "bread"), ("oven", "bread")])
>>> result = rz.topological_generations(g)
>>> result["flour"], result["dough"], result["bread"]
(0, 1, 2)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError
from ..graph.state import Reader, state_of
from ..results.vertex import VertexResult
from ._running import run

__all__ = ["topological_generations"]


class GenerationsResult(VertexResult):
    """Topological order: `generation`, 0..; every edge leads to a greater one.  `count` of generations."""

    name = "Topological generations"
    value = "generation"
    count: int

    def _how(self) -> str:
        return f"{self.count:,} generations"


def topological_generations(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> GenerationsResult:
    """Number the vertices of a directed graph without cycles so that every edge leads to a greater number.

    A vertex without in-edges has 0, any other one more than the largest of those before it (Kahn, 1962).

    Returns:
        GenerationsResult: the generation, one value for each vertex, in the order of internal ids.

    Raises:
        InvalidArgumentError: the graph is undirected or has a cycle.
    """

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        found = _core.topological_order(borrowed, view)
        if not found["acyclic"]:
            raise InvalidArgumentError(
                "topological_generations: the graph has a cycle; remove an edge of each cycle "
                "(strongly_connected_components finds them)"
            )
        sizes = np.diff(found["offsets"].astype(np.int64))
        values = np.zeros(view.num_vertices, np.int64)
        values[found["order"]] = np.repeat(np.arange(len(sizes)), sizes)
        return {"generation": values, "count": len(sizes)}

    return run(GenerationsResult, state_of(graph), kernel, threads, progress)
