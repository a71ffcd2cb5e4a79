"""Values of queries as Arrow arrays: vertices, edges and paths beside what Arrow has; rows of them.

A vertex is a struct of its internal id, an edge one of its ends and of what a match says of it (the number of its row
of values, or its weight), a path one of both; the types alone tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.lazy_arrow import pa, pc

__all__ = [
    *("Rows", "as_array", "codes_of", "common_type", "edge_array", "edge_type", "fit", "is_edge", "is_list", "is_map"),
    *("is_node", "is_number", "is_path", "is_text", "is_time", "keys_of", "list_of", "node_array", "node_numbers"),
    *("node_type", "nulls", "path_type", "type_name", "unit_rows"),
]


@cache
def node_type() -> pa.DataType:
    """The type of vertices."""
    return pa.struct([("_vertex", pa.uint64())])


@cache
def edge_type() -> pa.DataType:
    """The type of edges."""
    return pa.struct([("_from", pa.uint64()), ("_to", pa.uint64()), ("_entry", pa.float64())])


@cache
def path_type() -> pa.DataType:
    """The type of paths."""
    return pa.struct([("_vertices", pa.large_list(node_type())), ("_edges", pa.large_list(edge_type()))])


def is_node(kind: pa.DataType) -> bool:
    """Whether values are vertices."""
    return bool(kind == node_type())


def is_edge(kind: pa.DataType) -> bool:
    """Whether values are edges."""
    return bool(kind == edge_type())


def is_path(kind: pa.DataType) -> bool:
    """Whether values are paths."""
    return bool(kind == path_type())


def is_map(kind: pa.DataType) -> bool:
    """Whether values are maps."""
    return bool(pa.types.is_struct(kind)) and not (is_node(kind) or is_edge(kind) or is_path(kind))


def is_list(kind: pa.DataType) -> bool:
    """Whether values are lists."""
    return bool(pa.types.is_large_list(kind) or pa.types.is_list(kind))


def is_text(kind: pa.DataType) -> bool:
    """Whether values are text."""
    return bool(pa.types.is_large_string(kind) or pa.types.is_string(kind))


def is_number(kind: pa.DataType) -> bool:
    """Whether values are numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def is_time(kind: pa.DataType) -> bool:
    """Whether values are moments or days."""
    return bool(pa.types.is_timestamp(kind) or pa.types.is_date(kind))


def type_name(kind: pa.DataType) -> str:
    """What a user calls values of a type."""
    names: list[tuple[Callable[[pa.DataType], bool], str]] = [
        (is_node, "a vertex"),
        (is_edge, "an edge"),
        (is_path, "a path"),
        (is_list, "a list"),
        (is_map, "a map"),
        (is_text, "text"),
        (is_number, "a number"),
        (is_time, "a time"),
        (pa.types.is_boolean, "a truth value"),
        (pa.types.is_null, "null"),
    ]
    return next((name for test, name in names if test(kind)), str(kind))


@dataclass(frozen=True)
class Rows:
    """Some rows: columns by name, all of the same length, which rows without columns have, too."""

    count: int
    columns: Mapping[str, pa.Array]
    read: dict[tuple[str, str], pa.Array] = field(default_factory=dict, compare=False, repr=False)
    """Values of vertices and edges that expressions have read, by the names of both."""

    def take(self, places: Any) -> Rows:
        """The rows at these places; a row of nulls where a place is null."""
        some = places if isinstance(places, pa.Array) else pa.array(places)
        return Rows(len(some), {name: column.take(some) for name, column in self.columns.items()})

    def filter(self, mask: pa.Array) -> Rows:
        """The rows for which the mask is true."""
        kept = np.flatnonzero(np.asarray(pc.fill_null(mask, False)))
        return self if len(kept) == self.count else self.take(pa.array(kept))

    def slice(self, begin: int, count: int) -> Rows:
        """Rows that follow one another."""
        count = max(0, min(count, self.count - begin))
        return Rows(count, {name: column.slice(begin, count) for name, column in self.columns.items()})

    def only(self, names: Iterable[str]) -> Rows:
        """The rows with these columns alone."""
        return Rows(self.count, {name: self.columns[name] for name in names})

    def having(self, **columns: pa.Array) -> Rows:
        """The rows with more columns."""
        return Rows(self.count, {**self.columns, **columns})

    @staticmethod
    def joined(parts: Sequence[Rows], types: Mapping[str, pa.DataType]) -> Rows:
        """The rows of all parts, one after the other."""
        if len(parts) == 1:
            return Rows(parts[0].count, {name: fit(parts[0].columns[name], kind) for name, kind in types.items()})
        columns = {
            name: pa.concat_arrays([fit(each.columns[name], kind) for each in parts]) if parts else pa.array([], kind)
            for name, kind in types.items()
        }
        return Rows(sum(each.count for each in parts), columns)


def unit_rows() -> Rows:
    """The one row without columns with which a query begins."""
    return Rows(1, {})


def nulls(count: int, kind: pa.DataType) -> pa.Array:
    """Nulls of a type."""
    return pa.nulls(count, kind)


def as_array(value: Any, count: int) -> pa.Array:
    """A value or column as a column."""
    if isinstance(value, pa.ChunkedArray):
        return value.combine_chunks()
    if not isinstance(value, pa.Scalar):
        return value
    return pa.repeat(value, count) if count and value.is_valid else pa.nulls(count, value.type)


def fit(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """The same values in another type that holds them."""
    if array.type == kind:
        return array
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), kind)
    if is_list(array.type) and is_list(kind):
        mask = array.is_null() if array.null_count else None
        lengths = np.asarray(pc.fill_null(pc.list_value_length(array), 0), np.int64)
        return list_of(fit(array.flatten(), kind.value_type), lengths, mask)
    if is_map(array.type) and is_map(kind):
        have = {field.name: pc.struct_field(array, field.name) for field in array.type}
        columns = [fit(have[f.name], f.type) if f.name in have else pa.nulls(len(array), f.type) for f in kind]
        return pa.StructArray.from_arrays(columns, fields=list(kind), mask=array.is_null())
    return array.cast(kind)


def common_type(first: pa.DataType, second: pa.DataType) -> pa.DataType | None:
    """A type that holds the values of both; None: there is none."""
    if first == second or pa.types.is_null(second):
        return first
    if pa.types.is_null(first):
        return second
    if is_number(first) and is_number(second):
        whole = pa.types.is_integer(first) and pa.types.is_integer(second)
        return pa.int64() if whole else pa.float64()
    if is_text(first) and is_text(second):
        return pa.large_string()
    if is_time(first) and is_time(second):
        return pa.timestamp("ns")
    if is_list(first) and is_list(second):
        inner = common_type(first.value_type, second.value_type)
        return None if inner is None else pa.large_list(inner)
    return None


def list_of(items: pa.Array, lengths: npt.NDArray[np.int64], mask: pa.Array | None = None) -> pa.Array:
    """Lists of these lengths out of items that follow one another; null where the mask is true."""
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    return pa.LargeListArray.from_arrays(pa.array(offsets), items, mask=mask)


def node_array(numbers: npt.NDArray[np.uint64], mask: pa.Array | None = None) -> pa.Array:
    """Vertices of these internal ids."""
    return pa.StructArray.from_arrays([pa.array(numbers, pa.uint64())], fields=list(node_type()), mask=mask)


def node_numbers(nodes: pa.Array) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    """Internal ids of vertices (0 of null), and which are not null."""
    numbers = nodes.field(0)
    if not nodes.null_count and not numbers.null_count:
        return np.asarray(numbers), np.ones(len(nodes), np.bool_)
    numbers = pc.struct_field(nodes, "_vertex")
    return np.asarray(pc.fill_null(numbers, 0)), np.asarray(nodes.is_valid())


def edge_array(
    ends: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]], entries: npt.NDArray[np.float64] | None
) -> pa.Array:
    """Edges between these internal ids, with what a match says of them."""
    carried = pa.array(np.zeros(len(ends[0])) if entries is None else np.asarray(entries, np.float64))
    arrays = [pa.array(ends[0], pa.uint64()), pa.array(ends[1], pa.uint64()), carried]
    return pa.StructArray.from_arrays(arrays, fields=list(edge_type()))


def keys_of(array: pa.Array, by_row: bool) -> list[pa.Array]:
    """Columns of plain types that are equal where values are.

    `by_row`: edges have numbers of rows, which tell them apart.
    """
    if is_node(array.type):
        return [pc.struct_field(array, "_vertex")]
    if is_edge(array.type):
        return [pc.struct_field(array, name) for name in (["_entry"] if by_row else ["_from", "_to"])]
    if pa.types.is_nested(array.type):
        texts = [None if value is None else repr(value) for value in array.to_pylist()]
        return [pa.array(texts, pa.large_string())]
    if pa.types.is_floating(array.type):  # -0.0 equals 0.0
        return [pc.if_else(pc.equal(array, 0), pa.scalar(0, array.type), array)]
    return [array]


def codes_of(columns: Sequence[pa.Array], count: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """A number for each row, equal where all columns are (null equals null); the first row of each number."""
    codes = np.zeros(count, np.int64)
    for number, column in enumerate(columns):
        one = _encoded(column)
        found = np.asarray(one.indices, np.int64)  # numbered in the order of their first rows
        if number:
            one = _encoded(pa.array(codes * max(1, len(one.dictionary)) + found))
            found = np.asarray(one.indices, np.int64)
        codes = found
    first = np.zeros(int(codes.max()) + 1 if count else 0, np.int64)
    first[codes[::-1]] = np.arange(count)[::-1]  # the first row of each number is written last
    return codes, first


def _encoded(column: pa.Array) -> pa.DictionaryArray:
    one = pc.dictionary_encode(column, null_encoding="encode")
    return one.combine_chunks() if isinstance(one, pa.ChunkedArray) else one
