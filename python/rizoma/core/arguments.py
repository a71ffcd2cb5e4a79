"""Functions that say which argument was meant by a name that they do not take, and which one has a value of no use."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from inspect import CO_VARKEYWORDS, signature, unwrap
from numbers import Integral, Real
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

from .errors import InvalidArgumentError
from .suggestions import ARGUMENTS_ELSEWHERE, suggestion

__all__ = ["methods_checked", "names_checked", "names_checked_as"]

C = TypeVar("C", bound=type)
P = ParamSpec("P")
R = TypeVar("R")


def names_checked(function: Callable[P, R], name: str = "", method: bool = False) -> Callable[P, R]:
    """The function, which says of an argument that it does not have which one is meant.

    `name`: what users call it, if that is not its own name; of a method the class of its object comes before it.  On
    ranks the call is compared first, so that all of them report it.
    """
    known = _parameters(function)
    names = frozenset(known)
    called = name or function.__qualname__

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not kwargs or kwargs.keys() <= names or _on_ranks(*args, *kwargs.values()):
            try:
                return function(*args, **kwargs)
            except TypeError as error:
                refused = _refused(function, args, kwargs)
                if refused is None:
                    raise
                raise InvalidArgumentError(f"{called}: {refused}") from error
        unknown = next(each for each in kwargs if each not in names)
        owner = f"{type(args[0]).__name__}." if method else ""
        raise TypeError(f"{owner}{called}() has no argument {unknown!r}; {_meant(unknown, known)}")

    return call


def names_checked_as(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`names_checked` of a function that users call by another name."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        return names_checked(function, name)

    return decorate


def methods_checked(checked: C) -> C:
    """The class, of which each public method with options is `names_checked`.

    Methods without options, which are those that are called often, and methods with a decorator stay as they are.
    """
    for name, method in list(vars(checked).items()):
        if isinstance(method, FunctionType) and not name.startswith("_") and _has_options(method):
            setattr(checked, name, names_checked(method, name, method=True))
    return checked


def _on_ranks(*values: Any) -> bool:
    """Whether one of the values is a graph that ranks share."""
    return any(getattr(each, "_shared_by_ranks", False) for each in values)


def _parameters(function: Callable[..., Any]) -> list[str]:
    """The names that a caller may give."""
    code = unwrap(function).__code__
    named = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    return [name for name in named if name != "self"]


def _has_options(method: FunctionType) -> bool:
    """Whether a method has parameters with defaults, takes no others by any name, and has no decorator."""
    decorated = unwrap(method) is not method
    takes_any = method.__code__.co_flags & CO_VARKEYWORDS
    return bool(method.__defaults__ or method.__kwdefaults__) and not decorated and not takes_any


def _refused(function: Callable[..., Any], args: Any, kwargs: Any) -> str | None:
    """Which of the arguments is not what its annotation says; None: each may be."""
    parameters = signature(function).parameters
    try:
        given = signature(function).bind(*args, **kwargs).arguments
    except TypeError:  # one is missing
        return None
    for name, value in given.items():
        kinds = [kind.strip() for kind in str(parameters[name].annotation).split("|")]
        if value is None and "None" in kinds:
            continue
        accepted = [_ACCEPTED[kind] for kind in kinds if kind in _ACCEPTED]
        all_known = len(accepted) == len(kinds) - kinds.count("None") > 0
        if all_known and not any(fits(value) for fits, _ in accepted):
            return f"{name} is {value!r}; it must be {' or '.join(expected for _, expected in accepted)}"
    return None


def _is_number(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


_ACCEPTED: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "float": (lambda value: _is_number(value, Real), "a number"),
    "int": (lambda value: _is_number(value, Integral), "a whole number"),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "str": (lambda value: isinstance(value, str), "text"),
}
"""By the name of a type: what fits it, and what it is called."""


def _meant(name: str, known: list[str]) -> str:
    elsewhere = (others for each, others in ARGUMENTS_ELSEWHERE.items() if _plain(each) == _plain(name))
    others = [other for group in elsewhere for other in group if other in known]
    meant = others[0] if others else suggestion(name, known)
    return f"did you mean {meant}?" if meant else f"it takes {', '.join(known)}"


def _plain(name: str) -> str:
    """The name without what sets damping_factor and dampingFactor apart."""
    return name.lower().replace("_", "")
