"""Measures of partitions of the vertices: how good one is on a graph, how alike two are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.arguments import names_checked
from ..core.display import number_of
from ..core.engines import engine
from ..core.errors import InvalidArgumentError, VertexNotFoundError
from ..graph.graph import Graph
from ..graph.ids import VertexKey, find, find_many, ids_there
from ..graph.schema import weight_wanted
from ..graph.state import Reader, state_of, weighted_view
from .by_number import values_of_result
from .partitions import PartitionResult
from .quotient import graph_of_labels
from .vertex import VertexResult

__all__ = [
    "Partition",
    "ari",
    "conductance",
    "coverage",
    "labels_of",
    "modularity",
    "nmi",
    "quality_of_labels",
    "quotient_graph",
]

Partition: TypeAlias = PartitionResult | Mapping[VertexKey, Any] | Iterable[Iterable[VertexKey]]
"""A result such as louvain's; labels of vertices; or the communities, each a set of vertices."""

Labels: TypeAlias = npt.NDArray[np.uint64]

_NONE = np.iinfo(np.uint64).max


@names_checked
def modularity(
    graph: Reader,
    communities: Partition,
    weight: str | None = "weight",
    resolution: float = 1,
    *,
    threads: int | None = None,
) -> float:
    """Modularity: the share of edges inside communities minus what chance would give, times the resolution.

    Args:
        graph: a Graph or a Snapshot; a directed one has its directed modularity (Leicht, Newman, 2008).
        communities: a result such as louvain's, a mapping {vertex: label}, or sets of vertices; every vertex is in one.
        weight: "weight": by weight, if the graph has weights; the name of a numeric edge column; None: all edges alike.
        resolution: above 1 favours smaller communities.
        threads: instead of `rizoma.config`.

    Raises InvalidArgumentError if a vertex is in no community or in two, VertexNotFoundError if one names no vertex.
    Cost: one pass over the edges, and a sort of the labels.
    """
    return float(_quality(graph, communities, weight, resolution, threads)[0]["modularity"])


@names_checked
def coverage(
    graph: Reader, communities: Partition, weight: str | None = "weight", *, threads: int | None = None
) -> float:
    """Coverage: the share of edges, or of their weight, that is inside communities.

    `communities` and `weight` are as in `modularity`.

    Raises what `modularity` raises.  Cost: one pass over the edges.
    """
    return float(_quality(graph, communities, weight, 1, threads)[0]["coverage"])


@names_checked
def conductance(
    graph: Reader, communities: Partition, weight: str | None = "weight", *, threads: int | None = None
) -> dict[Any, float]:
    """Conductance of each community: edges across its border over the lesser of its volume and the rest's.

    Returns {label: conductance}; sets of vertices have the labels 0.. in their order.  NaN where that volume is 0.

    `communities` and `weight` are as in `modularity`.

    Raises what `modularity` raises.  Cost: one pass over the edges.
    """
    answer, names = _quality(graph, communities, weight, 1, threads)
    return dict(zip(names, answer["conductance"], strict=False))


@names_checked
def nmi(a: Partition, b: Partition) -> float:
    """Normalized mutual information of two partitions `a` and `b` of the same vertices, from 0 to 1.

    It is divided by the mean of both entropies; two partitions into one part each are alike: 1.

    Raises InvalidArgumentError if the partitions have different vertices.  Cost: O(n log n), with a Python dict of
    each.  Source: Danon et al., "Comparing community structure identification", J. Stat. Mech. P09008, 2005.
    """
    table, of_a, of_b = _contingency(a, b)
    n = table.sum()
    entropy_a, entropy_b = (float(-np.sum(s / n * np.log(s / n))) for s in (of_a[of_a > 0], of_b[of_b > 0]))
    if entropy_a + entropy_b == 0:
        return 1.0
    shares = table / n
    return max(0.0, 2 * (entropy_a + entropy_b - float(-np.sum(shares * np.log(shares)))) / (entropy_a + entropy_b))


@names_checked
def ari(a: Partition, b: Partition) -> float:
    """Adjusted Rand index of two partitions `a` and `b` of the same vertices: 1 if they are alike, about 0 by chance.

    Raises InvalidArgumentError if the partitions have different vertices.  Cost: O(n log n), with a Python dict of
    each.  Source: Hubert, Arabie, "Comparing partitions", J. of Classification 2, 1985.
    """
    table, of_a, of_b = _contingency(a, b)
    together, in_a, in_b = (float(np.sum(s * (s - 1.0) / 2)) for s in (table, of_a, of_b))
    pairs = table.sum() * (table.sum() - 1.0) / 2
    expected = in_a * in_b / pairs if pairs else 0.0
    best = (in_a + in_b) / 2
    return 1.0 if best == expected else (together - expected) / (best - expected)


@names_checked
def quotient_graph(
    graph: Reader, communities: Partition, weight: str | None = "weight", *, threads: int | None = None
) -> Graph:
    """A graph in memory of the communities 0.. of another graph, and of the edges between them.

    The weight of an edge is that of all edges it stands for, and a loop stands for those inside a community; so the
    coarse graph with each vertex by itself has the modularity that the communities have.  All edges are copied into
    arrays and sorted by one thread.

    Args:
        graph: a Graph or a Snapshot.
        communities: a result such as louvain's, a mapping {vertex: label}, or sets of vertices; every vertex is in one.
            Labels other than 0.. are numbered in their sorted order, sets in theirs; empty sets are skipped.
        weight: "weight": by weight, if the graph has weights; the name of a numeric edge column; None: all edges
            alike.
        threads: instead of `rizoma.config`.

    Raises what `modularity` raises, and UnsupportedError if a sum of weights exceeds float64.  Cost: O(edges log edges)
    on one thread, 24 bytes an edge.
    """
    state = state_of(graph)
    return graph_of_labels(state, labels_of(state, communities, "communities"), weight, threads)


def labels_of(state: _core.Snapshot, partition: Partition, what: str, must: bool = True) -> Labels:
    """Labels 0.. by internal id; 2**64 - 1 for vertices without one, which `must` not be."""
    return _named_labels(state, partition, what, must)[0]


def _quality(
    graph: Reader, communities: Partition, weight: str | None, resolution: float, threads: int | None
) -> tuple[dict[str, Any], list[Any]]:
    state = state_of(graph)
    labels, names = _named_labels(state, communities, "communities", True)
    return quality_of_labels(state, labels, weight, resolution, threads), names


def quality_of_labels(
    state: _core.Snapshot, labels: Labels, weight: str | None, resolution: float = 1, threads: int | None = None
) -> dict[str, Any]:
    """Modularity, coverage and conductance of labels by internal id, below the number of vertices."""
    use_weights = weight_wanted(state, weight, must=False)
    with engine(threads, None) as borrowed:
        view = weighted_view(state, borrowed, weight)
        return _core.partition_quality(borrowed, view, labels, resolution, use_weights)


def _named_labels(state: _core.Snapshot, partition: Partition, what: str, must: bool) -> tuple[Labels, list[Any]]:
    """Labels by internal id, and the user's names for them."""
    if isinstance(partition, PartitionResult):
        numbers, given = values_of_result(state, partition)
        ids: Any = partition.ids if partition._live is None else partition.ids[partition._live]
    else:
        ids, given = _of_python(partition, what)
        numbers = find_many(state, ids)
    known = numbers != _NONE
    if must and not np.all(known):
        raise _not_there(state, ids[int(np.flatnonzero(~known)[0])], what)
    names, dense = np.unique(given[known], return_inverse=True)
    labels = np.full(state.num_vertices, _NONE)
    labels[numbers[known]] = dense
    if must and np.count_nonzero(known) < state.num_live:
        raise _left_out(state, labels, what, state.num_live - int(np.count_nonzero(known)))
    return labels, names.tolist()


def _left_out(state: _core.Snapshot, labels: Labels, what: str, count: int) -> InvalidArgumentError:
    one = next(v for v in state.iterate_vertices() if labels[find(state, v)] == _NONE)
    vertices = number_of(count, "vertex", "vertices")
    return InvalidArgumentError(
        f"{what} leaves out {vertices} of the graph, such as {one!r}; put each vertex in one community"
    )


def _not_there(state: _core.Snapshot, unknown: VertexKey, what: str) -> VertexNotFoundError:
    unknown = unknown.item() if isinstance(unknown, np.integer) else unknown
    there = ids_there(state, unknown)
    return VertexNotFoundError(
        f"{what} names {unknown!r}, which is not a vertex of the graph{there}; those of its vertices alone are "
        "{v: label for v, label in communities.items() if v in g}"
    )


def _of_python(partition: Any, what: str) -> tuple[list[VertexKey], npt.NDArray[Any]]:
    """Ids and labels of a mapping, or of sets; a vertex in two sets is refused."""
    if isinstance(partition, Mapping):
        return list(partition), _labels(list(partition.values()), what)
    if isinstance(partition, VertexResult):
        raise InvalidArgumentError(
            f"{what} is a {type(partition).__name__}, whose values are no parts; give a result of louvain, "
            "connected_components and the like, or a mapping {vertex: label}"
        )
    given = list(partition) if _is_collection(partition) else [partition]
    strange = [part for part in given if not _is_collection(part)]
    if strange:
        among = "a list with " if _is_collection(partition) else ""
        raise InvalidArgumentError(
            f"{what} must be a result, a mapping {{vertex: label}} or a list of sets of vertices, "
            f"not {among}{strange[0]!r}; labels in the order of the vertices are dict(zip(graph, labels))"
        )
    parts = [list(part) for part in given]
    ids = [v for part in parts for v in part]
    if len(set(ids)) != len(ids):
        raise InvalidArgumentError(f"{what} has a vertex in more than one set; put each vertex in one community")
    return ids, np.repeat(np.arange(len(parts)), [len(part) for part in parts])


def _by_vertex(partition: Partition, what: str) -> dict[VertexKey, Any]:
    if isinstance(partition, PartitionResult):
        return partition.to_dict()
    return dict(zip(*_of_python(partition, what), strict=True))


def _contingency(a: Partition, b: Partition) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """How many vertices each pair of parts shares, where it does; and the sizes of the parts."""
    first, second = _by_vertex(a, "the first partition"), _by_vertex(b, "the second partition")
    if first.keys() != second.keys():
        raise InvalidArgumentError("the two partitions have different vertices; compare partitions of one graph")
    _, of_first = np.unique(np.array(list(first.values())), return_inverse=True)
    _, of_second = np.unique(np.array([second[v] for v in first]), return_inverse=True)
    width = int(of_second.max()) + 1 if len(of_second) else 1
    shared = np.unique(of_first.astype(np.int64) * width + of_second, return_counts=True)[1]
    return shared, np.bincount(of_first), np.bincount(of_second)


def _is_collection(data: Any) -> bool:
    return isinstance(data, Iterable) and not isinstance(data, (str, bytes))


def _labels(given: list[Any], what: str) -> npt.NDArray[Any]:
    for kind in (str, (int, np.integer), (int, float, np.number)):
        if all(isinstance(label, kind) for label in given):
            return np.array(given)
    strange = next((each for each in given if not isinstance(each, (str, int, float, np.number))), given[-1])
    raise InvalidArgumentError(f"{what} has the label {strange!r}; labels must be all numbers or all strings")
