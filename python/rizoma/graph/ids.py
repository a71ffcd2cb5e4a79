"""External ids as arrays: between what Python has and what the core takes and gives."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from .. import _core
from ..core.errors import InvalidArgumentError, UnsupportedError, VertexNotFoundError
from ..core.lazy_arrow import pa, pc
from ..core.lazy_numpy import np, npt
from ..core.read_warnings import warn_of

if TYPE_CHECKING:
    from .detached_ids import FrozenIds

__all__ = [
    *("IdArray", "VertexKey", "arrow_ids", "decoded", "find", "find_all", "find_many", "find_or_none"),
    *("id_array", "id_said", "ids_there", "is_text", "like_those", "missing_vertex", "numpy_ids", "string_buffers"),
    "warn_of_other_kind",
]

VertexKey: TypeAlias = int | str
"""An external vertex id."""

_SHOWN = 40  # letters of an id in an error

IdArray: TypeAlias = "npt.NDArray[Any] | pa.LargeStringArray"
"""A column of ids: a NumPy array of integers, or an Arrow array of strings."""


def string_buffers(strings: pa.LargeStringArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Offsets and bytes of the strings, without a copy."""
    _, offsets, data = strings.buffers()
    if len(strings) == 0 or offsets is None:
        return np.zeros(1, np.int64), np.empty(0, np.uint8)
    ends = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    return ends, np.empty(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)


def id_array(column: Any, name: str = "id", first_row: int = 0) -> IdArray:
    """Integers as NumPy, strings as Arrow, from any sequence, NumPy or Arrow array.

    `first_row`: the number of its first row, for messages about an Arrow array.
    """
    if isinstance(column, np.ndarray):
        return _from_numpy(column, name)
    if isinstance(column, (list, tuple)):
        return _from_values(column, name)
    if isinstance(column, (str, bytes)) or not isinstance(column, Iterable):
        raise _one_id(column)
    if isinstance(column, (pa.Array, pa.ChunkedArray)):  # last: the question alone imports pyarrow
        return _from_arrow(column, name, first_row)
    return _from_values(list(column), name)


def decoded(column: Any) -> Any:
    """An Arrow array without a dictionary, and without string views, as polars has them: few functions know those."""
    if not pa.types.is_dictionary(column.type):
        return column.cast(pa.large_string()) if _is_view(column.type) else column
    if _is_view(column.type.value_type):
        column = column.cast(pa.dictionary(column.type.index_type, pa.large_string()))
    return column.dictionary_decode()


def floats_of_decimals(column: Any) -> Any:
    """The float64 next to each decimal, by way of its text: Arrow's own cast rounds twice, and 3.3 is another then."""
    return column.cast(pa.string()).cast(pa.float64())


def _is_view(kind: pa.DataType) -> bool:
    return bool(getattr(pa.types, "is_string_view", lambda _: False)(kind))


def _from_arrow(column: pa.Array | pa.ChunkedArray, name: str, first_row: int) -> IdArray:
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    column = decoded(column)
    if len(column) == 0 and not is_text(column.type):  # no ids are ids of every kind
        return np.empty(0, np.int64)
    if column.null_count:
        row = first_row + pc.index(pc.is_null(column), pa.scalar(True)).as_py()
        raise InvalidArgumentError(f"column {name!r} has no vertex id in row {row} (null); drop or fill such rows")
    if pa.types.is_integer(column.type):
        return np.asarray(column.to_numpy(zero_copy_only=False))
    if is_text(column.type):
        return column.cast(pa.large_string())
    if pa.types.is_decimal(column.type):
        return _whole_decimals(column, name)
    if pa.types.is_floating(column.type):
        return _whole(np.asarray(column.to_numpy(zero_copy_only=False)), name, first_row)
    raise _no_ids(name, column.type)


def _no_ids(name: str, kind: object) -> InvalidArgumentError:
    """The error of a column whose values cannot be ids."""
    if str(kind).startswith(("list", "large_list", "fixed_size_list")):
        return InvalidArgumentError(
            f"column {name!r} is of type {kind}; an id is one value: explode the lists, or give one"
        )
    as_text = "convert others to text, as in table[column].astype(str)"
    return InvalidArgumentError(f"column {name!r} is of type {kind}; vertex ids must be integers or strings: {as_text}")


def _whole_decimals(column: pa.Array, name: str) -> npt.NDArray[np.int64]:
    """Integers that are held as decimals, as databases make them of sums and of great types."""
    try:
        return np.asarray(column.cast(pa.int64()).to_numpy(zero_copy_only=False))
    except pa.ArrowInvalid:
        raise InvalidArgumentError(
            f"column {name!r} of decimal numbers has some that are not whole numbers of 64 bits; vertex ids are whole "
            "numbers or strings: drop or mend such rows, or give text"
        ) from None


def _whole(column: npt.NDArray[np.floating[Any]], name: str, first_row: int = 0) -> npt.NDArray[np.int64]:
    """Integers that are held as floating point, as pandas makes them of a column in which some are missing."""
    bits = min(int(np.finfo(column.dtype).nmant) + 1, 53)  # those of a whole number that the type holds
    column = column.astype(np.float64)
    with np.errstate(invalid="ignore"):
        odd = np.flatnonzero(~((column == np.floor(column)) & (np.abs(column) < 2.0**bits)))
    if len(odd):
        value = column[odd[0]]
        why = "vertex ids are whole numbers or strings: drop or mend such rows"
        if abs(value) >= 2.0**bits and np.isfinite(value):
            why = f"from 2^{bits} on float numbers do not hold each whole number: give integers, or text"
        raise InvalidArgumentError(f"column {name!r} of float numbers has {value!s} in row {first_row + odd[0]}; {why}")
    return column.astype(np.int64)


def is_text(kind: pa.DataType) -> bool:
    """Whether values are text, which Arrow holds in three ways."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or _is_view(kind))


def _from_numpy(column: npt.NDArray[Any], name: str) -> IdArray:
    if column.ndim != 1:
        raise InvalidArgumentError(
            f"an array of vertex ids has one dimension, not the shape {column.shape}; give array.ravel(), or a column"
        )
    if column.dtype.kind in "iu":
        return column if column.dtype.isnative else column.astype(column.dtype.newbyteorder("="))
    if column.dtype.kind in "UT" or column.dtype == object:
        return _from_values(column.tolist(), name)
    if column.dtype.kind == "f":
        return _whole(column, name)
    raise _no_ids(name, column.dtype)


def _from_values(values: Sequence[Any], name: str) -> IdArray:
    kinds = set(map(type, values))  # usually one
    try:
        if kinds == {int} or _are(kinds, int, np.integer):
            return np.array(values, np.int64)
        if _are(kinds, str):
            return _text_array(values, name)
    except OverflowError:
        raise InvalidArgumentError(
            f"column {name!r} has an integer that does not fit 64 bits; give such ids as strings"
        ) from None
    if _are(kinds, float, np.floating):
        return _whole(np.array(values, None if np.float16 in kinds or np.float32 in kinds else np.float64), name)
    if _are(kinds, int, float, np.integer, np.floating):
        return _mixed_numbers(values, name)
    odd = [v for v in values if not isinstance(v, (int, str, np.integer)) or isinstance(v, bool)]
    if odd:
        remedy = 'values of vertices are given in a table: {"id": [...], "age": [...]}'
        if odd[0] is None:
            row = next(row for row, value in enumerate(values) if value is None)
            remedy = f"row {row} of column {name!r} has no value: leave such rows out (dropna), or fill them"
        elif isinstance(odd[0], tuple) and all(isinstance(value, (int, str)) for value in odd[0]):
            remedy = 'make text of it, as in "{},{}".format(*id)'
        if isinstance(odd[0], tuple) and len(odd[0]) == 2 and isinstance(odd[0][1], float):
            remedy = "of pairs with values take the ids, as in [v for v, _ in result.top(2)]"
        raise InvalidArgumentError(
            f"vertex ids must be integers or strings, not {type(odd[0]).__name__} ({odd[0]!r}); {remedy}"
        )
    texts = [isinstance(v, str) for v in values]
    other = values[texts.index(not texts[0])]
    raise InvalidArgumentError(
        f"vertex ids must be all integers or all strings, not a mixture such as {values[0]!r} and {other!r}; "
        "give all as text (str)"
    )


def _mixed_numbers(values: Sequence[Any], name: str) -> npt.NDArray[np.int64]:
    """Integers of which some are held as floating point: the others stay exact."""
    fractions = [isinstance(value, (float, np.floating)) for value in values]
    whole = _whole(np.array([value if real else 0 for value, real in zip(values, fractions, strict=True)], float), name)
    exact = [int(at) if real else int(value) for value, at, real in zip(values, whole, fractions, strict=True)]
    return _from_values(exact, name)


def _are(kinds: set[type], *wanted: type) -> bool:
    """Whether all types are among those that are wanted; a truth value is no number here."""
    return all(issubclass(kind, wanted) and kind is not bool for kind in kinds)


def _text_array(values: Sequence[str], name: str) -> pa.LargeStringArray:
    try:
        return pa.array(values, pa.large_string())
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(
            f"column {name!r} has the id {error.object!r}, which is not valid Unicode text; remove the lone surrogate"
        ) from None


def arrow_ids(
    ids: npt.NDArray[np.int64] | tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]] | pa.Array,
) -> pa.Array:
    """Ids as the core gives them, as an Arrow array; no copy."""
    if isinstance(ids, pa.Array):
        return ids
    if isinstance(ids, tuple):
        offsets, data = ids
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
        return _checked(pa.Array.from_buffers(pa.large_string(), len(offsets) - 1, buffers))
    return pa.array(ids)


def _checked(strings: pa.LargeStringArray) -> pa.LargeStringArray:
    """Return the strings if they are UTF-8; an imported file may have held other bytes."""
    try:
        strings.validate(full=True)
    except pa.ArrowInvalid as error:
        raise UnsupportedError(
            "a vertex id is not UTF-8 text; convert the file that it came from (iconv) and import it again"
        ) from error
    return strings


def numpy_ids(ids: pa.Array) -> npt.NDArray[Any]:
    """An int64 array, or an object array of str."""
    return np.asarray(ids.to_numpy(zero_copy_only=False))


def find_or_none(state: _core.Snapshot | FrozenIds, v: object) -> int | None:
    """Internal id of `v`; None if it is not a vertex."""
    strings = state.schema.ids == _core.IdKind.string
    if strings:
        return state.find_string(v) if isinstance(v, str) and _is_unicode(v) else None
    if isinstance(v, (int, np.integer)) and not isinstance(v, bool) and -(2**63) <= v < 2**63:
        return state.find_integer(int(v))
    return None


def _is_unicode(text: str) -> bool:
    """False for a text with lone surrogates, which no vertex can have as its id."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def find(state: _core.Snapshot | FrozenIds, v: object) -> int:
    """Internal id of `v`.  Raises VertexNotFoundError."""
    number = find_or_none(state, v)
    if number is None:
        raise missing_vertex(state, v)
    return number


def _expect_list(ids: object) -> None:
    if isinstance(ids, str) or not isinstance(ids, Iterable) or getattr(ids, "ndim", 1) == 0:
        raise _one_id(ids)


def _one_id(given: object) -> InvalidArgumentError:
    """The error about what is no list of ids."""
    if isinstance(given, os.PathLike):
        how = "rizoma.read(..., vertex_files=...) reads a file"
        return InvalidArgumentError(f"{os.fspath(given)!r} is no list of ids; {how}")
    return InvalidArgumentError(f"give a list of vertex ids, not one id ({given!r}); [{given!r}] has one")


def missing_vertex(state: _core.Snapshot | FrozenIds, v: object) -> VertexNotFoundError:
    """The error that names `v`, and says what ids there are."""
    shown = v.item() if isinstance(v, np.generic) else v
    return VertexNotFoundError(f"the graph has no vertex {shown!r}{ids_there(state, v)}")


def ids_there(state: _core.Snapshot | FrozenIds, v: object) -> str:
    """What ids there are, to follow what says that `v` is none of them; empty where nothing can be said."""
    strings = state.schema.ids == _core.IdKind.string
    n = state.num_vertices
    hint = ""
    if isinstance(v, (list, set, frozenset, dict, np.ndarray)):
        hint = "; give the id of one vertex, not several"
    elif isinstance(v, slice):
        hint = "; give the id of one vertex: a slice of values is one of to_numpy() or to_pandas()"
    elif isinstance(v, tuple):
        hint = "; give the id of one vertex: graph[u][v] has what an edge has"
    elif not n:
        hint = "; it has no vertices yet (add_edges and add_vertices add some)"
    elif isinstance(v, (bool, np.bool_, float, np.floating)) and not strings:
        hint = "; its ids are whole numbers, without a decimal point"
    elif strings != isinstance(v, str):
        hint = f"; its ids are {'strings' if strings else 'integers'}"
    elif state.schema.ids == _core.IdKind.dense:
        was_there = isinstance(v, (int, np.integer)) and 0 <= v < n  # no longer, so that its id is among those
        hint = "; it was removed" if was_there else f"; its ids are 0 to {n - 1}"
    elif isinstance(v, (int, np.integer)):
        hint = like_those(state)
    elif isinstance(v, str):
        written = (v.strip(), v.lower(), v.upper(), v.title(), v.strip().lower())
        meant = next((each for each in written if find_or_none(state, each) is not None), None)
        hint = f"; did you mean {meant!r}?" if meant is not None else like_those(state)
    return hint


def like_those(state: _core.Snapshot | FrozenIds) -> str:
    """How the ids look, by the first two of them; nothing where vertices were removed, of which one may be first."""
    if state.num_live != state.num_vertices:
        return ""
    first = arrow_ids(state.ids_of_range(0, min(2, state.num_vertices))).to_pylist()
    return f"; its ids are such as {' and '.join(map(id_said, first))}" if first else ""


def id_said(v: Any) -> str:
    """An id as a message has it, out of an array or not."""
    plain = v.as_py() if hasattr(v, "as_py") else v.item() if isinstance(v, np.generic) else v
    return repr(plain if len(str(plain)) <= _SHOWN else f"{plain[:_SHOWN]}...")


def warn_of_other_kind(is_vertex: Callable[[object], bool], *asked: object) -> None:
    """Warn of what is no vertex, but would be one as an id of the other kind, as '1' and 1 are.

    Cost: one more question for each integer, and for each text that is one in form.
    """
    for v in asked:
        meant: VertexKey | None = None
        if isinstance(v, str) and len(v) < _SHOWN and v.strip().removeprefix("-").isdecimal():
            meant = int(v)
        elif type(v) is int and v.bit_length() < 64:
            meant = str(v)
        if meant is not None and is_vertex(meant) and not is_vertex(v):
            kind = "strings" if isinstance(meant, str) else "integers"
            warn_of([f"the graph has no vertex {v!r}, so the answer is False; its ids are {kind}: give {meant!r}"])
            return


def find_many(snapshot: _core.Snapshot, ids: Iterable[VertexKey] | IdArray) -> npt.NDArray[np.uint64]:
    """Internal ids of ids; 2**64 - 1 where the graph has no such vertex, as for ids of the other kind."""
    column = id_array(ids)
    if isinstance(column, np.ndarray) == (snapshot.schema.ids == _core.IdKind.string):
        return np.full(len(column), np.iinfo(np.uint64).max)
    if isinstance(column, np.ndarray):
        if len(column) == 0:
            return np.empty(0, np.uint64)
        return snapshot.find_integers(column)
    return snapshot.find_strings(*string_buffers(column))


def find_all(snapshot: _core.Snapshot, ids: Iterable[VertexKey]) -> npt.NDArray[np.uint64]:
    """Internal ids of ids.  Raises VertexNotFoundError for the first that is not a vertex of the graph."""
    _expect_list(ids)
    given = list(ids)
    numbers = np.ascontiguousarray(find_many(snapshot, given), np.uint64)
    missing = np.flatnonzero(numbers == np.iinfo(np.uint64).max)
    if len(missing):
        raise missing_vertex(snapshot, given[missing[0]])
    return numbers


_NUMBERED = re.compile(r"(vertex|edge) (\d+)(?: -> (\d+))? \(internal ids?\)")


class ErrorsWithIds:
    """A context in which a kernel's refusals speak of external ids, where it knows internal ids alone.

    A class, since it stands around searches of 40 microseconds, of which a generator would take one.
    """

    def __init__(self, state: _core.Snapshot) -> None:
        self._state = state

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InvalidArgumentError):
            raise InvalidArgumentError(_with_ids(self._state, str(error))) from None


def _with_ids(state: _core.Snapshot, message: str) -> str:

    def named(found: re.Match[str]) -> str:
        numbers = np.array([number for number in found.groups()[1:] if number is not None], np.uint64)
        ids = arrow_ids(state.ids_of(numbers)).to_pylist()
        return f"{found[1]} " + " -> ".join(repr(id_) for id_ in ids)

    return _NUMBERED.sub(named, message)
