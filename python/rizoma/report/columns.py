"""What the columns of a graph hold: distributions of numbers, the most frequent values, rows by time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..core.lazy_arrow import pa, pc
from ..graph.column_types import holds_numbers

if TYPE_CHECKING:
    from ..graph.graph import Snapshot

__all__ = ["Column", "Histogram", "columns", "histogram"]

_BINS = 20
_WHOLE_BELOW = 2**52  # doubles tell neighbouring integers of less apart
_SPREAD = 1000  # largest by least from which on bins are of equal width on a logarithmic scale
_TOP = 10
_MOST_VALUES = 100_000  # different ones that are counted
_UNITS = (
    ("h", "hour", 72),
    ("D", "day", 400),
    ("M", "month", 400),
    ("Y", "year", 1000),
)  # the largest number of bins of each

Arrays = Callable[[], Iterator[npt.NDArray[Any]]]


@dataclass(frozen=True)
class Histogram:
    """How numbers are distributed; `bins` are (least, largest, count)."""

    least: float
    mean: float
    greatest: float
    bins: list[tuple[float, float, int]]


@dataclass(frozen=True)
class Column:
    """A column of the edges or vertices; one of `numbers`, `values` and `times` is there, or none."""

    of: str  # "edges" or "vertices"
    name: str
    type: str
    rows: int
    filled: int  # rows that have a value
    numbers: Histogram | None = None
    values: list[tuple[str, int]] | None = None  # the most frequent, falling
    different: int = 0  # values; 0 if they were not counted
    times: list[tuple[str, int]] | None = None  # rows by hour, day, month or year, in order
    unit: str = ""  # of times


def columns(state: Snapshot) -> list[Column]:
    """All columns but the weights of edges; each is read once or twice."""
    tables = (("edges", state.edges, state.edge_columns), ("vertices", state.vertices, state.vertex_columns))
    return [
        _column(of, table, name, kind)
        for of, table, named in tables
        for name, kind in named.items()
        if (of, name) != ("edges", "weight")
    ]


def histogram(arrays: Arrays, whole: bool = False) -> Histogram | None:
    """Twenty bins over all numbers, of equal width, on a log scale if they are spread wide; None without numbers.

    `whole`: all are integers, and so are the least and the largest of each bin.
    """
    least, greatest, total, count = np.inf, -np.inf, 0.0, 0
    for some in arrays():
        least, greatest = min(least, float(some.min())), max(greatest, float(some.max()))
        total, count = total + float(some.sum()), count + len(some)
    if count == 0:
        return None
    if least > 0 and greatest > _SPREAD * least:
        ends = np.geomspace(least, greatest, _BINS + 1)
    else:
        ends = np.linspace(least, greatest, _BINS + 1) if greatest > least else np.array([least, least])
    ends[0], ends[-1] = least, greatest
    whole = whole and least < greatest and max(-least, greatest) < _WHOLE_BELOW
    if whole:
        width = np.ceil((greatest - least + 1) / _BINS)
        spread = least > 0 and greatest > _SPREAD * least
        ends = np.append(
            np.unique(np.ceil(ends[:-1])) if spread else np.arange(least, greatest + 1, width), greatest + 1
        )
    counts = np.zeros(len(ends) - 1, np.int64)
    for some in arrays():
        counts += np.bincount(np.searchsorted(ends[1:-1], some, side="right"), minlength=len(counts))
    last = ends[1:] - 1 if whole else ends[1:]
    bins = [(float(low), float(high), int(each)) for low, high, each in zip(ends[:-1], last, counts, strict=True)]
    return Histogram(least, total / count, greatest, bins)


def _column(of: str, table: Any, name: str, kind: str) -> Column:
    rows = filled = 0
    for batch in table.batches(columns=[name]):
        rows, filled = rows + batch.num_rows, filled + batch.num_rows - batch.column(name).null_count
    found = Column(of, name, kind, rows, filled)
    arrow = table.schema.field(name).type
    if filled == 0:
        return found
    if pa.types.is_timestamp(arrow) or pa.types.is_date(arrow):
        return _times(found, table)
    if pa.types.is_boolean(arrow) or pa.types.is_string(arrow) or pa.types.is_large_string(arrow):
        return _values(found, table)
    if holds_numbers(arrow):
        return _with(found, numbers=histogram(lambda: _numbers(table, name), whole=pa.types.is_integer(arrow)))
    return found


def _with(found: Column, **more: Any) -> Column:
    return Column(found.of, found.name, found.type, found.rows, found.filled, **more)


def _given(table: Any, name: str) -> Iterator[Any]:
    for batch in table.batches(columns=[name]):
        column = batch.column(name).drop_null()
        if len(column):
            yield column


def _numbers(table: Any, name: str) -> Iterator[npt.NDArray[np.float64]]:
    for column in _given(table, name):
        some = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        some = some[np.isfinite(some)]
        if len(some):
            yield some


def _values(found: Column, table: Any) -> Column:
    counts: Counter[Any] = Counter()
    for column in _given(table, found.name):
        for each in pc.value_counts(column):
            counts[each["values"].as_py()] += each["counts"].as_py()
        if len(counts) > _MOST_VALUES:
            return found
    top = sorted(counts.items(), key=lambda each: (-each[1], str(each[0])))[:_TOP]
    return _with(found, values=[(str(value), count) for value, count in top], different=len(counts))


def _times(found: Column, table: Any) -> Column:
    """Rows by the finest unit that gives not too many bins; empty ones between the first and the last included."""

    def moments(code: str) -> Iterator[npt.NDArray[np.int64]]:
        for column in _given(table, found.name):
            yield column.to_numpy(zero_copy_only=False).astype(f"datetime64[{code}]").astype(np.int64)

    seconds = [(int(some.min()), int(some.max())) for some in moments("s")]
    ends = np.array([min(low for low, _ in seconds), max(high for _, high in seconds)], "datetime64[s]")
    for code, unit, most in _UNITS:
        first, last = (int(end) for end in ends.astype(f"datetime64[{code}]").astype(np.int64))
        if last - first < most:
            counts = np.zeros(last - first + 1, np.int64)
            for some in moments(code):
                counts += np.bincount(some - first, minlength=len(counts))
            labels = np.arange(first, last + 1).astype(f"datetime64[{code}]").astype(str)
            return _with(found, times=list(zip(labels.tolist(), counts.tolist(), strict=True)), unit=unit)
    return found
