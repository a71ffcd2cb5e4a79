"""The places that can be measured, and what limits the measuring."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rizoma import _core

from ..bench.machine import describe
from .cases import MIB

__all__ = ["Directory", "Machine", "Node", "look_at_machine", "mount_options", "settings_of"]


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
    mount_options: tuple[str, ...] = ()

    @property
    def sync(self) -> bool:
        """Whether each write waits for the device, as a mount with `sync` has it."""
        return "sync" in self.mount_options


@dataclass(frozen=True)
class Machine:
    """What there is; `settings`: of the kernel, by the names of `settings_of`."""

    facts: dict[str, Any]
    nodes: tuple[Node, ...]
    directories: tuple[Directory, ...]
    cache_bytes: int
    virtual: bool
    settings: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def look_at_machine(directories: Iterable[str | os.PathLike[str]]) -> Machine:
    """Nodes by the library, directories by trying."""
    nodes = tuple(
        Node(node.id, tuple(node.processors), node.memory_bytes, node.memory_kind) for node in _core.probe_nodes()
    )
    places = tuple(map(_directory, directories))
    return Machine(describe(), nodes, places, cache_bytes(), _is_virtual(), settings_of())


_SETTINGS = {
    "AutoNUMA (numa_balancing)": "proc/sys/kernel/numa_balancing",
    "transparent huge pages": "sys/kernel/mm/transparent_hugepage/enabled",
    "vm.dirty_ratio": "proc/sys/vm/dirty_ratio",
    "vm.dirty_background_ratio": "proc/sys/vm/dirty_background_ratio",
    "vm.dirty_bytes": "proc/sys/vm/dirty_bytes",
    "vm.dirty_background_bytes": "proc/sys/vm/dirty_background_bytes",
    "vm.dirty_expire_centisecs": "proc/sys/vm/dirty_expire_centisecs",
    "vm.zone_reclaim_mode": "proc/sys/vm/zone_reclaim_mode",
}


def settings_of(root: Path = Path("/")) -> dict[str, str]:
    """What the kernel is set to where it changes these figures; what it does not tell is left out.

    Of a choice such as "always [madvise] never" the one in brackets counts.
    """
    found = {}
    for name, file in _SETTINGS.items():
        try:
            text = (root / file).read_text().strip()
        except OSError:
            continue
        chosen = re.search(r"\[(\w+)\]", text)
        found[name] = chosen[1] if chosen else text
    return found


def mount_options(directory: Path, table: Path = Path("/proc/self/mountinfo")) -> tuple[str, ...]:
    """The options of the mount that a directory lies in, those of its file system included; empty: not told."""
    try:
        lines = table.read_text().splitlines()
    except OSError:
        return ()
    options: dict[str, tuple[str, ...]] = {}
    for line in lines:
        mounted, _, system = line.partition(" - ")
        point = re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), mounted.split()[4])
        own, of_system = mounted.split()[5].split(","), system.split()[2].split(",")
        options[point] = tuple(dict.fromkeys([*own, *of_system]))  # a later mount covers an earlier one
    above = [str(each) for each in (directory, *directory.parents) if str(each) in options]
    return options[above[0]] if above else ()


def _directory(path: str | os.PathLike[str]) -> Directory:
    traits = _core.probe_directory(path)
    where = str(Path(path).resolve())
    options = mount_options(Path(where))
    return Directory(
        where, traits.file_system, traits.dax, traits.direct_io, traits.evictable, traits.free_bytes, options
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
