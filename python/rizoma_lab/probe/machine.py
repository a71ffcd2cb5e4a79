"""The places that can be measured, and what limits the measuring."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rizoma import _core

from ..bench.machine import describe
from .cases import MIB

__all__ = ["Directory", "Machine", "Node", "look_at_machine"]


@dataclass(frozen=True)
class Node:
    """A NUMA node."""

    id: int
    processors: tuple[int, ...]
    memory_bytes: int
    memory_kind: str


@dataclass(frozen=True)
class Directory:
    """A place for files."""

    path: str
    file_system: str
    dax: bool
    direct_io: bool
    evictable: bool
    free_bytes: int


@dataclass(frozen=True)
class Machine:
    """What there is."""

    facts: dict[str, Any]
    nodes: tuple[Node, ...]
    directories: tuple[Directory, ...]
    cache_bytes: int
    virtual: bool

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def look_at_machine(directories: Iterable[str | os.PathLike[str]]) -> Machine:
    """Nodes by the library, directories by trying."""
    nodes = tuple(
        Node(node.id, tuple(node.processors), node.memory_bytes, node.memory_kind)
        for node in _core.probe_nodes()
    )
    return Machine(describe(), nodes, tuple(map(_directory, directories)), cache_bytes(), _is_virtual())


def _directory(path: str | os.PathLike[str]) -> Directory:
    traits = _core.probe_directory(path)
    where = str(Path(path).resolve())
    return Directory(
        where, traits.file_system, traits.dax, traits.direct_io, traits.evictable, traits.free_bytes
    )


def cache_bytes(folder: Path = Path("/sys/devices/system/cpu/cpu0/cache")) -> int:
    """Size of the largest cache that a processor sees; 32 MiB if the system does not say."""
    sizes = [_bytes(path.read_text()) for path in folder.glob("index*/size")]
    return max(sizes, default=32 * MIB)


def _bytes(text: str) -> int:
    text = text.strip()
    factor = {"K": 1 << 10, "M": MIB, "G": 1 << 30}.get(text[-1:], 1)
    return int(text.rstrip("KMG")) * factor


def _is_virtual() -> bool:
    try:
        return " hypervisor" in Path("/proc/cpuinfo").read_text()
    except OSError:
        return False
