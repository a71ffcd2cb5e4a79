"""A look at each file or table that is to be read: what it is, and what of it is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core.errors import permissions_told
from ..graph.schema import edge_schema
from ..graph.tables import ColumnNames, column_name
from .in_memory import TableInput
from .inference import Kept, WantedColumns
from .sources import CsvOptions, EdgeFile, plan, with_columns

__all__ = ["Looking"]


@dataclass
class Looking:
    """What `rizoma.read` was asked for that tells how files and tables are read."""

    kept: Kept
    csv: CsvOptions
    format: str = "auto"
    ids: str | None = None
    directed: bool | None = None
    weights: str | bool | None = None
    weight: str | None = None
    vertex: str | None = None
    present: Mapping[str, str] | None = None
    """The columns of a graph that is added to, of which each takes what it has."""

    @classmethod
    def asked(
        cls,
        *,
        format: str = "auto",
        ids: str | None = None,
        directed: bool | None = None,
        weights: str | bool | None = None,
        source: str | int | None = None,
        target: str | int | None = None,
        weight: str | int | None = None,
        edges: WantedColumns = None,
        vertices: WantedColumns = None,
        vertex: str | None = None,
        header: bool | None = None,
        delimiter: str | None = None,
        quote: str | None = '"',
        null: str | None = None,
        skip_bad_lines: int = 0,
        decimal: str = ".",
        multiline: bool = False,
    ) -> Looking:
        """Take the arguments as `rizoma.read` has them."""
        weight = column_name("weight", weight)
        names = ColumnNames(column_name("source", source), column_name("target", target), weight)
        kept = Kept(edges, vertices, names)
        csv = CsvOptions(header, delimiter, quote, null, skip_bad_lines, decimal, multiline)
        own_weight = edge_schema(kept.edges)[0]
        if own_weight is not None and weight is None:
            weight, weights = "weight", own_weight.name
        if weights == "none":  # as types of weights are called
            weights = False
        return cls(kept, csv, format, ids, directed, weights, weight, vertex)

    @property
    def wanted(self) -> str | bool | None:
        """The weights asked for; None: as the files say."""
        return self.weights if self.weights is not None or self.weight is None else True

    def at_file(self, path: Path, vertex_files: Iterable[Any] = ()) -> EdgeFile:
        """Look at a file; `vertex_files` are tables of vertices beside it."""
        with permissions_told(path):
            return self._at_file(path, list(vertex_files))

    def _at_file(self, path: Path, tables: list[Any]) -> EdgeFile:
        self.kept.of_file(path, self.format, self.csv, tables, self.vertex)
        names = replace(self.kept.names(), weight=self.weight)
        if not tables:
            names = replace(names, vertices=self.kept.vertex_kinds())
        if self.present:
            names = with_columns(names, self.present, path, self.format, self.csv)
        zeros = self.ids in ("integer", "dense")
        return plan(path, self.format, names, self.wanted, self.ids, self.directed, self.csv, zeros)

    def at_table(self, data: Any, vertex_files: Iterable[Any] = ()) -> EdgeFile:
        """Look at a table."""
        table = self.kept.of_table(data)
        names: ColumnNames = replace(self.kept.names(), weight=self.weight)
        if not list(vertex_files):
            names = replace(names, vertices=self.kept.vertex_kinds())
        if self.present:
            names = replace(names, columns=self.present)
        return TableInput(table, names, self.ids, self.directed, type(data).__name__)
