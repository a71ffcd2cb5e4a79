"""Options given by name."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, TypeVar

from .. import _core
from .aliases import new_value
from .display import shortened
from .errors import InvalidArgumentError

__all__ = ["checked_seed", "enum_value", "real_number", "unicode_text", "weight_type", "whole_number", "yes_or_no"]

E = TypeVar("E")


def enum_value(kind: type[E], option: str, name: Any) -> E:
    """The member of an enum of the core, by its name; the error lists the names there are."""
    members: dict[str, E] = kind.__members__  # type: ignore[attr-defined]
    value = new_value(option, name)
    if value not in members:
        raise InvalidArgumentError(f"{option}={name!r} is not known; choose one of {', '.join(members)}")
    return members[value]


def whole_number(option: str, value: Any, least: int, most: int = 2**31 - 1) -> int:
    """The value, if it is a whole number of the range."""
    if not isinstance(value, Integral) or isinstance(value, bool) or not least <= int(value) <= most:
        raise InvalidArgumentError(f"{option} is {value!r}; it must be a whole number from {least} to {most}")
    return int(value)


def unicode_text(option: str, value: Any) -> str:
    """The value, if it is text that UTF-8 can hold."""
    if not isinstance(value, str):
        said = shortened(" ".join(repr(value).split()))
        raise InvalidArgumentError(f"{option} is {said}; it must be text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(
            f"{option} is {value!r}, which is not valid Unicode text; remove the lone surrogate at position "
            f"{error.start}"
        ) from None
    return value


def yes_or_no(option: str, value: Any) -> bool:
    """The value, if it is True or False, or one of NumPy's; 1 and 0 stand for them, but no text does."""
    if type(value).__name__ not in ("bool", "bool_") and not (isinstance(value, int) and value in (0, 1)):
        raise InvalidArgumentError(f"{option} is {value!r}; it must be True or False")
    return bool(value)


def real_number(option: str, value: Any) -> float:
    """The value, if it is a number; its range is for the core to check."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise InvalidArgumentError(f"{option} is {value!r}; it must be a number")
    try:
        return float(value)
    except OverflowError:
        raise InvalidArgumentError(f"{option} does not fit 64 bits; give a smaller number") from None


def checked_seed(seed: Any) -> int | None:
    """A seed that NumPy takes, or None: another one each time."""
    return None if seed is None else whole_number("seed", seed, 0, 2**64 - 1)


def weight_type(weights: str | bool | None) -> _core.WeightType:
    """None or False: no weights; True: float64."""
    if weights is None or weights is False:
        return _core.WeightType.none
    return enum_value(_core.WeightType, "weights", "float64" if weights is True else weights)
