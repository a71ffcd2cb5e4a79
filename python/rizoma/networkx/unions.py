"""Graphs made of several graphs: unions, compositions, intersections, differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, product, repeat
from typing import Any

import networkx as nx

from .convert import attributes_of
from .graphs import graph_class
from .registry import ONLY_OURS, implements
from .relabel import relabelled

__all__: list[str] = []


def _of_one_kind(graphs: Iterable[Any], what: str) -> Iterator[Any]:
    """The graphs, with their dictionaries.  NetworkXError, and ValueError if there is none."""
    first = None
    for graph in graphs:
        source = attributes_of(graph)
        first = source if first is None else first
        if source.is_directed() != first.is_directed():
            raise nx.NetworkXError("All graphs must be directed or undirected.")
        if source.is_multigraph() != first.is_multigraph():
            raise nx.NetworkXError("All graphs must be graphs or multigraphs.")
        yield source
    if first is None:
        raise ValueError(f"cannot apply {what} to an empty list")


def _edges(source: Any, data: bool = True) -> Any:
    return source.edges(keys=True, data=data) if source.is_multigraph() else source.edges(data=data)


def _without_edges(source: Any, nodes: Iterable[Any]) -> Any:
    made = graph_class(source.is_directed(), source.is_multigraph())()
    made.add_nodes_from(nodes)
    return made


def _together(graphs: Iterable[Any], what: str, apart: bool) -> Any:
    """All nodes and edges with their attributes; `apart`: no two graphs may have a node in common."""
    made = None
    for source in _of_one_kind(graphs, what):
        if made is None:
            made = _without_edges(source, ())
        if apart and any(n in made for n in source):
            raise nx.NetworkXError(
                "the node sets of the graphs are not disjoint: give prefixes by rename, or use disjoint_union"
            )
        made.graph.update(source.graph)
        made.add_nodes_from(source.nodes(data=True))
        made.add_edges_from(_edges(source))
    return made


def _renamed(graph: Any, prefix: str | None) -> Any:
    return graph if prefix is None else relabelled(graph, {n: f"{prefix}{n}" for n in graph})


@implements(smallest=ONLY_OURS)
def union_all(graphs: Iterable[Any], rename: Iterable[str | None] = ()) -> Any:
    named = (_renamed(graph, prefix) for graph, prefix in zip(graphs, chain(rename, repeat(None)), strict=False))
    return _together(named, "union_all", apart=True)


@implements(smallest=ONLY_OURS)
def union(G: Any, H: Any, rename: Iterable[str | None] = ()) -> Any:
    return union_all([G, H], rename)


@implements(smallest=ONLY_OURS)
def disjoint_union_all(graphs: Iterable[Any]) -> Any:
    def numbered() -> Iterator[Any]:
        first = 0
        for graph in graphs:
            yield relabelled(graph, {n: number for number, n in enumerate(graph, first)})
            first += len(graph)

    return _together(numbered(), "disjoint_union_all", apart=True)


@implements(smallest=ONLY_OURS)
def disjoint_union(G: Any, H: Any) -> Any:
    return disjoint_union_all([G, H])


@implements(smallest=ONLY_OURS)
def compose_all(graphs: Iterable[Any]) -> Any:
    return _together(graphs, "compose_all", apart=False)


@implements(smallest=ONLY_OURS)
def compose(G: Any, H: Any) -> Any:
    return compose_all([G, H])


@implements(smallest=ONLY_OURS)
def intersection_all(graphs: Iterable[Any]) -> Any:
    first, *others = _of_one_kind(graphs, "intersection_all")
    made = _without_edges(first, (n for n in first if all(n in other for other in others)))
    made.add_edges_from(edge for edge in _edges(first, False) if all(other.has_edge(*edge) for other in others))
    return made


@implements(smallest=ONLY_OURS)
def intersection(G: Any, H: Any) -> Any:
    return intersection_all([G, H])


def _of_same_nodes(G: Any, H: Any) -> tuple[Any, Any]:
    one, other = attributes_of(G), attributes_of(H)
    if one.is_multigraph() != other.is_multigraph():
        raise nx.NetworkXError("G and H must both be graphs or multigraphs.")
    if set(one) != set(other):
        raise nx.NetworkXError("Node sets of graphs not equal")
    return one, other


def _missing(one: Any, other: Any) -> Iterator[Any]:
    """The edges of the one that the other lacks."""
    return (edge for edge in _edges(one, False) if not other.has_edge(*edge))


@implements(smallest=ONLY_OURS)
def difference(G: Any, H: Any) -> Any:
    one, other = _of_same_nodes(G, H)
    made = _without_edges(one, one)
    made.add_edges_from(_missing(one, other))
    return made


@implements(smallest=ONLY_OURS)
def symmetric_difference(G: Any, H: Any) -> Any:
    one, other = _of_same_nodes(G, H)
    made = _without_edges(one, one)
    made.add_edges_from(_missing(one, other))
    made.add_edges_from(_missing(other, one))
    return made


@implements(smallest=ONLY_OURS)
def full_join(G: Any, H: Any, rename: tuple[str | None, str | None] = (None, None)) -> Any:
    one, other = _renamed(G, rename[0]), _renamed(H, rename[1])
    made = union_all([one, other])
    made.add_edges_from(product(one, other))
    if made.is_directed():
        made.add_edges_from(product(other, one))
    return made
