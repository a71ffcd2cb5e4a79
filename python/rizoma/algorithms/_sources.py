"""Where a search begins: at one vertex, or at several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.errors import InvalidArgumentError
from ..graph.ids import VertexKey, find, find_all

__all__ = ["breadth_first_from", "numbers_of"]


def numbers_of(state: _core.Snapshot, source: VertexKey | Iterable[VertexKey]) -> int | npt.NDArray[np.uint64]:
    """The internal id of a vertex, or those of a list of them.

    Raises VertexNotFoundError, and InvalidArgumentError for an empty list.
    """
    if isinstance(source, (list, tuple, set, frozenset, range, np.ndarray)):
        several = find_all(state, source)
        if not len(several):
            raise InvalidArgumentError("source is an empty list; give the ids of one vertex or more")
        return several
    return find(state, source)


def breadth_first_from(
    borrowed: _core.Engine, view: _core.View, starts: npt.NDArray[np.uint64], depth: int = -1
) -> dict[str, Any]:
    """What `_core.bfs` answers, from several sources at once."""
    trees = _core.breadth_first_trees(borrowed, view, starts, together=True, max_depth=depth)
    order, parents = np.asarray(trees["order"]), np.asarray(trees["parent"]).astype(np.int64)
    levels, before = np.full(view.num_vertices, -1, np.int32), np.full(view.num_vertices, -1, np.int64)
    levels[order], before[order] = trees["distance"], parents
    before[starts] = starts.astype(np.int64)
    reached = {"reached": len(order), "depth": int(levels.max(initial=0)), "resumed_after": 0}
    return {"level": levels, "parent": before, **reached}
