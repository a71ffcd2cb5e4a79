"""Drawings of small graphs, by Matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..core.errors import InvalidArgumentError, UnsupportedError
from ..core.lazy_arrow import pc
from ..core.options import checked_seed
from ..core.read_warnings import warn_of
from .layout import spring_layout

if TYPE_CHECKING:
    from ..graph.state import Reader

__all__ = ["MOST_VERTICES", "draw"]

MOST_VERTICES = 1000
_LABELLED = 100  # vertices; up to this many have their ids written beside them


def draw(graph: Reader, values: Any = None, labels: bool | None = None, ax: Any = None, seed: int = 1) -> Any:
    """Draw all vertices and edges; see `Graph.draw`."""
    if len(graph) > MOST_VERTICES:
        raise InvalidArgumentError(
            f"the graph has {len(graph):,} vertices, but a drawing shows at most {MOST_VERTICES:,}; draw a part, "
            "such as g.neighborhood(v, 2).draw() or g.subgraph(ids).draw()"
        )
    by_vertex = isinstance(values, Mapping) or (hasattr(type(values), "to_dict") and getattr(values, "ndim", 1) == 1)
    if values is not None and not by_vertex:
        saves = ", and save a drawing with g.draw().figure.savefig(path)" if isinstance(values, (str, Path)) else ""
        given = repr(str(values)) if saves else type(values).__name__
        raise InvalidArgumentError(f"values is {given}; give a result or {{vertex: value}}{saves}")
    if not (ax is None or hasattr(ax, "add_collection")):
        raise InvalidArgumentError(f"ax is {type(ax).__name__}; give an Axes, as of matplotlib.pyplot.subplots()[1]")
    checked_seed(seed)
    try:
        from matplotlib import pyplot
        from matplotlib.collections import LineCollection
    except ImportError:
        raise UnsupportedError("drawing needs Matplotlib; install it (pip install rizoma[plots])") from None
    state = graph.snapshot() if hasattr(graph, "snapshot") else graph
    ids = state.vertices.to_arrow().column("vertex").combine_chunks()
    edges = state.edges.to_arrow()
    ends = [pc.index_in(edges.column(name), ids).to_numpy().astype(np.int64) for name in ("source", "target")]
    names = ids.to_pylist()
    places = spring_layout(len(names), ends[0], ends[1], seed)
    if ax is None:
        _, ax = pyplot.subplots(figsize=(6, 6))
    if state.directed:
        _arrows(ax, places, ends)
    else:
        lines = list(np.stack([places[ends[0]], places[ends[1]]], axis=1))
        ax.add_collection(LineCollection(lines, colors="#9aa5b1", zorder=1))
    colors, sizes = _looks(names, values)
    cmap = None if isinstance(colors, str) else "viridis"
    ax.scatter(places[:, 0], places[:, 1], s=sizes, c=colors, cmap=cmap, edgecolors="white", zorder=2)
    if labels if labels is not None else len(names) <= _LABELLED:
        for name, place in zip(names, places, strict=True):
            ax.annotate(str(name), place, xytext=(5, 5), textcoords="offset points", fontsize=8)
    ax.set_axis_off()
    ax.margins(0.08)
    return ax


def _arrows(ax: Any, places: npt.NDArray[np.float64], ends: list[npt.NDArray[np.int64]]) -> None:
    look = {"arrowstyle": "-|>", "color": "#9aa5b1", "shrinkA": 6, "shrinkB": 6}
    for source, target in zip(*ends, strict=True):
        if source != target:
            ax.annotate("", places[target], xytext=places[source], arrowprops=look, zorder=1)


def _looks(names: list[Any], values: Any) -> tuple[Any, Any]:
    """Colours and sizes of the vertices, by their values if there are some."""
    if values is None:
        return "#3572a5", 80
    found = values if isinstance(values, Mapping) else values.to_dict()
    there = set(names)
    strange = [vertex for vertex in found if vertex not in there]
    if strange:
        said = f"values names {strange[0]!r}, which is not a vertex of the graph"
        if len(strange) == len(found):
            raise InvalidArgumentError(f"{said}, nor is any other; give a result of this graph, or {{vertex: value}}")
        warn_of([f"{said}, and {len(strange) - 1} others; if they are of another graph, compute them on this one"])
    codes = {value: number for number, value in enumerate(dict.fromkeys(found.values()))}
    plain = all(isinstance(value, (int, float)) for value in codes)
    numbers = np.array([_number(found.get(name), codes, plain) for name in names], float)
    low, high = (np.nanmin(numbers), np.nanmax(numbers)) if np.isfinite(numbers).any() else (0.0, 0.0)
    share = np.nan_to_num((numbers - low) / (high - low)) if high > low else np.zeros(len(numbers))
    return np.nan_to_num(numbers, nan=low), 40 + 260 * share if plain else 80


def _number(value: Any, codes: dict[Any, int], plain: bool) -> float:
    if value is None:
        return float("nan")
    return float(value) if plain else float(codes[value])
