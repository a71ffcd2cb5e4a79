"""What the processor counts while a kernel runs: `result.counters`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import _core
from ..core.plain_report import plain_report

__all__ = ["Counters", "start_counters"]

_LINE = 64  # bytes


@plain_report()
@dataclass(frozen=True)
class Counters:
    """What the processor and the system counted while a kernel ran, on all threads of the process.

    `values` by name (cycles, instructions, cache_references, cache_misses of the last cache, stalled_cycles,
    memory_reads, remote_memory_reads, processor_seconds, page_faults); `absent` says which are missing and why.
    """

    values: dict[str, float]
    absent: str
    seconds: float

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    @property
    def bandwidth(self) -> float | None:
        """Bytes a second that the last cache missed: what memory delivered at least. None if that is not counted."""
        misses = self.values.get("cache_misses")
        return None if misses is None or not self.seconds else misses * _LINE / self.seconds

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        return {"values": dict(self.values), "absent": self.absent, "bandwidth": self.bandwidth}

    def __str__(self) -> str:
        told = [f"{value:.4g} {name}" for name, value in self.values.items()]
        if self.bandwidth is not None:
            told.append(f"{self.bandwidth / 1e9:.3g} GB/s missed the last cache")
        return ", ".join([*told, *([self.absent] if self.absent else [])])


def start_counters() -> Callable[[float], Counters]:
    """Begin to count; call what is returned with the seconds that passed, for what was counted."""
    hardware = _core.HardwareCounters()

    def read(seconds: float) -> Counters:
        values, absent = hardware.read()
        return Counters(values, absent, seconds)

    return read
