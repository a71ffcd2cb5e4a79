"""Methods that are taken for values: `g.neighbors["ann"]`, `g.info.num_edges`, `for tag in g.tags`."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any, NoReturn

from .. import _core

__all__ = ["called_method"]


def called_method(function: Callable[..., Any]) -> Any:
    """The function for a class; of what its bound methods lack as values, they say how they are called.

    Cost: a bound method is made and called as fast as Python's own.
    """
    return _core.method(function, _explain)


def _explain(owner: object, function: Callable[..., Any], how: str, what: object) -> NoReturn:
    """Raise: the method was not called, but an item or attribute of it was asked for, or `how` else it was used."""
    name, needed = function.__name__, _needed(function)
    said = f"{type(owner).__name__}.{name} is a method"
    called = f".{name}({', '.join(needed)})"
    if how == "attribute":
        raise AttributeError(f"{said}: call it first, as in {called}.{what}")
    if how == "item":
        raise TypeError(f"{said}, which round brackets call: write .{name}{_with_item(function, needed, what)}")
    raise TypeError(f"{said}: call it, as in {called}")


def _by_place(function: Callable[..., Any]) -> list[Parameter]:
    places = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = signature(function).parameters.values()
    except ValueError:  # a function of the extension, which takes none
        return []
    return [each for each in parameters if each.name != "self" and each.kind in places]


def _needed(function: Callable[..., Any]) -> list[str]:
    """The parameters that a call must have."""
    return [each.name for each in _by_place(function) if each.default is Parameter.empty]


def _with_item(function: Callable[..., Any], needed: list[str], item: object) -> str:
    """The call that is meant by an item in square brackets: `top[3]`, `has_edge["ann", "bob"]`, `to_dict["ann"]`."""
    given = item if isinstance(item, tuple) and len(item) == len(needed) else (item,)
    if len(given) == len(needed) or (not needed and _by_place(function) and not function.__name__.startswith("to_")):
        return f"({', '.join(map(repr, given))})"
    return f"({', '.join(needed)})" if needed else f"()[{item!r}]"
