"""GML, the Graph Modelling Language (Himsolt, 1997): `graph [ node [ id 1 label "a" ] edge [ source 1 target 2 ] ]`.

Vertices are named by their labels if every one has a label and no two the same, as other programs do it; else by
their ids.  The weight of an edge is its `weight`, else its `value`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from ._document import Content, Document, FaultError

__all__ = ["parse", "pieces"]

_TOKEN = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*(?:(?P<key>[A-Za-z_]\w*)|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r'|"(?P<text>[^"]*)"|(?P<open>\[)|(?P<close>\])|(?P<end>(?:#[^\n]*)?\Z))'
)
_MOST_NESTED = 100


class _Reader:
    """Reads keys and values; a record is a list of (key, value)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def _next(self) -> tuple[str, str]:
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            raise self.fault("expected a key, a number, a string in quotes, [ or ]")
        self._at = found.end()
        kind = str(found.lastgroup)
        return kind, found[kind]

    def fault(self, what: str) -> FaultError:
        """Return a fault at the place that is being read."""
        return FaultError(what, self._text.count("\n", 0, self._at) + 1)

    def record(self, closed_by: str, depth: int = 0) -> list[tuple[str, Any]]:
        """Read keys and values to the end of a record, or of the file."""
        if depth > _MOST_NESTED:
            raise self.fault(f"records are nested more than {_MOST_NESTED} deep")
        found: list[tuple[str, Any]] = []
        while True:
            kind, key = self._next()
            if kind == closed_by:
                return found
            if kind != "key":
                raise self.fault("the file ends within a record" if kind == "end" else f"expected a key, found {key!r}")
            found.append((key, self._value(depth)))

    def _value(self, depth: int) -> Any:
        kind, text = self._next()
        if kind == "open":
            return self.record("close", depth + 1)
        if kind == "text":
            return html.unescape(text)
        if kind == "number":
            return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
        if kind == "key" and text.lower() in ("nan", "inf", "infinity"):
            return float(text)
        raise self.fault(f"expected a value, found {text!r}")


def parse(data: bytes) -> Document:
    """Read the first graph of a file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # what the definition asks for
    graph = _first(_Reader(text).record("end"), "graph")
    if not isinstance(graph, list):
        raise FaultError("there is no record `graph [ ... ]`")
    nodes = [value for key, value in graph if key == "node" and isinstance(value, list)]
    ids = [_first(node, "id") for node in nodes]
    labels = [_first(node, "label") for node in nodes]
    if not all(isinstance(number, int) for number in ids):
        raise FaultError("a node has no id that is an integer")
    if len(set(ids)) < len(ids):
        raise FaultError("two nodes have one id")
    labelled = all(isinstance(label, str) for label in labels) and len(set(labels)) == len(labels)
    names = dict(zip(ids, labels if labelled else ids, strict=True))
    document = Document(directed=_first(graph, "directed") == 1, vertices=list(names.values()))
    for key, edge in graph:
        if key == "edge" and isinstance(edge, list):
            _add_edge(document, edge, names)
    return document


def _add_edge(document: Document, edge: list[tuple[str, Any]], names: dict[int, Any]) -> None:
    ends = _first(edge, "source"), _first(edge, "target")
    for end in ends:
        if end not in names:
            raise FaultError(f"an edge leads from or to {end!r}, which is the id of no node")
    weight = _first(edge, "weight")
    weight = _first(edge, "value") if weight is None else weight
    document.sources.append(names[ends[0]])
    document.targets.append(names[ends[1]])
    document.weights.append(weight if isinstance(weight, (int, float)) else None)


def _first(record: list[tuple[str, Any]], wanted: str) -> Any:
    return next((value for key, value in record if key == wanted), None)


def _quoted(text: str) -> str:
    escaped = html.escape(text, quote=True).replace("&#x27;", "'")
    return '"' + "".join(c if " " <= c < "\x7f" else f"&#{ord(c)};" for c in escaped) + '"'


def pieces(content: Content) -> Iterator[str]:
    """Yield the text of a file; ids that are strings become labels."""
    yield f"graph [\n  directed {int(content.directed)}\n"
    numbers: dict[Any, int] = {}
    for ids in content.vertices:
        if content.strings:
            first = len(numbers)
            numbers.update((name, first + place) for place, name in enumerate(ids))
            yield "".join(f"  node [\n    id {numbers[name]}\n    label {_quoted(name)}\n  ]\n" for name in ids)
        else:
            yield "".join(f"  node [\n    id {number}\n  ]\n" for number in ids)
    for sources, targets, weights in content.edges:
        if content.strings:
            sources, targets = [numbers[name] for name in sources], [numbers[name] for name in targets]
        says = [""] * len(sources) if weights is None else [f"    weight {weight!r}\n" for weight in weights]
        yield "".join(
            f"  edge [\n    source {u}\n    target {v}\n{weight}  ]\n"
            for u, v, weight in zip(sources, targets, says, strict=True)
        )
    yield "]\n"
