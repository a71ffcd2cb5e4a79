"""Joins rows with the matches of a pattern by the vertices and edges that both name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.lazy_arrow import pa, pc
from .graph_values import GraphColumns
from .values import Rows, is_edge, is_node, node_numbers

__all__ = ["RowJoin", "distinct_numbers", "edge_numbers"]

_DENSE = 16  # a table of all vertices is made where they are at most 16 times the rows

Places = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.uint64]


def edge_numbers(edges: pa.Array, graph: GraphColumns) -> Numbers:
    """A number for each edge that tells it from others; 0 for null."""
    if graph.by_row:
        return np.asarray(pc.fill_null(pc.struct_field(edges, "_entry"), 0), np.float64).astype(np.uint64)
    one, other = (np.asarray(pc.fill_null(pc.struct_field(edges, each), 0), np.uint64) for each in ("_from", "_to"))
    return one * np.uint64(graph.num_vertices) + other


def distinct_numbers(numbers: npt.NDArray[Any], below: int | None) -> npt.NDArray[Any]:
    """The distinct ones in ascending order; all are `below` a number, if one is given."""
    if below is None or below > _DENSE * len(numbers):
        ordered: npt.NDArray[Any] = np.sort(numbers)
        firsts: npt.NDArray[Any] = ordered[
            np.concatenate([np.ones(min(1, len(ordered)), np.bool_), ordered[1:] != ordered[:-1]])
        ]
        return firsts
    marks = np.zeros(below, np.bool_)
    marks[numbers] = True
    return np.flatnonzero(marks).astype(numbers.dtype)


class _Ranks:
    """Some numbers, and the place of each among them in ascending order; -1 of others."""

    def __init__(self, numbers: npt.NDArray[Any], below: int | None) -> None:
        self.sorted = distinct_numbers(numbers, below)
        self.table: Places | None = None
        if below is not None and below <= _DENSE * len(self.sorted):
            self.table = np.full(below, -1, np.int64)
            self.table[self.sorted] = np.arange(len(self.sorted))

    def of(self, numbers: npt.NDArray[Any]) -> Places:
        if self.table is not None:
            found: Places = self.table[numbers]
            return found
        if not len(self.sorted):
            return np.full(len(numbers), -1, np.int64)
        places = np.minimum(np.searchsorted(self.sorted, numbers), len(self.sorted) - 1)
        return np.where(self.sorted[places] == numbers, places, -1)


class RowJoin:
    """Rows, sorted by what matches share with them: `shared` has the names there and in the matches.

    A row that has null under a shared name is joined with nothing.
    """

    def __init__(self, rows: Rows, shared: Sequence[tuple[str, str]], graph: GraphColumns) -> None:
        self.rows = rows
        self.graph = graph
        self.names = [name for _, name in shared]
        self.levels: list[tuple[_Ranks, _Ranks | None]] = []
        self.kept = np.arange(rows.count)
        """The rows without null under a shared name."""
        columns = [rows.columns[name] for name, _ in shared]
        for column in columns:
            fits = is_node(column.type) or is_edge(column.type)
            self.kept = self.kept[np.asarray(column.is_valid())[self.kept]] if fits else self.kept[:0]
        ranks = np.zeros(len(self.kept), np.int64)
        for column in columns if len(self.kept) else ():
            numbers, below = self._numbers(column)
            numbers = numbers[self.kept]
            level = _Ranks(numbers, below)
            pairs = None
            found = level.of(numbers)
            if self.levels:
                found = ranks * len(level.sorted) + found
                pairs = _Ranks(found, None)
                found = pairs.of(found)
            ranks = found
            self.levels.append((level, pairs))
        self.ranks = ranks
        """The number of what is shared, of each kept row."""
        self.size = int(ranks.max()) + 1 if len(ranks) else 0
        self.counts = np.bincount(ranks, minlength=self.size).astype(np.int64)
        self.order = self.kept[np.argsort(ranks, kind="stable")]
        self.begins = np.cumsum(self.counts) - self.counts

    def _numbers(self, column: pa.Array) -> tuple[Numbers, int | None]:
        if is_node(column.type):
            return node_numbers(column)[0], self.graph.num_vertices
        return edge_numbers(column, self.graph), None

    def found(self, matched: Rows) -> tuple[Places, Places]:
        """The matches that some row shares all names with, and the number of what is shared."""
        places, ranks = np.arange(matched.count), np.zeros(matched.count, np.int64)
        for name, (level, pairs) in zip(self.names, self.levels, strict=True) if self.levels else ():
            found = level.of(self._numbers(matched.columns[name])[0][places])
            if pairs is not None:
                found = np.where(found < 0, -1, pairs.of(ranks * len(level.sorted) + found))
            known = np.flatnonzero(found >= 0)
            places, ranks = places[known], found[known]
        return (places, ranks) if self.levels else (places[:0], ranks[:0])

    def joined(self, matched: Rows) -> Rows:
        """Each row beside each match that shares all names with it."""
        places, ranks = self.found(matched)
        some, at = self.counts[ranks], self.begins[ranks]
        if len(some) and int(some.max()) > 1:
            at = np.repeat(at - np.cumsum(some) + some, some) + np.arange(int(some.sum()))
            places = np.repeat(places, some)
        before = self.rows.take(pa.array(self.order[at]))
        beside = matched if len(places) == matched.count and (some == 1).all() else matched.take(pa.array(places))
        return Rows(len(places), {**beside.columns, **before.columns})

    def of_rows(self, by_rank: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """A number for each row from one for each of what is shared; 0 for rows that share nothing."""
        made = np.zeros(self.rows.count, np.int64)
        made[self.kept] = by_rank[self.ranks]
        return made
