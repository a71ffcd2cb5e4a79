"""`placement="auto"`: the policy for a machine, a graph and an algorithm, by what is measured of each.

The rules, in the order in which they are tried, and why (docs/guide/placement.md#let-rizoma-choose):

1. One NUMA node with processors: `in_place`; there is nothing to place.
2. The fullest home would have half as much again as its share under every policy, because sections are few or one is
   too large: `in_place`.  Such a graph is small, and the model says 0.70 to 1.14 of the time, machine by machine.
3. A breadth-first search on a sparse graph (mean degree below 40): `in_place`.  The dissertation measured 2.14 times
   the time with bound threads on LiveJournal (mean degree 18), and 0.50 on Orkut (76).  The model sees no such loss;
   what was measured counts.
4. The policies that are even within 5% of the evenest: `chunk`, if it is one and ids keep neighbours together, unless
   the algorithm works on few vertices at a time, which lie in one run; else the evenest, `round_robin` before others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .. import _core

__all__ = ["Features", "PlacementChoice", "Work", "choose_placement", "features_of"]

_UNEVEN = 1.5
_ALIKE = 1.05
_SPARSE = 40.0
_DIVIDING = ("round_robin", "chunk", "halves")  # the first of equals

Work = Literal["sweeps", "searches", "search"]
"""What an algorithm does: passes over all lists, searches that keep lists of active vertices, or one search alone."""


@dataclass(frozen=True)
class Features:
    """What the choice goes by.

    homes: NUMA nodes with processors. mean_degree: entries of a vertex. by_degree: sections are in order of degree, so
    that ids keep no neighbours together. imbalance: of each policy, the fullest home's work by the mean.
    """

    homes: int
    mean_degree: float = 0.0
    by_degree: bool = False
    imbalance: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class PlacementChoice:
    """A policy, and the rule that chose it."""

    policy: str
    reason: str


def features_of(view: _core.View, homes: int) -> Features:
    """Measure a graph for this many homes; O(sections)."""
    if homes < 2:
        return Features(homes)
    sections = _core.section_loads(view)
    loads = [vertices + entries for vertices, entries in sections]
    entries = sum(entries for _, entries in sections)
    found = []
    for policy in _DIVIDING:
        per_home = [0.0] * homes
        for load, home in zip(loads, _core.place_sections(policy, view, homes), strict=True):
            per_home[home] += load
        all_work = sum(per_home)
        found.append((policy, max(per_home) * homes / all_work if all_work else 1.0))
    by_degree = _core.policy_of_ranks(view) == "round_robin"
    return Features(homes, entries / max(view.num_vertices, 1), by_degree, tuple(found))


def choose_placement(features: Features, work: Work) -> PlacementChoice:
    """Return the policy for such work on a graph with these features."""
    if features.homes < 2:
        return PlacementChoice("in_place", "this machine has one NUMA node with processors")
    imbalance = dict(features.imbalance)
    least = min(imbalance.values())
    if least > _UNEVEN:
        return PlacementChoice("in_place", f"sections are too coarse: the fullest home has {least:.2f} times its share")
    if work == "search" and features.mean_degree < _SPARSE:
        return PlacementChoice("in_place", f"a search of a sparse graph (mean degree {features.mean_degree:.1f})")
    even = [policy for policy, uneven in features.imbalance if uneven <= least * _ALIKE]
    if "chunk" in even and not features.by_degree and work == "sweeps":
        return PlacementChoice("chunk", f"runs are even ({imbalance['chunk']:.2f}) and keep neighbours together")
    return PlacementChoice(even[0], f"{even[0]} is even ({imbalance[even[0]]:.2f})")
