"""Betweenness centrality: on how many shortest paths a vertex lies.

When to use it
    To find bridges, brokers and bottlenecks.  On more than some ten thousand vertices use ``k``, which estimates it
    from a sample of sources.
Cost
    One pass over the edges for each source: vertices times edges if it is exact; all threads.
Memory
    20 to 36 bytes a vertex; on small graphs for each thread.
Source
    Brandes, "A faster algorithm for betweenness centrality", J. Math. Sociol. 25, 2001; Madduri et al., "A faster
    parallel algorithm and efficient multithreaded implementations for evaluating betweenness centrality", IPDPS'09.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.betweenness_centrality(g)
>>> result.top(2)
[('cem', 0.666...), ('dia', 0.5)]
>>> rz.betweenness_centrality(g, k=2, seed=1).sources
2
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError
from ..core.options import checked_seed
from ..graph.checkpoints import checkpoints_of
from ..graph.state import Reader, state_of
from ..results.vertex import BetweennessResult
from ._distributed import distributed
from ._running import run

__all__ = ["betweenness_centrality"]


@distributed
def betweenness_centrality(
    graph: Reader,
    k: int | None = None,
    normalized: bool = True,
    seed: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> BetweennessResult:
    """Betweenness centrality by number of edges.

    Args:
        graph: a Graph or a Snapshot.
        k: number of source vertices to sample; None: all, for exact scores.
        normalized: divide by the number of pairs, as NetworkX does.
        seed: seed of the choice of sources; None: a new one each time.

    Returns:
        BetweennessResult: `score`, one value for each vertex, in the order of internal ids.

    Raises:
        InvalidArgumentError: k is not from 1 to the number of vertices.
        UnsupportedError: too many shortest paths to count.
    """
    state = state_of(graph)
    checked_seed(seed)
    keep = checkpoints_of(graph, "betweenness_centrality", k=k, seed=seed)

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _core.betweenness_centrality(borrowed, view, _sample(view, k, seed), normalized)

    if k is not None and (isinstance(k, bool) or not isinstance(k, (int, np.integer))):
        raise InvalidArgumentError(f"k is {k!r}; it must be a whole number of sources, or None for all")
    if k is not None and not 0 < k <= state.num_live:
        raise InvalidArgumentError(f"k is {k}; it must be between 1 and the number of vertices, {state.num_live}")
    return run(BetweennessResult, state, kernel, threads, progress, keep=keep)


def _sample(view: _core.View, k: int | None, seed: int | None) -> npt.NDArray[np.uint64] | None:
    """Return k random live vertices by internal id; None: all."""
    if k is None:
        return None
    live = _core.live_vertices(view)
    chosen = np.random.default_rng(seed).choice(view.num_live, size=k, replace=False).astype(np.uint64)
    return chosen if live is None else live[chosen]
