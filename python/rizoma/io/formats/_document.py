"""What the formats share: a document that was read, the content of a graph to be written, and faults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

__all__ = ["Columns", "Content", "Document", "FaultError", "rows_of", "settle_direction"]

Columns: TypeAlias = "dict[str, Sequence[Any]]"
"""Values by the name of their column."""


class FaultError(Exception):
    """What is wrong with the data, and in which line of it (from 1), if that is known."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.line = line


@dataclass
class Document:
    """A graph as a file has it; `weights`: None where an edge has none; values: by name, of each vertex and edge.

    `undirected`: of each edge, whether it has no direction; empty: all are as the graph is.
    """

    directed: bool = False
    undirected: list[bool] = field(default_factory=list)
    vertices: list[Any] = field(default_factory=list)
    sources: list[Any] = field(default_factory=list)
    targets: list[Any] = field(default_factory=list)
    weights: list[float | int | None] = field(default_factory=list)
    vertex_values: list[dict[str, Any]] = field(default_factory=list)
    edge_values: list[dict[str, Any]] = field(default_factory=list)
    twice: set[tuple[str, str]] = field(default_factory=set)
    """Of what some node or edge has two values: "node" or "edge", and the name."""
    declared: dict[tuple[str, str], str] = field(default_factory=dict)
    """Types of columns by "node" or "edge" and the name, as the file declares them, whether or not there is a value."""
    guesses: list[str] = field(default_factory=list)
    """What of the file is left out or may be meant otherwise."""
    unread: dict[str, dict[str, None]] = field(default_factory=dict)
    """What no option keeps, by "edges" or "vertices" and its name."""

    def leave_out(self, of: str, name: str) -> None:
        """Remember what is not read of "edges" or "vertices"."""
        self.unread.setdefault(of, {})[name] = None

    def columns_of(self, kind: str) -> dict[str, str]:
        """The types of the columns that are declared for "node" or "edge", by their names."""
        return {title: type_ for (of, title), type_ in self.declared.items() if of == kind}


def settle_direction(document: Document) -> None:
    """Make the graph directed if some edge is; of edges of both kinds those without a direction count in both."""
    if not document.undirected:
        return
    document.directed = not all(document.undirected)
    if all(document.undirected) or not any(document.undirected):
        document.undirected = []


@dataclass
class Content:
    """A graph to be written.  Ids are integers, or all of them strings.

    Values are None, bool, int, float or str; they come by column, those of each piece beside its ids.
    """

    directed: bool
    weighted: bool
    strings: bool
    vertex_columns: dict[str, str]
    edge_columns: dict[str, str]
    vertices: Iterator[tuple[Sequence[Any], Columns]]
    edges: Iterator[tuple[Sequence[Any], Sequence[Any], Sequence[Any] | None, Columns]]


def rows_of(columns: Columns, count: int) -> Iterator[list[tuple[str, Any]]]:
    """Yield the names and values that each row has."""
    for place in range(count):
        yield [(name, values[place]) for name, values in columns.items() if values[place] is not None]
