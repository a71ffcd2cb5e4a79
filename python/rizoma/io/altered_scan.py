"""Scans whose columns get other names, and whose texts are numbers and dates as people write them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.errors import ParseError
from ..core.lazy_arrow import pa
from ..graph.tables import ColumnNames
from ..graph.tables.text_options import CsvOptions
from ..graph.tables.text_values import altered_batches, kinds_of_texts, renamed_schema, with_values
from .scans import Scan, Wanted

__all__ = ["altered_scan"]


def altered_scan(scan: Scan, path: Path, names: ColumnNames, csv: CsvOptions) -> Scan:
    """A scan with the names and the values that are asked for."""
    return _AlteredScan(scan, path, names, csv) if csv.rename or csv.reads_text_values else scan


class _AlteredScan:
    """A scan whose columns have other names, and whose texts are numbers and dates."""

    def __init__(self, scan: Scan, path: Path, names: ColumnNames, csv: CsvOptions) -> None:
        self._scan, self._path, self._csv = scan, path, csv
        self.kind = scan.kind
        schema = renamed_schema(scan.schema, csv, str(path))
        self._old = dict(zip(schema.names, scan.schema.names, strict=True))
        self._kinds = kinds_of_texts(schema, names, csv)
        empty = pa.RecordBatch.from_pylist([], schema)
        altered = with_values(empty, self._kinds, csv, 0).schema if csv.reads_text_values else schema
        self.schema = altered.with_metadata(schema.metadata)

    def sizes(self) -> list[int]:
        """Bytes of each unit."""
        return self._scan.sizes()

    def num_rows(self) -> int:
        """Rows of all units."""
        return self._scan.num_rows()

    def rows_before(self, unit: int) -> int:
        """Rows of the units before one."""
        return self._scan.rows_before(unit)

    def bounds(self, column: str) -> tuple[int, int] | None:
        """See `Scan`."""
        return self._scan.bounds(self._old[column])

    def batches(self, wanted: Wanted) -> Iterator[Any]:
        """See `Scan`."""
        bounds = [(self._old[name], *rest) for name, *rest in wanted.keep if name not in self._kinds]
        columns = [self._old[name] for name in wanted.columns]
        batches = self._scan.batches(replace(wanted, columns=columns, keep=bounds))
        try:
            yield from altered_batches(batches, self._kinds, self._csv, self._scan.rows_before(wanted.first))
        except ParseError as error:
            raise ParseError(f"{self._path}: {error}") from None
