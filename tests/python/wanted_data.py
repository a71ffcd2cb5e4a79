"""What a test does where its data are missing."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def absent(what: str) -> NoReturn:
    """Skip for want of data, or fail where RIZOMA_REQUIRE_DATA=1 says that it has to be there."""
    if os.environ.get("RIZOMA_REQUIRE_DATA", "0") not in ("", "0"):
        pytest.fail(f"{what} (RIZOMA_REQUIRE_DATA is set)")
    pytest.skip(what)
