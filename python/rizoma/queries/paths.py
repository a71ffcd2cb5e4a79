"""Paths and what lies around a vertex: shortest paths, simple paths, common neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..core.arguments import names_checked
from ..core.engines import ProgressOption, engine
from ..core.errors import InvalidArgumentError
from ..core.options import whole_number
from ..graph.ids import ErrorsWithIds, VertexKey, find
from ..graph.schema import weight_of_path
from ..graph.state import Reader, state_of, weighted_view
from .kept_landmarks import KeptLandmarks
from .match import Matches, request_of
from .path import Path, ids_of, path_of
from .path_finder import PathFinder

__all__ = ["all_simple_paths", "common_neighbors", "shortest_path"]

_LONGEST = 31


@names_checked
def shortest_path(
    graph: Reader,
    source: VertexKey,
    target: VertexKey,
    weight: str | None = "",
    *,
    coordinates: Sequence[str] | None = None,
    geographic: bool = False,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> Path | None:
    """Return a shortest path from `source` to `target`, both included; None if there is none.

    Searches from both ends at once (Pohl, "Bi-directional search", 1971), where the graph stores the edges into its
    vertices or is undirected; so it looks at a small part of the graph.  Of several shortest paths it returns one.

    Args:
        graph: a Graph or a Snapshot.
        source, target: external ids of the ends.
        weight: how long an edge is: "weight", or the name of a numeric edge column; none may be negative.  None: 1.
            Left out: 1, with a ReadWarning where weights or a column of numbers might be meant.
        coordinates: two or three numeric vertex columns that say where vertices lie: those towards the other end come
            first (A*).  Reads all edges once for the call, so for several paths make a `PathFinder`.
        geographic: `coordinates` are longitude and latitude in degrees.

    Returns:
        A list of external ids, with `length` (float) and `edges` (an Arrow table with their columns).

    Raises:
        VertexNotFoundError: an end is not in the graph.
        InvalidArgumentError: there is no such weight, or one on the way is negative or NaN; with coordinates what
            `PathFinder` refuses.

    Cost: O(s log s) for s edges that it looks at.  A column other than "weight" is gathered first, O(edges).  Once
    calls for one state and weight have settled 12 vertices for each of the graph, not counting those that settled fewer
    than 10,000, one call takes about as long as all of these together: it finds 16 landmarks, which `graph` keeps until
    it changes or the weight is another (128 bytes a vertex, 256 if the edges have a direction and those into vertices
    are stored, and twice that meanwhile; none beyond 1 GiB), unless the last long searches settle more than a quarter
    with them.  Later calls search as a `PathFinder` does.
    """
    if coordinates is not None:
        finder = PathFinder(graph, coordinates, weight, geographic=geographic, threads=threads, progress=progress)
        return finder.shortest_path(source, target)
    if geographic:
        raise InvalidArgumentError("geographic says what coordinates are; name their columns with coordinates=")
    state = state_of(graph)
    first, last = find(state, source), find(state, target)
    weight = weight_of_path(state, weight)
    kept = KeptLandmarks.of(graph, state, weight)
    with engine(threads, progress) as borrowed:
        view = weighted_view(state, borrowed, weight)
        with ErrorsWithIds(state):
            found = kept.shortest_path(borrowed, state, view, first, last)
    vertices = found["vertices"]
    if len(vertices) == 0:
        return None
    return path_of(state, vertices, found["length"], weight)


@names_checked
def all_simple_paths(
    graph: Reader, source: VertexKey, target: VertexKey, cutoff: int, *, threads: int | None = None
) -> Iterator[list[VertexKey]]:
    """Yield the paths from `source` to `target` that visit no vertex twice, the shorter ones first.

    `cutoff` is the largest number of edges, 31 at most.  Of parallel edges each one gives a path.

    Raises VertexNotFoundError if an end is not in the graph, InvalidArgumentError if `cutoff` is out of range.  Cost:
    one search for each length, of time O(degree ^ length) at worst; memory of a batch of rows.
    """
    state = state_of(graph)
    find(state, source), find(state, target)
    whole_number("cutoff", cutoff, 0, _LONGEST)
    if source == target:
        return
    for length in range(1, cutoff + 1):
        pattern = "-->".join(f"(v{i})" for i in range(length + 1))
        ends = {"v0": source, f"v{length}": target}
        for batch in Matches(request_of(state, pattern, distinct="nodes", anchors=ends, threads=threads)):
            yield from (list(path) for path in zip(*(c.to_pylist() for c in batch.columns), strict=True))


@names_checked
def common_neighbors(graph: Reader, u: VertexKey, v: VertexKey) -> list[VertexKey]:
    """Return the vertices that edges lead to from both `u` and `v`; u and v themselves do not count.

    Raises VertexNotFoundError if either is not a vertex.  Cost: O(d log d), d the degrees of both.
    """
    state = state_of(graph)
    first, second = find(state, u), find(state, v)
    shared = np.intersect1d(state.neighbors(first), state.neighbors(second))
    return ids_of(state, shared[(shared != first) & (shared != second)])
