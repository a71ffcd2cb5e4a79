"""Landmarks that a graph keeps for searches of shortest paths, once these have cost as much as finding landmarks."""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import Any

from .. import _core
from ..core.errors import InvalidArgumentError
from ..graph.schema import weight_wanted
from ..graph.state import Reader
from .path_finder import bound_by_landmarks

__all__ = ["KeptLandmarks"]

_LANDMARKS = 16
_MOST_BYTES = 1 << 30
_BYTES = 8 * _LANDMARKS  # of a vertex; twice that where edges have a direction and those into vertices are stored
_LONG = 10_000  # vertices that a search settles which counts
_WORTH = 12  # vertices settled for each of the graph, in the time that finding landmarks takes
_TRIED = 4  # searches that are repeated with landmarks
_AT_LEAST = 4  # times fewer vertices settled with landmarks, or they are dropped


class KeptLandmarks:
    """Searches of one state by one weight: with landmarks once the searches without have cost what these cost.

    Whatever the searches to come are, all of them then take at most about twice the time that they would have taken had
    that been known (as of who rents skis until the rent is the price).
    """

    def __init__(self, state: _core.Snapshot, weight: str | None) -> None:
        self._mark = state.mark()
        self._weight = weight
        self._weighted = weight_wanted(state, weight)
        self._bound: _core.DistanceBound | None = None
        self._settled = 0
        self._long: deque[tuple[int, int, int]] = deque(maxlen=_TRIED)  # ends, and vertices settled
        ways = 2 if state.schema.directed and state.schema.in_edges else 1
        self._may_be_found = state.num_vertices * _BYTES * ways <= _MOST_BYTES
        self._finding = Lock()

    @staticmethod
    def of(graph: Reader, state: _core.Snapshot, weight: str | None) -> KeptLandmarks:
        """Those that the graph keeps for this state and weight; what it kept for another is dropped."""
        kept: KeptLandmarks | None = vars(graph).get("_landmarks")
        if kept is None or kept._weight != weight or not kept._mark.is_of(state):
            vars(graph)["_landmarks"] = kept = KeptLandmarks(state, weight)
        return kept

    def shortest_path(
        self, borrowed: _core.Engine, state: _core.Snapshot, view: _core.View, first: int, last: int
    ) -> dict[str, Any]:
        """As of the core; now and then it finds landmarks afterwards."""
        bound = self._bound
        found = _core.shortest_path(borrowed, view, first, last, self._weighted, bound=bound)
        if bound is None and self._may_be_found and found["settled"] >= _LONG:
            self._long.append((first, last, found["settled"]))
            self._settled += found["settled"]
            if self._settled >= _WORTH * state.num_vertices and self._finding.acquire(blocking=False):
                try:
                    self._find(borrowed, state, view)
                finally:
                    self._finding.release()
        return found

    def _find(self, borrowed: _core.Engine, state: _core.Snapshot, view: _core.View) -> None:
        """Find landmarks, and keep them if the last long searches are short with them."""
        if not self._may_be_found:  # another thread did
            return
        self._may_be_found = False
        tried = list(self._long)
        try:
            bound = bound_by_landmarks(borrowed, state, view, self._weight, _LANDMARKS)
        except InvalidArgumentError:  # a weight below 0 that is on none of the ways
            return
        settled = sum(
            _core.shortest_path(borrowed, view, first, last, self._weighted, bound=bound)["settled"]
            for first, last, _ in tried
        )
        if settled * _AT_LEAST <= sum(before for _, _, before in tried):
            self._bound = bound
