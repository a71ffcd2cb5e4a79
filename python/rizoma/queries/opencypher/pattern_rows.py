"""Computes the plan of a MATCH beside rows that were there before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.lazy_arrow import pa, pc
from .evaluator import Evaluator
from .graph_values import GraphColumns
from .lists import concatenated, flattened, list_from
from .pattern_plan import PatternPlan, Repetition
from .row_join import RowJoin, distinct_numbers
from .values import (
    Rows,
    edge_array,
    edge_type,
    is_node,
    node_array,
    node_numbers,
    node_type,
    path_type,
)
from .walks import Walks, edge_codes, walk

__all__ = ["joined_rows", "match_counts", "pattern_types"]

_MOST = 2  # from half of all vertices on, rows are joined with the matches of all

_ROW = " row"
"""The column of the number of the row before."""


def pattern_types(plan: PatternPlan, outer: dict[str, pa.DataType]) -> dict[str, pa.DataType]:
    """The types of all columns once a pattern was matched."""
    made = dict(outer)
    paths = {name for name, _, _ in plan.paths}
    lists = {each.name for each in plan.repetitions}
    for name in plan.new:
        if name in lists:
            made[name] = pa.large_list(edge_type())
        else:
            made[name] = path_type() if name in paths else edge_type() if name in plan.edges else node_type()
    return made


def joined_rows(
    plan: PatternPlan, rows: Rows, evaluator: Evaluator, graph: GraphColumns
) -> Iterator[tuple[Rows, npt.NDArray[np.int64]]]:
    """Rows with the matches beside each, some at a time, and the number of the row of each."""
    numbered = rows.having(**{_ROW: pa.array(np.arange(rows.count))})
    for some in _engine_rows(plan, numbered, graph):
        for each in _walked(plan, some, list(plan.repetitions), graph):
            made = each.having(**{name: _path(each, nodes, kinds) for name, nodes, kinds in plan.paths})
            for predicate in plan.residual:
                made = made.filter(evaluator.truth(predicate, made))
            if made.count:
                kept = {n: c for n, c in made.columns.items() if not n.startswith(" ")}
                yield Rows(made.count, kept), np.asarray(made.columns[_ROW])


# ---- how many matches ----


def match_counts(plan: PatternPlan, rows: Rows, evaluator: Evaluator, graph: GraphColumns) -> npt.NDArray[np.int64]:
    """The number of matches beside each row, which are not joined with it where the engine alone matches them."""
    if not rows.count:
        return np.zeros(0, np.int64)
    shared = _shared(plan)
    if not plan.patterns or not shared or plan.repetitions or plan.residual:
        counts = np.zeros(rows.count, np.int64)
        for _, places in joined_rows(plan, rows, evaluator, graph):
            counts += np.bincount(places, minlength=rows.count)
        return counts
    anchors = _anchors(plan, rows, graph)
    if anchors is None:
        return np.zeros(rows.count, np.int64)
    if len(shared) == len(plan.bound) == 1:
        return _counts_by_vertex(plan, shared[0][0], rows, anchors, graph)
    join = RowJoin(rows, shared, graph)
    found = np.zeros(max(join.size, 1), np.int64)
    for matched in _matched(plan, anchors, graph):
        found += np.bincount(join.found(matched)[1], minlength=len(found))
    return join.of_rows(found)


def _counts_by_vertex(
    plan: PatternPlan, name: str, rows: Rows, anchors: Mapping[str, npt.NDArray[np.uint64]], graph: GraphColumns
) -> npt.NDArray[np.int64]:
    """The number of matches beside each row by its vertex, counted without making rows."""
    numbers, valid = node_numbers(rows.columns[name])
    counts = np.zeros(rows.count, np.int64)
    for pattern, _, wheres in plan.patterns:
        found, some = graph.matches(pattern, [*plan.wheres, *wheres], anchors).count_by(plan.nodes[name])
        if len(found):
            at = np.minimum(np.searchsorted(found, numbers), len(found) - 1)
            counts += np.where(found[at] == numbers, some[at], 0)
    return np.where(valid, counts, 0)


# ---- what the engine matches ----


def _engine_rows(plan: PatternPlan, rows: Rows, graph: GraphColumns) -> Iterator[Rows]:
    """The rows joined with what the engine matches."""
    if not plan.patterns:
        yield rows
        return
    if not _shared(plan):
        for matched in _matched(plan, plan.anchors, graph):
            yield from _beside_all(rows, matched)
        return
    anchors = _anchors(plan, rows, graph)
    if anchors is None:
        return
    join = RowJoin(rows, _shared(plan), graph)
    for matched in _matched(plan, anchors, graph):
        yield join.joined(matched)


def _shared(plan: PatternPlan) -> list[tuple[str, str]]:
    """What stood before the pattern, and its name there."""
    return [*((name, name) for name in plan.bound), *plan.bound_edges.items()]


def _anchors(plan: PatternPlan, rows: Rows, graph: GraphColumns) -> dict[str, npt.NDArray[np.uint64]] | None:
    """The vertices that the pattern's names may stand for beside these rows; None: some name has none.

    Where rows name most vertices, all are matched: a scan costs less than a search from each.
    """
    anchors = dict(plan.anchors)
    for name in plan.bound:
        column = rows.columns[name]
        numbers, valid = node_numbers(column) if is_node(column.type) else (np.empty(0, np.uint64), np.empty(0, bool))
        found = distinct_numbers(numbers[valid], graph.num_vertices)
        engine = plan.nodes[name]
        if engine in anchors:
            anchors[engine] = np.intersect1d(anchors[engine], found)
        elif not len(found) or len(found) * _MOST < graph.num_vertices:
            anchors[engine] = found
    return None if any(len(each) == 0 for each in anchors.values()) else anchors


def _matched(plan: PatternPlan, anchors: Mapping[str, npt.NDArray[np.uint64]], graph: GraphColumns) -> Iterator[Rows]:
    """The engine's matches, with what later steps read of them."""
    for pattern, ends, wheres in plan.patterns:
        matches = graph.matches(pattern, [*plan.wheres, *wheres], anchors)
        nodes, edges = plan.reads
        names = [plan.nodes[each] for each in nodes], [plan.edges[each] for each in edges]
        for count, arrays in matches.rows(*names, plan.together):
            yield _columns(plan, count, arrays, ends, graph)


def _columns(
    plan: PatternPlan, count: int, arrays: list[Any], ends: dict[str, tuple[str, str]], graph: GraphColumns
) -> Rows:
    nodes, edges = plan.reads
    read = dict(zip([*nodes, *edges], arrays, strict=True))
    made = {name: node_array(read[name].view(np.uint64)) for name in nodes}
    for name in edges:
        if plan.with_ends or name in plan.bound_edges.values():
            one, other = (read[each].view(np.uint64) for each in ends[name])
            if not graph.directed:
                one, other = np.minimum(one, other), np.maximum(one, other)
        else:
            one = other = np.zeros(count, np.uint64)
        made[name] = edge_array((one, other), read[name])
    return Rows(count, made)


def _beside_all(rows: Rows, matched: Rows) -> Iterator[Rows]:
    """Each row with each match."""
    for i in range(rows.count):
        if rows.count == matched.count == 1:
            yield Rows(1, {**rows.columns, **matched.columns})
            return
        # Of the first row zeros, whose memory is not even touched unless someone reads them.
        places = pa.array(np.full(matched.count, i) if i else np.zeros(matched.count, np.int64))
        before = {name: places if name == _ROW else column.take(places) for name, column in rows.columns.items()}
        yield Rows(matched.count, {**before, **matched.columns})


# ---- repetitions ----


def _walked(plan: PatternPlan, rows: Rows, steps: list[Repetition], graph: GraphColumns) -> Iterator[Rows]:
    """The rows with the walks of each repetition."""
    if not steps or not rows.count:
        if rows.count:
            yield rows
        return
    step, rest = steps[0], steps[1:]
    starts, valid = node_numbers(rows.columns[step.start])
    ends = None
    if step.end_is_known:
        ends, others = node_numbers(rows.columns[step.end])
        valid = valid & others
    if not valid.all():
        kept = np.flatnonzero(valid)
        rows, starts = rows.take(pa.array(kept)), starts[kept]
        ends = None if ends is None else ends[kept]
    used = [_codes(rows.columns[name], graph) for name in plan.edges] if graph.distinct != "none" else []
    beside = [each for each in plan.nodes if each not in (step.start, step.end)] if graph.distinct == "nodes" else []
    met = [node_numbers(rows.columns[name])[0] for name in beside]
    for walks in walk(graph, step, starts, ends, used, met):
        if len(walks.rows):
            made = _with_walks(rows, step, walks)
            earlier = plan.repetitions[: len(plan.repetitions) - len(steps)] if graph.distinct != "none" else []
            for before in earlier:
                made = made.take(pa.array(_apart(made, before.name, step.name, graph)))
            yield from _walked(plan, made, rest, graph)


def _with_walks(rows: Rows, step: Repetition, walks: Walks) -> Rows:
    made = rows.take(pa.array(walks.rows))
    vertices, edges = walks.columns(step.forward)
    columns = {step.name: edges, f" {step.name}": vertices}
    if not step.end_is_known:
        columns[step.end] = node_array(walks.ends)
    return made.having(**columns)


def _codes(edges: pa.Array, graph: GraphColumns) -> npt.NDArray[Any]:
    fields = [np.asarray(pc.fill_null(pc.struct_field(edges, each), 0)) for each in ("_from", "_to", "_entry")]
    return edge_codes(graph, (fields[0], fields[1]), fields[2])


def _apart(rows: Rows, one: str, other: str, graph: GraphColumns) -> npt.NDArray[np.int64]:
    """The rows in which two lists have no edge in common."""
    pairs = []
    for name in (one, other):
        items, parents = flattened(rows.columns[name])
        codes = _codes(items, graph)
        pairs.append(np.stack([parents.astype(codes.dtype), codes], axis=1))
    both = np.concatenate([np.unique(each, axis=0) for each in pairs])
    found, times = np.unique(both, axis=0, return_counts=True)
    return np.setdiff1d(np.arange(rows.count), found[times > 1][:, 0].astype(np.int64))


# ---- paths ----


def _path(rows: Rows, nodes: tuple[str, ...], kinds: tuple[tuple[str, bool], ...]) -> pa.Array:
    """A path out of its vertices and edges, single and repeated."""
    count = rows.count
    vertices = list_from([rows.columns[nodes[0]]], node_type(), count)
    edges = list_from([], edge_type(), count)
    for (name, repeated), node in zip(kinds, nodes[1:], strict=True):
        if repeated:
            walked = rows.columns[f" {name}"]
            vertices = concatenated(vertices, _rest(walked))
            edges = concatenated(edges, rows.columns[name])
        else:
            vertices = concatenated(vertices, list_from([rows.columns[node]], node_type(), count))
            edges = concatenated(edges, list_from([rows.columns[name]], edge_type(), count))
    return pa.StructArray.from_arrays([vertices, edges], fields=list(path_type()))


def _rest(lists: pa.Array) -> pa.Array:
    """All elements but the first."""
    return pc.list_slice(lists, 1) if len(lists) else lists
