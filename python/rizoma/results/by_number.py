"""Values of vertices by internal id: from mappings, arrays, and results of this or a former state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.errors import InvalidArgumentError, VertexNotFoundError
from ..graph.ids import VertexKey, arrow_ids, find_many, ids_there
from .store_column import tell_of_others
from .vertex import VertexResult

__all__ = ["former_parts", "former_values", "same_numbers", "values_of_result", "vertex_values"]

_NONE = np.iinfo(np.uint64).max


def vertex_values(
    state: _core.Snapshot, values: Mapping[VertexKey, float] | npt.ArrayLike | None, name: str
) -> npt.NDArray[np.float64] | None:
    """Values by internal id: from a mapping, or what has an index, by external id (0 for the rest), or an array."""
    if values is None:
        return None
    if isinstance(values, VertexResult) and not same_numbers(state, values):
        raise InvalidArgumentError(f"{name} is a result of another state of the graph; pass its .to_dict()")
    if not isinstance(values, Mapping):
        keys = getattr(values, "index", None)
        if keys is None or callable(keys):  # lists and tuples have a method of that name
            return _float_array(values, state.num_vertices, name)
        ids = np.asarray(keys).tolist()
        if len(set(ids)) != len(ids):
            raise InvalidArgumentError(f"{name} has an index that names a vertex twice; drop such rows, or add them up")
        values = dict(zip(ids, np.asarray(values).tolist(), strict=True))
    out = np.zeros(state.num_vertices)
    numbers = find_many(state, list(values))
    for number, id_ in zip(numbers, values, strict=True):
        if number == _NONE:
            there = ids_there(state, id_)
            raise VertexNotFoundError(f"{name} names {id_!r}, which is not a vertex of the graph{there}")
    try:
        out[numbers] = np.fromiter(values.values(), np.float64, len(values))
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgumentError(f"{name} has a value that is not a number ({error}); give numbers alone") from None
    return out


def _float_array(values: Any, size: int, name: str) -> npt.NDArray[np.float64]:
    """An array by internal id, of the right shape."""
    try:
        if np.iscomplexobj(values):
            raise TypeError("it has complex numbers")
        array = np.ascontiguousarray(values, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        what = "weight" if name == "weights" else "share"
        if isinstance(values, str):
            raise InvalidArgumentError(
                f"{name} is {values!r}, a text; give a {what} for each vertex, as in {{{values!r}: 1.0}} "
                f"(--{name} {values}=1)"
            ) from None
        raise InvalidArgumentError(
            f"{name} must be a mapping {{vertex: {what}}} or an array of numbers, not {type(values).__name__}: {error}"
        ) from None
    if array.shape != (size,) or np.ndim(values) != 1:
        raise InvalidArgumentError(
            f"{name} has the shape {np.shape(values)}; give one value for each internal id: ({size},), or a mapping "
            "{vertex: number}"
        )
    return array


def same_numbers(state: _core.Snapshot, result: VertexResult) -> bool:
    """Whether the vertices of a result have the internal ids that they have in this state."""
    former = result._snapshot
    if isinstance(former, _core.Snapshot) and state.continues(former):
        return True
    ids = result._arrow_ids
    if len(ids) > state.num_vertices:
        return False
    same: bool = arrow_ids(state.ids_of_range(0, len(ids))).equals(ids)
    return same


def former_parts(state: _core.Snapshot, result: VertexResult) -> npt.NDArray[np.uint64]:
    """Parts by internal id, as a result names them whose vertices have the same numbers; 2**64 - 1 for new ones."""
    parts = result._values().astype(np.uint64, copy=False)
    new = state.num_vertices - len(parts)
    return parts if new == 0 else np.concatenate([parts, np.full(new, _NONE, np.uint64)])


def values_of_result(state: _core.Snapshot, result: VertexResult) -> tuple[npt.NDArray[np.uint64], npt.NDArray[Any]]:
    """Internal ids of the vertices of a result, which may be of another state, and their values.

    2**64 - 1 is the number of those that are no longer there.
    """
    values = result._values()
    same = same_numbers(state, result)
    numbers = np.arange(len(values), dtype=np.uint64) if same else find_many(state, result._arrow_ids)
    if result._live is None:
        return numbers, values
    return numbers[result._live], values[result._live]


def former_values(state: _core.Snapshot, result: VertexResult, other: float) -> npt.NDArray[np.float64]:
    """Values by internal id from a result of another state of the graph, `other` for vertices that are new."""
    numbers, values = values_of_result(state, result)
    known = numbers != _NONE
    tell_of_others(state, result, known, "start=")
    out = np.full(state.num_vertices, other)
    out[numbers[known]] = values[known]
    return out
