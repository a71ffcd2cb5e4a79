"""Copies of subgraphs, with their attributes, in the order in which NetworkX makes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled import Compiled
from .convert import attributes_of
from .graphs import graph_class

__all__ = ["edge_subgraph", "empty_like", "induced"]


def empty_like(source: Any, nodes: Iterable[Any]) -> Any:
    """A graph of these nodes and no edges, with the attributes of the source."""
    H = graph_class(source.is_directed(), source.is_multigraph())()
    H.graph.update(source.graph)
    H._node.update({n: dict(source._node[n]) for n in nodes})
    H._adj.update({n: {} for n in H._node})
    if source.is_directed():
        H._pred.update({n: {} for n in H._node})
    return H


def _copied(data: dict[Any, Any], multigraph: bool) -> dict[Any, Any]:
    """The attributes of an edge, or of all parallel edges."""
    return {key: dict(d) for key, d in data.items()} if multigraph else dict(data)


def induced(G: Any, names: list[Any]) -> Any:
    """As `G.subgraph(names).copy()`.

    NetworkX's views walk through the set of names where that is less than half of what they filter.
    """
    source = attributes_of(G)
    chosen = set(names)
    H = empty_like(source, _common(chosen, source._node))
    back = H._pred if source.is_directed() else H._adj
    multigraph = source.is_multigraph()
    for u in _common(chosen, source._adj):
        row, new = source._adj[u], H._adj[u]
        for v in _common(chosen, row):
            if v not in new:
                new[v] = back[v][u] = _copied(row[v], multigraph)
    return H


def _common(chosen: set[Any], table: dict[Any, Any]) -> list[Any]:
    if 2 * len(chosen) < len(table):
        return [n for n in chosen if n in table]
    return [n for n in table if n in chosen]


def edge_subgraph(G: Any, compiled: Compiled, inside: npt.NDArray[np.bool_], kept: npt.NDArray[np.bool_]) -> Any:
    """A copy of an undirected graph with some of its nodes and entries only."""
    source, rows, nodes = attributes_of(G), compiled.out, compiled.nodes
    H = empty_like(source, [nodes[v] for v in np.flatnonzero(inside).tolist()])
    once = np.flatnonzero(kept & (rows.sources <= rows.targets))
    for u, v in zip(rows.sources[once].tolist(), rows.targets[once].tolist(), strict=True):
        a, b = nodes[u], nodes[v]
        H._adj[a][b] = H._adj[b][a] = _copied(source._adj[a][b], compiled.multigraph)
    return H
