"""Old names still work, and warn once."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
import rizoma as rz
from rizoma.core.aliases import MODULES


def python(code: str) -> str:
    """What a fresh Python prints."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("old", MODULES)
def test_a_module_is_still_found_under_its_old_name(old):
    name = getattr(import_module(MODULES[old]), "__all__", ["__doc__"])[0]
    code = f"""
import sys
import warnings
import rizoma as rz
public = rz.config, rz.cost, rz.open, rz.read
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    from {old} import {name} as first
    from {old} import {name} as second
assert first is second is sys.modules["{MODULES[old]}"].{name}
assert (rz.config, rz.cost, rz.open, rz.read) == public
print(*[f"{{each.category.__name__}}: {{each.message}}" for each in told], sep="\\n")
"""
    assert python(code).strip() == (
        f"FutureWarning: {old} is now {MODULES[old]}; the old name goes with the next release"
    )


def test_errors_have_a_public_module():
    import rizoma.errors

    assert rizoma.errors.NotFoundError is rz.NotFoundError


def test_the_laboratory_may_be_absent():
    code = """
import sys
sys.modules["rizoma_lab"] = None
import rizoma as rz
from rizoma import *
try:
    rz.cost
except rz.UnsupportedError as error:
    print(error)
"""
    assert python(code).strip() == (
        "cost is part of rizoma_lab, which is not installed here: pip install 'rizoma[lab]'"
    )
