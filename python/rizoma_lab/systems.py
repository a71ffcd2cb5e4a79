"""Systems that a job may run on: what a node of them can do, what it holds and what it costs.

`rizoma.cost` asks them what a job would take. Prices are those of Ghosh et al., SC'21, Table 5; a table of one's own
(JSON) changes them or adds systems::

    [{"name": "optane-6tb", "price": 61000},
     {"name": "ours", "like": "nvme", "dram": "768G", "drive": 12e9, "price": 18500},
     {"name": "rented", "like": "nvme", "price": null, "hourly": 4.2},
     {"name": "here", "machine": "here.json", "dram": "24G", "price": 1500}]

`like` names the system that the others' values come from (the one of the same name, if there is one), `machine` a
described machine of `rizoma placement predict` or the file of `rizoma probe --json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from rizoma import _core
from rizoma.core.config import parse_bytes
from rizoma.core.errors import InvalidArgumentError

from .model import machine_from_probe

__all__ = ["SYSTEMS", "Sockets", "System", "read_systems"]

_GIB = float(1 << 30)
_GB = 1e9
_NS = 1e-9
_US = 1e-6


@dataclass(frozen=True)
class Sockets:
    """The sockets of a node that has DRAM alone, in the terms of `AccessFigures` (predict.h).

    Figures are seconds of a dependent load, then bytes a second of one socket's memory: sequential read and write,
    random read and write.
    """

    sockets: int
    cores: int
    local: tuple[float, float, float, float, float]
    remote: tuple[float, float, float, float, float]


@dataclass(frozen=True)
class System:
    """`nodes` nodes of one kind. Bytes and prices are of one node.

    machine, sockets: what its memories can do, by a described machine or by figures.
    dram, slow: bytes of DRAM, and of persistent or CXL memory. drive: bytes a second that its drives read.
    network, network_latency: bytes a second into each node, and seconds of a message.
    price: to buy one, in dollars; hourly: to rent one. None: not known.
    efficiency: the share of the predicted speed that a program reaches on more than one node.
    """

    name: str
    about: str = ""
    machine: str = ""
    sockets: Sockets | None = None
    nodes: int = 1
    dram: float = 0
    slow: float = 0
    drive: float = 0
    network: float = 0
    network_latency: float = 0
    price: float | None = None
    hourly: float | None = None
    efficiency: float = 1

    def __post_init__(self) -> None:
        for name in ("dram", "slow", "drive", "network", "network_latency", "price", "hourly"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < float("inf"):
                raise InvalidArgumentError(f"system {self.name}: {name} is {value!r}; it must be 0 or more")
        if self.nodes < 1 or not 0 < self.efficiency <= 1:
            raise InvalidArgumentError(
                f"system {self.name}: nodes must be 1 or more, efficiency above 0 and at most 1, "
                f"not {self.nodes!r} and {self.efficiency!r}"
            )

    def described(self) -> _core.MachineDescription:
        """A node as `predict` takes it."""
        if self.sockets is not None:
            own = self.sockets
            return _core.MachineDescription.from_figures(
                self.name, own.sockets, own.cores, list(own.local), list(own.remote)
            )
        if self.machine.endswith(".json"):
            return machine_from_probe(json.loads(Path(self.machine).read_text(encoding="utf-8")))
        return _core.find_machine(self.machine)

    def slow_tier(self) -> str:
        """What its slow memory is: "persistent", "cxl", or "" if it has none."""
        node = self.described()
        tiers = [tier for tier in ("persistent", "cxl") if node.has(getattr(_core.Tier, tier))]
        return tiers[0] if tiers and self.slow else ""

    def capital(self) -> float | None:
        """Price of all nodes."""
        return None if self.price is None else self.price * self.nodes

    def of(self, nodes: int) -> System:
        """As many of the same nodes."""
        return replace(self, nodes=nodes)


# Sources:
#   [SC21]   Ghosh et al., SC'21: prices of Table 5, figures of Table 2, platforms of section 4.1 and appendix 0.1.
#   [NERSC]  NERSC's page of Cori's configuration: Aries, about 8 GB/s of MPI bandwidth, 0.25 to 3.7 us.
#   [SC21 x] a figure of DRAM without a source is in the proportion that it has to the sequential read in Table 2.
# All else is assumed, and says so.


def _by_table_2(sockets: int, cores: int, latency: tuple[float, float], read: tuple[float, float]) -> Sockets:
    """Sockets by latency and sequential read (near, far); the other rates in the proportions of [SC21] Table 2."""
    near, far = read
    return Sockets(
        sockets,
        cores,
        (latency[0], near, 0.416 * near, 0.945 * near, 0.407 * near),
        (latency[1], far, 0.916 * far, far, 0.866 * far),
    )


_XEON_8260 = "optane-4s"  # [SC21] 4.1
_TB = 1024 * _GIB

_SHIPPED = (
    System("dram-3tb", "4 sockets, 3 TB DDR4", _XEON_8260, dram=3 * _TB, price=42_115),
    System("dram-6tb", "4 sockets, 6 TB DDR4", _XEON_8260, dram=6 * _TB, price=87_787),
    System(
        "optane-3tb", "4 sockets, 768 GB DDR4, 3 TB Optane", _XEON_8260, dram=0.75 * _TB, slow=3 * _TB, price=43_225
    ),
    System("optane-6tb", "4 sockets, 1.5 TB DDR4, 6 TB Optane", _XEON_8260, dram=1.5 * _TB, slow=6 * _TB, price=79_075),
    # Capacities assumed; no price is quoted.
    System("cxl", "2 sockets, 1 TB DDR5, 3 TB CXL", "cxl-2s", dram=1 * _TB, slow=3 * _TB),
    System(
        "nvme",
        "2 sockets (Xeon 6258R), 512 GB DDR4, drives",
        # Memory as that of the same generation in [SC21] Table 2; latencies as optane-4s has them.
        sockets=_by_table_2(2, 28, (80.8 * _NS, 140.4 * _NS), (103.67 * _GB, 34.3 * _GB)),
        dram=512 * _GIB,
        drive=6.4 * _GB,  # assumed: two drives on four lanes of PCIe 3.0 each
        price=13_115,  # of the node; its drives are not in the paper's price
    ),
    System(
        "cori",
        "Cori's node: 2 sockets (Xeon E5-2698 v3), 128 GB DDR4, Aries",
        # Four channels of DDR4-2133 a socket, of whose 68.3 GB/s 85% are assumed; latencies and link assumed.
        sockets=_by_table_2(2, 16, (90 * _NS, 140 * _NS), (0.85 * 68.3 * _GB, 25 * _GB)),
        dram=128 * _GIB,
        network=8 * _GB,  # [NERSC]
        network_latency=2 * _US,  # [NERSC]: between 0.25 and 3.7
        price=11_872,  # as [SC21] prices it: the invoice of a Skylake node
    ),
    System(
        "summit",
        "Summit's node without its GPUs: 2 sockets (POWER9), 512 GB DDR4, EDR",
        # Eight channels a socket, 170 GB/s, of which 80% are assumed; [SC21 0.1.2] X-Bus: 64 GB/s of both directions.
        sockets=_by_table_2(2, 22, (90 * _NS, 200 * _NS), (0.8 * 170 * _GB, 32 * _GB)),
        dram=512 * _GIB,
        network=25 * _GB,  # [SC21 0.1.2]: two EDR interfaces
        network_latency=1.5 * _US,  # assumed
        price=100_267,
    ),
    System(
        "summit-gpu",
        "Summit's node by its GPUs: 6 V100 with 96 GB HBM2, EDR",
        # [SC21 0.1.2]: 900 GB/s and 80 multiprocessors a GPU, three GPUs a side. No kernel of ours runs there: this is
        # what their memory would allow. Latencies assumed.
        sockets=_by_table_2(2, 240, (400 * _NS, 900 * _NS), (3 * 900 * _GB, 32 * _GB)),
        dram=96 * _GIB,
        network=25 * _GB,
        network_latency=1.5 * _US,
        price=100_267,
    ),
)

SYSTEMS: Mapping[str, System] = {system.name: system for system in _SHIPPED}

_BYTES = ("dram", "slow")
_FIELDS = {field.name for field in fields(System)} - {"sockets"}


def read_systems(table: str | Path | Mapping[str, float] | None) -> dict[str, System]:
    """The shipped systems, changed and joined by those of a table: a JSON file, or {name: price}."""
    known = dict(SYSTEMS)
    if table is None:
        return known
    rows = _rows(table) if isinstance(table, (str, Path)) else [{"name": n, "price": p} for n, p in table.items()]
    for row in rows:
        system = _system(row, known)
        known[system.name] = system
    return known


def _rows(file: str | Path) -> list[dict[str, Any]]:
    try:
        rows = json.loads(Path(file).read_text(encoding="utf-8"))
    except ValueError as error:
        raise InvalidArgumentError(f"{file} is not JSON: {error}") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) and "name" in row for row in rows):
        raise InvalidArgumentError(f"{file} is not a list of systems, each an object with a name")
    return rows


def _system(row: Mapping[str, Any], known: Mapping[str, System]) -> System:
    name = str(row["name"])
    given = {key: value for key, value in row.items() if key != "like"}
    if unknown := given.keys() - _FIELDS:
        raise InvalidArgumentError(f"system {name}: no value is called {sorted(unknown)[0]!r}; see rizoma.systems")
    like = str(row.get("like", name))
    if like not in known and ("like" in row or "machine" not in row):
        raise InvalidArgumentError(
            f"system {name}: no system is called {like!r}; give like= one of {', '.join(known)}, or machine="
        )
    given |= {key: float(parse_bytes(given[key])) for key in _BYTES if isinstance(given.get(key), str)}
    if "machine" in given and "sockets" not in given:
        given["sockets"] = None
    try:
        return replace(known[like], **given) if like in known else System(**given)
    except TypeError:
        raise InvalidArgumentError(f"system {name}: a value is of the wrong kind; see rizoma.systems") from None
