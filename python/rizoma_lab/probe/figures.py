"""From raw samples to figures: medians with 95% bootstrap intervals, in units that people use."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..bench.statistics import median_interval
from .cases import FileCase, Measurement

__all__ = ["Figure", "figure"]


_GREATER = {"ns": "us", "us": "ms", "ms": "s"}


def _digits(value: float) -> str:
    """Three digits, or all those before the point: no exponents."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


@dataclass(frozen=True)
class Figure:
    """A median and the interval that it is in with 95% confidence."""

    median: float
    low: float
    high: float
    unit: str
    samples: int

    def __str__(self) -> str:
        unit, by = self.unit, 1.0
        while self.median / by >= 1000 and unit in _GREATER:
            unit, by = _GREATER[unit], by * 1000
        median, low, high = (_digits(value / by) for value in (self.median, self.low, self.high))
        return f"{median} {unit}" if self.samples == 1 else f"{median} [{low}, {high}] {unit}"

    @property
    def unsteady(self) -> bool:
        """Whether the interval is wider than a third of the median."""
        return (self.high - self.low) * 3 > self.median

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def figure(measurement: Measurement) -> Figure | None:
    """Nanoseconds a load, microseconds an append, else gigabytes (10^9 bytes) a second; None if missing."""
    if not measurement.seconds:
        return None
    kernel, units = measurement.case.kernel, measurement.units
    if kernel == "latency":
        values, unit = [seconds / units * 1e9 for seconds in measurement.seconds], "ns"
    elif isinstance(measurement.case, FileCase) and kernel == "append_sync":
        values, unit = [seconds / units * 1e6 for seconds in measurement.seconds], "us"
    else:
        values, unit = [units / seconds / 1e9 for seconds in measurement.seconds], "GB/s"
    median, low, high = median_interval(values)
    return Figure(median, low, high, unit, len(values))
