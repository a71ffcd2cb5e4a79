"""What the formats share: a document that was read, the content of a graph to be written, and faults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Content", "Document", "FaultError"]


class FaultError(Exception):
    """What is wrong with the data, and in which line of it (from 1), if that is known."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.line = line


@dataclass
class Document:
    """A graph as a file has it; `weights`: None where an edge has none."""

    directed: bool = False
    vertices: list[Any] = field(default_factory=list)
    sources: list[Any] = field(default_factory=list)
    targets: list[Any] = field(default_factory=list)
    weights: list[float | int | None] = field(default_factory=list)


@dataclass
class Content:
    """A graph to be written.  Ids are integers, or all of them strings."""

    directed: bool
    weighted: bool
    strings: bool
    vertices: Iterator[Sequence[Any]]
    edges: Iterator[tuple[Sequence[Any], Sequence[Any], Sequence[Any] | None]]
