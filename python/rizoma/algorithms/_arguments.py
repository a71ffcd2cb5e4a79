"""What arguments of several algorithms mean to their kernels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..errors import InvalidArgumentError, VertexNotFoundError
from ..results import VertexResult
from ..scan import edge_columns
from ..vertex_ids import VertexKey, arrow_ids, find_many

__all__ = ["former_values", "values_of_result", "vertex_values", "weight_wanted"]

_NONE = np.iinfo(np.uint64).max


def weight_wanted(state: _core.Snapshot, weight: str | None, must: bool = True) -> bool:
    """Whether to use weights.  `weight` is "weight", the name of an edge column, or None."""
    if weight is None:
        return False
    if weight != "weight":
        columns = edge_columns(state.schema)
        if weight not in columns:
            there = ", ".join(["weight", *columns])
            raise InvalidArgumentError(f"weight={weight!r}: no such column of the edges (there may be {there})")
        return True
    weighted = state.schema.weights != _core.WeightType.none
    if must and not weighted:
        raise InvalidArgumentError("the graph has no weights; use weight=None")
    return weighted


def vertex_values(
    state: _core.Snapshot, values: Mapping[VertexKey, float] | npt.ArrayLike | None, name: str
) -> npt.NDArray[np.float64] | None:
    """Values by inner number, from a mapping by external id (0 for the rest) or an array."""
    if values is None:
        return None
    if not isinstance(values, Mapping):
        return _float_array(values, state.num_vertices, name)
    out = np.zeros(state.num_vertices)
    numbers = find_many(state, list(values))
    for number, id_ in zip(numbers, values, strict=True):
        if number == _NONE:
            raise VertexNotFoundError(f"{name} names {id_!r}, which is no vertex of the graph")
    try:
        out[numbers] = np.fromiter(values.values(), np.float64, len(values))
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"{name} has a value that is no number: {error}") from None
    return out


def _float_array(values: Any, size: int, name: str) -> npt.NDArray[np.float64]:
    """An array by inner number, of the right shape."""
    try:
        array = np.ascontiguousarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(
            f"{name} is a mapping {{vertex: share}} or an array of numbers, not {type(values).__name__}: {error}"
        ) from None
    if array.shape != (size,) or np.ndim(values) != 1:
        raise InvalidArgumentError(
            f"{name} has the shape {np.shape(values)}; one value for each inner number is needed: ({size},)"
        )
    return array


def values_of_result(
    state: _core.Snapshot, result: VertexResult
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[Any]]:
    """Inner numbers of the vertices of a result, which may be of another state, and their values.

    2**64 - 1 is the number of those that are no longer there.
    """
    values = result.to_numpy()
    ids = result._arrow_ids
    here = arrow_ids(state.ids_of_range(0, state.num_vertices))
    same = here.slice(0, len(ids)).equals(ids)
    numbers = np.arange(len(ids), dtype=np.uint64) if same else find_many(state, ids)
    if result._live is None:
        return numbers, values
    return numbers[result._live], values[result._live]


def former_values(state: _core.Snapshot, result: VertexResult, other: float) -> npt.NDArray[np.float64]:
    """Values by inner number from a result of another state of the graph, `other` for vertices that are new."""
    numbers, values = values_of_result(state, result)
    known = numbers != _NONE
    out = np.full(state.num_vertices, other)
    out[numbers[known]] = values[known]
    return out
