"""A graph as kernels see it: rows of numbers in NetworkX's order, and views made from them.

Nodes are numbered as NetworkX iterates them, and each row keeps the order in which the neighbours were
inserted.  Results that follow that order (searches, paths) come from the *ordered* view, all others from
a view whose rows are sorted.  Parallel edges are one entry with a count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from rizoma import _core
from rizoma.core.engines import engine
from rizoma.core.errors import InvalidArgumentError, UnsupportedError

__all__ = ["EXACT", "ArrayEdges", "Compiled", "DictEdges", "Positions", "Rows", "Values", "Weights", "constant"]

Numbers = npt.NDArray[np.uint32]
Offsets = npt.NDArray[np.int64]
Positions = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]

R = TypeVar("R")

EXACT = 2.0**53
"""From here on float64 does not have every integer."""


@dataclass(frozen=True)
class Rows:
    """Row v is targets[offsets[v]:offsets[v + 1]]; `edges` counts the parallel edges of an entry."""

    offsets: Offsets
    targets: Numbers
    edges: Numbers | None = None

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Entries of each row."""
        return np.diff(self.offsets)

    @cached_property
    def sources(self) -> Numbers:
        """The row of each entry."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.uint32), self.lengths)

    def sums(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Sum of one value an entry over each row."""
        if values.dtype.kind == "f":
            return np.bincount(self.sources, values, len(self.offsets) - 1)
        ends = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])[self.offsets]
        return np.diff(ends)


@dataclass(frozen=True)
class Weights:
    """An edge attribute by entry; `integers`: all values, and their sum, are exact integers."""

    values: Values
    integers: bool

    def plain(self, values: npt.NDArray[Any]) -> list[Any]:
        """Sums of weights as Python has them: ints if the weights are."""
        return self.cast(values).tolist()  # type: ignore[no-any-return]

    def cast(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The values as int64 if the weights are integers."""
        return values.astype(np.int64) if self.integers else values

    @property
    def by_type(self) -> npt.NDArray[Any]:
        """The values as int64 or float64."""
        return self.cast(self.values)


class Edges(Protocol):
    """Where rows and attributes come from."""

    def rows(self, in_edges: bool) -> Rows:
        """Return the out- or in-rows."""
        ...

    def weights(self, in_edges: bool, name: Any, default: Any, fold: _core.Fold) -> Weights:
        """Return an attribute by entry; `fold` joins parallel edges."""
        ...

    def bare(self, rows: Rows) -> bool:
        """True if no edge has attributes; `rows` are the out-rows."""
        ...


class DictEdges:
    """Edges in NetworkX's dictionaries."""

    def __init__(self, adjacency: Mapping[Any, Any], pred: Mapping[Any, Any] | None, multigraph: bool) -> None:
        self._maps = (adjacency, pred)
        self._multigraph = multigraph
        self._is_range = False
        self._bare: bool | None = None

    def rows(self, in_edges: bool) -> Rows:
        """Return the out- or in-rows."""
        found = _core.read_adjacency(self._plain(in_edges), self._multigraph)
        if found is None:
            self._maps = tuple(None if m is None else _copied(m, self._multigraph) for m in self._maps)  # type: ignore[assignment]
            found = _core.read_adjacency(self._plain(in_edges), self._multigraph)
            assert found is not None
        offsets, targets, edges, self._is_range = found
        return Rows(offsets, targets, edges)

    def weights(self, in_edges: bool, name: Any, default: Any, fold: _core.Fold) -> Weights:
        """Return an attribute by entry; `fold` joins parallel edges."""
        read = _core.read_weights(self._plain(in_edges), name, default, self._multigraph, fold)
        if read is None:
            raise NotImplementedError(f"an edge attribute {name!r} is not an int or a float that fits")
        values, integers = read
        if integers and np.abs(values).sum() >= EXACT:
            raise NotImplementedError(f"the integers of {name!r} are too large for float64")
        return Weights(values, integers)

    def bare(self, rows: Rows) -> bool:
        """True if no edge has attributes; `rows` are the out-rows."""
        if self._bare is None:
            targets = None if self._maps[1] is not None else rows.targets
            self._bare = not self._multigraph and _core.edges_are_bare(self._plain(False), targets)
        return self._bare

    def _plain(self, in_edges: bool) -> dict[Any, Any]:
        map_ = self._maps[in_edges]
        assert map_ is not None
        if type(map_) is not dict:
            self._maps = tuple(None if m is None else _copied(m, self._multigraph) for m in self._maps)  # type: ignore[assignment]
            map_ = self._maps[in_edges]
        return map_  # type: ignore[return-value]


def _copied(adjacency: Mapping[Any, Any], multigraph: bool) -> dict[Any, Any]:
    """Plain dictionaries from views of a graph or other mappings."""
    if multigraph:
        return {
            u: {v: {k: dict(d) for k, d in edges.items()} for v, edges in row.items()} for u, row in adjacency.items()
        }
    return {u: {v: dict(d) for v, d in row.items()} for u, row in adjacency.items()}


class ArrayEdges:
    """Edges in arrays, with at most one attribute, `weight`."""

    def __init__(self, rows: Rows, weights: Weights | None = None) -> None:
        self._out = rows
        self._weights = weights

    def rows(self, in_edges: bool) -> Rows:
        """Return the out- or in-rows."""
        return self._turned[0] if in_edges else self._out

    def weights(self, in_edges: bool, name: Any, default: Any, fold: _core.Fold) -> Weights:
        """Return `weight`, or the default for any other attribute."""
        if self._weights is None or name != "weight":
            return constant(len(self._out.targets), default)
        if not in_edges:
            return self._weights
        return Weights(self._weights.values[self._turned[1]], self._weights.integers)

    def bare(self, rows: Rows) -> bool:
        """True if no edge has attributes; `rows` are the out-rows."""
        return self._weights is None

    def dicts(self, entries: Positions, multigraph: bool) -> list[dict[Any, Any]]:
        """Attributes of the edges of these entries; of a multigraph a dict of them by key."""
        weights, counts = self._weights, self._out.edges
        data: list[dict[Any, Any]]
        if weights is None:
            data = [{} for _ in range(len(entries))]
        else:
            data = [{"weight": value} for value in weights.plain(weights.values[entries])]
        if not multigraph:
            return data
        numbers = [1] * len(data) if counts is None else counts[entries].tolist()
        return [{k: dict(d) for k in range(count)} for d, count in zip(data, numbers, strict=True)]

    def node_dicts(self, nodes: int) -> list[dict[Any, Any]]:
        """Attributes of the nodes: none."""
        return [{} for _ in range(nodes)]

    @cached_property
    def _turned(self) -> tuple[Rows, Positions]:
        offsets, targets, positions = _core.transpose_csr(self._out.offsets, self._out.targets)
        edges = None if self._out.edges is None else self._out.edges[positions]
        return Rows(offsets, targets, edges), positions


def constant(entries: int, value: Any) -> Weights:
    if not isinstance(value, (int, float)):
        raise NotImplementedError(f"{value!r} is no weight")
    return Weights(np.full(entries, float(value)), isinstance(value, int))


class Compiled:
    """Nodes by number, rows, and views for kernels, made when first needed."""

    def __init__(self, nodes: list[Any], directed: bool, multigraph: bool, edges: Edges) -> None:
        self.nodes = nodes
        self.directed = directed
        self.multigraph = multigraph
        self.edges = edges
        self._weights: dict[tuple[Any, ...], Weights] = {}
        self._views: dict[str, _core.View] = {}

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def out(self) -> Rows:
        """Rows in NetworkX's order."""
        return self.edges.rows(False)

    @cached_property
    def into(self) -> Rows:
        """In-rows, in NetworkX's order; of an undirected graph the rows."""
        return self.edges.rows(True) if self.directed else self.out

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        return {node: number for number, node in enumerate(self.nodes)}

    def number(self, node: Any) -> int | None:
        """Number of a node; None if it is no node, or cannot be one."""
        try:
            return self._numbers.get(node)
        except TypeError:
            return None

    def mask(self, nodes: Iterable[Any]) -> npt.NDArray[np.bool_]:
        """Which nodes are among those given; others are ignored."""
        inside = np.zeros(len(self), np.bool_)
        numbers = self._numbers
        inside[[numbers[node] for node in nodes if node in numbers]] = True
        return inside

    def by_node(self, values: npt.NDArray[Any] | list[Any]) -> dict[Any, Any]:
        """{node: value} of all nodes, in their order, as plain Python numbers."""
        return dict(zip(self.nodes, values.tolist() if isinstance(values, np.ndarray) else values, strict=True))

    def array(self, values: Mapping[Any, Any], missing: float = 0.0) -> Values:
        """One float a node from a mapping."""
        return np.array([values.get(node, missing) for node in self.nodes], dtype=np.float64)

    # Degrees as NetworkX counts them: parallel edges count, a loop of an undirected graph counts twice.

    @cached_property
    def out_degrees(self) -> npt.NDArray[np.int64]:
        """Out-degrees; of an undirected graph degrees but for the second end of loops."""
        return self.out.lengths if self.out.edges is None else self.out.sums(self.out.edges)

    @cached_property
    def in_degrees(self) -> npt.NDArray[np.int64]:
        """In-degrees of a directed graph."""
        counts = self.out.edges
        if counts is None:
            return np.bincount(self.out.targets, minlength=len(self))
        return np.bincount(self.out.targets, counts, len(self)).astype(np.int64)

    @cached_property
    def loops(self) -> npt.NDArray[np.int64]:
        """Self-loops of each node."""
        at = np.flatnonzero(self.out.sources == self.out.targets)
        counts = None if self.out.edges is None else self.out.edges[at]
        return np.bincount(self.out.targets[at], counts, len(self)).astype(np.int64)

    @cached_property
    def degrees(self) -> npt.NDArray[np.int64]:
        """Degrees: of a directed graph in and out together."""
        return self.out_degrees + (self.in_degrees if self.directed else self.loops)

    @cached_property
    def num_edges(self) -> int:
        """Edges as NetworkX counts them."""
        total = int(self.degrees.sum())
        return total // 2

    def weights(
        self, name: Any, default: Any = 1, fold: _core.Fold = _core.Fold.sum, in_edges: bool = False
    ) -> Weights:
        """An edge attribute by entry.  Raises NotImplementedError if it is not numeric."""
        if name is None and self.out.edges is not None and fold == _core.Fold.sum:
            rows = self.into if in_edges else self.out
            assert rows.edges is not None
            return Weights(rows.edges.astype(np.float64), True)
        key = (name, default, type(default), fold, in_edges and self.directed)  # 1 == 1.0
        if key not in self._weights:
            rows = self.into if in_edges else self.out
            found = self.edges.weights(in_edges and self.directed, name, default, fold)
            if len(found.values) != len(rows.targets):
                raise NotImplementedError("the graph was changed behind NetworkX's back")
            self._weights[key] = found
        return self._weights[key]

    def weights_unless_alike(self, name: Any) -> Weights | None:
        """As weights(name); None if every edge counts 1."""
        if name is None and self.out.edges is None:
            return None
        if not self.multigraph and self.edges.bare(self.out):
            return None
        weights = self.weights(name)
        return None if (weights.values == 1).all() else weights

    def adopt(self, view: _core.View) -> None:
        """Use a view that exists, with sorted rows, for kernels that need no weights."""
        self._views["sorted"] = self._views["ordered"] = view

    def _kept(self, name: str, weights: Weights | None, make: Callable[[], _core.View]) -> _core.View:
        """The view that `make` gives; those without weights are made once."""
        if weights is not None:
            return make()
        if name not in self._views:
            self._views[name] = make()
        return self._views[name]

    def view(self, weights: Weights | None = None) -> _core.View:
        """A view with sorted rows, with the given weights."""
        return self._kept("sorted", weights, lambda: self._sorted_view(weights))

    def _sorted_view(self, weights: Weights | None) -> _core.View:
        turned, turned_positions = self._turned
        turned_values = None if weights is None else weights.values[turned_positions]
        if not self.directed:  # the rows by target of an undirected graph are its rows, sorted
            return _core.csr_view(turned.offsets, turned.targets, turned_values, False)
        rows, positions = self._sorted
        values = None if weights is None else weights.values[positions]
        return _core.csr_view(rows.offsets, rows.targets, values, True, turned.offsets, turned.targets, turned_values)

    @cached_property
    def _turned(self) -> tuple[Rows, Positions]:
        """Rows by target, sorted, and where their entries are in the rows."""
        offsets, targets, positions = _core.transpose_csr(self.out.offsets, self.out.targets)
        return Rows(offsets, targets), positions

    @cached_property
    def _sorted(self) -> tuple[Rows, Positions]:
        """The rows sorted, and where their entries are in the rows."""
        turned, positions = self._turned
        offsets, targets, again = _core.transpose_csr(turned.offsets, turned.targets)
        return Rows(offsets, targets), positions[again]

    @property
    def sorted_positions(self) -> Positions:
        """For each entry of the sorted view: where NetworkX's rows have it."""
        return self._sorted[1]

    @cached_property
    def twins(self) -> Positions:
        """For each entry u -> v of an undirected graph: the place of v -> u."""
        twins = np.empty(len(self.out.targets), np.int64)
        twins[self.sorted_positions] = self._turned[1]
        return twins

    def ordered_view(self, weights: Weights | None = None, in_weights: Weights | None = None) -> _core.View:
        """A view with rows in NetworkX's order."""
        return self._kept("ordered", weights, lambda: self._ordered_view(weights, in_weights))

    def _ordered_view(self, weights: Weights | None, in_weights: Weights | None) -> _core.View:
        rows = self.out
        values = None if weights is None else weights.values
        if not self.directed:
            return _core.csr_view(rows.offsets, rows.targets, values, False)
        in_values = None if in_weights is None else in_weights.values
        into = self.into
        return _core.csr_view(rows.offsets, rows.targets, values, True, into.offsets, into.targets, in_values)

    @cached_property
    def has_reverse(self) -> npt.NDArray[np.bool_]:
        """For each entry u -> v: whether there is an edge v -> u."""
        keys = _pairs(self.out.sources, self.out.targets, len(self))
        return np.isin(_pairs(self.out.targets, self.out.sources, len(self)), keys)

    def edge_entries(self) -> npt.NDArray[np.int64]:
        """Entries that NetworkX's G.edges lists, in its order: of an undirected edge the first."""
        if self.directed:
            return np.arange(len(self.out.targets))
        return np.flatnonzero(self.out.sources <= self.out.targets)

    def matrix(self, weights: Weights, dtype: Any = None) -> Any:
        """SciPy's csr_array, A[u, v] = weight of u -> v."""
        import scipy.sparse

        values = weights.by_type.copy() if dtype is None else weights.values.astype(dtype)
        offsets, targets = self.out.offsets.astype(np.int32), self.out.targets.astype(np.int32)
        shape = (len(self), len(self))
        matrix = scipy.sparse.csr_array((values, targets, offsets), shape=shape)
        matrix.sort_indices()
        return matrix


def _pairs(sources: npt.NDArray[Any], targets: npt.NDArray[Any], nodes: int) -> npt.NDArray[np.uint64]:
    return np.asarray(sources.astype(np.uint64) * np.uint64(nodes) + targets)


def run(kernel: Callable[..., R], view: _core.View, *args: Any, **options: Any) -> R:
    """Run a kernel with the configured threads.  What it cannot do is NetworkX's: NotImplementedError."""
    try:
        with engine() as borrowed:
            return kernel(borrowed, view, *args, **options)
    except (InvalidArgumentError, UnsupportedError) as error:
        raise NotImplementedError(str(error)) from error
