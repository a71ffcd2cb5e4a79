"""What a careful reader of the figures must know, above all where the page cache flatters a device."""

from __future__ import annotations

from collections.abc import Iterator

from .cases import MIB, FileCase, Measurement, MemoryCase
from .figures import Figure, figure
from .machine import Directory, Machine

__all__ = ["findings"]

FLATTERED = 1.5  # warm or unsynced figures that exceed the device's by this factor are called out
STILL_CACHED = 0.05  # a "cold" file may keep this share in the cache
QUICKEST_DISK_US = 15.0  # no flash acknowledges a flush of its cache faster


def findings(machine: Machine, results: list[Measurement]) -> list[str]:
    """Sentences, the gravest first."""
    texts: list[str] = []
    for directory in machine.directories:
        texts += _directory_findings(directory, results)
    if machine.virtual and machine.directories:
        texts.append(
            "This is a virtual machine: its host may cache what is cold or bypassed here, so that the "
            "device itself may be slower than any figure here."
        )
    texts += _settings_findings(machine)
    texts += _memory_findings(machine, results)
    unsteady = sum(1 for result in results if (found := figure(result)) and found.unsteady)
    if unsteady:
        texts.append(
            f"{unsteady} of {len(results)} figures are unsteady (interval wider than a third of the median): "
            "was something else running?"
        )
    absent = sum(1 for result in results if result.missing)
    if absent:
        texts.append(f"{absent} of {len(results)} cases have no figure; the table says why.")
    return texts


def _directory_findings(directory: Directory, results: list[Measurement]) -> Iterator[str]:
    mine = {
        (case.kernel, case.cache): result
        for result in reversed(results)  # so that of several block sizes the first, 1 MiB, is kept
        if isinstance(case := result.case, FileCase) and case.source == directory.path and not case.target
    }
    found = {key: value for key, result in mine.items() if (value := figure(result))}
    where = directory.path
    if directory.file_system == "tmpfs":
        yield f"{where} is memory (tmpfs): nothing written there is durable, no figure is one of a device."
        return
    if directory.dax:
        yield f"{where} is DAX: files are the device itself, there is no page cache to flatter it."
        return
    yield from _flattered_reads(where, found)
    yield from _flattered_copies(where, found)
    cold = mine.get(("read", "cold"))
    if cold and cold.resident is not None and cold.resident > STILL_CACHED:
        yield (
            f"Cold figures of {where} are not cold: {cold.resident:.0%} of the file stayed in the page "
            "cache. As root, use --drop-caches."
        )
    if not directory.direct_io:
        yield f"{where} ({directory.file_system}) has no direct I/O: its page cache cannot be bypassed."
    append = found.get(("append_sync", "warm"))
    if append and append.median < QUICKEST_DISK_US:
        yield (
            f"{where} acknowledges a durable append in {append.median:.3g} us, faster than a disk can: "
            "a cache above the medium answers, which may lose it when the power fails."
        )


def _device(found: dict[tuple[str, str], Figure], kernel: str) -> tuple[str, Figure] | None:
    """The figure nearest to the device itself."""
    for state in ("bypassed", "cold"):
        if (kernel, state) in found:
            return state, found[kernel, state]
    return None


def _flattered_reads(where: str, found: dict[tuple[str, str], Figure]) -> Iterator[str]:
    warm, device = found.get(("read", "warm")), _device(found, "read")
    if warm and device and warm.median > FLATTERED * device[1].median:
        yield (
            f"The page cache flatters {where}: warm reads run at {warm.median:.3g} GB/s, {device[0]} ones at "
            f"{device[1].median:.3g} GB/s ({warm.median / device[1].median:.1f} times slower). "
            "Compare devices with the page cache bypassed or cold."
        )


def _flattered_copies(where: str, found: dict[tuple[str, str], Figure]) -> Iterator[str]:
    flushed, synced = found.get(("copy_flush", "warm")), found.get(("copy_fsync", "warm"))
    if flushed and synced and flushed.median > FLATTERED * synced.median:
        yield (
            f"A copy in {where} that ends with fflush looks like {flushed.median:.3g} GB/s, one made durable "
            f"by fsync reaches {synced.median:.3g} GB/s: without a sync, writes only fill the page cache."
        )


def _settings_findings(machine: Machine) -> Iterator[str]:
    """Settings of the kernel under which the same program gives other figures."""
    nodes = sum(1 for node in machine.nodes if node.memory_bytes)
    if nodes > 1 and machine.settings.get("AutoNUMA (numa_balancing)", "0") != "0":
        yield (
            "AutoNUMA is on: the kernel moves pages between nodes while they are measured; "
            "sysctl kernel.numa_balancing=0 switches it off."
        )
    if machine.settings.get("transparent huge pages") == "never":
        yield "Transparent huge pages are off: random access to memory misses the TLB more often than it need."
    for directory in machine.directories:
        if directory.sync:
            yield f"{directory.path} is mounted with sync: each write waits for the device, unsynced figures included."


def _memory_findings(machine: Machine, results: list[Measurement]) -> Iterator[str]:
    sizes = [result.case.bytes for result in results if isinstance(result.case, MemoryCase)]
    if sizes and min(sizes) < 2 * machine.cache_bytes:
        yield (
            f"The smallest working set, {min(sizes) // MIB} MiB, is not twice the largest cache "
            f"({machine.cache_bytes // MIB} MiB): some accesses hit it, and memory looks faster than it is."
        )
    if sum(1 for node in machine.nodes if node.memory_bytes) == 1:
        yield "This machine shows one memory node: there is no remote memory to measure."
