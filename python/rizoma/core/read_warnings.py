"""Warnings of what was guessed or lost, at the line that called this package."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable

from .errors import ReadWarning

__all__ = ["warn_of"]


def warn_of(guesses: Iterable[str]) -> None:
    """Warn at the line that called this package."""
    for guess in guesses:
        warnings.warn(guess, ReadWarning, stacklevel=_frames_of_ours())


def _frames_of_ours() -> int:
    """The number of frames up to the first caller outside this package, as `stacklevel` counts."""
    frame, levels = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "rizoma":
        frame, levels = frame.f_back, levels + 1
    return levels
