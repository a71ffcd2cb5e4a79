"""The memory limit of a command, which holds for the whole program."""

from __future__ import annotations

import os
from pathlib import Path

from ..core.config import parse_bytes
from ..core.errors import InvalidArgumentError
from ..graph.info import human_bytes

__all__ = ["left_of"]

_LEAST = 12 << 20  # what a load needs


def left_of(limit: str | None) -> int | None:
    """What a load may add to the memory that the program has now, if all of it is to stay below `limit`."""
    if limit is None:
        return None
    allowed = parse_bytes(limit)
    if allowed == 0:
        return 0
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    used = pages * os.sysconf("SC_PAGE_SIZE")
    if allowed < used + _LEAST:
        raise InvalidArgumentError(
            f"a memory limit of {human_bytes(allowed)} is too small; the program itself takes {human_bytes(used)}, "
            f"and a load at least {human_bytes(_LEAST)}; give {_enough(used)}M or more"
        )
    return allowed - used


def _enough(used: int) -> int:
    """MiB that suffice for a load, with a margin, because the program's own size varies."""
    return ((used + _LEAST) >> 20) + 4
