"""tools/check_classes.py: how many private functions a class has, and which have too many."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import check_classes  # noqa: E402

ONE = Path("src/a.h")


def private_of(code: str) -> dict[str, int]:
    """The private functions of each class of a text."""
    return {each.name: each.private for each in check_classes.classes_of(ONE, code)}


@pytest.mark.parametrize(
    ("member", "count"),
    [
        ("void f();", 1),
        ("static int f(int a, const std::vector<int>& b) noexcept;", 1),
        ("[[nodiscard]] Result<std::pair<int, int>> f() const { return {g(1), 2}; }", 1),
        ("Status f(FunctionRef<void(int)> visit) const RIZOMA_REQUIRES(mutex_, other_.mutex_);", 1),
        ("template <class A, class B = std::pair<int, int>>\n  Status f(A&& a);", 1),
        ("bool operator==(const X&) const;", 1),
        ("explicit X(int a) : a_(a), b_{a} {}", 1),
        ("~X() override { stop(); }", 1),
        ("X(const X&) = delete;", 0),
        ("X& operator=(X&&) noexcept = default;", 0),
        ("int a_ = count(3);", 0),
        ("std::function<Status(int)> take_;", 0),
        ("int a_ RIZOMA_GUARDED_BY(mutex_) = 0;", 0),
        ("alignas(64) std::atomic<int> a_{0};", 0),
        ("static constexpr int kMost = most(2);", 0),
        ("using Take = std::function<Status(int)>;", 0),
        ("friend class Y;\n  friend bool g(const X&);", 0),
        ("struct Inner { void f(); int g() { return 1; } };", 0),
        ("enum class Kind : int { a, b };", 0),
        ('// void f();\n  const char* text_ = "void f();";', 0),
    ],
)
def test_a_private_member_counts_if_it_is_a_function(member, count):
    assert private_of(f"class X {{\n public:\n  void open();\n private:\n  {member}\n}};\n")["X"] == count


def test_access_and_kind_decide_what_is_private():
    code = """
template <class P>
class Y final : public Base<P> {
  void private_at_first();
 public:
  void a();
 protected:
  void b();
 private:
  void c();
  class Inner {
    void d();
  };
};
struct Z {
  void public_at_first();
 private:
  void e();
};
enum class NoClass { a };
class Later;
"""
    assert private_of(code) == {"Y": 3, "Inner": 1, "Z": 1}


def test_a_class_that_is_too_large_is_a_fault():
    functions = "".join(f"  void f{i}();\n" for i in range(check_classes.MOST + 1))
    found = list(check_classes.classes_of(ONE, f"class X {{\n{functions}}};\nclass Y {{\n  void f();\n}};\n"))
    assert [fault.split(" has ")[0] for fault in check_classes.faults(found)[:1]] == ["src/a.h:1: X"]


def test_limits_of_larger_classes_only_fall(monkeypatch):
    monkeypatch.setattr(check_classes, "LARGER", {"X": 20, "Gone": 18})
    found = [check_classes.Class(ONE, 1, "X", 17)]
    first, second = check_classes.faults(found)
    assert "set it to 17" in first
    assert "take it out" in second
    monkeypatch.setattr(check_classes, "LARGER", {"X": 17})
    assert check_classes.faults(found) == []
    assert "divide it" in check_classes.faults([check_classes.Class(ONE, 1, "X", 18)])[0]


def test_no_class_of_the_tree_is_too_large():
    found = check_classes.classes(Path(__file__).parents[2])
    assert check_classes.faults(found) == []
    assert len(found) > 500
