"""The options of reading edges, one table for all ways in, and the look at each source before it is read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ..core.argument_names import argument_remedy
from ..core.engines import ProgressFunction
from ..core.errors import InvalidArgumentError, RizomaError, permissions_told
from ..core.files import near_names_told
from ..graph.graph import Graph
from ..graph.parallel import ParallelSpec
from ..graph.schema import edge_schema
from ..graph.tables import ColumnNames, column_name
from ..graph.tables.networks import direction_of
from ..graph.tables.text_options import CsvOptions, TextOptions
from .altered_scan import altered_scan
from .in_memory import TableInput
from .inference import Kept, WantedColumns
from .one_table import expect_one_table
from .scanned import ScannedFile
from .scans import scan_of_object
from .sources import EdgeFile, plan, scan_at, with_columns
from .unsupported import refuse_unsupported

__all__ = ["Inspector", "ReadOptions"]


@dataclass(frozen=True)
class ReadOptions(TextOptions):
    """The options of `rizoma.read`, which says what each means; the command, ranks and clusters have the same."""

    directed: bool | None = None
    weights: str | bool | None = None
    ids: str | None = None
    format: str = "auto"
    source: str | int | None = None
    target: str | int | None = None
    weight: str | int | None = None
    parallel_edges: ParallelSpec | None = None
    self_loops: str | None = None
    in_edges: bool | None = None
    order: str = "auto"
    memory_limit: int | str | None = None
    append: bool = False
    locations: Iterable[str | os.PathLike[str]] = ()
    edges: WantedColumns = None
    vertices: WantedColumns = None
    vertex_files: Iterable[str | os.PathLike[str]] = ()
    vertex: str | None = None
    where: str | None = None
    threads: int | None = None
    progress: ProgressFunction | bool | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> ReadOptions:
        """Take options by name.  InvalidArgumentError names the first that is not known, and what may be meant."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                raise InvalidArgumentError(f"{name}= is not an option of reading; {argument_remedy(name, known)}")
        return cls(**options)

    @property
    def asked_weights(self) -> str | bool | None:
        """The weights asked for; None: as the files say."""
        return False if self.weights == "none" else self.weights  # as types of weights are called


@contextmanager
def _vertices_told(path: Path) -> Iterator[None]:
    """Within it, a table that has an id and no ends of edges raises how a table of vertices is read."""
    try:
        yield
    except RizomaError as error:
        if not re.search(r"columns .*'(id|vertex)'.* do not tell which two are the ends", str(error)):
            raise
        raise type(error)(
            f"{error}; a table of vertices is read beside files of edges, by vertex_files=['{path}'] of rizoma.read"
        ) from None


class Inspector:
    """Looks at each file or table before it is read: what it is, and what of it is taken."""

    def __init__(self, options: ReadOptions) -> None:
        weight, weights = column_name("weight", options.weight), options.asked_weights
        names = ColumnNames(column_name("source", options.source), column_name("target", options.target), weight)
        self.kept = Kept(options.edges, options.vertices, names)
        self.csv = CsvOptions.of(options, leading_zeros=options.ids in ("integer", "dense"))
        own_weight = edge_schema(self.kept.edges)[0]
        if own_weight is not None and weight is None:
            weight, weights = "weight", own_weight.name
        self.format, self.ids, self.directed, self.vertex = (
            options.format,
            options.ids,
            options.directed,
            options.vertex,
        )
        self.weight, self.weights = weight, weights
        self.where = options.where
        self._present: Mapping[str, str] = {}

    def adds_to(self, graph: Graph, columns: Mapping[str, str]) -> None:
        """What is looked at is added to a graph: each file takes what it has of these columns, and has the weights.

        A graph that has weights asks for them; with `weights=False` each edge weighs 1.
        """
        self._present = columns
        schema = graph._state().schema
        if len(graph) or schema.ids_fixed:  # else what comes decides
            self.ids = self.ids or graph.ids
        if self.weights is None:
            self.weights = graph.weights
        if self.weight is not None and graph.weights is None and self.weights is not False:
            raise InvalidArgumentError(f"the graph at {graph.location} has no weights; leave weight= out")

    @property
    def wanted(self) -> str | bool | None:
        """The weights asked for; None: as the files say."""
        return self.weights if self.weights is not None or self.weight is None else True

    def _names(self, with_vertices: bool) -> ColumnNames:
        names = replace(self.kept.names(), weight=self.weight, weighted=bool(self.weights), must_be_there=True)
        names = replace(names, where=self.where, drops_weights=self.weights is False)
        names = replace(names, direction_known=self.directed is not None)
        return replace(names, vertices=self.kept.vertex_kinds()) if with_vertices else names

    def at_files(self, paths: Iterable[Path], vertex_files: Iterable[Any] = ()) -> list[EdgeFile]:
        """Look at files, which are parts of one table if they have columns."""
        tables = list(vertex_files)
        found = [self.at_file(path, tables) for path in paths]
        names = self.kept.names()
        expect_one_table(found, None not in (names.source, names.target), self.ids)
        return found

    def at_file(self, path: Path, vertex_files: Iterable[Any] = ()) -> EdgeFile:
        """Look at a file; `vertex_files` are tables of vertices beside it."""
        with permissions_told(path), near_names_told(path), _vertices_told(path):
            return self._at_file(path, list(vertex_files))

    def _at_file(self, path: Path, tables: list[Any]) -> EdgeFile:
        refuse_unsupported(path, self.format)
        scan = scan_at(path, self.format)
        self.kept.of_file(path, scan, self.format, self.csv, tables, self.vertex)
        names = self._names(not tables)
        if self._present:
            names = with_columns(names, self._present, path, scan, self.format, self.csv)
        found = plan(path, scan, self.format, names, self.wanted, self.ids, self.directed, self.csv)
        found.report.guesses += self.kept.told
        self.kept.told = []
        return found

    def at_table(self, data: Any, vertex_files: Iterable[Any] = ()) -> EdgeFile:
        """Look at a table."""
        scan = scan_of_object(data)
        if scan is not None:
            place = Path(type(data).__name__)
            self.csv.expect_to_fit(place, scan.kind)
            self.kept.of_scan(altered_scan(scan, place, self.kept.names(), self.csv).schema)
            names = self._names(with_vertices=False)
            return ScannedFile(place, altered_scan(scan, place, names, self.csv), names, self.ids, self.directed)
        self.csv.expect_to_fit(f"the {type(data).__name__}", "a table")
        table = self.kept.of_table(data, self.csv)
        names = self._names(not list(vertex_files))
        if self._present:
            names = replace(names, columns=self._present, must_be_there=False)
        directed = direction_of(data) if self.directed is None and table is not data else self.directed
        return TableInput(table, names, self.ids, directed, type(data).__name__)
