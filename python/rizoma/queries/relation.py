"""Relations: rows that are computed when they are asked for, and what becomes of them batch by batch."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from hashlib import blake2b
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from ..core.arguments import methods_checked
from ..core.arrow_stream import ArrowStream
from ..core.display import cells, html_rows
from ..core.lazy_arrow import pa
from ..core.suggestions import attribute_missing

__all__ = ["ROWS", "Relation", "columns_meant", "first_rows", "sampled_rows", "sorted_rows", "unique_rows"]

ROWS = 1 << 17
"""Of a batch, for each thread."""

_SHOWN = 5  # in a notebook
_NO_VALUE = np.iinfo(np.uint64).max


_ELSEWHERE = dict.fromkeys(("rows", "fetchall", "collect", "result", "data", "all"), "to_pandas() or to_arrow()")
_ELSEWHERE |= dict.fromkeys(("head", "take", "show"), "limit(n).to_pandas(), or LIMIT in a query")
_ELSEWHERE |= dict.fromkeys(("fetchone", "first", "single"), "limit(1).to_arrow().to_pylist()")
_ELSEWHERE |= dict.fromkeys(("to_dict", "to_list", "to_dicts", "to_pylist"), "to_arrow().to_pylist()")
_ELSEWHERE |= dict.fromkeys(
    ("fetch", "fetchmany", "df", "fetchdf", "to_df", "pl"), "to_pandas(), to_polars() or to_arrow()"
)
_ELSEWHERE |= dict.fromkeys(
    ("sort", "sort_values", "sort_by", "order", "orderby"), 'order_by("a"), or ORDER BY in a query'
)
_ELSEWHERE |= dict.fromkeys(("len", "size", "shape"), "count(), or count(*) in a query")
_ELSEWHERE |= {"limit": "LIMIT in the query", "order_by": "ORDER BY in the query", "count": "count(*) in the query"}
_ELSEWHERE |= dict.fromkeys(("groupby", "group"), 'group_by("a"), or count(*) beside a in a query')
_ELSEWHERE |= dict.fromkeys(("filter", "query"), "where(predicate), or WHERE in a query")
_ELSEWHERE |= dict.fromkeys(("to_csv", "to_parquet", "write"), "to_pandas(), or pyarrow's writers")
"""What other libraries call otherwise, and what there is."""


def columns_meant(name: str) -> str:
    """What is meant by a name that is several, or that says how to sort; empty: another."""
    if "," in name:
        shown = ", ".join(f'"{each.strip()}"' for each in name.split(","))
        return f"give each by itself: {shown}"
    if name.lower() in ("desc", "descending"):
        return 'a minus sorts in descending order, as in order_by("-a")'
    word, _, order = name.partition(" ")
    if order.strip().lower() in ("desc", "descending"):
        return f'a minus sorts in descending order: "-{word}"'
    return f'write "{word}"' if order.strip().lower() in ("asc", "ascending") else ""


@methods_checked
class Relation(ArrowStream):
    """Rows that are computed when they are asked for, batch by batch.

    It is an Arrow stream, which may be read any number of times: DuckDB, polars and pyarrow take it as it is.  Cost:
    each reading computes the rows again; `to_arrow`, `to_pandas` and `to_polars` hold all of them in memory.
    """

    def __init_subclass__(cls) -> None:
        methods_checked(cls)

    @property
    @abstractmethod
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""

    def __getattr__(self, name: str) -> NoReturn:
        raise attribute_missing(self, name, _ELSEWHERE)

    def __getitem__(self, key: object) -> NoReturn:
        raise TypeError(
            f"rows are computed when they are read, so there is no [{key!r}]; use to_pandas() or to_arrow()"
        )

    def __len__(self) -> NoReturn:
        """Refuse: it would compute all rows.  `list` takes a TypeError as an unknown length."""
        raise TypeError("rows are computed when they are read, so there is no len(); use count() or to_arrow()")

    def __bool__(self) -> NoReturn:
        """Refuse: whether there are rows would compute some."""
        raise TypeError(
            "rows are computed when they are read, so this is not true or false; use exists() of matches, or count()"
        )

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Iterate over record batches, which have columns; the rows are `to_arrow().to_pylist()`."""
        return self.batches()

    def _repr_html_(self) -> str:
        """The first rows for a notebook; only what it is, where these are not found without all others."""
        first = self._first_rows(_SHOWN + 1)
        if first is None:
            return html_rows(f"{self!r}: sorted or gathered when rows are asked for", {})
        more = ["..."] if first.num_rows > _SHOWN else []
        columns = first.slice(0, _SHOWN)
        return html_rows(repr(self), {name: [*cells(columns.column(name)), *more] for name in first.schema.names})

    def _first_rows(self, n: int) -> pa.Table | None:
        """At most n rows, found without looking at all; None if that cannot be."""
        return None


def unique_rows(rows: Iterator[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Each row once."""
    gathered = schema.empty_table()
    for batch in rows:
        both = pa.concat_tables([gathered, pa.Table.from_batches([batch])])
        gathered = both.group_by(schema.names).aggregate([]).select(schema.names)
    yield from gathered.cast(schema).to_batches()


def sampled_rows(
    rows: Iterator[pa.RecordBatch], schema: pa.Schema, names: list[str], n: int, seed: int
) -> Iterator[pa.RecordBatch]:
    """The n rows whose columns `names` have the smallest hashes, which no order of the rows changes."""
    kept = schema.empty_table()
    hashes = np.empty(0, np.uint64)
    for batch in rows:
        kept = pa.concat_tables([kept, pa.Table.from_batches([batch])])
        hashes = np.concatenate([hashes, _hashes(batch.select(names), seed)])
        if len(hashes) > n:
            smallest = np.argpartition(hashes, n - 1)[:n] if n else np.empty(0, np.int64)
            kept, hashes = kept.take(pa.array(smallest)), hashes[smallest]
    order = np.argsort(hashes, kind="stable")
    yield from kept.take(pa.array(order)).combine_chunks().to_batches()


def _hashes(batch: pa.RecordBatch, seed: int) -> npt.NDArray[np.uint64]:
    """A number for each row that depends on its values and the seed alone."""
    mixed = np.full(batch.num_rows, np.uint64(seed & 0xFFFFFFFFFFFFFFFF))
    for column in batch.columns:
        missing = np.where(column.is_null().to_numpy(zero_copy_only=False), _NO_VALUE, np.uint64(0))
        mixed = _mix(mixed ^ _mix(_bits(column) ^ missing))
    return mixed


def _bits(column: pa.Array) -> npt.NDArray[np.uint64]:
    """A number by which values of the column are told apart, texts by their hash; 0 for null."""
    kind = column.type
    if pa.types.is_large_string(kind) or pa.types.is_large_binary(kind) or pa.types.is_nested(kind):
        texts = (None if value is None else _hash_of(str(value).encode()) for value in column.to_pylist())
        return np.array([text or 0 for text in texts], np.uint64)
    if pa.types.is_date32(kind):
        column = column.cast(pa.int32())
    elif pa.types.is_boolean(kind):
        column = column.cast(pa.uint8())
    elif pa.types.is_timestamp(kind):
        column = column.cast(pa.int64())
    values = column.fill_null(0).to_numpy(zero_copy_only=False)
    wide = np.float64 if pa.types.is_floating(kind) else values.dtype if values.dtype == np.uint64 else np.int64
    return np.ascontiguousarray(values.astype(wide)).view(np.uint64)


def _hash_of(content: bytes) -> int:
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "little")


def _mix(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finalizer of SplitMix64."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def sorted_rows(
    rows: Iterator[pa.RecordBatch], schema: pa.Schema, order: tuple[tuple[str, str], ...], limit: int | None
) -> Iterator[pa.RecordBatch]:
    """The rows in order; with a limit the first of them."""
    kept = schema.empty_table()
    waiting: list[pa.RecordBatch] = []
    for batch in rows:
        waiting.append(batch)
        if limit is not None and sum(each.num_rows for each in waiting) > max(limit, ROWS):
            kept = pa.concat_tables([kept, pa.Table.from_batches(waiting)]).sort_by(list(order)).slice(0, limit)
            waiting = []
    kept = pa.concat_tables([kept, pa.Table.from_batches(waiting, schema)]).sort_by(list(order))
    yield from kept.combine_chunks().to_batches()


def first_rows(rows: Iterator[pa.RecordBatch], limit: int) -> Iterator[pa.RecordBatch]:
    """At most `limit` rows."""
    left = limit
    for batch in rows if limit else ():
        some = batch.slice(0, left)
        left -= some.num_rows
        yield some
        if left == 0:
            return
