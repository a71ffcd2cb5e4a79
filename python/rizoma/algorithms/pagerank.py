"""PageRank: a vertex is important if important vertices point to it.

When to use it
    To rank pages, accounts, papers or proteins by their place in the whole network, not by their degree alone.
    With ``personalization`` it ranks by nearness to a set of vertices, which makes a simple recommender.
Cost
    One pass over the edges an iteration, at most about log(tol / 2) / log(alpha) iterations (some 80 by default). In
    an undirected graph iterations that gain little are accelerated by Chebyshev's polynomials: some 25, though not
    where checkpoints are kept, which do not hold what that needs. All threads.
Memory
    20 bytes a vertex, from 65,536 vertices on; 32 in smaller graphs, and where weights count.
Source
    Page, Brin, Motwani, Winograd, "The PageRank citation ranking", Stanford, 1999; Golub, Varga, "Chebyshev
    semi-iterative methods", Numerische Mathematik 3, 1961.

>>> import rizoma as rz
>>> g = rz.open(None, directed=True)
>>> g.add_edges([("ann", "bob"), ("cem", "bob"), ("bob", "dia"), ("dia", "cem"), ("eve", "bob")])
>>> result = rz.pagerank(g)
>>> [name for name, rank in result.top(2)]
['bob', 'dia']
>>> near = rz.pagerank(g, personalization={"cem": 1})
>>> near["eve"]
0.0
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError
from ..core.options import real_number, whole_number
from ..graph.checkpoints import checkpoints_of
from ..graph.ids import VertexKey
from ..graph.schema import weight_wanted
from ..graph.state import Reader, state_of
from ..results.by_number import former_values, vertex_values
from ..results.vertex import PageRankResult
from ._distributed import distributed
from ._running import run, warn_unless_converged

__all__ = ["pagerank"]


@distributed
def pagerank(
    graph: Reader,
    alpha: float = 0.85,
    personalization: Mapping[VertexKey, float] | npt.ArrayLike | None = None,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: Mapping[VertexKey, float] | npt.ArrayLike | None = None,
    weight: str | None = None,
    start: PageRankResult | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> PageRankResult:
    """PageRank of every vertex.

    Args:
        graph: a Graph or a Snapshot.
        alpha: probability of following an edge, in [0, 1).
        personalization: where teleports lead: {vertex: share}, or an array by internal id; default everywhere.
        max_iter: largest number of iterations; if it ends the call, `converged` on the result and a warning tell.
        tol: stop when the error bound (sum of absolute differences to the exact scores) falls below this;
            0: run max_iter iterations, none accelerated.  NetworkX stops when an iteration changes less than n * tol.
        nstart: initial scores, as `personalization`.
        weight: "weight", or the name of a numeric edge column: follow an edge in proportion to it; None: all
            edges alike.
        start: a former result, of another state of this graph, instead of nstart; new vertices begin with an even
            share.  The error bound is that of `tol` either way, in fewer iterations.

    Returns:
        PageRankResult: `rank`, one value for each vertex, in the order of internal ids.

    Raises:
        InvalidArgumentError: alpha, tol or max_iter is out of range; the shares are negative or sum to 0; a
            weight is negative; both start and nstart are given.
    """
    state = state_of(graph)
    whole_number("max_iter", max_iter, 0)
    tol = real_number("tol", tol)
    if tol < 0:
        raise InvalidArgumentError(f"tol is {tol}; it must be 0 (run max_iter iterations) or more")
    use_weights = weight_wanted(state, weight)
    jump = vertex_values(state, personalization, "personalization")
    first = vertex_values(state, nstart, "nstart") if start is None else _former(state, start, nstart)
    keep = checkpoints_of(graph, "pagerank", alpha=alpha, weight=weight, jump=jump, start=first)
    result = run(
        PageRankResult,
        state,
        lambda borrowed, view: _core.pagerank(
            borrowed, view, alpha, tol, max_iter, use_weights, jump, first, accelerate=tol > 0
        ),
        threads,
        progress,
        weight,
        keep=keep,
    )
    warn_unless_converged(result, tol)
    return result


def _former(state: _core.Snapshot, start: PageRankResult, nstart: object) -> npt.NDArray[np.float64]:
    if nstart is not None:
        raise InvalidArgumentError("start= and nstart= both say where to begin; give one of them")
    if not isinstance(start, PageRankResult):
        raise InvalidArgumentError(f"start= must be an earlier result of pagerank, not {type(start).__name__}")
    return former_values(state, start, 1 / max(state.num_live, 1))
