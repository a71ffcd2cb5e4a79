"""Which argument of a call is not what the function's annotation says, as a message says it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from inspect import Parameter, signature
from numbers import Integral, Real
from os import PathLike
from typing import Any

from .display import shortened
from .lazy_numpy import np

__all__ = ["refused"]


def refused(function: Callable[..., Any], args: Any, kwargs: Any) -> str | None:
    """What the first of the arguments is that does not fit its annotation, and what it must be; None: each fits."""
    parameters = signature(function).parameters
    arguments = signature(function).bind(*args, **kwargs).arguments
    for name, given in arguments.items():
        parameter = parameters[name]
        kinds = _KINDS.findall(str(parameter.annotation))
        accepted = [_ACCEPTED[kind] for kind in map(_named, kinds) if kind in _ACCEPTED]
        if not kinds or len(accepted) < len(kinds) or parameter.kind is Parameter.VAR_KEYWORD:
            continue
        for value in given if parameter.kind is Parameter.VAR_POSITIONAL else (given,):
            if not any(fits(value) for fits, _ in accepted):
                wanted = " or ".join(dict.fromkeys(expected for _, expected in accepted))
                as_weight = "weight" in parameters.keys() - arguments.keys() and _is_column(value, args)
                remedy = f"; for the column of edges write weight={value!r}" if as_weight else ""
                return f"{name} is {shortened(' '.join(repr(value).split()))}; it must be {wanted}{remedy}"
    return None


def _is_column(value: Any, args: Any) -> bool:
    """Whether a text is the name of a column of edges of the graph that comes first."""
    return isinstance(value, str) and bool(args) and value in getattr(args[0], "edge_columns", ())


_KINDS = re.compile(r"(?:[^|\[\s]|\[(?:[^\[\]]|\[[^\]]*\])*\])+")
"""The parts of an annotation, such as `str` and `Iterable[int | str]` of `str | Iterable[int | str]`."""


def _named(kind: str) -> str:
    """A part of an annotation without the module; of containers whose items do not matter, without these."""
    name, _, items = kind.partition("[")
    name = name.rpartition(".")[2]
    return f"{name}[{items}" if f"{name}[{items}" in _ACCEPTED else name


def _is_number(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _is_list(value: Any, item: type | tuple[type, ...] = object) -> bool:
    """Whether it has items, all of this kind: neither text nor a NumPy array without dimensions."""
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes)) or getattr(value, "ndim", 1) != 1:
        return False
    return item is object or all(isinstance(each, item) and not isinstance(each, bool) for each in value)


def _is_dtype(value: Any) -> bool:
    try:
        np.dtype(value)
    except TypeError:
        return False
    return True


_PATH = (lambda value: isinstance(value, (str, PathLike)) and "\0" not in str(value), "a path as text or pathlib.Path")
_LIST = (_is_list, "a list")
_NAMES = (lambda value: _is_list(value, str), "a list of names")
_NUMBERS = (lambda value: _is_list(value, Integral), "a list of whole numbers")

_ACCEPTED: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "None": (lambda value: value is None, "None"),
    "float": (lambda value: _is_number(value, Real), "a number"),
    "int": (lambda value: _is_number(value, Integral) and abs(value) < 2**64, "a whole number"),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "str": (lambda value: isinstance(value, str), "text"),
    "Literal": (lambda value: isinstance(value, str), "text"),
    "Objective": (lambda value: isinstance(value, str), "text"),
    "DTypeLike": (_is_dtype, "a type of NumPy, such as 'float32'"),
    "datetime": (lambda value: isinstance(value, datetime), "a datetime"),
    "VertexKey": (lambda value: _is_number(value, Integral) or isinstance(value, str), "the id of a vertex"),
    "Path": _PATH,
    "PathLike": _PATH,
    "PathLike[str]": _PATH,
    "Mapping": (lambda value: isinstance(value, Mapping), 'a mapping, such as {"name": value}'),
    "ColumnSpec": (lambda value: isinstance(value, Mapping), 'a mapping {"NAME": "TYPE"}'),
    "ParallelSpec": (lambda value: isinstance(value, (str, Mapping)), 'text, or a mapping {"COLUMN": "RULE"}'),
    "Iterable": _LIST,
    "Collection": _LIST,
    "Sequence": _LIST,
    "Collection[str]": _NAMES,
    "Sequence[str]": _NAMES,
    "Sequence[int]": _NUMBERS,
    "tuple[int, int]": (lambda value: _is_list(value, Integral) and len(value) == 2, "two whole numbers, as in (0, 4)"),
}
"""By the name of a type: what fits it, and what it is called."""
