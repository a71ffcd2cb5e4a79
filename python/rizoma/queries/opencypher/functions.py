"""Functions of queries over plain values; those of vertices, edges and paths are the evaluator's."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from ...core.lazy_arrow import pa, pc
from .lists import element, lengths_of, ranges
from .values import as_array, common_type, fit, is_list, is_number, is_text, is_time, list_of

__all__ = ["AGGREGATES", "FUNCTIONS", "Function", "WrongType", "coalesced", "part_of_time"]

AGGREGATES = frozenset({"avg", "collect", "count", "max", "min", "sum"})
"""Functions of many rows."""


class WrongType(Exception):  # noqa: N818 - says what is expected; the evaluator makes an error with a place of it
    """An argument of a type that a function does not take: what it takes."""


@dataclass(frozen=True)
class Function:
    """How many arguments a function takes, and what it makes of them and of the number of rows."""

    least: int
    most: int
    call: Callable[..., Any]


def _texts(value: Any) -> Any:
    if pa.types.is_null(value.type):
        return value.cast(pa.large_string())
    if not is_text(value.type):
        raise WrongType("text")
    return value


def _numbers(value: Any) -> Any:
    if pa.types.is_null(value.type):
        return value.cast(pa.float64())
    if not is_number(value.type):
        raise WrongType("a number")
    return value


def _lists(value: Any, count: int) -> Any:
    if pa.types.is_null(value.type):
        return pa.nulls(count, pa.large_list(pa.null()))
    if not is_list(value.type):
        raise WrongType("a list")
    return as_array(value, count)


def _of_text(compute: Callable[[Any], Any]) -> Function:
    return Function(1, 1, lambda count, value: compute(_texts(value)))


def _of_number(compute: Callable[[Any], Any], floats: bool = True) -> Function:
    def call(count: int, value: Any) -> Any:
        number = _numbers(value)
        return compute(number.cast(pa.float64()) if floats else number)

    return Function(1, 1, call)


def _each(kind: Any, count: int, compute: Callable[..., Any], *arguments: Any) -> Any:
    """Row by row, for what Arrow computes with constants alone; null if an argument is."""
    columns = [as_array(each, count).to_pylist() for each in arguments]
    rows = (None if None in row else compute(*row) for row in zip(*columns, strict=True))
    return pa.array(list(rows), kind)


def _size(count: int, value: Any) -> Any:
    if is_text(value.type):
        return pc.utf8_length(value).cast(pa.int64())
    lists = _lists(value, count)
    return pc.if_else(lists.is_null(), pa.scalar(None, pa.int64()), pa.array(lengths_of(lists)))


def _substring(count: int, text: Any, begin: Any, length: Any = None) -> Any:
    arguments = (text, begin) if length is None else (text, begin, length)
    _texts(text)

    def cut(value: str, first: int, some: int | None = None) -> str:
        if first < 0 or (some is not None and some < 0):
            raise WrongType("a place and a length of 0 or more")
        return value[first:] if some is None else value[first : first + some]

    return _each(pa.large_string(), count, cut, *arguments)


def _split(count: int, text: Any, by: Any) -> Any:
    return _each(pa.large_list(pa.large_string()), count, lambda t, b: t.split(b) if b else list(t), text, by)


def _range(count: int, first: Any, last: Any, step: Any = None) -> Any:
    step = pa.scalar(1) if step is None else step
    for each in (first, last, step):
        if not pa.types.is_integer(each.type):
            raise WrongType("a whole number")
    some = [as_array(each, count) for each in (first, last, step)]
    begin, end, by = (np.asarray(pc.fill_null(each, 1), np.int64) for each in some)
    if (by == 0).any():
        raise WrongType("a step other than 0")
    lengths = np.maximum(0, (end - begin) // by + 1)
    unknown = np.logical_or.reduce([np.asarray(each.is_null()) for each in some])
    lengths[unknown] = 0
    items = ranges(np.zeros(count, np.int64), lengths) * np.repeat(by, lengths) + np.repeat(begin, lengths)
    return list_of(pa.array(items), lengths, pa.array(unknown))


def _reverse(count: int, value: Any) -> Any:
    if is_text(value.type):
        return pc.utf8_reverse(value)
    lists = _lists(value, count)
    lengths = lengths_of(lists)
    ends = np.cumsum(lengths)
    back = np.repeat(2 * ends - lengths - 1, lengths) - np.arange(int(lengths.sum()))
    return list_of(lists.flatten().take(pa.array(back)), lengths, lists.is_null())


def _tail(count: int, value: Any) -> Any:
    lists = _lists(value, count)
    lengths = lengths_of(lists)
    some = np.maximum(0, lengths - 1)
    return list_of(lists.flatten().take(pa.array(ranges(np.cumsum(lengths) - some, some))), some, lists.is_null())


def _to_string(count: int, value: Any) -> Any:
    if is_list(value.type) or pa.types.is_struct(value.type):
        raise WrongType("a plain value")
    if pa.types.is_floating(value.type):
        return _each(pa.large_string(), count, repr, value.cast(pa.float64()))
    return value.cast(pa.large_string())


def _to_integer(count: int, value: Any) -> Any:
    if is_text(value.type):
        return _each(pa.int64(), count, _integer, value)
    if pa.types.is_boolean(value.type) or pa.types.is_integer(value.type) or pa.types.is_null(value.type):
        return value.cast(pa.int64())
    return pc.trunc(_numbers(value)).cast(pa.int64())


def _integer(text: str) -> int | None:
    try:
        number = float(text)
        return int(text) if text.strip().lstrip("+-").isdigit() else int(number) if math.isfinite(number) else None
    except ValueError:
        return None


def _to_float(count: int, value: Any) -> Any:
    return _each(pa.float64(), count, _float, value) if is_text(value.type) else _numbers(value).cast(pa.float64())


def _float(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    beyond = math.isinf(number) and any(each.isdigit() for each in text)  # as 1e400, not 'inf'
    return None if beyond else number


def _to_boolean(count: int, value: Any) -> Any:
    if is_text(value.type):
        return _each(pa.bool_(), count, {"true": True, "false": False}.get, pc.utf8_lower(value))
    if pa.types.is_integer(value.type):
        return pc.not_equal(value, 0)
    if not (pa.types.is_boolean(value.type) or pa.types.is_null(value.type)):
        raise WrongType("text, a whole number or a truth value")
    return value.cast(pa.bool_())


def coalesced(count: int, *values: Any) -> Any:
    """The first value that is not null."""
    kind = values[0].type
    for each in values[1:]:
        wider = common_type(kind, each.type)
        if wider is None:
            raise WrongType("values of one type")
        kind = wider
    found = fit(as_array(values[0], count), kind)
    for each in values[1:]:
        found = pc.if_else(found.is_null(), fit(as_array(each, count), kind), found)
    return found


def _absolute(count: int, value: Any) -> Any:
    return pc.abs(_numbers(value))


def _rounded(count: int, value: Any, digits: Any = None) -> Any:
    places = 0 if digits is None else digits.as_py()
    return pc.round(_numbers(value).cast(pa.float64()), ndigits=places, round_mode="half_towards_infinity")


def _date(count: int, value: Any) -> Any:
    return _moment(count, value).cast(pa.date32(), safe=False)


_MAP_PARTS = ("year", "month", "day", "hour", "minute", "second", "millisecond", "microsecond")


def _moment_of_map(count: int, value: Any) -> Any:
    names = [field.name for field in value.type]
    if not {*names} <= {*_MAP_PARTS} or "year" not in names:
        raise WrongType(f"text, or a map of {', '.join(_MAP_PARTS)}")

    def moment(parts: dict[str, int]) -> datetime:
        given = {"month": 1, "day": 1, **{name: part for name, part in parts.items() if part is not None}}
        micro = 1000 * given.pop("millisecond", 0) + given.pop("microsecond", 0)
        return datetime(**given, microsecond=micro)  # type: ignore[arg-type]

    try:
        return _each(pa.timestamp("us"), count, moment, value)
    except ValueError as error:
        raise WrongType(f"a time that there is ({error})") from None


def _moment(count: int, value: Any) -> Any:
    if pa.types.is_struct(value.type):
        return _moment_of_map(count, value)
    if not (is_text(value.type) or is_time(value.type) or pa.types.is_null(value.type)):
        raise WrongType("text such as '2026-01-31 12:30'")
    if is_text(value.type):
        if isinstance(value, pa.Scalar):
            return _moment(1, pa.array([value.as_py()], value.type))[0]  # of all rows
        zoned = pc.any(pc.match_substring_regex(value, r"(Z|[+-]\d\d:?\d\d)$")).as_py()
        try:
            value = value.cast(pa.timestamp("us", "UTC") if zoned else pa.timestamp("us"))
        except pa.ArrowInvalid as error:
            text = re.search(r"'(.*)'", str(error))
            raise pa.ArrowInvalid(
                f"{'a text' if text is None else repr(text[1])} is not a date or time; write one as '2026-01-31', "
                "'2026-01-31 12:30:00' or '2026-01-31 12:30:00.123456'"
            ) from None
    return value.cast(pa.timestamp("us"), safe=False)


_TIME_PARTS = ("year", "month", "day", "hour", "minute", "second", "quarter", "millisecond", "microsecond")


def part_of_time(value: Any, name: str) -> Any | None:
    """`t.year` and so on; None: a time has no such part."""
    moment = value.cast(pa.timestamp("us"), safe=False)
    if name == "epochSeconds":
        return pc.floor(pc.divide(moment.cast(pa.int64()).cast(pa.float64()), 1e6)).cast(pa.int64())
    if name == "epochMillis":
        return pc.floor(pc.divide(moment.cast(pa.int64()).cast(pa.float64()), 1e3)).cast(pa.int64())
    if name in ("dayOfWeek", "weekDay"):
        return pc.add(pc.day_of_week(moment), 1)
    if name == "ordinalDay":
        return pc.day_of_year(moment)
    return getattr(pc, name)(moment) if name in _TIME_PARTS else None


def _time_part(name: str) -> Function:
    def call(count: int, value: Any) -> Any:
        if not is_time(value.type):
            raise WrongType("a date or a timestamp")
        return part_of_time(value, name)

    return Function(1, 1, call)


def _matches(function: Callable[..., Any], fallback: Callable[[str, str], bool]) -> Function:
    def call(count: int, text: Any, part: Any) -> Any:
        if isinstance(part, pa.Scalar) and is_text(part.type) and part.is_valid and is_text(text.type):
            return function(text, pattern=part.as_py())
        return _each(pa.bool_(), count, fallback, _texts(text), _texts(part))

    return Function(2, 2, call)


FUNCTIONS: dict[str, Function] = {
    "abs": Function(1, 1, _absolute),
    "acos": _of_number(lambda x: pc.acos(x)),
    "asin": _of_number(lambda x: pc.asin(x)),
    "atan": _of_number(lambda x: pc.atan(x)),
    "atan2": Function(2, 2, lambda count, y, x: pc.atan2(_numbers(y).cast("float64"), _numbers(x).cast("float64"))),
    "ceil": _of_number(lambda x: pc.ceil(x)),
    "coalesce": Function(1, 1000, coalesced),
    "contains": _matches(lambda *a, **k: pc.match_substring(*a, **k), lambda text, part: part in text),
    "cos": _of_number(lambda x: pc.cos(x)),
    "date": Function(1, 1, _date),
    "datetime": Function(1, 1, _moment),
    "day": _time_part("day"),
    "degrees": _of_number(lambda x: pc.multiply(x, 180 / math.pi)),
    "e": Function(0, 0, lambda count: pa.scalar(math.e)),
    "endswith": _matches(lambda *a, **k: pc.ends_with(*a, **k), lambda text, part: text.endswith(part)),
    "exp": _of_number(lambda x: pc.exp(x)),
    "floor": _of_number(lambda x: pc.floor(x)),
    "head": Function(1, 1, lambda count, value: element(_lists(value, count), pa.repeat(0, count))),
    "hour": _time_part("hour"),
    "last": Function(1, 1, lambda count, value: element(_lists(value, count), pa.repeat(-1, count))),
    "left": Function(2, 2, lambda count, text, n: _each(pa.large_string(), count, lambda t, k: t[:k], _texts(text), n)),
    "localdatetime": Function(1, 1, _moment),
    "log": _of_number(lambda x: pc.ln(x)),
    "log10": _of_number(lambda x: pc.log10(x)),
    "lower": _of_text(lambda x: pc.utf8_lower(x)),
    "ltrim": _of_text(lambda x: pc.utf8_ltrim_whitespace(x)),
    "minute": _time_part("minute"),
    "month": _time_part("month"),
    "pi": Function(0, 0, lambda count: pa.scalar(math.pi)),
    "radians": _of_number(lambda x: pc.multiply(x, math.pi / 180)),
    "rand": Function(0, 0, lambda count: pa.array(np.random.default_rng().random(count))),
    "range": Function(2, 3, _range),
    "replace": Function(
        3, 3, lambda n, t, a, b: _each(pa.large_string(), n, str.replace, _texts(t), _texts(a), _texts(b))
    ),
    "reverse": Function(1, 1, _reverse),
    "right": Function(
        2, 2, lambda n, text, k: _each(pa.large_string(), n, lambda t, m: t[max(0, len(t) - m) :], _texts(text), k)
    ),
    "round": Function(1, 2, _rounded),
    "rtrim": _of_text(lambda x: pc.utf8_rtrim_whitespace(x)),
    "second": _time_part("second"),
    "sign": _of_number(lambda x: pc.sign(x).cast(pa.int64()), floats=False),
    "sin": _of_number(lambda x: pc.sin(x)),
    "size": Function(1, 1, _size),
    "split": Function(2, 2, _split),
    "sqrt": _of_number(lambda x: pc.sqrt(x)),
    "startswith": _matches(lambda *a, **k: pc.starts_with(*a, **k), lambda text, part: text.startswith(part)),
    "substring": Function(2, 3, _substring),
    "tail": Function(1, 1, _tail),
    "tan": _of_number(lambda x: pc.tan(x)),
    "timestamp": Function(1, 1, _moment),
    "toboolean": Function(1, 1, _to_boolean),
    "tofloat": Function(1, 1, _to_float),
    "tointeger": Function(1, 1, _to_integer),
    "tolower": _of_text(lambda x: pc.utf8_lower(x)),
    "tostring": Function(1, 1, _to_string),
    "toupper": _of_text(lambda x: pc.utf8_upper(x)),
    "trim": _of_text(lambda x: pc.utf8_trim_whitespace(x)),
    "upper": _of_text(lambda x: pc.utf8_upper(x)),
    "year": _time_part("year"),
}
"""By name in lower case; each is called with the number of rows and its arguments."""
