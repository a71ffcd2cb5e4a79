"""Eccentricity, and with it the diameter and the radius."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..reader import Reader
from ..results import VertexResult
from ._running import ProgressOption, run, state_of

__all__ = ["eccentricity"]


class EccentricityResult(VertexResult):
    """Eccentricity: `eccentricity`; the greatest is the `diameter`, the least the `radius`.

    `connected` tells whether every vertex reaches every other one; if not, the figures are those of what is reached.
    """

    name = "Eccentricity"
    value = "eccentricity"
    diameter: int
    radius: int
    connected: bool

    def _how(self) -> str:
        whole = "" if self.connected else ", not connected"
        return f"diameter {self.diameter}, radius {self.radius}{whole}"


def eccentricity(graph: Reader, *, threads: int | None = None, progress: ProgressOption = None) -> EccentricityResult:
    """Eccentricity: the greatest distance, in edges, from a vertex to one that it reaches.

    It takes a search from every vertex, sixty-four of them at once: time grows with the square of the graph.
    """

    def kernel(lent: _core.Engine, view: _core.View) -> dict[str, Any]:
        live = _core.live_vertices(view)
        sums = _core.distance_sums(lent, view, live)
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
