"""The laboratory's suite: boots guests one after another and says what held in them.

    python3 -m vmlab.suite --build DIR [--program PROGRAM]... [--cxl] [--only NAME]...

DIR is a build with RIZOMA_LAB; each PROGRAM is a test program of that build, run in the guest with
its temporary files on a DAX mount.  Scenarios whose program is not in DIR fail: build lab_programs.
"""

import argparse
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vmlab.errors import LabError
from vmlab.guest import POWER_CUT, Run, execute
from vmlab.hardware import Hardware, Nvdimm

# Two mounts for stores that span devices, and persistent memory used as plain memory.
PLACEMENT = Hardware(cpus=2, nvdimms=[Nvdimm("fsdax", 256), Nvdimm("fsdax", 256), Nvdimm("kmem", 256)])
PERSISTENCE = Hardware(slow=0, nvdimms=[Nvdimm("fsdax", 256), Nvdimm("fsdax", 256)])
CXL = Hardware(nvdimms=[Nvdimm("fsdax", 256)], cxl=256)
TIMEOUT = 240.0
ACKNOWLEDGED = re.compile(rb"^acknowledged (\d+)$", re.MULTILINE)
ENDED = re.compile(rb"^lab: end (\S+) (\d+) (\d+)$", re.MULTILINE)


@dataclass
class Result:
    """What came of one thing that was to hold."""

    name: str
    passed: bool
    seconds: float
    detail: str = ""


class Recorder:
    """Keeps the guest's output, and shows it if wanted."""

    def __init__(self, show: bool):
        self.text, self.show = b"", show

    def __call__(self, data: bytes) -> None:
        """Takes some output."""
        self.text += data
        if self.show:
            sys.stdout.buffer.write(data)
            sys.stdout.flush()


# What explores crashes, failures and damage on a medium of its own, in memory, sees nothing of the guest,
# and takes a guest that is translated an hour.
OUTSIDE = (
    "*Crash*:*Interruption*:*Failure*:*Failing*:*OfAnyByte*:*Damage*:BulkLoad.*:*Canary*"
    ":*Survives*:*InMemory:*StoreRemovals*:Repair.*"
)


def programs_script(programs: list[Path]) -> list[str]:
    """A command that runs all programs, whatever becomes of each, and says how each ended."""
    lines = ["failed=0", f"export GTEST_FILTER='-{OUTSIDE}'"]
    for program in programs:
        lines += [
            "begin=$(date +%s)",
            f"{shlex.quote(str(program))}; code=$?",
            f'echo "lab: end {program.name} $code $(($(date +%s) - begin))"',
            "[ $code = 0 ] || failed=1",
        ]
    return ["sh", "-c", "\n".join([*lines, "exit $failed"])]


def program_results(programs: list[Path], output: bytes, outcome_code: int) -> list[Result]:
    """One result for each program; one that never ended has failed."""
    ended = {name.decode(): (int(code), float(seconds)) for name, code, seconds in ENDED.findall(output)}
    results = []
    for program in programs:
        if program.name in ended:
            code, seconds = ended[program.name]
            results.append(Result(program.name, code == 0, seconds, "" if code == 0 else f"exit code {code}"))
        else:
            results.append(Result(program.name, False, 0, f"did not end (guest: {outcome_code})"))
    return results


def last_acknowledged(output: bytes) -> int:
    """The largest number of which the whole line came through; 0 if there is none."""
    return max((int(number) for number in ACKNOWLEDGED.findall(output[: output.rfind(b"\n") + 1])), default=0)


class Suite:
    """The scenarios, with what they share."""

    def __init__(self, build: Path, programs: list[Path], show: bool):
        self.build, self.programs, self.show = build, programs, show

    def lab_program(self, name: str) -> Path:
        """A program of the laboratory's own."""
        return self.build / "tools/lab" / name

    def boot(self, hardware: Hardware, command: list[str], **more) -> tuple[int, bytes]:
        """Runs a command in a fresh guest; returns its code and output."""
        recorder = Recorder(self.show)
        mounts = hardware.mounts()
        scratch = {"TMPDIR": mounts[-1], "TEST_TMPDIR": mounts[-1]} if mounts else {}
        run = Run([str(word) for word in command], hardware, scratch, folder="/", timeout=TIMEOUT, **more)
        return execute(run, recorder).code, recorder.text

    def run_programs(self, hardware: Hardware, programs: list[Path]) -> list[Result]:
        """Runs programs in one guest."""
        code, output = self.boot(hardware, programs_script(programs))
        results = program_results(programs, output, code)
        if not all(result.passed for result in results) and not self.show:
            sys.stdout.write(output.decode(errors="replace"))
        return results

    def placement(self) -> list[Result]:
        """Threads and pages where they belong, DAX as DAX, and the test programs given."""
        return self.run_programs(PLACEMENT, [self.lab_program("lab_guest_test"), *self.programs])

    def cxl(self) -> list[Result]:
        """A CXL type-3 device comes up as a memory device."""
        begin = time.monotonic()
        code, _ = self.boot(CXL, ["sh", "-c", "test -c /dev/cxl0 && cxl list -M -R"])
        detail = "" if code == 0 else f"exit code {code}"
        return [Result("cxl device", code == 0, time.monotonic() - begin, detail)]

    def power_cut(self, program: str, layout: str, count: int) -> Result:
        """Cuts the power after `count` acknowledgements; what was acknowledged must be there afterwards."""
        begin = time.monotonic()
        name = f"{program} {layout} after {count}"

        def result(passed: bool, detail: str) -> Result:
            return Result(name, passed, time.monotonic() - begin, detail)

        with tempfile.TemporaryDirectory(prefix="lab-power-") as folder:
            keep = {"persist": Path(folder)}
            path, where = self.lab_program(program), [layout, *PERSISTENCE.mounts()]
            code, output = self.boot(PERSISTENCE, [path, "write", *where], kill_on=f"acknowledged {count}\n", **keep)
            done = last_acknowledged(output)
            if code != POWER_CUT or done < count:
                return result(False, f"the writer ended with {code}, {done} acknowledged")
            code, output = self.boot(PERSISTENCE, [path, "check", str(done), *where], **keep)
            return result(code == 0, f"{done} acknowledged, {'' if code == 0 else 'not '}all there")

    def power_medium(self) -> list[Result]:
        """Power cuts under files, and under persistent memory before and after its file has grown."""
        cuts = [("files", 500), ("dax", 1), ("dax", 1500)]
        return [self.power_cut("lab_power_medium", layout, count) for layout, count in cuts]

    def power_store(self) -> list[Result]:
        """Power cuts under stores on DAX: soon, later, and over two mounts while sections move."""
        cuts = [("each", 3), ("each", 200), ("spanning", 3), ("spanning", 70)]
        return [self.power_cut("lab_power_store", layout, count) for layout, count in cuts]

    def scenarios(self, cxl: bool) -> dict[str, Callable[[], list[Result]]]:
        """All that exist, by name."""
        chosen = {
            "placement": self.placement,
            "power-medium": self.power_medium,
            "power-store": self.power_store,
        }
        return chosen | ({"cxl": self.cxl} if cxl else {})


def report(results: list[Result], seconds: float) -> int:
    """Prints a table and returns the exit code."""
    width = max((len(result.name) for result in results), default=0)
    for result in results:
        word = "ok" if result.passed else "FAILED"
        print(f"{result.name:{width}}  {word:6}  {result.seconds:6.1f} s  {result.detail}".rstrip())
    failed = sum(not result.passed for result in results)
    print(f"laboratory: {len(results) - failed} of {len(results)} held, {seconds:.0f} s in all")
    return 1 if failed or not results else 0


def main(words: list[str] | None = None) -> int:
    """The command `make lab`."""
    parser = argparse.ArgumentParser(
        prog="vmlab.suite", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=Path, required=True, metavar="DIR")
    parser.add_argument("--program", type=Path, action="append", default=[])
    parser.add_argument("--cxl", action="store_true", help="also boot a guest with a CXL device")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="one scenario, repeatable")
    parser.add_argument("--verbose", "-v", action="store_true", help="show the guests' output")
    options = parser.parse_args(words)
    programs = [program.resolve() for program in options.program]
    suite = Suite(options.build.resolve(), programs, options.verbose)
    begin, results = time.monotonic(), []
    try:
        for name, scenario in suite.scenarios(options.cxl or "cxl" in options.only).items():
            if not options.only or name in options.only:
                results += scenario()
    except LabError as error:
        sys.exit(f"laboratory: {error}")
    return report(results, time.monotonic() - begin)


if __name__ == "__main__":
    sys.exit(main())
