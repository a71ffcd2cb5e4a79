"""Sums, products and powers of values, and what `+` does to text and lists."""

from __future__ import annotations

from typing import Any

from ...core.lazy_arrow import pa, pc
from .lists import concatenated, list_from
from .tokens import Source
from .values import as_array, common_type, fit, is_list, is_number, is_text, type_name

__all__ = ["calculated"]


def calculated(source: Source, place: int, operator: str, left: Any, right: Any, count: int) -> Any:
    """One value and another.  Errors: types that do not go together, results beyond 64 bits."""
    if operator == "+" and (is_list(left.type) or is_list(right.type)):
        found = _joined_lists(left, right, count)
        if found is None:
            wrong = (
                f"a list has values of one type; {type_name(right.type)} does not go with {type_name(left.type)}; "
                "convert one"
            )
            raise source.error(place, wrong)
        return found
    if pa.types.is_null(left.type) or pa.types.is_null(right.type):
        other = right.type if pa.types.is_null(left.type) else left.type
        return pa.nulls(count, other if is_number(other) or is_text(other) else pa.null())
    if operator == "+" and (is_text(left.type) or is_text(right.type)):
        return _joined_texts(source, place, left, right)
    if not (is_number(left.type) and is_number(right.type)):
        kinds = f"{type_name(left.type)} {operator} {type_name(right.type)}"
        raise source.error(place, f"there is no {kinds}; calculate with numbers, and compare times as text")
    if operator == "^":
        return pc.power(_fraction(left), _fraction(right))
    if pa.types.is_integer(left.type) and pa.types.is_integer(right.type):
        return _whole(source, place, operator, left.cast(pa.int64()), right.cast(pa.int64()))
    one, other = _fraction(left), _fraction(right)
    if operator == "%":
        return pc.subtract(one, pc.multiply(pc.trunc(pc.divide(one, other)), other))
    return {"+": pc.add, "-": pc.subtract, "*": pc.multiply, "/": pc.divide}[operator](one, other)


def _fraction(value: Any) -> Any:
    """As float64, to which whole numbers beyond 2^53 are rounded."""
    return value.cast(pa.float64(), safe=False)


def _whole(source: Source, place: int, operator: str, one: Any, other: Any) -> Any:
    try:
        if operator in ("/", "%"):
            divisor = pc.if_else(pc.equal(other, 0), pa.scalar(None, pa.int64()), other)
            quotient = pc.divide_checked(one, divisor)
            return quotient if operator == "/" else pc.subtract(one, pc.multiply(quotient, divisor))
        checked = {"+": pc.add_checked, "-": pc.subtract_checked, "*": pc.multiply_checked}
        return checked[operator](one, other)
    except pa.ArrowInvalid:
        raise source.error(place, "the result does not fit 64 bits; write 1.0 * to calculate with fractions") from None


def _joined_texts(source: Source, place: int, left: Any, right: Any) -> Any:
    for each in (left, right):
        if not (is_text(each.type) or is_number(each.type) or pa.types.is_boolean(each.type)):
            raise source.error(place, f"text and {type_name(each.type)} cannot be put together; use toString")
    texts = [each.cast(pa.large_string()) for each in (left, right)]
    return pc.binary_join_element_wise(*texts, pa.scalar("", pa.large_string()))


def _joined_lists(left: Any, right: Any, count: int) -> Any | None:
    """List + list, list + element or element + list; None if the types do not go together."""
    if pa.types.is_null(left.type) or pa.types.is_null(right.type):
        return pa.nulls(count, right.type if pa.types.is_null(left.type) else left.type)
    kind = common_type(left.type, right.type)
    if kind is not None:
        return concatenated(*(fit(as_array(each, count), kind) for each in (left, right)))
    lists, single = (left, right) if is_list(left.type) else (right, left)
    inner = common_type(lists.type.value_type, single.type)
    if inner is None:
        return None
    one = list_from([fit(as_array(single, count), inner)], inner, count)
    several = fit(as_array(lists, count), pa.large_list(inner))
    return concatenated(several, one) if lists is left else concatenated(one, several)
