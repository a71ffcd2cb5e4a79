"""What the formats in XML share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from ...core.plain_numbers import are_plain_integers
from ._document import Document, FaultError

__all__ = ["attribute", "numbered", "parse_xml"]

H = TypeVar("H")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def parse_xml(data: bytes, handler: Callable[[expat.XMLParserType], H]) -> H:
    """Parse a document with the handler that is made for the parser.

    Entities are refused, since a short file can make them as long as it wants.
    """
    parser = expat.ParserCreate()

    def refuse(name: str, *_: Any) -> NoReturn:
        line = parser.CurrentLineNumber
        raise FaultError(
            f"the file declares the entity {name!r}, but entities are not read; write its text in their place", line
        )

    parser.EntityDeclHandler = refuse
    made = handler(parser)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise FaultError(f"{expat.ErrorString(error.code)}; mend the XML, or write it again", error.lineno) from None
    return made


def numbered(document: Document) -> Document:
    """The same with integers as ids if all of them are written as such; edges lead between its nodes."""
    known = set(document.vertices)
    if len(known) < len(document.vertices):
        twice = next(name for name, count in Counter(document.vertices).items() if count > 1)
        raise FaultError(f"two nodes have one id, {twice!r}; give each its own")
    for end in (*document.sources, *document.targets):
        if end not in known:
            raise FaultError(
                f"an edge leads from or to {end!r}, but no node has this id; add the node, or mend the edge"
            )
    if are_plain_integers(known):
        document.vertices = [int(name) for name in document.vertices]
        document.sources = [int(name) for name in document.sources]
        document.targets = [int(name) for name in document.targets]
    return document


def attribute(name: Any) -> str:
    """An id in quotes; what XML would take for blanks is written as a reference.

    FaultError: it has a character that XML has no way to write.
    """
    if isinstance(name, str) and _FORBIDDEN.search(name):
        raise FaultError(f"{name!r} has a control character, which XML cannot hold; write .json or .gml instead")
    entities = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
    return quoteattr(name, entities) if isinstance(name, str) else f'"{name}"'
