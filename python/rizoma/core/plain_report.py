"""Reports of calls, such as `graph.info()`: attributes, and what there is instead of those that others have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from .arguments import methods_checked
from .suggestions import attribute_missing

__all__ = ["explain_report", "plain_report"]

C = TypeVar("C", bound=type)


def plain_report(**elsewhere: str) -> Callable[[C], C]:
    """A class of values as attributes, whose lacking attributes, items and calls say what there is.

    `elsewhere`: what others call otherwise, and what there is.
    """

    def decorate(cls: C) -> C:
        explain_report(cls, **elsewhere)
        return methods_checked(cls)

    return decorate


def explain_report(cls: Any, **elsewhere: str) -> None:
    """The same for a class of the extension, whose values are no methods by mistake."""

    def missing(self: object, name: str) -> NoReturn:
        raise attribute_missing(self, name, elsewhere)

    def item(self: object, key: object) -> NoReturn:
        kind = type(self).__name__
        if isinstance(key, str) and key in dir(self):
            raise TypeError(f"{kind} has attributes, no items: write .{key}")
        meant = str(attribute_missing(self, key, elsewhere)) if isinstance(key, str) else ""
        raise TypeError(f"{kind} has attributes, no items such as [{key!r}]{meant.partition(repr(key))[2]}")

    def iterate(self: object) -> NoReturn:
        instead = "to_dict() has them with their names" if hasattr(cls, "to_dict") else "vars(...) has them"
        raise TypeError(f"{type(self).__name__} has attributes, and is no list or dictionary of them; {instead}")

    cls.__getattr__ = missing
    if not hasattr(cls, "__getitem__"):
        cls.__getitem__, cls.__iter__ = item, iterate
