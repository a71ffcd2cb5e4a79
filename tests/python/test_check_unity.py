"""tools/check_unity.py: which sources of one folder cannot be compiled together."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import check_unity  # noqa: E402

BUILD = """file(GLOB apart src/ingest/formats/*.cpp)
rizoma_apart(${apart})
rizoma_unity(base ingest)
"""


def tree(root: Path, files: dict[str, str]) -> list[str]:
    """Makes a tree of sources, and gives what is wrong with it."""
    for name, text in {"CMakeLists.txt": BUILD, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return check_unity.violations(root)


def unnamed(code: str, space: str = "rizoma") -> str:
    """A source that defines something in an unnamed namespace."""
    return f"namespace {space} {{\nnamespace {{\n{code}\n}}  // namespace\n}}  // namespace {space}\n"


CLASHES = [
    ("constexpr int kEnd = 3;", "constexpr std::uint64_t kEnd{4};"),
    ("constexpr int kEnd = 3;", 'constexpr std::array<std::string_view, 2> kEnd = {kA, "b"};'),
    ('const char* const kEnd[] = {"a"};', "int kEnd;"),
    ("constexpr auto kEnd = [](int a) { return a; };", "void kEnd() {}"),
    ("struct Cell { int a = 0; };", "class Cell final : public Base<int> {\n  int f() { return 1; }\n};"),
    ("enum class Kind : int { a };", "using Kind = std::vector<int>;"),
    ("template <class T>\nstruct Cell {};", "struct Cell {};"),
    (
        "int f(int a, const std::string& b) { return a; }",
        "long f(const int c, const std::string& d = {}) { return c; }",
    ),
    (
        "int f(std::span<const std::pair<int, int>> a) { return 1; }",
        "int f(std::span<const std::pair<int, int>>) { return 1; }",
    ),
    ("template <class T>\nvoid f(T&& a, int b) {}", "template <typename U, class V = int>\nvoid f(U&& b, int a) {}"),
    ("[[nodiscard]] static Status f() noexcept {\n  return {};\n}", "auto f() -> int { return 1; }"),
    (
        "bool operator==(const A& a, const A& b) { return true; }",
        "bool operator==(const A& c, const A& d) { return false; }",
    ),
]


@pytest.mark.parametrize(("first", "second"), CLASHES)
def test_two_sources_with_one_name(tmp_path, first, second):
    files = {"src/ingest/a.cpp": unnamed(first), "src/ingest/b.cpp": unnamed(second)}
    (found,) = tree(tmp_path, files)
    assert found.startswith("src/ingest/b.cpp:3: ")
    assert "src/ingest/a.cpp:3" in found


APART = [
    ("int f(int a) { return a; }", "int f(long a) { return 1; }"),
    ("void f(const X& a) {}", "void f(X& a) {}"),
    ("void f(X a, Y b) {}", "void f(X a) {}"),
    ("struct A {\n  static constexpr int kEnd = 3;\n  void f() {}\n};", "constexpr int kEnd = 4;\nvoid f() {}"),
    ("void f() {\n  constexpr int kEnd = 3;\n  struct Cell {};\n}", "constexpr int kEnd = 3;\nstruct Cell {};"),
    ("void f();", "void f() {}"),
    ("class Cell;", "class Cell {};"),
    ("namespace fs = std::filesystem;", "namespace fs = std::filesystem;"),
    ("using std::size_t;", "using std::size_t;"),
    ("static_assert(sizeof(int) == 4);", "static_assert(sizeof(int) == 4);"),
    ("// constexpr int kEnd = 3;", 'const char* kText = "constexpr int kEnd = 3;";'),
    (
        "bool operator==(const A& a, const A& b) { return true; }",
        "bool operator==(const B& a, const B& b) { return true; }",
    ),
    ("template <>\nstruct Of<int> {};", "template <>\nstruct Of<long> {};"),
]


@pytest.mark.parametrize(("first", "second"), APART)
def test_sources_whose_names_do_not_meet(tmp_path, first, second):
    assert tree(tmp_path, {"src/ingest/a.cpp": unnamed(first), "src/ingest/b.cpp": unnamed(second)}) == []


def test_only_sources_that_are_compiled_together_meet(tmp_path):
    code = unnamed("constexpr int kEnd = 3;")
    files = {
        "src/ingest/a.cpp": code,
        "src/ingest/a_test.cpp": code,
        "src/ingest/deep/a.cpp": code,
        "src/ingest/formats/a.cpp": code,
        "src/ingest/formats/b.cpp": code,
        "src/base/a.cpp": code,
        "src/engine/a.cpp": code,
        "src/engine/b.cpp": code,
        "src/ingest/b.cpp": unnamed("constexpr int kEnd = 3;", "rizoma::other"),
    }
    assert tree(tmp_path, files) == []


def test_a_name_of_a_header_that_a_neighbor_includes(tmp_path):
    files = {
        "include/rizoma/log.h": "namespace rizoma {\nstruct Cell {};\nint f(int a);\n}\n",
        "src/base/more.h": "#include <rizoma/log.h>\n",
        "src/ingest/a.cpp": '#include "base/more.h"\n',
        "src/ingest/b.cpp": unnamed("struct Cell {};\nint f(int a) { return a; }"),
    }
    (found,) = tree(tmp_path, files)
    assert found.startswith("src/ingest/b.cpp:3: Cell is also defined in include/rizoma/log.h:2")


def test_members_and_functions_of_headers_are_no_clash(tmp_path):
    files = {
        "src/ingest/a.h": "namespace rizoma {\nclass A {\n  Status f(int a);\n};\nint g(int a);\n}\n",
        "src/ingest/a.cpp": '#include "ingest/a.h"\nnamespace rizoma {\nStatus A::f(int a) { return g(a); }\n}\n',
        "src/ingest/b.cpp": '#include "ingest/a.h"\nnamespace rizoma {\nint g(int) { return 1; }\nB::B() : a(1) {}\n}',
    }
    assert tree(tmp_path, files) == []


def test_a_type_of_two_sources_outside_of_unnamed_namespaces(tmp_path):
    code = "namespace rizoma {\nstruct {0}::Impl { int a; };\nstruct Loader { int a; };\n}\n"
    files = {f"src/ingest/{name}.cpp": code.replace("{0}", name) for name in ("a", "b")}
    assert [each.split(" is ")[0] for each in tree(tmp_path, files)] == ["src/ingest/b.cpp:3: Loader"]


def test_a_macro_that_is_not_taken_back(tmp_path):
    files = {
        "src/ingest/a.cpp": "#define ONE \\\n  1\n#define TWO 2\nint a = ONE;\n#undef TWO\n// #define THREE\n",
        "src/engine/a.cpp": "#define ONE 1\n",
    }
    (found,) = tree(tmp_path, files)
    assert found.startswith("src/ingest/a.cpp:1: the macro ONE")


def test_sources_of_the_tree_can_be_compiled_together():
    root = Path(__file__).parents[2]
    assert check_unity.violations(root) == []
    assert len(check_unity.folders(root)) > 20
