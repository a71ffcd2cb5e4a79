"""What a Graph and a Snapshot have in common: reading, by external id."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from .documents import write_document
from .engines import ProgressFunction, engine
from .errors import VertexNotFoundError
from .export import write_batches
from .files import DIRECTED_KEY
from .formats import format_of
from .scan import EdgeScan, VertexScan
from .vertex_ids import VertexKey, arrow_ids, find_many

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .match import Matches
    from .results import DegreeResult

__all__ = ["Reader"]


class Reader:
    """Reads one state of a graph.  `v` is an external id everywhere."""

    __networkx_backend__ = "rizoma"  # NetworkX's functions take it as it is

    _shared_by_ranks = False

    def _state(self) -> _core.Snapshot:
        raise NotImplementedError

    def _may_run(self, kernel: str) -> None:
        """Raise unless the kernel can run here."""

    def _view(self, lent: _core.Engine) -> _core.View:
        return self._state().view(lent)

    @property
    def directed(self) -> bool:
        """True if edges have a direction."""
        return self._state().schema.directed

    def is_directed(self) -> bool:
        """Return `directed`; NetworkX asks so."""
        return self.directed

    def is_multigraph(self) -> bool:
        """Return whether parallel edges are kept; NetworkX asks so."""
        return self._state().schema.parallel_edges == _core.ParallelEdges.keep

    @property
    def weights(self) -> str | None:
        """Type of the edge weights ("int32", "float32", "float64"), or None."""
        kind = self._state().schema.weights
        return None if kind == _core.WeightType.none else kind.name

    @property
    def ids(self) -> str:
        """Kind of the external ids: "dense" (0..n-1), "integer" or "string"."""
        return self._state().schema.ids.name

    def __len__(self) -> int:
        """Return the number of vertices."""
        return self._state().num_live

    def __bool__(self) -> bool:
        """Return True: an empty graph is a graph."""
        return True

    @property
    def num_edges(self) -> int:
        """Number of edges; an undirected edge counts once."""
        return self._state().num_edges()

    def __contains__(self, v: object) -> bool:
        return find_or_none(self._state(), v) is not None

    def degree(self, v: VertexKey) -> int:
        """Return the number of neighbours: of out-edges if the graph is directed."""
        state = self._state()
        return state.degree(find(state, v))

    def neighbors(self, v: VertexKey) -> list[VertexKey]:
        """Return the targets of the edges of `v`, in the order of inner numbers."""
        state = self._state()
        return _ids(state, state.neighbors(find(state, v)))

    def in_neighbors(self, v: VertexKey) -> list[VertexKey]:
        """Return the sources of the edges that lead to `v`."""
        state = self._state()
        return _ids(state, state.in_neighbors(find(state, v)))

    def neighbor_weights(self, v: VertexKey) -> npt.NDArray[np.float64]:
        """Return the weights of the edges of `v`, parallel to `neighbors(v)`."""
        state = self._state()
        return state.weights(find(state, v))

    def has_edge(self, u: VertexKey, v: VertexKey) -> bool:
        """Return whether there is an edge from `u` to `v`; False if either is no vertex."""
        state = self._state()
        source, target = find_or_none(state, u), find_or_none(state, v)
        return source is not None and target is not None and state.has_edge(source, target)

    def degrees(self, in_edges: bool = False) -> DegreeResult:
        """Return the degree of every vertex (of a directed graph: out-degree, or in-degree)."""
        from .results import DegreeResult

        state = self._state()
        with engine() as lent:
            view = state.view(lent)
            column = _core.degrees(lent, view, in_edges)
        return DegreeResult(state, view, {"degree": column})

    @property
    def edges(self) -> EdgeScan:
        """All edges, read lazily in batches: an Arrow stream of source, target and weight."""
        return EdgeScan(self._state())

    @property
    def vertices(self) -> VertexScan:
        """All vertices, read lazily in batches: an Arrow stream of vertex and its degree or degrees."""
        return VertexScan(self._state())

    def match(
        self,
        pattern: str,
        *,
        where: str | None = None,
        distinct: str | None = None,
        threads: int | None = None,
        progress: ProgressFunction | bool | None = None,
        **anchors: VertexKey | Iterable[VertexKey],
    ) -> Matches:
        """Return the matches of a pattern such as "(a)-->(b)-->(c)-->(a)": a relation, read when it is asked for.

        `distinct="edges"` leaves out matches that use an edge twice, "nodes" those that use a vertex twice;
        the default counts all, as a join in SQL does.  `a=17` or `a=[17, 19]` says which vertices a name of
        the pattern may stand for.  See the guide's page on patterns for the language.
        """
        from .match import match

        return match(self._state(), pattern, where, distinct, anchors, threads, progress)

    def to_scipy(self, dtype: npt.DTypeLike | None = None) -> Any:
        """Return the adjacency matrix as a SciPy `csr_array` of shape (n, n).

        Row and column i stand for inner vertex number i, n - 1 being the greatest: `find` gives the
        number of an id, `vertices` lists the ids in this order, and a removed vertex is an empty row.
        Values are the weights, or 1 of type `dtype` (float64) in a graph without.  Offsets, column
        numbers and weights are not copied if the graph is one section; they are read-only.
        """
        from scipy.sparse import csr_array

        with engine() as lent:
            view = self._view(lent)
            offsets, targets, weights = _core.csr(lent, view)
        if weights is None:
            weights = np.ones(len(targets), np.float64 if dtype is None else dtype)
        elif dtype is not None:
            weights = weights.astype(dtype, copy=False)
        shape = (view.num_vertices, view.num_vertices)
        return csr_array((weights, targets, offsets), shape=shape, copy=False)

    def export(
        self, path: str | Path, *, threads: int | None = None, progress: ProgressFunction | bool | None = None
    ) -> None:
        """Write all edges, an undirected one once, to a file that `rizoma.read` gives back.

        The format follows from the name: .parquet, .csv or .tsv, .txt, .el or .wel, .mtx, .graph (METIS), .sg or
        .wsg (GAP), .gml, .graphml or .json (node-link); text may end in .gz or .zst.  Text of a directed graph
        begins with the comment "# Directed graph", also before the header of a CSV file (pandas: comment="#").
        """
        file = Path(path)
        if file.suffix in (".parquet", ".pq"):
            scan = self.edges
            metadata = {DIRECTED_KEY: b"true" if self.directed else b"false"}
            write_batches(file, scan.schema.with_metadata(metadata), scan.batches())
            return
        document = format_of(file)
        if document is not None:
            write_document(file, document, self)
            return
        with engine(threads, progress) as lent:
            _core.export_edges(self._state(), file, _core.FileFormat.auto, lent)

    def find(self, ids: Any) -> npt.NDArray[np.int64]:
        """Inner numbers of many external ids, -1 for those that are no vertices."""
        return find_many(self._state(), ids).astype(np.int64)

    def _describe(self) -> str:
        state = self._state()
        schema = state.schema
        kind = "directed" if schema.directed else "undirected"
        weights = "" if schema.weights == _core.WeightType.none else f", weights {schema.weights.name}"
        ids = "" if schema.ids == _core.IdKind.dense else f", {schema.ids.name} ids"
        return f"{kind}, {state.num_live:,} vertices, {state.num_edges():,} edges{weights}{ids}"


def find_or_none(state: _core.Snapshot, v: object) -> int | None:
    """Inner number of `v`; None if it is no vertex."""
    strings = state.schema.ids == _core.IdKind.string
    if strings:
        return state.find_string(v) if isinstance(v, str) and _is_unicode(v) else None
    if isinstance(v, (int, np.integer)) and not isinstance(v, bool) and -(2**63) <= v < 2**63:
        return state.find_integer(int(v))
    return None


def _is_unicode(text: str) -> bool:
    """False for a text with lone surrogates, which no vertex can have as its id."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def find(state: _core.Snapshot, v: object) -> int:
    """Inner number of `v`.  Raises VertexNotFoundError."""
    number = find_or_none(state, v)
    if number is None:
        strings = state.schema.ids == _core.IdKind.string
        hint = ""
        if state.num_vertices and strings != isinstance(v, str):  # an empty graph's kind may yet be settled
            hint = f"; its ids are {'strings' if strings else 'integers'}"
        raise VertexNotFoundError(f"the graph has no vertex {v!r}{hint}")
    return number


def _ids(state: _core.Snapshot, numbers: npt.NDArray[np.uint64]) -> list[VertexKey]:
    ids: list[VertexKey] = arrow_ids(state.ids_of(numbers)).to_pylist()
    return ids
