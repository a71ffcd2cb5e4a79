"""MEMORY mode: DRAM as a direct-mapped cache of slow memory, emulated with its hits counted, and in the model.

A sweep's accesses are followed in their order: each list in sequence, for each of its entries the state of the
neighbour, then the state of the vertex itself is written.  The cache is direct-mapped, as that of Optane's MEMORY mode:
a line has one place, and whatever else has the same place replaces it.  The second of two sweeps is counted.  The
roofline of `include/rizoma/lab/predict.h` then says what three ways to use two memories take: everything in DRAM,
MEMORY mode, and APPDIRECT, where lists are in slow memory and state in DRAM.

Source: Ghosh et al., SC'21, table 1 and section 4.3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from rizoma import _core
from rizoma.core.errors import InvalidArgumentError
from rizoma.graph.state import Reader

__all__ = ["MODES", "CacheHits", "ModeEstimate", "direct_mapped_hits", "predict_modes", "sweep_hits"]

MODES = ("DRAM", "MEMORY", "APPDIRECT")
LINE = 64
_OFFSET_BYTES = 8
_TARGET_BYTES = 4
_KINDS = 3  # of accesses: of lists, of a neighbour's state, of the own state

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CacheHits:
    """Shares of the accesses of a sweep that the cache answered, and the bytes of lists and state together."""

    lists: float
    state_reads: float
    state_writes: float
    working_set: int
    cache_bytes: int

    @property
    def all_reads(self) -> float:
        """Of lists and of the state of neighbours, each access alike."""
        return (self.lists + self.state_reads) / 2


@dataclass(frozen=True)
class ModeEstimate:
    """A sweep under one mode: seconds of the model, what bounds it, and the hits of the cache if the mode has one."""

    mode: str
    seconds: float
    bottleneck: str
    hits: CacheHits | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        return {**vars(self), "hits": None if self.hits is None else dict(vars(self.hits))}


def direct_mapped_hits(lines: Numbers, places: int) -> npt.NDArray[np.bool_]:
    """Return which accesses to these lines, in this order, a cache of this many `places` answers; it begins empty."""
    if places < 1:
        raise InvalidArgumentError(f"a cache has {places} places; it needs one at least")
    place = lines % places
    order = np.argsort(place, kind="stable")
    hits = np.zeros(len(lines), np.bool_)
    same = (place[order][1:] == place[order][:-1]) & (lines[order][1:] == lines[order][:-1])
    hits[order[1:]] = same
    return hits


def sweep_hits(graph: Reader, cache_bytes: int, state_bytes: int = 8, line_bytes: int = LINE) -> CacheHits:
    """Emulate two pull sweeps over a graph behind a cache of this size, and count the hits of the second."""
    offsets, targets = _lists(graph)
    count, entries = len(offsets) - 1, len(targets)
    state_at = -(-(entries * _TARGET_BYTES + (count + 1) * _OFFSET_BYTES) // line_bytes)
    working_set = state_at * line_bytes + count * state_bytes
    lines, kinds = _accesses(offsets, targets, state_at, state_bytes, line_bytes)
    hits = direct_mapped_hits(np.concatenate([lines, lines]), max(cache_bytes // line_bytes, 1))[len(lines) :]
    lists, reads, writes = (
        float(hits[kinds == kind].mean()) if (kinds == kind).any() else 1.0 for kind in range(_KINDS)
    )
    return CacheHits(lists, reads, writes, working_set, cache_bytes)


def _lists(graph: Reader) -> tuple[Numbers, Numbers]:
    rows = graph.csr(in_edges=graph.directed and graph.info().in_edges)
    return np.asarray(rows.indptr, np.int64), np.asarray(rows.indices, np.int64)


def _accesses(
    offsets: Numbers, targets: Numbers, state_at: int, state_bytes: int, line_bytes: int
) -> tuple[Numbers, npt.NDArray[np.int8]]:
    """The lines that one sweep touches, in order, and what each access is."""
    count, entries = len(offsets) - 1, len(targets)
    own = np.arange(count)
    list_lines = np.arange(entries) * _TARGET_BYTES // line_bytes
    lines = np.concatenate(
        [list_lines, state_at + targets * state_bytes // line_bytes, state_at + own * state_bytes // line_bytes]
    )
    kinds = np.repeat(np.arange(_KINDS, dtype=np.int8), [entries, entries, count])
    # An entry's list comes before its neighbour's state, and a vertex is written after its last entry.
    when = np.concatenate([2 * np.arange(entries), 2 * np.arange(entries) + 1, 2 * offsets[1:] - 0.5])
    order = np.argsort(when, kind="stable")
    return lines[order], kinds[order]


def predict_modes(
    graph: Reader,
    machine: str | _core.MachineDescription = "optane-4s",
    dram_share: float = 0.25,
    *,
    miss_rate: float = 0.3,
    state_bytes: int = 8,
) -> list[ModeEstimate]:
    """Return the times of a sweep in each of MODES on a described machine; DRAM has `dram_share` of the working set.

    `miss_rate`: share of the reads of a neighbour's state that the processor's caches do not answer.

    Raises InvalidArgumentError if the machine has no slow memory, or the share is not above 0.
    """
    described = _core.find_machine(machine) if isinstance(machine, str) else machine
    slow = next((tier for tier in (_core.Tier.persistent, _core.Tier.cxl) if described.has(tier)), None)
    if slow is None or dram_share <= 0:
        raise InvalidArgumentError(
            f"MEMORY mode needs slow memory and some DRAM; {described.name} has a share of {dram_share}"
        )
    offsets, targets = _lists(graph)
    whole = len(targets) * _TARGET_BYTES + (len(offsets)) * _OFFSET_BYTES + (len(offsets) - 1) * state_bytes
    hits = sweep_hits(graph, max(int(dram_share * whole), LINE), state_bytes)
    work = _Work(len(targets), len(offsets) - 1, miss_rate, state_bytes)
    estimates = []
    for mode in MODES:
        flows = [
            flow for home in range(described.sockets) for flow in work.flows(mode, home, described.sockets, slow, hits)
        ]
        found = _core.predict(described, flows, [len(targets) / described.sockets] * described.sockets)
        estimates.append(ModeEstimate(mode, found.seconds, found.bottleneck, hits if mode == "MEMORY" else None))
    return estimates


@dataclass(frozen=True)
class _Work:
    """What a sweep moves, all sockets together."""

    entries: int
    vertices: int
    miss_rate: float
    state_bytes: int

    def flows(self, mode: str, home: int, homes: int, slow: _core.Tier, hits: CacheHits) -> list[_core.TrafficFlow]:
        """That of one socket, on its own memory."""
        dram = _core.Tier.dram
        listed = (self.entries * _TARGET_BYTES + self.vertices * _OFFSET_BYTES) / homes
        reads = self.entries * self.miss_rate / homes
        written = self.vertices * self.state_bytes / homes
        if mode == "DRAM":
            return [_core.TrafficFlow(home, home, dram, listed, written, reads)]
        if mode == "APPDIRECT":
            near = _core.TrafficFlow(home, home, dram, sequential_write_bytes=written, random_reads=reads)
            return [_core.TrafficFlow(home, home, slow, listed), near]
        missed_lists, missed_reads = (1 - hits.lists) * listed, (1 - hits.state_reads) * reads
        # Every access looks into DRAM; what is missing there comes from slow memory and is written to DRAM.
        cache = _core.TrafficFlow(home, home, dram, listed, written + missed_lists, reads, missed_reads)
        back = (1 - hits.state_writes) * written  # lines that were written go back when others take their places
        return [cache, _core.TrafficFlow(home, home, slow, missed_lists, back, missed_reads)]
