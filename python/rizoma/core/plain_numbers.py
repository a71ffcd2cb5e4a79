"""Numbers as files and Arrow have them: Python's own conversions and NumPy know more."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .lazy_numpy import np, npt

__all__ = ["are_plain_integers", "is_plain_number", "native_array", "plain_number"]

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")


def are_plain_integers(texts: Iterable[str]) -> bool:
    """Whether all are integers of 64 bits, each in the one form that an integer is written in."""
    return all(_INTEGER.fullmatch(text) and -(2**63) <= int(text) < 2**63 for text in texts)


def native_array(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same numbers in this machine's order of bytes, as float32 or float64; no copy of what is so."""
    kind = values.dtype.newbyteorder("=")
    if kind.kind == "f" and kind.itemsize not in (4, 8):
        kind = np.dtype(np.float32 if kind.itemsize < 4 else np.float64)
    return values.astype(kind, copy=False)


def plain_number(value: Any, kind: type = float) -> Any:
    """`kind(value)`; ValueError for text with what only Python takes for a number: "1_000", digits of other scripts."""
    if isinstance(value, str) and ("_" in value or not value.isascii()):
        raise ValueError(f"{value!r} is not a number")
    return kind(value)


def is_plain_number(value: Any) -> bool:
    """Whether `plain_number` takes a value, which is neither a truth value nor None."""
    if isinstance(value, (bool, np.bool_)) or value is None:
        return False
    try:
        plain_number(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
