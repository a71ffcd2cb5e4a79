"""pyarrow, imported when first used: it is a third of the memory and the time that starting takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
else:
    from .lazy import LazyModule

    pa = LazyModule("pyarrow")
    pc = LazyModule("pyarrow.compute")

__all__ = ["pa", "pc"]
