"""What a report says, gathered from one state of a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import algorithms
from .._core import __version__
from ..core.engines import ProgressFunction
from ..core.errors import InvalidArgumentError
from ..graph.graph import Graph, Snapshot
from ..graph.placement import explain
from ..results.partitions import ComponentsResult
from ..results.vertex import VertexResult
from .columns import Column, Histogram, columns
from .page import page
from .parts import Communities, Core, communities, core, weights

__all__ = ["KERNELS", "Components", "Degrees", "Home", "Kernel", "Report", "Sections", "examine"]

KERNELS: dict[str, Callable[..., VertexResult]] = {
    "pagerank": algorithms.pagerank,
    "triangle_count": algorithms.triangle_count,
    "betweenness_centrality": algorithms.betweenness_centrality,
}
"""Algorithms whose largest vertices a report can list."""

_BINS_A_DECADE = 8
_SOURCES = 64  # of betweenness, sampled
_TOP = 10


@dataclass(frozen=True)
class Degrees:
    """How many vertices have a degree; `bins` are (lowest degree, highest degree, vertices).

    `deviation`: the standard deviation of the degrees.
    """

    mean: float
    median: float
    most: int
    without_edges: int
    bins: list[tuple[int, int, int]]
    deviation: float = 0.0


@dataclass(frozen=True)
class Components:
    """The connected (of a directed graph: weakly connected) components."""

    count: int
    sizes: list[int]  # the largest, falling
    seconds: float


@dataclass(frozen=True)
class Sections:
    """The health of the sections: `buckets` are (lowest entries, highest entries, sections)."""

    count: int
    vertices_each: int
    without_image: int
    pending: int
    most_pending_share: float  # of one section: changes divided by entries of its image
    image_bytes: int
    buckets: list[tuple[int, int, int]]


@dataclass(frozen=True)
class Home:
    """What one home would have under a policy; `work` is predicted: vertices + entries."""

    policy: str
    home: int
    sections: int
    vertices: int
    edges: int
    work: int
    edges_across: float  # of the whole policy: share of the entries that lead to another home


@dataclass(frozen=True)
class Kernel:
    """The largest vertices of an algorithm; `working_set`: bytes of its lists, its values and what it drew."""

    name: str
    summary: str
    column: str
    top: list[tuple[int | str, float]]
    working_set: int = 0


@dataclass(frozen=True)
class Report:
    """Everything that the page shows; `to_dict` is ready for JSON."""

    made: str
    version: str
    info: dict[str, Any]
    degrees: Degrees
    components: Components
    sections: Sections
    weights: Histogram | None = None
    columns: list[Column] = field(default_factory=list)
    communities: Communities | None = None
    core: Core | None = None
    placement: list[Home] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    def _repr_html_(self) -> str:
        """The page within a notebook's."""
        return f'<iframe style="width: 100%; height: 40rem; border: 0" srcdoc="{escape(page(self))}"></iframe>'


def examine(
    graph: Graph,
    kernels: Sequence[str] = ("pagerank",),
    *,
    homes: int = 2,
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> Report:
    """Read a graph and run the named algorithms (of `KERNELS`) on it; divide it among `homes` homes.

    Raises InvalidArgumentError for an algorithm that is not among them.
    """
    unknown = [name for name in kernels if name not in KERNELS]
    if unknown:
        raise InvalidArgumentError(f"a report cannot show {unknown[0]!r}; choose from {', '.join(KERNELS)}")
    info, state = dict(graph.info().to_dict()), graph.snapshot()
    components = algorithms.connected_components(state, threads=threads, progress=progress)
    return Report(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
        info=info,
        degrees=_degrees(state),
        components=_components(components),
        sections=_sections(state, 1 << info["section_bits"]),
        weights=weights(state),
        columns=columns(state),
        communities=communities(state, threads, progress),
        core=core(state, threads, progress),
        placement=_placement(state, homes, threads),
        kernels=[_kernel(name, state, threads, progress) for name in kernels],
    )


def _degrees(state: Snapshot) -> Degrees:
    table = state.vertices.to_arrow()
    degrees = table.column(1).to_numpy()
    if len(degrees) == 0:
        return Degrees(0.0, 0.0, 0, 0, [])
    with_edges = degrees[degrees > 0]
    return Degrees(
        mean=float(degrees.mean()),
        median=float(np.median(degrees)),
        most=int(degrees.max()),
        without_edges=len(degrees) - len(with_edges),
        bins=_bins(with_edges),
        deviation=float(degrees.std()),
    )


def _bins(values: npt.NDArray[Any]) -> list[tuple[int, int, int]]:
    """Counts of whole numbers from 1 on in bins of equal width on a log scale, without empty ones."""
    if len(values) == 0:
        return []
    steps = np.arange(np.ceil(np.log10(values.max() + 1) * _BINS_A_DECADE) + 2)  # the last edge is beyond
    edges = np.unique(np.ceil(10 ** (steps / _BINS_A_DECADE) - 1e-9).astype(np.int64))
    counts, _ = np.histogram(values, edges)
    return [
        (int(low), int(high) - 1, int(count))
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
        if count
    ]


def _components(result: ComponentsResult) -> Components:
    return Components(result.count, result.sizes().column("size").slice(0, _TOP).to_pylist(), result.seconds)


def _sections(state: Snapshot, vertices_each: int) -> Sections:
    entries, image_bytes, pending = state._state().sections()
    share = pending / np.maximum(entries, 1)
    return Sections(
        count=len(entries),
        vertices_each=vertices_each,
        without_image=int((entries == 0).sum()),
        pending=int(pending.sum()),
        most_pending_share=float(share.max(initial=0.0)),
        image_bytes=int(image_bytes.sum()),
        buckets=_bins(entries[entries > 0].astype(np.int64)),
    )


def _placement(state: Snapshot, homes: int, threads: int | None) -> list[Home]:
    return [
        Home(balance.policy, number, home.sections, home.vertices, home.edges, home.work, balance.edges_across)
        for balance in explain(state, homes, threads=threads)
        for number, home in enumerate(balance.homes)
    ]


def _kernel(name: str, state: Snapshot, threads: int | None, progress: ProgressFunction | bool | None) -> Kernel:
    sampled = {"k": min(_SOURCES, len(state)), "seed": 1} if name == "betweenness_centrality" else {}
    result = KERNELS[name](state, threads=threads, progress=progress, **sampled)
    return Kernel(result.name, result._summary(), result.value, result.top(_TOP), result.working_set or 0)
