"""Random walks and sampled neighbours, the same for the same seed whatever the number of threads."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .. import _core
from ..core.arguments import names_checked
from ..core.engines import ProgressOption, engine
from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa, pc
from ..core.options import real_number, whole_number
from ..graph.ids import ErrorsWithIds, VertexKey, arrow_ids, find_all
from ..graph.schema import weight_wanted
from ..graph.state import Reader, state_of, weighted_view

__all__ = ["random_walks", "sample_neighbors"]

_NO_VERTEX = np.iinfo(np.uint64).max


@names_checked
def random_walks(
    graph: Reader,
    starts: Iterable[VertexKey],
    length: int,
    seed: int = 0,
    *,
    weight: str | None = None,
    p: float = 1.0,
    q: float = 1.0,
    restart: float = 0.0,
    in_edges: bool = False,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> pa.Table:
    """A random walk of `length` steps from each of the vertices `starts`, along out-edges, or in-edges if `in_edges`.

    `weight`: "weight" or a numeric edge column: steps go along edges in proportion to it.  `p`, `q`: node2vec's, for
    walks that remember the vertex before: a step back to it is 1/p times as likely as one to a vertex that it has an
    edge to, one to any other 1/q times.  `restart`: the chance that a step goes back to the start instead; with it, so
    does a step that leads nowhere.

    Returns a table: column `step0` has the starts, `step1` where the first step leads, and so on; null where a walk had
    come to a vertex without edges.  The same `seed` gives the same walks, whatever the number of threads.

    Raises VertexNotFoundError if a start is not in the graph, InvalidArgumentError if `length` is below 0,
    UnsupportedError if the graph stores no in-edges, InvalidArgumentError if p, q or restart is out of range or a
    weight is negative.  Cost: one random read of a list a step; 8 bytes a step in memory.  By weight the sums of
    each list's weights are computed first (8 bytes an edge), and a step is a search among them; with p and q a step
    also searches the list of the vertex before.
    """
    state = state_of(graph)
    whole_number("length", length, 0)
    whole_number("seed", seed, 0, 2**64 - 1)
    weighted = weight_wanted(state, weight)
    p, q, restart = real_number("p", p), real_number("q", q), real_number("restart", restart)
    with engine(threads, progress) as borrowed:
        numbers = find_all(state, starts)
        if weighted or (p, q, restart) != (1, 1, 0):
            view = weighted_view(state, borrowed, weight)
            with ErrorsWithIds(state):
                flat = _core.biased_walks(borrowed, view, numbers, length, seed, in_edges, weighted, p, q, restart)
        else:
            flat = _core.random_walks(borrowed, state.view(borrowed), numbers, length, seed, in_edges)
    walks = np.asarray(flat).reshape(len(numbers), length + 1)
    return pa.table({f"step{i}": _named(state, walks[:, i]) for i in range(length + 1)})


@names_checked
def sample_neighbors(
    graph: Reader,
    vertices: Iterable[VertexKey],
    count: int,
    seed: int = 0,
    *,
    weight: str | None = None,
    in_edges: bool = False,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> pa.Table:
    """At most `count` random neighbours of each of these `vertices`, each edge once: a table of source and target.

    `weight`: "weight" or a numeric edge column, in proportion to which neighbours come; those of 0 never do.  With
    `in_edges` the neighbours are the sources of edges that lead to the vertices.  The same `seed` gives the same
    neighbours, whatever the number of threads.

    Raises VertexNotFoundError if a vertex is not in the graph, InvalidArgumentError if `count` is below 0,
    UnsupportedError if the graph stores no in-edges.  Cost: O(count) a vertex (Floyd's sampling), not O(degree); by
    weight O(degree).
    """
    state = state_of(graph)
    if not isinstance(count, (int, np.integer)):
        raise InvalidArgumentError(
            f"count is {count!r}; it must be one whole number (call the function once for each hop)"
        )
    if count < 0:
        raise InvalidArgumentError(f"count is {count}; it must be 0 neighbours or more")
    count = min(count, 2**32)  # no vertex has more
    whole_number("seed", seed, 0, 2**64 - 1)
    weighted = weight_wanted(state, weight)
    with engine(threads, progress) as borrowed:
        numbers = find_all(state, vertices)
        view = weighted_view(state, borrowed, weight) if weighted else state.view(borrowed)
        with ErrorsWithIds(state):
            offsets, drawn = _core.sample_neighbors(borrowed, view, numbers, count, seed, in_edges, weighted)
    given, found = _named(state, np.repeat(numbers, np.diff(offsets))), _named(state, drawn)
    return pa.table([found, given] if in_edges else [given, found], names=["source", "target"])


def _named(state: _core.Snapshot, numbers: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> pa.Array:
    """External ids; null for no vertex."""
    ended = numbers == _NO_VERTEX
    ids = arrow_ids(state.ids_of(np.where(ended, np.uint64(0), numbers) if len(numbers) else numbers))
    if not ended.any():
        return ids
    return pc.if_else(pa.array(ended), pa.scalar(None, ids.type), ids)
