import os

from vmlab.__main__ import arguments, to_run
from vmlab.guest import POWER_CUT, TIMED_OUT, Port, Run, Watch
from vmlab.hardware import Nvdimm


class Stopped:
    def __init__(self):
        self.times = 0

    def __call__(self):
        self.times += 1


def watch(**circumstances):
    stopped = Stopped()
    return Watch(Run(["true"], **circumstances), stopped), stopped


def test_the_exit_code_ends_the_guest():
    guest, stopped = watch()
    guest.control(b"ready\n")
    assert guest.ready is not None
    assert stopped.times == 0
    guest.control(b"3\n")
    assert (guest.code, stopped.times) == (3, 1)


def test_the_first_reason_counts():
    guest, stopped = watch()
    guest.end(POWER_CUT)
    guest.control(b"0")
    assert (guest.code, stopped.times) == (POWER_CUT, 1)


def test_power_is_cut_at_a_text_that_comes_in_pieces():
    guest, _ = watch(kill_on="acknowledged 7\n")
    seen = []
    guest.output(b"acknowledged 6\nackno", seen.append)
    assert guest.code is None
    guest.output(b"wledged 7\n", seen.append)
    assert guest.code == POWER_CUT
    assert b"".join(seen).endswith(b"7\n")


def test_limits_of_time():
    guest, _ = watch(timeout=0)
    guest.check_time()
    assert guest.code == TIMED_OUT
    guest, _ = watch(kill_after=0)
    guest.check_time()
    assert guest.code is None, "the command has not started yet"
    guest.control(b"ready")
    guest.begin -= 1
    guest.check_time()
    assert guest.code == POWER_CUT


def test_follow_reads_until_all_ports_are_closed():
    guest, _ = watch()
    ports = {name: Port(name) for name in ("out", "err", "control")}
    os.write(ports["out"].write, b"hello")
    os.write(ports["control"].write, b"ready 5")
    for port in ports.values():
        os.close(port.write)
    seen = []
    outcome = guest.follow(ports, {"out": seen.append, "err": seen.append})
    assert (outcome.code, b"".join(seen)) == (5, b"hello")


def test_the_command_line_becomes_a_run():
    run = to_run(
        arguments(
            [
                "--nvdimm",
                "fsdax:256",
                "--nvdimm",
                "kmem",
                "--cpus",
                "2",
                "--env",
                "A=b=c",
                "--kill-on",
                "x",
                "--",
                "prog",
                "--flag",
            ]
        )
    )
    assert run.command == ["prog", "--flag"]
    assert run.hardware.nvdimms == [Nvdimm("fsdax", 256), Nvdimm("kmem", 512)]
    assert run.environment == {"A": "b=c"}
    assert run.kill_on == "x"
