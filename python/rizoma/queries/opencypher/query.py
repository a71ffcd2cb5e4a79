"""Queries as text: a relation that is computed when rows are asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ... import _core
from ...core.engines import ProgressFunction
from ...core.errors import InvalidArgumentError
from ...core.lazy_arrow import pa
from ..relation import Relation
from . import syntax as s
from .evaluator import Evaluator
from .graph_values import GraphColumns
from .kept_plans import KeptPlan, kept_plan
from .lists import list_from
from .missing_names import missing_names
from .parser import parse
from .pattern_plan import PatternPlanner
from .pattern_rows import joined_rows, match_counts, pattern_types
from .planner import plan_query
from .steps import Distinct, Step, Types
from .tokens import Source
from .values import Rows, common_type, fit, list_of, type_name, unit_rows

__all__ = ["Query", "query"]


class Query(Relation):
    """The rows of a query: nothing is computed before they are asked for.

    It is an Arrow stream, which may be read any number of times: DuckDB, polars and pyarrow take it as it is.
    """

    def __init__(
        self,
        source: Source,
        parsed: s.Union,
        parameters: Mapping[str, Any],
        graph: GraphColumns,
        keep: bool = False,
    ) -> None:
        """`keep`: the query is its text, so that its plan may serve again."""
        self._text = source.text
        self._parsed = parsed
        self._graph = graph
        values = {name: _parameter(name, value) for name, value in parameters.items()}
        self._evaluator = Evaluator(source, values, graph)
        graph.pattern_value = self._pattern_value
        self._kept = kept_plan(source.text, self._evaluator, graph) if keep else KeptPlan()
        plans = self._kept.again(self._evaluator, graph)
        if plans is None or self._kept.types is None:
            _refuse_unused(parsed, parameters)
            plans = [plan_query(each, self._evaluator, graph) for each in parsed.queries]
        self._plans = plans
        if self._kept.types is None:
            self._kept.types = self._common_types(parsed)
            if not self._evaluator.has_warned:
                self._kept.keep(plans, parsed)
        self._types = self._kept.types
        self._distinct = None
        if len(self._plans) > 1 and not parsed.all:
            self._distinct = Distinct(self._types, graph.by_row)

    # ---- answers ----

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        if self._kept.schema is None:
            columns = {name: self._graph.shown(pa.array([], kind)).type for name, kind in self._types.items()}
            self._kept.schema = pa.schema(list(columns.items()))
        return self._kept.schema

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._types)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows as Arrow record batches, in the order that ORDER BY gives, else in any."""
        schema = self.schema
        for rows in self._all_rows():
            columns = [self._graph.shown(fit(rows.columns[name], kind)) for name, kind in self._types.items()]
            fitted = [fit(column, field.type) for column, field in zip(columns, schema, strict=True)]
            yield pa.record_batch(fitted, schema=schema)

    def count(self) -> int:
        """Return the number of rows."""
        return sum(rows.count for rows in self._all_rows())

    def explain(self, run: bool = False) -> str:
        """Return the plan as text: its steps, and the engine's plan of each pattern; `run` also runs it."""
        lines: list[str] = []
        for number, plan in enumerate(self._plans):
            lines += ["union"] if number else []
            lines += [line for step in plan for line in step.explain(run)]
        if run:
            begin = time.perf_counter()
            lines.append(f"{self.count()} rows in {time.perf_counter() - begin:.3g} s")
        return "\n".join(lines) + "\n"

    def _first_rows(self, n: int) -> pa.Table | None:
        return None

    def __repr__(self) -> str:
        columns = ", ".join(f"{each.name}: {each.type}" for each in self.schema)
        return f"Query({' '.join(self._text.split())!r}; {columns})"

    # ---- within ----

    def _all_rows(self) -> Iterator[Rows]:
        if not self._kept.has_all_names:
            missing = missing_names(self._parsed, self._graph)
            self._evaluator.tell(missing)
            self._kept.has_all_names = not missing
        rows = (each for plan in self._plans for each in self._rows_of(plan))
        return rows if self._distinct is None else self._distinct.rows(rows)

    def _rows_of(self, plan: list[Step]) -> Iterator[Rows]:
        rows: Iterator[Rows] = iter([unit_rows()])
        for step in plan:
            rows = step.rows(rows)
        for each in rows:
            yield Rows(each.count, {name: fit(each.columns[name], kind) for name, kind in self._types.items()})

    def _common_types(self, parsed: s.Union) -> Types:
        found = dict(_columns_of(parsed.queries[0], self._plans[0]))
        source = self._evaluator.source
        for single, plan, place in zip(parsed.queries[1:], self._plans[1:], parsed.places, strict=True):
            types = _columns_of(single, plan)
            if list(types) != list(found):
                raise source.error(
                    place, f"UNION puts {', '.join(found)} and {', '.join(types)} together; name them alike"
                )
            for name, kind in types.items():
                wider = common_type(found[name], kind)
                if wider is None:
                    wrong = (
                        f"column {name!r} is {type_name(found[name])} before and {type_name(kind)} behind UNION; "
                        "convert one, as by toString"
                    )
                    raise source.error(place, wrong)
                found[name] = wider
        return found

    def _pattern_value(self, asked: s.PatternValue, rows: Rows) -> pa.Array:
        """EXISTS, COUNT or the list of a pattern, beside each row."""
        rows = Rows(rows.count, {n: c for n, c in rows.columns.items() if not n.startswith(" ")})  # own names differ
        types = {name: column.type for name, column in rows.columns.items()}
        reads = None if asked.kind == "collect" else ()
        plan = PatternPlanner(asked.paths, asked.where, types, reads, self._evaluator, self._graph).plan()
        made = pattern_types(plan, types)
        empty = Rows(0, {name: pa.array([], kind) for name, kind in made.items()})
        if asked.where is not None:
            self._evaluator.truth(asked.where, empty)
        if asked.kind != "collect":
            found = match_counts(plan, rows, self._evaluator, self._graph)
            return pa.array(found > 0) if asked.kind == "exists" else pa.array(found)
        assert asked.result is not None
        counts = np.zeros(rows.count, np.int64)
        places: list[Any] = []
        kind = self._evaluator.array(asked.result, empty).type
        values: list[pa.Array] = [pa.array([], kind)]
        for joined, at in joined_rows(plan, rows, self._evaluator, self._graph) if rows.count else ():
            counts += np.bincount(at, minlength=rows.count)
            places.append(at)
            values.append(self._evaluator.array(asked.result, joined))
        if not places:
            return list_of(list_from([], kind, 0).flatten(), counts)
        order = np.argsort(np.concatenate(places), kind="stable")
        return list_of(pa.concat_arrays(values).take(pa.array(order)), counts)


def _columns_of(single: s.Single, plan: list[Step]) -> Types:
    """The columns of RETURN, in their order, without those that only sorted."""
    return {name: kind for name, kind in plan[-1].types.items() if not name.startswith(" ")}


def _parameter(name: str, value: Any) -> pa.Scalar:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray) or hasattr(value, "to_pylist"):
        value = value.tolist() if isinstance(value, np.ndarray) else value.to_pylist()
    try:
        array = pa.array([value])
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError) as error:
        raise InvalidArgumentError(
            f"{name}={value!r} is no value of a query ({error}); give a number, text, time, truth value, or a list or "
            "dict of these"
        ) from None
    return fit(array, _wide(array.type))[0]


def _wide(kind: pa.DataType) -> pa.DataType:
    """The type that queries use for values of a type."""
    if pa.types.is_string(kind):
        return pa.large_string()
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.large_list(_wide(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _wide(field.type)) for field in kind])
    return kind


def _refuse_unused(parsed: s.Union, parameters: Mapping[str, Any]) -> None:
    used = {each.name for each in s.walk(parsed) if isinstance(each, s.Parameter)}
    for name in parameters:
        if name not in used:
            several = isinstance(parameters[name], Mapping)
            how = 'give values as parameters={"n": 3}, or n=3' if several else f"leave {name}= out, or use it"
            raise InvalidArgumentError(f"the query has no parameter ${name}; {how}")


def query(
    state: _core.Snapshot,
    text: str,
    parameters: Mapping[str, Any],
    words: tuple[str, str] = ("label", "type"),
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> Query:
    """The rows of a query on a state of a graph, `words` being the columns of labels and types.

    See `Reader.query`.
    """
    source, parsed = parse(text)
    return Query(source, parsed, parameters, GraphColumns(state, words, threads, progress), True)
