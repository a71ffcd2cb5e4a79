"""The rules of the tree hold, and the tools that check them notice each way of breaking them."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_layers  # noqa: E402
import check_tidy  # noqa: E402

HEADER = "// What this is for.  Module: {}.\n#pragma once\n"


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_layers_of_this_tree_hold():
    assert check_layers.violations(ROOT) == []


def test_this_tree_is_tidy():
    assert check_tidy.violations(ROOT) == []


def test_the_tests_of_all_kernels_know_all_there_are():
    known = (ROOT / "testing" / "all_kernels.cpp").read_text(encoding="utf-8")
    headers = sorted((ROOT / "include" / "rizoma" / "algorithms").glob("*.h"))
    missing = [header.stem for header in headers if f"#include <rizoma/algorithms/{header.name}>" not in known]
    assert headers
    assert missing == []


SOUND = {
    "include/rizoma/ids.h": HEADER.format("base"),
    "include/rizoma/engine.h": HEADER.format("engine") + "#include <rizoma/ids.h>\n",
    "include/rizoma/graph.h": HEADER.format("api") + "#include <rizoma/ids.h>\n",
    "include/rizoma/rizoma.h": "// Everything.\n#pragma once\n#include <rizoma/engine.h>\n",
    "include/rizoma/topology.h": HEADER.format("platform") + "#include <rizoma/ids.h>\n",
    "src/platform/medium.h": HEADER.format("platform"),
    "src/engine/transport.h": HEADER.format("engine") + '#include "platform/medium.h"\n',
    "src/engine/engine.cpp": "#include <rizoma/engine.h>\n#include <thread>\n",
    "src/engine/engine_test.cpp": '#include "testing/fake.h"\n#include <unistd.h>\n',
    "src/engine/test_shapes.h": HEADER.format("none") + '#include "testing/fake.h"\n',
    "src/placement/chunk.cpp": "#include <rizoma/topology.h>\n",
    "src/transport/mpi/mpi.cpp": '#include "engine/transport.h"\n#include <mpi.h>\n',
    "src/store/log/log.h": HEADER.format("store") + '#include "platform/medium.h"\n',
    "src/store/store.h": HEADER.format("store") + '#include "store/log/log.h"\n',
    "src/algorithms/bfs.cpp": "#include <rizoma/engine.h>\n",
    "src/api/graph.cpp": '#include <rizoma/graph.h>\n#include "store/log/log.h"\n',
    "testing/fake.h": HEADER.format("none") + '#include "store/log/log.h"\n',
    "bench/run.cpp": '#include <rizoma/rizoma.h>\n#include "timer.h"\n',
    "bench/timer.h": HEADER.format("none"),
}

BROKEN_LAYERS = {
    "a module includes one that it must not": (
        "src/store/a.cpp",
        "#include <rizoma/engine.h>\n",
        "store must not include engine",
    ),
    "engine reaches the store": (
        "src/engine/a.cpp",
        '#include "store/log/log.h"\n',
        "engine must not include store",
    ),
    "an algorithm reaches the platform": (
        "src/algorithms/a.cpp",
        '#include "platform/medium.h"\n',
        "algorithms must not include platform",
    ),
    "the public face within a kernel": (
        "src/algorithms/a.cpp",
        "#include <rizoma/graph.h>\n",
        "algorithms must not include api",
    ),
    "placement takes more than the topology": (
        "src/placement/a.cpp",
        '#include "platform/medium.h"\n',
        "placement must not include platform",
    ),
    "transport takes more than the seam": (
        "src/transport/a.cpp",
        "#include <rizoma/engine.h>\n",
        "transport must not include engine",
    ),
    "a path relative to the file": (
        "src/store/a.cpp",
        '#include "../engine/transport.h"\n',
        "store must not include engine",
    ),
    "mpi.h elsewhere": ("src/engine/a.cpp", "#include <mpi.h>\n", "only src/transport/mpi includes MPI's headers"),
    "threads in an algorithm": ("src/algorithms/a.cpp", "#include <thread>\n", "starts no threads"),
    "OpenMP in a query": ("src/query/a.cpp", "#include <omp.h>\n", "starts no threads"),
    "input and output in base": ("src/base/a.cpp", "#include <fstream>\n", "no input or output"),
    "the operating system elsewhere": ("src/store/a.cpp", "#include <sys/mman.h>\n", "only platform talks"),
    "a test's header in the product": (
        "src/engine/a.cpp",
        '#include "engine/test_shapes.h"\n',
        "only tests include",
    ),
    "a fake in the product": ("src/engine/a.cpp", '#include "testing/fake.h"\n', "only tests include"),
    "the umbrella within": ("src/api/a.cpp", "#include <rizoma/rizoma.h>\n", "is for users"),
    "a private header in a public one": (
        "include/rizoma/a.h",
        HEADER.format("store") + '#include "store/log/log.h"\n',
        "no private one",
    ),
    "a public header without a module": (
        "include/rizoma/a.h",
        "// What for.\n#pragma once\n",
        "says `Module: x.`",
    ),
    "a public header of an unknown module": (
        "include/rizoma/a.h",
        HEADER.format("kitchen"),
        "says `Module: x.`",
    ),
    "a part of the store that reaches over it": (
        "src/store/space/a.cpp",
        '#include "store/log/log.h"\n',
        "space of the store must not include its log",
    ),
    "a part of the store that uses the whole": (
        "src/store/log/a.cpp",
        '#include "store/store.h"\n',
        "log of the store must not include its front",
    ),
    "a new part of the store": ("src/store/cellar/a.cpp", '#include "store/log/log.h"\n', "cellar is no part"),
    "src from bench": ("bench/a.cpp", '#include "store/log/log.h"\n', "bench includes only"),
    "src from an example": ("examples/a.cpp", '#include "../src/store/log.h"\n', "examples includes only"),
    "src from Python": ("python/src/a.cpp", '#include "engine/transport.h"\n', "python includes only"),
}


def test_a_sound_tree_has_no_violations(tmp_path):
    write(tmp_path, SOUND)
    assert check_layers.violations(tmp_path) == []


@pytest.mark.parametrize("how", BROKEN_LAYERS)
def test_broken_layers_are_noticed(tmp_path, how):
    name, text, message = BROKEN_LAYERS[how]
    write(tmp_path, SOUND)
    write(tmp_path, {name: text})
    found = check_layers.violations(tmp_path)
    assert len(found) == 1, found
    assert message in found[0]
    assert found[0].startswith(f"{name}:")


def test_an_include_cycle_is_noticed(tmp_path):
    write(tmp_path, SOUND)
    header = HEADER.format("platform") + '#include "{}"\n'
    write(tmp_path, {"src/platform/medium.h": header.format("platform/topology.h")})
    assert check_layers.violations(tmp_path) == []
    write(tmp_path, {"src/platform/topology.h": header.format("medium.h")})
    (found,) = check_layers.violations(tmp_path)
    assert "include cycle" in found


def test_an_include_in_a_comment_does_not_count(tmp_path):
    write(tmp_path, SOUND)
    write(tmp_path, {"src/store/a.cpp": '// #include <mpi.h>\n/*\n#include "engine/transport.h"\n*/\n'})
    assert check_layers.violations(tmp_path) == []


RAW_LOOP = "void f() {\n  for (auto w : lists.neighbors(v)) g(w);\n}\n"


def test_a_new_loop_over_raw_lists_is_noticed(tmp_path):
    write(tmp_path, SOUND)
    write(tmp_path, {"src/engine/loop.cpp": RAW_LOOP, "src/algorithms/f_test.cpp": RAW_LOOP})
    assert check_layers.violations(tmp_path) == []
    write(tmp_path, {"src/algorithms/f.cpp": RAW_LOOP})
    (found,) = check_layers.violations(tmp_path)
    assert found.startswith("src/algorithms/f.cpp:1: a kernel sees lists by Entries only")


ENGINES_BUSINESS = [
    "if (engine.ranks() != nullptr) f();",
    "// On ranks, each rank has its own.",
    "const unsigned own_rank = 0;",
    "Checkpoints* kept = nullptr;",
    "Status f(Engine& engine, Transport& network);",
    "if (engine.tiers()[s].tier == 0) f();",
    "RIZOMA_TRY(over_ranks(engine, x));",
]


@pytest.mark.parametrize("line", ENGINES_BUSINESS)
def test_a_kernel_that_does_the_work_of_the_engine_is_noticed(tmp_path, line):
    write(tmp_path, SOUND)
    write(tmp_path, {"src/engine/loop.cpp": f"{line}\n", "src/algorithms/f_test.cpp": f"{line}\n"})
    assert check_layers.violations(tmp_path) == []
    write(tmp_path, {"src/algorithms/f.cpp": f"int x;\n{line}\n"})
    (found,) = check_layers.violations(tmp_path)
    assert found.startswith("src/algorithms/f.cpp:2: `")
    assert "the engine's business" in found


def test_scores_frontiers_and_degree_ranks_are_the_kernels(tmp_path):
    write(tmp_path, SOUND)
    line = "DegreeRank degree_rank = pagerank.frontier[0];  // by degree rank, ranked\n"
    write(tmp_path, {"src/algorithms/f.cpp": line})
    assert check_layers.violations(tmp_path) == []


def test_the_list_of_loops_over_raw_lists_shrinks(tmp_path, monkeypatch):
    write(tmp_path, SOUND)
    name = "measured.cpp"
    monkeypatch.setattr(check_layers, "RAW_LISTS", {name})
    write(tmp_path, {f"src/algorithms/{name}": RAW_LOOP})
    assert check_layers.violations(tmp_path) == []
    write(tmp_path, {f"src/algorithms/{name}": "void f();\n"})
    (found,) = check_layers.violations(tmp_path)
    assert "take it out of RAW_LISTS" in found


def cpp_function(lines: int, head: str = "int f(int x)") -> str:
    return head + " {\n" + "  ++x;\n" * (lines - 2) + "}\n"


LONG = check_tidy.FUNCTION_LINES + 1
# Put together here, so that this file is tidy itself.
UNFINISHED = "".join(["TO", "DO"])
MACHINE = "/" + "work"
HOME = "/" + "home"

ALGORITHM = "// Rank.\n// What: w.\n// How: h.\n// Cost: c.\n// Source: s.\n#pragma once\n"

TIDY = {
    "a function as long as may be": ("src/a.cpp", cpp_function(LONG - 1)),
    "a long namespace": ("src/a.cpp", "namespace a {\n" + "int x;\n" * LONG + "}\n"),
    "a long class": (
        "src/a.cpp",
        "template <class T>\nclass alignas(64) A : B<T> {\n" + "int x;\n" * LONG + "};\n",
    ),
    "a long table": ("src/a.cpp", "constexpr int kTable[] = {\n" + "  1,\n" * LONG + "};\n"),
    "a long docstring": ("a.py", 'def f():\n    """' + "\n" * LONG + '"""\n'),
    "printing into a buffer": ("src/a.cpp", 'int f() { return snprintf(b, n, "printf(x)"); }  // exit(1)\n'),
    "printing in a test": ("src/a_test.cpp", 'int f() { printf("x"); }\n'),
    "a system path": (
        "README.md",
        "Mount it at /mnt/pmem0 or /dev/shm; see ../work/x and https://a.b/home/c.\n",
    ),
    "an algorithm's header": ("include/rizoma/algorithms/a.h", ALGORITHM),
}

UNTIDY = {
    "a long function": ("src/a.cpp", cpp_function(LONG), "a function of"),
    "a long method": (
        "src/a.cpp",
        "struct A {\n" + cpp_function(LONG, "  int f(int x) const noexcept") + "};\n",
        "a function of",
    ),
    "a long function in a namespace": (
        "src/a.cpp",
        "namespace a {\nnamespace {\n" + cpp_function(LONG) + "}\n}\n",
        "a function of",
    ),
    "a long function that returns a struct": (
        "src/a.cpp",
        cpp_function(LONG, "struct A f(int x)"),
        "a function of",
    ),
    "a long constructor": ("src/a.cpp", cpp_function(LONG, "A::A(int x) : a_{1}, b_(2)"), "a function of"),
    "a constructor that ends in braces": (
        "src/a.cpp",
        cpp_function(LONG, "A::A(int x) : a_{1}"),
        "a function of",
    ),
    "braces in literals": (
        "src/a.cpp",
        "char f(int x) {\n" + "  g('}', \"}\", 1'000);  // }\n" * LONG + "}\n",
        "a function of",
    ),
    "a long function in Python": ("a.py", "def f():\n" + "    x = 1\n" * LONG, "a function of"),
    "a long file": ("src/a.cpp", "int x;\n" * (check_tidy.FILE_LINES + 1), "a file of"),
    "a long comment": ("src/a.cpp", "// " + "x" * check_tidy.COLUMNS + "\n", "a line of"),
    "unfinished work": ("src/a.cpp", f"// {UNFINISHED}: finish\n", "unfinished"),
    "one machine's path": ("README.md", f"See {MACHINE}/main for more.\n", "a path of one machine"),
    "one user's path": ("Makefile", f"X = {HOME}/someone/x\n", "a path of one machine"),
    "a library that prints": ("src/a.cpp", 'void f() { std::cerr << "x"; }\n', "never prints or exits"),
    "a library that exits": ("src/a.cpp", "void f() { std::exit(1); }\n", "never prints or exits"),
    "a header without purpose": ("src/a.h", "#pragma once\nint x;\n", "begins with a comment"),
    "a header without a guard": ("src/a.h", "// X.\nint x;\n", "has #pragma once"),
    "a header that uses a namespace": (
        "src/a.h",
        "// X.\n#pragma once\nusing namespace std;\n",
        "in a header",
    ),
    "an algorithm without its cost": (
        "include/rizoma/algorithms/a.h",
        ALGORITHM.replace("Cost", "Price"),
        "says `Cost:`",
    ),
}


@pytest.mark.parametrize("what", TIDY)
def test_tidy_code_passes(tmp_path, what):
    name, text = TIDY[what]
    write(tmp_path, {name: text})
    assert check_tidy.violations(tmp_path) == []


@pytest.mark.parametrize("what", UNTIDY)
def test_untidy_code_is_noticed(tmp_path, what):
    name, text, message = UNTIDY[what]
    write(tmp_path, {name: text})
    found = check_tidy.violations(tmp_path)
    assert len(found) == 1, found
    assert found[0].startswith(f"{name}:")
    assert message in found[0]


@pytest.mark.parametrize("tool", [check_layers, check_tidy])
def test_the_command_fails_on_violations_only(tmp_path, tool, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [tool.__name__, str(tmp_path)])
    assert tool.main() == 0
    assert "no violations" in capsys.readouterr().out
    write(tmp_path, {"include/rizoma/a.h": "int x;\n"})
    assert tool.main() == 1
    assert "include/rizoma/a.h:1:" in capsys.readouterr().out
