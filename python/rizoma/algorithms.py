"""The kernels, as functions of the package; names and parameters follow NetworkX where it has them.

Each takes a Graph or a Snapshot.  `threads` and `progress` override `rizoma.config` for one call:
`progress` is True for a bar on stderr, or a function f(phase, done, total).  Ctrl-C stops any of them.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .engines import ProgressFunction, engine
from .errors import InvalidArgumentError, VertexNotFoundError
from .log import logger
from .options import checked_seed, whole_number
from .partitions import ComponentsResult
from .placement import PlacementReport
from .ranks import distributed
from .reader import Reader, find
from .results import (
    BetweennessResult,
    BfsResult,
    PageRankResult,
    SsspResult,
    TriangleResult,
    VertexResult,
)
from .scan import edge_columns
from .vertex_ids import VertexKey, arrow_ids, find_many

__all__ = ["betweenness_centrality", "bfs", "connected_components", "pagerank", "sssp", "triangle_count"]

R = TypeVar("R", bound=VertexResult)
ProgressOption = ProgressFunction | bool | None


def _run(
    kind: type[R],
    state: _core.Snapshot,
    kernel: Callable[[_core.Engine, _core.View], dict[str, Any]],
    threads: int | None,
    progress: ProgressOption,
    weight: str | None = None,
) -> R:
    """Run a kernel on a state of a graph; what is no array in its answer becomes an attribute.

    `weight` is the edge column that the view has as weights, if it is another one than "weight".
    """
    with engine(threads, progress) as lent:
        view = state.working_view(lent) if weight in (None, "weight") else _core.weight_view(state, lent, weight)
        lent.take_traffic()
        begin = time.perf_counter()
        try:
            answer = kernel(lent, view)
        except InvalidArgumentError as error:
            raise InvalidArgumentError(_with_ids(state, str(error))) from None
        seconds = time.perf_counter() - begin
        placement = PlacementReport.of(lent.policy, lent.take_traffic(), lent.tiers)
        columns = {name: value for name, value in answer.items() if isinstance(value, np.ndarray)}
        result = kind(state, view, columns, seconds, lent.threads, placement)
    logger.debug("%s took %.3g s on %d threads", kind.name, seconds, result.threads)
    for name in answer.keys() - columns.keys():
        setattr(result, name, answer[name])
    return result


_NUMBERED = re.compile(r"(vertex|edge) (\d+)(?: -> (\d+))? \(inner numbers?\)")


def _with_ids(state: _core.Snapshot, message: str) -> str:
    """A kernel's message with external ids where it speaks of inner numbers."""

    def named(found: re.Match[str]) -> str:
        numbers = np.array([number for number in found.groups()[1:] if number is not None], np.uint64)
        ids = arrow_ids(state.ids_of(numbers)).to_pylist()
        return f"{found[1]} " + " -> ".join(repr(id_) for id_ in ids)

    return _NUMBERED.sub(named, message)


def _state_of(graph: Reader) -> _core.Snapshot:
    """Return the state that a call works on; each public function asks once: the next state may number anew."""
    if not isinstance(graph, Reader):
        raise TypeError(
            f"a Graph or a Snapshot is needed, not {type(graph).__name__}; see rizoma.open and read"
        )
    if graph._shared_by_ranks:
        frame = sys._getframe(1)
        while frame.f_code.co_name.startswith("_") and frame.f_back is not None:
            frame = frame.f_back
        graph._may_run(frame.f_code.co_name)  # the kernel, as the user called it
    return graph._state()


@distributed
def pagerank(
    graph: Reader,
    alpha: float = 0.85,
    personalization: Mapping[VertexKey, float] | npt.ArrayLike | None = None,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: Mapping[VertexKey, float] | npt.ArrayLike | None = None,
    weight: str | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> PageRankResult:
    """PageRank of every vertex.

    Args:
        graph: a Graph or a Snapshot.
        alpha: probability of following an edge, in [0, 1).
        personalization: where jumps lead: {vertex: share}, or an array by inner number; default everywhere.
        max_iter: most iterations; see `converged` on the result.
        tol: stop once the ranks are surely this near to the exact ones (sum of absolute differences);
            0: run max_iter iterations.  NetworkX stops when an iteration changes less than n * tol.
        nstart: first ranks, as `personalization`.
        weight: "weight", or the name of a numeric edge column: follow an edge in proportion to it; None: all
            edges alike.
    """
    state = _state_of(graph)
    whole_number("max_iter", max_iter, 0)
    if tol < 0:
        raise InvalidArgumentError(f"tol is {tol}; it must be 0 (run max_iter iterations) or more")
    use_weights = _weight_wanted(state, weight)
    jump = _vertex_values(state, personalization, "personalization")
    start = _vertex_values(state, nstart, "nstart")
    return _run(
        PageRankResult,
        state,
        lambda lent, view: _core.pagerank(lent, view, alpha, tol, max_iter, use_weights, jump, start),
        threads,
        progress,
        weight,
    )


@distributed
def bfs(
    graph: Reader,
    source: VertexKey,
    max_depth: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> BfsResult:
    """Breadth-first search along out-edges: levels and parents of the vertices reached from `source`."""
    state = _state_of(graph)
    start = find(state, source)
    depth = -1 if max_depth is None else whole_number("max_depth", max_depth, 0)
    result = _run(BfsResult, state, lambda lent, view: _core.bfs(lent, view, start, depth), threads, progress)
    result.source = source
    return result


@distributed
def connected_components(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> ComponentsResult:
    """Connected components; of a directed graph the weak ones."""
    return _run(ComponentsResult, _state_of(graph), _core.connected_components, threads, progress)


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
        k: estimate from so many random sources; None: exact, from all.
        normalized: divide by the number of pairs, as NetworkX does.
        seed: of the choice of sources; None: another one each time.
    """
    state = _state_of(graph)

    def kernel(lent: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _core.betweenness_centrality(lent, view, _sample(view, k, seed), normalized)

    checked_seed(seed)
    if k is not None and (isinstance(k, bool) or not isinstance(k, (int, np.integer))):
        raise InvalidArgumentError(f"k is {k!r}; it must be a whole number of sources, or None for all")
    if k is not None and not 0 < k <= state.num_live:
        raise InvalidArgumentError(
            f"k is {k}; it must be between 1 and the number of vertices, {state.num_live}"
        )
    return _run(BetweennessResult, state, kernel, threads, progress)


def sssp(
    graph: Reader,
    source: VertexKey,
    weight: str | None = "weight",
    delta: float | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> SsspResult:
    """Lengths of the shortest paths from `source`; weights must not be negative.

    Args:
        graph: a Graph or a Snapshot.  Without weights each edge has length 1.
        source: external id of the first vertex.
        weight: "weight", or the name of a numeric edge column: how long edges are; None: 1 each.
        delta: width of the buckets of delta-stepping; None: chosen from the graph.
    """
    state = _state_of(graph)
    start = find(state, source)
    width = 0.0 if delta is None else delta
    by_edges = weight is None and state.schema.weights != _core.WeightType.none
    _weight_wanted(state, weight, must=False)

    def kernel(lent: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _lengths_in_edges(lent, view, start) if by_edges else _core.sssp(lent, view, start, width)

    result = _run(SsspResult, state, kernel, threads, progress, weight)
    result.source = source
    return result


def _lengths_in_edges(lent: _core.Engine, view: _core.View, start: int) -> dict[str, Any]:
    """What `sssp` answers if each edge has length 1, whatever it weighs: a breadth-first search."""
    answer = _core.bfs(lent, view, start, -1)
    levels = answer["level"]
    distances = np.where(levels < 0, np.inf, levels.astype(np.float64))
    return {"distance": distances, "reached": answer["reached"], "delta": 1.0}


def triangle_count(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> TriangleResult:
    """Triangles in all (`total`) and of each vertex; directions, parallel edges and loops do not count."""
    return _run(TriangleResult, _state_of(graph), _core.triangle_count, threads, progress)


def _weight_wanted(state: _core.Snapshot, weight: str | None, must: bool = True) -> bool:
    """Whether to use weights.  `weight` is "weight", the name of an edge column, or None."""
    if weight is None:
        return False
    if weight != "weight":
        columns = edge_columns(state.schema)
        if weight not in columns:
            there = ", ".join(["weight", *columns])
            raise InvalidArgumentError(f"weight={weight!r}: no such column of the edges (there may be {there})")
        return True
    weighted = state.schema.weights != _core.WeightType.none
    if must and not weighted:
        raise InvalidArgumentError("the graph has no weights; use weight=None")
    return weighted


def _vertex_values(
    state: _core.Snapshot, values: Mapping[VertexKey, float] | npt.ArrayLike | None, name: str
) -> npt.NDArray[np.float64] | None:
    """Values by inner number, from a mapping by external id (0 for the rest) or an array."""
    if values is None:
        return None
    if not isinstance(values, Mapping):
        return _float_array(values, state.num_vertices, name)
    out = np.zeros(state.num_vertices)
    numbers = find_many(state, list(values))
    for number, id_ in zip(numbers, values, strict=True):
        if number == np.iinfo(np.uint64).max:
            raise VertexNotFoundError(f"{name} names {id_!r}, which is no vertex of the graph")
    try:
        out[numbers] = np.fromiter(values.values(), np.float64, len(values))
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"{name} has a value that is no number: {error}") from None
    return out


def _float_array(values: Any, size: int, name: str) -> npt.NDArray[np.float64]:
    """An array by inner number, of the right shape."""
    try:
        array = np.ascontiguousarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(
            f"{name} is a mapping {{vertex: share}} or an array of numbers, not {type(values).__name__}: {error}"
        ) from None
    if array.shape != (size,) or np.ndim(values) != 1:
        raise InvalidArgumentError(
            f"{name} has the shape {np.shape(values)}; one value for each inner number is needed: ({size},)"
        )
    return array


def _sample(view: _core.View, k: int | None, seed: int | None) -> npt.NDArray[np.uint64] | None:
    """Return k random live vertices by inner number; None: all."""
    if k is None:
        return None
    live = _core.live_vertices(view)
    chosen = np.random.default_rng(seed).choice(view.num_live, size=k, replace=False).astype(np.uint64)
    return chosen if live is None else live[chosen]
