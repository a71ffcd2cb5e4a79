"""A table of edges that is scanned: a Parquet file, a directory that is one table, a dataset."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from .. import _core
from ..core.errors import ColumnNotFoundError, InvalidArgumentError
from ..core.lazy_arrow import pa
from ..graph.bulk import Change, fill, id_kind, prepare_added, with_text_ids
from ..graph.import_report import FileReport
from ..graph.tables import ColumnNames, EdgeColumns, EdgeSource
from ..graph.tables.arrow import from_batches
from ..graph.tables.interpret import interpret_table, rows_tell_more
from ..graph.tables.row_filter import RowFilter
from .documents import VertexValues
from .scans import Scan, Wanted

__all__ = ["DIRECTED_KEY", "ScannedFile"]

DIRECTED_KEY = b"rizoma.directed"  # in the metadata of a Parquet file's schema: true or false

_SMALL = 1 << 20  # rows whose ids are all inspected
_SAMPLE = 1000  # rows that show the content of columns


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Within it, what is said of columns begins with the file."""
    try:
        yield
    except (ColumnNotFoundError, InvalidArgumentError) as error:
        told = str(error)
        raise type(error)(told if told.startswith(str(path)) else f"{path}: {told}") from None


class ScannedFile:
    """Edges of a scan, read batch by batch; see `rizoma.io.sources.EdgeFile`."""

    vertices: VertexValues | None = None

    def __init__(self, path: Path, scan: Scan, names: ColumnNames, ids: str | None, directed: bool | None) -> None:
        self._path, self._scan, self._has_text_ids = path, scan, ids == "string"
        self._units = range(len(scan.sizes()))
        schema = scan.schema
        labels = schema.names
        sample = self._sample(labels) if rows_tell_more(schema, names) else None  # reading takes milliseconds
        with _named(path):
            plan = interpret_table(schema, names, sample)
        missing = [name for name in names.columns if name not in labels]
        if missing:
            raise ColumnNotFoundError(f"{path} has no column {missing[0]!r} (there are {', '.join(labels)})")
        weight = None if plan.weight is None else labels[plan.weight]
        direction = None if plan.direction is None else labels[plan.direction]
        source, target = labels[plan.source], labels[plan.target]
        self._names = replace(names, source=source, target=target, weight=weight, direction=direction)
        rows = None if names.where is None else RowFilter(names.where, schema)
        self._tested = [] if rows is None else rows.columns
        self._keep = [] if rows is None else rows.bounds
        said = (schema.metadata or {}).get(DIRECTED_KEY)
        claim = plan.directed if said is None else said == b"true"
        self.directed = bool(claim) if directed is None else directed
        self._undirected = said == b"false"
        self.weights = None if weight is None else _weight_kind(schema.field(weight).type)
        self.ids = ids or self._id_kind()
        taken = source, target, weight
        self.report = FileReport(str(path), scan.kind, self.ids, self.directed, self.weights, labels, *taken)
        self.report.size = sum(scan.sizes())
        self.report.notes, self.report.guesses = list(plan.notes), list(plan.guesses)

    def _sample(self, columns: list[str]) -> pa.Table | None:
        """The first rows, if there are some."""
        for batch in self._scan.batches(Wanted(columns, rows=_SAMPLE)):
            if batch.num_rows:
                return batch.slice(0, _SAMPLE)
        return None

    @property
    def is_empty(self) -> bool:
        """Whether there are no rows."""
        return self._scan.num_rows() == 0

    def units(self) -> list[int]:
        """Bytes of each unit, which may be read apart."""
        return self._scan.sizes()

    def only(self, first: int, end: int) -> ScannedFile:
        """Those of its units alone, with a report of their own."""
        some = copy(self)
        some.report = replace(self.report, notes=list(self.report.notes))
        some._units = range(first, min(end, len(self._scan.sizes())))
        return some

    def _source(self) -> EdgeSource:
        wanted = list(dict.fromkeys([*self._names.wanted(), *self._tested]))
        batches = self._scan.batches(Wanted(wanted, self._keep, self._units.start, self._units.stop))
        before = self._scan.rows_before(self._units.start)

        def chunks() -> Iterator[EdgeColumns]:
            try:
                yield from from_batches(batches, self._names, before).chunks
            except InvalidArgumentError as error:
                raise InvalidArgumentError(f"{self._path}: {error}") from None

        source = EdgeSource(chunks(), undirected=self._undirected)
        return with_text_ids(source) if self._has_text_ids else source

    def _id_kind(self) -> str:
        """Dense if the numbers 0..n-1 all occur; in a big table, if they fill a quarter of their range."""
        rows = self._scan.num_rows()
        field = self._scan.schema.field(self._names.source)
        if rows <= _SMALL or not pa.types.is_integer(field.type):
            kind = id_kind(islice(self._source().chunks, None if rows <= _SMALL else 1), [])
            return "dense" if kind is None else kind.name
        bounds = None if self._names.where else [self._scan.bounds(str(name)) for name in self._names.wanted()[:2]]
        if bounds is None or any(found is None for found in bounds):
            return "integer"
        lowest, highest = (pick(found[i] for found in bounds if found) for i, pick in ((0, min), (1, max)))
        return "dense" if lowest >= 0 and lowest != 1 and highest < 4 * rows else "integer"

    def _added(self, schema: _core.GraphSchema) -> EdgeSource:
        return prepare_added(self._source(), schema, self.report.guesses, self._names.drops_weights)

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Read everything into a bulk load."""
        fill(load, self._counted(self._added(schema), borrowed))

    def gather(self, change: Change, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Read everything into a change."""
        for columns in self._counted(self._added(schema), borrowed).chunks:
            change.add(columns)

    def _counted(self, source: EdgeSource, borrowed: _core.Engine) -> EdgeSource:
        """The same edges; tells the progress function how many rows were read."""
        total = self._scan.rows_before(self._units.stop) - self._scan.rows_before(self._units.start)

        def chunks() -> Iterator[EdgeColumns]:
            done = 0
            for columns in source.chunks:
                yield columns
                done += len(columns)
                self.report.edges = done
                borrowed.tell("read", done, total)

        return source.with_chunks(chunks())


def _weight_kind(kind: Any) -> str:
    if (pa.types.is_integer(kind) and kind.bit_width < 32) or kind == pa.int32():
        return "int32"
    return "float32" if pa.types.is_floating(kind) and kind.bit_width <= 32 else "float64"
