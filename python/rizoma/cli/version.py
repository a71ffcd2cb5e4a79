"""rizoma version."""

from __future__ import annotations

import platform

from .. import __version__
from .app import command, out

__all__ = ["version"]


@command("version")
def version() -> None:
    """Show the versions of Rizoma and Python."""
    out.print(f"rizoma {__version__} (Python {platform.python_version()}, {platform.machine()})", highlight=False)
