"""A path: its vertices, its length, and the edges on the way."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from .. import _core
from ..graph.attributes import EdgeAttributes, edge_attributes
from ..graph.column_types import arrow_type
from ..graph.ids import VertexKey, arrow_ids

__all__ = ["Path", "ids_of", "path_of"]


def ids_of(state: _core.Snapshot, vertices: npt.NDArray[np.uint64]) -> list[VertexKey]:
    """External ids of internal ones."""
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


def path_of(state: _core.Snapshot, vertices: npt.NDArray[np.uint64], length: float, weight: str | None) -> Path:
    """A path over these internal ids, whose edges are read when they are asked for."""
    ids = ids_of(state, vertices)
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
