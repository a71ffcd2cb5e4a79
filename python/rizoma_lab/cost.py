"""What a job would take on machines that are not at hand, in seconds and in money.

A job is counted (its kernel runs on a graph here, and the lists that it reads are counted) or made up from the size of
a graph. `rizoma.systems` describes machines and prices; the roofline of `include/rizoma/lab/predict.h` says how long a
node is busy. It compares machines; it does not promise seconds.

What is predicted, for each of `k` nodes:

- Lists are in that memory that holds them and is done first: DRAM, beside the vertex state that is always there; the
  slow memory, which serves at the same time as DRAM does; or drives, which are read each time that the lists are. What
  fits nowhere is not predicted.
- Sockets share the work evenly; vertex state is spread over all of them, and `miss_rate` of its reads go to memory.
- Between nodes each pass over the lists brings the value of each vertex that a node reads and does not have, while
  nothing else goes on, and each round waits for log2(k) messages. On a graph that is here, how many those are, and how
  much the fullest node has to do, are counted for the way in which ranks divide it; else neighbours are as if drawn by
  chance, and all nodes are alike. Where each node has the whole graph (influence), the counts of all vertices are
  summed up for each seed instead.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rizoma import _core, algorithms
from rizoma.core.display import html_rows
from rizoma.core.errors import InvalidArgumentError, UnsupportedError
from rizoma.graph.placement import explain_ranks
from rizoma.graph.state import Reader
from rizoma.results.vertex import VertexResult

from .systems import System, read_systems

__all__ = ["Costs", "Estimate", "Job", "cost"]

_YEAR = 365 * 86400.0
_EXCHANGED = 8  # bytes of a value that another node reads
_OF_COMMUNITIES = 32  # the community of a vertex; the question for its weight and size, and the answer
_MOST_NODES = 4096
_SECTIONS = 4  # of a node, so that what they are divided into says something of greater graphs


@dataclass(frozen=True)
class Job:
    """What a kernel does to a graph, whatever the machine.

    vertices, entries: of the graph; an undirected edge is two entries. visited, entries_read: vertices whose lists are
    read, and entries of these, in all passes; rounds: of passes that wait for each other. rr_sets: bytes that the
    kernel gathers beside the graph. shared: each node of a cluster has the whole graph, and nodes share the rr_sets.
    memory: all that must be held, where that is known better; 0: lists, state and rr_sets. divisions: among this many
    nodes, the most vertices of others that a node reads, and the entries of the fullest node by the mean; what is not
    there is taken as by chance, and even.
    """

    kernel: str
    vertices: float
    entries: float
    visited: float
    entries_read: float
    rounds: float
    rr_sets: float = 0
    shared: bool = False
    memory: float = 0
    target_bytes: int = 4
    state_bytes: int = 24  # of a vertex, held: three values of 8 bytes
    written_bytes: int = 8  # of a vertex each time its list is read
    exchanged_bytes: int = _EXCHANGED
    divisions: Mapping[int, tuple[float, float]] = field(default_factory=dict)

    @property
    def lists(self) -> float:
        """Bytes of the graph."""
        if self.memory:
            return max(self.memory - self.state - self.rr_sets, 0.0)
        return 8 * self.vertices + self.target_bytes * self.entries

    @property
    def list_bytes_read(self) -> float:
        """Bytes of lists read in sequence, as the engine counts them."""
        return 4 * self.visited + self.target_bytes * self.entries_read

    @property
    def state(self) -> float:
        """Bytes of vertex state."""
        return self.state_bytes * self.vertices

    def scaled(self, factor: float) -> Job:
        """The same on a graph `factor` times as large, in as many rounds."""
        grown = ("vertices", "entries", "visited", "entries_read", "rr_sets", "memory")
        return replace(self, **{name: getattr(self, name) * factor for name in grown})

    def ghosts(self, nodes: int) -> float:
        """Vertices of other nodes that a node reads: as counted, or as if neighbours were drawn by chance."""
        if nodes == 1 or self.vertices == 0:
            return 0.0
        if nodes in self.divisions:
            return self.divisions[nodes][0]
        elsewhere = self.vertices * (1 - 1 / nodes)
        return elsewhere * -math.expm1(-self.entries / nodes / self.vertices)

    def imbalance(self, nodes: int) -> float:
        """Work of the fullest node by the mean."""
        return self.divisions.get(nodes, (0.0, 1.0))[1]

    def received(self, nodes: int) -> float:
        """Bytes that come to each node."""
        if nodes == 1:
            return 0.0
        if self.shared:  # summed up and handed back, in two halves
            return 2 * (1 - 1 / nodes) * self.rounds * self.exchanged_bytes * self.vertices
        passes = self.entries_read / self.entries if self.entries else 0.0
        return self.ghosts(nodes) * self.exchanged_bytes * passes


_ROUNDS: Mapping[str, int] = {
    "pagerank": 20,
    "katz_centrality": 20,
    "label_propagation": 10,
    "louvain": 10,  # of the first level; 10 to 158 in SC'21, Table 3
    "leiden": 10,
    "bfs": 1,
    "connected_components": 2,
    "core_number": 2,
}
"""Passes over the lists of a graph of which only the size is known."""

_SHARED = ("influence_maximization",)


def _exchanged(kernel: str) -> int:
    return _OF_COMMUNITIES if kernel in ("louvain", "leiden") else _EXCHANGED


@dataclass(frozen=True)
class Estimate:
    """A job on one system; no figures where it does not fit.

    lists: the memory that they are in: "dram", "persistent", "cxl", "drive", or "" if they do not fit. network:
    seconds of it. dollars: of this run, as its share of the years that the system is used, or by the hour.
    dollar_seconds: price times seconds, as in SC'21. against: dollar_seconds by those of the first system that has
    some. break_even: how many times as fast as that one it has to be to be worth its price.
    """

    system: str
    nodes: int
    price: float | None
    node_memory: float
    lists: str
    seconds: float | None = None
    bottleneck: str = ""
    network: float = 0
    dollars: float | None = None
    dollar_seconds: float | None = None
    against: float | None = None
    break_even: float | None = None

    @property
    def title(self) -> str:
        """The system, and how many nodes if there are several."""
        return self.system if self.nodes == 1 else f"{self.system} x {self.nodes}"

    @property
    def fits(self) -> bool:
        """Whether its memory holds the job."""
        return self.seconds is not None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        return dict(vars(self))


@dataclass(frozen=True)
class Costs:
    """A job and its estimates, in the order of the systems."""

    job: Job
    estimates: list[Estimate] = field(default_factory=list)

    def __getitem__(self, system: str) -> Estimate:
        for one in self.estimates:
            if one.system == system:
                return one
        raise KeyError(system)

    def __len__(self) -> int:
        return len(self.estimates)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        return {"job": dict(vars(self.job)), "systems": [one.to_dict() for one in self.estimates]}

    def plot(self, file: str | Path) -> None:
        """Write seconds and dollars as a picture, .png or .svg; needs Matplotlib."""
        try:
            from matplotlib.figure import Figure
            from matplotlib.ticker import LogLocator, NullLocator
        except ImportError:
            raise UnsupportedError("plots need Matplotlib; install it: pip install rizoma[plots]") from None
        figure = Figure(figsize=(9, 1.2 + 0.4 * len(self)), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        for axis, value, title in ((left, "seconds", "seconds"), (right, "dollars", "dollars of the run")):
            amounts = [getattr(one, value) for one in self.estimates]
            known = [(amount, place) for place, amount in enumerate(amounts) if amount]
            axis.scatter([amount for amount, _ in known], [place for _, place in known])
            axis.set_yticks(range(len(self)), [one.title for one in self.estimates])
            axis.set_title(f"{self.job.kernel}: {title}")
            axis.grid(alpha=0.4)
            if known:
                axis.set_xscale("log")
                axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))  # plain numbers that do not run together
                axis.xaxis.set_minor_locator(NullLocator())
                axis.xaxis.set_major_formatter("{x:g}")
            for place, (one, amount) in enumerate(zip(self.estimates, amounts, strict=True)):
                missing = "" if amount is not None else " no price" if one.fits else " does not fit"
                axis.text(0, place, missing, va="center", transform=axis.get_yaxis_transform())
        left.invert_yaxis()
        figure.savefig(file)

    def rows(self) -> dict[str, list[str]]:
        """Columns of texts, for a table."""
        named: dict[str, Callable[[Estimate], str]] = {
            "system": lambda one: one.title,
            "price": lambda one: _text(one.price, "${:,.0f}"),
            "lists in": lambda one: one.lists or "does not fit",
            "seconds": lambda one: _text(one.seconds, "{:.3g}"),
            "dollars": lambda one: _text(one.dollars, "{:.2g}"),
            "price x time": lambda one: _text(one.against, "{:.2f}x"),
            "even at": lambda one: _text(one.break_even, "{:.1f}x"),
            "bounded by": lambda one: one.bottleneck,
        }
        return {name: [text(one) for one in self.estimates] for name, text in named.items()}

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(map(len, [name, *texts])) for name, texts in rows.items()]
        lines = [list(rows), *zip(*rows.values(), strict=True)]
        return "\n".join(
            "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_rows(f"{self.job.kernel} on described systems", self.rows())


def _text(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)


def cost(
    job: str | Job,
    graph: Reader | None = None,
    *,
    vertices: float | None = None,
    edges: float | None = None,
    directed: bool = False,
    rounds: int | None = None,
    scale: float = 1,
    systems: Iterable[str | System] = ("dram-6tb", "optane-6tb", "cxl", "nvme", "cori:8", "summit:8"),
    prices: str | Path | Mapping[str, float] | None = None,
    years: float = 4,
    miss_rate: float = 0.3,
    **arguments: Any,
) -> Costs:
    """What a job would take on each system, in seconds and dollars, by the model of described machines.

    Args:
        job: the name of an algorithm, or a `Job`.
        graph: to run it on and count what it does.
        vertices, edges: the size of a graph instead; then `rounds` are passes over its lists.
        directed: of a graph of that size: whether an edge is one entry or two.
        rounds: passes over the lists; None: a usual number for kernels that have one.
        scale: a graph this many times as large as the one that was counted.
        systems: names, with ":8" for 8 nodes and ":min" for as few as hold the job; or `System` objects.
        prices: the price of a node by the name of the system, or a JSON file (see `rizoma.systems`).
        years: that a system is used, which its price is shared out over.
        miss_rate: share of the reads of vertex state that no cache answers.
        arguments: of the algorithm.
    """
    if not scale > 0 or not years > 0 or not 0 <= miss_rate <= 1:
        raise InvalidArgumentError("scale and years must be above 0, miss_rate from 0 to 1")
    if isinstance(job, str):
        job = _job(job, graph, vertices, edges, directed, rounds, arguments)
    job = job.scaled(scale)
    known = read_systems(prices)
    chosen = [_chosen(one, known, job) if isinstance(one, str) else one for one in systems]
    if graph is not None and not job.shared:
        counts = sorted({system.nodes for system in chosen if system.nodes > 1})
        found = {nodes: _divided(graph, nodes) for nodes in counts}
        job = replace(job, divisions={k: (ghosts * scale, most) for k, (ghosts, most) in found.items() if most})
    estimates = [_estimate(job, system, years, miss_rate) for system in chosen]
    return Costs(job, _compared(estimates))


def _job(
    kernel: str,
    graph: Reader | None,
    vertices: float | None,
    edges: float | None,
    directed: bool,
    rounds: int | None,
    arguments: dict[str, Any],
) -> Job:
    if kernel not in algorithms.__all__:
        raise InvalidArgumentError(f"no algorithm is called {kernel!r}; there are {', '.join(algorithms.__all__)}")
    if graph is not None:
        if vertices is not None or edges is not None or rounds is not None:
            raise InvalidArgumentError("a graph has its own vertices, edges and rounds; give a graph or a size")
        return _counted(kernel, graph, arguments)
    if vertices is None or edges is None:
        raise InvalidArgumentError("give a graph to count on, or vertices= and edges=")
    if not vertices >= 0 or not edges >= 0 or arguments:
        raise InvalidArgumentError("vertices and edges must be 0 or more, and arguments of the kernel need a graph")
    passes = _ROUNDS.get(kernel) if rounds is None else rounds
    if passes is None:
        raise InvalidArgumentError(f"how often {kernel} reads the lists depends on the graph; give one, or rounds=")
    entries = edges if directed else 2 * edges
    return Job(
        kernel,
        vertices,
        entries,
        passes * vertices,
        passes * entries,
        passes,
        target_bytes=_target_bytes(vertices),
        exchanged_bytes=_exchanged(kernel),
    )


def _target_bytes(vertices: float) -> int:
    return 4 if vertices < 2**32 else 8


def _counted(kernel: str, graph: Reader, arguments: dict[str, Any]) -> Job:
    """Run it, and take what the engine counted."""
    if kernel in ("bfs", "sssp") and "source" not in arguments:
        arguments = {"source": graph.degrees().top(1)[0][0]} | arguments
    taken = inspect.signature(getattr(algorithms, kernel)).parameters.values()
    lacking = [each.name for each in taken if each.default is each.empty and each.name not in ("graph", *arguments)]
    if lacking:
        given = "".join(f", {name}=..." for name in lacking)
        raise InvalidArgumentError(f"{kernel} needs {lacking[0]}; in Python: rizoma.cost({kernel!r}, graph{given})")
    result: VertexResult = getattr(algorithms, kernel)(graph, **arguments)
    report = result.placement
    assert report is not None
    work = report.local + report.remote
    seeds = len(getattr(result, "seeds", ()))
    rounds = sum(local.edges + remote.edges > 0 for local, remote in report.sweeps)
    entries = graph.info().num_entries
    return Job(
        kernel,
        len(graph),
        entries,
        work.vertices,
        work.edges,
        seeds if kernel in _SHARED else rounds,
        rr_sets=getattr(result, "rr_set_bytes", 0),
        shared=kernel in _SHARED,
        target_bytes=_target_bytes(len(graph)),
        exchanged_bytes=_exchanged(kernel),
    )


def _divided(graph: Reader, nodes: int) -> tuple[float, float]:
    """What `Job.divisions` has of a graph; zeros if it has too few sections to tell."""
    if graph.info().num_sections < _SECTIONS * nodes:
        return 0.0, 0.0
    (balance,) = explain_ranks(graph, nodes, ["auto"])
    entries = [rank.edges for rank in balance.ranks]
    return max(rank.boundary for rank in balance.ranks), max(entries) * nodes / max(sum(entries), 1)


def _chosen(text: str, known: Mapping[str, System], job: Job) -> System:
    """The system that "cori", "cori:8" or "cori:min" means."""
    name, _, nodes = text.partition(":")
    if name not in known:
        raise InvalidArgumentError(f"no system is called {name!r}; there are {', '.join(known)}")
    system = known[name]
    if nodes == "min":
        fitting = (count for count in range(1, _MOST_NODES + 1) if _places(job, system.of(count)))
        return system.of(next(fitting, _MOST_NODES))
    if nodes and not (nodes.isdigit() and int(nodes) > 0):
        raise InvalidArgumentError(f"{text!r}: give a number of nodes, or min, after the colon")
    return system.of(int(nodes)) if nodes else system


def _held(job: Job, nodes: int) -> tuple[float, float, float]:
    """Bytes of lists, vertex state and rr_sets that each node holds."""
    if job.shared:
        return job.lists, job.state, job.rr_sets / nodes
    return job.lists / nodes, job.state / nodes + job.ghosts(nodes) * job.exchanged_bytes, job.rr_sets / nodes


def _places(job: Job, system: System) -> list[str]:
    """The memories that can hold lists and rr_sets; none if the job does not fit."""
    lists, state, rr_sets = _held(job, system.nodes)
    slow = system.slow_tier()
    if state > system.dram:
        return []
    room = {
        "dram": lists + state + rr_sets <= system.dram,
        slow: bool(slow) and lists + rr_sets <= system.slow,
        "drive": bool(system.drive) and state + rr_sets <= system.dram,
    }
    return [place for place, enough in room.items() if enough]


def _estimate(job: Job, system: System, years: float, miss_rate: float) -> Estimate:
    nodes, price = system.nodes, system.capital()
    held = sum(_held(job, nodes))
    busy = [(*_node_seconds(job, system, place, miss_rate), place) for place in _places(job, system)]
    if not busy:
        return Estimate(system.name, nodes, price, held, "")
    seconds, bottleneck, lists = min(busy, key=lambda found: found[0])
    network = _network_seconds(job, system)
    if network > seconds:
        bottleneck = "network"
    seconds += network
    if nodes > 1:
        seconds, network = seconds / system.efficiency, network / system.efficiency
    dollars = None
    if system.hourly is not None:
        dollars = system.hourly * nodes * seconds / 3600
    elif price is not None:
        dollars = price * seconds / (years * _YEAR)
    product = None if price is None else price * seconds
    return Estimate(system.name, nodes, price, held, lists, seconds, bottleneck, network, dollars, product)


def _node_seconds(job: Job, system: System, lists: str, miss_rate: float) -> tuple[float, str]:
    """How long a node is busy with its share, and what with."""
    node = system.described()
    found = _core.predict(node, *_traffic(job, node.sockets, system.nodes, lists, miss_rate))
    read = job.list_bytes_read / system.nodes * job.imbalance(system.nodes)
    if lists == "drive" and read / system.drive > found.seconds:
        return read / system.drive, "drive"
    # All sockets do the same, so that which one is busiest says nothing.
    return found.seconds, re.sub(r" (of home )?\d.*", "", found.bottleneck)


def _traffic(
    job: Job, sockets: int, nodes: int, lists: str, miss_rate: float
) -> tuple[list[_core.TrafficFlow], list[float]]:
    """Flows between the sockets of one node, and the entries of each socket."""
    share = job.imbalance(nodes) / (nodes * sockets)
    bulk = _core.Tier.dram if lists == "drive" else getattr(_core.Tier, lists)
    flows = []
    for home in range(sockets):
        flows.append(
            _core.TrafficFlow(
                home,
                home,
                bulk,
                sequential_read_bytes=share * (job.list_bytes_read + job.rr_sets),
                sequential_write_bytes=share * job.rr_sets,
            )
        )
        flows.append(
            _core.TrafficFlow(
                home, home, _core.Tier.dram, sequential_write_bytes=share * job.visited * job.written_bytes
            )
        )
        reads = share * job.entries_read * miss_rate / sockets
        flows += [_core.TrafficFlow(home, to, _core.Tier.dram, random_reads=reads) for to in range(sockets)]
    return flows, [share * job.entries_read] * sockets


def _network_seconds(job: Job, system: System) -> float:
    if system.nodes == 1:
        return 0.0
    if not system.network:
        raise InvalidArgumentError(f"system {system.name} has {system.nodes} nodes and no network; give network=")
    waiting = job.rounds * math.ceil(math.log2(system.nodes)) * system.network_latency
    return job.received(system.nodes) / system.network + waiting


def _compared(estimates: list[Estimate]) -> list[Estimate]:
    """With figures against the first system that has a price and holds the job."""
    base = next((one for one in estimates if one.dollar_seconds), None)
    if base is None or base.price is None or base.dollar_seconds is None:
        return estimates
    return [
        replace(
            one,
            against=None if one.dollar_seconds is None else one.dollar_seconds / base.dollar_seconds,
            break_even=None if one.price is None else one.price / base.price,
        )
        for one in estimates
    ]
