"""Katz centrality: how many walks lead to a vertex, long ones counting less.

When to use it
    As PageRank, but a vertex does not divide its score among its out-neighbours.  ``alpha`` must be below 1 / the
    largest eigenvalue of the adjacency matrix.
Cost
    One pass over the edges an iteration; all threads.
Memory
    16 bytes a vertex.
Source
    Katz, "A new status index derived from sociometric analysis", Psychometrika 18, 1953.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.katz_centrality(g)
>>> result.top(1)[0][0]
'cem'
"""

from __future__ import annotations

from .. import _core
from ..core.engines import ProgressOption
from ..core.options import whole_number
from ..graph.checkpoints import checkpoints_of
from ..graph.schema import weight_wanted
from ..graph.state import Reader, state_of
from ..results.vertex import VertexResult
from ._distributed import distributed
from ._running import run, warn_unless_converged

__all__ = ["katz_centrality"]


class KatzResult(VertexResult):
    """Katz centrality: `score`; `iterations`, and whether `tol` was met (`converged`)."""

    name = "Katz centrality"
    value = "score"
    iterations: int
    converged: bool

    def _how(self) -> str:
        return f"{self.iterations} iterations, {'converged' if self.converged else 'not converged'}"


@distributed
def katz_centrality(
    graph: Reader,
    alpha: float = 0.1,
    beta: float = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-6,
    normalized: bool = True,
    weight: str | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> KatzResult:
    """Katz centrality: walks that end at a vertex, each step lessening their part by `alpha`.

    Args:
        graph: a Graph or a Snapshot; edges lead to the vertex that they count for.
        alpha: below 1 / the largest eigenvalue of the graph's matrix, or the scores grow without bound.
        beta: the score that every vertex has before any walk counts.
        max_iter: largest number of iterations; if it ends the call, `converged` on the result and a warning tell.
        tol: stop when an iteration changes the scores by less than this a vertex.
        normalized: scale the scores to a Euclidean norm of 1.
        weight: "weight": a step counts by the weight of its edge; None: all edges alike.

    Returns:
        KatzResult: the score, one value for each vertex, in the order of internal ids.

    Raises:
        InvalidArgumentError: the scores grow without bound; alpha, beta or tol is out of range.
    """
    whole_number("max_iter", max_iter, 0)
    state = state_of(graph)
    use_weights = weight_wanted(state, weight)
    result = run(
        KatzResult,
        state,
        lambda borrowed, view: _core.katz_centrality(
            borrowed, view, alpha, beta, max_iter, tol, normalized, use_weights
        ),
        threads,
        progress,
        keep=checkpoints_of(graph, "katz_centrality", alpha=alpha, beta=beta, weight=weight),
    )
    warn_unless_converged(result, tol)
    return result
