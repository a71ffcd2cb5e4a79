"""Edges from graph objects: of this package, NetworkX and igraph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.errors import ColumnNotFoundError, InvalidArgumentError
from ...core.lazy_numpy import np
from ...core.plain_numbers import is_plain_number
from ..ids import IdArray, id_array
from ..schema import PartlyGiven, fitted, fitted_records
from . import arrow
from .columns import (
    DIRECTION_IS_LOST,
    ColumnNames,
    EdgeColumns,
    EdgeSource,
    as_weights,
    expect_columns,
    expect_places,
    not_read_notes,
)
from .interpret import SAMPLE, ids_guess

__all__ = ["direction_of", "from_igraph", "from_networkx", "from_rizoma", "with_direction"]


def from_rizoma(graph: Any, names: ColumnNames) -> EdgeSource:
    """All vertices and edges of a graph or snapshot, as it is now."""
    expect_places(names, "a graph")
    state = graph.snapshot()
    vertices = state.vertices.reader().read_all()
    values = _fitted(names.vertices, vertices.schema.names, vertices.column)
    edges = arrow.from_arrow(state.edges, replace(names, refusal=None))
    kept = [*names.columns, names.weight or "weight", "source", "target"]
    of_edges, of_vertices = state.edges.schema.names, state.vertex_columns
    return replace(
        edges,
        vertices=id_array(vertices.column("vertex")),
        vertex_values=values,
        directed=state.directed,
        undirected=not state.directed,
        undirected_guesses=[DIRECTION_IS_LOST] if state.directed else [],
        notes=(),  # the ends need no note
        left_out=not_read_notes(of_edges, kept, of_vertices, names.vertices),
        multigraph=state.is_multigraph(),
    )


def direction_of(edges: Any) -> bool | None:
    """Whether edges have a direction of which only a graph's list of them is given; None: it is something else."""
    if type(edges).__module__.startswith("networkx."):
        graph = getattr(getattr(edges, "_viewer", edges), "_graph", None)
        return None if graph is None or hasattr(edges, "edges") else bool(graph.is_directed())
    return bool(edges._snapshot.schema.directed) if type(edges).__name__ == "EdgeScan" else None


def with_direction(edges: EdgeSource, directed: bool) -> EdgeSource:
    """A list of edges as the graph says that has them."""
    lost = [DIRECTION_IS_LOST] if directed else []
    return replace(edges, directed=directed, undirected=not directed, undirected_guesses=lost)


def _fitted(columns: Any, there: Collection[str], values_of: Callable[[str], Any]) -> dict[str, Any]:
    """The values for which the graph has columns."""
    return {name: fitted(values_of(name), name, kind) for name, kind in columns.items() if name in there}


def from_networkx(graph: Any, names: ColumnNames) -> EdgeSource:
    """All vertices and edges, with those of their attributes that the graph has columns for.

    The edge attribute "weight" (or `weight=`) is the weight, 1 where missing, as NetworkX counts it.
    """
    expect_places(names, "a graph")
    attribute = names.weight or "weight"
    vertices = id_array(list(graph.nodes), "node")
    of_vertices = [data for _, data in graph.nodes(data=True)]
    there = dict.fromkeys(name for each in of_vertices for name in each)
    held = _of_records(of_vertices, names.vertices)
    edges = list(graph.edges(data=True))
    chunks: list[EdgeColumns] = []
    guesses: list[str] = []
    of_edges: dict[Any, None] = {}
    if edges:
        sources, targets, data = zip(*edges, strict=True)
        of_edges = dict.fromkeys(name for each in data for name in each)
        expect_columns(names, of_edges)
        weights, rounded, given = None, 0, None
        if attribute in of_edges:
            weights, rounded, given = _weights([each.get(attribute) for each in data], attribute, names, guesses)
        values = _of_records(data, names.columns)
        ends = id_array(sources, "source"), id_array(targets, "target")
        chunks.append(EdgeColumns(*ends, weights, values, rounded=rounded, weights_given=given))
        if weights is None:
            _expect_weights(names, attribute, of_edges)
    left_out = not_read_notes(of_edges, [*names.columns, attribute], there, names.vertices) + _lost_keys(graph)
    multigraph = bool(graph.is_multigraph())
    return _of_graph(graph, chunks, vertices, held, left_out, guesses, multigraph, _not_empty(graph.graph))


def _lost_keys(graph: Any) -> list[str]:
    """What to say of keys of a multigraph that do not only count the edges between two vertices."""
    if not graph.is_multigraph():
        return []
    counted: dict[tuple[Any, Any], list[Any]] = {}
    for source, target, key in graph.edges(keys=True):
        counted.setdefault((source, target), []).append(key)
    lost = next((key for keys in counted.values() if set(keys) != set(range(len(keys))) for key in keys), None)
    if lost is None:
        return []
    return [
        f"not read: keys of edges, such as {lost!r}; to keep them copy them into an attribute of edges, and name it "
        "with its type (edges=)"
    ]


def _not_empty(values: Mapping[str, Any]) -> list[str]:
    """The names of values but those that are empty, as NetworkX's readers leave some."""
    return [name for name, value in values.items() if not (isinstance(value, (dict, list, str)) and not value)]


def _of_graph(
    graph: Any,
    chunks: list[EdgeColumns],
    vertices: IdArray,
    held: dict[str, Any],
    left_out: list[str],
    guesses: list[str],
    multigraph: bool,
    of_graph: Sequence[str],
) -> EdgeSource:
    unread = ", ".join(f'"{name}"' for name in of_graph)
    directed = bool(graph.is_directed())
    if not isinstance(vertices, np.ndarray):
        guess = ids_guess("nodes", vertices.slice(0, SAMPLE).to_pylist())
        guesses = [*guesses, guess] if guess else guesses
    return EdgeSource(
        chunks,
        vertices,
        held,
        directed=directed,
        undirected=not directed,
        undirected_guesses=[DIRECTION_IS_LOST] if directed else [],
        guesses=guesses,
        notes=[f"not read, of the graph itself: {unread}"] if unread else [],
        left_out=left_out,
        multigraph=multigraph,
    )


def _weights(values: Sequence[Any], attribute: str, names: ColumnNames, guesses: list[str]) -> tuple[Any, int, Any]:
    """Weights, 1 where an edge has none, how many are rounded, and which edges have one if some do not.

    None if the attribute holds something else, and no option asks for it.
    """
    missing = sum(value is None for value in values)
    if missing == len(values):
        return None, 0, None
    try:
        weights, rounded = as_weights([1 if value is None else value for value in values])
        if not missing:
            return weights, rounded, None
        guesses.append(
            f"{missing:,} of {len(values):,} edges have no {attribute!r}: each of them weighs 1, or keeps the weight "
            "that the edge has"
        )
        return weights, rounded, np.fromiter((value is not None for value in values), np.bool_, len(values))
    except (TypeError, ValueError, OverflowError):
        odd = next(value for value in values if not (value is None or is_plain_number(value)))
        if names.weight is not None or names.weighted:
            raise InvalidArgumentError(
                f"the attribute {attribute!r} of an edge is {odd!r}, which is not a weight; correct it, or name "
                "another attribute with weight="
            ) from None
    guesses.append(f"{attribute!r} is not read as the weight, because an edge has {odd!r}, which is not a number")
    return None, 0, None


def _expect_weights(names: ColumnNames, attribute: str, there: Collection[Any]) -> None:
    """Refuse edges of which none has the weight that is asked for; where some have it, it is 1 for the others."""
    if names.weight is not None or names.weighted:
        known = ", ".join(sorted(map(str, there))) or "none"
        raise ColumnNotFoundError(
            f"weights were asked for, and no edge has the attribute {attribute!r} (there are {known}); name another "
            "one with weight=, or read without weights (weights=False; each edge that is added to a graph with "
            "weights then weighs 1)"
        )


def _of_records(records: Sequence[Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """The values of the columns that some record has."""
    there = {str(name): name for each in records for name in each}
    return {name: fitted_records(records, there[name], name, kind) for name, kind in columns.items() if name in there}


def from_igraph(graph: Any, names: ColumnNames) -> EdgeSource:
    """All vertices and edges, with those of their attributes that the graph has columns for.

    Ids are the vertex attribute "name" where there is one and no two vertices have the same, else the index; the edge
    attribute "weight" (or `weight=`) is the weight.
    """
    expect_places(names, "a graph")
    pairs = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    attribute, there, attributes = names.weight or "weight", graph.es.attributes(), graph.vs.attributes()
    guesses: list[str] = []
    if len(pairs):
        expect_columns(names, there)
    weighted = attribute in there and not (names.weight is None and attribute in names.columns)
    weights, rounded, given = None, 0, None
    if weighted:
        weights, rounded, given = _weights(graph.es[attribute], attribute, names, guesses)
    vertices = np.arange(graph.vcount())
    named = "name" in attributes
    if named and len(set(graph.vs["name"])) < graph.vcount():
        named = False
        twice = _repeated(graph.vs["name"])
        guesses.append(
            f"several vertices are called {twice!r}: the vertices are named by their numbers; give them different "
            "names to name them so"
        )
    if named:
        vertices = id_array(graph.vs["name"])
    values = _not_none(_fitted(names.columns, there, lambda name: graph.es[name]))
    renamed = "name_" in attributes  # as `to_igraph` calls a column "name"
    held = _not_none(
        _fitted(names.vertices, attributes, lambda name: graph.vs["name_" if renamed and name == "name" else name])
    )
    sources, targets = vertices.take(pairs[:, 0]), vertices.take(pairs[:, 1])
    of_pairs = EdgeColumns(sources, targets, weights, values, rounded=rounded, weights_given=given)
    chunks = [of_pairs] if len(pairs) else []
    kept = [*names.vertices, *(["name"] if named else []), *(["name_"] if renamed and "name" in held else [])]
    if weights is None and chunks:
        _expect_weights(names, attribute, there)
    left_out = not_read_notes(there, [*names.columns, attribute], attributes, kept)
    of_graph = _not_empty({name: graph[name] for name in graph.attributes()})
    return _of_graph(graph, chunks, vertices, held, left_out, guesses, True, of_graph)


def _repeated(names: Sequence[Any]) -> Any:
    """The first name that several have."""
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _not_none(values: dict[str, Any]) -> dict[str, Any]:
    """Mark values that igraph lacks (None) as not given."""
    return {
        name: PartlyGiven(array, np.asarray(array.is_valid(), np.bool_)) if array.null_count else array
        for name, array in values.items()
    }
