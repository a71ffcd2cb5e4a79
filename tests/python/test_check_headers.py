"""tools/check_headers.py: what the comments of public headers must say, and what it finds missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_headers  # noqa: E402


def found(code: str, top: str = "// Costs nothing.") -> list[str]:
    """What a header lacks."""
    return [what for _, what in check_headers.lacks(Path("a.h"), f"{top}\n#pragma once\n\n{code}\n")]


def test_the_public_headers_lack_nothing():
    assert check_headers.violations(ROOT) == []


@pytest.mark.parametrize(
    ("code", "lacking"),
    [
        ("int f();", ["f has no comment"]),
        ("/// Says it.\nint f();", []),
        ("int f();  ///< says it", []),
        ("/// Says it of both.\nint f();\nint g();", []),
        ("/// Says it.\nint f();\n\nint g();", ["g has no comment"]),
        ("/// Says it.\ntemplate <class T = std::vector<int>>\nint f(std::function<int(T)> g = {});", []),
        ("template <class T>\nint f(T a) {\n  return a;\n}", ["f has no comment"]),
        ("inline int f() { return 1; }", []),
        ("class A {\n public:\n  int f();\n private:\n  int g();\n};", ["f has no comment"]),
        ("class A {\n  int g();\n};", []),
        ("struct A {\n  int f() {\n    return 1;\n  }\n};", ["f has no comment"]),
        ("template <class T>\nclass A : B<T> {\n public:\n  explicit A(int a)\n      : a_(a) {}\n};", []),
        ("class A : public B {\n public:\n  int f() override;\n  ~A();\n  A& operator=(A&&);\n};", []),
        ("class A {\n public:\n  int size() const noexcept;\n};", []),
        ("namespace rizoma {\nint f();\n}", ["f has no comment"]),
        ("namespace a_detail {\nint f();\n}", []),
        ("using F = int (*)(int);\nenum class E : int { a, b };\nint x = g(1);", []),
    ],
)
def test_every_public_function_has_a_comment(code, lacking):
    assert found(code) == lacking


@pytest.mark.parametrize("returned", ["Status", "Result<int>", "[[nodiscard]] static Result<std::vector<int>>"])
@pytest.mark.parametrize(
    ("said", "enough"),
    [
        ("Does it.", False),
        ("Does it.  Errors: io.", True),
        ("ErrorCode::not_found if it is missing.", True),
        ("Fails with io.", True),
    ],
)
def test_a_function_that_can_fail_says_its_errors(returned, said, enough):
    code = f"/// {said}\n{returned} f(int a);"
    assert found(code) == ([] if enough else ["the comment of f does not say its errors"])
    assert found(f"/// Errors: io.\nclass A {{\n public:\n  /// Does it.\n  {returned} f();\n}};") == []
    assert found(code, "// Errors of all: io.  Costs nothing.") == []
    both = f"{code}\n/// The same on threads.\n{returned} g();"
    assert found(both) == ([] if enough else [f"the comment of {name} does not say its errors" for name in "fg"])


@pytest.mark.parametrize(
    ("code", "lacking"),
    [
        ("/// Says it.\nint f();", ["no comment says what its functions cost"]),
        ("/// Says it.  Cost: one pass.\nint f();", []),
        ("/// O(n).\nint f();", []),
        ("/// Says it.\ninline int f() {\n  return 1;\n}", []),
        ("class A {\n public:\n  int size() const noexcept;\n};", []),
    ],
)
def test_a_header_that_declares_functions_says_what_they_cost(code, lacking):
    assert found(code, "// A header.") == lacking
