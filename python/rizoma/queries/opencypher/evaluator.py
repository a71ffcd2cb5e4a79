"""The values of expressions for some rows at once: Arrow arrays, or one Arrow scalar where all rows have the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np

from ...core.lazy_arrow import pa, pc
from ...core.read_warnings import warn_of
from ...core.suggestions import suggestion, unquoted
from ...graph.text_items import has_item, items_of
from . import syntax as s
from .arithmetic import calculated
from .comparison import compared, equal
from .functions import AGGREGATES, FUNCTIONS, WrongType, part_of_time
from .lists import element, empty_lists, flattened, inner_rows, list_from, regrouped, sliced, tested
from .tokens import Source
from .values import (
    Rows,
    as_array,
    common_type,
    edge_type,
    fit,
    is_edge,
    is_list,
    is_map,
    is_node,
    is_path,
    is_text,
    is_time,
    list_of,
    node_array,
    node_type,
    type_name,
)

__all__ = ["Evaluator", "GraphValues", "names_in", "no_column"]


class GraphValues(Protocol):
    """What expressions ask of a graph."""

    by_row: bool
    """Edges have numbers of rows, which tell them apart."""

    @property
    def num_vertices(self) -> int:
        """Internal ids of vertices are below."""

    @property
    def has_id_column(self) -> bool:
        """A column is called "id", so that `a.id` is not the id of a vertex."""

    def vertex_column(self, nodes: pa.Array, name: str) -> pa.Array | None:
        """The values of a column for vertices; None: there is no such column."""

    def edge_column(self, edges: pa.Array, name: str) -> pa.Array | None:
        """The values of a column for edges; None: there is no such column."""

    def known_columns(self, of_vertices: bool) -> list[str]:
        """The names of the columns."""

    def label_column(self, of_vertices: bool) -> str:
        """The column of labels, or of types."""

    def pattern_value(self, asked: s.PatternValue, rows: Rows) -> pa.Array:
        """Whether, how often, or with which results a pattern matches beside each row."""


_FUNCTIONS_ELSEWHERE = {"mean": "avg", "average": "avg", "len": "size", "lower": "toLower", "upper": "toUpper"}
_COMPARED = ("=", "<>", "<", "<=", ">", ">=")
_TEXT_TESTS = ("STARTS WITH", "ENDS WITH", "CONTAINS", "=~")
_PLAIN = {"text": "text", "a number": "numbers", "a time": "times", "a truth value": "truth values"}


def _kind_of(kind: pa.DataType) -> str | None:
    """What values of a type are called that no value of another such type equals; None: null, a map, a path."""
    tests = ((is_node, "vertices"), (is_edge, "edges"), (is_list, "lists"))
    return _PLAIN.get(type_name(kind)) or next((name for test, name in tests if test(kind)), None)


def _list_meant(given: s.Expression, kind: pa.DataType) -> str:
    """How to write the list that may be meant by a value of another type."""
    if isinstance(given, s.Literal):
        return f"[{given.value!r}]"
    if is_text(kind):
        return "labels(n) for the labels of a vertex, split(text, ';') for the items of another text, or [..]"
    return "[..], or collect(..) in WITH"


def _number_in_quotes(given: s.Expression) -> str:
    """How to write the number that may be meant by a text; empty: it is none."""
    text = given.value if isinstance(given, s.Literal) and isinstance(given.value, str) else ""
    return f"; write {text} without quotes" if re.fullmatch(r"-?\d+(\.\d+)?", text) else ""


def _near(name: str, known: list[str]) -> str:
    near = suggestion(name, known)
    return "" if near is None else f"; did you mean {near!r}?"


def no_column(what: str, name: str, known: list[str]) -> str:
    """That vertices or edges have no such column, and which they have; a label and a type are columns, too."""
    near = _near(name, known)
    if name in ("label", "type") and not near:
        option = "--vertex-column" if what == "vertices" else "--edge-column"
        near = f"; a {name} is a text in a column of that name: add_column({name!r}, 'string', of={what!r}) adds one, "
        near += f"rizoma import {option} {name}:string keeps that of a file"
    return f"{what} have no column {name!r}; their columns: {', '.join(known) or 'none'}{near}"


def names_in(value: Any) -> set[str]:
    """The names that an expression or pattern uses."""
    found = {each.name for each in s.walk(value) if isinstance(each, s.Variable)}
    patterns = (s.NodePattern, s.EdgePattern, s.PathPattern)
    return found | {each.name for each in s.walk(value) if isinstance(each, patterns) and each.name is not None}


def _is_one_of(values: pa.Array, items: pa.Array, kind: pa.DataType) -> pa.Array:
    """Whether each value is one of the items; whole numbers that no float of `kind` holds are compared exactly."""
    try:
        return pc.is_in(fit(values, kind), value_set=fit(items, kind))
    except pa.ArrowInvalid:
        wanted = set(items.to_pylist())
        return pa.array([value in wanted for value in values.to_pylist()], pa.bool_())


class Evaluator:
    """Expressions of one query over rows."""

    def __init__(self, source: Source, parameters: Mapping[str, pa.Scalar], graph: GraphValues) -> None:
        self.source = source
        self.parameters = parameters
        self.graph = graph
        self._told: set[str] = set()  # what was warned of

    @property
    def has_warned(self) -> bool:
        """Whether it has warned of anything."""
        return bool(self._told)

    def array(self, expression: s.Expression, rows: Rows) -> pa.Array:
        """The values of an expression, one a row."""
        return as_array(self.value(expression, rows), rows.count)

    def truth(self, expression: s.Expression, rows: Rows) -> pa.Array:
        """The truth values of an expression, one a row."""
        return as_array(self._truth(expression, rows), rows.count)

    def value(self, expression: s.Expression, rows: Rows) -> Any:
        """The values of an expression: an array, or a scalar that stands for all rows."""
        kind = type(expression).__name__.lower()
        return getattr(self, f"_{kind}")(expression, rows)

    # ---- leaves ----

    def _literal(self, asked: s.Literal, rows: Rows) -> Any:
        return pa.scalar(asked.value, pa.large_string()) if isinstance(asked.value, str) else pa.scalar(asked.value)

    def _parameter(self, asked: s.Parameter, rows: Rows) -> Any:
        found = self.parameters.get(asked.name)
        if found is None:
            raise self.source.error(asked.place, f"no value is given for ${asked.name}; give {asked.name}=...")
        return found

    def _variable(self, asked: s.Variable, rows: Rows) -> Any:
        found = rows.columns.get(asked.name)
        if found is None:
            known = [name for name in rows.columns if not name.startswith(" ")]
            there = f"; there are {', '.join(known)}" if known else ""
            there += unquoted(asked.name, self.source.text) or self._owner(asked.name, rows)
            raise self.source.error(asked.place, f"nothing here is called {asked.name!r}{there}")
        return found

    def _owner(self, name: str, rows: Rows) -> str:
        """What to say of a name that is a column of a vertex or an edge of the rows."""
        of = {each: column.type for each, column in rows.columns.items() if not each.startswith(" ")}
        owners = {each: is_node(kind) for each, kind in of.items() if is_node(kind) or is_edge(kind)}
        found = next((each for each, node in owners.items() if name in self.graph.known_columns(node)), None)
        return "" if found is None else f"; write {found}.{name}"

    # ---- columns of the graph ----

    def _property(self, asked: s.Property, rows: Rows) -> Any:
        of = self.value(asked.of, rows)
        if is_map(of.type):
            names = [field.name for field in of.type]
            if asked.name not in names:
                return pa.nulls(rows.count)
            return pc.struct_field(as_array(of, rows.count), asked.name)
        if pa.types.is_null(of.type):
            return pa.nulls(rows.count)
        if is_time(of.type):
            found = part_of_time(of, asked.name)
        elif is_node(of.type) or is_edge(of.type):
            found = self._column_of(asked, of, rows)
        else:
            raise self.source.error(
                asked.place, f"{type_name(of.type)} has no columns; vertices, edges, maps and times have"
            )
        if found is None:
            raise self.source.error(asked.place, self._no_column(of.type, asked.name))
        return found

    def _column_of(self, asked: s.Property, of: Any, rows: Rows) -> pa.Array | None:
        """A column of vertices or edges; of those that have a name it is read once."""
        column = self.graph.vertex_column if is_node(of.type) else self.graph.edge_column
        if not isinstance(asked.of, s.Variable):
            return column(as_array(of, rows.count), asked.name)
        known = rows.read.get((asked.of.name, asked.name))
        found = column(of, asked.name) if known is None else known
        if found is not None:
            rows.read[asked.of.name, asked.name] = found
        return found

    def _no_column(self, kind: pa.DataType, name: str) -> str:
        if is_time(kind):
            return f"a time has no {name!r}; it has year, month, day, hour, minute, second and epochSeconds"
        known = self.graph.known_columns(is_node(kind))
        what = "vertices" if is_node(kind) else "edges"
        return no_column(what, name, known)

    def _haslabels(self, asked: s.HasLabels, rows: Rows) -> Any:
        of = self.value(asked.of, rows)
        if not (is_node(of.type) or is_edge(of.type)):
            raise self.source.error(asked.place, f"{type_name(of.type)} has no label; vertices and edges have")
        words = self._label(of, rows, asked.place)
        answers = [self._has_one(words, some, is_node(of.type)) for some in asked.labels]
        found = answers[0]
        for each in answers[1:]:
            found = pc.and_(found, each)
        return pc.if_else(as_array(of, rows.count).is_valid(), found, pa.scalar(None, pa.bool_()))

    @staticmethod
    def _has_one(words: pa.Array, some: tuple[str, ...], are_labels: bool) -> pa.Array:
        """Whether each text is one of some types, or has one of some labels; false of null."""
        if not are_labels:
            return pc.is_in(words, value_set=pa.array(some, pa.large_string()))
        found = has_item(words, some[0])
        for each in some[1:]:
            found = pc.or_(found, has_item(words, each))
        return pc.fill_null(found, False)

    def _label(self, of: Any, rows: Rows, place: int) -> pa.Array:
        name = self.graph.label_column(is_node(of.type))
        column = self.graph.vertex_column if is_node(of.type) else self.graph.edge_column
        found = column(as_array(of, rows.count), name)
        if found is None:
            raise self.source.error(place, self._no_column(of.type, name))
        if not (is_text(found.type) or pa.types.is_null(found.type)):
            what = "label" if is_node(of.type) else "type"
            raise self.source.error(
                place,
                f"a {what} is text, and {name!r} has {type_name(found.type)}; {what}_column= names another column",
            )
        return found

    # ---- logic ----

    def _truth(self, expression: s.Expression, rows: Rows) -> Any:
        found = self.value(expression, rows)
        if pa.types.is_null(found.type):
            return pa.nulls(rows.count, pa.bool_())
        if not pa.types.is_boolean(found.type):
            raise self.source.error(expression.place, f"{type_name(found.type)} is no predicate; compare it")
        return found

    def _unary(self, asked: s.Unary, rows: Rows) -> Any:
        if asked.operator == "NOT":
            return pc.invert(self._truth(asked.operand, rows))
        value = self.value(asked.operand, rows)
        zero = s.Literal(asked.place, 0)
        return calculated(self.source, asked.place, asked.operator, self._literal(zero, rows), value, rows.count)

    def _binary(self, asked: s.Binary, rows: Rows) -> Any:
        if asked.operator in ("AND", "OR", "XOR"):
            return self._logic(asked, rows)
        left, right = self.value(asked.left, rows), self.value(asked.right, rows)
        self._refuse_other_kind(asked, left.type, right.type, rows)
        self._tell_other_kind(asked.operator, asked.place, left.type, right.type)
        try:
            return self._operation(asked, left, right, rows)
        except WrongType as wrong:
            at = asked.right
            hint = f"; write {_list_meant(at, right.type)}" if asked.operator == "IN" else ""
            raise self.source.error(at.place, f"expected {wrong}, not {type_name(right.type)}{hint}") from None
        except pa.ArrowInvalid as error:
            raise self.source.error(asked.right.place, str(error)) from None

    def _operation(self, asked: s.Binary, left: Any, right: Any, rows: Rows) -> Any:
        match asked.operator:
            case "=":
                return equal(left, right, rows.count, self.graph.by_row)
            case "<>":
                return pc.invert(equal(left, right, rows.count, self.graph.by_row))
            case "<" | "<=" | ">" | ">=":
                return compared(asked.operator, left, right, rows.count)
            case "IN":
                return self._is_in(left, right, rows)
            case "STARTS WITH" | "ENDS WITH" | "CONTAINS" | "=~":
                return self._text_test(asked, left, right, rows)
            case _:
                return calculated(self.source, asked.place, asked.operator, left, right, rows.count)

    def _refuse_other_kind(self, asked: s.Binary, left: pa.DataType, right: pa.DataType, rows: Rows) -> None:
        """Refuse to compare a column with a constant of another kind, to which it is equal in no row."""
        if asked.operator not in _COMPARED:
            return
        kinds = [_PLAIN.get(type_name(kind)) for kind in (left, right)]
        sides = (asked.left, asked.right)
        if None in kinds or kinds[0] == kinds[1] or {*kinds} == {"text", "times"}:
            return
        for column, constant, (of, other) in ((*sides, kinds), (*sides[::-1], kinds[::-1])):
            is_constant = isinstance(constant, (s.Literal, s.Parameter))
            if is_constant and isinstance(column, s.Property) and self._is_column(column, rows):
                bare = _number_in_quotes(constant) if of == "numbers" else ""
                said = f"{column.name!r} is a column of {of}, which is compared with {of}, not {other}{bare}"
                raise self.source.error(constant.place, said)

    def _tell_other_kind(self, operator: str, place: int, left: pa.DataType, right: pa.DataType) -> None:
        """Warn, once in a query, of values that are compared with those of another kind, as openCypher permits."""
        if operator in _TEXT_TESTS:
            odd = next((kind for kind in (left, right) if _PLAIN.get(type_name(kind), "text") != "text"), None)
            if odd is not None:
                self._tell(place, f"{operator} tests text, not {_PLAIN[type_name(odd)]}: it is null; toString converts")
            return
        if operator == "IN":
            right = right.value_type if is_list(right) else right
        elif operator not in _COMPARED:
            return
        kinds = [_kind_of(each) for each in (left, right)]
        if None in kinds or kinds[0] == kinds[1] or {*kinds} == {"text", "times"}:
            return
        remedy = "toString, toInteger and toFloat convert"
        if not {"vertices", "edges"}.isdisjoint(kinds):
            remedy = "name a property, as in a.id"
        verb = "is" if kinds[0] == "text" else "are"
        self._tell(
            place, f"{kinds[0]} {verb} compared with {kinds[1]}, which are never equal, and none is less; {remedy}"
        )

    def tell(self, found: Iterable[tuple[int, str]]) -> None:
        """Warn, once in a query, of what stands in these places."""
        for place, what in found:
            self._tell(place, what)

    def _tell(self, place: int, what: str) -> None:
        if what not in self._told:
            self._told.add(what)
            warn_of([str(self.source.error(place, what))])

    def _is_column(self, asked: s.Property, rows: Rows) -> bool:
        """Whether it is a column of a vertex or an edge that has a name."""
        of = rows.columns.get(asked.of.name) if isinstance(asked.of, s.Variable) else None
        return of is not None and (is_node(of.type) or is_edge(of.type))

    def _logic(self, asked: s.Binary, rows: Rows) -> Any:
        left = as_array(self._truth(asked.left, rows), rows.count)
        right = as_array(self._truth(asked.right, rows), rows.count)
        if asked.operator == "XOR":
            return pc.xor(left, right)
        return pc.and_kleene(left, right) if asked.operator == "AND" else pc.or_kleene(left, right)

    def _text_test(self, asked: s.Binary, left: Any, right: Any, rows: Rows) -> Any:
        if not (is_text(left.type) and is_text(right.type)):
            return pa.nulls(rows.count, pa.bool_())
        if asked.operator == "=~":
            if not isinstance(right, pa.Scalar):
                raise self.source.error(
                    asked.right.place, "a regular expression is a text or a parameter; write it in quotes, or as $name"
                )
            pattern = right.as_py()
            if pattern is None:
                return pa.nulls(rows.count, pa.bool_())
            return pc.match_substring_regex(left, pattern=f"^(?:{pattern})$")
        return FUNCTIONS[asked.operator.replace(" ", "").lower()].call(rows.count, left, right)

    def _isnull(self, asked: s.IsNull, rows: Rows) -> Any:
        value = as_array(self.value(asked.operand, rows), rows.count)
        return value.is_valid() if asked.negated else value.is_null()

    def _is_in(self, value: Any, lists: Any, rows: Rows) -> Any:
        if pa.types.is_null(lists.type):
            return pa.nulls(rows.count, pa.bool_())
        if not is_list(lists.type):
            raise WrongType("a list")
        if isinstance(lists, pa.Scalar) and lists.is_valid and not pa.types.is_nested(lists.type.value_type):
            return self._is_in_constant(value, lists.values, rows)
        lists = as_array(lists, rows.count)
        items, parents = flattened(lists)
        same = equal(as_array(value, rows.count).take(pa.array(parents)), items, len(items), self.graph.by_row)
        return tested("any", as_array(same, len(items)), parents, lists)

    def _is_in_constant(self, value: Any, items: pa.Array, rows: Rows) -> Any:
        array = as_array(value, rows.count)
        kind = common_type(array.type, items.type)
        if len(items) == 0:
            return pa.repeat(False, rows.count)
        if is_time(array.type) and is_text(items.type):
            kind = array.type
        if kind is None:
            found = pa.repeat(False, rows.count)
        elif pa.types.is_null(kind):
            return pa.nulls(rows.count, pa.bool_())
        elif pa.types.is_float32(array.type):  # as a comparison with one number rounds it
            found = pc.is_in(array, value_set=items.drop_null().cast(pa.float32(), safe=False))
        else:
            found = _is_one_of(array, items.drop_null(), kind)
        if items.null_count:
            found = pc.if_else(found, pa.scalar(True), pa.scalar(None, pa.bool_()))
        return pc.if_else(array.is_valid(), found, pa.scalar(None, pa.bool_()))

    # ---- lists, maps, choices ----

    def _listof(self, asked: s.ListOf, rows: Rows) -> Any:
        values = [self.value(each, rows) for each in asked.items]
        kind = pa.null()
        for each, value in zip(asked.items, values, strict=True):
            wider = common_type(kind, value.type)
            if wider is None:
                wrong = (
                    f"a list has values of one type; this is {type_name(value.type)} beside {type_name(kind)}; "
                    "convert one, as by toString"
                )
                raise self.source.error(each.place, wrong)
            kind = wider
        if all(isinstance(each, pa.Scalar) for each in values) and not pa.types.is_nested(kind):
            try:
                return pa.scalar([each.as_py() for each in values], pa.large_list(kind))
            except pa.ArrowInvalid:
                wrong = "a list has values of one type, and a whole number beyond 2^53 is no float"
                raise self.source.error(asked.place, f"{wrong}; write all as floats, or none") from None
        return list_from([fit(as_array(each, rows.count), kind) for each in values], kind, rows.count)

    def _mapof(self, asked: s.MapOf, rows: Rows) -> Any:
        if not asked.items:
            raise self.source.error(asked.place, "a map without keys has no type; give it a key")
        columns = [self.array(value, rows) for _, value in asked.items]
        fields = [(name, column.type) for (name, _), column in zip(asked.items, columns, strict=True)]
        return pa.StructArray.from_arrays(columns, fields=[pa.field(*each) for each in fields])

    def _index(self, asked: s.Index, rows: Rows) -> Any:
        of = self.value(asked.of, rows)
        if isinstance(asked.index, s.Literal) and isinstance(asked.index.value, str):
            return self._property(s.Property(asked.index.place, asked.of, asked.index.value), rows)
        index = self.value(asked.index, rows)
        if isinstance(index, pa.Scalar) and is_text(index.type) and index.is_valid:
            return self._property(s.Property(asked.index.place, asked.of, index.as_py()), rows)
        if pa.types.is_null(of.type) or pa.types.is_null(index.type):
            return pa.nulls(rows.count)
        if not is_list(of.type) or not pa.types.is_integer(index.type):
            raise self.source.error(
                asked.index.place,
                f"{type_name(of.type)} has no place {type_name(index.type)}; a list has places 0, 1, ...",
            )
        return element(as_array(of, rows.count), as_array(index, rows.count))

    def _slice(self, asked: s.Slice, rows: Rows) -> Any:
        of = self.value(asked.of, rows)
        if pa.types.is_null(of.type):
            return pa.nulls(rows.count)
        if not is_list(of.type):
            raise self.source.error(asked.place, f"{type_name(of.type)} is no list; text is cut by substring")
        ends = [None if each is None else self.array(each, rows) for each in (asked.begin, asked.end)]
        return sliced(as_array(of, rows.count), *(None if e is None else e.cast(pa.int64()) for e in ends))

    def _elements(self, source: s.Expression, name: str, rows: Rows, used: set[str]) -> tuple[pa.Array, Any, Rows]:
        lists = self.array(source, rows)
        if pa.types.is_null(lists.type):
            lists = pa.nulls(rows.count, pa.large_list(pa.null()))
        if not is_list(lists.type):
            raise self.source.error(
                source.place, f"expected a list, not {type_name(lists.type)}; write {_list_meant(source, lists.type)}"
            )
        items, parents = flattened(lists)
        return lists, parents, inner_rows(rows, name, items, parents, used)

    def _comprehension(self, asked: s.Comprehension, rows: Rows) -> Any:
        used = names_in((asked.where, asked.result))
        lists, parents, inner = self._elements(asked.source, asked.name, rows, used)
        if asked.where is not None:
            kept = np.flatnonzero(np.asarray(pc.fill_null(self.truth(asked.where, inner), False)))
            parents, inner = parents[kept], inner.take(pa.array(kept))
        items = inner.columns[asked.name] if asked.result is None else self.array(asked.result, inner)
        return regrouped(items, parents, lists)

    def _quantifier(self, asked: s.Quantifier, rows: Rows) -> Any:
        lists, parents, inner = self._elements(asked.source, asked.name, rows, names_in(asked.where))
        return tested(asked.kind, self.truth(asked.where, inner), parents, lists)

    def _case(self, asked: s.Case, rows: Rows) -> Any:
        subject = None if asked.subject is None else self.value(asked.subject, rows)
        default = s.Literal(asked.place, None) if asked.default is None else asked.default
        values = [self.value(then, rows) for _, then in asked.whens] + [self.value(default, rows)]
        kind = pa.null()
        for each, value in zip([*(then for _, then in asked.whens), default], values, strict=True):
            wider = common_type(kind, value.type)
            if wider is None:
                raise self.source.error(
                    each.place,
                    f"CASE gives {type_name(kind)} and {type_name(value.type)}; give one type, as by toString",
                )
            kind = wider
        found = fit(as_array(values[-1], rows.count), kind)
        for (when, _), value in zip(reversed(asked.whens), reversed(values[:-1]), strict=True):
            if subject is None:
                holds = self.truth(when, rows)
            else:
                other = self.value(when, rows)
                self._tell_other_kind("=", when.place, subject.type, other.type)
                holds = as_array(equal(subject, other, rows.count, self.graph.by_row), rows.count)
            found = pc.if_else(pc.fill_null(holds, False), fit(as_array(value, rows.count), kind), found)
        return found

    # ---- functions ----

    def _patternvalue(self, asked: s.PatternValue, rows: Rows) -> Any:
        return self.graph.pattern_value(asked, rows)

    def _call(self, asked: s.Call, rows: Rows) -> Any:
        if asked.name in AGGREGATES:
            raise self.source.error(
                asked.place,
                f"{asked.name} stands in WITH or RETURN, and not within another one; compute it in WITH first",
            )
        own = getattr(self, f"_call_{asked.name}", None)
        values = [self.value(each, rows) for each in asked.arguments]
        if own is not None:
            if len(values) != 1:
                raise self.source.error(asked.place, f"{asked.name} takes one argument, not {len(values)}")
            return own(asked, as_array(values[0], rows.count), rows)
        function = FUNCTIONS.get(asked.name)
        if function is None:
            raise self.source.error(asked.place, self._no_function(asked.name))
        if not function.least <= len(values) <= function.most:
            takes = f"{function.least}" if function.least == function.most else f"{function.least} to {function.most}"
            raise self.source.error(asked.place, f"{asked.name} takes {takes} arguments, not {len(values)}")
        try:
            return function.call(rows.count, *values)
        except WrongType as wrong:
            given = ", ".join(type_name(each.type) for each in values)
            remedy = self._column_instead(asked, values)
            raise self.source.error(asked.place, f"{asked.name} takes {wrong}, not {given}{remedy}") from None
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, TypeError) as error:
            raise self.source.error(asked.place, f"{asked.name}: {error}") from None

    def _column_instead(self, asked: s.Call, values: list[Any]) -> str:
        """What to write where a vertex or an edge was given for one of its values."""
        for argument, value in zip(asked.arguments, values, strict=True):
            if isinstance(argument, s.Variable) and (is_node(value.type) or is_edge(value.type)):
                known = self.graph.known_columns(is_node(value.type))
                name = next((each for each in known if each != "id"), "id" if known else None)
                if name is not None:
                    return f"; give a column of it, as in {asked.name}({argument.name}.{name})"
        return ""

    def _no_function(self, name: str) -> str:
        own = [each.removeprefix("_call_") for each in dir(self) if each.startswith("_call_")]
        if name == "has":
            return (
                "has is a function of predicates; write n:Person for a label, 'x' IN split(text, ';') for another item"
            )
        known = _FUNCTIONS_ELSEWHERE.get(name.lower())
        near = f"; did you mean {known!r}?" if known else _near(name, [*FUNCTIONS, *AGGREGATES, *own])
        return f"there is no function {name!r}{near or '; compute it from the result, with DuckDB or polars'}"

    def _expected(self, asked: s.Call, value: pa.Array, what: str) -> Exception:
        return self.source.error(asked.arguments[0].place, f"{asked.name} takes {what}, not {type_name(value.type)}")

    def _call_id(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        if not is_node(value.type):
            raise self._expected(asked, value, "a vertex; edges have no id")
        return self.graph.vertex_column(value, " id")

    def _call_labels(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        if pa.types.is_null(value.type):
            return value
        if not is_node(value.type):
            raise self._expected(asked, value, "a vertex")
        lists = list_of(*items_of(self._label(value, rows, asked.place)), value.is_null())
        return lists if len(lists) else empty_lists(0, pa.large_string())

    def _call_type(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        if pa.types.is_null(value.type):
            return value
        if not is_edge(value.type):
            raise self._expected(asked, value, "an edge")
        return self._label(value, rows, asked.place)

    def _call_startnode(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        return self._end(asked, value, "_from")

    def _call_endnode(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        return self._end(asked, value, "_to")

    def _end(self, asked: s.Call, value: pa.Array, field: str) -> Any:
        if not is_edge(value.type):
            raise self._expected(asked, value, "an edge")
        numbers = np.asarray(pc.fill_null(pc.struct_field(value, field), 0), np.uint64)
        return node_array(numbers, value.is_null())

    def _call_nodes(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        return self._of_path(asked, value, "_vertices", pa.large_list(node_type()))

    def _call_relationships(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        return self._of_path(asked, value, "_edges", pa.large_list(edge_type()))

    def _call_length(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        if is_text(value.type) or is_list(value.type):
            raise self._expected(asked, value, "a path (size takes text and lists)")
        return pc.list_value_length(self._of_path(asked, value, "_edges", pa.large_list(edge_type()))).cast(pa.int64())

    def _of_path(self, asked: s.Call, value: pa.Array, field: str, kind: pa.DataType) -> Any:
        if pa.types.is_null(value.type):
            return pa.nulls(len(value), kind)
        if not is_path(value.type):
            raise self._expected(asked, value, "a path")
        return pc.struct_field(value, field)

    def _call_properties(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        if is_map(value.type):
            return value
        names, columns = self._columns_of(asked, value)
        fields = [pa.field(name, each.type) for name, each in zip(names, columns, strict=True)]
        return pa.StructArray.from_arrays(columns, fields=fields, mask=value.is_null())

    def _call_keys(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        if pa.types.is_null(value.type):
            return value
        if is_map(value.type):
            names, of_all = value.type.names, np.ones((len(value), value.type.num_fields), bool)
        else:
            names, columns = self._columns_of(asked, value)
            of_all = np.column_stack([np.asarray(each.is_valid()) for each in columns] or [np.empty((len(value), 0))])
        of_all = of_all.astype(bool) & np.asarray(value.is_valid())[:, None]
        found = pa.array(np.broadcast_to(np.asarray(names, object), of_all.shape)[of_all], pa.large_string())
        return list_of(found, of_all.sum(axis=1), value.is_null())

    def _columns_of(self, asked: s.Call, value: pa.Array) -> tuple[list[str], list[Any]]:
        """Names and values of the columns of vertices or edges."""
        if not (is_node(value.type) or is_edge(value.type)):
            raise self._expected(asked, value, "a vertex or an edge")
        column = self.graph.vertex_column if is_node(value.type) else self.graph.edge_column
        names = [name for name in self.graph.known_columns(is_node(value.type)) if name != "id"]
        return names, [column(value, name) for name in names]

    def _call_exists(self, asked: s.Call, value: pa.Array, rows: Rows) -> Any:
        return value.is_valid()
