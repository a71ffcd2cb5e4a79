"""What ranks have sent to each other in a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import _core
from ..core.plain_report import plain_report

__all__ = ["PackCount", "RankCount", "RankTraffic"]


@dataclass(frozen=True)
class RankCount:
    """What one rank has sent to another."""

    bytes: int = 0
    batches: int = 0

    def __add__(self, other: RankCount) -> RankCount:
        return RankCount(self.bytes + other.bytes, self.batches + other.batches)


@dataclass(frozen=True)
class PackCount:
    """Bytes of messages that one thread of a rank made or applied for all, and of those that all threads share."""

    alone: int = 0
    by_all: int = 0

    def __add__(self, other: PackCount) -> PackCount:
        return PackCount(self.alone + other.alone, self.by_all + other.by_all)


@plain_report()
@dataclass(frozen=True)
class RankTraffic:
    """What the ranks have sent to each other in a call: `between[i][j]` from rank i to rank j, in `rounds`.

    `migrated[i][j]`: blocks of 64 neighbour lists of rank i that rank j has worked on, because it had nothing left.
    `packed` and `unpacked`: values, lists and messages as ranks made and applied them; sums do not count.
    """

    ranks: int
    rounds: int
    between: list[list[RankCount]]
    migrated: list[list[int]]
    packed: PackCount = PackCount()
    unpacked: PackCount = PackCount()

    @classmethod
    def of(cls, traffic: _core.RankTraffic) -> RankTraffic:
        """Make one of what the ranks have counted."""
        counts = [RankCount(*count) for count in traffic.between]
        n = traffic.ranks
        blocks = traffic.migrated
        rows = [slice(i * n, (i + 1) * n) for i in range(n)]
        between = [counts[row] for row in rows]
        migrated = [blocks[row] for row in rows]
        return cls(n, traffic.rounds, between, migrated, PackCount(*traffic.packed), PackCount(*traffic.unpacked))

    @property
    def total(self) -> RankCount:
        """All of it."""
        return sum((count for row in self.between for count in row), RankCount())

    def __add__(self, other: RankTraffic) -> RankTraffic:
        rows = zip(self.between, other.between, strict=True)
        between = [[a + b for a, b in zip(*row, strict=True)] for row in rows]
        moved = zip(self.migrated, other.migrated, strict=True)
        migrated = [[a + b for a, b in zip(*row, strict=True)] for row in moved]
        packed = self.packed + other.packed
        unpacked = self.unpacked + other.unpacked
        return RankTraffic(self.ranks, self.rounds + other.rounds, between, migrated, packed, unpacked)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        return {
            "ranks": self.ranks,
            "rounds": self.rounds,
            **vars(self.total),
            "between": [[vars(count) for count in row] for row in self.between],
            "migrated": self.migrated,
            "packed": vars(self.packed),
            "unpacked": vars(self.unpacked),
        }

    def __str__(self) -> str:
        total = self.total
        moved = sum(map(sum, self.migrated))
        blocks = f"; {moved:,} blocks of work moved" if moved else ""
        return f"{total.bytes:,} bytes in {total.batches:,} batches between {self.ranks} ranks{blocks}"
