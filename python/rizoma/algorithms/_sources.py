"""Where a search begins: at one vertex, or at several."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.errors import InvalidArgumentError
from ..graph.ids import VertexKey, find, find_all

__all__ = ["numbers_of"]


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
