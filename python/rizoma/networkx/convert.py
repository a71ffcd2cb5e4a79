"""Conversion between NetworkX's graphs and the backend's, and of stored graphs."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core
from rizoma.core.engines import engine
from rizoma.graph.graph import Snapshot
from rizoma.graph.ids import arrow_ids
from rizoma.graph.state import Reader

from ..graph.networkx_view import as_networkx, state_of
from .compiled import ArrayEdges, Compiled, Rows, Weights
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
    """Edges of a stored graph, read when first needed."""

    def __init__(self, state: _core.Snapshot, multigraph: bool) -> None:
        self._state = state
        self._multigraph = multigraph
        with engine() as borrowed:
            self.view = state.working_view(borrowed)
        self.live = _core.live_vertices(self.view)
        self._read = False

    def nodes(self) -> list[Any]:
        """External ids, by number."""
        count = self._state.num_vertices
        numbers = np.arange(count, dtype=np.uint64) if self.live is None else self.live
        ids: list[Any] = arrow_ids(self._state.ids_of(numbers)).to_pylist()
        return ids

    def _fill(self) -> None:
        if self._read:
            return
        self._read = True
        offsets, targets, values = _core.read_csr(self.view)
        if self.live is not None:
            offsets, targets = _without_holes(offsets, targets, self.live)
        integers = self._state.schema.weights == _core.WeightType.int32
        weights = None if values is None else Weights(values, integers)
        rows = Rows(offsets, targets)
        super().__init__(*(_merged(rows, weights) if self._multigraph else (rows, weights)))

    def rows(self, in_edges: bool) -> Rows:
        """Return the out- or in-rows."""
        self._fill()
        return super().rows(in_edges)

    def weights(self, in_edges: bool, name: Any, default: Any, fold: _core.Fold) -> Weights:
        """Return `weight`, or the default for any other attribute."""
        self._fill()
        return super().weights(in_edges, name, default, fold)

    @property
    def attribute(self) -> Weights | None:
        """The stored weights, if there are any."""
        self._fill()
        return super().attribute


def _without_holes(
    offsets: npt.NDArray[np.int64], targets: npt.NDArray[np.uint32], live: npt.NDArray[np.uint64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
    """Rows of the live vertices, numbered without gaps; removed vertices have no edges."""
    new = np.zeros(len(offsets) - 1, np.uint32)
    new[live] = np.arange(len(live), dtype=np.uint32)
    return np.concatenate([offsets[live.astype(np.int64)], offsets[-1:]]), new[targets]


def _merged(rows: Rows, weights: Weights | None) -> tuple[Rows, Weights | None]:
    """Parallel edges, which lie side by side, as one entry with a count; weights must be alike."""
    targets, sources = rows.targets, rows.sources
    first = np.ones(len(targets), np.bool_)
    first[1:] = (targets[1:] != targets[:-1]) | (sources[1:] != sources[:-1])
    at = np.flatnonzero(first)
    counts = np.diff(np.append(at, len(targets))).astype(np.uint32)
    if weights is not None:
        if not np.array_equal(np.repeat(weights.values[at], counts), weights.values):
            raise NotImplementedError("parallel edges with different weights")
        weights = Weights(weights.values[at], weights.integers)
    lengths = np.bincount(sources[at], minlength=len(rows.offsets) - 1)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return Rows(offsets, targets[at], counts), weights
