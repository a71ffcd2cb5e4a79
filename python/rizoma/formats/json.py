"""JSON in the node-link form that D3 and NetworkX use: `{"directed": false, "nodes": [...], "edges": [...]}`.

The edges may be called `links`.  Nodes have an `id`, an integer or a string; edges have `source`, `target` and perhaps
`weight`.  Nodes without ids are numbered from 0.  Ids of both kinds in one file are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ._document import Content, Document, FaultError

__all__ = ["parse", "pieces"]


def parse(data: bytes) -> Document:
    """Read the graph of a file."""
    try:
        graph = json.loads(data)
    except json.JSONDecodeError as error:
        raise FaultError(error.msg, error.lineno) from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise FaultError(str(error)) from None
    if not isinstance(graph, dict):
        raise FaultError("expected an object with `nodes` and `edges`")
    edges = graph.get("edges", graph.get("links"))
    document = Document(directed=graph.get("directed") is True)
    document.vertices = [_id(node, place) for place, node in enumerate(_records(graph.get("nodes"), "nodes"))]
    for edge in _records(edges, "edges"):
        if "source" not in edge or "target" not in edge:
            raise FaultError(f"an edge has no source or no target: {edge}")
        document.sources.append(edge["source"])
        document.targets.append(edge["target"])
        weight = edge.get("weight")
        document.weights.append(weight if isinstance(weight, (int, float)) else None)
    return document


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
    for ids in content.vertices:
        for name in ids:
            yield f'{mark}{{"id": {json.dumps(name)}}}'
            mark = ",\n"
    yield '\n], "edges": ['
    mark = "\n"
    for sources, targets, weights in content.edges:
        says = [""] * len(sources) if weights is None else [f', "weight": {weight!r}' for weight in weights]
        for u, v, weight in zip(sources, targets, says, strict=True):
            yield f'{mark}{{"source": {json.dumps(u)}, "target": {json.dumps(v)}{weight}}}'
            mark = ",\n"
    yield "\n]}\n"
