"""From raw samples to figures: medians with 95% bootstrap intervals, in units that people use."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..bench.statistics import median_interval
from .cases import FileCase, Measurement

__all__ = ["Figure", "figure"]


@dataclass(frozen=True)
class Figure:
    """A median and the interval that it lies in with 95% confidence."""

    median: float
    low: float
    high: float
    unit: str
    samples: int

    def __str__(self) -> str:
        if self.samples == 1:
            return f"{self.median:.3g} {self.unit}"
        return f"{self.median:.3g} [{self.low:.3g}, {self.high:.3g}] {self.unit}"

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
