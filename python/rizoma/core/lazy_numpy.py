"""NumPy, imported when first used: opening a store and showing what it holds needs none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    from .lazy import LazyModule

    np = LazyModule("numpy")
    npt = LazyModule("numpy.typing")

__all__ = ["np", "npt"]
