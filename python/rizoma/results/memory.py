"""What a call did to memory: `result.memory`.

The engine counts the lists that it hands out, to the byte, and whose home they are at. The reverse reachable sets of
influence, and the copies of lists that communities make (coarse graphs, graphs with weights), count what is written and
read of them, which is taken to be on all homes evenly. What kernels do to vertex state follows from the lists by a
model, and says so: each entry of a list reads the state of a neighbour, each list that is worked on writes the state of
its vertex.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.aliases import structure_name
from ..core.display import html_rows
from ..core.plain_report import plain_report
from ..graph.placement import PlacementReport, WorkCount

__all__ = ["MemoryReport", "MemoryUse", "memory_of"]

_HEAD = ("structure", "tier", "pattern", "read", "read afar", "written", "written afar", "")
_NUMBER = 4  # bytes of a vertex in a list of active ones


@dataclass(frozen=True)
class MemoryUse:
    """Bytes that one structure was read and written, in one pattern.

    `structure` and `tier` are those of `rizoma.config(tiers=...)`, and "copies" of lists, in place; `pattern` is
    "sequential" or "random"; local is memory at the home of the thread. `counted`: by the engine or the kernel; else by
    the model that the module describes.
    """

    structure: str
    tier: str
    pattern: str
    counted: bool
    local_read: int = 0
    remote_read: int = 0
    local_written: int = 0
    remote_written: int = 0

    @property
    def read(self) -> int:
        """Near and far."""
        return self.local_read + self.remote_read

    @property
    def written(self) -> int:
        """Near and far."""
        return self.local_written + self.remote_written


@plain_report()
@dataclass(frozen=True)
class MemoryReport:
    """The uses of memory of a call."""

    uses: list[MemoryUse]

    def __getitem__(self, structure: str) -> list[MemoryUse]:
        structure = structure_name(structure)
        return [use for use in self.uses if use.structure == structure]

    @property
    def read(self) -> int:
        """Bytes of all structures."""
        return sum(use.read for use in self.uses)

    @property
    def written(self) -> int:
        """Bytes of all structures."""
        return sum(use.written for use in self.uses)

    def to_dict(self) -> list[dict[str, Any]]:
        """Plain values, as JSON has them."""
        return [dict(vars(use)) for use in self.uses]

    def _rows(self) -> list[list[str]]:
        return [
            [
                use.structure,
                use.tier,
                use.pattern,
                *(f"{n:,}" for n in (use.read, use.remote_read, use.written, use.remote_written)),
                "counted" if use.counted else "by the model",
            ]
            for use in self.uses
        ]

    def __str__(self) -> str:
        lines = [list(_HEAD), *self._rows()]
        widths = [max(len(line[i]) for line in lines) for i in range(len(_HEAD))]
        return "\n".join(
            "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in lines
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        columns = zip(*self._rows(), strict=True)
        return html_rows("Bytes that the call read and wrote", dict(zip(_HEAD, columns, strict=True)))


def _tiers(text: str) -> dict[str, str]:
    """The tier of each structure that is not in place."""
    return dict(part.split("=", 1) for part in text.split(",") if part)


def _part(work: WorkCount, homes: int) -> tuple[int, int]:
    """Entries that lead to state at home and elsewhere, if state is spread evenly over the homes."""
    near = work.edges // homes
    return near, work.edges - near


def memory_of(
    placement: PlacementReport, state_bytes: int, searches: bool, kept: dict[str, tuple[int, int]]
) -> MemoryReport:
    """A report of what was counted, for a kernel whose neighbours show `state_bytes` each.

    `kept`: of further structures, the bytes that were read and written.
    """
    tiers = _tiers(placement.tiers)

    def use(structure: str, pattern: str, counted: bool, **amounts: int) -> MemoryUse:
        return MemoryUse(structure, tiers.get(structure, "in_place"), pattern, counted, **amounts)

    local, remote = placement.local, placement.remote
    near, far = _part(local + remote, placement.homes)
    uses = [
        use("sections", "sequential", True, local_read=local.bytes, remote_read=remote.bytes),
        use("vertex_state", "random", False, local_read=near * state_bytes, remote_read=far * state_bytes),
        use(
            "vertex_state",
            "sequential",
            False,
            local_written=local.vertices * state_bytes,
            remote_written=remote.vertices * state_bytes,
        ),
    ]
    if searches:
        listed = (local.vertices + remote.vertices) * _NUMBER
        uses.append(use("frontiers", "sequential", False, local_read=listed, local_written=listed))
    for structure, (read, written) in kept.items():
        read_at_home, written_at_home = read // placement.homes, written // placement.homes
        amounts = {"local_read": read_at_home, "remote_read": read - read_at_home}
        amounts |= {"local_written": written_at_home, "remote_written": written - written_at_home}
        uses.append(use(structure, "sequential", True, **amounts))
    return MemoryReport(uses)
