"""The rows of a table that a predicate keeps."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ...core.errors import InvalidArgumentError
from ...core.lazy_arrow import pa
from ..column_types import core_type
from ..ids import decoded
from ..predicate import Predicate
from ..schema import core_values, fitted

__all__ = ["RowFilter"]


class RowFilter:
    """A predicate over the columns of tables of one schema (docs/guide/predicates.md)."""

    def __init__(self, text: str, schema: pa.Schema) -> None:
        self._types: dict[str, str] = {}
        for field in schema:
            with suppress(InvalidArgumentError):  # a predicate cannot read it
                self._types[field.name] = core_type(field.type)
        self._predicate = Predicate(text, self._types)

    @property
    def columns(self) -> list[str]:
        """The columns that it reads."""
        return self._predicate.columns

    @property
    def bounds(self) -> list[tuple[str, str, list[Any]]]:
        """What must hold of single columns of each row that it keeps; see `Predicate.bounds`."""
        return self._predicate.bounds

    def kept(self, table: pa.Table | pa.RecordBatch) -> pa.Table | pa.RecordBatch:
        """The rows for which it is true."""
        columns = [(fitted(table.column(name), name, self._types[name]), self._types[name]) for name in self.columns]
        mask = self._predicate.mask([core_values(array, kind) for array, kind in columns], table.num_rows)
        rest = [decoded(column) for column in table.columns]
        return type(table).from_arrays(rest, names=table.schema.names).filter(pa.array(mask))
