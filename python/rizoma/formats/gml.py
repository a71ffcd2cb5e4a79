"""GML, the Graph Modelling Language (Himsolt, 1997): `graph [ node [ id 1 label "a" ] edge [ source 1 target 2 ] ]`.

Vertices are named by their labels if every one has a label and no two the same, as other programs do it; else by
their ids.  The weight of an edge is its `weight`, else its `value`.  All other numbers and strings are values of
columns.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from ._document import Columns, Content, Document, FaultError, rows_of

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
    document.vertex_values = [_values(node, ("id", "label") if labelled else ("id",)) for node in nodes]
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
    document.edge_values.append(_values(edge, ("source", "target", "weight")))


def _values(record: list[tuple[str, Any]], own: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in record if key not in own and not isinstance(value, list)}


def _first(record: list[tuple[str, Any]], wanted: str) -> Any:
    return next((value for key, value in record if key == wanted), None)


def _quoted(text: str) -> str:
    escaped = html.escape(text, quote=True).replace("&#x27;", "'")
    return '"' + "".join(c if " " <= c < "\x7f" else f"&#{ord(c)};" for c in escaped) + '"'


def _lines(columns: Columns, count: int) -> Iterator[str]:
    """Keys and values of each row.  A key has letters and digits alone: others are left out of the name."""
    keys = {name: re.sub(r"^(?=\d)|\W", "_", name, flags=re.ASCII) for name in columns}
    for row in rows_of(columns, count):
        yield "".join(f"    {keys[name]} {_written(value)}\n" for name, value in row)


def _written(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    return str(int(value)) if isinstance(value, bool) else repr(value)


def pieces(content: Content) -> Iterator[str]:
    """Yield the text of a file; ids that are strings become labels."""
    yield f"graph [\n  directed {int(content.directed)}\n"
    numbers: dict[Any, int] = {}
    for ids, values in content.vertices:
        says = _lines(values, len(ids))
        if content.strings:
            first = len(numbers)
            numbers.update((name, first + place) for place, name in enumerate(ids))
            yield "".join(
                f"  node [\n    id {numbers[name]}\n    label {_quoted(name)}\n{more}  ]\n"
                for name, more in zip(ids, says, strict=True)
            )
        else:
            yield "".join(f"  node [\n    id {number}\n{more}  ]\n" for number, more in zip(ids, says, strict=True))
    for sources, targets, weights, values in content.edges:
        if content.strings:
            sources, targets = [numbers[name] for name in sources], [numbers[name] for name in targets]
        if weights is not None:
            values = {"weight": weights} | values
        yield "".join(
            f"  edge [\n    source {u}\n    target {v}\n{more}  ]\n"
            for u, v, more in zip(sources, targets, _lines(values, len(sources)), strict=True)
        )
    yield "]\n"
