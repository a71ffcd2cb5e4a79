"""The way to `rizoma_lab`, which an installation may lack."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import UnsupportedError

__all__ = ["lab"]


def lab(module: str) -> Any:
    """A module of `rizoma_lab`; UnsupportedError, with the way to get it, where it is not installed."""
    try:
        return import_module(f"rizoma_lab.{module}")
    except ModuleNotFoundError as missing:
        if missing.name not in ("rizoma_lab", f"rizoma_lab.{module}"):
            raise
        raise UnsupportedError(
            f"{module.rpartition('.')[2]} is part of rizoma_lab, which is not installed here; "
            "install it: pip install 'rizoma[lab]'"
        ) from None
