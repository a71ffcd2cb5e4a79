"""The types that a column may have: `kColumnTypes` of include/rizoma/detail/column_types.h, and Arrow's types for them.

A type of that table is known here by its name; what code does with a column follows from its kind.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple, TypeAlias, cast

from .. import _core
from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa

__all__ = [
    "Kind",
    "arrow_type",
    "core_type",
    "holds_numbers",
    "is_list",
    "is_number",
    "is_time",
    "kind_of",
    "named_type",
    "type_like",
]

Kind: TypeAlias = Literal["boolean", "integer", "real", "text", "bytes", "date", "timestamp", "list"]

_OTHER_NAMES = {
    "utf8": "string",
    "str": "string",
    "large_string": "string",
    "bytes": "binary",
    "large_binary": "binary",
    "boolean": "bool",
    "int": "int64",
    "float": "float64",
    "double": "float64",
    "date32": "date",
    "date32[day]": "date",
    "embedding": "list<float32>",
    "list<string>": "string",
    "list<str>": "string",
}
_MEANT = {
    "bigint": "int64",
    "blob": "binary",
    "char": "string",
    "category": "string",
    "datetime": "timestamp[us]",
    "datetime64": "timestamp[ns]",
    "decimal": "float64",
    "integer": "int64",
    "list": "list<float32>",
    "money": "float64",
    "numeric": "float64",
    "object": "string",
    "real": "float64",
    "smallint": "int16",
    "text": "string",
    "time": "timestamp[us]",
    "timestamp": "timestamp[us]",
    "varchar": "string",
    "vector": "list<float32>",
}
"""Names of types elsewhere that are none here, without what is in brackets."""


class _Type(NamedTuple):
    kind: Kind
    arrow: pa.DataType


@cache
def _types() -> dict[str, _Type]:
    return {name: _Type(cast(Kind, kind), _arrow(arrow)) for name, kind, arrow in _core.column_types()}


def _arrow(name: str) -> pa.DataType:
    """A type of Arrow by its name there."""
    items = name.removeprefix("large_list<").removesuffix(">")
    return pa.type_for_alias(name) if items == name else pa.large_list(pa.type_for_alias(items))


def kind_of(name: str) -> Kind:
    """What values of this type are, whatever their width."""
    return _types()[name].kind


def is_number(name: str) -> bool:
    """Whether values of this type can weigh edges: numbers, and truths as 0 and 1."""
    return kind_of(name) in ("boolean", "integer", "real")


def holds_numbers(kind: pa.DataType) -> bool:
    """Whether values of a type of Arrow are numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def is_time(name: str) -> bool:
    """Whether values of this type are days or moments."""
    return kind_of(name) in ("date", "timestamp")


def arrow_type(name: str) -> pa.DataType:
    """The Arrow type of a column of this type."""
    return _types()[name].arrow


def named_type(name: str) -> str:
    """The type's own name, by one of those that users give it.  InvalidArgumentError lists the types."""
    small = name.lower()
    known = _OTHER_NAMES.get(small, small)
    meant = known if known in _types() else _MEANT.get(re.split(r"[\[(<]", small)[0])
    if meant is not None and name not in _types() and name not in _OTHER_NAMES:
        raise InvalidArgumentError(f"{name!r} is not a type of a column; did you mean {meant!r}?")
    return _core.canonical_type(_OTHER_NAMES.get(name, name))


def type_like(name: str) -> str:
    """The type that a name elsewhere, such as that of a class, most likely means."""
    return _OTHER_NAMES.get(name) or _MEANT.get(name) or (name if name in _types() else "float64")


def core_type(kind: pa.DataType) -> str:
    """The type of a column that holds what an Arrow type holds."""
    wanted = _held_as(kind)
    for name, type_ in _types().items():
        if type_.arrow == wanted:
            return name
    return _core.canonical_type(str(kind))


def _held_as(kind: pa.DataType) -> pa.DataType:
    """The type among those of columns that holds the values of another."""
    types = pa.types
    if types.is_dictionary(kind):
        return _held_as(kind.value_type)
    if types.is_timestamp(kind):
        return pa.timestamp(kind.unit)
    if types.is_date(kind):
        return pa.date32()
    if types.is_float16(kind):
        return pa.float32()
    if types.is_decimal(kind):
        return pa.float64()
    if is_list(kind):
        of = _held_as(kind.value_type)
        lists = {pa.float32(): pa.large_list(pa.float32()), pa.float64(): pa.large_list(pa.float32())}
        return {**lists, pa.large_string(): pa.large_string()}.get(of, kind)
    if types.is_string(kind) or getattr(types, "is_string_view", lambda _: False)(kind):
        return pa.large_string()
    return pa.large_binary() if types.is_binary(kind) else kind


def is_list(kind: pa.DataType) -> bool:
    """Whether an Arrow type is one of lists."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))
