"""The ids of a state, apart from the graph: what a result takes along when it is sent to another process."""

from __future__ import annotations

from functools import cached_property
from types import SimpleNamespace
from typing import Any

from .. import _core
from ..core.lazy_arrow import pa
from ..core.lazy_numpy import np, npt
from .ids import VertexKey, arrow_ids

__all__ = ["FrozenIds"]


class FrozenIds:
    """Answers the questions about ids that a result asks a snapshot."""

    def __init__(self, state: _core.Snapshot, live: npt.NDArray[np.uint64] | None) -> None:
        self._ids = arrow_ids(state.ids_of_range(0, state.num_vertices))
        self._strings = state.schema.ids == _core.IdKind.string
        self._live = live
        self.num_vertices = state.num_vertices
        self.num_live = state.num_live

    @property
    def schema(self) -> Any:
        """The kind of the ids, as a graph's schema has it."""
        return SimpleNamespace(ids=_core.IdKind.string if self._strings else _core.IdKind.integer)

    def ids_of_range(self, begin: int, end: int) -> pa.Array:
        """Ids of the internal ids from `begin` to `end`, the latter excluded."""
        return self._ids.slice(begin, end - begin)

    def ids_of(self, numbers: npt.NDArray[np.uint64]) -> pa.Array:
        """Ids of internal ids."""
        return self._ids.take(pa.array(numbers))

    @cached_property
    def _numbers(self) -> dict[VertexKey, int]:
        if self._live is None:
            return {id: number for number, id in enumerate(self._ids.to_pylist())}
        return dict(zip(self.ids_of(self._live).to_pylist(), self._live.tolist(), strict=True))

    def find_string(self, id: str) -> int | None:
        """Internal id of an id; None if it is not a vertex."""
        return self._numbers.get(id)

    def find_integer(self, id: int) -> int | None:
        """Internal id of an id; None if it is not a vertex."""
        return self._numbers.get(id)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_numbers"}
