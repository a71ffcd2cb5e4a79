"""Rows of a relation, of `rizoma match` and `rizoma query`, written where the caller wants them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..core.lazy_arrow import pa
from ..io.export import write_batches
from ..queries.relation import Relation
from .app import say
from .machines import STDOUT, print_table

__all__ = ["write_rows"]


def write_rows(rows: Relation, output: Path, format: str) -> None:
    """Write all rows to a file, or to standard output, batch by batch; of a file say how many there are."""
    if str(output) == STDOUT:
        return print_table(rows.schema, rows.batches(), format)
    count = 0

    def counted() -> Iterator[pa.RecordBatch]:
        nonlocal count
        for batch in rows.batches():
            count += batch.num_rows
            yield batch

    write_batches(output, rows.schema, counted())
    say(f"{output}: {count:,} rows")
