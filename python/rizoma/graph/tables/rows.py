"""Edges from any iterable of pairs or triples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import islice
from typing import Any

from ..._core import ColumnContent
from ...core.display import shortened
from ...core.errors import InvalidArgumentError
from ...core.lazy_arrow import pa
from ...core.lazy_numpy import np
from ...core.plain_numbers import is_plain_number
from ..ids import id_array
from ..schema import fitted_records
from .columns import (
    WEIGHTS,
    ColumnNames,
    EdgeColumns,
    EdgeSource,
    as_weights,
    asks_for_weights,
    expect_columns,
    expect_places,
    has_ends,
    lacks_weights,
    third_in_two_ways,
)
from .interpret import (
    SAMPLE,
    TablePlan,
    content_of_values,
    direction_guess,
    expect_direction,
    header_guess,
    ids_guess,
    interpret_names,
    is_undirected,
    say_directions,
)

__all__ = ["from_rows"]

_CHUNK = 1 << 18  # rows held as Python objects at a time
_SOURCE, _TARGET = "source", "target"
_NO_ROW = (str, bytes, Set, Mapping)  # they have no first and second item
_BARE = (tuple, list)  # rows whose items have a place and no name; to ask an abstract class takes ten times as long


def from_rows(data: Iterable[Any], names: ColumnNames) -> EdgeSource:
    """Rows (source, target), (source, target, weight) or (source, target, {name: value}), all alike; or mappings.

    Mappings all have the same keys, of which the first ones tell what each is.
    """
    rows = iter(data)
    begin = list(islice(rows, _CHUNK))
    if not begin:
        return EdgeSource([])
    plan, keys = None, []
    begin, rows = _with_names(data, begin, rows, names)
    if _has_data(begin[0]):
        begin = [_flat(row, i) for i, row in enumerate(begin)]
        rows = (_flat(row, i) for i, row in enumerate(rows, len(begin)))
        names = replace(names, source=_SOURCE, target=_TARGET)
    else:
        _expect_pairs_or_weights(begin, names)
    if type(begin[0]) not in _BARE and isinstance(begin[0], Mapping):
        keys = list(begin[0])
        plan = _plan(begin, names)

    def chunks() -> Iterator[EdgeColumns]:
        chunk, first, rest = begin, 0, rows
        while chunk:
            yield _columns(chunk, first) if plan is None else _of_mappings(chunk, first, names, keys, plan)
            first += len(chunk)
            chunk = list(islice(rest, _CHUNK))

    if plan is None:
        return EdgeSource(chunks(), guesses=header_guess(begin))
    return plan.edges(chunks(), [str(key) for key in keys])


def _expect_pairs_or_weights(rows: list[Any], names: ColumnNames) -> None:
    """Refuse triples whose third item may be something else than the weight, and pairs where weights are asked for.

    It is the weight where weights are asked for, or where it can be nothing else: a number that no id can be.
    """
    first = rows[0]
    if _is_no_row(type(first)) or _length(first) not in (2, 3):
        return
    expect_places(names, "a list of pairs or triples")
    if len(first) == 2:
        if names.weighted or names.weight is not None:
            raise InvalidArgumentError(lacks_weights("pairs"))
        return
    if not asks_for_weights(names) and not _is_surely_weight([row[2] for row in rows if _length(row) == 3], first):
        raise InvalidArgumentError(third_in_two_ways(f"row 0 is {_said(first)}: its third item"))


def _is_surely_weight(third: list[Any], first: Any) -> bool:
    """Whether third items of rows are numbers, and the ends are text or these are no whole numbers."""
    if any(isinstance(value, bool) or not isinstance(value, (int, float, np.number)) for value in third):
        return False
    return isinstance(first[0], str) or any(value != np.floor(value) for value in third)


def _has_data(row: Any) -> bool:
    """Whether a row is (source, target, {name: value}), as NetworkX lists edges with their data."""
    return isinstance(row, tuple) and len(row) == 3 and isinstance(row[2], Mapping)


def _is_no_row(kind: type) -> bool:
    """Whether a value of this type has no first and second item."""
    return kind not in _BARE and issubclass(kind, _NO_ROW)


def _with_names(
    data: Any, begin: list[Any], rows: Iterator[Any], names: ColumnNames
) -> tuple[list[Any], Iterator[Any]]:
    """Rows as mappings where something names their items, unless these are pairs whose names say nothing."""
    cursor = _names_of_cursor(data) if type(begin[0]) in _BARE else None
    first = cursor or (_fields(begin[0]) if type(begin[0]) not in _BARE else None)
    if first is None:
        return begin, rows
    if not (has_ends(first) or len(first) > 2 or names.source is not None):
        return begin, rows

    def named(row: Any, number: int) -> Any:
        fields = cursor or _fields(row)
        if fields is None:
            raise InvalidArgumentError(f"row {number} is {_said(row)}; write it as the first one, with the same fields")
        return dict(zip(fields, row, strict=True))

    return [named(row, i) for i, row in enumerate(begin)], (named(row, i) for i, row in enumerate(rows, len(begin)))


def _names_of_cursor(data: Any) -> list[str] | None:
    """The names of the columns of a cursor (DB-API 2.0), whose rows are bare tuples."""
    described = getattr(data, "description", None)
    if not isinstance(described, (list, tuple)) or not all(isinstance(each, Sequence) and each for each in described):
        return None
    return [str(each[0]) for each in described] or None


def _fields(row: Any) -> list[str] | None:
    """The names of the items of a named tuple or a row of a database, which tell what they are, in any order."""
    if _is_no_row(type(row)):
        return None
    if isinstance(row, np.void):  # of a structured array
        return None if row.dtype.names is None else list(row.dtype.names)
    if isinstance(row, tuple):
        return [str(name) for name in row._fields] if hasattr(row, "_fields") else None
    keys = getattr(row, "keys", None)  # of a row that iterates over its values
    return [str(name) for name in keys()] if callable(keys) else None


def _flat(row: Any, number: int) -> dict[Any, Any]:
    if not _has_data(row):
        raise InvalidArgumentError(f"row {number} is {_said(row)}; write it as the first one, (source, target, data)")
    taken = next((name for name in (_SOURCE, _TARGET) if name in row[2]), None)
    if taken is not None:
        raise InvalidArgumentError(
            f"row {number} is {_said(row)}: its data has a {taken!r}, which is the name of an end; "
            "rename it, or give a table"
        )
    return {_SOURCE: row[0], _TARGET: row[1], **row[2]}


def _plan(rows: list[Any], names: ColumnNames) -> TablePlan:
    """The role of each key of the first rows."""
    keys = list(rows[0])
    if names.source is None and not has_ends([str(key) for key in keys]):
        raise InvalidArgumentError(
            f"row 0 is {_said(rows[0])}: a mapping is read by its keys, but these do not name a source and a target; "
            "name them with source= and target=, or give pairs"
        )
    labels = [str(key) for key in keys]
    expect_columns(names, labels)
    sample = [row for row in rows[:SAMPLE] if isinstance(row, Mapping)]
    contents = [content_of_values(row.get(key) for row in sample) for key in keys]
    nothing = ColumnContent.nothing
    columns = [(name, content, content == nothing, False) for name, content in zip(labels, contents, strict=True)]
    said = (say_directions(label, (row.get(key) for row in sample)) for label, key in zip(labels, keys, strict=True))
    number = next((i for i, says in enumerate(said) if says), None)
    direction = None
    if number is not None:
        directed = any(not is_undirected(row.get(keys[number])) for row in sample)
        direction = number, directed, f'the key "{labels[number]}"'
    plan = interpret_names(columns, names, direction=direction)
    ends = (plan.source, plan.target)
    texts = {i: [row[keys[i]] for row in sample if isinstance(row.get(keys[i]), str)] for i in ends}
    guesses = [guess for i in ends if (guess := ids_guess(labels[i], texts[i]))]
    if direction is None and not names.direction_known:
        others = [i for i in range(len(keys)) if i not in (*ends, plan.weight) and labels[i] not in names.columns]
        guesses += filter(None, (direction_guess(labels[i], _texts_of(sample, keys[i])) for i in others))
    return replace(plan, guesses=[*plan.guesses, *guesses])


def _texts_of(rows: list[Mapping[Any, Any]], key: Any) -> set[str]:
    """The different values of a key, as text."""
    return {"" if value is None else str(value) for value in (row.get(key) for row in rows)}


def _of_mappings(rows: list[Any], first: int, names: ColumnNames, keys: list[Any], plan: TablePlan) -> EdgeColumns:
    """Rows such as {"source": "ann", "target": "bob"}: the keys name what each value is."""
    labels = [str(key) for key in keys]
    source, target, weight = plan.source, plan.target, plan.weight
    others = names.others(labels, plan.taken(labels, names))
    wanted = [keys[source], keys[target], *([] if weight is None else [keys[weight]])]
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping) or any(key not in row for key in wanted):
            lacking = [key for key in wanted if key not in row] if isinstance(row, Mapping) else []
            without = f"has no {' and no '.join(map(repr, lacking))}" if lacking else "is no mapping as"
            raise InvalidArgumentError(
                f"row {first + i} is {_said(row)}; it {without}, which the first row has: give each row the keys "
                f"{wanted}"
            )
        further = {str(key) for key in set(row).difference(keys)}
        if not names.columns and names.refusal is None:
            further = {name for name in further if weight is None and name.lower() in WEIGHTS}
        if further:
            raise InvalidArgumentError(
                f"row {first + i} is {_said(row)}; the first row has no {min(further)!r}; give it to all rows"
            )
    if weight is not None:
        _expect_numbers(rows, keys[weight], first)
    ends = _columns([tuple(row[key] for key in wanted) for row in rows], first)
    undirected = None
    if plan.direction is not None:
        said = pa.array([row.get(keys[plan.direction]) for row in rows])
        undirected = expect_direction(said, labels[plan.direction], first)
    values = {name: fitted_records(rows, keys[i], name, names.columns[name]) for name, i in others.items()}
    return replace(ends, values=values, undirected=undirected)


def _expect_numbers(rows: list[Any], key: Any, first: int) -> None:
    """Raise if a weight is none."""
    for i, row in enumerate(rows):
        if not is_plain_number(row[key]):
            raise InvalidArgumentError(
                f"row {first + i} has {row[key]!r} for the weight {key!r}, which is not a number; correct it, or "
                "name another key with weight="
            ) from None


def _other_form(row: Any) -> str:
    """What to do with data of which `row` is one of the parts, if these are no rows."""
    if isinstance(row, str) and re.search(r"\.\w+$", row):
        return "; several files are given one after the other: read(*files)"
    if isinstance(row, str) and re.search(r"\S[\s,;]+\S", row):
        return "; split lines of text before, as in [line.split() for line in lines]"
    if isinstance(row, (str, int, np.integer)):
        return f"; one edge is a list of one pair, as in [({_said(row)}, ...)]"
    if (isinstance(row, (np.ndarray, list)) and len(row) > 3) or hasattr(row, "to_numpy"):
        return '; columns have names: {"source": sources, "target": targets}'
    return ""


def _columns(rows: list[Any], first: int) -> EdgeColumns:
    ordered = not any(_is_no_row(kind) for kind in set(map(type, rows)))
    try:
        columns = list(zip(*rows, strict=True)) if ordered else []
    except (TypeError, ValueError):
        columns = []
    if len(columns) not in (2, 3):
        number, row = next(
            ((first + i, r) for i, r in enumerate(rows) if _is_no_row(type(r)) or _length(r) != _length(rows[0])),
            (first, rows[0]),
        )
        raise InvalidArgumentError(
            f"row {number} is {_said(row)}; give all rows as pairs (source, target), or all as triples with a weight"
            + _other_form(row)
        )
    weights, rounded = None, 0
    if len(columns) == 3:
        try:
            weights, rounded = as_weights(columns[2])
        except (TypeError, ValueError, OverflowError):
            number, row = next((first + i, row) for i, row in enumerate(rows) if not is_plain_number(row[2]))
            raise InvalidArgumentError(
                f"row {number} is {_said(row)}; the third item of a row is its weight, so it must be a number: give "
                "other values in a table with named columns"
            ) from None
    return EdgeColumns(id_array(columns[0], "source"), id_array(columns[1], "target"), weights, rounded=rounded)


def _said(row: Any) -> str:
    """A row as a message has it."""
    return shortened(repr(row), 200)


def _length(row: Any) -> int:
    return len(row) if hasattr(row, "__len__") else -1
