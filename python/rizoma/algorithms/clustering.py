"""Clustering coefficients: how many of a vertex's neighbours know each other.

When to use it
    To tell networks of people, where friends of friends are friends, from those of streets or chance.
Cost
    That of ``triangle_count``; all threads.
Memory
    4 to 8 bytes an edge and 16 bytes a vertex.
Source
    Watts, Strogatz, "Collective dynamics of small-world networks", Nature 393, 1998; Fagiolo, "Clustering in
    complex directed networks", Phys. Rev. E 76, 2007.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.clustering(g)
>>> result["ann"], result["dia"]
(1.0, 0.0)
>>> round(result.average, 3)
0.467
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError
from ..graph.state import Reader, state_of
from ..results.vertex import ClusteringResult
from ._distributed import distributed
from ._running import run

__all__ = ["clustering"]


@distributed
def clustering(
    graph: Reader,
    definition: Literal["networkx", "ldbc"] = "networkx",
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> ClusteringResult:
    """Clustering coefficients: the share of pairs of neighbours that are adjacent.

    Weights and loops do not count.  The definitions differ in directed graphs only.

    Args:
        graph: a Graph or a Snapshot.
        definition: "networkx": in a directed graph triangles of all directions count (Fagiolo, 2007); "ldbc": the
            share of the edges between in- and out-neighbours that exists, as in LDBC Graphalytics (LCC).

    Returns:
        ClusteringResult: `coefficient` from 0 to 1, one value for each vertex, in the order of internal ids.

    Raises:
        InvalidArgumentError: `definition` is not known.
    """
    if definition not in ("networkx", "ldbc"):
        raise InvalidArgumentError(f"definition is {definition!r}; choose 'networkx' or 'ldbc'")
    state = state_of(graph)
    kernel = _ldbc if definition == "ldbc" and state.schema.directed else _core.clustering
    return run(ClusteringResult, state, kernel, threads, progress)


def _ldbc(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
    found = _core.neighborhood_edges(borrowed, view)
    neighbors = found["neighbors"].astype(np.float64)
    possible = neighbors * (neighbors - 1)
    coefficients = np.divide(found["edges"], possible, out=np.zeros(len(possible)), where=possible > 0)
    return {"coefficient": coefficients, "average": float(coefficients.sum()) / max(view.num_live, 1)}
