"""Heat maps of what a call did to memory: its structures, and its phases by function group.

The form of figures 5 and 7 of Ghosh et al., SC'21: a row for each group of functions, a column for each measure, the
colour its share of the column.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import InvalidArgumentError

if TYPE_CHECKING:
    from .vertex import VertexResult

__all__ = ["HeatMap", "draw_heat_maps", "heat_maps_of"]

_MEASURES = ("near read", "near written", "afar read", "afar written")
HeatMap = tuple[str, tuple[str, ...], tuple[str, ...], list[list[float]]]
"""A title, the names of the rows and of the columns, and the values."""


def heat_maps_of(result: VertexResult) -> list[HeatMap]:
    """Bytes by structure and pattern, and where the algorithm has phases, bytes by function group and iteration."""
    if result.memory is None:
        raise InvalidArgumentError("no work was counted, so there is nothing to draw; run the algorithm on one machine")
    uses = result.memory.uses
    rows = tuple(f"{use.structure}, {use.pattern}" for use in uses)
    values = [
        [float(n) for n in (use.local_read, use.local_written, use.remote_read, use.remote_written)] for use in uses
    ]
    maps: list[HeatMap] = [("bytes by structure", rows, _MEASURES, values)]
    phases = getattr(result, "phases", ())
    if phases:
        groups = tuple(dict.fromkeys(phase.kind for phase in phases))
        columns = tuple(dict.fromkeys(f"{phase.level}.{phase.iteration}" for phase in phases))
        totals = {(group, column): 0.0 for group in groups for column in columns}
        for phase in phases:
            totals[phase.kind, f"{phase.level}.{phase.iteration}"] += phase.read + phase.written
        by_group = [[totals[group, column] for column in columns] for group in groups]
        maps.append(("bytes by function group, level.iteration", groups, columns, by_group))
    counters = result.counters.to_dict().get("values") if result.counters is not None else None
    if counters:
        maps.append(("counters of all threads", ("call",), tuple(counters), [[float(n) for n in counters.values()]]))
    return maps


def draw_heat_maps(result: VertexResult, path: Path) -> None:
    """Write a picture, .png or .svg; the colour is a value's share of the largest of its column.

    Raises InvalidArgumentError if nothing was counted, or Matplotlib is missing.
    """
    maps = heat_maps_of(result)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidArgumentError("a heat map needs Matplotlib; install it: pip install matplotlib") from None
    height = sum(1.2 + 0.4 * len(rows) for _, rows, _, _ in maps)
    figure = Figure(figsize=(9.0, height), layout="constrained")
    all_axes = figure.subplots(len(maps), 1, squeeze=False)[:, 0]
    for axes, (title, rows, columns, values) in zip(all_axes, maps, strict=True):
        most = [max(row[i] for row in values) or 1.0 for i in range(len(columns))]
        axes.imshow([[row[i] / most[i] for i in range(len(columns))] for row in values], aspect="auto", cmap="YlOrRd")
        axes.set_title(title)
        axes.set_yticks(range(len(rows)), rows)
        axes.set_xticks(range(len(columns)), columns, rotation=30, ha="right")
        if len(columns) <= 12:
            for y, row in enumerate(values):
                for x, value in enumerate(row):
                    axes.text(x, y, f"{value:.2g}", ha="center", va="center", fontsize="small")
    figure.suptitle(result.name)
    figure.savefig(path)
