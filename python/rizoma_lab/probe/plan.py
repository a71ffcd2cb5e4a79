"""Which cases to measure on a machine: the important ones first, as time may run out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from rizoma.core.errors import InvalidArgumentError

from .cases import MIB, FileCase, MemoryCase
from .machine import Directory, Machine, Node

__all__ = ["Limits", "file_cases", "memory_cases", "working_set"]

SEQUENTIAL_AND_RANDOM = ("latency", "sequential_read", "random_read", "sequential_write", "random_write")
STREAM = ("triad", "copy", "scale", "add")
KIB = 1 << 10
APPEND_BYTES = 256
_BETWEEN = ("copy_flush", "copy_fsync", "copy_msync")  # devices
# A sample is never interrupted, so its number of system calls is bounded too.
MOST_BLOCKS = 2048


@dataclass(frozen=True)
class Limits:
    """How much the probe may use."""

    seconds: float = 60.0
    memory_bytes: int = 1024 * MIB
    file_bytes: int = 64 * MIB
    quick: bool = False
    drop_caches: bool = False

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.memory_bytes < MIB or self.file_bytes < MIB:
            raise InvalidArgumentError("the probe needs some time and at least 1 MiB of memory and of file")


def working_set(machine: Machine, memory: Node | Directory, limits: Limits) -> int:
    """Four times the largest cache, so that most accesses miss it, within what is there and allowed."""
    room = memory.memory_bytes // 4 if isinstance(memory, Node) else memory.free_bytes // 4
    wanted = min(max(4 * machine.cache_bytes, 64 * MIB), limits.memory_bytes, room)
    return max(wanted // MIB, 1) * MIB


def memory_cases(machine: Machine, limits: Limits) -> list[MemoryCase]:
    """Every node with processors on every memory: local ones first; STREAM where threads and memory meet."""
    cases = []
    for source in (node for node in machine.nodes if node.processors):
        for target in sorted((node for node in machine.nodes if node.memory_bytes), key=lambda n: n.id != source.id):
            size = working_set(machine, target, limits)
            local = source.id == target.id
            kernels = SEQUENTIAL_AND_RANDOM + (STREAM[: 1 if limits.quick else None] if local else ())
            cases += [MemoryCase(kernel, source.id, target.id, size) for kernel in kernels]
            if local and not limits.quick and len(source.processors) > 1:
                cases += [
                    MemoryCase(kernel, source.id, target.id, size, threads=1)
                    for kernel in ("sequential_read", "random_read")
                ]
        for directory in (d for d in machine.directories if d.dax):
            size = working_set(machine, directory, limits)
            cases += [
                MemoryCase(kernel, source.id, 0, size, directory=directory.path) for kernel in SEQUENTIAL_AND_RANDOM
            ]
    return cases


def file_cases(machine: Machine, limits: Limits) -> list[FileCase]:
    """Each directory by itself, then copies between directories."""
    cases = [case for directory in machine.directories for case in _directory_cases(directory, limits)]
    for source, target in permutations(machine.directories, 2):
        size = _file_bytes(MIB, min(source.free_bytes, target.free_bytes), limits)
        cases += [FileCase(kernel, source.path, "warm", size, MIB, target.path) for kernel in _BETWEEN]
    return cases


def _directory_cases(directory: Directory, limits: Limits) -> list[FileCase]:
    states = ("warm", "cold", *(("bypassed",) if directory.direct_io else ()))
    kinds = [("append_sync", "warm", APPEND_BYTES)]
    kinds += [(kernel, state, MIB) for kernel in ("read", "copy_fsync", "copy_flush") for state in states]
    kinds += [("copy_msync", state, MIB) for state in states if state != "bypassed"]
    if not limits.quick:
        kinds += [("read", state, block) for block in (64 * KIB, 4 * KIB) for state in states]
        kinds += [(kernel, "warm", 4 * KIB) for kernel in ("copy_fsync", "copy_flush")]
    return [
        FileCase(kernel, directory.path, state, _file_bytes(block, directory.free_bytes, limits), block)
        for kernel, state, block in kinds
    ]


def _file_bytes(block: int, free: int, limits: Limits) -> int:
    """Whole blocks; a copy needs twice the size, of which an eighth of the free space is left alone."""
    allowed = min(limits.file_bytes, free // 16, block * MOST_BLOCKS)
    return max(allowed // block, 1) * block
