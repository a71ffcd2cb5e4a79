"""Which predicates of a query the engine tests: those that mean the same as predicates of `match`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from ...core.lazy_arrow import pa
from ...graph.column_types import kind_of
from ..parameters import literal_text
from . import syntax as s
from .functions import FUNCTIONS, WrongType

__all__ = ["conjuncts", "constant", "predicate_text"]

_COMPARED = ("=", "<>", "<", "<=", ">", ">=")
_TEXT_TESTS = {"STARTS WITH": "startswith", "ENDS WITH": "endswith", "CONTAINS": "contains"}
_KINDS = {
    "boolean": "truth",
    "integer": "number",
    "real": "number",
    "text": "text",
    "date": "time",
    "timestamp": "time",
}
_LONGEST = 1 << 13  # characters; the engine reads 65,536 at once
_TIMES = ("date", "datetime", "localdatetime")
_SAME_FUNCTIONS = {"tolower": "lower", "lower": "lower", "toupper": "upper", "upper": "upper", "abs": "abs"}

ColumnOf = Callable[[s.Expression], "tuple[str, str] | None"]
"""The name of a column in a predicate, and its type; None: the expression is none that the engine reads."""


def conjuncts(predicate: s.Expression | None) -> list[s.Expression]:
    """The predicates that must all hold."""
    if predicate is None:
        return []
    if isinstance(predicate, s.Binary) and predicate.operator == "AND":
        return [*conjuncts(predicate.left), *conjuncts(predicate.right)]
    return [predicate]


def constant(expression: s.Expression, parameters: Mapping[str, pa.Scalar]) -> tuple[bool, Any]:
    """Whether an expression is a literal, a parameter, a time made of one, or a list of them, and its value."""
    if isinstance(expression, s.Literal):
        return True, expression.value
    if isinstance(expression, s.Parameter) and expression.name in parameters:
        return True, parameters[expression.name].as_py()
    if isinstance(expression, s.ListOf):
        found = [constant(each, parameters) for each in expression.items]
        return all(known for known, _ in found), [value for _, value in found]
    if isinstance(expression, s.Call) and expression.name in _TIMES and len(expression.arguments) == 1:
        known, text = constant(expression.arguments[0], parameters)
        return _time(expression.name, text) if known and isinstance(text, str) else (False, None)
    return False, None


def _time(function: str, text: str) -> tuple[bool, Any]:
    """The value of `date('2026-01-31')` and the like; of a text that is no time, which the evaluator refuses, none."""
    try:
        return True, FUNCTIONS[function].call(1, pa.scalar(text)).as_py()
    except (pa.ArrowInvalid, WrongType):
        return False, None


class _Writer:
    """An expression as a predicate's text, with what kind of value it has; None where the meanings differ."""

    def __init__(self, column_of: ColumnOf, parameters: Mapping[str, pa.Scalar]) -> None:
        self.column_of = column_of
        self.parameters = parameters

    def predicate(self, asked: s.Expression) -> str | None:
        """A truth value."""
        if isinstance(asked, s.Binary):
            return self._binary(asked)
        if isinstance(asked, s.Unary) and asked.operator == "NOT":
            inner = self.predicate(asked.operand)
            return None if inner is None else f"not ({inner})"
        if isinstance(asked, s.IsNull):
            column = self.column_of(asked.operand)
            return None if column is None else f"{column[0]} is {'not ' * asked.negated}null"
        if isinstance(asked, s.HasLabels):
            return self._labels(asked)
        column = self.column_of(asked)
        return column[0] if column is not None and kind_of(column[1]) == "boolean" else None

    def _labels(self, asked: s.HasLabels) -> str | None:
        column = self.column_of(s.HasLabels(asked.place, asked.of, ()))
        if column is None or kind_of(column[1]) != "text":
            return None
        text = f"coalesce({column[0]}, '')"
        some = [[str(literal_text(each)) for each in words] for words in asked.labels]
        if self.column_of(s.Call(asked.place, "type", (asked.of,))) is not None:
            return " and ".join(f"{text} in ({', '.join(words)})" for words in some)
        return " and ".join(f"({' or '.join(f'has({text}, {word})' for word in words)})" for words in some)

    def _binary(self, asked: s.Binary) -> str | None:
        if asked.operator in ("AND", "OR"):
            sides = [self.predicate(each) for each in (asked.left, asked.right)]
            return None if None in sides else f"({sides[0]}) {asked.operator.lower()} ({sides[1]})"
        if asked.operator == "IN":
            return self._is_in(asked)
        left, right = self.value(asked.left), self.value(asked.right)
        if left is None or right is None:
            return None
        if asked.operator in _COMPARED and _go_together(left[1], right[1], asked.operator):
            if (
                left[1] != right[1]
                and not constant(asked.left if left[1] == "text" else asked.right, self.parameters)[0]
            ):
                return None  # beside a time the engine reads literal text alone
            return f"{left[0]} {asked.operator} {right[0]}"
        if asked.operator in _TEXT_TESTS and left[1] == right[1] == "text":
            return f"{_TEXT_TESTS[asked.operator]}({left[0]}, {right[0]})"
        return None

    def _is_in(self, asked: s.Binary) -> str | None:
        left, (known, values) = self.value(asked.left), constant(asked.right, self.parameters)
        if left is None or not known or not isinstance(values, list) or not values or len(values) > 1000:
            return None
        if any(value is None or not _go_together(left[1], _kind_of(value), "=") for value in values):
            return None
        texts = [literal_text(value) for value in values]
        return None if None in texts else f"{left[0]} in ({', '.join(map(str, texts))})"

    def value(self, asked: s.Expression) -> tuple[str, str] | None:
        """A value that is compared, and its kind."""
        known, value = constant(asked, self.parameters)
        if known:
            text = None if value is None else literal_text(value)
            return None if text is None else (text, _kind_of(value))
        column = self.column_of(asked)
        if column is not None:
            return column[0], _KINDS.get(kind_of(column[1]), "other")
        if isinstance(asked, s.Binary) and asked.operator in ("+", "-", "*"):
            left, right = self.value(asked.left), self.value(asked.right)
            if left is not None and right is not None and left[1] == right[1] == "number":
                return f"({left[0]} {asked.operator} {right[0]})", "number"
        if isinstance(asked, s.Call) and asked.name in _SAME_FUNCTIONS and len(asked.arguments) == 1:
            inner = self.value(asked.arguments[0])
            kind = "number" if asked.name == "abs" else "text"
            if inner is not None and inner[1] == kind:
                return f"{_SAME_FUNCTIONS[asked.name]}({inner[0]})", kind
        return None


def _kind_of(value: Any) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, (int, float)):
        return "number"
    return "text" if isinstance(value, str) else "time" if isinstance(value, date) else "other"


def _go_together(left: str, right: str, operator: str) -> bool:
    if left == right:
        return left in ("number", "text", "time") or (left == "truth" and operator in ("=", "<>"))
    return {left, right} == {"text", "time"}


def predicate_text(asked: s.Expression, column_of: ColumnOf, parameters: Mapping[str, pa.Scalar]) -> str | None:
    """A predicate as a predicate of `match` that means the same; None: there is none, or it would be too long."""
    text = _Writer(column_of, parameters).predicate(asked)
    return None if text is None or len(text) > _LONGEST else text
