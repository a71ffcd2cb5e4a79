"""What arguments of several algorithms mean to their kernels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..errors import InvalidArgumentError, VertexNotFoundError
from ..scan import edge_columns
from ..vertex_ids import VertexKey, find_many

__all__ = ["vertex_values", "weight_wanted"]


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
        if number == np.iinfo(np.uint64).max:
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
