"""What NetworkX asks about the backend `rizoma` when it is imported: answered without loading it."""

from __future__ import annotations

__all__ = ["FUNCTIONS", "get_info"]

FUNCTIONS: tuple[str, ...] = ()


def get_info() -> dict[str, object]:
    """Name, places, and the functions that the backend has."""
    return {
        "backend_name": "rizoma",
        "project": "rizoma",
        "package": "rizoma",
        "short_summary": "Parallel C++ kernels; stored graphs need no conversion",
        "functions": {name: {} for name in FUNCTIONS},
        "default_config": {},
    }
