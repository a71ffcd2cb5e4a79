"""Whole numbers that a floating-point type does not hold: one rule for weights and columns, tables and documents.

float64 holds each whole number below 2^53, float32 below 2^24.  What an integer, a decimal or a text of digits is
beyond them is lost; a float from 2^53 on is a measured value, such as 6.02e23, and loses nothing.  The core has the
same rule (`rounds_to_single` in rizoma/detail/column_types.h) for what it reads itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from .. import _core
from ..core.lazy_arrow import pa, pc
from ..core.lazy_numpy import np, npt
from ..core.plain_numbers import is_too_large

__all__ = ["GREAT", "GREAT_SINGLE", "any_is_rounded", "are_rounded", "first_too_large", "is_great"]

GREAT = _core.FIRST_ROUNDED
"""From here on float64 does not hold each whole number."""
GREAT_SINGLE = _core.FIRST_ROUNDED_SINGLE
"""The same of float32."""

_DIGITS = re.compile(r"\s*[-+]?[0-9]+\s*")


def is_great(numbers: pa.Array) -> pa.Array:
    """Which numbers lie where their floating-point type does not hold each whole one."""
    return pc.greater_equal(pc.abs(numbers), float(GREAT_SINGLE if pa.types.is_float32(numbers.type) else GREAT))


def first_too_large(texts: pa.Array, numbers: pa.Array) -> int | None:
    """The first row whose number is too large for its type; Arrow, which read the text, made it infinite."""
    infinite = np.asarray(pc.is_inf(numbers).fill_null(False).to_numpy(zero_copy_only=False), np.bool_)
    rows = np.flatnonzero(infinite).tolist()
    return next((row for row in rows if is_too_large(str(texts[row]), numbers[row].as_py())), None)


def are_rounded(given: npt.NDArray[Any], held: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which numbers of an array are whole, and other ones in the array of floats that was made of it."""
    with np.errstate(invalid="ignore"):
        if given.dtype.kind != "f":
            return np.asarray(held.astype(given.dtype) != given)
        return np.asarray((np.trunc(given) == given) & (np.abs(given) < GREAT) & (held.astype(given.dtype) != given))


def any_is_rounded(given: Iterable[Any], held: Iterable[float | None]) -> bool:
    """The same of values of Python, texts of digits among them: whether there is one."""
    return any(
        value is not None and kept is not None and _exact(value) not in (None, kept)
        for value, kept in zip(given, held, strict=True)
    )


def _exact(value: Any) -> int | Decimal | float | None:
    """The whole number that a value says; None: it is another value."""
    if isinstance(value, str):
        return Decimal(value) if _DIGITS.fullmatch(value) else None
    if isinstance(value, float):
        return value if abs(value) < GREAT and value.is_integer() else None
    if isinstance(value, Decimal):
        return value if value.is_finite() and value == value.to_integral_value() else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
