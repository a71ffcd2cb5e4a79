"""Communities by the Louvain method: groups with more edges inside than chance would give them.

When to use it
    To divide a graph into groups without saying how many.  ``resolution`` above 1 gives more and smaller ones.  A
    seed gives the same answer again.
Cost
    A few passes over the edges, on all threads.
Memory
    12 bytes an entry of the coarse graphs, and of the graph itself if it has weights or is directed.
Source
    Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech., 2008; Sahu, "GVE-Louvain",
    arXiv:2312.04876; directed: Leicht, Newman, Phys. Rev. Lett. 100, 2008.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("bob", "cem"), ("cem", "ann"), ("dia", "eve"), ("eve", "fay"), ("fay", "dia")])
>>> g.add_edges([("cem", "dia")])
>>> result = rz.louvain(g, seed=1)
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
from ._distributed import distributed

__all__ = ["louvain"]


@distributed
def louvain(
    graph: Reader,
    weight: str | None = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    max_levels: int | None = None,
    seed: int | None = None,
    start: Partition | None = None,
    changed: Iterable[VertexKey] | Changes | None = None,
    objective: Objective = "modularity",
    sizes: str | Mapping[VertexKey, float] | npt.ArrayLike | None = None,
    fixed: Iterable[VertexKey] | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> CommunitiesResult:
    """Communities by the Louvain method.

    The result has the communities of each level in `levels`.  Communities of Louvain may fall apart: leiden's do not.

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
            set in motion is visited again.
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
        InvalidArgumentError: a weight or a size is negative; `resolution` or `threshold` is out of range; `changed`
            without `start`; `objective` is unknown; `sizes` with "modularity" or "rb".
        VertexNotFoundError: `fixed` or `sizes` names no vertex of the graph.
    """
    return find_communities(
        _core.louvain,
        state_of(graph),
        weight,
        resolution,
        threshold,
        max_levels,
        seed,
        start,
        changed,
        1,
        objective,
        sizes,
        fixed,
        threads,
        progress,
        graph,
    )
