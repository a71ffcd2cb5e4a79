"""Edges from graph objects: of this package, NetworkX and igraph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..ids import id_array
from ..schema import PartlyGiven, fitted, fitted_records
from . import arrow
from .columns import ColumnNames, EdgeColumns, EdgeSource

__all__ = ["from_igraph", "from_networkx", "from_rizoma"]


def from_rizoma(graph: Any, names: ColumnNames) -> EdgeSource:
    """All vertices and edges of a graph or snapshot, as it is now."""
    state = graph.snapshot()
    vertices = state.vertices.reader().read_all()
    values = _fitted(names.vertices, vertices.schema.names, vertices.column)
    edges = arrow.from_arrow(state.edges, replace(names, refusal=None, takes_third=True))
    return replace(
        edges, vertices=id_array(vertices.column("vertex")), vertex_values=values, undirected=not state.directed
    )


def _fitted(columns: Any, there: Collection[str], values_of: Callable[[str], Any]) -> dict[str, Any]:
    """Those values that the graph has columns for."""
    return {name: fitted(values_of(name), name, kind) for name, kind in columns.items() if name in there}


def from_networkx(graph: Any, names: ColumnNames) -> EdgeSource:
    """All vertices and edges; the edge attribute "weight" (or `weight=`) is the weight, 1 where missing."""
    attribute = names.weight or "weight"
    if names.columns or names.vertices:
        return _with_attributes(graph, attribute, names)
    edges = list(graph.edges(data=attribute, default=None))
    chunks = []
    if edges:
        sources, targets, values = zip(*edges, strict=True)
        weights = None
        if any(value is not None for value in values):
            weights = np.array([1 if value is None else value for value in values], np.float64)
        chunks.append(EdgeColumns(id_array(sources, "source"), id_array(targets, "target"), weights))
    vertices = id_array(list(graph.nodes), "node")
    return EdgeSource(chunks, vertices, undirected=not graph.is_directed())


def _with_attributes(graph: Any, weight: str, names: ColumnNames) -> EdgeSource:
    """The edges and vertices with those of their attributes that the graph has columns for."""
    edges = list(graph.edges(data=True))
    vertices = id_array(list(graph.nodes), "node")
    of_vertices = [data for _, data in graph.nodes(data=True)]
    held = _of_records(of_vertices, names.vertices)
    chunks = []
    if edges:
        sources, targets, data = zip(*edges, strict=True)
        weights = None
        if any(each.get(weight) is not None for each in data):
            weights = np.array([each.get(weight, 1) for each in data], np.float64)
        values = _of_records(data, names.columns)
        chunks.append(EdgeColumns(id_array(sources, "source"), id_array(targets, "target"), weights, values))
    return EdgeSource(chunks, vertices, held, undirected=not graph.is_directed())


def _of_records(records: Sequence[Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """The values of the columns that some record has."""
    there = {name for each in records for name in each}
    return {name: fitted_records(records, name, name, kind) for name, kind in columns.items() if name in there}


def from_igraph(graph: Any, names: ColumnNames) -> EdgeSource:
    """All vertices and edges, with those of their attributes that the graph has columns for.

    Ids are the vertex attribute "name" where there is one, else the index; the edge attribute "weight" (or `weight=`)
    is the weight.
    """
    pairs = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    attribute, there = names.weight or "weight", graph.es.attributes()
    weighted = attribute in there and not (names.weight is None and attribute in names.columns)
    weights = np.array(graph.es[attribute], np.float64) if weighted else None
    vertices = id_array(graph.vs["name"]) if "name" in graph.vs.attributes() else np.arange(graph.vcount())
    values = _not_none(_fitted(names.columns, there, lambda name: graph.es[name]))
    attributes = graph.vs.attributes()
    renamed = "name_" in attributes  # as `to_igraph` calls a column "name"
    held = _not_none(
        _fitted(names.vertices, attributes, lambda name: graph.vs["name_" if renamed and name == "name" else name])
    )
    sources, targets = vertices.take(pairs[:, 0]), vertices.take(pairs[:, 1])
    chunks = [EdgeColumns(sources, targets, weights, values)] if len(pairs) else []
    return EdgeSource(chunks, vertices, held, undirected=not graph.is_directed())


def _not_none(values: dict[str, Any]) -> dict[str, Any]:
    """igraph has None where a vertex or edge has no such attribute: it does not give the column."""
    return {
        name: PartlyGiven(array, np.asarray(array.is_valid(), np.bool_)) if array.null_count else array
        for name, array in values.items()
    }
