"""Placements by name that are no policy of the core: where threads run, and where all data lies.

`all_local` and `all_remote` bind the threads to one node and all data to the same or to another one: two runs that
show a machine's NUMA effect (figure 1.1 of Spagnol's dissertation).  `POLICY:free` divides data by a policy and leaves
the threads unbound (its DGAP DM).  `auto` is a policy chosen for the graph and the algorithm (`placement_choice`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from .. import _core
from .errors import InvalidArgumentError, UnsupportedError

__all__ = [
    "AUTO",
    "FREE",
    "LOCAL",
    "REMOTE",
    "checked_placement_name",
    "engine_placement",
    "home_nodes",
    "placement_names",
]

AUTO = "auto"
LOCAL = "all_local"
REMOTE = "all_remote"
FREE = ":free"
_ON_ONE_LIST = ("in_place", "interleave")  # policies that give no section to a home
_ALL_BOUND = "sections=dram:bind,vertex_state=dram:bind,frontiers=dram:bind,rr_sets=dram:bind"


@dataclass(frozen=True)
class HomeNode:
    """A NUMA node that has processors."""

    node: int
    processors: Sequence[int]


def placement_names() -> tuple[str, ...]:
    """All names that the setting `placement` takes."""
    policies = _core.placement_policies()
    dividing = [policy for policy in policies if policy not in _ON_ONE_LIST]
    return (*policies, AUTO, LOCAL, REMOTE, *(f"{policy}{FREE}" for policy in dividing))


def home_nodes() -> list[HomeNode]:
    """The nodes of this machine that have processors, in the order of their numbers."""
    found = [HomeNode(node.id, tuple(node.processors)) for node in _core.probe_nodes() if node.processors]
    return sorted(found, key=lambda home: home.node)


def engine_placement(name: str, threads: int) -> str:
    """Return a setting as an engine takes it: a policy's name, or the JSON of a placement.

    `auto` is `in_place` where no algorithm is at hand to choose for.
    """
    if name == AUTO:
        return "in_place"
    if name in (LOCAL, REMOTE):
        return _on_one_node(name, threads)
    if name.endswith(FREE):
        return _free(name.removesuffix(FREE), threads)
    return name


def _on_one_node(name: str, threads: int) -> str:
    homes = home_nodes()
    if len(homes) < 2:
        raise UnsupportedError(
            f"placement={name!r} needs two NUMA nodes with processors; this machine has {len(homes)}. "
            "rizoma info --topology draws them"
        )
    here = homes[0]
    data = here if name == LOCAL else homes[1]
    bound = [here.processors[i % len(here.processors)] for i in range(threads or len(here.processors))]
    placed = {
        "policy": "in_place",
        "homes": 1,
        "node_of_home": [data.node],
        "home_of_thread": [0] * len(bound),
        "processor_of_thread": bound,
        "tiers": _ALL_BOUND,
    }
    return _as_json(placed)


def _free(policy: str, threads: int) -> str:
    """Homes and their threads as the policy has them, and no processor."""
    homes = home_nodes()
    if len(homes) < 2:
        return policy
    count = threads or sum(len(home.processors) for home in homes)
    load = [0.0] * len(homes)
    home_of_thread = []
    for _ in range(count):
        least = load.index(min(load))
        home_of_thread.append(least)
        load[least] += 1 / len(homes[least].processors)
    placed = {
        "policy": policy,
        "homes": len(homes),
        "node_of_home": [home.node for home in homes],
        "home_of_thread": home_of_thread,
    }
    return _as_json(placed)


def _as_json(placed: dict[str, object]) -> str:
    return _core.Placement.from_json(json.dumps(placed)).to_json()


def checked_placement_name(text: str) -> str:
    """The name, if there is such a placement."""
    if text not in placement_names():
        known = ", ".join(placement_names())
        raise InvalidArgumentError(f"placement={text!r} is not known; choose one of {known}, or a .json file")
    return text
