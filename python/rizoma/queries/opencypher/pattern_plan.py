"""What one MATCH means: a pattern that the engine matches, repetitions after it, and what is tested last."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InvalidArgumentError
from ...core.lazy_arrow import pa
from ...graph.ids import find_many
from ..parameters import literal_text, with_names
from . import syntax as s
from .evaluator import Evaluator, names_in, no_column
from .graph_values import GraphColumns
from .pushdown import conjuncts, constant, predicate_text
from .values import is_edge, is_node, type_name

__all__ = ["PatternPlan", "PatternPlanner", "Repetition"]

_MOST_EITHER = 5  # edges in either direction whose direction is asked for: each doubles the patterns
_MOST_REPETITIONS = 16
_NO_VERTEX = np.iinfo(np.uint64).max


@dataclass(frozen=True)
class Repetition:
    """A repeated edge, walked hop by hop."""

    start: str
    end: str
    forward: bool
    """The walk goes from the pattern's left vertex to its right one."""
    edge: s.EdgePattern
    name: str
    """The column of its edges, in the pattern's order."""
    end_is_known: bool
    shortest: str | None
    wheres: tuple[str, ...]
    """Predicates on one hop, `(v0)-[e0]->(v1)`."""


@dataclass
class PatternPlan:
    """How one MATCH is computed; names that begin with a blank are the plan's own."""

    nodes: dict[str, str] = field(default_factory=dict)
    """Names of vertices that the engine matches, and what it calls them."""
    edges: dict[str, str] = field(default_factory=dict)
    patterns: list[tuple[str, dict[str, tuple[str, str]], list[str]]] = field(default_factory=list)
    """Texts whose matches are put together, each with the ends of its edges and predicates of its own."""
    wheres: list[str] = field(default_factory=list)
    anchors: dict[str, npt.NDArray[np.uint64]] = field(default_factory=dict)
    bound: dict[str, pa.DataType] = field(default_factory=dict)
    """Names of the pattern that stood before it."""
    bound_edges: dict[str, str] = field(default_factory=dict)
    """Edges that stood before, and what they are called here."""
    repetitions: list[Repetition] = field(default_factory=list)
    paths: list[tuple[str, tuple[str, ...], tuple[tuple[str, bool], ...]]] = field(default_factory=list)
    """Names of paths, their vertices, and their edges with whether they are repeated."""
    residual: list[s.Expression] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    """Names that it gives."""
    with_ends: bool = False
    """The ends of edges are asked for."""
    reads: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    """The vertices and edges whose columns are read."""
    together: int = 0
    """How many matches all threads make at once, at least; 0: as many as elsewhere."""
    again: Callable[[Evaluator, GraphColumns], PatternPlan | None] = field(default=lambda *_: None, repr=False)
    """The same for other values of the parameters, of the same types, and another state; None: plan anew."""

    @property
    def is_engines(self) -> bool:
        """The engine alone matches it, so that it counts without rows."""
        return (
            bool(self.patterns)
            and len(self.patterns) == 1
            and not (self.repetitions or self.residual or self.bound or self.bound_edges)
        )


class PatternPlanner:
    """Plans a pattern beside rows of the columns `outer`; `asked`: what reads its matches (None: everything).

    `first`: it heeds the predicates and anchors that the graph is read with.
    """

    def __init__(
        self,
        paths: tuple[s.PathPattern, ...],
        where: s.Expression | None,
        outer: Mapping[str, pa.DataType],
        asked: Iterable[s.Expression | s.Clause] | None,
        evaluator: Evaluator,
        graph: GraphColumns,
        first: bool = False,
    ) -> None:
        self.wheres = graph.wheres if first else ()
        self.anchors = dict(graph.anchors) if first else {}
        self.source = evaluator.source
        self.parameters = evaluator.parameters
        self.graph = graph
        self.outer = outer
        self.asked = asked
        self.where = where
        self.made = PatternPlan(again=self._again)
        self.said: list[tuple[s.Expression, str | None]] = []  # to the engine, with the text; none: as anchors
        self.constraints: dict[str, list[s.NodePattern]] = {}
        self.fixed: list[tuple[str, str, s.EdgePattern, str]] = []
        self.passed: list[tuple[str, str, s.EdgePattern]] = []
        self.walked: list[tuple[str, str, s.EdgePattern, str, str | None]] = []
        self.paths = [self._numbered(number, path) for number, path in enumerate(paths)]

    # ---- names ----

    def _numbered(self, number: int, path: s.PathPattern) -> tuple[s.PathPattern, tuple[str, ...], tuple[str, ...]]:
        nodes = tuple(each.name or f" v{number}.{i}" for i, each in enumerate(path.nodes))
        edges = tuple(each.name or f" e{number}.{i}" for i, each in enumerate(path.edges))
        return path, nodes, edges

    def plan(self) -> PatternPlan:
        """The plan, or the error of a pattern that has none."""
        seen: dict[str, str] = {}
        for path, nodes, edges in self.paths:
            for name, node in zip(nodes, path.nodes, strict=True):
                self._check_name(seen, name, "vertex", node.place)
                self.constraints.setdefault(name, []).append(node)
            for name, edge in zip(edges, path.edges, strict=True):
                self._check_name(seen, name, "edge", edge.place)
            if path.name is not None:
                self._check_name(seen, path.name, "path", path.place)
        self.made.new = [n for n in seen if n not in self.outer and not n.startswith(" ")]
        self._sort_edges()
        self.made.with_ends = self._asks_for_ends()
        self._name_engine_parts()
        self._constrain()
        self._plan_repetitions()
        self._write_patterns()
        for path, nodes, edges in self.paths:
            if path.name is not None:
                kinds = tuple((n, e.repeated) for n, e in zip(edges, path.edges, strict=True))
                self.made.paths.append((path.name, nodes, kinds))
        self.made.reads = self._reads()
        del self.graph  # plans outlive states
        return self.made

    def _reads(self) -> tuple[list[str], list[str]]:
        """What later steps use of the engine's matches; at least one vertex, which says how many there are."""
        made, used = self.made, self._used
        if used is None:
            return list(made.nodes), list(made.edges)
        edges = [name for name in made.edges if name in used or made.repetitions]
        if made.with_ends or made.bound_edges:
            used |= {end for _, ends, _ in made.patterns for name in edges for end in ends[name]}
        nodes = [name for name in made.nodes if name in used]
        return nodes or list(made.nodes)[:1], edges

    @cached_property
    def _used(self) -> set[str] | None:
        """The names that later steps use; None: they may use all."""
        made = self.made
        apart = self.graph.distinct == "nodes" and bool(made.repetitions)
        starred = self.asked is None or any(isinstance(c, s.Projection) and c.starred for c in self.asked)
        named = any(path.name is not None for path, _, _ in self.paths)
        if self.asked is None or starred or named or apart:
            return None
        used = names_in((tuple(self.asked), tuple(made.residual))) | {*made.bound} | {*made.bound_edges.values()}
        return used | {name for each in made.repetitions for name in (each.start, each.end)}

    def _is_told_apart(self, edge: str) -> bool:
        """Whether it matters which of parallel edges stands for a name."""
        engine = re.compile(rf"\b{self.made.edges[edge]}\b")
        is_read = self._used is None or edge in self._used or bool(self.made.repetitions)
        return is_read or self.made.with_ends or any(engine.search(text) for text in self.made.wheres)

    def _check_name(self, seen: dict[str, str], name: str, kind: str, place: int) -> None:
        if seen.setdefault(name, kind) != kind:
            raise self.source.error(place, f"{name!r} is the name of {_a(seen[name])} and of {_a(kind)}; rename one")
        before = self.outer.get(name)
        if kind == "edge" and list(self._all_edges()).count(name) > 1:
            raise self.source.error(
                place, f"a match uses no edge twice: {name!r} stands for one edge; rename one of two"
            )
        if before is None:
            return
        if kind == "path":
            raise self.source.error(place, f"{name!r} has a value already; give the path another name")
        if kind == "vertex" and not (is_node(before) or pa.types.is_null(before)):
            raise self.source.error(place, f"{name!r} is {type_name(before)}, not a vertex; rename one of the two")
        if kind == "edge" and not (is_edge(before) or pa.types.is_null(before)):
            raise self.source.error(place, f"{name!r} is {type_name(before)}, not an edge; rename one of the two")

    def _all_edges(self) -> Iterable[str]:
        return (name for _, _, edges in self.paths for name in edges)

    # ---- what the engine matches ----

    def _sort_edges(self) -> None:
        every = [(p, n, e) for p, nodes, names in self.paths for n, e in [(nodes, names)]]
        pairs = [
            (nodes[i], nodes[i + 1], edge, names[i], path)
            for path, nodes, names in every
            for i, edge in enumerate(path.edges)
        ]
        passes = [self._passes(edge, path) for _, _, edge, _, path in pairs if edge.repeated]
        of_types = self.graph.label_column(False)
        for left, right, edge, name, path in pairs:
            if edge.types and self.graph.column_type(False, of_types) is None:
                raise self.source.error(edge.place, no_column("edges", of_types, self.graph.known_columns(False)))
            if not edge.repeated:
                self.fixed.append((left, right, edge, name))
            elif all(passes):
                self.passed.append((left, right, edge))
            else:
                if name in self.outer:
                    raise self.source.error(edge.place, f"{name!r} has a value; a repeated edge is given a new name")
                self.walked.append((left, right, edge, name, path.shortest))
        self._check_walked()

    def _check_walked(self) -> None:
        """Refuse walks that do not end, or that would have to keep apart what they cannot."""
        every = [each for each in self.walked if each[4] is None]
        for left, right, edge, _, _ in every:
            if edge.most is None and self.graph.distinct == "none":
                raise self.source.error(
                    edge.place,
                    "an edge repeated without a bound has no end of matches; give a bound as in *..5, or match "
                    "with distinct='edges' or 'nodes', or the shortest",
                )
            if self.graph.distinct == "nodes" and (left == right or len(every) > 1):
                raise self.source.error(
                    edge.place,
                    "distinct='nodes' takes one repeated edge between two vertices; use distinct='edges'",
                )

    def _passes(self, edge: s.EdgePattern, path: s.PathPattern) -> bool:
        """Whether the engine repeats an edge itself."""
        if edge.name is not None or path.name is not None or path.shortest or edge.most is None:
            return False
        plain = all(constant(value, self.parameters)[0] for _, value in edge.properties)
        return 1 <= edge.least <= edge.most <= _MOST_REPETITIONS and plain

    def _asks_for_ends(self) -> bool:
        """Whether the ends of edges are read: by functions, paths, results, or to tell edges apart."""
        if self.asked is None or any(path.name is not None for path, _, _ in self.paths):
            return True
        if not self.graph.by_row and (self.walked or self.outer):
            return True
        edges = {name for _, _, _, name in self.fixed}
        return any(_reads_whole(each, edges) for each in [*self.asked, self.where] if each is not None)

    def _name_engine_parts(self) -> None:
        pairs = [each[:2] for each in self.fixed] + [each[:2] for each in self.passed]
        for name in self.anchors:
            if name not in self.constraints:
                raise InvalidArgumentError(f"{name}= names no vertex of the parts that must match; name one of them")
        for name in dict.fromkeys([*(end for pair in pairs for end in pair), *self.anchors]):
            self._engine_node(name)
        ends = {n for left, right, *_ in self.walked for n in (left, right)}
        for name, patterns in self.constraints.items():
            said = any(each.labels or each.properties for each in patterns) or self._is_asked_about(name)
            begins = name not in self.outer and said and (self._begins_walk(name) or self._is_one_by_id(name))
            if (name not in ends and name not in self.made.nodes) or (name in ends and begins):
                self._engine_node(name)
        for _, _, _, name in self.fixed:
            self.made.edges[f" b{name}" if name in self.outer else name] = f"e{len(self.made.edges)}"
            if name in self.outer:
                self.made.bound_edges[name] = f" b{name}"

    def _is_asked_about(self, name: str) -> bool:
        """Whether a predicate speaks of this vertex alone."""
        return any(_variables(each) == {name} for each in conjuncts(self.where))

    def _is_one_by_id(self, name: str) -> bool:
        """Whether a predicate says which vertex it is, so that a walk between two of them has known ends."""
        for node in () if self.graph.has_id_column else self.constraints[name]:
            if any(column == "id" and constant(value, self.parameters)[0] for column, value in node.properties):
                return True
        for each in conjuncts(self.where):
            if isinstance(each, s.Binary) and each.operator == "=" and _variables(each) == {name}:
                sides = (each.left, each.right)
                if any(constant(side, self.parameters)[0] for side in sides) and any(map(self._reads_id, sides)):
                    return True
        return False

    def _reads_id(self, asked: s.Expression) -> bool:
        """Whether it is `id(a)`, or `a.id` where no column is called so."""
        if isinstance(asked, s.Property):
            return asked.name == "id" and not self.graph.has_id_column
        return isinstance(asked, s.Call) and asked.name == "id" and len(asked.arguments) == 1

    def _begins_walk(self, name: str) -> bool:
        """Whether a walk without another known end begins at a vertex."""
        for left, right, *_ in self.walked:
            other = right if left == name else left
            if name in (left, right) and (other in self.made.nodes or other in self.outer):
                return False
        return True

    def _engine_node(self, name: str) -> None:
        if name not in self.made.nodes:
            self.made.nodes[name] = f"v{len(self.made.nodes)}"
            if name in self.outer:
                self.made.bound[name] = self.outer[name]

    # ---- predicates ----

    def _constrain(self) -> None:
        asked = [*conjuncts(self.where)]
        for name, patterns in self.constraints.items():
            for node in patterns:
                asked += self._said_of(name, node.labels, node.properties, node.place)
        for _, _, edge, name in self.fixed:
            own = f" b{name}" if name in self.outer else name
            asked += self._said_of(own, (), edge.properties, edge.place)
        for predicate in asked:
            self._check_columns(predicate)
            if self._anchor(predicate):
                self.said.append((predicate, None))
                continue
            text = predicate_text(predicate, self._engine_column, self.parameters)
            if text is None:
                self.made.residual.append(predicate)
            else:
                self.said.append((predicate, text))
                self.made.wheres.append(text)
        elsewhere = {*self.constraints, *self._all_edges()}
        engine = dict.fromkeys(elsewhere) | self.made.nodes | self.made.edges
        self.made.wheres += [with_names(text, engine) for text in self.wheres]
        for name, numbers in self.anchors.items():
            known = self.made.anchors.get(self.made.nodes[name])
            self.made.anchors[self.made.nodes[name]] = numbers if known is None else np.intersect1d(known, numbers)

    def _again(self, evaluator: Evaluator, graph: GraphColumns) -> PatternPlan | None:
        other = copy(self)
        other.parameters, other.graph = evaluator.parameters, graph
        other.made = replace(self.made, wheres=[], anchors={})
        for predicate, text in self.said:
            if text is None:
                other._anchor(predicate)
                continue
            if any(isinstance(each, s.Parameter) for each in s.walk(predicate)):
                text = predicate_text(predicate, other._engine_column, other.parameters)
            if text is None:
                return None
            other.made.wheres.append(text)
        return other.made

    def _said_of(
        self,
        name: str,
        labels: tuple[tuple[str, ...], ...],
        properties: tuple[tuple[str, s.Expression], ...],
        place: int,
    ) -> list[s.Expression]:
        variable = s.Variable(place, name)
        found: list[s.Expression] = [s.HasLabels(place, variable, labels)] if labels else []
        return found + [
            s.Binary(value.place, "=", s.Property(value.place, variable, column), value) for column, value in properties
        ]

    def _check_columns(self, predicate: s.Expression) -> None:
        """Refuse columns that there are not before anything runs."""
        for each in s.walk(predicate):
            if isinstance(each, s.Property) and isinstance(each.of, s.Variable):
                name = each.of.name
                of_vertices = name in self.constraints
                if of_vertices or name in self.made.edges:
                    known = self.graph.known_columns(of_vertices)
                    if self.graph.column_type(of_vertices, each.name) is None:
                        what = "vertices" if of_vertices else "edges"
                        raise self.source.error(each.place, no_column(what, each.name, known))

    def _engine_column(self, asked: s.Expression) -> tuple[str, str] | None:
        """What the engine calls a column of something that it matches, and its type."""
        of = asked.of if isinstance(asked, (s.Property, s.HasLabels)) else None
        column = asked.name if isinstance(asked, s.Property) else None
        if isinstance(asked, s.Call) and len(asked.arguments) == 1:
            of = asked.arguments[0]
        if not isinstance(of, s.Variable):
            return None
        of_vertices = of.name in self.made.nodes
        engine = self.made.nodes.get(of.name) or self.made.edges.get(of.name)
        if engine is None:
            return None
        if isinstance(asked, s.HasLabels) or (isinstance(asked, s.Call) and asked.name == "type" and not of_vertices):
            column = self.graph.label_column(of_vertices)
        elif isinstance(asked, s.Call):
            if asked.name != "id" or not of_vertices:
                return None
            return engine, "string" if self.graph.text_ids else "int64"
        assert column is not None
        kind = self.graph.column_type(of_vertices, column)
        if kind is None:
            return None
        quoted = column.replace("`", "``")
        return f"{engine}.`{quoted}`", kind

    def _anchor(self, predicate: s.Expression) -> bool:
        """Take `id(a) = x` and `id(a) IN [..]` as the vertices that a name may stand for."""
        if not isinstance(predicate, s.Binary) or predicate.operator not in ("=", "IN"):
            return False
        asked, given = predicate.left, predicate.right
        if predicate.operator == "=" and not self._is_id(asked):
            asked, given = given, asked
        known, value = constant(given, self.parameters)
        if not known or not self._is_id(asked):
            return False
        values = value if predicate.operator == "IN" else [value]
        if not isinstance(values, list):
            return False
        kind = str if self.graph.text_ids else int
        if any(isinstance(each, bool) or isinstance(each, str) != (kind is str) for each in values if each is not None):
            return False  # of another kind: the evaluator refuses it, or says so
        fitting = [each for each in map(_whole, values) if isinstance(each, kind) and not isinstance(each, bool)]
        numbers = np.asarray(find_many(self.graph.state, fitting), np.uint64) if fitting else np.empty(0, np.uint64)
        name = self._id_of(asked)
        engine = self.made.nodes[name]
        found = np.unique(numbers[numbers != _NO_VERTEX])
        before = self.made.anchors.get(engine)
        self.made.anchors[engine] = found if before is None else np.intersect1d(before, found)
        return True

    def _is_id(self, asked: s.Expression) -> bool:
        return self._reads_id(asked) and self._id_of(asked) in self.made.nodes

    def _id_of(self, asked: s.Expression) -> str:
        of = asked.of if isinstance(asked, s.Property) else asked.arguments[0] if isinstance(asked, s.Call) else None
        return of.name if isinstance(of, s.Variable) else ""

    # ---- repetitions ----

    def _plan_repetitions(self) -> None:
        known = {*self.made.nodes, *self.outer}
        waiting = list(self.walked)
        while waiting:
            each = next((w for w in waiting if w[0] in known or w[1] in known), None)
            if each is None:  # it begins at all vertices
                each = waiting[0]
                self._engine_node(each[0])
                known.add(each[0])
            waiting.remove(each)
            left, right, edge, name, shortest = each
            forward = left in known
            start, end = (left, right) if forward else (right, left)
            self.made.repetitions.append(
                Repetition(start, end, forward, edge, name, end in known, shortest, self._hop_wheres(edge))
            )
            known.add(end)

    def _hop_wheres(self, edge: s.EdgePattern) -> tuple[str, ...]:
        found = []
        for column, value in edge.properties:
            known, given = constant(value, self.parameters)
            text = literal_text(given) if known else None
            if self.graph.column_type(False, column) is None:
                wrong = no_column("edges", column, self.graph.known_columns(False))
                raise self.source.error(value.place, wrong)
            if text is None:
                raise self.source.error(
                    value.place,
                    "a repeated edge is compared with constants and parameters; test its edges in "
                    "WHERE all(e IN relationships(p) WHERE ..)",
                )
            quoted = column.replace("`", "``")
            found.append(f"e0.`{quoted}` = {text}")
        return tuple(found)

    # ---- texts ----

    def _write_patterns(self) -> None:
        if not self.made.nodes:
            return
        either = [name for _, _, edge, name in self.fixed if edge.direction == "--"]
        split = self.made.with_ends and self.graph.directed and bool(either)
        if split and len(either) > _MOST_EITHER:
            place = next(edge.place for _, _, edge, _ in self.fixed if edge.direction == "--")
            raise self.source.error(
                place, f"the ends of more than {_MOST_EITHER} edges without direction are asked for; give directions"
            )
        for turned in product((False, True), repeat=len(either) if split else 0):
            turns = dict(zip(either, turned, strict=False))
            self.made.patterns.append(self._pattern(turns))

    def _pattern(self, turns: Mapping[str, bool]) -> tuple[str, dict[str, tuple[str, str]], list[str]]:
        texts, ends, wheres, used = [], {}, [], set()
        for left, right, edge, name in self.fixed:
            own = f" b{name}" if name in self.outer else name
            direction = edge.direction if name not in turns else "<-" if turns[name] else "->"
            body = f"[{self.made.edges[own] if self._is_told_apart(own) else ''}{_types(edge)}]"
            texts.append(self._edge(left, right, body, direction))
            ends[own] = (right, left) if direction == "<-" else (left, right)
            if turns.get(name):
                wheres.append(f"{self.made.nodes[left]} <> {self.made.nodes[right]}")
            used |= {left, right}
        for left, right, edge in self.passed:
            body = f"[{_types(edge)}*{edge.least}..{edge.most}{self._constants(edge)}]"
            texts.append(self._edge(left, right, body, edge.direction))
            used |= {left, right}
        texts += [f"({engine})" for name, engine in self.made.nodes.items() if name not in used]
        return ", ".join(texts), ends, wheres

    def _edge(self, left: str, right: str, body: str, direction: str) -> str:
        before, after = "<-" if direction == "<-" else "-", "->" if direction == "->" else "-"
        return f"({self.made.nodes[left]}){before}{body}{after}({self.made.nodes[right]})"

    def _constants(self, edge: s.EdgePattern) -> str:
        if not edge.properties:
            return ""
        self._hop_wheres(edge)
        pairs = []
        for column, value in edge.properties:
            quoted = column.replace("`", "``")
            pairs.append(f"`{quoted}`: {literal_text(constant(value, self.parameters)[1])}")
        return f" {{{', '.join(pairs)}}}"


def _types(edge: s.EdgePattern) -> str:
    return ":" + "|".join("`" + each.replace("`", "``") + "`" for each in edge.types) if edge.types else ""


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _reads_whole(value: object, edges: set[str]) -> bool:
    """Whether an edge is used otherwise than for its columns, its type, or to be counted."""
    if isinstance(value, s.Variable):
        return value.name in edges
    if isinstance(value, (s.Property, s.HasLabels, s.IsNull)):
        inner = value.operand if isinstance(value, s.IsNull) else value.of
        return not isinstance(inner, s.Variable) and _reads_whole(inner, edges)
    if isinstance(value, s.Call) and value.name in ("type", "count") and not value.distinct:
        return any(not isinstance(each, s.Variable) and _reads_whole(each, edges) for each in value.arguments)
    if isinstance(value, s.Projection) and value.starred:
        return True
    if isinstance(value, (s.EdgePattern, s.PathPattern)) and value.name in edges:
        return True
    return any(_reads_whole(each, edges) for each in s.parts_of(value))


def _variables(expression: s.Expression) -> set[str]:
    """The names that an expression reads."""
    return {each.name for each in s.walk(expression) if isinstance(each, s.Variable)}


def _whole(value: Any) -> Any:
    """The integer that a float is equal to, since `a.id = 7.0` holds where the id is 7; else the value."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2.0**63:
        return int(value)
    return value
