"""A description of the machine, for reports."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from rizoma import _core

__all__ = ["describe", "nodes"]


def describe() -> dict[str, Any]:
    """Processor, memory, system."""
    return {
        "processor": _field("/proc/cpuinfo", "model name") or platform.processor(),
        "processors": len(os.sched_getaffinity(0)),
        "memory": _field("/proc/meminfo", "MemTotal"),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def _field(file: str, name: str) -> str:
    try:
        lines = Path(file).read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def nodes() -> int:
    """NUMA nodes with processors, at least one."""
    return max(sum(1 for node in _core.probe_nodes() if node.processors), 1)
