"""A stored graph on one page: `rizoma report`, `rizoma.report`."""

from __future__ import annotations

import sys

from ..core.aliases import NamedModule
from .facts import KERNELS, Kernel, Report, examine
from .page import page

__all__ = ["KERNELS", "Kernel", "Report", "examine", "page"]

sys.modules[__name__].__class__ = NamedModule
