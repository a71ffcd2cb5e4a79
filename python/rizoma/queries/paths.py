"""Paths and what lies around a vertex: shortest paths, simple paths, common neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from .. import _core
from ..core.arguments import names_checked
from ..core.engines import ProgressOption, engine
from ..core.errors import InvalidArgumentError
from ..graph.attributes import EdgeAttributes, edge_attributes
from ..graph.column_types import arrow_type
from ..graph.ids import ErrorsWithIds, VertexKey, arrow_ids, find
from ..graph.schema import weight_wanted
from ..graph.state import Reader, state_of, weighted_view
from .match import Matches, request_of

__all__ = ["Path", "all_simple_paths", "common_neighbors", "path_of", "shortest_path"]

_LONGEST = 31


def _ids(state: _core.Snapshot, vertices: npt.NDArray[np.uint64]) -> list[VertexKey]:
    ids: list[VertexKey] = arrow_ids(state.ids_of(vertices)).to_pylist()
    return ids


class Path(list[VertexKey]):
    """The vertices of a path in their order: a list, which knows its `length` and its `edges`."""

    def __init__(self, vertices: list[VertexKey], length: float, edges: Callable[[], pa.Table]) -> None:
        super().__init__(vertices)
        #: The sum of the weights of its edges, or their number.
        self.length = length
        self._edges = edges

    @cached_property
    def edges(self) -> pa.Table:
        """A table with a row for each edge: `source`, `target` and the columns of the edges, the weight among them.

        Of parallel edges it has the one of least weight, without weights the first.
        """
        return self._edges()


@names_checked
def shortest_path(
    graph: Reader,
    source: VertexKey,
    target: VertexKey,
    weight: str | None = None,
    *,
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

    Returns:
        A list of external ids, with `length` (float) and `edges` (an Arrow table with their columns).

    Raises:
        VertexNotFoundError: an end is not in the graph.
        InvalidArgumentError: there is no such weight, or one on the way is negative or NaN.

    Cost: O(s log s) for s edges that it looks at.  A column other than "weight" is gathered first, O(edges).
    """
    state = state_of(graph)
    first, last = find(state, source), find(state, target)
    weighted = weight_wanted(state, weight)
    with engine(threads, progress) as borrowed:
        view = weighted_view(state, borrowed, weight)
        with ErrorsWithIds(state):
            found = _core.shortest_path(borrowed, view, first, last, weighted)
    vertices = found["vertices"]
    if len(vertices) == 0:
        return None
    return path_of(state, vertices, found["length"], weight)


def path_of(state: _core.Snapshot, vertices: npt.NDArray[np.uint64], length: float, weight: str | None) -> Path:
    """A path over these internal ids, whose edges are read when they are asked for."""
    ids = _ids(state, vertices)
    return Path(ids, length, lambda: _edge_table(state, vertices, ids, weight))


def _edge_table(
    state: _core.Snapshot, vertices: npt.NDArray[np.uint64], ids: list[VertexKey], weight: str | None
) -> pa.Table:
    """The edges of a path with their columns."""
    types = edge_attributes(state.schema)
    attributes = EdgeAttributes(state) if state.schema.rows else None
    rows = []
    for u, v in pairwise(vertices.tolist()):
        if attributes is not None:
            there = attributes.between(u, v, False)
        elif types:
            there = [{"weight": w} for w in state.weights(u)[state.neighbors(u) == v].tolist()]
        else:
            there = [{}]
        rows.append(there[0] if weight is None else min(there, key=lambda row: row.get(weight, np.inf)))
    columns = {name: pa.array([row.get(name) for row in rows], arrow_type(kind)) for name, kind in types.items()}
    ends = pa.array(ids, arrow_ids(state.ids_of(vertices)).type)
    return pa.table({"source": ends[:-1], "target": ends[1:], **columns})


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
    if not 0 <= cutoff <= _LONGEST:
        raise InvalidArgumentError(f"cutoff is {cutoff}; it must be between 0 and {_LONGEST} edges")
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
    return _ids(state, shared[(shared != first) & (shared != second)])
