"""What a scan may skip for a predicate: an expression of pyarrow that keeps at least the rows that the predicate keeps.

The core says what a predicate demands of single columns, and evaluates the predicate itself afterwards.  So only
demands that mean the same in Arrow are taken: of whole numbers, fractions, text and times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import and_
from typing import Any, TypeAlias

from ..core.lazy_arrow import pa, pc

__all__ = ["Bound", "pushed_down"]

Bound: TypeAlias = tuple[str, str, list[Any]]
"""The name of a column, a test, and constants, as `rizoma._core.Predicate.bounds` has them."""

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": lambda column, value: column == value,
    "<": lambda column, value: column < value,
    "<=": lambda column, value: column <= value,
    ">": lambda column, value: column > value,
    ">=": lambda column, value: column >= value,
}


def pushed_down(bounds: Iterable[Bound], schema: pa.Schema) -> Any:
    """The bounds that a scan of this schema can look at, as one expression; None if there are none."""
    found = [each for each in (_expression(*bound, schema) for bound in bounds) if each is not None]
    return reduce(and_, found) if found else None


def _expression(name: str, test: str, values: list[Any], schema: pa.Schema) -> Any:
    type_, column = schema.field(name).type, pc.field(name)
    if test == "is not null":
        return column.is_valid()
    literals = [_literal(value, type_) for value in values]
    if any(literal is None for literal in literals):
        return None
    return column.isin(pa.array(literals, type_)) if test == "in" else _COMPARE[test](column, literals[0])


def _literal(value: Any, type_: pa.DataType) -> Any:
    """A constant as a value of a column; None if it has no such value."""
    try:
        if isinstance(value, str):
            return pa.scalar(value, type_) if pa.types.is_string(type_) or pa.types.is_large_string(type_) else None
        if isinstance(value, float):
            return pa.scalar(value) if pa.types.is_float64(type_) else None
        if pa.types.is_integer(type_):
            return pa.scalar(value, type_)
        if pa.types.is_date32(type_):
            return pa.scalar(value, pa.int32()).cast(type_)
        return pa.scalar(value, pa.int64()).cast(type_) if pa.types.is_timestamp(type_) else None
    except (ValueError, OverflowError, TypeError):  # Arrow's errors are among them
        return None
