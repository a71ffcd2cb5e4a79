"""How influence spreads, as the algorithms about it take it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.errors import InvalidArgumentError, VertexNotFoundError
from ..core.lazy_arrow import pa
from ..core.options import enum_value
from ..graph.ids import VertexKey, find_many, ids_there
from ..graph.schema import arrow_values, vertex_columns, weight_wanted
from ..results.by_number import vertex_values

__all__ = ["Cascade", "cascade_of", "vertices_named", "worths_of"]


class Cascade(NamedTuple):
    """What the core receives, and the edge column that the view has as weights."""

    model: _core.CascadeModel
    chance: _core.EdgeChance
    probability: float
    column: str | None


def cascade_of(state: _core.Snapshot, model: str, probability: float | str) -> Cascade:
    """Check a model and the chances of edges: a number, "weighted", or the name of an edge column."""
    kind = enum_value(_core.CascadeModel, "model", model)
    if isinstance(probability, str):
        if probability == "weighted":
            return Cascade(kind, _core.EdgeChance.by_degree, 0.0, None)
        weight_wanted(state, probability)
        return Cascade(kind, _core.EdgeChance.weights, 0.0, probability)
    if isinstance(probability, bool) or not isinstance(probability, (int, float, np.number)):
        raise InvalidArgumentError(
            f'probability is {probability!r}; it must be a number from 0 to 1, "weighted", or the name of an edge '
            "column"
        )
    return Cascade(kind, _core.EdgeChance.constant, float(probability), None)


def vertices_named(state: _core.Snapshot, vertices: Iterable[VertexKey], name: str = "seeds") -> npt.NDArray[np.uint64]:
    """Internal ids of the vertices that an argument names."""
    if isinstance(vertices, (str, bytes)) or not isinstance(vertices, Iterable) or getattr(vertices, "ndim", 1) == 0:
        raise InvalidArgumentError(f"{name} is {vertices!r}; it must be a list of vertices")
    ids = list(vertices)
    numbers = find_many(state, ids)
    missing = np.flatnonzero(numbers == np.iinfo(np.uint64).max)
    if len(missing):
        unknown = ids[int(missing[0])]
        there = ids_there(state, unknown)
        raise VertexNotFoundError(f"{name} names {unknown!r}, which is not a vertex of the graph{there}")
    return numbers


def worths_of(
    state: _core.Snapshot, weights: str | Mapping[VertexKey, float] | npt.ArrayLike | None, name: str = "weights"
) -> npt.NDArray[np.float64] | None:
    """What each vertex counts by internal id: by a vertex column (null: nothing), a mapping by id, or an array."""
    if not isinstance(weights, str):
        return vertex_values(state, weights, name)
    column = vertex_columns(state.schema).get(weights)
    if column is None:
        there = ", ".join(vertex_columns(state.schema)) or "none"
        raise InvalidArgumentError(
            f"{name}={weights!r} is not a vertex column; name one (there are {there}), or give {{vertex: weight}}"
        )
    numbers = np.arange(state.num_vertices, dtype=np.uint64)
    values = arrow_values(_core.vertex_values(state, weights, numbers), column)
    if not (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
        raise InvalidArgumentError(f"{name}={weights!r} is a column of type {column}; name a column of numbers")
    worths: npt.NDArray[np.float64] = values.cast("float64", safe=False).fill_null(0).to_numpy(zero_copy_only=False)
    return worths
