"""The steps of a query: each turns rows into other rows, some at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from ...core.lazy_arrow import pa
from . import syntax as s
from .aggregation import Groups
from .evaluator import Evaluator
from .graph_values import GraphColumns
from .lists import flattened
from .pattern_plan import PatternPlan
from .pattern_rows import joined_rows, match_counts
from .sorting import sorted_rows, top_rows
from .values import Rows, codes_of, fit, is_list, keys_of, node_array, nulls, type_name

__all__ = [
    *("Aggregated", "Counted", "CountedBeside", "CountedBy", "Distinct", "Filtered", "Limited", "Matched"),
    *("Projected", "Sorted", "Step", "TopRows", "Unwound", "step_for"),
]

_BATCH = 1 << 16

Types: TypeAlias = "dict[str, pa.DataType]"


class Step(Protocol):
    """One step of a plan."""

    @property
    def types(self) -> Types:
        """Of the columns that it gives."""

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The rows that it makes of rows."""

    def explain(self, run: bool) -> list[str]:
        """What it does, as lines."""


def step_for(step: Step, evaluator: Evaluator | None, graph: GraphColumns | None) -> Step | None:
    """The same step for other values of the parameters and another state, or (None) for no state.

    None if it depends on the values, so that it is to be planned anew.
    """
    other = copy(step)
    own: dict[str, Any] = other.__dict__
    if "plan" in own and evaluator is not None and graph is not None:
        own["plan"] = own["plan"].again(evaluator, graph)
        if own["plan"] is None:
            return None
    if "groups" in own:
        own["groups"] = copy(own["groups"])
        own["groups"].evaluator = evaluator
    own.update({name: given for name, given in (("evaluator", evaluator), ("graph", graph)) if name in own})
    return other


@dataclass
class Matched:
    """MATCH, or OPTIONAL MATCH: each row with each match beside it."""

    plan: PatternPlan
    types: Types
    optional: bool
    evaluator: Evaluator
    graph: GraphColumns

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The rows with matches."""
        for rows in _in_batches(batches):
            seen = np.zeros(rows.count, np.bool_)
            for made, places in joined_rows(self.plan, rows, self.evaluator, self.graph):
                if self.optional:
                    seen[places] = True
                yield self._fitted(made)
            if self.optional and not seen.all():
                yield self._fitted(rows.take(pa.array(np.flatnonzero(~seen))))

    def _fitted(self, rows: Rows) -> Rows:
        columns = {
            name: fit(rows.columns[name], kind) if name in rows.columns else nulls(rows.count, kind)
            for name, kind in self.types.items()
            if name in rows.columns or self.optional or name in self.plan.new
        }
        return Rows(rows.count, columns)

    def explain(self, run: bool) -> list[str]:
        """The engine's plan, and what follows it."""
        lines = ["optional match" if self.optional else "match"]
        for pattern, _, wheres in self.plan.patterns:
            lines.append(f"  {pattern}")
            if self.plan.bound:
                lines.append(f"  begins at {', '.join(self.plan.bound)}, which stood before, and is joined with it")
            found = self.graph.matches(pattern, [*self.plan.wheres, *wheres], self.plan.anchors)
            lines += [f"  {line}" for line in found.explain(run and not self.plan.bound).splitlines()]
        for each in self.plan.repetitions:
            most = "" if each.edge.most is None else each.edge.most
            kind = f"{each.shortest} shortest path" if each.shortest else "walks without an edge twice"
            lines.append(f"  then {kind} of {each.edge.least}..{most} edges from {each.start.strip()}, hop by hop")
        if self.plan.residual:
            lines.append(f"  then {len(self.plan.residual)} predicates on Arrow columns")
        return lines


def _in_batches(batches: Iterator[Rows]) -> Iterator[Rows]:
    """The same rows in batches that are not small."""
    waiting: list[Rows] = []
    for rows in batches:
        waiting.append(rows)
        if sum(each.count for each in waiting) >= _BATCH:
            yield _together(waiting)
            waiting = []
    if waiting:
        yield _together(waiting)


def _together(parts: Sequence[Rows]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    return Rows.joined(parts, {name: column.type for name, column in parts[0].columns.items()})


@dataclass
class Counted:
    """The number of matches, which the engine counts without making rows."""

    plan: PatternPlan
    name: str
    graph: GraphColumns

    @property
    def types(self) -> Types:
        """The count."""
        return {self.name: pa.int64()}

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """One row."""
        for _ in batches:
            pattern, _, wheres = self.plan.patterns[0]
            found = self.graph.matches(pattern, [*self.plan.wheres, *wheres], self.plan.anchors).count()
            yield Rows(1, {self.name: pa.array([found], pa.int64())})

    def explain(self, run: bool) -> list[str]:
        """The engine's plan."""
        pattern, _, wheres = self.plan.patterns[0]
        found = self.graph.matches(pattern, [*self.plan.wheres, *wheres], self.plan.anchors)
        return [f"count  {pattern}", *(f"  {line}" for line in found.explain(run).splitlines())]


@dataclass
class CountedBy:
    """The number of matches for each vertex that a name stands for, counted without making rows."""

    plan: PatternPlan
    vertex: str
    name: str
    types: Types
    graph: GraphColumns

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """One row for each vertex that has matches."""
        for _ in batches:
            pattern, _, wheres = self.plan.patterns[0]
            matches = self.graph.matches(pattern, [*self.plan.wheres, *wheres], self.plan.anchors)
            found, counts = matches.count_by(self.plan.nodes[self.vertex])
            yield Rows(len(found), {self.vertex: node_array(found), self.name: pa.array(counts)})

    def explain(self, run: bool) -> list[str]:
        """What is counted."""
        return [f"count by {self.vertex}, without rows  {self.plan.patterns[0][0]}"]


@dataclass
class CountedBeside:
    """The number of matches beside each row; `optional`: of rows without a match, too, 0 or, of `rows`, 1."""

    plan: PatternPlan
    optional: bool
    of_rows: bool
    name: str
    types: Types
    evaluator: Evaluator
    graph: GraphColumns

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The rows with the number of each."""
        for rows in _in_batches(batches):
            counts = match_counts(self.plan, rows, self.evaluator, self.graph)
            if self.optional and self.of_rows:
                counts = np.maximum(counts, 1)
            made = rows.having(**{self.name: pa.array(counts)})
            yield made if self.optional else made.filter(pa.array(counts > 0))

    def explain(self, run: bool) -> list[str]:
        """What is counted."""
        patterns = "; ".join(pattern for pattern, _, _ in self.plan.patterns)
        return [f"count beside each row  {patterns}"]


@dataclass
class Filtered:
    """WHERE behind WITH."""

    predicate: s.Expression
    types: Types
    evaluator: Evaluator

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The rows for which the predicate holds."""
        for rows in batches:
            kept = rows.filter(self.evaluator.truth(self.predicate, rows))
            if kept.count:
                yield kept

    def explain(self, run: bool) -> list[str]:
        """A line."""
        return ["filter"]


@dataclass
class Projected:
    """Columns out of expressions; `keep`: and the columns that were there."""

    items: Sequence[tuple[str, s.Expression]]
    types: Types
    keep: bool
    evaluator: Evaluator

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The rows with these columns."""
        for rows in batches:
            made = {name: self.evaluator.array(expression, rows) for name, expression in self.items}
            yield Rows(rows.count, {**rows.columns, **made} if self.keep else made)

    def explain(self, run: bool) -> list[str]:
        """A line."""
        names = [name for name, _ in self.items if not name.startswith(" ")]
        return [f"columns {', '.join(names)}"] if names else []


@dataclass
class Aggregated:
    """One row for each group."""

    groups: Groups

    @property
    def types(self) -> Types:
        """Keys and aggregates."""
        return self.groups.types

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The groups."""
        for rows in self.groups.of(batches):
            if rows.count:
                yield rows

    def explain(self, run: bool) -> list[str]:
        """A line."""
        calls = ", ".join(each.call.name for each in self.groups.aggregates)
        keys = ", ".join(name for name, _ in self.groups.keys) or "all rows"
        kept = "in parts" if self.groups.plain else "all values in memory"
        return [f"group by {keys}: {calls} ({kept})"]


@dataclass
class Distinct:
    """Each row once."""

    types: Types
    by_row: bool

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The distinct rows."""
        kept = Rows.joined([], self.types)
        for rows in batches:
            both = Rows.joined([kept, rows], self.types)
            keys = [key for column in both.columns.values() for key in keys_of(column, self.by_row)]
            _, first = codes_of(keys, both.count)
            kept = both.take(pa.array(first))
        if kept.count:
            yield kept

    def explain(self, run: bool) -> list[str]:
        """A line."""
        return ["distinct rows, in memory"]


@dataclass
class Sorted:
    """ORDER BY, with the number of rows that are kept."""

    keys: Sequence[tuple[str, bool]]
    types: Types
    most: int | None

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The rows in order, without the columns that only sort."""
        found = sorted_rows(batches, self.keys, self.types, self.most)
        if found.count:
            yield found

    def explain(self, run: bool) -> list[str]:
        """A line."""
        return [
            f"sort by {len(self.keys)} columns" + ("" if self.most is None else f", the first {self.most} are kept")
        ]


@dataclass
class TopRows:
    """ORDER BY with LIMIT: columns are computed for the rows that are kept, and a key where those before it tie."""

    items: Sequence[tuple[str, s.Expression]]
    keys: Sequence[tuple[s.Expression, bool]]
    before: Types
    """The columns that the items and keys read."""
    types: Types
    most: int
    evaluator: Evaluator

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The first rows in order."""
        names = [(f" s{i}", descends) for i, (_, descends) in enumerate(self.keys)]
        expressions = {name: each for (name, _), (each, _) in zip(names, self.keys, strict=True)}
        some = (rows.only(self.before) for rows in batches)
        found = top_rows(
            some, names, lambda name, rows: self.evaluator.array(expressions[name], rows), self.before, self.most
        )
        if found.count:
            yield Rows(found.count, {name: self.evaluator.array(each, found) for name, each in self.items})

    def explain(self, run: bool) -> list[str]:
        """A line."""
        names = ", ".join(name for name, _ in self.items)
        return [f"sort by {len(self.keys)} columns, the first {self.most} are kept; columns {names}"]


@dataclass
class Limited:
    """SKIP and LIMIT."""

    skip: int
    limit: int | None
    types: Types

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The rows but the first, and not more than some."""
        skip, left = self.skip, self.limit
        if left == 0:
            return
        for rows in batches:
            some = rows.slice(min(skip, rows.count), rows.count)
            skip -= rows.count - some.count
            if left is not None:
                some = some.slice(0, left)
                left -= some.count
            if some.count:
                yield some
            if left == 0:
                return

    def explain(self, run: bool) -> list[str]:
        """A line."""
        return [f"skip {self.skip}" if self.limit is None else f"skip {self.skip}, limit {self.limit}"]


@dataclass
class Unwound:
    """UNWIND: a row for each element of a list."""

    clause: s.Unwind
    types: Types
    evaluator: Evaluator

    def rows(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """The rows with an element each."""
        for rows in batches:
            items, parents = flattened(unwound_lists(self.clause, rows, self.evaluator))
            if len(items):
                yield rows.take(pa.array(parents)).having(**{self.clause.name: items})

    def explain(self, run: bool) -> list[str]:
        """A line."""
        return [f"unwind as {self.clause.name}"]


def unwound_lists(clause: s.Unwind, rows: Rows, evaluator: Evaluator) -> pa.Array:
    """The lists that UNWIND takes apart."""
    lists = evaluator.array(clause.source, rows)
    if pa.types.is_null(lists.type):
        return pa.nulls(rows.count, pa.large_list(pa.null()))
    if not is_list(lists.type):
        raise evaluator.source.error(
            clause.source.place, f"UNWIND takes a list, not {type_name(lists.type)}; write [..]"
        )
    return lists


def whole_rows(evaluator: Evaluator, expression: s.Expression | None, word: str) -> int | None:
    """How many rows SKIP or LIMIT says."""
    if expression is None:
        return None
    if isinstance(expression, s.Variable):
        raise evaluator.source.error(expression.place, f"{word} takes a whole number of rows, not {expression.name!r}")
    value: Any = evaluator.value(expression, Rows(1, {}))
    found = (value[0] if isinstance(value, pa.Array) else value).as_py()
    if found is None or not pa.types.is_integer(value.type) or found < 0:
        raise evaluator.source.error(expression.place, f"{word} takes a whole number of rows, 0 or more")
    return int(found)
