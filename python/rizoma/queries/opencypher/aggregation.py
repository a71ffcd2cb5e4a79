"""Groups of rows, and what count, sum, avg, min, max and collect make of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ...core.lazy_arrow import pa, pc
from . import syntax as s
from .evaluator import Evaluator, names_in
from .key_tables import KeyTables
from .values import Rows, as_array, codes_of, is_node, is_number, is_text, is_time, keys_of, list_of, type_name
from .vertex_sums import VertexSums, span_of

__all__ = ["Aggregate", "Groups", "aggregate_type"]

_Part: TypeAlias = "tuple[pa.Array | None, pa.DataType]"
"""Values (None: one for each row), and the type in which they are aggregated."""

_MERGE_ROWS = 1 << 18
_LARGEST = 9.2e18
_FEW = 16  # rows that are fewer than one for each 16 vertices of their span are grouped by keys at once
_MANY = 1 << 16  # rows: where these are but some, more follow
_MOST_VERTICES = 1 << 24  # each is looked at at the end, however few the groups are


@dataclass(frozen=True)
class Aggregate:
    """One column of groups: a call of an aggregate function."""

    name: str
    call: s.Call

    @property
    def argument(self) -> s.Expression | None:
        """What is aggregated; None: rows."""
        return None if self.call.starred else self.call.arguments[0]

    @property
    def is_plain(self) -> bool:
        """Its parts can be put together, so that no values are kept."""
        return self.call.name != "collect" and not self.call.distinct


def aggregate_type(evaluator: Evaluator, asked: Aggregate, types: dict[str, pa.DataType]) -> pa.DataType:
    """The type of an aggregate.  Errors: the number and the types of arguments."""
    call = asked.call
    if not call.starred and len(call.arguments) != 1:
        raise evaluator.source.error(call.place, f"{call.name} takes one argument, not {len(call.arguments)}")
    if asked.argument is None:
        return pa.int64()
    empty = Rows(0, {name: pa.array([], kind) for name, kind in types.items()})
    kind = evaluator.array(asked.argument, empty).type
    if call.name == "count":
        return pa.int64()
    if call.name == "collect":
        return pa.large_list(kind)
    if call.name in ("min", "max"):
        if not (
            is_number(kind) or is_text(kind) or is_time(kind) or pa.types.is_boolean(kind) or pa.types.is_null(kind)
        ):
            wrong = f"{call.name} takes numbers, text and times, not {type_name(kind)}; name a column of it"
            raise evaluator.source.error(asked.argument.place, wrong)
        return kind
    if not (is_number(kind) or pa.types.is_null(kind)):
        raise evaluator.source.error(
            asked.argument.place,
            f"{call.name} takes numbers, not {type_name(kind)}; name a column of numbers, or convert it by toFloat",
        )
    return pa.float64() if call.name == "avg" or pa.types.is_floating(kind) else pa.int64()


class Groups:
    """Groups by some expressions, built batch by batch."""

    def __init__(
        self,
        evaluator: Evaluator,
        keys: Sequence[tuple[str, s.Expression]],
        aggregates: Sequence[Aggregate],
        types: dict[str, pa.DataType],
        weight: str | None = None,
        once: bool = False,
    ) -> None:
        self.evaluator = evaluator
        self.once = once  # each vertex is that of one row at most
        self.keys = keys
        self.aggregates = aggregates
        self.weight = weight  # the column that says how many rows one stands for
        self.before = types
        empty = Rows(0, {name: pa.array([], kind) for name, kind in types.items()})
        self.types = {name: evaluator.array(expression, empty).type for name, expression in keys}
        self.types |= {each.name: aggregate_type(evaluator, each, types) for each in aggregates}
        self.plain = all(each.is_plain for each in aggregates)
        self._tables: dict[str, Any] = {}  # of keys, which stay with a plan that is kept

    def of(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """One row for each group."""
        yield self._merged(batches) if self.plain else self._gathered(batches)

    # ---- aggregates whose parts can be put together ----

    def _parts(self, rows: Rows) -> tuple[dict[str, _Part], list[tuple[str, str, str]]]:
        """What to aggregate, and (column, function, function that merges) of each part."""
        made: dict[str, _Part] = {}
        parts: list[tuple[str, str, str]] = []
        ones = rows.columns[self.weight] if self.weight else None
        for i, each in enumerate(self.aggregates):
            values = None if each.argument is None else self.evaluator.array(each.argument, rows)
            if values is not None and pa.types.is_null(values.type):
                values = values.cast(pa.int64())
            if each.call.name in ("count", "avg"):
                some = ones
                if values is not None and values.null_count:
                    one = pa.scalar(1, pa.int64()) if ones is None else ones
                    some = pc.if_else(values.is_valid(), one, pa.scalar(0, pa.int64()))
                made[f"n{i}"] = (some, pa.int64())
                parts.append((f"n{i}", "sum", "sum"))
            if each.call.name in ("sum", "avg"):
                assert values is not None
                whole = pa.types.is_integer(values.type) and each.call.name == "sum"
                made[f"s{i}"] = (values, pa.int64() if whole else pa.float64())
                parts.append((f"s{i}", "sum", "sum"))
                if whole and values.type.bit_width == 64:  # fewer bits cannot add up to more than 64
                    made[f"f{i}"] = (values, pa.float64())
                    parts.append((f"f{i}", "sum", "sum"))
            if each.call.name in ("min", "max"):
                assert values is not None
                made[f"m{i}"] = (values, values.type)
                parts.append((f"m{i}", each.call.name, each.call.name))
        return made, parts

    def _merged(self, batches: Iterator[Rows]) -> Rows:
        vertex = None if self.once else self._vertex_of_keys()
        if vertex is None:
            return self._merged_parts(batches)
        some = list(islice(batches, 2))
        rows = sum(each.count for each in some)
        spans = [span_of(each.columns[vertex]) for each in some]
        width = max((end for _, end in spans), default=0) - min((begin for begin, _ in spans), default=0)
        merged = self._merged_parts if rows < _MANY and width > rows * _FEW else self._merged_by_vertex
        return merged(chain(some, batches))

    @property
    def _adds_up(self) -> bool:
        """Whether all that is asked for is made of sums."""
        return all(each.call.name in ("count", "sum", "avg") for each in self.aggregates)

    def _vertex_of_keys(self) -> str | None:
        """The vertex that alone decides to which group a row belongs, where all that is asked for adds up."""
        names = {name for _, expression in self.keys for name in names_in(expression)}
        if len(names) != 1 or not self._adds_up or self.evaluator.graph.num_vertices > _MOST_VERTICES:
            return None
        (name,) = names
        patterns = any(isinstance(part, s.PatternValue) for _, each in self.keys for part in s.walk(each))
        return name if is_node(self.before.get(name, pa.null())) and not patterns else None

    def _merged_by_vertex(self, batches: Iterator[Rows]) -> Rows:
        """The same, added up by vertex before the keys of a group are computed."""
        vertex = self._vertex_of_keys()
        assert vertex is not None
        sums = VertexSums()
        parts: list[tuple[str, str, str]] | None = None
        for rows in batches:
            made, parts = self._parts(rows)
            sums.add(rows.columns[vertex], _columns(made, rows.count))
        if parts is None:
            return self._finished(None, {})
        rows = sums.groups(vertex)
        originals: dict[str, dict[Any, Any]] = {}
        keys = self._key_columns(rows, originals)
        groups = pa.table({**keys, **{name: rows.columns[name] for name, _, _ in parts}})
        if not any(self._tells_apart(expression) for _, expression in self.keys):
            groups = _grouped(groups, list(keys), [(c, m) for c, _, m in parts])
        return self._finished(groups.combine_chunks(), originals)

    def _tells_apart(self, key: s.Expression) -> bool:
        """Whether a key that speaks of one vertex differs for each."""
        if isinstance(key, s.Call) and key.name == "id":
            return isinstance(key.arguments[0], s.Variable)
        if isinstance(key, s.Property) and key.name == "id":
            return isinstance(key.of, s.Variable) and not self.evaluator.graph.has_id_column
        return isinstance(key, s.Variable)

    def _merged_parts(self, batches: Iterator[Rows]) -> Rows:
        kept: list[pa.Table] = []
        groups: Any = None
        originals: dict[str, dict[Any, Any]] = {}
        parts: list[tuple[str, str, str]] = []
        names: list[str] = []
        tables = KeyTables.of(self.evaluator, self.keys, self.before, self._tables) if self._adds_up else None
        for rows in batches:
            made, parts = self._parts(rows)
            found = None if tables is None else tables.groups(rows, made)
            names = [] if tables is None else tables.names
            if found is None:
                keys = self._key_columns(rows, originals)
                names = list(keys)
                table = pa.table({**keys, **_columns(made, rows.count)})
                found = _grouped(table, names, [(c, f) for c, f, _ in parts])
            kept.append(found)
            if sum(each.num_rows for each in kept) > _MERGE_ROWS and len(kept) > 1:
                kept = [_grouped(pa.concat_tables(kept), names, [(c, m) for c, _, m in parts])]
        if kept:
            groups = _grouped(pa.concat_tables(kept), names, [(c, m) for c, _, m in parts]).combine_chunks()
        return self._finished(groups, originals)

    def _key_columns(self, rows: Rows, originals: dict[str, dict[Any, Any]]) -> dict[str, pa.Array]:
        keys: dict[str, pa.Array] = {}
        for i, (name, expression) in enumerate(self.keys):
            values = self.evaluator.array(expression, rows)
            if (
                pa.types.is_struct(values.type)
                and all(f.name.startswith("_") for f in values.type)
                and not _is_path(values)
            ):
                for field in values.type:
                    keys[f"k{i}.{field.name}"] = pc.struct_field(values, field.name)
                continue
            (keys[f"k{i}"],) = keys_of(values, self.evaluator.graph.by_row)
            if pa.types.is_nested(values.type):
                known = originals.setdefault(name, {})
                known.update(zip(keys[f"k{i}"].to_pylist(), values.to_pylist(), strict=True))
        return keys

    def _finished(self, groups: Any, originals: dict[str, dict[Any, Any]]) -> Rows:
        if groups is None or (groups.num_rows == 0 and not self.keys):
            return self._of_nothing()
        made: dict[str, pa.Array] = {}
        for i, (name, _) in enumerate(self.keys):
            kind = self.types[name]
            if f"k{i}" not in groups.column_names:
                fields = [_array(groups, f"k{i}.{field.name}") for field in kind]
                made[name] = pa.StructArray.from_arrays(fields, fields=list(kind), mask=fields[0].is_null())
            elif name in originals:
                values = [originals[name][key] for key in _array(groups, f"k{i}").to_pylist()]
                made[name] = pa.array(values, kind)
            else:
                made[name] = _array(groups, f"k{i}").cast(kind)
        for i, each in enumerate(self.aggregates):
            made[each.name] = self._aggregate(each, i, groups)
        return Rows(groups.num_rows, made)

    def _aggregate(self, each: Aggregate, i: int, groups: pa.Table) -> pa.Array:
        kind = self.types[each.name]
        if each.call.name == "count":
            return _array(groups, f"n{i}").cast(pa.int64())
        if each.call.name in ("min", "max"):
            return _array(groups, f"m{i}").cast(kind)
        if each.call.name == "avg":
            counts = _array(groups, f"n{i}")
            some = pc.if_else(pc.equal(counts, 0), pa.scalar(None, pa.int64()), counts.cast(pa.int64()))
            return pc.divide(_array(groups, f"s{i}"), some.cast(pa.float64()))
        if f"f{i}" in groups.column_names:
            self._check_sum(each, _array(groups, f"f{i}"), kind)
        return pc.fill_null(_array(groups, f"s{i}"), 0).cast(kind)

    def _check_sum(self, each: Aggregate, sums: pa.Array, kind: pa.DataType) -> None:
        largest = pc.max(pc.abs(sums)).as_py()
        if pa.types.is_integer(kind) and largest is not None and largest > _LARGEST:
            wrong = "the sum does not fit 64 bits; sum 1.0 * the values to calculate with fractions"
            raise self.evaluator.source.error(each.call.place, wrong)

    def _of_nothing(self) -> Rows:
        if self.keys:
            return Rows(0, {name: pa.array([], kind) for name, kind in self.types.items()})
        nothing: dict[str, Any] = {"count": 0, "sum": 0, "collect": []}
        columns = {
            each.name: pa.array([nothing.get(each.call.name)], self.types[each.name]) for each in self.aggregates
        }
        return Rows(1, columns)

    # ---- aggregates that need all values ----

    def _gathered(self, batches: Iterator[Rows]) -> Rows:
        columns: list[list[pa.Array]] = []
        count = 0
        expressions = [expression for _, expression in self.keys]
        expressions += [each.argument for each in self.aggregates if each.argument is not None]
        for rows in batches:
            if rows.count:
                count += rows.count
                columns.append([self.evaluator.array(each, rows) for each in expressions])
        if not count:
            return self._of_nothing()
        gathered = [
            parts[0] if len(parts) == 1 else pa.concat_arrays(list(parts)) for parts in zip(*columns, strict=True)
        ]
        keys, arguments = gathered[: len(self.keys)], iter(gathered[len(self.keys) :])
        by_row = self.evaluator.graph.by_row
        codes, first = codes_of([key for each in keys for key in keys_of(each, by_row)], count)
        made = {name: key.take(pa.array(first)) for (name, _), key in zip(self.keys, keys, strict=True)}
        for each in self.aggregates:
            values = None if each.argument is None else next(arguments)
            made[each.name] = self._of_groups(each, codes, len(first), values)
        return Rows(len(first), made)

    def _of_groups(self, each: Aggregate, codes: npt.NDArray[np.int64], groups: int, values: Any) -> pa.Array:
        if values is None:
            return pa.array(np.bincount(codes, minlength=groups).astype(np.int64))
        if values.null_count:
            kept = np.flatnonzero(np.asarray(values.is_valid()))
            values, codes = values.take(pa.array(kept)), codes[kept]
        if each.call.distinct:
            own, some = codes_of(keys_of(values, self.evaluator.graph.by_row), len(codes))
            _, first = codes_of([pa.array(codes * max(1, len(some)) + own)], len(codes))
            values, codes = values.take(pa.array(first)), codes[first]
        counts = np.bincount(codes, minlength=groups).astype(np.int64)
        if each.call.name == "count":
            return pa.array(counts)
        order = np.argsort(codes, kind="stable")
        if each.call.name == "collect":
            return list_of(values.take(pa.array(order)), counts)
        return self._reduced(each, values, codes, groups, counts)

    def _reduced(
        self,
        each: Aggregate,
        values: pa.Array,
        codes: npt.NDArray[np.int64],
        groups: int,
        counts: npt.NDArray[np.int64],
    ) -> pa.Array:
        """min, max, sum or avg of each group."""
        kind = self.types[each.name]
        name = each.call.name
        if pa.types.is_null(values.type):
            return pa.array([0] * groups, kind) if name == "sum" else pa.nulls(groups, kind)
        if name in ("sum", "avg"):
            wide = values.cast(pa.float64(), safe=False)
            values = wide if name == "avg" or pa.types.is_floating(kind) else values.cast(pa.int64())
            sums = np.bincount(codes, np.asarray(wide, np.float64), groups)
            self._check_sum(each, pa.array(sums), kind)
        found = pa.table({"k": codes, "v": values}).group_by("k").aggregate([("v", "sum" if name == "avg" else name)])
        places = np.full(groups, -1)
        places[np.asarray(found["k"])] = np.arange(found.num_rows)
        column = _array(found, f"v_{'sum' if name == 'avg' else name}")
        reduced = as_array(column.take(pa.array(np.maximum(places, 0), mask=places < 0)), groups)
        if name == "avg":
            return pc.divide(reduced, pa.array(counts.astype(np.float64)))
        return pc.fill_null(reduced, 0).cast(kind) if name == "sum" else reduced.cast(kind)


def _columns(parts: Mapping[str, _Part], count: int) -> dict[str, pa.Array]:
    """The columns of parts in their types."""
    ones = pa.array(np.ones(count, np.int64))
    columns = {name: (ones if values is None else values, kind) for name, (values, kind) in parts.items()}
    return {
        name: values if values.type == kind else values.cast(kind, safe=name[0] != "f")
        for name, (values, kind) in columns.items()
    }


def _is_path(values: pa.Array) -> bool:
    return any(pa.types.is_nested(field.type) for field in values.type)


def _array(table: pa.Table, name: str) -> pa.Array:
    column = table[name]
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _grouped(table: pa.Table, keys: list[str], parts: list[tuple[str, str]]) -> pa.Table:
    """One row for each group, with the names of the columns as they are."""
    made = table.group_by(keys, use_threads=False).aggregate(parts)
    names = [*keys, *(column for column, _ in parts)]
    return made.select([*keys, *(f"{column}_{function}" for column, function in parts)]).rename_columns(names)
