"""What arguments of several algorithms mean to their kernels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.errors import InvalidArgumentError, VertexNotFoundError
from ..core.lazy_arrow import pa
from ..graph.diff import Changes
from ..graph.ids import VertexKey, find_many, find_or_none, id_array
from ..results.vertex import VertexResult

__all__ = ["changed_vertices"]

_NONE = np.iinfo(np.uint64).max


def changed_vertices(
    state: _core.Snapshot, changed: Iterable[VertexKey] | Changes, start: Any
) -> npt.NDArray[np.uint64]:
    """Internal ids of vertices that have changed, or of what a comparison names, which are still there, ascending.

    Vertices that are not must be of `start`, if that is a former result: then they were removed since.
    """
    if not isinstance(changed, Changes):
        return _given_vertices(state, changed, start)
    tables = (changed.edges_added, changed.edges_removed, changed.edges_set)
    ids = [column for table in tables if len(table) for column in (table.column("source"), table.column("target"))]
    if len(changed.vertices_added):
        ids.append(changed.vertices_added.column("vertex"))
    if not ids:
        return np.empty(0, np.uint64)
    named: npt.NDArray[np.uint64] = np.sort(np.concatenate([find_many(state, column) for column in ids]))
    still_there: npt.NDArray[np.uint64] = named[named != _NONE]
    return still_there


def _given_vertices(state: _core.Snapshot, changed: Any, start: Any) -> npt.NDArray[np.uint64]:
    if isinstance(changed, (str, bytes)) or not isinstance(changed, Iterable):
        raise InvalidArgumentError(f"changed= must be a list of vertices or a result of Graph.changes, not {changed!r}")
    ids = id_array(changed, "changed")
    numbers = find_many(state, ids)
    gone = np.flatnonzero(numbers == _NONE)
    if len(gone):
        named = ids[gone].tolist() if isinstance(ids, np.ndarray) else ids.take(pa.array(gone)).to_pylist()
        former = start._snapshot if isinstance(start, VertexResult) else None
        for v in named:
            if former is None or find_or_none(former, v) is None:
                raise VertexNotFoundError(f"changed= names {v!r}, a vertex that is neither in the graph nor in start=")
    return np.sort(numbers[numbers != _NONE])
