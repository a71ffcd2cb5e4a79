"""What can be measured: one case is one kernel in one place under stated conditions."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["MIB", "FileCase", "Measurement", "MemoryCase", "case_words"]

KIB = 1 << 10
MIB = 1 << 20


@dataclass(frozen=True)
class MemoryCase:
    """Threads of one node on memory of another node, or of a DAX directory if it is named."""

    kernel: str
    processor_node: int
    memory_node: int
    bytes: int
    threads: int = 0
    directory: str = ""

    @property
    def location(self) -> str:
        """Where the memory is."""
        return self.directory or f"node {self.memory_node}"

    @property
    def local(self) -> bool:
        """Whether the threads sit at the memory; unknown, hence false, for a directory."""
        return not self.directory and self.processor_node == self.memory_node


@dataclass(frozen=True)
class FileCase:
    """A way of reading, copying or appending to a file."""

    kernel: str
    source: str
    cache: str
    file_bytes: int
    block_bytes: int
    target: str = ""

    @property
    def location(self) -> str:
        """Which directory, or from which to which."""
        return f"{self.source} -> {self.target}" if self.target else self.source


@dataclass
class Measurement:
    """The samples of a case, or why there are none."""

    case: MemoryCase | FileCase
    seconds: list[float] = field(default_factory=list)
    units: int = 0
    threads: int = 1
    resident: float | None = None
    missing: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Everything, raw samples included."""
        kind = "memory" if isinstance(self.case, MemoryCase) else "file"
        return {"kind": kind} | asdict(self)


def case_words(case: MemoryCase | FileCase) -> tuple[str, str, str]:
    """Place, kernel and circumstances, for a row of a table."""
    kernel = case.kernel.replace("_", " ")
    if isinstance(case, MemoryCase):
        how = "local" if case.local else "dax" if case.directory else "remote"
        return f"node {case.processor_node} on {case.location}", kernel, how
    return case.location, kernel, f"{case.cache}, {_size(case.block_bytes)}"


def _size(number: int) -> str:
    for unit, factor in (("MiB", MIB), ("KiB", KIB)):
        if number % factor == 0:
            return f"{number // factor} {unit}"
    return f"{number} B"
