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


def found(code: str, path: str = "python/rizoma/graph/a.py", users: tuple[str, ...] = ()) -> list[str]:
    """What a module lacks; `users`: the functions that users call."""
    return [what for _, what in check_docstrings.lacks(Path(path), ast.parse(code), users)]


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


WHOLE = "Paths from `source`, the shorter first.\n\n    Raises NotInGraphError if it is missing.  Cost: O(n)."


@pytest.mark.parametrize(
    ("said", "lacking"),
    [
        (WHOLE, []),
        (WHOLE.replace("`source`", "source"), ["parameter source"]),
        (WHOLE.replace("`source`", "source=1"), []),
        (WHOLE.replace("Paths from `source`", "Args:\n        source: an id.\n\n    Paths"), []),
        (WHOLE.replace("Raises", "Gives"), ["what it raises"]),
        (WHOLE.replace("Cost", "Costly"), ["its cost"]),
    ],
)
def test_a_function_that_users_call_says_more(said, lacking):
    code = f'__all__ = ["paths"]\ndef paths(graph, source, *, threads=None):\n    """{said}"""\n'
    assert [each.rpartition(" say ")[2] for each in found(code, users=("paths",))] == lacking
    assert found(code) == []


def test_methods_of_a_class_of_users_say_more_and_properties_less():
    code = (
        '__all__ = ["Reader"]\nclass Reader:\n    """Reads `v`.  Raises KeyError."""\n'
        '    def near(self, v):\n        """The neighbours.{}"""\n'
        '    @property\n    def size(self):\n        """Vertices."""\n'
    )
    assert found(code.format("  Cost: O(1).")) == []
    assert [each.rpartition(" say ")[2] for each in found(code.format(""))] == ["its cost"]
    assert found(code.format("").replace("Reader", "Other")) == []


def test_a_base_says_it_for_the_classes_below():
    code = (
        '__all__ = ["ChangeMethods", "Batch"]\n'
        'class ChangeMethods:\n    """Changes `data`.  Raises KeyError.  Cost: O(1)."""\n'
        'class Batch(ChangeMethods[None]):\n    """Gathers."""\n    def add(self, data):\n        """Add."""\n'
    )
    assert found(code) == []


@pytest.mark.parametrize(
    ("said", "enough"),
    [("Distances.", False), ("int64.", False), ("shape (n,).", False), ("Distances: int64, shape (n,).", True)],
)
def test_an_array_has_a_type_and_a_shape(said, enough):
    code = f'__all__ = ["f"]\ndef f() -> npt.NDArray[Any]:\n    """{said}  Cost: O(1)."""\n'
    assert bool(found(code, users=("f",))) != enough
