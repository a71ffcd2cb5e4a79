"""Columns that no option names: those of the first table or file, with the types that they have there.

Only where `edges="infer"` or `vertices="infer"` asks for it.  What has no type that a column can have is an error that
names it; nothing is left out, and nothing is guessed from a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from .. import _core
from ..core.errors import InvalidArgumentError, RizomaError
from ..core.lazy_arrow import pa
from ..graph.bulk import is_table
from ..graph.column_types import core_type, holds_numbers
from ..graph.schema import ColumnSpec, edge_schema, vertex_schema
from ..graph.tables import ColumnNames
from ..graph.tables.arrow import BatchStream, partitions_of
from ..graph.tables.as_table import array_of, as_table
from ..graph.tables.columns import WEIGHTS
from ..graph.tables.interpret import interpret_table
from ..graph.tables.text_options import CsvOptions
from ..graph.tables.text_values import altered_table
from .altered_scan import altered_scan
from .core_documents import found_types, look_at
from .documents import read_document
from .formats import format_of
from .json_lines import first_rows
from .json_rows import is_json_lines
from .no_values import text_for_no_value
from .scans import Scan
from .sources import csv_values, named_format
from .vertex_tables import vertex_columns

__all__ = ["Kept", "WantedColumns"]

WantedColumns: TypeAlias = "ColumnSpec | Literal['infer'] | None"
"""Columns by name and type, or those of the first table or file."""

_TABLE_GIVEN = (
    'vertices= declares columns, as {"age": "int64"}; a table is given to graph.add_vertices, and files of vertices '
    "as vertex_files="
)


def _is_infer(spec: object) -> bool:
    """Whether the columns are those of the first table or file; a table is compared with nothing."""
    return isinstance(spec, str) and spec == "infer"


class Kept:
    """The columns that edges and vertices keep; those that were not named it finds out from the first table or file."""

    def __init__(self, edges: WantedColumns, vertices: WantedColumns, names: ColumnNames) -> None:
        self._infer_edges, self._infer_vertices = _is_infer(edges), _is_infer(vertices)
        for name, spec in (("edges", edges), ("vertices", vertices)):
            if spec is not None and not _is_infer(spec) and not isinstance(spec, Mapping):
                told = f'{name}={spec!r} is not known; give {{"NAME": "TYPE"}}, or "infer"'
                if isinstance(spec, (list, tuple)) and spec and isinstance(spec[0], str):
                    example = f'{{"{spec[0]}": "float64", ...}} (int64, string, date ...)'
                    told = f'{name}={spec!r} lacks the types: write {name}={example}, or "infer", which finds them out'
                raise InvalidArgumentError(_TABLE_GIVEN if name == "vertices" and is_table(spec) else told)
        self.edges: ColumnSpec = edges if isinstance(edges, Mapping) else {}
        self.vertices: ColumnSpec = vertices if isinstance(vertices, Mapping) else {}
        self._asked = names
        self.told: list[str] = []
        """What is kept as text though it looks like something else, of files that were found out."""

    @property
    def _open(self) -> bool:
        return self._infer_edges or self._infer_vertices

    def _settle(self, edges: Mapping[str, str], vertices: Mapping[str, str]) -> None:
        """Take the columns that the first source has."""
        self.edges = edges if self._infer_edges else self.edges
        self.vertices = vertices if self._infer_vertices else self.vertices
        self._infer_edges = self._infer_vertices = False

    def of_table(self, data: Any, csv: CsvOptions) -> Any:
        """Look at a table; return it, or what is still to be read in its place."""
        if csv.rename:
            data = altered_table(as_table(data), {}, csv.with_options(thousands=None, date_format=None, decimal="."))
        if self._open:
            data, edges, vertices = _of_data(data, self._asked)
            self._settle(edges, vertices)
        if not csv.reads_text_values:
            return data
        weight = self._asked.weight
        table = as_table(data)
        if not isinstance(table, (pa.Table, pa.RecordBatch, pa.RecordBatchReader, BatchStream)):
            return data if table is None else table
        kinds = dict(self.edges) | {name: "float64" for name in table.schema.names if name.lower() in WEIGHTS}
        if weight is not None:
            kinds[weight] = "float64"
        return altered_table(table, {str(k): str(v) for k, v in kinds.items()}, csv.with_options(rename=None))

    def of_scan(self, schema: pa.Schema) -> None:
        """Look at the columns of a table that is scanned."""
        if self._open:
            self._settle(_of_schema(schema, self._asked), {})

    def of_file(
        self,
        path: Path,
        scan: Scan | None,
        format: str,
        csv: CsvOptions,
        vertex_files: Iterable[Any],
        vertex: str | None,
    ) -> None:
        """Look at a file of edges, and for columns of vertices at the first of `vertex_files`.

        `scan`: what `rizoma.io.sources.scan_at` found there.
        """
        if not self._open or (scan is None and not path.is_file()):  # who reads it says what it is
            return
        edges: Mapping[str, str] = {}
        vertices: Mapping[str, str] = {}
        document = None if scan is not None else format_of(path, format)
        if scan is not None:
            edges = _of_schema(altered_scan(scan, path, self._asked, csv).schema, self._asked)
        elif document is not None:
            read = read_document(path, document)
            edges = {**read.columns_of("edge"), **_of_rows(read.edge_values)}
            vertices = {**read.columns_of("node"), **_of_rows(read.vertex_values)}
        elif _core.is_document(path, format):
            options = _core.ReadOptions()
            options.format = format
            found = look_at(path, options)
            edges, vertices = found_types(found.edge_values), found_types(found.vertex_values)
        elif is_json_lines(path, named_format(path, format)):
            rows = first_rows(path, self._asked, csv)
            edges = _of_schema(rows.schema, self._asked, rows) if self._infer_edges and rows.schema.names else {}
        elif self._infer_edges:
            edges = self._of_csv(path, format, csv)
        for first in vertex_files:
            columns = vertex_columns(Path(first), vertex, csv)
            named = [(name, kind) for name, kind in columns if name]  # an index that pandas wrote has no name
            vertices = {name: kind if isinstance(kind, str) else _kind(name, kind) for name, kind in named}
            if self._infer_vertices:
                self._tell_of_vertices(Path(first), vertex, columns, csv)
            break
        self._settle(edges, vertices)

    def _tell_of_vertices(
        self, path: Path, vertex: str | None, columns: list[tuple[str, Any]], csv: CsvOptions
    ) -> None:
        """Say what columns of a CSV file of vertices are text though they look like something else."""
        if all(isinstance(kind, str) for _, kind in columns):
            said = text_for_no_value(path, dict(columns), lambda csv: dict(vertex_columns(path, vertex, csv)), csv)
            self.told = [*self.told, *(f"in {path}, {each}" for each in said)]

    def _of_csv(self, path: Path, format: str, csv: CsvOptions) -> dict[str, str]:
        found = csv_values(path, format, self._asked, csv)
        if found is None:
            return {}
        values, self.told = found
        text = next((name for name, kind, _ in values if name.lower() in WEIGHTS and kind == "string"), None)
        if text is not None and self._asked.weight is None:
            raise _weight_of_text(text, "string")
        if self._asked.weight is None and any(name == "weight" for name, _, _ in values):
            raise InvalidArgumentError(
                "the column 'weight' is not read as the weight, because its first values are not all finite numbers; "
                "mend them, or rename the column to keep them (rename=)"
            )
        return found_types(values)

    def names(self) -> ColumnNames:
        """How the columns of a table are chosen, those of edges that are kept among them."""
        columns = {name: kind for name, kind, _ in edge_schema(self.edges)[1]}
        return replace(self._asked, columns=columns)

    def vertex_kinds(self) -> dict[str, str]:
        """Names and types of the columns of vertices."""
        return {name: kind for name, kind, _ in vertex_schema(self.vertices)}


def _kind(name: str, type_: pa.DataType) -> str:
    if pa.types.is_null(type_):
        raise InvalidArgumentError(
            f"column {name!r} has no values that show its type; name the columns to keep, with their types"
        )
    try:
        return core_type(type_)
    except InvalidArgumentError:
        raise InvalidArgumentError(
            f"column {name!r} is of type {type_}, which a column cannot have; name the columns to keep, with their "
            "types"
        ) from None


def _of_schema(schema: pa.Schema, asked: ColumnNames, rows: pa.Table | None = None) -> dict[str, str]:
    """All columns but the ends and the weight, which goes by its name; and but a direction that `rows` say."""
    plan = interpret_table(schema, replace(asked, columns={}), rows)
    taken = (plan.source, plan.target, plan.weight, plan.direction)
    rest = [field for i, field in enumerate(schema) if i not in taken]
    text = next((field for field in rest if field.name.lower() in WEIGHTS and not holds_numbers(field.type)), None)
    if text is not None and asked.weight is None:
        raise _weight_of_text(text.name, text.type)
    return {field.name: _kind(field.name, field.type) for field in rest}


def _weight_of_text(name: str, kind: Any) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"column {name!r} is of type {kind}, and a weight is a number; rename it, or name the columns to keep"
    )


def _of_columns(columns: Mapping[str, list[Any]]) -> dict[str, str]:
    return {name: _kind(name, array_of(name, values).type) for name, values in columns.items()}


def _of_rows(rows: list[dict[str, Any]]) -> dict[str, str]:
    names = dict.fromkeys(name for row in rows for name in row)
    return _of_columns({name: [row.get(name) for row in rows] for name in names})


def _of_data(data: Any, asked: ColumnNames) -> tuple[Any, dict[str, str], dict[str, str]]:
    """The data, still to be read, and the columns of their edges and vertices."""
    package = type(data).__module__.partition(".")[0]
    weight = asked.weight or "weight"
    if hasattr(getattr(data, "edges", None), "__arrow_c_stream__"):
        return data, dict(data.edge_columns), dict(data.vertex_columns)
    if (package == "networkx" and hasattr(data, "nodes")) or hasattr(type(data), "__networkx_backend__"):
        of_edges = [{k: v for k, v in each.items() if k != weight} for _, _, each in data.edges(data=True)]
        return data, _of_rows(of_edges), _of_rows([each for _, each in data.nodes(data=True)])
    if package == "networkx" and isinstance(data, Mapping):
        return data, {}, {}  # G.edges
    if package == "dask" and hasattr(data, "partitions"):
        return data, _of_schema(next(partitions_of(data)).schema, asked), {}
    if package == "igraph" and hasattr(data, "get_edgelist"):
        edges = {name: data.es[name] for name in data.es.attributes() if name != weight}
        named = "name" in data.vs.attributes() and len(set(data.vs["name"])) == data.vcount()
        of_vertices = {name: data.vs[name] for name in data.vs.attributes() if name != "name" or not named}
        return data, _of_columns(edges), _of_columns(of_vertices)
    table = as_table(data)
    schema = getattr(table, "schema", None)  # rows without names have none
    try:
        kept = {} if schema is None else _of_schema(schema, asked)
    except RizomaError:
        if isinstance(table, pa.RecordBatchReader):
            table.close()  # a database would block while it is open
        raise
    return data if table is None else table, kept, {}
