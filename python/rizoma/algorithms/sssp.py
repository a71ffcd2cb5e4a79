"""Shortest paths from one vertex, by the sum of weights.

When to use it
    For distances on roads, costs and times.  Weights must be 0 or more.  Use ``bfs`` where every step counts as
    one.
Cost
    About one pass over the edges for a well-chosen bucket width, which is found by itself; all threads.
Memory
    16 bytes a vertex.
Source
    Meyer, Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 49, 2003; Zhang et
    al., CGO'20.

>>> import rizoma as rz
>>> g = rz.open(None, weights="float64")
>>> g.add_edges([("OSL", "BER", 520), ("BER", "LIS", 1440), ("OSL", "LIS", 1700), ("LIS", "RIO", 4800)])
>>> result = rz.sssp(g, "OSL")
>>> result["LIS"], result["RIO"]
(1700.0, 6500.0)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _core
from ..core.engines import ProgressOption
from ..core.options import real_number
from ..graph.checkpoints import checkpoints_of
from ..graph.ids import VertexKey
from ..graph.schema import warn_of_hops, weight_wanted
from ..graph.state import Reader, state_of
from ..results.vertex import SsspResult
from ._distributed import distributed
from ._running import run
from ._sources import numbers_of

__all__ = ["sssp"]


@distributed
def sssp(
    graph: Reader,
    source: VertexKey | Iterable[VertexKey],
    weight: str | None = "weight",
    delta: float | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> SsspResult:
    """Lengths of the shortest paths from `source`; weights must not be negative.

    Of several sources each vertex has its distance from the nearest.

    Args:
        graph: a Graph or a Snapshot.  Without weights each edge has length 1; a ReadWarning tells of columns of
            numbers that might be meant.
        source: external id of the first vertex, or a list of ids.
        weight: "weight", or the name of a numeric edge column: the lengths of edges; None: 1 each.
        delta: width of the buckets of delta-stepping; None: chosen from the graph.

    Returns:
        SsspResult: `distance`, one value for each vertex, in the order of internal ids; `parents` and `path_to(v)`
        say which way.

    Raises:
        VertexNotFoundError: `source` is not a vertex of the graph.
        InvalidArgumentError: a weight is negative; delta is not a number, 0 or more.
    """
    state = state_of(graph)
    start = numbers_of(state, source)
    width = 0.0 if delta is None else real_number("delta", delta)
    by_edges = weight is None and state.schema.weights != _core.WeightType.none
    if not weight_wanted(state, weight, must=False) and weight is not None:
        warn_of_hops(state)

    keep = checkpoints_of(graph, "sssp", source=source, weight=weight, delta=delta)

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _core.sssp(borrowed, view, start, width, by_edges)

    result = run(SsspResult, state, kernel, threads, progress, weight, keep=keep)
    result.source = source
    result.start = start
    result.weight = None if by_edges else weight
    return result
