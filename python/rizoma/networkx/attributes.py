"""Attributes of the nodes and edges of graphs in memory; a stored graph has none but its weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rizoma.reader import Reader

from .registry import ONLY_OURS, implements

__all__: list[str] = []


def _stored(arguments: dict[str, Any]) -> str | None:
    return "a stored graph has no attributes" if isinstance(arguments["G"], Reader) else None


def _set(found: Mapping[Any, dict[Any, Any]], values: Any, name: Any) -> None:
    """Give what is found its values: one for all, or a mapping, which may name what is not there."""
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
    """What was computed from the attributes is no longer true."""
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
