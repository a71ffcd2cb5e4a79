"""Communities by the Louvain method: groups with more edges inside than chance would give them.

When to use it
    To divide a graph into groups without saying how many.  ``resolution`` above 1 gives more and smaller ones.  A
    seed gives the same answer again.
Cost
    A few passes over the edges, on one thread.
Memory
    24 bytes an entry.
Source
    Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech., 2008; the queue: Traag,
    Waltman, van Eck, "From Louvain to Leiden", Sci. Rep. 9, 2019; directed: Leicht, Newman, Phys. Rev. Lett. 100,
    2008.

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

from typing import Any

import numpy as np

from .. import _core
from ..options import checked_seed, whole_number
from ..partitions import CommunitiesResult
from ..reader import Reader
from ._arguments import weight_wanted
from ._running import ProgressOption, run, state_of

__all__ = ["louvain"]


def louvain(
    graph: Reader,
    weight: str | None = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> CommunitiesResult:
    """Communities by the Louvain method.

    Args:
        graph: a Graph or a Snapshot; a directed one is cut by its directed modularity.
        weight: "weight": by weight, if the graph has weights (none may be negative); the name of a numeric edge
            column: by it; None: all edges alike.
        resolution: above 1 for more and smaller communities, below 1 for fewer.
        threshold: a level that gains less modularity is the last.
        max_level: at most so many levels.
        seed: of the order in which vertices move; None: another one each time.
    """
    state = state_of(graph)
    use_weights = weight_wanted(state, weight, must=False)
    levels = -1 if max_level is None else whole_number("max_level", max_level, 1)
    start = int(np.random.default_rng(checked_seed(seed)).integers(2**63))

    def kernel(lent: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _core.louvain(lent, view, resolution, threshold, levels, start, use_weights)

    return run(CommunitiesResult, state, kernel, threads, progress, weight)
