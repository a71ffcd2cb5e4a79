"""tools/check_docstrings.py: what the docstrings of public names must say, and what it finds missing."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_docstrings  # noqa: E402

MODULE = '"""Degrees.\n\nCost\n    O(n).\nMemory\n    None.\nSource\n    Euler, 1736.\n"""\n__all__ = ["degrees"]\n'
SECTIONS = "    Returns:\n        One value.\n\n    Raises:\n        CancelledError: stopped.\n"


def found(code: str, path: str = "python/rizoma/graph/a.py") -> list[str]:
    """What a module lacks."""
    return [what for _, what in check_docstrings.lacks(Path(path), ast.parse(code))]


def test_the_package_lacks_nothing():
    assert check_docstrings.violations(ROOT) == []


@pytest.mark.parametrize(
    ("code", "lacking"),
    [
        ('__all__ = ["f"]\ndef f(): ...\n', ["f has no docstring"]),
        ('__all__ = ["g"]\ndef f(): ...\ndef g():\n    """Says it."""\n', []),
        (
            '__all__ = ["C"]\nclass C:\n    """A."""\n    def m(self): ...\n    def _n(self): ...\n',
            ["C.m has no docstring"],
        ),
        (
            '__all__ = ["C"]\nclass C:\n    """A."""\n    @property\n    def m(self):\n        """M."""\n'
            "    @m.setter\n    def m(self, value): ...\n",
            [],
        ),
    ],
)
def test_every_public_name_has_a_docstring(code, lacking):
    assert found(code) == lacking


@pytest.mark.parametrize("title", ["Cost", "Memory", "Source", "Returns", "Raises"])
def test_an_algorithm_has_each_section(title):
    whole = MODULE + f'def degrees(graph):\n    """Degrees.\n\n{SECTIONS}    """\n'
    path = "python/rizoma/algorithms/degrees.py"
    assert found(whole, path) == []
    (lacking,) = found(whole.replace(title, "Else"), path)
    assert lacking.endswith(f"no section {title}")


@pytest.mark.parametrize(
    ("name", "said", "enough"),
    [
        ("memory_limit", "the most memory.", False),
        ("memory_limit", "the most memory, in bytes.", True),
        ("memory_limit", "the most memory, such as 4G.", True),
        ("lock_timeout", "how long to wait.", False),
        ("lock_timeout", "how long to wait,\n            in seconds.", True),
        ("color", "how it looks.", True),
    ],
)
def test_a_parameter_with_a_unit_says_it(name, said, enough):
    code = f'__all__ = ["f"]\ndef f({name}):\n    """F.\n\n    Args:\n        {name}: {said}\n    """\n'
    assert bool(found(code)) != enough
