"""GraphML (Brandes et al., 2002): XML with `graph`, `node` and `edge`, and `data` for what belongs to them.

Ids are strings, or integers if all of them are written as such.  The weight of an edge is its datum whose key has the
attr.name `weight`.  Nested graphs, hyperedges and graphs with edges of both kinds are refused; entities are, too, since
a short file can make them as long as it wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from ._document import Content, Document, FaultError

__all__ = ["parse", "pieces"]

_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_WHOLE = ("int", "long")


class _Handler:
    """Gathers the graph from the parser's calls."""

    def __init__(self) -> None:
        self.document = Document()
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._refuse_entity
        self.graphs = 0
        self._weight_key: str | None = None
        self._weight_type = "double"
        self._default: float | int | None = None
        self._within: list[str] = []
        self._datum: str | None = None

    def fault(self, what: str) -> FaultError:
        return FaultError(what, self.parser.CurrentLineNumber)

    def _refuse_entity(self, name: str, *_: Any) -> None:
        raise self.fault(f"the file declares the entity {name!r}, and entities are not read")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        if tag == "key":
            self._start_key(attributes)
        elif tag == "graph":
            self._start_graph(attributes)
        elif tag == "node":
            self.document.vertices.append(self._wanted(attributes, "id", tag))
        elif tag == "edge":
            self._start_edge(attributes)
        elif tag == "hyperedge":
            raise self.fault("hyperedges are not read")
        elif tag == "default" or (tag == "data" and self._within[-1:] == ["edge"]):
            self._datum = "" if tag == "default" or attributes.get("key") == self._weight_key else None
        self._within.append(tag)

    def _wanted(self, attributes: dict[str, str], name: str, tag: str) -> str:
        if name not in attributes:
            raise self.fault(f"a {tag} has no {name}")
        return attributes[name]

    def _start_key(self, attributes: dict[str, str]) -> None:
        edges = attributes.get("for", "all") in ("edge", "all")
        self._of_weight = edges and attributes.get("attr.name") == "weight"
        if self._of_weight:
            self._weight_key = attributes.get("id")
            self._weight_type = attributes.get("attr.type", "double")

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
        self.document.weights.append(self._default)

    def _text(self, text: str) -> None:
        if self._datum is not None:
            self._datum += text

    def _end(self, name: str) -> None:
        tag = self._within.pop()
        if self._datum is None or tag not in ("data", "default"):
            return
        if tag == "data":
            self.document.weights[-1] = self._number(self._datum)
        elif self._of_weight:
            self._default = self._number(self._datum)
        self._datum = None

    def _number(self, text: str) -> float | int:
        try:
            return int(text) if self._weight_type in _WHOLE else float(text)
        except ValueError:
            raise self.fault(f"the weight {text.strip()!r} is no number") from None


def parse(data: bytes) -> Document:
    """Read the graph of a file."""
    handler = _Handler()
    try:
        handler.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise FaultError(expat.ErrorString(error.code), error.lineno) from None
    if handler.graphs == 0:
        raise FaultError("there is no element `graph`")
    document = handler.document
    known = set(document.vertices)
    for end in (*document.sources, *document.targets):
        if end not in known:
            raise FaultError(f"an edge leads from or to {end!r}, which is the id of no node")
    if all(_INTEGER.fullmatch(name) for name in known):
        document.vertices = [int(name) for name in document.vertices]
        document.sources = [int(name) for name in document.sources]
        document.targets = [int(name) for name in document.targets]
    return document


_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""


def pieces(content: Content) -> Iterator[str]:
    """Yield the text of a file."""
    yield _HEAD
    if content.weighted:
        yield '<key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n'
    yield f'<graph edgedefault="{"directed" if content.directed else "undirected"}">\n'
    for ids in content.vertices:
        yield "".join(f"<node id={_attribute(name)}/>\n" for name in ids)
    for sources, targets, weights in content.edges:
        pairs = zip(map(_attribute, sources), map(_attribute, targets), strict=True)
        if weights is None:
            yield "".join(f"<edge source={u} target={v}/>\n" for u, v in pairs)
        else:
            yield "".join(
                f'<edge source={u} target={v}><data key="weight">{escape(repr(weight))}</data></edge>\n'
                for (u, v), weight in zip(pairs, weights, strict=True)
            )
    yield "</graph>\n</graphml>\n"


def _attribute(name: Any) -> str:
    """An id in quotes; what XML would take for blanks is written as a reference."""
    entities = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
    return quoteattr(name, entities) if isinstance(name, str) else f'"{name}"'
