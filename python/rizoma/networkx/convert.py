"""Conversion between NetworkX's graphs and the backend's, and of stored graphs."""

from __future__ import annotations

from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core
from rizoma.core.engines import engine
from rizoma.core.lazy_arrow import pa
from rizoma.graph.column_types import is_number, kind_of
from rizoma.graph.graph import Snapshot
from rizoma.graph.ids import arrow_ids
from rizoma.graph.schema import arrow_values
from rizoma.graph.state import Reader

from ..graph.attributes import EdgeAttributes, VertexAttributes, edge_attributes
from ..graph.networkx_view import as_networkx, state_of
from .compiled import EXACT, ArrayEdges, Compiled, Positions, Rows, Values, Weights, constant
from .graphs import as_its_own, compiled_of_nx, graph_class, share

__all__ = ["attributes_of", "compiled_of", "convert_from_nx", "convert_to_nx", "from_networkx"]


def from_networkx(graph: Any) -> Any:
    """A copy of a NetworkX graph, or of a stored graph, as a graph of `rizoma.networkx`."""
    if isinstance(graph, Reader):
        state = graph.snapshot()
        return graph_class(state.directed, state.is_multigraph()).from_compiled(compiled_of(state))
    return graph_class(graph.is_directed(), graph.is_multigraph())(graph)


def convert_from_nx(graph: Any, **wanted: Any) -> Any:
    """What NetworkX calls before a function of this backend.

    The copy shares the dictionaries: NetworkX keeps it only until the graph is changed.  Edge attributes
    are read when a function asks for them.
    """
    if isinstance(graph, Reader) or getattr(graph, "__networkx_backend__", None) == "rizoma":
        return graph
    state = state_of(graph)
    if state is not None:
        return Snapshot(state)
    if not _reads_as_networkx(graph):
        raise NotImplementedError(f"{type(graph).__name__} does not read its edges as NetworkX's classes do")
    converted = share(graph, graph_class(graph.is_directed(), graph.is_multigraph()))
    converted.is_conversion = True
    assert converted.compiled is not None
    return converted


def _reads_as_networkx(graph: Any) -> bool:
    """False for classes such as complements, whose neighbours are not what the dictionaries hold."""
    cls = type(graph)
    return all(getattr(cls, name) is getattr(nx.Graph, name) for name in ("__getitem__", "__iter__"))


def convert_to_nx(result: Any, **wanted: Any) -> Any:
    """What NetworkX calls before a function that this backend lacks, and in its own tests."""
    if isinstance(result, Reader):
        result = from_networkx(result)
    if getattr(result, "__networkx_backend__", None) != "rizoma":
        return result
    return as_its_own(result)


def attributes_of(graph: Any) -> Any:
    """A graph with NetworkX's dictionaries."""
    return as_networkx(graph._state()) if isinstance(graph, Reader) else graph


def compiled_of(graph: Any) -> Compiled:
    """A graph of any kind as kernels see it."""
    if isinstance(graph, Reader):
        return _compiled_of_reader(graph)
    if hasattr(graph, "compiled"):
        found: Compiled = graph.compiled
        return found
    return compiled_of_nx(graph)


_of_snapshot: WeakKeyDictionary[Snapshot, Compiled] = WeakKeyDictionary()


def _compiled_of_reader(graph: Reader) -> Compiled:
    if isinstance(graph, Snapshot) and graph in _of_snapshot:
        return _of_snapshot[graph]
    state = graph._state()
    multigraph = state.schema.parallel_edges == _core.ParallelEdges.keep
    edges = _StoredEdges(state, multigraph)
    compiled = Compiled(edges.nodes(), state.schema.directed, multigraph, edges)
    if edges.live is None and not multigraph:
        compiled.adopt(edges.view)
    if isinstance(graph, Snapshot):
        _of_snapshot[graph] = compiled
    return compiled


class _StoredEdges(ArrayEdges):
    """Edges of a stored graph, read when first needed.

    Of a graph that keeps parallel edges an entry stands for all edges between two vertices; `_first` says where those
    of each entry begin among the entries that the store has.
    """

    def __init__(self, state: _core.Snapshot, multigraph: bool) -> None:
        self._state = state
        self._multigraph = multigraph
        self._types = edge_attributes(state.schema)
        with engine() as borrowed:
            self.view = state.working_view(borrowed)
        self.live = _core.live_vertices(self.view)

    def _vertices(self) -> npt.NDArray[np.uint64]:
        """Internal ids, by number."""
        return np.arange(self._state.num_vertices, dtype=np.uint64) if self.live is None else self.live

    def nodes(self) -> list[Any]:
        """External ids, by number."""
        ids: list[Any] = arrow_ids(self._state.ids_of(self._vertices())).to_pylist()
        return ids

    @cached_property
    def _as_stored(self) -> tuple[Rows, Values | None]:
        """An entry for each edge as the store lists it, and the stored weights, if there are any."""
        offsets, targets, weights = _core.read_csr(self.view)
        if self.live is not None:
            offsets, targets = _without_holes(offsets, targets, self.live)
        return Rows(offsets, targets), weights

    @cached_property
    def _first(self) -> Positions:
        return _first_of_parallel(self._as_stored[0])

    @cached_property
    def _out(self) -> Rows:  # type: ignore[override]
        rows = self._as_stored[0]
        return _merged(rows, self._first) if self._multigraph else rows

    @cached_property
    def _column_rows(self) -> npt.NDArray[np.float64]:
        """Where the columns have the values of each edge."""
        with engine() as borrowed:
            rows = _core.read_csr(_core.rows_view(self._state, borrowed))[2]
        assert rows is not None
        return rows

    def weights(self, in_edges: bool, name: Any, default: Any, fold: _core.Fold) -> Weights:
        """Return an attribute by entry, the default where an edge has none; `fold` joins parallel edges."""
        found = self._values(name, default)
        if self._multigraph and len(found.values):
            found = Weights(_FOLDS[fold].reduceat(found.values, self._first), found.integers)
        if found.integers and np.abs(found.values).sum() >= EXACT:
            raise NotImplementedError(f"the integers of {name!r} are too large for float64")
        return Weights(found.values[self._turned[1]], found.integers) if in_edges else found

    def _values(self, name: Any, default: Any) -> Weights:
        """An attribute of each edge as the store lists it."""
        rows, weights = self._as_stored
        kind = self._types.get(name) if isinstance(name, str) else None
        if kind is None:
            return constant(len(rows.targets), default)
        if name == "weight" and weights is not None:
            return Weights(weights, kind == "int32")
        if not is_number(kind):
            raise NotImplementedError(f"the values of {name!r} are no numbers")
        values = arrow_values(_core.edge_values(self._state, name, self._column_rows), kind)
        integers = kind_of(kind) != "real"
        if values.null_count:
            integers = integers and constant(0, default).integers
        found = values.cast(pa.float64(), safe=False)
        return Weights(np.asarray(found.fill_null(float(default)) if found.null_count else found), integers)

    def bare(self, rows: Rows) -> bool:
        """True if no edge has attributes."""
        return not self._types

    def dicts(self, entries: npt.NDArray[np.int64], multigraph: bool) -> list[dict[Any, Any]]:
        """Attributes of the edges of these entries; of a multigraph a dict of them by key."""
        if not multigraph:
            return self._dicts_of(entries)
        last = np.append(self._first[1:], len(self._as_stored[0].targets))
        parts = [np.arange(self._first[e], last[e]) for e in entries.tolist()]
        found = iter(self._dicts_of(np.concatenate([np.zeros(0, np.int64), *parts])))
        return [{key: next(found) for key in range(len(part))} for part in parts]

    def _dicts_of(self, places: npt.NDArray[np.int64]) -> list[dict[Any, Any]]:
        if self._types.keys() - {"weight"}:
            found: list[dict[Any, Any]] = EdgeAttributes(self._state).of_rows(self._column_rows[places])
            return found
        if not self._types:
            return [{} for _ in range(len(places))]
        weights = self._values("weight", 1)
        return [{"weight": value} for value in weights.plain(weights.values[places])]

    def node_dicts(self, nodes: int) -> list[dict[Any, Any]]:
        """Attributes of the nodes."""
        found: list[dict[Any, Any]] = VertexAttributes(self._state).of_vertices(self._vertices())
        return found


_FOLDS = {_core.Fold.sum: np.add, _core.Fold.least: np.minimum, _core.Fold.greatest: np.maximum}


def _without_holes(
    offsets: npt.NDArray[np.int64], targets: npt.NDArray[np.uint32], live: npt.NDArray[np.uint64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
    """Rows of the live vertices, numbered without gaps; removed vertices have no edges."""
    new = np.zeros(len(offsets) - 1, np.uint32)
    new[live] = np.arange(len(live), dtype=np.uint32)
    return np.concatenate([offsets[live.astype(np.int64)], offsets[-1:]]), new[targets]


def _first_of_parallel(rows: Rows) -> Positions:
    """Where the edges between two vertices, which lie side by side, begin."""
    first = np.ones(len(rows.targets), np.bool_)
    first[1:] = (rows.targets[1:] != rows.targets[:-1]) | (rows.sources[1:] != rows.sources[:-1])
    return np.flatnonzero(first)


def _merged(rows: Rows, first: Positions) -> Rows:
    """Parallel edges as one entry with a count."""
    counts = np.diff(np.append(first, len(rows.targets))).astype(np.uint32)
    lengths = np.bincount(rows.sources[first], minlength=len(rows.offsets) - 1)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return Rows(offsets, rows.targets[first], counts)
