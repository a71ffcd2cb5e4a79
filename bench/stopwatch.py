"""How long a call takes, for the scripts beside this file."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(call: Callable[[], object]) -> float:
    """How long it takes."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin
