"""Runs tests with a Python extension or an MPI transport that was built with sanitizers (RIZOMA_SANITIZE_MODULES).

Usage: sanitized.py --build DIR python [PYTEST ARGUMENTS...]     a selection of tests/python, or what is named
       sanitized.py --build DIR mpi --tests DIR                  the tests of a build directory that mpiexec starts

Python and the test programs know nothing of sanitizers, so their libraries are loaded before all else (LD_PRELOAD), in
every process that a test starts. Each process writes what its sanitizer reports to a file of its own: a process may end
as it should, or be one that a test expects to end, and have been reported all the same. Memory that is never freed is
no report: Python frees little when it ends.

Exit status 1: a test failed, or a sanitizer reported something.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Tests that between them call every binding; what takes long or measures memory and time is left out.
PYTHON_TESTS = (
    "test_answers.py",
    "test_changes.py",
    "test_column_changes.py",
    "test_columns.py",
    "test_export.py",
    "test_graph.py",
    "test_given_values.py",
    "test_kernels.py",
    "test_known_answers.py",
    "test_local_calls.py",
    "test_match.py",
    "test_match_columns.py",
    "test_networkx.py",
    "test_odd_input.py",
    "test_predicates.py",
    "test_repair.py",
    "test_results.py",
    "test_scans.py",
    "test_store_corpus.py",
    "test_tables.py",
    "test_tags.py",
)
# Of these, tests that limit memory: AddressSanitizer ends a process that gets none.
LEFT_OUT = ("test_tags.py::test_changes_end_where_memory_does",)
LIBRARIES = ("libasan.so", "libubsan.so")
# Found by every Python that a test starts: the extension is the one with sanitizers.
FINDER = '''"""Finds the extension that was built with sanitizers."""
import importlib.machinery
import importlib.util
import sys

CORE = {core!r}


class Finder:
    """Finds rizoma._core before the installed package's own finder does."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """The extension with sanitizers; nothing for other modules."""
        if name != "rizoma._core":
            return None
        return importlib.util.spec_from_file_location(
            name, CORE, loader=importlib.machinery.ExtensionFileLoader(name, CORE)
        )


sys.meta_path.insert(0, Finder)
'''
MPI_TEST = "_mpi[0-9]+$"  # CMake's expressions have no \d


def preloaded(compiler: str = "g++") -> str:
    """The libraries of the sanitizers, as LD_PRELOAD names them."""
    found = []
    for library in LIBRARIES:
        words = [compiler, f"-print-file-name={library}"]
        path = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
        if not Path(path).is_absolute():
            raise SystemExit(f"{compiler} has no {library}; install the sanitizers of the compiler")
        found.append(path)
    return ":".join(found)


def settings_of(reports: Path) -> dict[str, str]:
    """The environment in which tests run."""
    options = f"log_path={reports / 'report'}:detect_leaks=0:abort_on_error=0"
    return os.environ | {
        "LD_PRELOAD": preloaded(),
        "ASAN_OPTIONS": options,
        "UBSAN_OPTIONS": f"log_path={reports / 'report'}:print_stacktrace=1:halt_on_error=1",
        # The hooks by which UCX learns of freed memory replace those of AddressSanitizer.
        "UCX_MEM_EVENTS": "no",
    }


def one_of(build: Path, pattern: str) -> Path:
    """The file of a build directory."""
    found = sorted(build.rglob(pattern))
    if not found:
        raise SystemExit(f"{build} has no {pattern}; build it first (make sanitize-python, make sanitize-mpi)")
    return found[0].resolve()


def run_python(build: Path, words: list[str], settings: dict[str, str], scratch: Path) -> int:
    """Runs tests of the package with the extension of a build directory."""
    core = one_of(build, "_core*.so")
    (scratch / "sitecustomize.py").write_text(FINDER.format(core=str(core)))
    path = os.pathsep.join(filter(None, [str(scratch), settings.get("PYTHONPATH")]))
    tests = [str(ROOT / "tests" / "python" / name) for name in PYTHON_TESTS]
    chosen = words or [name for name in tests if Path(name).exists()]
    without = [f"--deselect=tests/python/{name}" for name in LEFT_OUT]
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *without, *chosen]
    return subprocess.run(program, cwd=ROOT, env=settings | {"PYTHONPATH": path, "PYTHONMALLOC": "malloc"}).returncode


def tests_of_ranks(tests: Path) -> list[dict]:
    """The tests of a build directory that mpiexec starts, as ctest describes them."""
    words = ["ctest", "--test-dir", str(tests), "--show-only=json-v1", "-R", MPI_TEST]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)["tests"]


def run_mpi(build: Path, tests: Path, settings: dict[str, str]) -> int:
    """Runs the tests that mpiexec starts with the transport of a build directory."""
    module = one_of(build, "librizoma_mpi.so")
    listed = tests_of_ranks(tests)
    if not listed:
        raise SystemExit(f"{tests} has no test that mpiexec starts; was the MPI transport built?")
    worst = 0
    for test in listed:
        properties = {each["name"]: each["value"] for each in test["properties"]}
        own = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        own["RIZOMA_TEST_MPI_MODULE"] = str(module)
        # mpiexec itself has no need of them, but its ranks inherit them.
        status = subprocess.run(test["command"], cwd=tests, env=settings | own).returncode
        print(f"{test['name']}: {'passed' if status == 0 else f'status {status}'}", flush=True)
        worst = max(worst, abs(status))
    return worst


def report_on(reports: Path) -> bool:
    """Shows what the sanitizers have written; whether that is anything."""
    files = [path for path in sorted(reports.iterdir()) if path.stat().st_size]
    for path in files[:10]:
        print(f"== {path.name}\n{path.read_text(errors='replace')[:6000]}")
    print(f"sanitizers: {len(files)} processes were reported")
    return bool(files)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--build", required=True, type=Path, help="a build directory with RIZOMA_SANITIZE_MODULES")
    parser.add_argument("what", choices=["python", "mpi"])
    parser.add_argument("--tests", type=Path, help="mpi: the build directory of the tests")
    options, words = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as scratch:
        reports = Path(scratch) / "reports"
        reports.mkdir()
        settings = settings_of(reports)
        if options.what == "python":
            status = run_python(options.build, words, settings, Path(scratch))
        else:
            if options.tests is None or words:
                parser.error("mpi takes --tests, and nothing else")
            status = run_mpi(options.build, options.tests.resolve(), settings)
        reported = report_on(reports)
    return 1 if status != 0 or reported else 0


if __name__ == "__main__":
    sys.exit(main())
