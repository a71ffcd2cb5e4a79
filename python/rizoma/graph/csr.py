"""The lists of a graph as three arrays, for programs that compute elsewhere."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from .. import _core
from ..core.arguments import methods_checked
from ..core.engines import engine
from ..core.errors import UnsupportedError
from ..core.lazy_arrow import pa
from ..core.lazy_numpy import np, npt
from .schema import weight_wanted
from .state import Reader, weighted_view

__all__ = ["Csr", "CsrCache", "csr"]


@methods_checked
class Csr:
    """A graph as compressed sparse rows: the list of internal id v is `indices[indptr[v]:indptr[v + 1]]`, sorted.

    Arrays are read-only NumPy arrays, which DLPack (`torch.from_dlpack(csr.indices)`) and Arrow share without a copy,
    and live as long as anything uses them, however the graph changes and after it was closed.  An undirected edge is in
    the lists of both its ends, a self-loop once; a removed vertex has an empty list.
    """

    def __init__(
        self, indptr: npt.NDArray[Any], indices: npt.NDArray[Any], weights: npt.NDArray[Any] | None, copied: bool
    ) -> None:
        self.indptr = indptr
        """Where each list begins, and the end of the last one: shape (n + 1,), int32, or int64 from 2^31 entries on."""
        self.indices = indices
        """The neighbours by internal id, of the type of `indptr`; shape (entries,)."""
        self.weights = weights
        """Their weights, int32, float32 or float64; shape (entries,).  None: the graph has none, or `weight=None`."""
        self.copied = copied
        """False: `indptr` and `indices` are the graph's own memory."""

    def to_arrow(self) -> pa.Array:
        """Return one list a vertex: of neighbours, or of `{target, weight}` where there are weights.

        A `list` array, or a `large_list` where `indptr` is int64.  Cost: O(1), nothing is copied.
        """
        values = pa.array(self.indices)
        if self.weights is not None:
            values = pa.StructArray.from_arrays([values, pa.array(self.weights)], ["target", "weight"])
        kind = pa.ListArray if self.indptr.dtype == np.int32 else pa.LargeListArray
        return kind.from_arrays(pa.array(self.indptr), values)

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """Share `to_arrow()` with any consumer of Arrow arrays."""
        return self.to_arrow().__arrow_c_array__(requested_schema)

    def __repr__(self) -> str:
        weights = "no weights" if self.weights is None else f"weights {self.weights.dtype}"
        copied = "copied" if self.copied else "not copied"
        sizes = f"{len(self.indptr) - 1:,} lists, {len(self.indices):,} entries {self.indices.dtype}"
        return f"Csr({sizes}, {weights}, {copied})"


CsrCache = WeakValueDictionary[tuple[str | None, bool], Csr]
"""The arrays of one state that are in use, by weight and direction."""


def csr(graph: Reader, weight: str | None, in_edges: bool, made: CsrCache | None = None) -> Csr:
    """The arrays of a graph's present state; those of `made` that are in use serve again.  See `Graph.csr`."""
    if made is not None and (known := made.get((weight, in_edges))) is not None:
        return known
    state = graph._state()
    if in_edges and state.schema.directed and not state.schema.in_edges:
        raise UnsupportedError("the graph stores no in-edges; create it with in_edges=True")
    weighted = weight_wanted(state, weight, must=False)
    with engine() as borrowed:
        # The stored sections themselves, unless a column other than the weight is gathered for them.
        view = weighted_view(state, borrowed, weight) if weight not in (None, "weight") else graph._view(borrowed)
        indptr, indices, weights, copied = _core.csr(borrowed, view, in_edges and state.schema.directed)
    found = Csr(indptr, indices, weights if weighted else None, copied)
    if made is not None:
        made[weight, in_edges] = found
    return found
