"""Comparisons of values, with three truth values."""

from __future__ import annotations

import operator as python
import re
from typing import Any

from ...core.lazy_arrow import pa, pc
from .values import as_array, common_type, fit, is_node, is_number, is_text, is_time, keys_of

__all__ = ["compared", "equal"]

_NAMES = {"=": "equal", "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}
_EXACTLY = {"=": python.eq, "<": python.lt, "<=": python.le, ">": python.gt, ">=": python.ge}
_ZONE = re.compile(r"(Z|[+-]\d\d:?\d\d)$")


def _unknown(count: int) -> pa.Array:
    return pa.nulls(count, pa.bool_())


def _unlike(left: Any, right: Any, count: int) -> pa.Array:
    """Of values that cannot be equal: false; null if one is null."""
    either = pc.or_(as_array(left, count).is_null(), as_array(right, count).is_null())
    return pc.if_else(either, pa.scalar(None, pa.bool_()), pa.scalar(False))


def aligned(left: Any, right: Any) -> tuple[Any, Any] | None:
    """Both in types that Arrow compares; None: they are of different kinds."""
    if is_number(left.type) and is_number(right.type):
        narrow = pa.float32()
        if left.type == narrow and isinstance(right, pa.Scalar):
            return left, right.cast(narrow, safe=False)  # a weight of 0.1 equals 0.1
        if right.type == narrow and isinstance(left, pa.Scalar):
            return left.cast(narrow, safe=False), right
        return left, right
    if is_text(left.type) and is_text(right.type):
        return left, right
    if is_time(left.type) and (is_time(right.type) or is_text(right.type)):
        return _moments(left, right)
    if is_text(left.type) and is_time(right.type):
        return _moments(left, right)
    if pa.types.is_boolean(left.type) and pa.types.is_boolean(right.type):
        return left.cast(pa.uint8()), right.cast(pa.uint8())
    return None


def _moments(left: Any, right: Any) -> tuple[Any, Any]:
    """Both in microseconds, of any year, or where one has nanoseconds in these."""
    nanoseconds = pa.timestamp("ns")
    if nanoseconds not in (left.type, right.type):
        try:
            return _moment(left, "us"), _moment(right, "us")
        except pa.ArrowInvalid:  # a text may have nanoseconds, too, or be no time, which is said of these
            pass
    return _moment(left, "ns"), _moment(right, "ns")


def _moment(value: Any, unit: str) -> Any:
    kind = pa.timestamp(unit)
    text = value.as_py() if is_text(value.type) and isinstance(value, pa.Scalar) else None
    try:
        if text and _ZONE.search(text):
            return value.cast(pa.timestamp(unit, "UTC")).cast(kind)
        return value.cast(kind)
    except pa.ArrowInvalid:
        if not is_text(value.type):
            raise pa.ArrowInvalid(
                "a time before 1678 or after 2261 is beside one with nanoseconds; give six digits of a second at most"
            ) from None
        raise pa.ArrowInvalid(
            f"{'a text' if text is None else repr(text)} is not a date or time of the years 1678 to 2261; write one as "
            "'2026-01-31', '2026-01-31 12:30:00' or '2026-01-31 12:30:00+02:00'"
        ) from None


def equal(left: Any, right: Any, count: int, by_row: bool) -> Any:
    """Whether values are equal; null if that is unknown."""
    if pa.types.is_null(left.type) or pa.types.is_null(right.type):
        return _unknown(count)
    plain = aligned(left, right)
    if plain is not None:
        return _answers("=", *plain, count)
    kind = common_type(left.type, right.type)
    if kind is None and not (pa.types.is_struct(left.type) and pa.types.is_struct(right.type)):
        return _unlike(left, right, count)
    if kind is not None and (is_node(kind) or pa.types.is_struct(kind)) and kind.field(0).name.startswith("_"):
        keys = [keys_of(as_array(each, count), by_row) for each in (left, right)]
        answers = [pc.equal(one, other) for one, other in zip(*keys, strict=True)]
        found = answers[0]
        for each in answers[1:]:
            found = pc.and_kleene(found, each)
        return found
    if kind is not None:
        left, right = fit(as_array(left, count), kind), fit(as_array(right, count), kind)
    pairs = zip(as_array(left, count).to_pylist(), as_array(right, count).to_pylist(), strict=True)
    return pa.array([_equal_values(one, other) for one, other in pairs], pa.bool_())


def _answers(operator: str, left: Any, right: Any, count: int) -> Any:
    """Values of one kind compared.  Arrow has no float for an integer beyond 2^53; Python compares the two exactly."""
    try:
        return getattr(pc, _NAMES[operator])(left, right)
    except pa.ArrowInvalid:
        compare = _EXACTLY[operator]
        pairs = zip(as_array(left, count).to_pylist(), as_array(right, count).to_pylist(), strict=True)
        return pa.array(
            [None if one is None or other is None else compare(one, other) for one, other in pairs], pa.bool_()
        )


def _equal_values(one: Any, other: Any) -> bool | None:
    if one is None or other is None:
        return None
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return False
        return _all(_equal_values(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return False
        return _all(_equal_values(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other) if isinstance(one, bool) == isinstance(other, bool) else False


def _all(answers: Any) -> bool | None:
    some = list(answers)
    return False if False in some else None if None in some else True


def compared(operator: str, left: Any, right: Any, count: int) -> Any:
    """`<`, `<=`, `>` or `>=`; null where values have no order."""
    plain = aligned(left, right)
    if plain is not None:
        return _answers(operator, *plain, count)
    kind = common_type(left.type, right.type)
    if kind is None or not (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        return _unknown(count)
    pairs = zip(as_array(left, count).to_pylist(), as_array(right, count).to_pylist(), strict=True)
    return pa.array([_list_order(operator, one, other) for one, other in pairs], pa.bool_())


def _list_order(operator: str, one: Any, other: Any) -> bool | None:
    if one is None or other is None:
        return None
    for a, b in zip(one, other, strict=False):
        if a is None or b is None or isinstance(a, (dict, list)) or isinstance(b, (dict, list)):
            return None
        if a != b:
            return bool(a < b) if operator in ("<", "<=") else bool(a > b)
    shorter = {"<": len(one) < len(other), ">": len(one) > len(other)}
    return shorter.get(operator[0]) or (operator.endswith("=") and len(one) == len(other))
