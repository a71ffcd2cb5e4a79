"""Attributes of the nodes and edges of graphs in memory; NetworkX's code reads those of a stored graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import networkx as nx

from rizoma.graph.state import Reader

from .convert import attributes_of
from .graphs import graph_class
from .registry import ONLY_OURS, implements, undirected

__all__: list[str] = []


def _stored(arguments: dict[str, Any]) -> str | None:
    return "the columns of a stored graph are left to NetworkX" if isinstance(arguments["G"], Reader) else None


def _set(found: Mapping[Any, dict[Any, Any]], values: Any, name: Any) -> None:
    """Set the values of existing nodes or edges: one for all, or a mapping, which may name missing ones."""
    if name is not None and not hasattr(values, "items"):
        for data in found.values():
            data[name] = values
        return
    for key, value in values.items():
        if key in found:
            found[key].update(value if name is None else {name: value})


def _get(found: Mapping[Any, dict[Any, Any]], name: Any, default: Any) -> dict[Any, Any]:
    if default is not None:
        return {key: data.get(name, default) for key, data in found.items()}
    return {key: data[name] for key, data in found.items() if name in data}


def _forget(G: Any) -> None:
    """Drop results that were computed from the attributes."""
    G.__networkx_cache__.clear()


@implements(smallest=ONLY_OURS, refuses=_stored)
def set_node_attributes(G: Any, values: Any, name: Any = None) -> None:
    _set(G._node, values, name)
    _forget(G)


@implements(smallest=ONLY_OURS, refuses=_stored)
def set_edge_attributes(G: Any, values: Any, name: Any = None) -> None:
    _set(G.edges, values, name)
    _forget(G)


@implements(smallest=ONLY_OURS, refuses=_stored)
def get_node_attributes(G: Any, name: Any, default: Any = None) -> dict[Any, Any]:
    return _get(G._node, name, default)


@implements(smallest=ONLY_OURS, refuses=_stored)
def get_edge_attributes(G: Any, name: Any, default: Any = None) -> dict[Any, Any]:
    return _get(G.edges, name, default)


@implements(smallest=ONLY_OURS, refuses=_stored)
def remove_node_attributes(G: Any, *attr_names: Any, nbunch: Any = None) -> None:
    chosen = G._node if nbunch is None else nbunch
    _drop((data for n, data in G._node.items() if n in chosen), attr_names)
    _forget(G)


@implements(smallest=ONLY_OURS, refuses=_stored)
def remove_edge_attributes(G: Any, *attr_names: Any, ebunch: Any = None) -> None:
    edges = G.edges(keys=True) if G.is_multigraph() else G.edges
    chosen = edges if ebunch is None else [*ebunch]
    _drop((G.edges[edge] for edge in edges if edge in chosen), attr_names)
    _forget(G)


def _drop(rows: Iterable[dict[Any, Any]], names: tuple[Any, ...]) -> None:
    for data in rows:
        for name in names:
            data.pop(name, None)


@implements(smallest=ONLY_OURS)
def is_empty(G: Any) -> bool:
    return bool(attributes_of(G).number_of_edges() == 0)


@implements(smallest=ONLY_OURS)
def is_weighted(G: Any, edge: Any = None, weight: Any = "weight") -> bool:
    source = attributes_of(G)
    if edge is None:
        return source.number_of_edges() > 0 and all(weight in data for *_, data in source.edges(data=True))
    data = source.get_edge_data(*edge)
    if data is None:
        raise nx.NetworkXError(f"Edge {edge!r} does not exist.")
    return weight in data


def _in_place_or_undirected(arguments: dict[str, Any]) -> str | None:
    return undirected(arguments) or (None if arguments["copy"] else "a change in place is left to NetworkX")


@implements(smallest=ONLY_OURS, refuses=_in_place_or_undirected)
def stochastic_graph(G: Any, copy: bool = True, weight: Any = "weight") -> Any:
    source = attributes_of(G)
    H = graph_class(True, source.is_multigraph())(source)
    sums = dict(H.out_degree(weight=weight))
    for u, _, data in H.edges(data=True):
        data[weight] = data.get(weight, 1) / sums[u] if sums[u] else 0
    return H
