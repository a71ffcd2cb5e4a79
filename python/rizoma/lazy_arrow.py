"""pyarrow, imported when first used: it is a third of the memory and the time that starting takes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
else:

    class _Module:
        """Stands for a module until something of it is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            value = getattr(import_module(self._name), name)
            setattr(self, name, value)  # the next look-up is a plain one
            return value

    pa = _Module("pyarrow")
    pc = _Module("pyarrow.compute")

__all__ = ["pa", "pc"]
