"""Run a plan within its time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable

from rizoma import _core
from rizoma.core.errors import RizomaError

from .cases import FileCase, Measurement, MemoryCase
from .machine import look_at_machine
from .plan import Limits, file_cases, memory_cases
from .report import Report

__all__ = ["probe"]

# Share of a case's time that samples may take; the rest is for making buffers and files.
SAMPLING = 0.5
MOST_SAMPLES = 25
MOST_APPENDS = 500
NO_TIME = "no time was left for it; allow more seconds"
# Shares of the whole time, if there are both memory and files to measure.
MEMORY_SHARE = 0.5

ProgressCallback = Callable[[str, float, float], None]


def probe(
    directories: Iterable[str | os.PathLike[str]] = (),
    *,
    limits: Limits | None = None,
    progress: ProgressCallback | None = None,
) -> Report:
    """Measure memory, and files in the given directories.

    Takes about `limits.seconds` (60), at most `limits.memory_bytes` of memory and, for a while, twice
    `limits.file_bytes` in each directory; leaves nothing behind.  Run it while nothing else runs.
    `progress(phase, done, total)` is called before each case.
    """
    limits = limits or Limits()
    begin = time.monotonic()
    machine = look_at_machine(directories)
    memory, files = memory_cases(machine, limits), file_cases(machine, limits)
    memory_end = begin + limits.seconds * (MEMORY_SHARE if files else 1.0)
    results = run_cases(memory, memory_end, limits, progress, "memory")
    results += run_cases(files, begin + limits.seconds, limits, progress, "files")
    return Report(machine, limits, results, time.monotonic() - begin)


def run_cases(
    cases: Iterable[MemoryCase | FileCase],
    end: float,
    limits: Limits,
    progress: ProgressCallback | None,
    phase: str,
) -> list[Measurement]:
    """Share the time until `end` among the cases that are left, and measure each."""
    cases = list(cases)
    results = []
    for number, case in enumerate(cases):
        if progress:
            progress(phase, number, len(cases))
        left = end - time.monotonic()
        if left <= 0:
            results.append(Measurement(case, missing=NO_TIME))
        else:
            results.append(run_case(case, SAMPLING * left / (len(cases) - number), limits))
    return results


def run_case(case: MemoryCase | FileCase, seconds: float, limits: Limits) -> Measurement:
    """One case; what the machine refuses is a finding, not a failure of the probe."""
    try:
        if isinstance(case, MemoryCase):
            samples = _core.probe_memory(
                getattr(_core.MemoryKernel, case.kernel),
                case.processor_node,
                case.memory_node,
                case.directory,
                case.bytes,
                case.threads,
                MOST_SAMPLES,
                seconds,
            )
        else:
            samples = _core.probe_file(
                getattr(_core.FileKernel, case.kernel),
                case.source,
                case.target,
                getattr(_core.CacheState, case.cache),
                case.file_bytes,
                case.block_bytes,
                limits.drop_caches,
                MOST_APPENDS if case.kernel == "append_sync" else MOST_SAMPLES,
                seconds,
            )
    except RizomaError as error:
        return Measurement(case, missing=str(error))
    return Measurement(case, list(samples.seconds), samples.units, samples.threads, samples.resident)
