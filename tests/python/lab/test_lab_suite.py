import subprocess
from pathlib import Path

from vmlab.guest import POWER_CUT
from vmlab.suite import Result, Suite, last_acknowledged, program_results, programs_script, report


def test_only_whole_lines_are_acknowledged():
    assert last_acknowledged(b"acknowledged 1\nacknowledged 2\nacknowledged 34") == 2
    assert last_acknowledged(b"acknowledged 9\nnoise\nacknowledged 10\n") == 10
    assert last_acknowledged(b"") == 0


def script(folder, name, code):
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return path


def test_each_program_is_run_and_judged(tmp_path):
    programs = [script(tmp_path, "bad", 3), script(tmp_path, "good", 0)]
    done = subprocess.run(programs_script(programs), capture_output=True, check=False)
    assert done.returncode == 1
    bad, good = program_results(programs, done.stdout, done.returncode)
    assert not bad.passed
    assert bad.detail == "exit code 3"
    assert good.passed


def test_a_program_that_never_ended_has_failed():
    [result] = program_results([Path("x")], b"", 124)
    assert not result.passed
    assert "124" in result.detail


class Guests(Suite):
    """Guests that give prepared answers."""

    def __init__(self, answers):
        super().__init__(Path("/build"), [], False)
        self.answers, self.commands = answers, []

    def boot(self, hardware, command, **more):
        self.commands.append([str(word) for word in command])
        return self.answers.pop(0)


def test_after_a_power_cut_all_that_was_acknowledged_is_asked_for():
    guests = Guests([(POWER_CUT, b"acknowledged 4\nacknowledged 5\nacknowledged 6\n"), (0, b"")])
    assert guests.power_cut("writer", "each", 5).passed
    assert guests.commands[1] == ["/build/tools/lab/writer", "check", "6", "each", "/mnt/pmem0", "/mnt/pmem1"]


def test_a_writer_that_ends_by_itself_or_a_loss_is_a_failure():
    assert not Guests([(1, b"acknowledged 5\n")]).power_cut("writer", "each", 5).passed
    assert not Guests([(POWER_CUT, b"acknowledged 5\n"), (1, b"")]).power_cut("writer", "each", 5).passed


def test_the_report_fails_with_any_failure_and_without_results(capsys):
    assert report([Result("a", True, 1)], 1) == 0
    assert report([Result("a", True, 1), Result("b", False, 1, "why")], 2) == 1
    assert "1 of 2 held" in capsys.readouterr().out
    assert report([], 0) == 1
