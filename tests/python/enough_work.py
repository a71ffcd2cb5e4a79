"""Work that takes long enough for what is to happen meanwhile, on a machine of any speed."""

from __future__ import annotations

from collections.abc import Callable

import pytest


def with_work_enough(attempt: Callable[[int], bool], size: int) -> None:
    """Make the attempt with work of this size, then of ever more until it is true: 50 ms give no report."""
    for doubled in range(6):
        if attempt(size << doubled):
            return
    pytest.fail(f"work of size {size << 5} was done before its first progress report")
