"""What fails once is run again, alone, and named; what fails twice fails the run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "run_tests.py"
# Fails as long as the file `mark` is missing, and makes it.
ONCE = "mark = pathlib.Path('mark'); seen = mark.exists(); mark.touch(); assert seen"


def run(place: Path, *words: str) -> tuple[int, list[str]]:
    """Exit status and lines of the tool, run in `place`; programs of this Python come first."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    environment |= {"PATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    words = (sys.executable, str(TOOL), *words)
    done = subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout.splitlines()


def python_tests(place: Path, *bodies: str) -> None:
    tests = "".join(f"def test_{i}():\n    {body}\n" for i, body in enumerate(bodies))
    (place / "test_some.py").write_text(f"import pathlib\n{tests}")


def ctests(place: Path, *bodies: str) -> None:
    def quoted(word: str) -> str:
        return f"[==[{word}]==]"

    commands = [f"{quoted(sys.executable)} -c {quoted(f'import pathlib; {body}')}" for body in bodies]
    (place / "CTestTestfile.cmake").write_text("".join(f"add_test(test_{i} {c})\n" for i, c in enumerate(commands)))


RUNNERS = {
    "pytest": (
        python_tests,
        [
            "pytest",
            "-q",
        ],
        "test_some.py::test_{}",
    ),
    "ctest": (ctests, ["ctest", "."], "test_{}"),
}


@pytest.fixture(params=RUNNERS)
def runner(request, tmp_path):
    """Writes tests with these bodies and runs them; exit status, lines, and the pattern of names."""
    write, words, names = RUNNERS[request.param]

    def attempt(*bodies: str) -> tuple[int, list[str], str]:
        write(tmp_path, *bodies)
        return *run(tmp_path, *words), names

    return attempt


def named(lines: list[str], mark: str) -> list[str]:
    return [line.rsplit(": ", 1)[-1] for line in lines if line.startswith(mark)]


def test_what_passes_is_run_once(runner):
    status, lines, _ = runner("pass", "pass")
    assert status == 0
    assert not named(lines, "UNSTABLE")


def test_what_fails_once_is_named_and_does_not_fail_the_run(runner):
    status, lines, names = runner("pass", ONCE)
    assert status == 0, lines
    assert named(lines, "UNSTABLE") == [names.format(1)]
    # The closing line is that of the second run, of the one test.
    assert any("1 passed" in line or "100% tests passed" in line for line in lines[-4:])


def test_what_fails_twice_fails_the_run(runner):
    status, lines, names = runner("assert False", ONCE, "pass")
    assert status != 0
    assert named(lines, "FAILED TWICE") == [names.format(0)]
    assert named(lines, "UNSTABLE") == [names.format(1)]


def test_many_failures_are_no_bad_luck(runner):
    status, lines, _ = runner(*[ONCE.replace("'mark'", f"'mark{i}'") for i in range(6)])
    assert status != 0
    assert not named(lines, "UNSTABLE")


def test_no_tests_at_all_is_a_failure(runner):
    status, lines, _ = runner()
    assert status != 0
    assert not named(lines, "UNSTABLE")


def test_a_file_that_cannot_be_collected_fails_at_once(tmp_path):
    python_tests(tmp_path, ONCE)
    (tmp_path / "test_broken.py").write_text("import nothing_of_that_name\n")
    status, lines = run(tmp_path, "pytest", "-q")
    assert status == 2
    assert not named(lines, "UNSTABLE")


def test_other_words_are_refused(tmp_path):
    assert run(tmp_path, "nose")[0] == 2
