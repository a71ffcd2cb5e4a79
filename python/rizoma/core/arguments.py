"""Functions that say which argument was meant by a name that they do not take, and which one has a value of no use."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from inspect import CO_VARARGS, CO_VARKEYWORDS, Parameter, signature, unwrap
from os import PathLike
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

from .. import _core
from .annotations import refused
from .argument_names import argument_remedy
from .errors import InvalidArgumentError, RizomaError
from .options import yes_or_no

__all__ = ["methods_checked", "names_checked", "names_checked_as"]

C = TypeVar("C", bound=type)
P = ParamSpec("P")
R = TypeVar("R")


def names_checked(function: Callable[P, R], name: str = "", method: bool = False) -> Callable[P, R]:
    """The function, which says what is wrong with a call: an argument that it lacks or has not, or one of no use.

    `name`: what users call it, if that is not its own name; of a method the class of its object comes before it.  On
    ranks the call is compared first, so that all of them report it.
    """
    known = _parameters(function)
    names = frozenset(known)
    called = name or function.__qualname__
    of_graph = known[:1] == ["graph"]
    alone = of_graph and not hasattr(function, "on_ranks")
    takes_any = bool(unwrap(function).__code__.co_flags & CO_VARKEYWORDS)
    truths, lists = frozenset(_yes_or_no(function)), frozenset(_lists(function))
    by_place = [each.name for each in signature(function).parameters.values() if each.kind in _BY_PLACE]
    placed = [(i, name) for i, name in enumerate(by_place) if name in truths]

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if alone and _on_ranks(*args[:1]):
            args[0]._may_run(called)  # type: ignore[attr-defined]
        if not kwargs or takes_any or kwargs.keys() <= names or _on_ranks(*args, *kwargs.values()):
            for place, each in placed:
                if len(args) > place and type(args[place]).__name__ not in _TRUTHS:  # 1 was meant for another
                    raise InvalidArgumentError(f"{called}: {each} is {args[place]!r}; it must be True or False")
            if kwargs and not truths.isdisjoint(kwargs):
                for each in truths & kwargs.keys():  # almost anything would count as yes
                    kwargs[each] = None if kwargs[each] is None else yes_or_no(f"{called}: {each}", kwargs[each])
            if kwargs and not lists.isdisjoint(kwargs):
                for each in lists & kwargs.keys():
                    if isinstance(kwargs[each], (str, PathLike)):  # of a text each letter would count
                        given = f"{called}: {each} is {kwargs[each]!r}; it must be a list"
                        raise InvalidArgumentError(f"{given}, as in {each}=[{kwargs[each]!r}]")
            try:
                return function(*args, **kwargs)
            except RizomaError as error:
                renamed = _called_as(called, error) if of_graph else error
                if renamed is error:
                    raise
                raise renamed from error
            except (TypeError, ValueError, AttributeError, LookupError, OverflowError) as error:
                if of_graph and not _is_graph(args[:1]) and _is_graph(args[1:2]):
                    raise TypeError(f"the graph comes first: write rizoma.{called}(graph, ..)") from None
                miscounted = _miscounted(function, args, kwargs, method)
                if miscounted is not None:
                    owner = f"{type(args[0]).__name__}." if method else ""
                    raise TypeError(f"{owner}{called}() {miscounted}; call it as {_usage(function, called)}") from None
                told = isinstance(error, TypeError) and "; " in str(error)  # a remedy
                wrong = None if told else refused(function, args, kwargs)
                if wrong is None:
                    raise
                raise InvalidArgumentError(f"{called}: {wrong}") from error
        unknown = next(each for each in kwargs if each not in names)
        owner = f"{type(args[0]).__name__}." if method else ""
        own = getattr(args[0], "_unknown_argument", None) if method else None
        taken = [each for each in known if not each.startswith("_")]
        remedy = (own and own(unknown, called)) or argument_remedy(unknown, taken, called)
        raise TypeError(f"{owner}{called}() has no argument {unknown!r}; {remedy}")

    if any(each.startswith("_") for each in known):
        shown = signature(function)
        public = [each for name, each in shown.parameters.items() if not name.startswith("_")]
        call.__signature__ = shown.replace(parameters=public)  # type: ignore[attr-defined]
    return call


def _called_as(called: str, error: RizomaError) -> RizomaError:
    """The error, which a kernel begins with its own name, with that of the function that was called."""
    kernel, colon, said = str(error).partition(": ")
    if not colon or kernel == called or not kernel.isidentifier() or not hasattr(_core, kernel):
        return error
    return type(error)(f"{called}: {said}")


def _is_graph(values: tuple[Any, ...]) -> bool:
    """Whether there is a value, and it is a graph or a state of one."""
    return bool(values) and hasattr(values[0], "_state")


def names_checked_as(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`names_checked` of a function that users call by another name."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        return names_checked(function, name)

    return decorate


def methods_checked(checked: C) -> C:
    """The class, of which each public method is `names_checked`; one with a decorator looks at its arguments itself."""
    for name, method in list(vars(checked).items()):
        if type(method) is not FunctionType or name.startswith("_"):
            continue
        whole = names_checked(method, name, method=True) if unwrap(method) is method else method
        setattr(checked, name, _CALLED_OFTEN[name](method, whole) if name in _CALLED_OFTEN else whole)
    return checked


def _of_one(method: Callable[..., R], checked: Callable[..., R]) -> Callable[..., R]:
    """The method, called at once with one value, and checked where anything else is given."""

    @functools.wraps(method)
    def call(self: Any, value: Any = _LACKING, /, *more: Any, **named: Any) -> R:
        if value is _LACKING or more or named:
            return checked(self, *(each for each in (value, *more) if each is not _LACKING), **named)
        return method(self, value)

    return call


def _of_two(method: Callable[..., R], checked: Callable[..., R]) -> Callable[..., R]:
    """The same of two values."""

    @functools.wraps(method)
    def call(self: Any, u: Any = _LACKING, v: Any = _LACKING, /, *more: Any, **named: Any) -> R:
        if v is _LACKING or more or named:
            return checked(self, *(each for each in (u, v, *more) if each is not _LACKING), **named)
        return method(self, u, v)

    return call


_LACKING: Any = object()

_TRUTHS = ("bool", "bool_", "NoneType")

_CALLED_OFTEN = {"has_edge": _of_two, "weight": _of_two}
_CALLED_OFTEN |= dict.fromkeys(("get", "in_neighbors", "neighbor_weights", "neighbors"), _of_one)
"""Methods whose call takes a microsecond or less."""


def _on_ranks(*values: Any) -> bool:
    """Whether one of the values is a graph that ranks share."""
    return any(getattr(each, "_shared_by_ranks", False) for each in values)


def _parameters(function: Callable[..., Any]) -> list[str]:
    """The names that a caller may give."""
    code = unwrap(function).__code__
    named = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    return [name for name in named if name != "self"]


def _yes_or_no(function: Callable[..., Any]) -> list[str]:
    """The parameters that are True or False, or None."""
    kinds = ("bool", "bool | None")
    return [name for name, kind in function.__annotations__.items() if kind in kinds and name != "return"]


def _lists(function: Callable[..., Any]) -> list[str]:
    """The parameters that are lists and nothing else."""
    kinds = ("Iterable[", "Sequence[", "Collection[")
    listed = [(name, str(kind).removesuffix(" | None")) for name, kind in function.__annotations__.items()]
    return [name for name, kind in listed if kind.startswith(kinds) and " | " not in re.sub(r"\[.*\]", "", kind)]


def _miscounted(function: Callable[..., Any], args: Any, kwargs: Any, method: bool) -> str | None:
    """Which arguments a call lacks, or how many it has too many; None: it has those that the function takes."""
    try:
        signature(function).bind(*args, **kwargs)
    except TypeError as error:
        parameters = signature(function).parameters.values()
        by_place = [each.name for each in parameters if each.kind in _BY_PLACE]
        if len(args) > len(by_place) and not unwrap(function).__code__.co_flags & CO_VARARGS:
            most, given = len(by_place) - method, len(args) - method
            return f"takes {most or 'no'} {'value' if most == 1 else 'values'} without a name, not {given}"
        needed = [each.name for each in parameters if each.default is Parameter.empty and each.kind in _BY_PLACE]
        lacking = [name for name in needed[len(args) :] if name not in kwargs]
        if lacking:
            return f"lacks {' and '.join(map(repr, lacking))}"
        return str(error)
    return None


def _usage(function: Callable[..., Any], called: str) -> str:
    """How a function is called: what it needs, and the names of its options."""
    parameters = [each for each in signature(function).parameters.values() if each.name != "self"]
    needed = [each.name for each in parameters if each.default is Parameter.empty and each.kind in _BY_PLACE]
    needed += [f"{each.name}, ..." for each in parameters if each.kind is Parameter.VAR_POSITIONAL]
    needed += ["NAME=VALUE, ..." for each in parameters if each.kind is Parameter.VAR_KEYWORD]
    options = [f"{each.name}=" for each in parameters if each.default is not Parameter.empty and each.name[0] != "_"]
    usage = _EXAMPLES.get(called) or f"{called}({', '.join(needed)})"
    usage += f", with options by name: {', '.join(options)}" if options else ""
    return f"{usage}; {_NOTES[called]}" if called in _NOTES else usage


_EXAMPLES = {
    "add_edges": 'add_edges([("ann", "bob"), ...])',
    "agg": 'agg(sum="e.amount")',
    "add_vertices": 'add_vertices(["ann", ...])',
    "remove_edges": 'remove_edges([("ann", "bob"), ...])',
    "remove_vertices": 'remove_vertices(["ann", ...])',
    "set_edges": 'set_edges({"source": ["ann"], "target": ["bob"], "amount": [2.5]})',
    "set_vertices": 'set_vertices({"id": ["ann"], "age": [41]})',
    "set_weights": 'set_weights([("ann", "bob", 2.5), ...])',
}
"""How methods are called whose one value has a shape."""

_NOTES = {
    "add_column": "values go in by set_vertices, set_edges or set",
    "set": 'an edge is a pair, as in set(("ann", "bob"), amount=3)',
}
"""What else is to be known of a call."""

_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
