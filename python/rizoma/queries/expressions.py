"""Conditions over columns: a small language, parsed by Python's own parser, evaluated by Arrow.

Names are columns.  Written as in SQL or as in Python: = and ==, <> and !=, and/or/not and in in any case, `is null` and
`is None`.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa, pc

__all__ = ["Condition"]

_WORDS = {"and": "and", "or": "or", "not": "not", "in": "in", "is": "is", "null": "None", "true": "True"}
_WORDS |= {"false": "False"}
_COMPARE = {
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
}
_SHOWN = 200  # characters of a condition in a message
_ARITHMETIC = {ast.Add: "add_checked", ast.Sub: "subtract_checked", ast.Mult: "multiply_checked"}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": lambda value: pc.abs_checked(_wide(value)),
    "length": lambda value: pc.utf8_length(value),
    "lower": lambda value: pc.utf8_lower(value),
    "upper": lambda value: pc.utf8_upper(value),
}


class Condition:
    """A condition over the columns of a table."""

    def __init__(self, text: str, columns: Sequence[str]) -> None:
        self._text = text
        self._columns = list(columns)
        try:
            self._tree = ast.parse(_as_python(text), mode="eval").body
        except (RecursionError, MemoryError):
            raise self._error("it is nested too deeply") from None
        except SyntaxError as error:
            raise self._error(error.msg) from None
        except (ValueError, tokenize.TokenError) as error:
            raise self._error(str(error).splitlines()[0]) from None
        self.names = self._names_in(self._tree)
        """The columns that it reads."""

    def mask(self, batch: pa.RecordBatch) -> pa.BooleanArray:
        """Which rows it holds for; not those where it is null."""
        try:
            result = self._value(self._tree, batch)
        except pa.ArrowNotImplementedError as error:
            types = re.search(r"input types \((.*)\)", str(error))
            why = f"its types do not go together: {types[1]}" if types else str(error).splitlines()[0]
            raise self._error(why) from None
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
            raise self._error(str(error).splitlines()[0]) from None
        except RecursionError:
            raise self._error("it is nested too deeply") from None
        if isinstance(result, pa.Scalar):
            result = pa.array([result.as_py()] * batch.num_rows, result.type)
        if not isinstance(result, pa.Array) or not pa.types.is_boolean(result.type):
            raise self._error("it is no condition, but a value")
        return pc.fill_null(result, False)

    def _error(self, why: str) -> InvalidArgumentError:
        text = self._text if len(self._text) <= _SHOWN else self._text[:_SHOWN] + ".."
        return InvalidArgumentError(f"the condition {text!r} cannot be read: {why}")

    def _names_in(self, tree: ast.AST) -> set[str]:
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        names = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and id(node) not in called:
                if node.id not in self._columns:
                    raise self._error(f"there is no column {node.id!r} (there are {', '.join(self._columns)})")
                names.add(node.id)
        return names

    def _value(self, node: ast.expr, batch: pa.RecordBatch) -> Any:
        match node:
            case ast.Name():
                return batch.column(node.id)
            case ast.Constant():
                return _scalar(node.value)
            case ast.BoolOp():
                join = pc.and_kleene if isinstance(node.op, ast.And) else pc.or_kleene
                result = self._value(node.values[0], batch)
                for other in node.values[1:]:
                    result = join(result, self._value(other, batch))
                return result
            case ast.UnaryOp():
                return self._unary(node, batch)
            case ast.BinOp():
                return self._arithmetic(node, batch)
            case ast.Compare():
                return self._compare(node, batch)
            case ast.Call(func=ast.Name(id="startswith"), args=[text, ast.Constant(value=str(start))], keywords=[]):
                return pc.starts_with(self._value(text, batch), pattern=start)
            case ast.Call(func=ast.Name(id=name), args=[value], keywords=[]) if name in _FUNCTIONS:
                return _FUNCTIONS[name](self._value(value, batch))
        raise self._error(f"{ast.unparse(node)} means nothing here")

    def _unary(self, node: ast.UnaryOp, batch: pa.RecordBatch) -> Any:
        value = self._value(node.operand, batch)
        match node.op:
            case ast.Not():
                return pc.invert(value)
            case ast.USub():
                return pc.negate_checked(_signed(value))
            case ast.UAdd():
                return value
        raise self._error(f"{ast.unparse(node)} means nothing here")

    def _arithmetic(self, node: ast.BinOp, batch: pa.RecordBatch) -> Any:
        left, right = _wide(self._value(node.left, batch)), _wide(self._value(node.right, batch))
        name = _ARITHMETIC.get(type(node.op))
        if name is not None:
            return getattr(pc, name)(left, right)
        if isinstance(node.op, ast.Div):
            return pc.divide(pc.cast(left, pa.float64()), right)
        if isinstance(node.op, ast.Mod):
            return _remainder(left, right)
        raise self._error(f"{ast.unparse(node)} means nothing here")

    def _compare(self, node: ast.Compare, batch: pa.RecordBatch) -> Any:
        result = None
        left_node = node.left
        for operator, right_node in zip(node.ops, node.comparators, strict=True):
            each = self._one_comparison(operator, left_node, right_node, batch)
            result = each if result is None else pc.and_kleene(result, each)
            left_node = right_node
        return result

    def _one_comparison(
        self, operator: ast.cmpop, left_node: ast.expr, right_node: ast.expr, batch: pa.RecordBatch
    ) -> Any:
        if not any(isinstance(each, ast.Name) for side in (left_node, right_node) for each in ast.walk(side)):
            raise self._error(
                f"{ast.unparse(left_node)} and {ast.unparse(right_node)} are constants; a column has no quotes"
            )
        left = self._value(left_node, batch)
        if isinstance(operator, (ast.In, ast.NotIn)):
            if not isinstance(right_node, (ast.Tuple, ast.List, ast.Set)):
                right_node = ast.Tuple([right_node], ast.Load())
            values = pa.array([self._constant(each) for each in right_node.elts])
            if values.null_count:
                raise self._error("null is in no list; ask with `is null`")
            found = pc.is_in(left, value_set=_fit(values, left.type))
            found = pc.if_else(pc.is_valid(left), found, pa.scalar(None, pa.bool_()))
            return pc.invert(found) if isinstance(operator, ast.NotIn) else found
        right = self._value(right_node, batch)
        if isinstance(operator, (ast.Is, ast.IsNot)):
            if not isinstance(right_node, ast.Constant) or right_node.value is not None:
                raise self._error("`is` is followed by null or not null")
            return pc.is_null(left) if isinstance(operator, ast.Is) else pc.is_valid(left)
        left, right = _alike(left, right)
        return getattr(pc, _COMPARE[type(operator)])(left, right)

    def _constant(self, node: ast.expr) -> Any:
        try:
            return ast.literal_eval(node)
        except ValueError:
            raise self._error(f"{ast.unparse(node)} is no constant") from None


def _as_python(text: str) -> str:
    """The condition with Python's words and signs."""
    tokens: list[str] = []
    last = tokenize.ENCODING
    for token in tokenize.generate_tokens(io.StringIO(text.strip()).readline):
        value = token.string
        if token.type == tokenize.STRING and last == tokenize.STRING:
            raise SyntaxError("two texts stand side by side; a quote in a text is written \\' or in the other quotes")
        last = token.type
        if token.type == tokenize.NAME:
            value = _WORDS.get(value.lower(), value)
        elif token.type == tokenize.OP and value == "=":
            value = "=="
        if token.type == tokenize.OP and value == ">" and tokens and tokens[-1] == "<":
            tokens[-1] = "!="
        else:
            tokens.append(value)
    return " ".join(token for token in tokens if token.strip())


def _scalar(value: Any) -> pa.Scalar:
    unsigned = isinstance(value, int) and not isinstance(value, bool) and 2**63 <= value < 2**64
    return pa.scalar(value, pa.uint64()) if unsigned else pa.scalar(value)


def _wide(value: Any) -> Any:
    """Small integers as int64, in which sums and products of them have room."""
    small = pa.types.is_integer(value.type) and value.type.bit_width < 64
    return value.cast(pa.int64()) if small else value


def _signed(value: Any) -> Any:
    return value.cast(pa.int64()) if pa.types.is_integer(value.type) else value


def _remainder(left: Any, right: Any) -> Any:
    """What a division that rounds towards zero leaves."""
    if pa.types.is_integer(left.type) and pa.types.is_integer(right.type):
        return pc.subtract_checked(left, pc.multiply_checked(pc.divide_checked(left, right), right))
    numbers = [_doubles(value) for value in (left, right)]
    with np.errstate(invalid="ignore"):  # of a division by 0, which leaves no number
        rest = np.fmod(*numbers)
    return pa.array(rest, from_pandas=True) if isinstance(rest, np.ndarray) else pa.scalar(float(rest))


def _doubles(value: Any) -> Any:
    value = pc.cast(value, pa.float64())
    if isinstance(value, pa.Scalar):
        return np.float64(np.nan if value.as_py() is None else value.as_py())
    return value.to_numpy(zero_copy_only=False)


def _fit(values: pa.Array, kind: pa.DataType) -> pa.Array:
    return values if values.type == kind else values.cast(kind)


def _alike(left: Any, right: Any) -> tuple[Any, Any]:
    """A text that stands beside a time or date is one."""
    if _is_text(right) and _is_time(left):
        return left, _time_of(right, left.type)
    if _is_text(left) and _is_time(right):
        return _time_of(left, right.type), right
    return left, right


def _time_of(text: pa.Scalar, kind: pa.DataType) -> pa.Scalar:
    """The moment, in whole microseconds, so that no unit of a column is too coarse for it."""
    moment = pc.cast(text, pa.timestamp("us"))
    return pc.cast(moment, kind) if pa.types.is_date(kind) else moment


def _is_text(value: Any) -> bool:
    return isinstance(value, pa.Scalar) and pa.types.is_string(value.type)


def _is_time(value: Any) -> bool:
    return bool(pa.types.is_timestamp(value.type) or pa.types.is_date(value.type))
