"""Square clustering coefficients."""

from __future__ import annotations

from .. import _core
from ..reader import Reader
from ..results import VertexResult
from ._running import ProgressOption, run, state_of

__all__ = ["square_clustering"]


class SquareClusteringResult(VertexResult):
    """Square clustering: `coefficient`."""

    name = "Square clustering coefficients"
    value = "coefficient"


def square_clustering(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> SquareClusteringResult:
    """Square clustering: the share of the squares that the neighbours of a vertex might close which are there.

    For undirected graphs (Zhang et al., 2008); in bipartite ones, which have no triangles, it tells what clustering
    tells in others.
    """
    return run(
        SquareClusteringResult,
        state_of(graph),
        lambda lent, view: {"coefficient": _core.square_clustering(lent, view)},
        threads,
        progress,
    )
