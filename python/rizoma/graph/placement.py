"""Where data and work lie: the placement of a graph, and how much of a call's work was local.

`rizoma.config(placement="round_robin")`, `rizoma run --placement`, or `RIZOMA_PLACEMENT` choose a policy;
every result then tells in `result.placement` how much of its work threads found on their own node.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from .. import _core
from .._core import Placement
from ..core.config import PARTITIONS, RANK_POLICIES
from ..core.display import html_rows
from ..core.engines import engine
from ..core.errors import InvalidArgumentError
from ..core.lazy_numpy import np
from ..core.placements import FREE, LOCAL, REMOTE
from ..core.plain_report import plain_report
from .state import Reader

__all__ = [
    "Balance",
    "HomeLoad",
    "Placement",
    "PlacementReport",
    "RankBalance",
    "RankLoad",
    "WorkCount",
    "explain",
    "explain_ranks",
    "placement_of",
]


@dataclass(frozen=True)
class WorkCount:
    """Work handed out: calls of a loop's body, vertices, entries of their lists, bytes of the lists."""

    blocks: int = 0
    vertices: int = 0
    edges: int = 0
    bytes: int = 0

    def __add__(self, other: WorkCount) -> WorkCount:
        return WorkCount(
            self.blocks + other.blocks,
            self.vertices + other.vertices,
            self.edges + other.edges,
            self.bytes + other.bytes,
        )


@plain_report()
@dataclass(frozen=True)
class PlacementReport:
    """How much of a call's work was local: on sections at the home of the thread that did it.

    `between[i][j]` is the work of threads of home i on sections of home j; `sweep_counts` has what `sweeps` is made of.
    """

    policy: str
    homes: int
    num_sweeps: int
    between: list[list[WorkCount]]
    sweep_counts: bytes = field(repr=False)  # a search of a road network has a thousand: objects took a fifth of it
    local_share: float = 1.0
    tiers: str = ""  # that the structures lay in; "": all in place
    reason: str = ""  # of placement="auto" for the policy

    @classmethod
    def of(cls, policy: str, traffic: _core.Traffic, tiers: str = "") -> PlacementReport:
        """Make a report of what an engine counted."""
        homes = traffic.homes
        counts = [WorkCount(*count) for count in traffic.between]
        return cls(
            policy,
            homes,
            traffic.num_sweeps,
            [counts[i * homes : (i + 1) * homes] for i in range(homes)],
            traffic.sweep_counts,
            traffic.local_share,
            tiers,
        )

    def named(self, setting: str, reason: str = "") -> PlacementReport:
        """The same under the name that was asked for, which no engine knows; all that an engine counts is remote where
        data and threads were put on two nodes."""
        if setting == REMOTE:
            nothing = WorkCount()
            apart = [[nothing, self.local], [nothing, nothing]]
            counts = np.frombuffer(self.sweep_counts, np.uint64).reshape(-1, 2, 4)[:, ::-1].tobytes()
            return replace(self, policy=setting, homes=2, between=apart, sweep_counts=counts, local_share=0.0)
        if setting == LOCAL or setting.endswith(FREE):
            return replace(self, policy=setting)
        return replace(self, reason=reason) if reason else self

    @cached_property
    def sweeps(self) -> list[tuple[WorkCount, WorkCount]]:
        """(local, remote) of each loop, the first 1024 of `num_sweeps`."""
        counts = np.frombuffer(self.sweep_counts, np.uint64).reshape(-1, 2, 4).tolist()
        return [(WorkCount(*local), WorkCount(*remote)) for local, remote in counts]

    def _sum(self, local: bool) -> WorkCount:
        counts = [c for i, row in enumerate(self.between) for j, c in enumerate(row) if (i == j) == local]
        return sum(counts, WorkCount())

    @property
    def local(self) -> WorkCount:
        """Work on sections of the threads' own homes."""
        return self._sum(True)

    @property
    def remote(self) -> WorkCount:
        """Work on sections of other homes."""
        return self._sum(False)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        return {
            "policy": self.policy,
            **({"reason": self.reason} if self.reason else {}),
            "homes": self.homes,
            "tiers": self.tiers,
            "num_sweeps": self.num_sweeps,
            "local_share": self.local_share,
            "local": vars(self.local),
            "remote": vars(self.remote),
            "between": [[vars(count) for count in row] for row in self.between],
            "sweeps": [{"local": vars(local), "remote": vars(remote)} for local, remote in self.sweeps],
        }

    def __str__(self) -> str:
        local, remote = self.local, self.remote
        where = f"{self.policy} over {self.homes} home{'s' if self.homes != 1 else ''}"
        return (
            f"{where}: {self.local_share:.1%} of the work local "
            f"({local.edges:,} of {local.edges + remote.edges:,} entries, "
            f"{local.blocks:,} of {local.blocks + remote.blocks:,} blocks, {self.num_sweeps:,} sweeps)"
            + (f"; {self.tiers}" if self.tiers else "")
            + (f"; chosen: {self.reason}" if self.reason else "")
        )

    def _repr_html_(self) -> str:
        return html_rows(str(self), {})


@dataclass(frozen=True)
class HomeLoad:
    """What one home has; `work` is predicted: vertices + entries, as a sweep over all lists costs."""

    sections: int
    vertices: int
    edges: int

    @property
    def work(self) -> int:
        """Vertices and entries."""
        return self.vertices + self.edges


@plain_report()
@dataclass(frozen=True)
class Balance:
    """How evenly a policy shares a graph out.  `edges_across` is the share of entries that lead to a vertex
    of another home: what a sweep reads at random from afar."""

    policy: str
    homes: list[HomeLoad]
    edges_across: float
    home_of_section: list[int] = field(repr=False)

    def imbalance(self, what: str = "edges") -> float:
        """Return the largest share of "vertices", "edges" or "work", times the homes: 1 is even."""
        amounts = [float(getattr(home, what)) for home in self.homes]
        return max(amounts) * len(amounts) / sum(amounts) if sum(amounts) else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        return {
            "policy": self.policy,
            "edges_across": self.edges_across,
            "homes": [{**vars(home), "work": home.work} for home in self.homes],
        }


def explain(
    graph: Reader, homes: int = 2, policies: list[str] | None = None, *, threads: int | None = None
) -> list[Balance]:
    """Return how each policy would divide a graph among this many homes.

    `adaptive` begins as `chunk` does, and is not listed unless asked for.
    """
    if homes < 1:
        raise InvalidArgumentError(f"homes is {homes}; it must be 1 or more")
    chosen = ["halves", "round_robin", "chunk"] if policies is None else policies
    with engine(threads) as borrowed:
        view = graph._state().view(borrowed)
        loads = [(int(vertices), int(edges)) for vertices, edges in _core.section_loads(view)]
        return [_balance(policy, view, loads, homes) for policy in chosen]


def _balance(policy: str, view: _core.View, loads: list[tuple[int, int]], homes: int) -> Balance:
    placed = list(_core.place_sections(policy, view, homes))
    between = _core.entries_between(view, placed, homes)
    all_entries = sum(between)
    at_home = sum(between[i * homes + i] for i in range(homes))
    found = [[0, 0, 0] for _ in range(homes)]
    for section, (vertices, edges) in enumerate(loads):
        home = found[placed[section] if placed else 0]
        home[0] += 1
        home[1] += vertices
        home[2] += edges
    across = 1 - at_home / all_entries if all_entries else 0.0
    return Balance(policy, [HomeLoad(*home) for home in found], across, placed)


@dataclass(frozen=True)
class RankLoad:
    """What one rank has; `boundary` is how many vertices of other ranks its lists lead to."""

    sections: int
    vertices: int
    edges: int
    boundary: int
    sent: int  # values that it sends to other ranks in a sweep


@dataclass(frozen=True)
class RankBalance:
    """How a policy divides a graph among ranks.

    `replication` is how many ranks know the value of a vertex, on average; `bytes_a_sweep` what crosses in a
    sweep of PageRank if every vertex changes: a value of 4 bytes (8 in a small graph, where PageRank adds up
    in float64) for each vertex and rank that reads it.
    """

    policy: str
    ranks: list[RankLoad]
    replication: float
    bytes_a_sweep: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        return {
            "policy": self.policy,
            "replication": self.replication,
            "bytes_a_sweep": self.bytes_a_sweep,
            "ranks": [vars(rank) for rank in self.ranks],
        }


_FLOAT_VERTICES = 1 << 17  # vertices; from here on PageRank shows float32


def explain_ranks(
    graph: Reader, ranks: int = 2, policies: list[str] | None = None, *, threads: int | None = None
) -> list[RankBalance]:
    """Return how each policy would divide a graph among this many ranks.

    `auto` is what ranks do by default; it goes by the name of the policy that this is.
    """
    if ranks < 1:
        raise InvalidArgumentError(f"ranks is {ranks}; it must be 1 or more")
    chosen = RANK_POLICIES if policies is None else policies
    for policy in chosen:
        if policy not in PARTITIONS:
            known = ", ".join(PARTITIONS)
            raise InvalidArgumentError(f"policy={policy!r} is not known for ranks; choose one of {known}")
    with engine(threads) as borrowed:
        view = graph._state().view(borrowed)
        loads = [(int(vertices), int(edges)) for vertices, edges in _core.section_loads(view)]
        return [_rank_balance(policy, view, loads, ranks) for policy in chosen]


def _rank_balance(policy: str, view: _core.View, loads: list[tuple[int, int]], ranks: int) -> RankBalance:
    if policy == "auto":
        policy = _core.policy_of_ranks(view)
    placed = list(_core.place_on_ranks(policy, view, ranks))
    between = list(_core.boundary_vertices(view, placed, ranks))
    rows = []
    for rank in range(ranks):
        mine = [load for s, load in enumerate(loads) if (placed[s] if placed else 0) == rank]
        rows.append(
            RankLoad(
                len(mine),
                sum(vertices for vertices, _ in mine),
                sum(edges for _, edges in mine),
                sum(between[rank * ranks : (rank + 1) * ranks]),
                sum(between[rank::ranks]),
            )
        )
    copies = sum(between)
    value = 4 if view.num_vertices > _FLOAT_VERTICES else 8
    return RankBalance(policy, rows, 1 + copies / max(view.num_vertices, 1), copies * value)


def placement_of(graph: Reader, *, threads: int | None = None) -> Placement:
    """Return the placement of a graph on this machine under the present settings."""
    with engine(threads) as borrowed:
        return borrowed.placement(graph._state().view(borrowed))
