"""Communities by the Leiden method: as good as Louvain's or better, and each of them connected.

When to use it
    To divide a graph into groups without saying how many, and where a group must hang together.  ``louvain`` is
    faster.
Cost
    A few passes over the edges and as many for each iteration, on all threads.
Memory
    12 bytes an entry of the coarse graphs, and of the graph itself if it has weights or is directed.
Source
    Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Sci. Rep. 9, 2019;
    Sahu, "GVE-Leiden", arXiv:2312.13936; objectives: Traag, Van Dooren, Nesterov, "Narrow scope for resolution-limit-
    free community detection", Phys. Rev. E 84, 2011.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("bob", "cem"), ("cem", "ann"), ("dia", "eve"), ("eve", "fay"), ("fay", "dia")])
>>> g.add_edges([("cem", "dia")])
>>> result = rz.leiden(g, seed=1)
>>> result.count, round(result.modularity, 3)
(2, 0.357)
>>> result["ann"] == result["cem"] != result["dia"]
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy.typing as npt

from .. import _core
from ..core.engines import ProgressOption
from ..graph.diff import Changes
from ..graph.ids import VertexKey
from ..graph.state import Reader, state_of
from ..results.partitions import CommunitiesResult
from ..results.quality import Partition
from ._communities import Objective, find_communities

__all__ = ["leiden"]


def leiden(
    graph: Reader,
    weight: str | None = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    max_levels: int | None = None,
    seed: int | None = None,
    start: Partition | None = None,
    changed: Iterable[VertexKey] | Changes | None = None,
    iterations: int | None = None,
    objective: Objective = "modularity",
    sizes: str | Mapping[VertexKey, float] | npt.ArrayLike | None = None,
    fixed: Iterable[VertexKey] | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> CommunitiesResult:
    """Communities by the Leiden method.

    Every community is connected, but for vertices that are fixed in one.  The result has the communities of each level
    in `levels`, which are not always made of those before.

    Args:
        graph: a Graph or a Snapshot; a directed one is cut by its directed modularity.
        weight: "weight": by weight, if the graph has weights (none may be negative); the name of a numeric edge
            column: by it; None: all edges alike.
        resolution: greater for more and smaller communities, less for fewer; for "cpm" the least density of one.
        threshold: a level that gains less, as a share of the weight of all edges, is the last.
        max_levels: largest number of levels.
        seed: seed of the order in which vertices move, which decides the answer; None: a new one each time.
        start: communities to begin with, such as a former result; vertices without one begin alone.
        changed: with start=, the vertices whose edges have changed, or the result of `Graph.changes`; only what they
            set in motion is visited again, and communities that this disconnects are divided.  Without it all vertices
            are visited, which is due after changes of a few percent in all.
        iterations: largest number of iterations; each begins with the communities of the one before, and gains less.
            None: 2, and 1 with changed=.
        objective: what the communities maximize; each is the weight inside communities minus `resolution` times what
            chance would give. "modularity"; "rb": the same, not divided by the weight of all edges (Reichardt and
            Bornholdt); "rber": with a chance that is the same for each pair of vertices; "cpm": with a chance of 1
            for each pair, so that a community has at least the density `resolution` (constant Potts model).
        sizes: for "cpm" and "rber", how many vertices each vertex stands for: the name of a vertex column (null:
            nothing), {vertex: size} (1 for the rest), or an array by internal id; None: 1 each.
        fixed: vertices that stay in the community of start=, or without one in a community of their own, which others
            may join.

    Returns:
        CommunitiesResult: the community, one value for each vertex, in the order of internal ids.

    Raises:
        InvalidArgumentError: a weight or a size is negative; `resolution`, `threshold` or `iterations` is out of
            range; `changed` without `start`; `objective` is unknown; `sizes` with "modularity" or "rb".
        VertexNotFoundError: `fixed` or `sizes` names no vertex of the graph.
    """
    if iterations is None:
        iterations = 2 if changed is None else 1
    return find_communities(
        _core.leiden, state_of(graph), weight, resolution, threshold, max_levels, seed,
        start, changed, iterations, objective, sizes, fixed, threads, progress, graph,
    )  # fmt: skip
