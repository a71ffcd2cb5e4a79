"""The tool that runs tests with an extension that has sanitizers: which extension is found, and what a report is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import rizoma._core

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import sanitized  # noqa: E402


def test_every_process_imports_the_extension_of_the_build(tmp_path: Path) -> None:
    core = tmp_path / Path(rizoma._core.__file__).name
    shutil.copy(rizoma._core.__file__, core)
    (tmp_path / "sitecustomize.py").write_text(sanitized.FINDER.format(core=str(core)))
    asked = "import rizoma, rizoma._core; print(rizoma._core.__file__); rizoma.generate('rmat', 5, seed=1)"
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-c", asked], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.stdout.split() == [str(core)], done.stderr


def test_what_a_process_wrote_is_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "report.1").write_text("")
    assert not sanitized.report_on(tmp_path)
    (tmp_path / "report.2").write_text("ERROR: AddressSanitizer: heap-use-after-free")
    assert sanitized.report_on(tmp_path)
    assert "report.2" in capsys.readouterr().out


def test_the_chosen_tests_exist_and_what_is_not_built_is_named(tmp_path: Path) -> None:
    assert all((ROOT / "tests" / "python" / name).exists() for name in sanitized.PYTHON_TESTS)
    with pytest.raises(SystemExit, match="make sanitize-python"):
        sanitized.one_of(tmp_path, "_core*.so")


@pytest.mark.skipif(shutil.which("ctest") is None, reason="needs ctest")
def test_the_tests_that_mpiexec_starts_are_found(tmp_path: Path) -> None:
    names = ["test_cross_mpi2", "test_cross_mpi12", "test_cross", "test_mpix"]
    (tmp_path / "CTestTestfile.cmake").write_text("".join(f'add_test({name} "true")\n' for name in names))
    assert [test["name"] for test in sanitized.tests_of_ranks(tmp_path)] == names[:2]
