"""Numbers as files and Arrow have them: Python's own conversions and NumPy know more."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .errors import InvalidArgumentError
from .lazy_numpy import np, npt

__all__ = ["TOO_LARGE", "are_plain_integers", "is_plain_number", "is_too_large", "native_array", "plain_number"]

TOO_LARGE = (
    "it is beyond 1.8e308, the largest number: correct it, write inf where it is without bound, or keep the column as "
    "string"
)
"""What to do with a number that `is_too_large` finds; the core says the same."""

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")


def are_plain_integers(texts: Iterable[str]) -> bool:
    """Whether all are integers of 64 bits, each in the one form that an integer is written in."""
    return all(_INTEGER.fullmatch(text) and -(2**63) <= int(text) < 2**63 for text in texts)


def native_array(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same numbers in this machine's order of bytes, as float32 or float64; no copy of what is so."""
    kind = values.dtype.newbyteorder("=")
    if kind.kind == "f" and kind.itemsize not in (4, 8):
        kind = np.dtype(np.float32 if kind.itemsize < 4 else np.float64)
    with np.errstate(over="ignore"):
        made = values.astype(kind, copy=False)
    if made is not values and kind.kind == "f" and values.dtype.itemsize > 8:
        lost = np.isinf(made) & np.isfinite(values)
        if lost.any():
            raise InvalidArgumentError(f"{values[lost][0]!s} does not fit into float64: {TOO_LARGE}")
    return made


def is_too_large(text: str, number: float) -> bool:
    """Whether the number that a text is became infinite, as 1e400 does, and inf does not."""
    return abs(number) == float("inf") and any(map(str.isdigit, text))


def plain_number(value: Any, kind: type = float) -> Any:
    """`kind(value)`; ValueError for text that only Python takes for a number ("1_000", other digits) and for 1e400."""
    if isinstance(value, str) and ("_" in value or not value.isascii()):
        raise ValueError(f"{value!r} is not a number")
    number = kind(value)
    if isinstance(value, str) and is_too_large(value, number):
        raise ValueError(f"{value!r} is too large: {TOO_LARGE}")
    return number


def is_plain_number(value: Any) -> bool:
    """Whether `plain_number` takes a value, which is neither a truth value nor None."""
    if isinstance(value, (bool, np.bool_)) or value is None:
        return False
    try:
        plain_number(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
