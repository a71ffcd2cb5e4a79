"""Formats that are documents: vertices and edges in nested records, as GML, GraphML, GEXF, JSON and Pajek have them.

A format is in the module of its name, `rizoma.formats.NAME`, and its files end in `.NAME`.  The module has
`parse(data)`, which makes a `Document` of the bytes of a file, and `pieces(content)`, which yields the text of a
file of a graph's `Content`, piece by piece.  What is wrong with the data is a `FaultError`.  A module is imported when
it is needed.

A document is held in memory while it is read, and parsed by one thread.  Formats that are lists of edges, for graphs
of any size, are in the core (src/ingest).
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol, cast

from ._document import Content, Document

__all__ = ["FORMATS", "Format", "format_of"]

FORMATS = [module.name for module in iter_modules(__path__) if not module.name.startswith("_")]
"""The names of the formats."""

_COMPRESSION = (".gz", ".zst")


class Format(Protocol):
    """What a module of a format has."""

    __name__: str

    def parse(self, data: bytes) -> Document:
        """Read the bytes of a file."""

    def pieces(self, content: Content) -> Iterator[str]:
        """Yield the text of a file."""


def format_of(path: Path, format: str = "auto") -> Format | None:
    """Return the format of a file, as given or by its ending; None: it is no document."""
    bare = path.with_suffix("") if path.suffix in _COMPRESSION else path
    name = bare.suffix[1:].lower() if format == "auto" else format
    return cast(Format, import_module(f"{__name__}.{name}")) if name in FORMATS else None
