"""The plan of a query: its clauses as steps, with the names and types of the columns between them."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.lazy_arrow import pa
from . import syntax as s
from .aggregation import Aggregate, Groups
from .evaluator import Evaluator, names_in
from .functions import AGGREGATES
from .graph_values import GraphColumns
from .pattern_plan import PatternPlan, PatternPlanner
from .pattern_rows import pattern_types
from .steps import (
    Aggregated,
    Counted,
    CountedBeside,
    CountedBy,
    Distinct,
    Filtered,
    Limited,
    Matched,
    Projected,
    Sorted,
    Step,
    TopRows,
    Types,
    Unwound,
    unwound_lists,
    whole_rows,
)
from .values import Rows, edge_type, is_node, node_type

__all__ = ["plan_query"]

_COUNT = " count"
_WHERE = " where"
_SUMMED = 1 << 20  # matches that are summed up together


def plan_query(query: s.Single, evaluator: Evaluator, graph: GraphColumns) -> list[Step]:
    """The steps of one query.  Raises `ParseError` with the place."""
    return _Planner(query, evaluator, graph).plan()


class _Planner:
    def __init__(self, query: s.Single, evaluator: Evaluator, graph: GraphColumns) -> None:
        self.query = query
        self.evaluator = evaluator
        self.source = evaluator.source
        self.graph = graph
        self.types: Types = {}
        self.steps: list[Step] = []

    def plan(self) -> list[Step]:
        for at, clause in enumerate(self.query):
            if isinstance(clause, s.MatchClause):
                self._match(clause, self.query[at + 1 :])
            elif isinstance(clause, s.Unwind):
                self._unwind(clause)
            else:
                self._project(clause)
        return self.steps

    def _add(self, step: Step) -> None:
        self.steps.append(step)
        self.types = step.types

    def _empty(self, types: Types | None = None) -> Rows:
        chosen = self.types if types is None else types
        return Rows(0, {name: pa.array([], kind) for name, kind in chosen.items()})

    def _type(self, expression: s.Expression, types: Types | None = None) -> pa.DataType:
        return self.evaluator.array(expression, self._empty(types)).type

    # ---- MATCH and UNWIND ----

    def _match(self, clause: s.MatchClause, later: Sequence[s.Clause]) -> None:
        self._refuse_aggregates(clause.where, "WHERE")
        first = not self.steps
        plan = PatternPlanner(clause.paths, clause.where, self.types, later, self.evaluator, self.graph, first).plan()
        types = pattern_types(plan, self.types)
        for predicate in plan.residual:
            hidden = {name: kind for name, kind in _hidden_types(plan).items() if name not in types}
            self.evaluator.truth(predicate, self._empty({**types, **hidden}))
        if clause.where is not None:
            self.evaluator.truth(clause.where, self._empty(types))
        self._add(Matched(plan, types, clause.optional, self.evaluator, self.graph))

    def _unwind(self, clause: s.Unwind) -> None:
        self._refuse_aggregates(clause.source, "UNWIND")
        if clause.name in self.types:
            raise self.source.error(
                clause.place, f"{clause.name!r} has a value already; give the elements another name"
            )
        lists = unwound_lists(clause, self._empty(), self.evaluator)
        types = {**self.types, clause.name: lists.type.value_type}
        self._add(Unwound(clause, types, self.evaluator))

    def _refuse_aggregates(self, expression: s.Expression | None, where: str) -> None:
        for each in s.walk(expression):
            if isinstance(each, s.Call) and each.name in AGGREGATES:
                raise self.source.error(
                    each.place, f"{each.name} has no meaning in {where}; compute it in WITH and test it behind"
                )

    # ---- WITH and RETURN ----

    def _project(self, clause: s.Projection) -> None:
        items = self._items(clause)
        grouped = any(_has_aggregate(item.expression) for item in items)
        before = dict(self.types)
        order = self._group(items, clause) if grouped else self._columns(items, clause)
        if clause.distinct:
            self._add(Distinct(dict(self.types), self.graph.by_row))
        self._order_and_limit(clause, items, order, before, grouped)
        if clause.where is not None:
            self._refuse_aggregates(clause.where, "WHERE")
            predicate = self._by_items(clause.where, items)
            if _WHERE in self.types:
                predicate = s.Variable(clause.where.place, _WHERE)
            self.evaluator.truth(predicate, self._empty())
            self._add(Filtered(predicate, self.types, self.evaluator))
        if _WHERE in self.types:
            kept = [(item.name, s.Variable(item.place, item.name)) for item in items]
            self._add(Projected(kept, {name: self.types[name] for name, _ in kept}, False, self.evaluator))

    def _items(self, clause: s.Projection) -> list[s.Item]:
        items = list(clause.items)
        if clause.starred:
            names = [name for name in self.types if name not in {item.name for item in items}]
            if not names and not items:
                raise self.source.error(clause.place, "there are no names for *; name the vertices and edges you need")
            items = [s.Item(s.Variable(clause.place, name), name, True, clause.place) for name in names] + items
        seen: set[str] = set()
        for item in items:
            if item.name in seen:
                raise self.source.error(item.place, f"two columns are called {item.name!r}; rename one with AS")
            seen.add(item.name)
            if not clause.last and not item.named and not isinstance(item.expression, s.Variable):
                raise self.source.error(item.place, "WITH needs a name for this: add AS name")
        return items

    def _columns(self, items: Sequence[s.Item], clause: s.Projection) -> list[s.Expression]:
        """Columns of rows, and what rows are sorted by."""
        made = [(item.name, item.expression) for item in items]
        types = {name: self._type(expression) for name, expression in made}
        if clause.distinct:
            self._add(Projected(made, types, False, self.evaluator))
            return [self._by_items(each, items) for each, _ in clause.order]
        # Sorting and filtering may use the variables before, too; names of columns take precedence.
        before = self.types
        aliases = {item.name: item.expression for item in items}
        order = [_with_aliases(each, aliases) for each, _ in clause.order]
        keys = [(f" s{i}", self._sort_key(each, before)) for i, each in enumerate(order)]
        if clause.where is not None and names_in(clause.where) - {*aliases}:
            self._refuse_aggregates(clause.where, "WHERE")
            predicate = _with_aliases(clause.where, aliases)
            self.evaluator.truth(predicate, self._empty())
            made.append((_WHERE, predicate))
            types[_WHERE] = pa.bool_()
        if order and clause.limit is not None and _WHERE not in types:
            self._add_top_rows(clause, made, [each for _, each in keys], types)
            return []
        types |= {name: self._type(each) for name, each in keys}
        self._add(Projected([*made, *keys], types, False, self.evaluator))
        return [s.Variable(0, name) for name, _ in keys]

    def _add_top_rows(
        self, clause: s.Projection, items: list[tuple[str, s.Expression]], keys: list[s.Expression], types: Types
    ) -> None:
        most = sum(whole_rows(self.evaluator, each, word) or 0 for each, word in _rows_asked(clause))
        used = names_in((tuple(each for _, each in items), tuple(keys)))
        before = {name: kind for name, kind in self.types.items() if name in used}
        for each in keys:
            self._type(each)
        order = list(zip(keys, (descends for _, descends in clause.order), strict=True))
        self._add(TopRows(items, order, before, types, most, self.evaluator))

    def _sort_key(self, expression: s.Expression, types: Types) -> s.Expression:
        """Vertices sort by their ids."""
        self._refuse_aggregates(expression, "ORDER BY without groups")
        by_id = is_node(self._type(expression, types))
        return s.Call(expression.place, "id", (expression,)) if by_id else expression

    def _by_items(self, expression: s.Expression, items: Sequence[s.Item]) -> s.Expression:
        """The same over the columns that are given."""
        known = {item.expression: item.name for item in items}

        def change(part: object) -> s.Expression | None:
            if isinstance(part, s.Expression) and part in known:
                return s.Variable(part.place, known[part])
            return None

        return s.rewritten(expression, change)  # type: ignore[no-any-return]

    def _order_and_limit(
        self, clause: s.Projection, items: Sequence[s.Item], order: list[s.Expression], before: Types, grouped: bool
    ) -> None:
        skip, limit = (whole_rows(self.evaluator, each, word) for each, word in _rows_asked(clause))
        skip = skip or 0
        if order:
            if grouped or clause.distinct:
                known = dict(self.types)
                kept = [(name, s.Variable(0, name)) for name in known if not name.startswith(" ")]
                for each in order:
                    self._check_distinct_order(each, clause, before)
                keys = [(f" s{i}", self._sort_key(each, known)) for i, each in enumerate(order)]
                types = {name: known[name] for name, _ in kept} | {n: self._type(e, known) for n, e in keys}
                self._add(Projected([*kept, *keys], types, False, self.evaluator))
            names = [(f" s{i}", descends) for i, (_, descends) in enumerate(clause.order)]
            most = None if limit is None else skip + limit
            step = Sorted(names, self.types, most)
            self.steps.append(step)
        hidden = {_WHERE: self.types[_WHERE]} if _WHERE in self.types else {}
        self.types = {item.name: self.types[item.name] for item in items} | hidden
        if skip or limit is not None:
            self._add(Limited(skip, limit, self.types))

    def _check_distinct_order(self, expression: s.Expression, clause: s.Projection, before: Types) -> None:
        for name in names_in(expression):
            if name not in self.types and name in before:
                place = clause.order[0][0].place
                why = "distinct rows are" if clause.distinct else "groups are"
                raise self.source.error(
                    place, f"{why} sorted by their own columns: {name!r} is none of them; return it, too"
                )

    # ---- groups ----

    def _group(self, items: Sequence[s.Item], clause: s.Projection) -> list[s.Expression]:
        """One row for each group, and what groups are sorted by."""
        keys = [(item.name, item.expression) for item in items if not _has_aggregate(item.expression)]
        aggregates: list[Aggregate] = []
        outer = self._outer_of_groups(items, keys, aggregates)
        order = [
            self._over_groups(self._by_items(each, items), keys, aggregates, {item.name for item in items})
            for each, _ in clause.order
        ]
        weight = self._count_without_rows(keys, aggregates) or self._count_beside_rows(keys, aggregates)
        if weight is not None:
            aggregates = [
                Aggregate(each.name, s.Call(each.call.place, "count", (), False, True)) for each in aggregates
            ]
        once = bool(self.steps) and (isinstance(self.steps[-1], CountedBy) or self._has_one_vertex())
        groups = Groups(self.evaluator, keys, aggregates, self.types, weight, once)
        last = self.steps[-1] if self.steps else None
        if groups.plain and isinstance(last, Matched) and last.plan.is_engines:
            last.plan.together = _SUMMED  # each batch becomes a few sums: fewer of them cost less
        self._add(Aggregated(groups))
        made = [(item.name, outer[item.name]) for item in items]
        extra = [(each.name, s.Variable(0, each.name)) for each in aggregates] if order else []
        types = {name: self._type(expression) for name, expression in [*made, *extra]}
        self._add(Projected([*made, *extra], types, False, self.evaluator))
        return order

    def _has_one_vertex(self) -> bool:
        """Whether rows are the matches of a pattern of one vertex and no edge."""
        first = self.steps[0]
        if len(self.steps) > 1 or not isinstance(first, Matched):
            return False
        plan = first.plan
        return [text for text, _, _ in plan.patterns] == [
            f"({each})" for each in plan.nodes.values()
        ] and not plan.repetitions

    def _outer_of_groups(
        self, items: Sequence[s.Item], keys: Sequence[tuple[str, s.Expression]], aggregates: list[Aggregate]
    ) -> dict[str, s.Expression]:
        made: dict[str, s.Expression] = {name: s.Variable(expression.place, name) for name, expression in keys}
        for item in items:
            if item.name not in made:
                made[item.name] = self._over_groups(item.expression, keys, aggregates, set())
        return made

    def _over_groups(
        self,
        expression: s.Expression,
        keys: Sequence[tuple[str, s.Expression]],
        aggregates: list[Aggregate],
        names: set[str],
    ) -> s.Expression:
        """An expression over keys and aggregates, whose calls go to `aggregates`."""
        known = {key: name for name, key in keys}
        names = names | {name for name, _ in keys}

        def change(part: object) -> s.Expression | None:
            if isinstance(part, s.Expression) and part in known:
                return s.Variable(part.place, known[part])
            if isinstance(part, s.Call) and part.name in AGGREGATES:
                for argument in part.arguments:
                    self._refuse_aggregates(argument, f"{part.name}(..)")
                same = next((each for each in aggregates if each.call == part), None)
                if same is None:
                    same = Aggregate(f" a{len(aggregates)}", part)
                    aggregates.append(same)
                return s.Variable(part.place, same.name)
            if isinstance(part, s.Variable) and part.name in self.types and part.name not in names:
                raise self.source.error(
                    part.place,
                    f"{part.name!r} has several values in a group; aggregate it, or return it as a column of its own",
                )
            return None

        return s.rewritten(expression, change)  # type: ignore[no-any-return]

    def _count_without_rows(
        self, keys: Sequence[tuple[str, s.Expression]], aggregates: Sequence[Aggregate]
    ) -> str | None:
        """Let the engine count, if the groups are of one pattern's vertex and only counted; the column of counts."""
        if len(self.steps) != 1 or not isinstance(self.steps[0], Matched) or self.steps[0].optional:
            return None
        plan = self.steps[0].plan
        counted = {*plan.nodes, *plan.edges}
        if not plan.is_engines or not aggregates or not all(_counts_rows(each.call, counted) for each in aggregates):
            return None
        used = {name for _, expression in keys for name in names_in(expression)}
        if any(isinstance(each, s.PatternValue) for _, expression in keys for each in s.walk(expression)):
            return None
        if not used and not keys:
            self.steps = []
            self._add(Counted(plan, _COUNT, self.graph))
        elif len(used) == 1 and (vertex := next(iter(used))) in plan.nodes:
            types = {vertex: self.types[vertex], _COUNT: pa.int64()}
            self.steps = []
            self._add(CountedBy(plan, vertex, _COUNT, types, self.graph))
        else:
            return None
        return _COUNT

    def _count_beside_rows(
        self, keys: Sequence[tuple[str, s.Expression]], aggregates: Sequence[Aggregate]
    ) -> str | None:
        """Count the matches of the last pattern beside each row, if nothing else is asked of them."""
        if len(self.steps) < 2 or not isinstance(self.steps[-1], Matched):
            return None
        last = self.steps[-1]
        new = last.plan.new
        counted = {name for name in new if name in last.plan.nodes or name in last.plan.edges}
        starred = [each.call.starred for each in aggregates]
        if not keys or not aggregates or not all(_counts_rows(each.call, counted) for each in aggregates):
            return None
        if _reads_new(keys, new) or (last.optional and any(starred) and not all(starred)):
            return None
        self.steps.pop()
        types = {name: kind for name, kind in last.types.items() if name not in new} | {_COUNT: pa.int64()}
        self._add(CountedBeside(last.plan, last.optional, all(starred), _COUNT, types, self.evaluator, self.graph))
        return _COUNT


def _reads_new(keys: Sequence[tuple[str, s.Expression]], new: Sequence[str]) -> bool:
    return any(name in new for _, expression in keys for name in names_in(expression))


def _rows_asked(clause: s.Projection) -> list[tuple[s.Expression | None, str]]:
    return [(clause.skip, "SKIP"), (clause.limit, "LIMIT")]


def _counts_rows(call: s.Call, names: set[str]) -> bool:
    if call.name != "count" or call.distinct:
        return False
    return call.starred or (isinstance(call.arguments[0], s.Variable) and call.arguments[0].name in names)


def _has_aggregate(expression: s.Expression) -> bool:
    return any(isinstance(each, s.Call) and each.name in AGGREGATES for each in s.walk(expression))


def _with_aliases(expression: s.Expression, aliases: dict[str, s.Expression]) -> s.Expression:
    def change(part: object) -> s.Expression | None:
        return aliases.get(part.name) if isinstance(part, s.Variable) else None

    return s.rewritten(expression, change)  # type: ignore[no-any-return]


def _hidden_types(plan: PatternPlan) -> Types:
    found = {name: node_type() for name in plan.nodes} | {name: edge_type() for name in plan.edges}
    for each in plan.repetitions:
        found |= {each.start: node_type(), each.end: node_type(), each.name: pa.large_list(edge_type())}
    return found
