"""What became different between two states of a graph, as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.lazy_arrow import pa, pc

if TYPE_CHECKING:
    from .state import Reader

__all__ = ["Changes", "changes"]


@dataclass(frozen=True)
class Changes:
    """Edges and vertices that were added, removed, or given other values; with their new values, removed ones with
    their last ones."""

    edges_added: pa.Table
    edges_removed: pa.Table
    edges_set: pa.Table
    vertices_added: pa.Table
    vertices_removed: pa.Table
    vertices_set: pa.Table

    def __repr__(self) -> str:
        counts = ", ".join(f"{name}: {len(table):,}" for name, table in vars(self).items())
        return f"Changes({counts})"


def changes(before: Reader, after: Reader) -> Changes:
    """Compare two states.  Parallel edges count one by one; of each pair the last ones differ."""
    old_edges, new_edges = _edges(before), _edges(after)
    old_vertices, new_vertices = _vertices(before), _vertices(after)
    nth = _free_name("_nth", old_edges, new_edges)
    old_edges, new_edges = _numbered(old_edges, before, nth), _numbered(new_edges, after, nth)
    added, removed, changed = (t.drop_columns([nth]) for t in _compare(old_edges, new_edges, ["source", "target", nth]))
    vertices = _compare(old_vertices, new_vertices, ["vertex"])
    return Changes(added, removed, changed, *vertices)


def _edges(state: Reader) -> pa.Table:
    table = state.edges.to_arrow()
    return table if state.directed else _smaller_first(table)


def _free_name(name: str, *tables: pa.Table) -> str:
    """A name that no column has."""
    while any(name in table.schema.names for table in tables):
        name += "_"
    return name


def _numbered(table: pa.Table, state: Reader, nth: str) -> pa.Table:
    """With a column `nth` that tells parallel edges apart."""
    if not state.is_multigraph():
        return table.append_column(nth, pa.array(np.zeros(len(table), np.int64)))
    table = table.sort_by([("source", "ascending"), ("target", "ascending")])
    return table.append_column(nth, pa.array(_places(table)))


def _smaller_first(table: pa.Table) -> pa.Table:
    """Either end of an undirected edge may come first: in the order of inner numbers, which may change."""
    source, target = table.column("source"), table.column("target")
    swap = pc.greater(source, target)
    first = pc.if_else(swap, target, source)
    second = pc.if_else(swap, source, target)
    return table.set_column(0, "source", first).set_column(1, "target", second)


def _places(table: pa.Table) -> Any:
    """The place of each row among those of its pair, which lie together."""
    if len(table) == 0:
        return np.zeros(0, np.int64)
    new = np.ones(len(table), np.bool_)
    for name in ("source", "target"):
        column = table.column(name).combine_chunks()
        same = pc.equal(column.slice(1), column.slice(0, len(column) - 1)).to_numpy(zero_copy_only=False)
        new[1:] = ~same if name == "source" else new[1:] | ~same
    starts = np.flatnonzero(new)
    return np.arange(len(table)) - np.repeat(starts, np.diff(np.append(starts, len(table))))


def _vertices(state: Reader) -> pa.Table:
    table = state.vertices.to_arrow()
    degrees = ("degree", "out_degree", "in_degree")
    return table.select([name for name in table.schema.names if name not in degrees])


def _compare(old: pa.Table, new: pa.Table, keys: list[str]) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Rows that only `new` has, that only `old` has, and rows of `new` whose values differ."""
    if any(old.schema.field(key).type != new.schema.field(key).type for key in keys):
        return new, old, new.slice(0, 0)  # ids were settled in between: none is of both kinds
    marked_old = old.select(keys).append_column("_old", pa.array(np.arange(len(old))))
    marked_new = new.select(keys).append_column("_new", pa.array(np.arange(len(new))))
    both = marked_new.join(marked_old, keys, join_type="full outer")
    at_new, at_old = both.column("_new"), both.column("_old")
    added = new.take(at_new.filter(pc.is_null(at_old)))
    removed = old.take(at_old.filter(pc.is_null(at_new)))
    shared = both.filter(pc.and_(pc.is_valid(at_new), pc.is_valid(at_old)))
    rows_new, rows_old = new.take(shared.column("_new")), old.take(shared.column("_old"))
    differ = np.zeros(len(shared), np.bool_)
    for name in new.schema.names:
        if name not in keys:
            differ |= _differ(rows_new, rows_old, name)
    changed = rows_new.filter(pa.array(differ))
    return added, removed, changed


def _differ(new: pa.Table, old: pa.Table, name: str) -> Any:
    """Where the values of a column differ; a column that was not there before was null."""
    column = new.column(name)
    if name not in old.schema.names or old.schema.field(name).type != column.type:
        return pc.is_valid(column).to_numpy()
    other = old.column(name)
    if pa.types.is_large_list(column.type):
        pairs = zip(column.to_pylist(), other.to_pylist(), strict=True)
        return np.array([not _same_list(a, b) for a, b in pairs], np.bool_)
    unequal = pc.not_equal(column, other)
    if pa.types.is_floating(column.type):  # NaN that stayed is no change
        unequal = pc.and_not(unequal, pc.and_(pc.is_nan(column), pc.is_nan(other)))
    unequal = pc.fill_null(unequal, False).to_numpy()
    return unequal | (pc.is_null(column).to_numpy() != pc.is_null(other).to_numpy())


def _same_list(a: list[float] | None, b: list[float] | None) -> bool:
    if a is None or b is None:
        return a is b
    return np.array_equal(np.array(a, np.float32), np.array(b, np.float32), equal_nan=True)
