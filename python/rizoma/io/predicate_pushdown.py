"""What a scan may skip for a predicate: an expression of pyarrow that keeps at least the rows that the predicate keeps.

The predicate itself is evaluated afterwards, by the core.  So only conjuncts that mean the same in both are taken: a
column of whole numbers, fractions, text or times beside a literal of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime
from functools import reduce
from operator import and_
from typing import Any

from ..core.lazy_arrow import pa, pc

__all__ = ["pushed_down"]

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>'(?:[^']|'')*'|"(?:[^"]|"")*")|`(?P<quoted>[^`]+)`|(?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"""
    r"""|(?P<word>\w+)|(?P<sign><=|>=|<>|!=|==|[^\s\w]))"""
)
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "==": "=="}
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": lambda column, value: column == value,
    "==": lambda column, value: column == value,
    "<": lambda column, value: column < value,
    "<=": lambda column, value: column <= value,
    ">": lambda column, value: column > value,
    ">=": lambda column, value: column >= value,
}
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?")
_EXACT = 2**53  # whole numbers up to this are the same as fractions

Token = tuple[str, str]


def pushed_down(text: str, schema: pa.Schema) -> Any:
    """The conjuncts of a predicate over this schema that a scan can look at; None if there are none."""
    conjuncts = _conjuncts(list(_tokens(text)))
    found = [each for each in (_expression(tokens, schema) for tokens in conjuncts) if each is not None]
    return reduce(and_, found) if found else None


def _tokens(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        value = match[kind]
        if kind == "text":
            value = value[1:-1].replace(value[0] * 2, value[0])
        yield ("sign", value.lower()) if kind == "word" and value.lower() in _WORDS else (kind, value)


_WORDS = ("and", "or", "not", "in", "is", "between", "like", "null", "none", "true", "false", "date", "timestamp")


def _conjuncts(tokens: list[Token]) -> list[list[Token]]:
    """The operands of top-level "and"s; none if there is an "or" beside them."""
    found: list[list[Token]] = [[]]
    depth, of_between = 0, 0
    for token in tokens:
        sign = token[1] if token[0] == "sign" else ""
        depth += (sign in ("(", "[", "{")) - (sign in (")", "]", "}"))
        of_between += sign == "between" and depth == 0
        if depth == 0 and sign == "or":
            return []
        if depth == 0 and sign == "and" and not of_between:
            found.append([])
            continue
        of_between -= sign == "and" and depth == 0
        found[-1].append(token)
    return found


def _expression(tokens: list[Token], schema: pa.Schema) -> Any:
    """A conjunct as an expression of pyarrow, if it is a column beside literals."""
    kinds, values = [kind for kind, _ in tokens], [value for _, value in tokens]
    if len(tokens) == 3 and kinds[0] in ("number", "text") and values[1] in _TURNED:
        tokens = [tokens[2], ("sign", _TURNED[values[1]]), tokens[0]]
        kinds, values = [kind for kind, _ in tokens], [value for _, value in tokens]
    if len(tokens) < 3 or kinds[0] not in ("word", "quoted") or schema.get_field_index(values[0]) < 0:
        return None
    type_, column = schema.field(values[0]).type, pc.field(values[0])
    if len(tokens) == 3 and values[1] in _COMPARE:
        literals = _literals(tokens[2:], type_)
        return None if literals is None else _COMPARE[values[1]](column, literals[0])
    if len(tokens) == 5 and values[1] == "between" and values[3] == "and":
        literals = _literals([tokens[2], tokens[4]], type_)
        return None if literals is None else (column >= literals[0]) & (column <= literals[1])
    if values[1] == "in" and len(tokens) > 4 and all(value == "," for value in values[4:-1:2]):
        literals = _literals(tokens[3:-1:2], type_)
        return None if literals is None else column.isin(pa.array(literals, type_))
    return column.is_valid() if values[1:] == ["is", "not", "null"] else None


def _literals(tokens: list[Token], type_: pa.DataType) -> list[Any] | None:
    """Literals as values of a column; None if some are of another kind."""
    values = [_literal(kind, value, type_) for kind, value in tokens]
    return None if any(value is None for value in values) else values


def _literal(kind: str, value: str, type_: pa.DataType) -> Any:
    if kind == "number" and value.lstrip("-").isdecimal():
        exact = pa.types.is_integer(type_) or (pa.types.is_float64(type_) and abs(int(value)) < _EXACT)
        return _fitting(int(value), type_) if exact else None
    if kind == "number":
        return pa.scalar(float(value)) if pa.types.is_float64(type_) else None
    if kind != "text":
        return None
    if pa.types.is_string(type_) or pa.types.is_large_string(type_):
        return pa.scalar(value, type_)
    moment = _MOMENT.fullmatch(value) is not None
    if pa.types.is_date32(type_) and moment and len(value) == 10:
        return _or_none(lambda: pa.scalar(date.fromisoformat(value), type_))
    if pa.types.is_timestamp(type_) and type_.tz is None and moment:
        return _or_none(lambda: pa.scalar(datetime.fromisoformat(value), type_))
    return None


def _fitting(value: int, type_: pa.DataType) -> Any:
    return _or_none(lambda: pa.scalar(value, type_))


def _or_none(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except (ValueError, OverflowError, TypeError):  # Arrow's errors are among them
        return None
