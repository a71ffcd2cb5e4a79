"""A graph as PyTorch Geometric's data: batches are sampled from the graph, and features are read for a batch alone::

    import rizoma as rz
    from rizoma.geometric import neighbor_loader

    g = rz.open("papers.rz")
    for batch in neighbor_loader(g, ["p1", "p7"], [10, 5], batch_size=512):
        model(batch.embedding, batch.edge_index)

Vertices are known to PyTorch Geometric by their internal ids, which `batch.n_id` has; `ids` gives the external ones.
All parts of a loader read one state of the graph, however it changes meanwhile; `ids(loader, ...)` asks the same one.
Sampling runs on Rizoma's threads, in this process: `num_workers` has to be 0.

Vertices that were removed keep their numbers until `compact` with an order, and have no values.

Needs `pip install torch torch_geometric` (tried with PyTorch 2.4 and PyTorch Geometric 2.8).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .. import _core
from ..core.engines import engine
from ..core.errors import InvalidArgumentError, UnsupportedError, VertexNotFoundError
from ..core.lazy_arrow import pa, pc
from ..graph.column_types import kind_of
from ..graph.ids import VertexKey, arrow_ids, find_all
from ..graph.schema import arrow_values, vertex_columns
from ..graph.state import Reader, state_of
from ..queries.neighborhoods import Numbers, sample_hops

try:
    import torch
    from torch_geometric.data import EdgeAttr, FeatureStore, GraphStore, TensorAttr
    from torch_geometric.data.graph_store import EdgeLayout
    from torch_geometric.loader import NodeLoader
    from torch_geometric.sampler import BaseSampler, SamplerOutput
except ImportError as missing:
    raise ImportError(
        f"rizoma.geometric needs PyTorch Geometric: pip install torch torch_geometric ({missing})"
    ) from None

__all__ = ["Edges", "Features", "Sampler", "ids", "neighbor_loader"]

_NO_TENSOR = {"string", "binary"}
_TAKEN = {"batch", "batch_size", "edge_index", "input_id", "n_id", "num_nodes", "seed_time"}  # attributes of a batch


class Features(FeatureStore):
    """Columns of vertices as tensors, read for the vertices that are asked for.

    Numbers, truth values and times (integers in their unit) have shape (n,), lists of float32 (n, length).  `columns`:
    all that can be tensors, if not given.  Unsigned integers become int64, those of 8 bits stay.  A null is NaN among
    floats and an error elsewhere.
    """

    def __init__(self, graph: Reader, columns: Sequence[str] | None = None) -> None:
        super().__init__()
        self._state = state_of(graph)
        kinds = vertex_columns(self._state.schema)
        wanted = [name for name, kind in kinds.items() if kind not in _NO_TENSOR] if columns is None else columns
        for name in wanted:
            if name not in kinds:
                raise InvalidArgumentError(
                    f"the vertices have no column {name!r}; there are {', '.join(kinds) or 'none'}"
                )
            if name in _TAKEN:
                raise InvalidArgumentError(
                    f"column {name!r} has a name that each batch uses itself; leave it out with columns=, or rename it"
                )
            if kinds[name] in _NO_TENSOR:
                raise InvalidArgumentError(
                    f"column {name!r} is of type {kinds[name]}, which cannot become a tensor; leave it out with "
                    "columns="
                )
        self._kinds = {name: kinds[name] for name in wanted}

    def get_all_tensor_attrs(self) -> list[Any]:
        """One for each column; vertices have no group's name, as in a `Data` object."""
        return [TensorAttr(group_name=None, attr_name=name) for name in self._kinds]

    def _get_tensor(self, attr: Any) -> Any:
        if attr.attr_name not in self._kinds:
            return None
        kind = self._kinds[attr.attr_name]
        numbers = _numbers_at(attr.index, self._state.num_vertices)
        column = arrow_values(_core.vertex_values(self._state, attr.attr_name, numbers), kind)
        return _tensor(column, attr.attr_name, numbers, self._state)

    def _get_tensor_size(self, attr: Any) -> tuple[int, ...] | None:
        if attr.attr_name not in self._kinds:
            return None
        if kind_of(self._kinds[attr.attr_name]) != "list":
            return (self._state.num_vertices,)
        attr.index = slice(0, 1)
        return (self._state.num_vertices, *self._get_tensor(attr).shape[1:])

    def _put_tensor(self, tensor: Any, attr: Any) -> bool:
        raise UnsupportedError(
            f"change column {attr.attr_name!r} with g.set_vertices or g.add_column, and open a new loader"
        )

    def _remove_tensor(self, attr: Any) -> bool:
        raise UnsupportedError(f"drop column {attr.attr_name!r} with g.drop_column, and open a new loader")


class Edges(GraphStore):
    """All edges as one edge index, made when it is asked for; `Sampler` does without."""

    def __init__(self, graph: Reader) -> None:
        super().__init__()
        self._state = state_of(graph)

    def get_all_edge_attrs(self) -> list[Any]:
        """The rows of a compressed matrix; PyTorch Geometric makes other layouts of it."""
        size = (self._state.num_vertices, self._state.num_vertices)
        return [EdgeAttr(edge_type=None, layout=EdgeLayout.CSR, size=size)]

    def _get_edge_index(self, edge_attr: Any) -> Any:
        if edge_attr.layout != EdgeLayout.CSR:
            return None
        with engine() as borrowed:
            offsets, targets, *_ = _core.csr(borrowed, self._state.view(borrowed))
        return tuple(torch.from_numpy(part.astype(np.int64)) for part in (offsets, targets))

    def _put_edge_index(self, edge_index: Any, edge_attr: Any) -> bool:
        raise UnsupportedError("add edges with g.add_edges, and open a new loader")

    def _remove_edge_index(self, edge_attr: Any) -> bool:
        raise UnsupportedError("remove edges with g.remove_edges, and open a new loader")


class Sampler(BaseSampler):
    """Draws, hop by hop, at most `num_neighbors[i]` neighbours of each vertex (-1: all), each edge at most once.

    Edges are followed back from the seeds, since messages flow to them: in a directed graph these are in-edges, which
    the graph must have.  What is drawn follows `torch.manual_seed`.  There is no sampling by time, nor from edges.
    """

    def __init__(self, graph: Reader, num_neighbors: Sequence[int]) -> None:
        self.state = state_of(graph)
        self._counts = list(num_neighbors)
        schema = self.state.schema
        if schema.directed and not schema.in_edges:
            raise InvalidArgumentError(
                "messages flow along in-edges, which this graph does not store; create it with in_edges=True"
            )

    def sample_from_nodes(self, index: Any, **_: Any) -> Any:
        """Sample around `index.node`, which has internal ids."""
        if index.time is not None:
            raise UnsupportedError("sampling by time is not supported; sample a view, such as g.where(edges=...)")
        seeds = _numbers_at(index.node, self.state.num_vertices)
        seed = int(torch.randint(2**62, (1,)))
        drawn = sample_hops(self.state, seeds, self._counts, seed, in_edges=self.state.schema.directed)
        directed = self.state.schema.directed
        sources, targets = (drawn.sources, drawn.targets) if directed else (drawn.targets, drawn.sources)
        return SamplerOutput(
            node=torch.from_numpy(drawn.vertices.astype(np.int64)),
            row=torch.from_numpy(sources),
            col=torch.from_numpy(targets),
            edge=None,
            num_sampled_nodes=drawn.found,
            num_sampled_edges=drawn.drawn,
            metadata=(index.input_id, index.time),
        )

    def sample_from_edges(self, index: Any, neg_sampling: Any = None) -> Any:
        """Not there: sample around the ends of the edges."""
        raise UnsupportedError("sampling from edges is not supported; sample around their ends")


def neighbor_loader(
    graph: Reader,
    vertices: Iterable[VertexKey],
    num_neighbors: Sequence[int],
    *,
    columns: Sequence[str] | None = None,
    **options: Any,
) -> Any:
    """Return PyTorch Geometric's `NodeLoader` over these vertices, in batches of `batch_size`.

    A batch is a `Data` object whose first vertices are those of the batch, as in PyTorch Geometric's `NeighborLoader`,
    with each of `columns` (None: all that can be tensors) as an attribute.  `options` are those of `NodeLoader` and of
    PyTorch's `DataLoader`, such as `batch_size`, `shuffle` and `transform`.
    """
    if options.get("num_workers"):
        raise InvalidArgumentError(
            "num_workers must be 0, because sampling runs on threads of this process; leave it out"
        )
    state = graph.snapshot() if hasattr(graph, "snapshot") else graph  # one state for all three
    numbers = find_all(state_of(state), vertices)
    seeds = torch.from_numpy(numbers.astype(np.int64))
    given_transform = options.pop("transform", None)

    def transform(batch: Any) -> Any:
        batch.num_nodes = len(batch.n_id)  # otherwise known from a feature, but there may be none
        return batch if given_transform is None else given_transform(batch)

    data = (Features(state, columns), Edges(state))
    sampler = Sampler(state, num_neighbors)
    return NodeLoader(
        data, sampler, input_nodes=seeds, input_id=torch.arange(len(seeds)), transform=transform, **options
    )


def ids(source: Any, numbers: Any) -> list[VertexKey]:
    """Return the external ids of vertices that PyTorch Geometric knows by number, such as `batch.n_id`.

    `source` is the loader that the numbers come from, or the graph or snapshot that it was made of, if that has got no
    other order since.
    """
    state = source.node_sampler.state if isinstance(source, NodeLoader) else state_of(source)
    found: list[VertexKey] = arrow_ids(state.ids_of(_numbers_at(numbers, state.num_vertices))).to_pylist()
    return found


def _numbers_at(index: Any, num_vertices: int) -> Numbers:
    """The vertices that an index of PyTorch Geometric means: all, a range, numbers, or a mask."""
    if index is None or isinstance(index, slice):
        return np.arange(num_vertices, dtype=np.uint64)[index or slice(None)]
    given = np.atleast_1d(index.cpu().numpy() if isinstance(index, torch.Tensor) else np.asarray(index))
    if given.dtype == np.bool_:
        given = np.flatnonzero(given)
    wrong = np.flatnonzero((given < 0) | (given >= num_vertices))
    if len(wrong):
        raise VertexNotFoundError(
            f"there is no vertex number {given[wrong[0]]}; the graph has {num_vertices:,} vertices"
        )
    return np.ascontiguousarray(given, np.uint64)


def _tensor(column: pa.Array, name: str, numbers: Numbers, state: _core.Snapshot) -> Any:
    if column.null_count and not pa.types.is_floating(column.type):
        first = numbers[pc.index(column.is_null(), True).as_py()]
        vertex = arrow_ids(state.ids_of(np.array([first], np.uint64)))[0].as_py()
        raise InvalidArgumentError(
            f"vertex {vertex!r} has no value in column {name!r}; set it, or leave the column out"
        )
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        lengths = pc.unique(pc.list_value_length(column)).to_pylist()
        if len(lengths) > 1:
            raise InvalidArgumentError(
                f"lists in column {name!r} have lengths from {min(lengths)} to {max(lengths)}, but a tensor needs "
                "one length; give lists of one length"
            )
        flat = column.flatten().to_numpy(zero_copy_only=False)
        return torch.from_numpy(np.array(flat, np.float32).reshape(len(column), lengths[0] if lengths else 0))
    if pa.types.is_temporal(column.type):
        column = column.view(pa.int64() if column.type.bit_width == 64 else pa.int32())
    values = column.to_numpy(zero_copy_only=False)
    if values.dtype.kind == "u" and values.dtype.itemsize > 1:
        if values.size and values.max() > np.iinfo(np.int64).max:
            raise InvalidArgumentError(
                f"column {name!r} holds {values.max()}, which does not fit an int64 tensor; store a smaller number"
            )
        values = values.astype(np.int64)
    return torch.from_numpy(np.array(values))
