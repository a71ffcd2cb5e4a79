"""Shortest paths between pairs of vertices of one state, by coordinates of the vertices or by landmarks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.arguments import methods_checked
from ..core.engines import ProgressOption, engine
from ..core.errors import InvalidArgumentError
from ..core.options import whole_number, yes_or_no
from ..graph.ids import ErrorsWithIds, VertexKey, arrow_ids, find
from ..graph.schema import arrow_values, vertex_columns, weight_of_path, weight_wanted
from ..graph.state import Reader, state_of, weighted_view
from .path import Path, path_of

__all__ = ["PathFinder", "bound_by_landmarks"]

_DIMENSIONS = (2, 3)
_MOST_LANDMARKS = 64
_FARTHEST = 1e150  # as in the core, which does not know the columns


@methods_checked
class PathFinder:
    """Finds shortest paths between pairs of vertices by where they lie: A* from both ends at once.

    It reads weights and coordinates once, of the state that the graph has then.  In place of coordinates, the distances
    from `landmarks` vertices far from each other say where a vertex lies, in any graph: no path is shorter than the
    difference of the distances of its ends from one of them.  In a directed graph that is what the distance rises from
    the source to the target, and what that to a landmark falls.  `scale` is the least length of an edge
    divided by the straight line between its ends: no path is shorter than `scale` times the straight line between its
    ends, whatever the coordinates are, so paths are exact.  An edge between distant vertices that is very short makes
    `scale` small, and searches as slow as without coordinates; of lengths in kilometres along roads `scale` is that of
    the straightest road.

    As a function of two vertices it is that bound, which NetworkX takes: `nx.astar_path(g, a, b, finder, "km")`.

    Args:
        graph: a Graph or a Snapshot.
        coordinates: the names of two or three numeric vertex columns; each vertex must have a value in each.  None: by
            landmarks.
        weight: how long an edge is: "weight", or the name of a numeric edge column; none may be negative.  None: 1.
            Left out: 1, with a ReadWarning where weights or a column of numbers might be meant.
        geographic: the two columns are longitude and latitude in degrees.
        landmarks: of how many vertices distances are kept, 1 to 64; 16 serve roads well.  None: by coordinates.

    Raises:
        InvalidArgumentError: both coordinates and landmarks are given, or neither; there is no such weight or column; a
            vertex has no coordinate, or one that is NaN or beyond 1e150; a latitude is beyond 90 degrees; a weight is
            negative or NaN.

    Cost: O(vertices + edges) once, and a search of the whole graph for each landmark; then as of `shortest_path`, over
    fewer edges.  16 or 24 bytes a vertex, 8 for each landmark; 16 if the edges have a direction and those into vertices
    are stored, without which distances from landmarks serve alone.  Twice that in all.
    Source: Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968;
    Goldberg, Harrelson, "Computing the shortest path: A* search meets graph theory", SODA 2005 (landmarks, the farthest
    from those before first).
    """

    def __init__(
        self,
        graph: Reader,
        coordinates: Sequence[str] | None = None,
        weight: str | None = "",
        *,
        geographic: bool = False,
        landmarks: int | None = None,
        threads: int | None = None,
        progress: ProgressOption = None,
    ) -> None:
        self.coordinates = None if coordinates is None else _names(coordinates)
        #: As they were given.
        self._state = state_of(graph)
        weight = weight_of_path(self._state, weight)
        self.weight, self.geographic, self.landmarks = weight, yes_or_no("geographic", geographic), landmarks
        self._check()
        self._weighted = weight_wanted(self._state, weight)
        self._threads = threads
        with engine(threads, progress) as borrowed:
            self._view = weighted_view(self._state, borrowed, weight)
            with ErrorsWithIds(self._state):
                if self.coordinates is not None:
                    self._points = _points(self._state, self._view, self.coordinates, geographic)
                elif landmarks is not None:
                    self._points = _of_landmarks(borrowed, self._state, self._view, weight, landmarks)
                flat, dimensions = self._points.reshape(-1), self._points.shape[1]
                self._bound = _core.distance_bound(
                    borrowed, self._view, flat, dimensions, self._weighted, landmarks is not None
                )

    def _check(self) -> None:
        if (self.coordinates is None) == (self.landmarks is None):
            raise InvalidArgumentError("give one of coordinates, the names of vertex columns, and landmarks, a number")
        if self.landmarks is None:
            return
        if self.geographic:
            raise InvalidArgumentError("geographic says what coordinates are; name their columns with coordinates=")
        whole_number("landmarks", self.landmarks, 1, _MOST_LANDMARKS)

    def __repr__(self) -> str:
        by = f"landmarks={self.landmarks}" if self.coordinates is None else f"coordinates={self.coordinates!r}"
        return f"PathFinder({by}, weight={self.weight!r}, scale={self.scale:.6g})"

    @property
    def scale(self) -> float:
        """The least length of an edge divided by the straight line between its ends; 0: coordinates say nothing.

        Of longitudes and latitudes the line goes through a globe of radius 1.  By landmarks the line is the greatest
        difference of distances from one, and `scale` is 1 but for rounding.
        """
        return float(self._bound.scale)

    def __call__(self, source: VertexKey, target: VertexKey) -> float:
        """Return a length that no path from `source` to `target` is shorter than.

        Raises VertexNotFoundError if an end is not in the graph.  Cost: O(1).
        """
        first, last = (self._points[find(self._state, end)] for end in (source, target))
        if self.coordinates is not None:
            apart = np.sqrt(((first - last) ** 2).sum())
        elif self._state.schema.directed:
            apart = max(0, (last - first).max())
        else:
            apart = np.abs(first - last).max()
        return float(self.scale * apart)

    def shortest_path(self, source: VertexKey, target: VertexKey) -> Path | None:
        """Return a shortest path from `source` to `target`, as `rizoma.shortest_path` does; None if there is none.

        Raises VertexNotFoundError if an end is not in the graph.  Cost: O(s log s) for s edges that it looks at.
        """
        found = self._found(source, target)
        if len(found["vertices"]) == 0:
            return None
        return path_of(self._state, found["vertices"], found["length"], self.weight)

    def _found(self, source: VertexKey, target: VertexKey) -> Any:
        """Internal ids of the way, its length, and how many vertices were settled."""
        first, last = find(self._state, source), find(self._state, target)
        with engine(self._threads) as borrowed, ErrorsWithIds(self._state):
            return _core.shortest_path(borrowed, self._view, first, last, self._weighted, bound=self._bound)


def _names(given: Any) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, (list, tuple)) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise InvalidArgumentError(
            f'coordinates is {type(given).__name__}; give the names of two or three vertex columns, as ("x", "y")'
        )
    return names


def bound_by_landmarks(
    borrowed: _core.Engine, state: _core.Snapshot, view: _core.View, weight: str | None, landmarks: int
) -> _core.DistanceBound:
    """What a PathFinder with landmarks searches by.  Errors and cost: as of one."""
    points = _of_landmarks(borrowed, state, view, weight, landmarks)
    return _core.distance_bound(
        borrowed, view, points.reshape(-1), points.shape[1], weight_wanted(state, weight), landmarks=True
    )


def _of_landmarks(
    borrowed: _core.Engine, state: _core.Snapshot, view: _core.View, weight: str | None, landmarks: int
) -> npt.NDArray[np.float64]:
    """Distances from landmarks, of shape (vertices, landmarks), then those to them, negated, in a directed graph.

    Where there is no way it is the greatest distance that there is: along no edge a distance rises by more than its
    length then.  Each landmark is the vertex farthest from those before it, of the largest part where there are ways
    between all vertices.
    """
    directed = state.schema.directed
    find_parts = _core.strong_components if directed else _core.connected_components
    part = find_parts(borrowed, view)["component"]
    live = _core.live_vertices(view)
    inside = part if live is None else part[live]
    views = [view]
    if directed and state.schema.in_edges:
        views.append(weighted_view(_core.reversed(state), borrowed, weight))
    points = np.zeros((state.num_vertices, landmarks * len(views)))
    if not len(inside):
        return points
    largest = part == np.bincount(inside.astype(np.int64)).argmax()
    unit = not weight_wanted(state, weight)

    def distances(way: _core.View, start: int) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = _core.sssp(borrowed, way, start, 0.0, unit)["distance"].all()
        return np.where(np.isinf(found), found[np.isfinite(found)].max(), found)

    start = int(np.flatnonzero(largest)[0])
    start = int(np.where(largest, distances(view, start), 0).argmax())
    nearest = np.where(largest, np.inf, 0)
    for place in range(landmarks):
        points[:, place] = distances(view, start)
        for way in views[1:]:
            points[:, landmarks + place] = -distances(way, start)
        np.minimum(nearest, points[:, place], out=nearest)
        start = int(nearest.argmax())
    return points


def _points(
    state: _core.Snapshot, view: _core.View, names: tuple[str, ...], geographic: bool
) -> npt.NDArray[np.float64]:
    """Coordinates by internal id, of shape (vertices, 2 or 3); 0 where a vertex was removed."""
    wanted = (2,) if geographic else _DIMENSIONS
    if len(names) not in wanted:
        raise InvalidArgumentError(
            f"coordinates names {len(names)} columns; give {'longitude and latitude' if geographic else 'two or three'}"
        )
    there = vertex_columns(state.schema)
    live = _core.live_vertices(view)
    numbers = np.arange(state.num_vertices, dtype=np.uint64) if live is None else live
    points = np.zeros((state.num_vertices, len(names)))
    for place, name in enumerate(names):
        if not there.get(name, "").startswith(("int", "uint", "float")):
            numeric = ", ".join(n for n, kind in there.items() if kind.startswith(("int", "uint", "float")))
            raise InvalidArgumentError(
                f"coordinates={name!r} is not a numeric vertex column; there are {numeric or 'none'}"
            )
        column = arrow_values(_core.vertex_values(state, name, numbers), there[name])
        if column.null_count:
            vertex = numbers[np.flatnonzero(np.asarray(column.is_null()))[:1]]
            raise InvalidArgumentError(
                f"vertex {arrow_ids(state.ids_of(vertex))[0].as_py()!r} has no value in {name!r}; coordinates need one "
                "of each vertex"
            )
        points[numbers, place] = column.to_numpy(zero_copy_only=False)
        far = numbers[~(np.abs(points[numbers, place]) <= _FARTHEST)]
        if len(far):
            raise InvalidArgumentError(
                f"vertex {arrow_ids(state.ids_of(far[:1]))[0].as_py()!r} has {points[far[0], place]:g} in {name!r}; "
                "coordinates are between -1e150 and 1e150"
            )
    return _on_globe(points) if geographic else points


def _on_globe(degrees: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Points of a globe of radius 1: a straight line between them is never longer than the way around."""
    longitude, latitude = np.radians(degrees).T
    if not (np.abs(degrees[:, 1]) <= 90).all():
        beyond = degrees[~(np.abs(degrees[:, 1]) <= 90), 1][0]
        raise InvalidArgumentError(
            f"a latitude is {beyond}; each is between -90 and 90 (coordinates names the longitude first)"
        )
    ring = np.cos(latitude)
    return np.stack([ring * np.cos(longitude), ring * np.sin(longitude), np.sin(latitude)], axis=1)
