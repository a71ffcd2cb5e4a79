"""What is known of a stored graph: sizes, schema, where the bytes lie."""

from __future__ import annotations

import os
from typing import Any

from .. import _core
from ..core.aliases import RenamedKeys, renamed_attribute
from ..core.display import html_rows
from ..core.errors import CorruptError
from ..core.plain_report import plain_report
from ..core.printable import printable
from .open_settings import OpenSettings, store_location
from .parallel import parallel_edges_of, parallel_edges_text
from .schema import edge_columns, vertex_columns

__all__ = ["Info", "damage_of", "human_bytes", "stored_info"]


def human_bytes(count: float) -> str:
    """Bytes in a few characters: 512 B, 3.4 MiB."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TiB"


def _listed(columns: dict[str, str]) -> str:
    return ", ".join(f"{name} ({kind})" for name, kind in columns.items())


def _why(hubs: int, near: int) -> str:
    """The measures from which an order was chosen, in words; empty if none was."""
    if not hubs:
        return ""
    return (
        f"chosen: the 1/16 of the vertices with the most edges have {hubs - 1}% of all ends, "
        f"and {near - 1}% of the edges joined vertices that were near one another"
    )


@plain_report(
    edges="num_edges",
    nodes="num_vertices",
    vertices="num_vertices",
    size="bytes_on_disk",
    bytes="bytes_on_disk",
    columns="edge_columns and vertex_columns",
    schema="edge_columns and vertex_columns",
    path="location",
    version="format_version",
    keys="to_dict().keys()",
    items="to_dict().items()",
)
class Info:
    """Sizes, schema and files of a graph; attributes, or a dict by `to_dict`.

    `order` is the inner order of the last bulk load or `compact(order)`; `order_reason` says what "auto" saw before it
    chose, and is empty if an order was asked for.  `reordering` says whether a graph that grew by small changes gets
    its order again by itself: `arrived` entries came since it was made, `next` is what comes next and why, `running`,
    `phase` and `progress` how far it is; `done` counts the orders made since the graph was opened, and `error` says why
    the last attempt failed.
    """

    healing = renamed_attribute("rizoma.Info.healing")

    location: str
    locations: list[str]
    directed: bool
    weights: str | None
    edge_columns: dict[str, str]
    vertex_columns: dict[str, str]
    ids: str
    in_edges: bool
    parallel_edges: str | dict[str, str]
    self_loops: str
    order: str
    order_reason: str
    reordering: dict[str, Any]
    num_vertices: int
    removed_vertices: int
    num_edges: int
    num_entries: int
    pending_entries: int
    num_sections: int
    section_bits: int
    format_version: int
    generation: int
    bytes_on_disk: int
    durability: str
    log_bytes: int
    background_error: str
    damage: str
    files: list[dict[str, Any]]

    def __init__(self, core: _core.GraphInfo, damage: str) -> None:
        schema = core.schema
        self.location = core.location
        self.locations = list(core.locations)
        self.directed = schema.directed
        self.weights = None if schema.weights == _core.WeightType.none else schema.weights.name
        self.edge_columns = edge_columns(schema)
        self.vertex_columns = vertex_columns(schema)
        self.ids = schema.ids.name
        self.in_edges = schema.in_edges
        self.parallel_edges = parallel_edges_of(schema)
        self.self_loops = schema.self_loops.name
        self.order = core.order.name
        self.order_reason = _why(*core.order_reason)
        self.reordering = {
            name: getattr(core.reordering, name)
            for name in ("on", "arrived", "running", "phase", "progress", "done", "error", "next")
        }
        self.num_vertices = core.num_vertices
        self.removed_vertices = core.removed_vertices
        self.num_edges = core.num_edges
        self.num_entries = core.num_entries
        self.pending_entries = core.pending_entries
        self.num_sections = core.num_sections
        self.section_bits = core.section_bits
        self.format_version = core.format_version
        self.generation = core.generation
        self.bytes_on_disk = core.bytes_on_disk
        self.durability = core.durability.name
        self.log_bytes = core.log_bytes
        self.background_error = core.background_error
        self.damage = damage
        self.files = [
            {"name": file.name, "purpose": file.purpose, "bytes": file.bytes, "allocated": file.allocated}
            for file in core.files
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, ready for JSON."""
        return RenamedKeys(vars(self), "rizoma.Info.to_dict")

    def __repr__(self) -> str:
        return printable("\n".join(f"{name:12} {value}" for name, value in self._rows().items()))

    def _repr_html_(self) -> str:
        rows = self._rows()
        return html_rows("Info", {"": list(rows), "value": list(rows.values())})

    def _next_order(self) -> str:
        """Whether the order is rebuilt, and when."""
        state = self.reordering
        if state["running"]:
            return f"{state['next']}: {state['phase']}, {state['progress']:.0%}"
        why = f" (the last one was not made: {state['error']})" if state["error"] else ""
        return f"{state['next']}{why}"

    def _rows(self) -> dict[str, str]:
        size = human_bytes(self.bytes_on_disk)
        rows = {
            "location": self.location,
            **({"spread over": ", ".join(self.locations)} if self.locations else {}),
            "kind": ("directed" if self.directed else "undirected")
            + (", with in-edges" if self.directed and self.in_edges else ""),
            "vertices": f"{self.num_vertices:,}"
            + (f" ({self.removed_vertices:,} removed)" if self.removed_vertices else ""),
            "edges": f"{self.num_edges:,} ({self.num_entries:,} entries, {self.pending_entries:,} pending)",
            "weights": self.weights or "none",
            **({"edge columns": _listed(self.edge_columns)} if self.edge_columns else {}),
            **({"vertex columns": _listed(self.vertex_columns)} if self.vertex_columns else {}),
            "ids": self.ids,
            "policies": f"parallel edges: {parallel_edges_text(self.parallel_edges)}; self-loops: {self.self_loops}",
            "inner order": f"{self.order} ({self.order_reason})" if self.order_reason else self.order,
            "new order": self._next_order(),
            "sections": f"{self.num_sections:,} of {2**self.section_bits:,} vertices",
            "on disk": f"{size}, format {self.format_version}, state {self.generation}",
        }
        if self.damage:
            rows["damage"] = self.damage
        if self.background_error:
            rows["trouble"] = f"the log cannot be moved into sections: {self.background_error}"
        return rows


def damage_of(core: _core.Graph) -> str:
    """That a data file of the store was cut off, as the opening saw, and what to do; empty: none was."""
    return str(CorruptError(core.damage)) if core.damage else ""


def stored_info(path: str | os.PathLike[str]) -> Info:
    """What `Graph.info` says of the store at `path`, without the modules that a graph in Python needs."""
    core = OpenSettings().open(store_location(path), _core.OpenMode.read_only, _core.GraphSchema())
    try:
        return Info(core.info(), damage_of(core))
    finally:
        core.close()
