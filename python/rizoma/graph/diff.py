"""What became different between two states of a graph, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from .. import _core
from ..core.lazy_arrow import pa, pc
from ..core.lazy_numpy import np, npt
from ..core.plain_report import plain_report
from .ids import find_many

if TYPE_CHECKING:
    from .state import Reader

__all__ = ["Changes", "changes"]

Keys: TypeAlias = "npt.NDArray[np.uint64]"
Places: TypeAlias = "npt.NDArray[np.int64]"

_GONE = 2**64 - 1  # of ids that a state does not have
_PIECE = 1 << 20  # rows compared at a time


@plain_report(
    added="edges_added and vertices_added",
    removed="edges_removed and vertices_removed",
    edges="edges_added, edges_removed and edges_set",
    vertices="vertices_added, vertices_removed and vertices_set",
)
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
    core = after._state()
    old, new = _edges(before), _edges(after)
    edges = _compare(old, new, ("source", "target"), _paired(*_pairs(core, old, new)))
    old, new = _vertices(before), _vertices(after)
    vertices = _compare(old, new, ("vertex",), _paired(_numbers(core, old, "vertex"), _numbers(core, new, "vertex")))
    return Changes(*edges, *vertices)


def _edges(state: Reader) -> pa.Table:
    table = state.edges.to_arrow()
    return table if state.directed else _smaller_first(table)


def _smaller_first(table: pa.Table) -> pa.Table:
    """Put the smaller end of an undirected edge first, because internal ids, and so their order, may change."""
    source, target = table.column("source"), table.column("target")
    swap = pc.greater(source, target)
    first = pc.if_else(swap, target, source)
    second = pc.if_else(swap, source, target)
    return table.set_column(0, "source", first).set_column(1, "target", second)


def _vertices(state: Reader) -> pa.Table:
    table = state.vertices.to_arrow()
    degrees = ("degree", "out_degree", "in_degree")
    return table.select([name for name in table.schema.names if name not in degrees])


def _numbers(core: _core.Snapshot, table: pa.Table, name: str) -> Keys:
    """The numbers that the later state has for these ids; _GONE where it has none."""
    return np.asarray(find_many(core, table.column(name)), np.uint64)


def _pairs(core: _core.Snapshot, old: pa.Table, new: pa.Table) -> tuple[Keys, Keys]:
    """A number for each pair of ends, the same in both tables; _GONE for pairs that the later state cannot have."""
    ends = [[_numbers(core, table, name) for name in ("source", "target")] for table in (old, new)]
    if core.num_vertices > 2**32:  # so that a pair fits 64 bits
        for place in (0, 1):
            _, codes = np.unique(np.concatenate([each[place] for each in ends]), return_inverse=True)
            for each, some in zip(ends, np.split(codes.astype(np.uint64), [len(old)]), strict=True):
                each[place] = np.where(each[place] == _GONE, _GONE, some)
    width = np.uint64(min(core.num_vertices, 2**32))
    coded = [np.where((u == _GONE) | (v == _GONE), _GONE, u * width + v) for u, v in ends]
    return coded[0], coded[1]


def _ordered(keys: Keys) -> Places:
    """The stable sorting permutation of the keys, in pieces, between which Python handles Ctrl-C."""
    if len(keys) <= _PIECE:
        return np.argsort(keys, kind="stable")
    greatest = int(np.max(keys, where=keys != _GONE, initial=0))
    shift = np.uint64(max(greatest.bit_length() - 16, 0))
    buckets = np.minimum(keys >> shift, np.uint64(2**16 - 1)).astype(np.uint16)
    order = np.argsort(buckets, kind="stable")
    begin = end = 0
    for size in np.bincount(buckets, minlength=1 << 16).tolist():
        end += size
        if end - begin >= _PIECE or end == len(keys):
            part = order[begin:end]
            order[begin:end] = part[np.argsort(keys[part], kind="stable")]
            begin = end
    return order


def _paired(old: Keys, new: Keys) -> tuple[Places, Places]:
    """Rows of both that are the same edge or vertex; of several with one key the first of both, the second, ..."""
    order_old, order_new = _ordered(old), _ordered(new)
    sorted_old, sorted_new = old[order_old], new[order_new]
    rows_old, rows_new = [], []
    for begin in range(0, len(new), _PIECE):
        some = sorted_new[begin : begin + _PIECE]
        first = np.searchsorted(sorted_old, some, "left")
        last = np.searchsorted(sorted_old, some, "right")
        nth = np.arange(begin, begin + len(some)) - np.searchsorted(sorted_new, some, "left")
        found = (nth < last - first) & (some != _GONE)
        rows_old.append(order_old[(first + nth)[found]])
        rows_new.append(order_new[begin : begin + _PIECE][found])
    empty = np.empty(0, np.int64)
    return np.concatenate([empty, *rows_old]), np.concatenate([empty, *rows_new])


def _compare(
    old: pa.Table, new: pa.Table, keys: Sequence[str], paired: tuple[Places, Places]
) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Rows that only `new` has, that only `old` has, and rows of `new` whose values differ."""
    rows_old, rows_new = paired
    only = []
    for table, rows in ((new, rows_new), (old, rows_old)):
        alone = np.ones(len(table), np.bool_)
        alone[rows] = False
        only.append(table.filter(pa.array(alone)))
    changed = np.zeros(len(new), np.bool_)
    columns = [name for name in new.schema.names if name not in keys]
    for begin in range(0, len(rows_new) if columns else 0, _PIECE):
        some = slice(begin, begin + _PIECE)
        some_new, some_old = pa.array(rows_new[some]), pa.array(rows_old[some])
        there = [name for name in columns if name in old.schema.names]
        part_new, part_old = new.select(columns).take(some_new), old.select(there).take(some_old)
        for name in columns:
            changed[rows_new[some]] |= _differ(part_new, part_old, name)
    return only[0], only[1], new.filter(pa.array(changed))


def _differ(new: pa.Table, old: pa.Table, name: str) -> Any:
    """Where the values of a column differ; a column that was missing before was null."""
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
