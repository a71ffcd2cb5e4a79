"""Repeated edges: walks hop by hop over lists that the engine matches, and shortest paths in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.lazy_arrow import pa
from .graph_values import GraphColumns
from .lists import list_from
from .pattern_plan import Repetition
from .values import edge_array, edge_type, node_array, node_type

__all__ = ["Walks", "walk"]

_PAIRS = 16
"""Pairs of ends, each of which is searched from both."""

Numbers = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]


@dataclass
class Walks:
    """Walks of one length: the row that each belongs to, its vertices, and its edges in the order of the walk."""

    rows: Places
    vertices: list[Numbers]
    edges: list[pa.Array] = field(default_factory=list)
    codes: list[npt.NDArray[Any]] = field(default_factory=list)
    """Of each edge: a number that tells it from others."""

    @property
    def ends(self) -> Numbers:
        """The last vertices."""
        return self.vertices[-1]

    def take(self, places: Places) -> Walks:
        """Some of the walks."""
        some = pa.array(places)
        return Walks(
            self.rows[places],
            [each[places] for each in self.vertices],
            [each.take(some) for each in self.edges],
            [each[places] for each in self.codes],
        )

    def columns(self, forward: bool) -> tuple[pa.Array, pa.Array]:
        """Lists of vertices and of edges, from the pattern's left to its right."""
        count = len(self.rows)
        vertices = [node_array(each) for each in (self.vertices if forward else reversed(self.vertices))]
        edges = self.edges if forward else self.edges[::-1]
        return list_from(vertices, node_type(), count), list_from(edges, edge_type(), count)


class _Hops:
    """The edges that a repetition may take from each vertex, matched when a walk first comes there."""

    def __init__(self, graph: GraphColumns, step: Repetition) -> None:
        self.graph = graph
        self.step = step
        edge = step.edge
        turned = {"->": "<-", "<-": "->", "--": "--"}
        direction = edge.direction if step.forward else turned[edge.direction]
        both = graph.directed and direction == "--"
        self.directions = ["->", "<-"] if both else [direction if graph.directed else "->"]
        self.types = ":" + "|".join("`" + each.replace("`", "``") + "`" for each in edge.types) if edge.types else ""
        self.known = np.empty(0, np.uint64)
        self.sources = np.empty(0, np.uint64)
        self.targets = np.empty(0, np.uint64)
        self.backward = np.empty(0, np.bool_)
        self.entries = np.empty(0, np.float64)

    def _read(self, vertices: Numbers) -> None:
        parts = [(self.sources, self.targets, self.backward, self.entries)]
        for i, direction in enumerate(self.directions):
            before, after = ("<-", "-") if direction == "<-" else ("-", "->")
            where = [*self.step.wheres, *(["v0 <> v1"] if i else [])]
            pattern = f"(v0){before}[e0{self.types}]{after}(v1)"
            for count, (one, other, carried) in self.graph.matches(pattern, where, {"v0": vertices}).rows(
                ["v0", "v1"], ["e0"]
            ):
                entries = np.zeros(count) if carried is None else np.asarray(carried, np.float64)
                parts.append((one.view(np.uint64), other.view(np.uint64), np.full(count, direction == "<-"), entries))
        columns = [np.concatenate(each) for each in zip(*parts, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        self.sources, self.targets, self.backward, self.entries = (each[order] for each in columns)
        self.known = np.union1d(self.known, vertices)

    def after(self, walks: Walks) -> Walks:
        """Each walk with each edge that goes on from its end."""
        missing = np.setdiff1d(walks.ends, self.known)
        if len(missing):
            self._read(missing)
        first = np.searchsorted(self.sources, walks.ends, "left")
        some = np.searchsorted(self.sources, walks.ends, "right") - first
        of = np.repeat(np.arange(len(walks.rows)), some)
        at = np.arange(len(of)) - np.repeat(np.cumsum(some) - some, some) + np.repeat(first, some)
        made = walks.take(of)
        sources, targets, backward = self.sources[at], self.targets[at], self.backward[at]
        ends = np.where(backward, targets, sources), np.where(backward, sources, targets)
        if not self.graph.directed:
            ends = np.minimum(*ends), np.maximum(*ends)
        made.vertices.append(targets)
        made.edges.append(edge_array(ends, self.entries[at]))
        made.codes.append(edge_codes(self.graph, ends, self.entries[at]))
        return made


def edge_codes(
    graph: GraphColumns, ends: tuple[Numbers, Numbers], entries: npt.NDArray[np.float64]
) -> npt.NDArray[Any]:
    """A number for each edge that tells it from others."""
    if graph.by_row:
        return entries
    return ends[0] * np.uint64(graph.state.num_vertices) + ends[1]


def walk(
    graph: GraphColumns,
    step: Repetition,
    starts: Numbers,
    ends: Numbers | None,
    used: list[npt.NDArray[Any]],
    met: list[Numbers],
) -> Iterator[Walks]:
    """The walks of each length from the starts, one a row, in turn; to `ends`, if these are known.

    No walk uses an edge twice, or a vertex, as the graph's matches are distinct.  `used`: codes of edges that the walk
    of each row leaves out; `met`: vertices that it does.
    """
    if step.shortest is not None:
        yield from _shortest(graph, step, starts, ends)
        return
    hops, least, most = _Hops(graph, step), step.edge.least, step.edge.most
    walks = Walks(np.arange(len(starts)), [starts])
    length = 0
    while len(walks.rows):
        if length >= least:
            yield walks if ends is None else walks.take(np.flatnonzero(walks.ends == ends[walks.rows]))
        if most is not None and length >= most:
            return
        walks = hops.after(walks)
        if graph.distinct != "none":
            walks = walks.take(np.flatnonzero(_fresh(walks, graph.distinct == "nodes", used, met)))
        length += 1


def _fresh(walks: Walks, by_vertex: bool, used: list[npt.NDArray[Any]], met: list[Numbers]) -> npt.NDArray[np.bool_]:
    """Whether the last edge of each walk, or its last vertex, is none that was there before."""
    fresh = np.ones(len(walks.rows), np.bool_)
    for codes in walks.codes[:-1]:
        fresh &= codes != walks.codes[-1]
    for codes in used:
        fresh &= codes[walks.rows] != walks.codes[-1]
    if by_vertex:
        for vertices in walks.vertices[:-1]:
            fresh &= vertices != walks.ends
        for vertices in met:
            fresh &= vertices[walks.rows] != walks.ends
    return fresh


def _shortest(graph: GraphColumns, step: Repetition, starts: Numbers, ends: Numbers | None) -> Iterator[Walks]:
    """Shortest paths of each row; of few pairs of ends from both of them."""
    if ends is None or step.edge.least > 1 or len(np.unique(np.stack([starts, ends]), axis=1).T) > _PAIRS:
        yield from _from_starts(graph, step, starts, ends)
        return
    for rows, way in ((starts == ends, _from_starts), (starts != ends, _from_both_ends)):
        places = np.flatnonzero(rows)
        for found in way(graph, step, starts[places], ends[places]) if len(places) else ():
            found.rows = places[found.rows]
            yield found


def _from_both_ends(graph: GraphColumns, step: Repetition, starts: Numbers, ends: Numbers) -> Iterator[Walks]:
    """Shortest paths of each pair of ends, which differ, then for each row that has it."""
    hops = _Hops(graph, step), _Hops(graph, replace(step, forward=not step.forward))
    pairs, of = np.unique(np.stack([starts, ends]), axis=1, return_inverse=True)
    for i, pair in enumerate(pairs.T):
        found = _met(step, hops, pair)
        rows = np.flatnonzero(of.reshape(-1) == i)
        each = found.take(np.tile(np.arange(len(found.rows)), len(rows)))
        each.rows = np.repeat(rows, len(found.rows))
        yield each


def _met(step: Repetition, hops: tuple[_Hops, _Hops], pair: Numbers) -> Walks:
    """Shortest paths between two vertices: level by level from the end with fewer walks, until they meet."""
    sides = [Walks(np.zeros(1, np.int64), [pair[i : i + 1]]) for i in (0, 1)]
    seen = [each.ends for each in sides]
    length = 0
    while len(sides[0].rows) and len(sides[1].rows) and length != step.edge.most:
        k = int(len(sides[0].rows) > len(sides[1].rows))
        walks = hops[k].after(sides[k])
        if step.shortest == "any":
            walks = walks.take(np.unique(walks.ends, return_index=True)[1])
        sides[k] = walks = walks.take(np.flatnonzero(~np.isin(walks.ends, seen[k])))
        seen[k] = np.union1d(seen[k], walks.ends)
        length += 1
        if np.isin(walks.ends, sides[1 - k].ends).any():
            return _joined(sides[0], sides[1], step.shortest == "any")
    return sides[0].take(np.empty(0, np.int64))


def _joined(one: Walks, other: Walks, first: bool) -> Walks:
    """Walks from one end with those from the other that end at the same vertex; `first`: one of them."""
    order = np.argsort(other.ends, kind="stable")
    begin = np.searchsorted(other.ends[order], one.ends, "left")
    some = np.searchsorted(other.ends[order], one.ends, "right") - begin
    of = np.repeat(np.arange(len(one.rows)), some)
    at = np.arange(len(of)) - np.repeat(np.cumsum(some) - some, some) + np.repeat(begin, some)
    if first:
        of, at = of[:1], at[:1]
    made, back = one.take(of), other.take(order[at])
    made.vertices += back.vertices[-2::-1]
    made.edges += back.edges[::-1]
    made.codes += back.codes[::-1]
    return made


def _from_starts(graph: GraphColumns, step: Repetition, starts: Numbers, ends: Numbers | None) -> Iterator[Walks]:
    """Shortest paths of each start, once, then for each row that begins there."""
    roots, of = np.unique(starts, return_inverse=True)
    for found in _searched(graph, step, roots, None if ends is None else (of, ends)):
        order = np.argsort(of, kind="stable")
        first = np.searchsorted(of[order], found.rows, "left")
        some = np.searchsorted(of[order], found.rows, "right") - first
        which = np.repeat(np.arange(len(found.rows)), some)
        at = np.arange(len(which)) - np.repeat(np.cumsum(some) - some, some) + np.repeat(first, some)
        each = found.take(which)
        each.rows = order[at]
        yield each if ends is None else each.take(np.flatnonzero(each.ends == ends[each.rows]))


def _searched(
    graph: GraphColumns, step: Repetition, roots: Numbers, wanted: tuple[Places, Numbers] | None
) -> Iterator[Walks]:
    """Shortest paths from each root, level by level, until all that are wanted are found."""
    hops, n = _Hops(graph, step), np.uint64(max(1, graph.state.num_vertices))
    walks = Walks(np.arange(len(roots)), [roots])
    seen = np.empty(0, np.uint64)
    open_ = None if wanted is None else np.unique(wanted[0].astype(np.uint64) * n + wanted[1])
    length = 0
    while len(walks.rows):
        pairs = walks.rows.astype(np.uint64) * n + walks.ends
        if length >= step.edge.least:
            yield walks
            open_ = None if open_ is None else np.setdiff1d(open_, pairs)
        if length > 0 or step.edge.least == 0:
            seen = np.union1d(seen, pairs)
        if (open_ is not None and not len(open_)) or length == step.edge.most:
            return
        walks = hops.after(walks)
        pairs = walks.rows.astype(np.uint64) * n + walks.ends
        if step.shortest == "any":
            first = np.unique(pairs, return_index=True)[1]
            walks, pairs = walks.take(first), pairs[first]
        walks = walks.take(np.flatnonzero(~np.isin(pairs, seen)))
        length += 1
