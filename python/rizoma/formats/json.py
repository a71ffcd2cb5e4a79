"""JSON in the node-link form that D3 and NetworkX use: `{"directed": false, "nodes": [...], "edges": [...]}`.

The edges may be called `links`.  Nodes have an `id`, an integer or a string; edges have `source`, `target` and perhaps
`weight`.  Nodes without ids are numbered from 0.  Ids of both kinds in one file are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ._document import Content, Document, FaultError, rows_of

__all__ = ["parse", "pieces"]


def parse(data: bytes) -> Document:
    """Read the graph of a file."""
    try:
        graph = json.loads(data)
    except json.JSONDecodeError as error:
        raise FaultError(error.msg, error.lineno) from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise FaultError(str(error)) from None
    if isinstance(graph, list):
        raise FaultError(
            "expected an object with `nodes` and `edges`, not a list; rows of edges are read from JSON lines "
            "(.ndjson, an object a line), or as a table: rizoma.read(json.load(open(FILE)))"
        )
    if not isinstance(graph, dict):
        raise FaultError("expected an object with `nodes` and `edges`")
    _refuse_other_forms(graph)
    edges = graph.get("edges", graph.get("links"))
    document = Document(directed=graph.get("directed") is True)
    nodes = _records(graph.get("nodes"), "nodes")
    document.vertices = [_id(node, place) for place, node in enumerate(nodes)]
    document.vertex_values = [_values(node, ("id",)) for node in nodes]
    for edge in _records(edges, "edges"):
        if "source" not in edge or "target" not in edge:
            raise FaultError(f"an edge has no source or no target: {edge}")
        document.sources.append(edge["source"])
        document.targets.append(edge["target"])
        weight = edge.get("weight")
        document.weights.append(weight if isinstance(weight, (int, float)) else None)
        document.edge_values.append(_values(edge, ("source", "target", "weight")))
    return document


def _values(record: dict[str, Any], own: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in own and not isinstance(value, dict)}


def _refuse_other_forms(graph: dict[str, Any]) -> None:
    """Raise for graphs that other programs write as JSON, with the way to read them."""
    if any(name in graph for name in ("nodes", "edges", "links")):
        return
    way = "an object with `nodes` and `edges` is read here; {} by networkx.{}(json.load(open(FILE))), for rizoma.read"
    if isinstance(graph.get("elements"), dict):
        raise FaultError(way.format("Cytoscape's", "cytoscape_graph"))
    if graph and all(isinstance(neighbors, list) for neighbors in graph.values()):
        raise FaultError(way.format("lists of neighbours", "from_dict_of_lists"))


def _records(found: Any, name: str) -> list[dict[str, Any]]:
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise FaultError(f"expected a list of objects called `{name}`")
    return found


def _id(node: dict[str, Any], place: int) -> Any:
    return node.get("id", place)


def pieces(content: Content) -> Iterator[str]:
    """Yield the text of a file, a line for each node and edge."""
    yield f'{{"directed": {json.dumps(content.directed)}, "multigraph": false, "graph": {{}}, "nodes": ['
    mark = "\n"
    for ids, values in content.vertices:
        for name, row in zip(ids, rows_of(values, len(ids)), strict=True):
            yield f"{mark}{json.dumps({'id': name} | dict(row))}"
            mark = ",\n"
    yield '\n], "edges": ['
    mark = "\n"
    for sources, targets, weights, values in content.edges:
        if weights is not None:
            values = {"weight": weights} | values
        for u, v, row in zip(sources, targets, rows_of(values, len(sources)), strict=True):
            yield f"{mark}{json.dumps({'source': u, 'target': v} | dict(row))}"
            mark = ",\n"
    yield "\n]}\n"
