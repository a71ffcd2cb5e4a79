"""GEXF, the exchange format of Gephi (2009): XML with `nodes` and `edges`.

Ids are strings, or integers if all of them are written as such.  The weight of an edge is its attribute `weight`.
Other attributes are values of columns, of the types that they are declared with; values that are not one of their type
are text, and so are labels of nodes that differ from the ids (`label`).  Edges without a direction, and mutual ones,
count in both where others have one.  Nodes within nodes and entities are refused.  Times, looks, and ids,
labels and kinds of edges are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from ...core.plain_numbers import plain_number
from ...graph.column_types import arrow_type, kind_of
from ._document import Columns, Content, Document, FaultError, rows_of, settle_direction
from ._xml import attribute, numbered, parse_xml

__all__ = ["parse", "pieces"]


_DIRECTIONS = ("directed", "undirected", "mutual")
_WHOLE = ("integer", "int", "long")
_TRUTHS = {"true": True, "1": True, "false": False, "0": False}
_LOOKS = ("color", "position", "size", "shape", "thickness")
_TIMES = frozenset(("start", "end", "startopen", "endopen", "timestamp", "timestamps", "intervals"))


class _Handler:
    """Gathers the graph from the parser's calls."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.document = Document()
        self.parser = parser
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        self.graphs = 0
        self._nodes = 0  # that are open
        self._kind = "undirected"
        self._class = ""  # of the attributes that are being declared
        self._declared: dict[tuple[str, str], tuple[str, str]] = {}  # by class and id: title and type
        self._last = ("", "string")  # the attribute that was declared last
        self._default: str | None = None  # its value where there is none, while it is read
        self._defaults: dict[str, dict[str, Any]] = {"node": {}, "edge": {}}  # by class and title
        self._within = ""  # the node or edge whose values are read
        self._given: set[str] = set()  # their titles
        self.has_times = self.has_parents = False

    def _fault(self, what: str) -> FaultError:
        return FaultError(what, self.parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        if tag in ("node", "edge", "spell"):
            self.has_times = self.has_times or not _TIMES.isdisjoint(attributes)
        if tag == "graph":
            self._start_graph(attributes)
        elif tag == "node":
            self._nodes += 1
            if self._nodes > 1:
                raise self._fault("a node within a node is not read; write all nodes beside one another")
            self._within = tag
            self.document.vertices.append(self._wanted(attributes, "id", tag))
            self.has_parents = self.has_parents or "pid" in attributes
            labelled = attributes.get("label", attributes["id"]) != attributes["id"]
            label = {"label": attributes["label"]} if labelled else {}
            self._given = set(label)
            self.document.vertex_values.append(self._defaults["node"] | label)
        elif tag == "edge":
            self._within = tag
            self._start_edge(attributes)
        elif tag == "attributes":
            self._class = attributes.get("class", "")
        elif tag == "attribute":
            title = attributes.get("title", self._wanted(attributes, "id", tag))
            self._declare(attributes["id"], title, attributes.get("type", "string"))
        elif tag == "default":
            self._default = ""
        elif tag == "attvalue":
            self._value(attributes)
        elif tag in _LOOKS and self._within:
            self.document.leave_out("edges" if self._within == "edge" else "vertices", name)

    def _end(self, name: str) -> None:
        tag = name.rpartition(":")[2]
        if tag == "node":
            self._nodes -= 1
        elif tag == "default" and self._default is not None:
            title, type_ = self._last
            self._defaults.setdefault(self._class, {})[title] = _read(self._default, type_)
            self._default = None

    def _text(self, text: str) -> None:
        if self._default is not None:
            self._default += text

    def _declare(self, key: str, title: str, type_: str) -> None:
        self._declared[self._class, key] = self._last = (title, type_)
        if (self._class, title) != ("edge", "weight"):
            self.document.declared[self._class, title] = _column_type(type_)

    def _wanted(self, attributes: dict[str, str], name: str, tag: str) -> str:
        if name not in attributes:
            raise self._fault(f"{'an' if tag == 'edge' else 'a'} {tag} has no {name}; give it one")
        return attributes[name]

    def _start_graph(self, attributes: dict[str, str]) -> None:
        self.graphs += 1
        if self.graphs > 1:
            raise self._fault("the file has a second graph; write each graph to a file of its own")
        self._kind = self._direction(attributes, "defaultedgetype", "undirected")
        self.document.directed = self._kind == "directed"

    def _direction(self, attributes: dict[str, str], name: str, otherwise: str) -> str:
        said = attributes.get(name, otherwise).lower()
        if said not in _DIRECTIONS:
            raise self._fault(f"{name} is {said!r}; expected one of {', '.join(_DIRECTIONS)}")
        return said

    def _start_edge(self, attributes: dict[str, str]) -> None:
        place = len(self.document.sources)
        for name in ("id", "label", "kind"):
            if name in attributes and (name != "id" or attributes[name] not in (str(place), str(place + 1))):
                self.document.leave_out("edges", name)
        self.document.undirected.append(self._direction(attributes, "type", self._kind) != "directed")
        self.document.sources.append(self._wanted(attributes, "source", "edge"))
        self.document.targets.append(self._wanted(attributes, "target", "edge"))
        self.document.weights.append(self._weight(attributes.get("weight")))
        self._given = set()
        self.document.edge_values.append(dict(self._defaults["edge"]))

    def _value(self, attributes: dict[str, str]) -> None:
        key = attributes.get("for", attributes.get("id", ""))
        title, type_ = self._declared.get((self._within, key), (key, "string"))
        text = attributes.get("value", "")
        if title in self._given:
            self.document.twice.add((self._within, title))
        self._given.add(title)
        try:
            values = self.document.vertex_values if self._within == "node" else self.document.edge_values
            values[-1][title] = _read(text, type_)
        except IndexError:
            raise self._fault(
                "an attvalue stands outside of a node and an edge; move it into one, or leave it out"
            ) from None

    def _weight(self, text: str | None) -> float | int | None:
        if text is None:
            return None
        try:
            number: float = plain_number(text)
        except ValueError:
            raise self._fault(f"the weight {text!r} is not a number; correct it, or leave it out") from None
        return number


def _column_type(type_: str) -> str:
    """The type of a column that holds the values of an attribute of this type."""
    if type_ in _WHOLE:
        return "int64"
    return {"boolean": "boolean", "float": "float64", "double": "float64"}.get(type_, "string")


def _read(text: str, type_: str) -> Any:
    try:
        if type_ == "boolean":
            return _TRUTHS.get(text.strip().lower(), text)
        if type_ in _WHOLE:
            return plain_number(text, int)
        return plain_number(text) if type_ in ("float", "double") else text
    except ValueError:  # an error says so when the values are fitted to their column
        return text


def parse(data: bytes) -> Document:
    """Read the graph of a file."""
    handler = parse_xml(data, _Handler)
    if handler.graphs == 0:
        raise FaultError("there is no element `graph`, so this is no GEXF; name the format with format=")
    document = handler.document
    settle_direction(document)
    _settle_weights(document)
    if handler.has_times:
        document.guesses.append("times of nodes and edges are not read: all of them are there")
    if handler.has_parents:
        document.guesses.append("parents of nodes (pid) are not read: all nodes lie beside one another")
    return numbered(document)


def _settle_weights(document: Document) -> None:
    """Take the attribute `weight` for the weight if all that have one have a number, and no edge says it otherwise."""
    said = [row["weight"] for row in document.edge_values if "weight" in row]
    if not said:
        return
    if ("edge", "weight") in document.twice:
        raise FaultError("an edge has two values of 'weight'; leave one of them out")
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in said)
    if numbers and not any(weight is not None for weight in document.weights):
        document.weights = [row.pop("weight", None) for row in document.edge_values]
        return
    why = "edges have a weight beside it" if numbers else "it is not a number in all of them"
    document.guesses.append(f"the attribute 'weight' of edges is not read as the weight: {why}")


def pieces(content: Content) -> Iterator[str]:
    """Yield the text of a file."""
    kind = "directed" if content.directed else "undirected"
    ids = "string" if content.strings else "integer"
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'
    yield f'<graph defaultedgetype="{kind}" idtype="{ids}">\n'
    yield _declared("node", content.vertex_columns) + _declared("edge", content.edge_columns)
    yield "<nodes>\n"
    for names, values in content.vertices:
        data = _data(values, len(names))
        yield "".join(
            _element(f"node id={name} label={name}", more)
            for name, more in zip(map(attribute, names), data, strict=True)
        )
    yield "</nodes>\n<edges>\n"
    number = 0
    for sources, targets, weights, values in content.edges:
        pairs = zip(map(attribute, sources), map(attribute, targets), strict=True)
        said = [""] * len(sources) if weights is None else [f' weight="{weight!r}"' for weight in weights]
        rows = zip(pairs, said, _data(values, len(sources)), strict=True)
        yield "".join(
            _element(f'edge id="{place}" source={source} target={target}{weight}', more)
            for place, ((source, target), weight, more) in enumerate(rows, start=number)
        )
        number += len(sources)
    yield "</edges>\n</graph>\n</gexf>\n"


def _type_of(name: str) -> str:
    """The type of GEXF that holds the values of a column."""
    kind = kind_of(name)
    if kind == "boolean":
        return "boolean"
    if kind not in ("integer", "real"):
        return "string"
    bits = arrow_type(name).bit_width
    if kind == "real":
        return "float" if bits == 32 else "double"
    return "integer" if bits < 32 or name == "int32" else "long"


def _declared(kind: str, columns: dict[str, str]) -> str:
    rows = "".join(
        f'<attribute id={attribute(name)} title={attribute(name)} type="{_type_of(type_)}"/>'
        for name, type_ in columns.items()
    )
    return f'<attributes class="{kind}">{rows}</attributes>\n' if rows else ""


def _data(columns: Columns, count: int) -> Iterator[str]:
    for row in rows_of(columns, count):
        values = "".join(f"<attvalue for={attribute(name)} value={attribute(_text(value))}/>" for name, value in row)
        yield f"<attvalues>{values}</attvalues>" if values else ""


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _element(start: str, data: str) -> str:
    return f"<{start}>{data}</{start.split()[0]}>\n" if data else f"<{start}/>\n"
