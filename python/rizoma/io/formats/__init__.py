"""Formats of documents that are read and written in Python: GEXF and Pajek.

A format is in the module of its name, `rizoma.formats.NAME`, and its files end in `.NAME`.  The module has
`parse(data)`, which makes a `Document` of the bytes of a file, and `pieces(content)`, which yields the text of a
file of a graph's `Content`, piece by piece.  What is wrong with the data is a `FaultError`.  A module is imported when
it is needed.

A document is held in memory while it is read, and parsed by one thread.  All other formats, GML, GraphML and JSON among
them, are in the core (src/ingest).
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol, cast

from ._document import Content, Document

__all__ = ["FORMATS", "Format", "bare_ending", "format_of"]

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


def bare_ending(path: Path) -> str:
    """The ending of a file's name before that of compression, with its dot, in small letters."""
    bare = path.with_suffix("") if path.suffix in _COMPRESSION else path
    return bare.suffix.lower()


def format_of(path: Path, format: str = "auto") -> Format | None:
    """Return the format of a file, as given or by its ending; None: it is no document."""
    name = bare_ending(path)[1:] if format == "auto" else format
    return cast(Format, import_module(f"{__name__}.{name}")) if name in FORMATS else None
