"""Betweenness centrality: on how many shortest paths a vertex lies.

When to use it
    To find bridges, brokers and bottlenecks.  On more than some ten thousand vertices give ``epsilon``, how far a score
    may be off: shortest paths are sampled until that holds.  ``k`` samples sources, for scores of all vertices alike.
Cost
    One pass over the edges for each source: vertices times edges if it is exact.  With ``epsilon`` at most some
    10 / epsilon^2 samples, each a search from both ends of a pair that sees a small part of the graph.  All threads.
Memory
    20 to 36 bytes a vertex, on small graphs for each thread; with ``epsilon`` 16 for each thread.
Source
    Brandes, "A faster algorithm for betweenness centrality", J. Math. Sociol. 25, 2001; Madduri et al., "A faster
    parallel algorithm and efficient multithreaded implementations for evaluating betweenness centrality", IPDPS'09.
    With ``epsilon``: Borassi, Natale, "KADABRA is an adaptive algorithm for betweenness via random approximation",
    ESA'16.  The error of ``k``: Brandes, Pich, "Centrality estimation in large networks", Int. J. Bifurcat. Chaos
    17(7), 2007.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.betweenness_centrality(g)
>>> result.top(2)
[('cem', 0.666...), ('dia', 0.5)]
>>> rz.betweenness_centrality(g, k=2, seed=1).sources
2
>>> near = rz.betweenness_centrality(g, epsilon=0.1, seed=1)
>>> abs(near["cem"] - result["cem"]) <= near.error <= 0.1
True
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
from ._sampling import between_0_and_1, hoeffding

__all__ = ["betweenness_centrality"]


@distributed
def betweenness_centrality(
    graph: Reader,
    k: int | None = None,
    normalized: bool = True,
    seed: int | None = None,
    epsilon: float | None = None,
    delta: float = 0.1,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> BetweennessResult:
    """Betweenness centrality by number of edges.

    Args:
        graph: a Graph or a Snapshot.
        k: number of source vertices to sample; None: all, for exact scores.
        normalized: divide by the number of pairs, as NetworkX does.
        seed: seed of the choice of sources or paths; None: a new one each time.
        epsilon: how far a score divided by the number of pairs may be from the exact one, between 0 and 1.  The scores
            are exact where samples would be more than pairs.
        delta: the chance that some score is farther off than the result's `error`, between 0 and 1.

    Returns:
        BetweennessResult: `score`, one value for each vertex, in the order of internal ids; `error`: how far the
            farthest is from the exact one, with probability 1 - delta (0: they are exact).

    Raises:
        InvalidArgumentError: k is not from 1 to the number of vertices; both k and epsilon; epsilon or delta is not
            between 0 and 1.
        UnsupportedError: too many shortest paths to count; epsilon in a directed graph without in-edges.
    """
    state = state_of(graph)
    checked_seed(seed)
    delta = between_0_and_1("delta", delta)
    if epsilon is not None:
        if k is not None:
            raise InvalidArgumentError("k samples sources and epsilon paths; give one of them")
        if _samples_are_fewer(state, between_0_and_1("epsilon", epsilon)):
            return _by_paths(state, epsilon, delta, normalized, seed, threads, progress)
    keep = checkpoints_of(graph, "betweenness_centrality", k=k, seed=seed)

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _core.betweenness_centrality(borrowed, view, _sample(view, k, seed), normalized)

    if k is not None and (isinstance(k, bool) or not isinstance(k, (int, np.integer))):
        raise InvalidArgumentError(f"k is {k!r}; it must be a whole number of sources, or None for all")
    if k is not None and not 0 < k <= state.num_live:
        raise InvalidArgumentError(f"k is {k}; it must be between 1 and the number of vertices, {state.num_live}")
    result = run(BetweennessResult, state, kernel, threads, progress, keep=keep)
    result.error = 0.0 if result.sources == state.num_live else _error_of(state, result.sources, delta, normalized)
    result.delta, result.samples = delta, 0
    return result


def _samples_are_fewer(state: _core.Snapshot, epsilon: float) -> bool:
    """Whether the first estimate, a tenth of all samples, takes fewer of them than there are pairs of vertices."""
    return epsilon * epsilon * state.num_live * (state.num_live - 1) > 0.15


def _by_paths(
    state: _core.Snapshot,
    epsilon: float,
    delta: float,
    normalized: bool,
    seed: int | None,
    threads: int | None,
    progress: ProgressOption,
) -> BetweennessResult:
    """Scores from sampled paths."""
    number = int(np.random.default_rng(seed).integers(2**63))

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _core.sampled_betweenness(borrowed, view, epsilon, delta, normalized, number)

    result = run(BetweennessResult, state, kernel, threads, progress)
    result.delta, result.sources = delta, 0
    return result


def _error_of(state: _core.Snapshot, k: int, delta: float, normalized: bool) -> float:
    """Hoeffding's bound for all vertices at once: a source gives each vertex at most the share 1 of its pairs."""
    n = state.num_live
    share = hoeffding(k - 1, n, delta)
    return share if normalized else share * (n - 1) * (n - 2) / (1 if state.schema.directed else 2)


def _sample(view: _core.View, k: int | None, seed: int | None) -> npt.NDArray[np.uint64] | None:
    """Return k random live vertices by internal id; None: all."""
    if k is None:
        return None
    live = _core.live_vertices(view)
    chosen = np.random.default_rng(seed).choice(view.num_live, size=k, replace=False).astype(np.uint64)
    return chosen if live is None else live[chosen]
