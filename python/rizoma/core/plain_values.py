"""Attributes that are no methods: called like one, they say so."""

from __future__ import annotations

import sys
from functools import cached_property
from opcode import opmap, opname
from types import FrameType
from typing import Any

__all__ = ["PlainValue", "plain_values", "unpacks_items"]


class PlainValue(property):
    """A property; `graph.num_edges()` raises a TypeError that names it.  Cost: a look at the caller's instruction."""

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None or self.fget is None:
            return super().__get__(instance, owner)
        found = self.fget(instance)
        frame = sys._getframe(1)
        code, at = frame.f_code.co_code, frame.f_lasti
        if code[at] == _LOADS_METHOD and (_IN_OPCODE or code[at + 1] & 1) and not callable(found):
            name = self.fget.__name__
            said = f"{type(instance).__name__}.{name} is a value, not a method"
            raise TypeError(f"{said}; leave out the brackets: .{name}")
        return found

    def __set__(self, instance: Any, value: Any) -> None:
        if self.fset is None and self.fget is not None:
            name = self.fget.__name__
            raise AttributeError(f"{type(instance).__name__}.{name} is for reading, and cannot be set")
        super().__set__(instance, value)


def unpacks_items(frame: FrameType) -> bool:
    """Whether a loop that begins in this frame takes each of its items apart: `for a, b in ...`."""
    code = frame.f_code.co_code
    names = [opname[code[at]] for at in range(frame.f_lasti, min(frame.f_lasti + _LOOP_BEGINS, len(code)), 2)]
    behind = [name for name in names if name not in ("CACHE", "EXTENDED_ARG")]
    return behind[1:3] == ["FOR_ITER", "UNPACK_SEQUENCE"]


def plain_values(cls: type) -> None:
    """Make each public property, cached property and annotated attribute of a class a `PlainValue`."""
    for name, kind in vars(cls).get("__annotations__", {}).items():
        default = vars(cls).get(name, _NONE)
        if name[0] != "_" and "ClassVar" not in str(kind) and not hasattr(default, "__get__"):
            setattr(cls, name, _attribute(name, default))
    for name, found in list(vars(cls).items()):
        if name[0] == "_" or isinstance(found, PlainValue):
            continue
        if isinstance(found, property):
            setattr(cls, name, PlainValue(found.fget, found.fset, found.fdel))
        elif isinstance(found, cached_property):
            setattr(cls, name, _cached(found))


def _attribute(name: str, default: Any) -> PlainValue:
    """An attribute that an instance holds itself; `default`: what it is before one is put."""

    def value(self: Any) -> Any:
        found = vars(self).get(name, default)
        if found is _NONE:
            raise AttributeError(name)
        return found

    def put(self: Any, given: Any) -> None:
        vars(self)[name] = given

    value.__name__ = name
    return PlainValue(value, put)


def _cached(found: cached_property[Any]) -> PlainValue:
    def value(self: Any) -> Any:
        return found.__get__(self, type(self))

    value.__name__, value.__doc__ = found.func.__name__, found.__doc__
    return PlainValue(value)


_NONE = object()

_LOOP_BEGINS = 24  # bytes of code in which a loop over something begins, with room for caches

_IN_OPCODE = sys.version_info < (3, 12)
"""Whether an instruction of its own reads what is called; from 3.12 on a bit of LOAD_ATTR's argument says so."""

_LOADS_METHOD = opmap["LOAD_METHOD" if _IN_OPCODE else "LOAD_ATTR"]
