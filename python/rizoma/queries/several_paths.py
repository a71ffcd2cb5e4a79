"""Several paths between two vertices: all shortest ones, and the k shortest without a vertex twice."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import islice, pairwise

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.arguments import names_checked
from ..core.engines import ProgressOption, engine
from ..core.errors import UnsupportedError
from ..core.options import whole_number
from ..graph.ids import ErrorsWithIds, VertexKey, find
from ..graph.schema import weight_of_path, weight_wanted
from ..graph.state import Reader, state_of, weighted_view
from .path import Path, path_of

__all__ = ["Lists", "Search", "all_shortest_paths", "k_shortest_paths", "simple_paths", "tight_paths"]


class Lists:
    """The lists of a graph with lengths, each read when it is first asked for."""

    def __init__(self, state: _core.Snapshot, weight: str | None, view: _core.View) -> None:
        self.state, self.weight = state, weight
        self._weighted = weight_wanted(state, weight)
        self._view = view
        self._lists: dict[int, tuple[list[int], list[float]]] = {}

    def after(self, u: int) -> tuple[list[int], list[float]]:
        """The vertices that edges of `u` lead to, each once, and the least lengths of these edges."""
        found = self._lists.get(u)
        if found is None:
            _, targets, weights = _core.read_csr(self._view, False, u, u + 1)
            lengths = (
                np.ones(len(targets)) if weights is None or not self._weighted else np.asarray(weights, np.float64)
            )
            order = np.lexsort((lengths, targets))
            first = np.unique(np.asarray(targets)[order], return_index=True)[1]
            kept = order[first]
            found = self._lists[u] = np.asarray(targets)[kept].tolist(), lengths[kept].tolist()
        return found

    def length_of(self, u: int, v: int) -> float:
        """The length of the shortest edge from u to v."""
        targets, lengths = self.after(u)
        return lengths[targets.index(v)]


class Search(Lists):
    """The same, and how far each vertex is from a target."""

    def __init__(
        self, state: _core.Snapshot, target: int, weight: str | None, threads: int | None, progress: ProgressOption
    ) -> None:
        if state.schema.directed and not state.schema.in_edges:
            raise UnsupportedError(
                "the paths to a vertex are found over its in-edges, which the graph does not store; create it with "
                "in_edges=True"
            )
        weight_wanted(state, weight)
        with engine(threads, progress) as borrowed:
            super().__init__(state, weight, weighted_view(state, borrowed, weight))
            search = _core.dijkstra_trees if self._weighted else _core.breadth_first_trees
            with ErrorsWithIds(state):
                trees = search(borrowed, self._view, np.array([target], np.uint64), together=True, in_edges=True)
        self.target = target
        self.left: npt.NDArray[np.float64] = np.full(state.num_vertices, np.inf)
        """Of each vertex: the length of a shortest path to the target."""
        self.left[np.asarray(trees["order"])] = trees["distance"]

    def spur(self, start: int, closed: set[int], not_to: set[int]) -> list[int] | None:
        """A shortest path to the target around closed vertices, and first to none of `not_to`; A* by what is left."""
        waiting: list[tuple[float, float, int]] = [(self.left[start], 0.0, start)]
        best, before, done = {start: 0.0}, {start: start}, set(closed)
        while waiting:
            _, length, u = heappop(waiting)
            if u == self.target:
                path = [u]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return path[::-1]
            if u in done:
                continue
            done.add(u)
            for v, weight in zip(*self.after(u), strict=True):
                if v in done or (u == start and v in not_to) or np.isinf(self.left[v]):
                    continue
                through = length + weight
                if through < best.get(v, np.inf):
                    best[v], before[v] = through, u
                    heappush(waiting, (through + self.left[v], through, v))
        return None

    def path(self, vertices: list[int]) -> Path:
        """A path as users see it."""
        length = sum(self.length_of(u, v) for u, v in pairwise(vertices))
        return path_of(self.state, np.array(vertices, np.uint64), length, self.weight)


@names_checked
def k_shortest_paths(
    graph: Reader,
    source: VertexKey,
    target: VertexKey,
    k: int,
    weight: str | None = "",
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> list[Path]:
    """Return the k shortest paths from `source` to `target` that visit no vertex twice, the shortest first.

    Yen's algorithm ("Finding the k shortest loopless paths in a network", Management Science 17, 1971) with Lawler's
    refinement; each of its searches is an A* whose bound is the distance to the target where nothing is left out.

    Args:
        graph: a Graph or a Snapshot.
        source, target: external ids of the ends.
        k: how many paths; there are fewer if the graph has no more.
        weight: how long an edge is: "weight", or the name of a numeric edge column; none may be negative.  None: 1.
            Left out: 1, with a ReadWarning where weights or a column of numbers might be meant.

    Returns:
        Lists of external ids, each with `length` and `edges`, as `shortest_path` gives one.

    Raises:
        VertexNotFoundError: an end is not in the graph.
        InvalidArgumentError: `k` is below 1; there is no such weight, or one is negative or NaN.
        UnsupportedError: the graph is directed and stores no in-edges.

    Cost: one search over the graph from the target, O(m log m), then O(k) small searches for each vertex of a path.
    """
    state = state_of(graph)
    first, last = find(state, source), find(state, target)
    whole_number("k", k, 1)
    search = Search(state, last, weight_of_path(state, weight), threads, progress)
    return [search.path(vertices) for vertices in islice(simple_paths(search, first), k)]


def simple_paths(search: Search, start: int) -> Iterator[list[int]]:
    """The paths to the target that visit no vertex twice, the shortest first, each searched for when asked for."""
    found: list[list[int]] = []
    waiting: list[tuple[float, list[int], int]] = []
    known: set[tuple[int, ...]] = set()

    def offer(root: list[int], spur: list[int] | None, branch: int) -> None:
        if spur is None or tuple(path := root + spur) in known:
            return
        known.add(tuple(path))
        length = sum(search.length_of(u, v) for u, v in pairwise(path))
        heappush(waiting, (length, path, branch))

    if not np.isinf(search.left[start]):
        offer([], search.spur(start, set(), set()), 0)
    while waiting:
        _, path, branch = heappop(waiting)
        found.append(path)
        yield path
        for at in range(branch, len(path) - 1):
            root = path[:at]
            taken = {other[at + 1] for other in found if other[: at + 1] == path[: at + 1]}
            offer(root, search.spur(path[at], set(root), taken), at)


@names_checked
def all_shortest_paths(
    graph: Reader,
    source: VertexKey,
    target: VertexKey,
    weight: str | None = "",
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> Iterator[Path]:
    """Yield each of the shortest paths from `source` to `target`; none if there is no path.

    Parallel edges of the same length give one path.  A path visits no vertex twice, also over edges of length 0.

    Args:
        graph: a Graph or a Snapshot.
        source, target: external ids of the ends.
        weight: how long an edge is: "weight", or the name of a numeric edge column; none may be negative.  None: 1.
            Left out: 1, with a ReadWarning where weights or a column of numbers might be meant.

    Returns:
        An iterator over lists of external ids, each with `length` and `edges`.

    Raises:
        VertexNotFoundError: an end is not in the graph.
        InvalidArgumentError: there is no such weight, or one is negative or NaN.
        UnsupportedError: the graph is directed and stores no in-edges.

    Cost: one search over the graph from the target, O(m log m), then O(degree) for each vertex of each path.
    """
    state = state_of(graph)
    first, last = find(state, source), find(state, target)
    search = Search(state, last, weight_of_path(state, weight), threads, progress)
    if np.isinf(search.left[first]):
        return iter(())
    return (search.path(vertices) for vertices in tight_paths(search, [first]))


def tight_paths(search: Search, path: list[int]) -> Iterator[list[int]]:
    """The ways to go on along edges that are as long as what they bring nearer, depth first."""
    stack: list[Iterator[int]] = [_nearer(search, path)]
    if path[-1] == search.target:
        yield list(path)
        return
    while stack:
        following = next(stack[-1], None)
        if following is None:
            stack.pop()
            path.pop()
            continue
        path.append(following)
        if following == search.target:
            yield list(path)
            path.pop()
        else:
            stack.append(_nearer(search, path))


def _nearer(search: Search, path: list[int]) -> Iterator[int]:
    u, on_path = path[-1], set(path)
    for v, length in zip(*search.after(u), strict=True):
        if search.left[v] + length == search.left[u] and v not in on_path:
            yield v
