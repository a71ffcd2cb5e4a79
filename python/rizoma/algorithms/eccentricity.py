"""Eccentricity: how far the farthest vertex is; its largest and least are the diameter and the radius.

When to use it
    To learn how wide a graph is, and which vertices are its centre and its rim.
Cost
    Between one and 64 passes over the edges for each 64 vertices: vertices times edges at worst; all threads.
Memory
    24 bytes a vertex for each thread.
Source
    Searches together: Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 8(4), 2014.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.eccentricity(g)
>>> result.diameter, result.radius
(3, 2)
>>> result["cem"]
2
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..core.engines import ProgressOption
from ..graph.state import Reader, state_of
from ..results.vertex import VertexResult
from ._distributed import distributed
from ._running import run

__all__ = ["eccentricity"]


class EccentricityResult(VertexResult):
    """Eccentricity: `eccentricity`; the largest is the `diameter`, the smallest the `radius`.

    `connected` tells whether every vertex reaches every other one; if not, the figures are those of what is reached.
    """

    name = "Eccentricity"
    value = "eccentricity"
    _searches = True
    diameter: int
    radius: int
    connected: bool

    def _how(self) -> str:
        whole = "" if self.connected else ", not connected"
        return f"diameter {self.diameter}, radius {self.radius}{whole}"


@distributed
def eccentricity(graph: Reader, *, threads: int | None = None, progress: ProgressOption = None) -> EccentricityResult:
    """Eccentricity: the largest distance, in edges, from a vertex to one that it reaches.

    It takes a search from every vertex, sixty-four of them at once: time grows with the square of the graph.

    Returns:
        EccentricityResult: the distance in edges, one value for each vertex, in the order of internal ids.

    Raises:
        CancelledError: the call was stopped.
    """

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        live = _core.live_vertices(view)
        sums = _core.distance_sums(borrowed, view, live)
        found = sums["eccentricity"].astype(np.int64)
        values = found
        if live is not None:
            values = np.zeros(view.num_vertices, np.int64)
            values[live] = found
        return {
            "eccentricity": values,
            "diameter": int(found.max(initial=0)),
            "radius": int(found.min()) if len(found) else 0,
            "connected": bool((sums["reached"] == view.num_live).all()),
        }

    return run(EccentricityResult, state_of(graph), kernel, threads, progress)
