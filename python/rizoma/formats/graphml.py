"""GraphML (Brandes et al., 2002): XML with `graph`, `node` and `edge`, and `data` for what belongs to them.

Ids are strings, or integers if all of them are written as such.  The weight of an edge is its datum whose key has the
attr.name `weight`; all other data are values of columns, of the types that their keys have.  Nested graphs, hyperedges
and graphs with edges of both kinds are refused; entities are, too, since a short file can make them as long as it
wants.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

from ._document import Columns, Content, Document, FaultError, rows_of
from ._xml import attribute, numbered, parse_xml

__all__ = ["parse", "pieces"]

_WHOLE = ("int", "long")
_TYPES = {
    "bool": "boolean",
    "int8": "int",
    "int16": "int",
    "int32": "int",
    "uint8": "int",
    "uint16": "int",
    "int64": "long",
    "uint32": "long",
    "uint64": "long",
    "float32": "float",
    "float64": "double",
}


class _Handler:
    """Gathers the graph from the parser's calls."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.document = Document()
        self.parser = parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        self.graphs = 0
        self._keys: dict[tuple[str, str], tuple[str, str]] = {}  # by what they are for, and their id: name and type
        self._defaults: dict[str, dict[str, Any]] = {"node": {}, "edge": {}}
        self._declared: tuple[list[str], str, str] = ([], "", "")
        self._within: list[str] = []
        self._datum: str | None = None
        self._of: tuple[str, str] = ("", "")

    def fault(self, what: str) -> FaultError:
        return FaultError(what, self.parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        if tag == "key":
            self._start_key(attributes)
        elif tag == "graph":
            self._start_graph(attributes)
        elif tag == "node":
            self.document.vertices.append(self._wanted(attributes, "id", tag))
            self.document.vertex_values.append(dict(self._defaults["node"]))
        elif tag == "edge":
            self._start_edge(attributes)
        elif tag == "hyperedge":
            raise self.fault("hyperedges are not read")
        elif tag == "default":
            self._datum = ""
        elif tag == "data" and self._within[-1:] in (["node"], ["edge"]):
            found = self._keys.get((self._within[-1], attributes.get("key", "")))
            self._datum, self._of = (None, self._of) if found is None else ("", found)
        self._within.append(tag)

    def _wanted(self, attributes: dict[str, str], name: str, tag: str) -> str:
        if name not in attributes:
            raise self.fault(f"{'an' if tag == 'edge' else 'a'} {tag} has no {name}")
        return attributes[name]

    def _start_key(self, attributes: dict[str, str]) -> None:
        wanted = attributes.get("for", "all")
        kinds = [kind for kind in ("node", "edge") if wanted in (kind, "all")]
        key = attributes.get("id", "")
        name = attributes.get("attr.name", key)
        type_ = attributes.get("attr.type", "double" if name == "weight" else "string")
        self._declared = (kinds, name, type_)
        for kind in kinds:
            self._keys[kind, key] = (name, type_)

    def _start_graph(self, attributes: dict[str, str]) -> None:
        if "graph" in self._within:
            raise self.fault("a graph within a node is not read")
        self.graphs += 1
        if self.graphs > 1:
            raise self.fault("the file has a second graph")
        self.document.directed = attributes.get("edgedefault") == "directed"

    def _start_edge(self, attributes: dict[str, str]) -> None:
        said = attributes.get("directed")
        if said is not None and (said == "true") != self.document.directed:
            raise self.fault("edges with and edges without a direction are in one graph")
        self.document.sources.append(self._wanted(attributes, "source", "edge"))
        self.document.targets.append(self._wanted(attributes, "target", "edge"))
        values = dict(self._defaults["edge"])
        self.document.weights.append(values.pop("weight", None))
        self.document.edge_values.append(values)

    def _text(self, text: str) -> None:
        if self._datum is not None:
            self._datum += text

    def _end(self, name: str) -> None:
        tag = self._within.pop()
        if self._datum is None or tag not in ("data", "default"):
            return
        if tag == "default":
            kinds, name, type_ = self._declared
            for kind in kinds:
                self._defaults[kind][name] = self._value(self._datum, name, type_)
        else:
            name, type_ = self._of
            value = self._value(self._datum, name, type_)
            if self._within[-1] == "node":
                self.document.vertex_values[-1][name] = value
            elif name == "weight":
                self.document.weights[-1] = value
            else:
                self.document.edge_values[-1][name] = value
        self._datum = None

    def _value(self, text: str, name: str, type_: str) -> Any:
        if type_ == "string" and name != "weight":
            return text
        if type_ == "boolean":
            return text.strip().lower() in ("true", "1")
        try:
            return int(text) if type_ in _WHOLE else float(text)
        except ValueError:
            raise self.fault(f"the {name} {text.strip()!r} is no number") from None


def parse(data: bytes) -> Document:
    """Read the graph of a file."""
    handler = parse_xml(data, _Handler)
    if handler.graphs == 0:
        raise FaultError("there is no element `graph`")
    return numbered(handler.document)


_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""


def pieces(content: Content) -> Iterator[str]:
    """Yield the text of a file."""
    yield _HEAD
    kinds = {"edge": ({"weight": "float64"} if content.weighted else {}) | content.edge_columns}
    for kind, columns in (kinds | {"node": content.vertex_columns}).items():
        for name, type_ in columns.items():
            said = f'for="{kind}" attr.name={attribute(name)} attr.type="{_TYPES.get(type_, "string")}"'
            yield f"<key id={_key(kind, name)} {said}/>\n"
    yield f'<graph edgedefault="{"directed" if content.directed else "undirected"}">\n'
    for ids, values in content.vertices:
        data = _data("node", values, len(ids))
        yield "".join(_element(f"node id={attribute(name)}", more) for name, more in zip(ids, data, strict=True))
    for sources, targets, weights, values in content.edges:
        if weights is not None:
            values = {"weight": weights} | values
        pairs = zip(map(attribute, sources), map(attribute, targets), strict=True)
        data = _data("edge", values, len(sources))
        yield "".join(
            _element(f"edge source={u} target={v}", more) for (u, v), more in zip(pairs, data, strict=True)
        )
    yield "</graph>\n</graphml>\n"


def _key(kind: str, name: str) -> str:
    """The id of a key; names of columns of edges and of vertices may be equal."""
    return attribute(name if kind == "edge" else f"vertex {name}")


def _element(start: str, data: str) -> str:
    return f"<{start}>{data}</{start.split()[0]}>\n" if data else f"<{start}/>\n"


def _data(kind: str, columns: Columns, count: int) -> Iterator[str]:
    for row in rows_of(columns, count):
        yield "".join(f"<data key={_key(kind, name)}>{_written(value)}</data>" for name, value in row)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return escape(value if isinstance(value, str) else repr(value), {"\r": "&#13;"})
