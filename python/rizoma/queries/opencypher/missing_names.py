"""What matches nothing or all in silence: labels, types and ids that nothing has or lack a colon, some predicates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ... import _core
from ...core.errors import RizomaError
from ...core.suggestions import suggestion
from ...graph.ids import find_or_none, is_text, missing_vertex
from ...graph.schema import arrow_values
from ...graph.text_items import items_of
from ..match import Matches, Request
from . import syntax as s
from .graph_values import GraphColumns

__all__ = ["missing_names"]

_COMPARED = ("=", "<>", "<", "<=", ">", ">=")
_WORD = 3  # letters; shorter names are often both
_LOOKED_AT = 1 << 16  # rows in which names that might be meant are looked for
_FIRST = 1 << 12  # rows in which variables are looked for, whenever there are such


def missing_names(parsed: Any, graph: GraphColumns, chosen: Collection[str] = ()) -> list[tuple[int, str]]:
    """Where such a name stands in a query or in paths, and what to say of it.

    Ids are those that are written there: whether there is one of a parameter may be what is asked.  `chosen`: names of
    vertices that are chosen beside the pattern.
    Cost: a search for each name, which ends at the first match; for variables the first rows are read.
    """
    if not graph.state.num_live:
        return []
    parts = s.walk(parsed)
    vertices = {part.name for part in parts if isinstance(part, s.NodePattern)}
    names = [*_never_true(parts), *_names_of_ids(parts, graph.state, chosen)]
    names += [*_without_colon(parts, graph, True, chosen), *_without_colon(parts, graph, False, ())]
    names += [
        (place, _said(graph, *name)) for name, place in _names(parts, vertices, graph).items() if not _any(graph, *name)
    ]
    state = graph.state
    ids = _ids(parts, vertices).items()
    return names + [(place, str(missing_vertex(state, v))) for v, place in ids if find_or_none(state, v) is None]


def _never_true(parts: Sequence[Any]) -> Iterator[tuple[int, str]]:
    """Predicates that compare with null, and walks whose most edges are fewer than their least."""
    for part in _predicates(parts):
        if isinstance(part, s.Binary) and part.operator in _COMPARED:
            nulls = [each for each in (part.left, part.right) if isinstance(each, s.Literal) and each.value is None]
            if nulls:
                yield (
                    nulls[0].place,
                    f"a comparison with null is true of no row; write IS {'NOT ' * (part.operator == '<>')}NULL",
                )
    for part in parts:
        if isinstance(part, s.EdgePattern) and part.repeated and part.most is not None and part.most < part.least:
            yield (
                part.place,
                f"no walk has at least {part.least} edges and at most {part.most}; the smaller stands first",
            )


def _predicates(parts: Sequence[Any]) -> list[Any]:
    """What stands behind WHERE, with all within it."""
    clauses = (s.MatchClause, s.Projection, s.PatternValue, s.Comprehension, s.Quantifier)
    wheres = [part.where for part in parts if isinstance(part, clauses) and part.where is not None]
    return [each for where in wheres for each in s.walk(where)]


def _given(parts: Sequence[Any]) -> set[str]:
    """Names that WITH and UNWIND give."""
    return {part.name for part in parts if isinstance(part, s.Unwind) or (isinstance(part, s.Item) and part.named)}


def _names_of_ids(parts: Sequence[Any], state: _core.Snapshot, chosen: Collection[str]) -> Iterator[tuple[int, str]]:
    """Names of vertices without predicates that are written as the id of a vertex is: `(ann)-->(b)`."""
    told = {*chosen, *_given(parts), *(each.name for each in _predicates(parts) if isinstance(each, s.Variable))}
    for part in parts:
        if not isinstance(part, s.NodePattern) or not part.name or len(part.name) < _WORD or part.name in told:
            continue
        told.add(part.name)
        same = [each for each in parts if isinstance(each, s.NodePattern) and each.name == part.name]
        if not any(each.properties or each.labels for each in same) and find_or_none(state, part.name) is not None:
            name = part.name
            yield (
                part.place,
                f"{name!r} is any vertex, though one has this id; to mean it write ({name} {{id: {name!r}}})",
            )


def _without_colon(
    parts: Sequence[Any], graph: GraphColumns, of_vertices: bool, chosen: Collection[str]
) -> Iterator[tuple[int, str]]:
    """Variables without a label or type that are written as one of the first rows is: `(Shop)`, `-[PAID]->`."""
    kind = s.NodePattern if of_vertices else s.EdgePattern
    named = [part for part in parts if isinstance(part, kind) and part.name]
    told = {part.name for part in named if getattr(part, "labels" if of_vertices else "types")}
    told |= {part.of.name for part in parts if isinstance(part, s.HasLabels) and isinstance(part.of, s.Variable)}
    told |= _given(parts)
    places = {part.name: part.place for part in reversed(named) if part.name and len(part.name) >= _WORD}
    meant = {name: place for name, place in places.items() if name not in told and name not in chosen}
    there = _first_names(graph, of_vertices) if meant else set()
    for name, place in meant.items():
        if name in there and _any(graph, of_vertices, name):
            written = f":{name}" if name.isidentifier() else f":{_quoted(name)}"
            who, what, how = ("vertex", "label", f"({written})") if of_vertices else ("edge", "type", f"[{written}]")
            yield place, f"{name!r} is any {who}, though it is a {what}, too; to mean that write {how}"


def _ids(parts: Sequence[Any], vertices: set[str | None]) -> dict[int | str, int]:
    """The ids that vertices have in patterns, `{id: 'ann'}`, and in comparisons, and where each stands first."""
    found: dict[int | str, int] = {}
    for part in parts:
        asked: list[tuple[int, s.Expression]] = []
        if isinstance(part, s.NodePattern):
            asked = [(part.place, value) for name, value in part.properties if name == "id"]
        elif isinstance(part, s.Binary) and part.operator == "=":
            sides = ((part.left, part.right), (part.right, part.left))
            asked = [(value.place, value) for side, value in sides if _is_id(side, vertices)]
        for place, value in asked:
            if isinstance(value, s.Literal) and isinstance(value.value, (int, str)):
                found.setdefault(value.value, place)
    return found


def _is_id(asked: s.Expression, vertices: set[str | None]) -> bool:
    if isinstance(asked, s.Call) and asked.name == "id" and len(asked.arguments) == 1:
        return _is_one_of(asked.arguments[0], vertices)
    return isinstance(asked, s.Property) and asked.name == "id" and _is_one_of(asked.of, vertices)


def _names(parts: Sequence[Any], vertices: set[str | None], graph: GraphColumns) -> dict[tuple[bool, str], int]:
    """The labels (True) and types of all patterns and of comparisons, and where each stands first."""
    edges = {part.name for part in parts if isinstance(part, s.EdgePattern)}
    found: dict[tuple[bool, str], int] = {}
    for part in parts:
        if isinstance(part, s.NodePattern) or (isinstance(part, s.HasLabels) and _is_one_of(part.of, vertices)):
            _add(found, True, (label for labels in part.labels for label in labels), part.place)
        elif isinstance(part, s.EdgePattern):
            _add(found, False, part.types, part.place)
        elif isinstance(part, s.Binary) and part.operator == "=":
            for side, value in ((part.left, part.right), (part.right, part.left)):
                if isinstance(side, s.Property) and isinstance(value, s.Literal) and _is_item(value.value):
                    for of_vertices, names in ((True, vertices), (False, edges)):
                        if _is_one_of(side.of, names) and side.name == graph.label_column(of_vertices):
                            _add(found, of_vertices, (value.value,), value.place)
    return found


def _is_item(value: Any) -> bool:
    """Whether it is a text that may be one label or type."""
    return isinstance(value, str) and _core.ITEM_SEPARATOR not in value


def _is_one_of(asked: s.Expression, names: set[str | None]) -> bool:
    return isinstance(asked, s.Variable) and asked.name in names


def _add(found: dict[tuple[bool, str], int], of_vertices: bool, names: Iterable[str], place: int) -> None:
    for name in names:
        found.setdefault((of_vertices, name), place)


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def _any(graph: GraphColumns, of_vertices: bool, name: str) -> bool:
    quoted = _quoted(name)
    try:
        return _matches(graph, f"(a:{quoted})" if of_vertices else f"(a)-[e:{quoted}]-(b)").exists()
    except RizomaError:  # the query says it of its own text
        return True


def _matches(graph: GraphColumns, pattern: str) -> Matches:
    request = Request(
        graph.state, pattern, (), _core.DistinctMatches.none, (), graph.words, graph.threads, graph.progress, None
    )
    return Matches(request)


def _said(graph: GraphColumns, of_vertices: bool, name: str) -> str:
    who, what = ("vertex", "label") if of_vertices else ("edge", "type")
    meant = suggestion(name, set(_there(graph, of_vertices)))
    return f"no {who} has the {what} {name!r}{f'; did you mean {meant!r}?' if meant else ''}"


def _first_names(graph: GraphColumns, of_vertices: bool) -> set[str]:
    """Names that the first rows have or had.  Cost: O(1)."""
    column = graph.label_column(of_vertices)
    if graph.column_type(of_vertices, column) != "string":
        return set()
    state = graph.state
    rows = np.arange(min(state.num_vertices if of_vertices else _core.num_rows(state), _FIRST))
    if of_vertices:
        values = _core.vertex_values(state, column, rows.astype(np.uint64))
    else:
        values = _core.edge_values(state, column, rows.astype(np.float64))
    texts = arrow_values(values, "string").unique().drop_null()
    return set((items_of(texts)[0] if of_vertices else texts).to_pylist())


def _there(graph: GraphColumns, of_vertices: bool) -> Iterator[str]:
    """Names that the first rows have."""
    column = graph.label_column(of_vertices)
    every = _matches(graph, "(a)" if of_vertices else "(a)-[e]->(b)")
    for batch in every.select(f"{'a' if of_vertices else 'e'}.{column}").limit(_LOOKED_AT).batches():
        texts = batch.column(0).unique().drop_null()
        if is_text(texts.type):
            yield from (items_of(texts)[0] if of_vertices else texts).to_pylist()
