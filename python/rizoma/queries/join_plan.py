"""Plans as data, and patterns by hash joins: the second way to run one, beside the intersection of sorted lists.

A plan is a JSON object: `fragments`, each with the nodes that it runs on and its operators, of which every one reads
what the one before it gives.  A plan of hash joins runs as it stands, in this process: its data nodes and workers are
threads, so a shuffle hands rows over in memory.  The rows of a join stream into the next one; only edges are hashed.
Arrow keeps what reaches a join before its edges are hashed, so the first edges are joined in pieces.

Source: the plans of MyriaX (da Silva, de Almeida, Braganholo, 2017, figure 2): scan, shuffle by hash, hash join.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import engine
from ..core.errors import InvalidArgumentError, ParseError, UnsupportedError
from ..core.lazy_arrow import pa
from ..core.options import unicode_text, whole_number
from ..graph.ids import arrow_ids
from .relation import Relation, first_rows

__all__ = ["HASH_JOIN", "INTERSECT", "JoinedMatches", "hash_join_plan", "intersect_plan", "joined", "plan_of"]

HASH_JOIN = "hash_join"
INTERSECT = "intersect"
_ROWS_AT_ONCE = 1 << 27  # rows of the first join: 1 to 2 GB until the next one has its edges
_OPERATORS = ("scan", "filter", "shuffle", HASH_JOIN, "project", "aggregate")
_LOOPS = {"op": "filter", "keep": "loops"}
_BEGIN = "begin with the JSON of explain(format='json')"
_NO_PLAN = f"the plan has no fragments with an id and operators; {_BEGIN}"
_ALL = slice(None)
_VERTEX = re.compile(r"\s*\(\s*(?:`((?:[^`]|``)+)`|([A-Za-z_][A-Za-z0-9_]*))\s*\)\s*")
_ARROW = re.compile(r"-->|<--")
_LINE = re.compile(r"( +)(\w+)( in .*?|)((?:, .*?)?): about ([\d,.e+]+)(.*)")


@dataclass(frozen=True)
class _Edge:
    """An edge of a pattern, by the names of its ends."""

    source: str
    target: str


class _PlainPattern:
    """A pattern of named vertices and plain directed edges, whose paths end with "," or ";", read from its begin on."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self.names: dict[str, None] = {}
        self.edges: list[_Edge] = []
        while not self._ends() or not self.edges:
            self._path()

    def _ends(self) -> bool:
        return not self._text[self._at :].strip()

    def _path(self) -> None:
        begin, at, first = self._at, self._vertex(self._at), len(self.edges)
        while arrow := _ARROW.match(self._text, self._at):
            self._at = arrow.end()
            to = self._vertex(begin)
            self.edges.append(_Edge(at, to) if arrow[0] == "-->" else _Edge(to, at))
            at = to
        if len(self.edges) == first or not (self._ends() or self._text[self._at] in ",;"):
            raise self._unsupported(begin)
        self._at += 1

    def _vertex(self, begin: int) -> str:
        found = _VERTEX.match(self._text, self._at)
        if found is None:
            raise self._unsupported(begin)
        self._at = found.end()
        name = found[2] or found[1].replace("``", "`")
        self.names[name] = None
        return name

    def _unsupported(self, begin: int) -> UnsupportedError:
        return UnsupportedError(
            f"plan={HASH_JOIN!r} joins named vertices and plain directed edges, such as (a)-->(b)-->(a), and "
            f"{self._text[begin:].strip()!r} begins with something else; leave out the plan"
        )


def hash_join_plan(pattern: str) -> dict[str, Any]:
    """Return the plan of left-deep hash joins of a pattern, edge after edge, each with one that shares a vertex."""
    read = _PlainPattern(pattern)
    left, names = read.edges, list(read.names)
    fragments: list[dict[str, Any]] = []
    known: set[str] = set()
    joined = -1
    while left:
        edge = next((each for each in left if {each.source, each.target} <= known), None)
        edge = edge or next((each for each in left if {each.source, each.target} & known), None)
        if edge is None and known:
            raise UnsupportedError(f"parts of {pattern!r} share no vertex, which a hash join needs; leave out the plan")
        edge = edge or left[0]
        left.remove(edge)
        keys = [name for name in dict.fromkeys((edge.source, edge.target)) if name in known]
        scan: list[dict[str, Any]] = [{"op": "scan", "table": "edges", "columns": [edge.source, edge.target]}]
        if edge.source == edge.target:
            scan = [{"op": "scan", "table": "edges", "columns": [edge.source]}, dict(_LOOPS)]
        if keys:
            scan.append({"op": "shuffle", "by": keys})
        fragments.append({"id": len(fragments), "nodes": "data nodes", "operators": scan})
        if keys:
            join = {"op": HASH_JOIN, "left": joined, "right": fragments[-1]["id"], "on": keys}
            fragments.append({"id": len(fragments), "nodes": "workers", "operators": [join]})
        joined = fragments[-1]["id"]
        known |= {edge.source, edge.target}
    last = [{"op": "project", "input": joined, "columns": names}, {"op": "aggregate", "function": "count"}]
    fragments.append({"id": len(fragments), "nodes": "workers", "operators": last})
    return {"physical": HASH_JOIN, "pattern": pattern, "fragments": fragments}


def intersect_plan(pattern: str, text: str, data_nodes: int) -> dict[str, Any]:
    """Return what `explain` tells of the engine's plan: a fragment for each of the trees that it sums up."""
    every = re.search(r"each found stands for (\d+)", text)
    fragments: list[dict[str, Any]] = []
    for line in text.splitlines():
        if re.match(r"about [\d,.e+]+ match", line):
            nodes = "data nodes and workers" if data_nodes else "all"
            fragments.append({"id": len(fragments), "nodes": nodes, "operators": []})
            continue
        told = _LINE.fullmatch(line)
        if told is None:
            if fragments and line.strip():
                fragments[-1].setdefault("notes", []).append(line.strip())
            continue
        operator = {"op": INTERSECT if told[3] else "scan", "vertex": told[2], "depth": len(told[1]) // 2}
        if told[3]:
            operator["lists"] = re.split(r" and ", told[3].removeprefix(" in "))
        if filters := [each for each in told[4].split(", ") if each]:
            operator["filters"] = filters
        operator["estimate"] = float(told[5].replace(",", ""))
        fragments[-1]["operators"].append(operator)
    for fragment in fragments:
        fragment["operators"].append({"op": "aggregate", "function": "count", "times": int(every[1]) if every else 1})
    return {"physical": INTERSECT, "pattern": pattern, "fragments": fragments}


def plan_of(given: str | Mapping[str, Any]) -> Mapping[str, Any] | str:
    """Return "hash_join", "intersect", or a plan: an object, or the JSON of one."""
    if isinstance(given, Mapping):
        return given
    if given in (HASH_JOIN, INTERSECT):
        return given
    try:
        plan = json.loads(given)
    except (TypeError, json.JSONDecodeError):
        plan = None
    if not isinstance(plan, dict):
        raise InvalidArgumentError(
            f"plan={given!r} is not known; give {HASH_JOIN!r}, {INTERSECT!r}, or a plan of explain(format='json')"
        )
    return plan


class _Runner:
    """Runs the fragments of a plan as one pipeline of Arrow's; its first scan reads `piece` of the edges."""

    def __init__(
        self, plan: Mapping[str, Any], sources: npt.NDArray[Any], targets: npt.NDArray[Any], piece: slice = _ALL
    ) -> None:
        try:
            self._fragments = {each["id"]: each["operators"] for each in plan["fragments"]}
            self._last = plan["fragments"][-1]["operators"]
        except (KeyError, TypeError, IndexError):
            raise ParseError(_NO_PLAN) from None
        self._ends = sources, targets
        self._piece = piece
        self._running: list[Any] = []
        self.scanned: list[_Edge] = []  # the edges of the pattern that the plan reads
        self.first_join: list[str] = []  # what the first two are joined on

    def pipeline(self) -> tuple[Any, list[str]]:
        """The rows that the last fragment gives, and the names of their columns."""
        return self._run(self._last)

    def _run(self, operators: list[Mapping[str, Any]]) -> tuple[Any, list[str]]:
        flow: tuple[Any, list[str]] | None = None
        for operator in operators:
            name = operator.get("op")
            if name == "filter" and operator != _LOOPS:
                raise ParseError(f"a filter of the plan is {json.dumps(operator)}; there is {json.dumps(_LOOPS)} alone")
            if name == "scan":
                flow = self._scan(operator, _LOOPS in operators)
            elif name == HASH_JOIN:
                flow = self._join(operator)
            elif name == "project":
                flow = self._project(operator)
            elif name not in ("filter", "shuffle", "aggregate"):
                raise ParseError(f"the plan has an operator {name!r}; there are {', '.join(_OPERATORS)}")
        if flow is None:
            raise ParseError("a fragment of the plan begins with no scan, hash_join or project")
        return flow

    def _scan(self, operator: Mapping[str, Any], loops: bool) -> tuple[Any, list[str]]:
        from pyarrow import acero

        sources, targets = self._ends
        columns = list(operator["columns"])
        if operator.get("table") != "edges" or len(columns) != 2 - loops or len(set(columns)) != len(columns):
            raise ParseError(
                f"a scan of the plan is {json.dumps(operator)}; it reads the table 'edges' with two columns, or with "
                "one and the filter of loops"
            )
        if not self.scanned:
            sources, targets = sources[self._piece], targets[self._piece]
        self.scanned.append(_Edge(columns[0], columns[-1]))
        keep = sources == targets if loops else _ALL
        arrays = [sources[keep], targets[keep]][: len(columns)]
        table = pa.table([pa.array(each) for each in arrays], names=columns)
        return acero.Declaration("table_source", acero.TableSourceNodeOptions(table)), columns

    def _of_fragment(self, number: Any) -> tuple[Any, list[str]]:
        if number not in self._fragments:
            raise ParseError(f"the plan joins fragment {number!r}, which it does not have")
        if number in self._running:
            raise ParseError(f"fragment {number!r} of the plan reads what it gives itself")
        self._running.append(number)
        found = self._run(self._fragments[number])
        self._running.pop()
        return found

    def _join(self, operator: Mapping[str, Any]) -> tuple[Any, list[str]]:
        from pyarrow import acero

        (left, kept), (right, added) = self._of_fragment(operator["left"]), self._of_fragment(operator["right"])
        keys = list(operator["on"])
        if not keys or set(keys) != set(kept) & set(added):  # what is not compared would be taken from one side
            inputs = f"its inputs have {kept} and {added}"
            raise ParseError(f"the plan joins on {keys}, and {inputs}; join on all they share")
        self.first_join = self.first_join or keys
        new = [name for name in added if name not in kept]
        options = acero.HashJoinNodeOptions("inner", keys, keys, left_output=kept, right_output=new)
        return acero.Declaration("hashjoin", options, inputs=[left, right]), [*kept, *new]

    def _project(self, operator: Mapping[str, Any]) -> tuple[Any, list[str]]:
        import pyarrow.compute as pc
        from pyarrow import acero

        flow, known = self._of_fragment(operator["input"])
        columns = list(operator["columns"])
        if not set(columns) <= set(known) or len(set(columns)) != len(columns) or not columns:
            raise ParseError(f"the plan keeps columns {columns}, and its rows have {known}")
        options = acero.ProjectNodeOptions([pc.field(name) for name in columns], columns)
        return acero.Declaration("project", options, inputs=[flow]), columns


def _pieces(tried: _Runner, sources: npt.NDArray[Any], targets: npt.NDArray[Any]) -> Iterator[slice]:
    """The edges of the first scan in parts, of each of which the first join makes about as many rows as are kept.

    `tried`: a runner of the same plan that has made its pipeline.
    """
    if len(tried.first_join) != 1 or len(sources) == 0:
        yield _ALL
        return
    key, first, second = tried.first_join[0], *tried.scanned[:2]
    found = sources if key == first.source else targets
    hashed = sources if key == second.source else targets
    rows = np.cumsum(np.bincount(hashed, minlength=int(found.max()) + 1)[found])
    begin = 0
    while begin < len(rows):
        made = int(rows[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(rows, made + _ROWS_AT_ONCE, "right")))
        yield slice(begin, end)
        begin = end


class JoinedMatches(Relation):
    """The matches of a pattern by a plan of hash joins: one row each, one column for each vertex.

    Cost: each row of each join is made: all paths of a triangle.  Edges are hashed once for each edge of the pattern
    and each 2^27 rows of the first join, which need 1 to 2 GB.
    """

    def __init__(self, state: _core.Snapshot, pattern: str, plan: Mapping[str, Any], threads: int | None) -> None:
        self._state = state
        self._plan = plan
        self._threads = threads
        self._limit: int | None = None
        tried = self._tried = _Runner(plan, np.empty(0, np.int64), np.empty(0, np.int64))
        try:
            self._names = tried.pipeline()[1]
        except (AttributeError, KeyError, TypeError) as error:
            raise ParseError(f"an operator of the plan lacks something, or is none ({error}); {_BEGIN}") from error
        if Counter(tried.scanned) != Counter(_PlainPattern(pattern).edges):
            read = ", ".join(f"({each.source})-->({each.target})" for each in tried.scanned)
            raise InvalidArgumentError(f"the plan joins {read}, which are not the edges of {pattern!r}")

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._names)

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        kind = pa.string() if self._state.schema.ids == _core.IdKind.string else pa.int64()
        return pa.schema([(name, kind) for name in self._names])

    def limit(self, n: int) -> JoinedMatches:
        """Keep at most `n` rows.

        Raises InvalidArgumentError if `n` is below 0.
        """
        whole_number("n", n, 0, 2**63 - 1)
        made = copy(self)
        made._limit = n if self._limit is None else min(n, self._limit)
        return made

    def count(self) -> int:
        """Return the number of rows, which are not kept."""
        from pyarrow import acero

        found = 0
        for flow in self._pipelines():
            counted = acero.AggregateNodeOptions([(self._names[0], "count", None, "count")])
            total = acero.Declaration("aggregate", counted, inputs=[flow])
            found += int(total.to_table(use_threads=self._threads != 1)["count"][0].as_py())
        return found if self._limit is None else min(found, self._limit)

    def explain(self, run: bool = False, format: str = "json") -> str:
        """Return the plan as JSON, with `run` also the rows that it found.

        Raises InvalidArgumentError for another `format`: a plan that was given is data.
        """
        if format not in ("json", "text"):
            raise InvalidArgumentError(f"format={format!r} is not known; choose json or text")
        plan = dict(self._plan) | ({"rows": self.count()} if run else {})
        return json.dumps(plan, indent=2)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows as Arrow record batches, in any order."""
        rows = self._rows()
        return rows if self._limit is None else first_rows(rows, self._limit)

    def _rows(self) -> Iterator[pa.RecordBatch]:
        schema = self.schema
        for flow in self._pipelines():
            for batch in flow.to_reader(use_threads=self._threads != 1):
                ids = [arrow_ids(self._state.ids_of(column.to_numpy().astype(np.uint64))) for column in batch.columns]
                yield pa.record_batch([each.cast(kind) for each, kind in zip(ids, schema.types, strict=True)], schema)

    def _pipelines(self) -> Iterator[Any]:
        with engine(self._threads) as borrowed:
            offsets, targets = _core.read_csr(self._state.view(borrowed))[:2]
        sources = np.repeat(np.arange(len(offsets) - 1, dtype=targets.dtype), np.diff(offsets))
        for piece in _pieces(self._tried, sources, targets):
            yield _Runner(self._plan, sources, targets, piece).pipeline()[0]

    def __repr__(self) -> str:
        return f"JoinedMatches({self._plan.get('pattern', '')!r}; {', '.join(self._names)})"


def joined(
    state: _core.Snapshot, pattern: str, plan: Mapping[str, Any] | str, threads: int | None, given: Mapping[str, Any]
) -> Any:
    """The matches of a pattern by hash joins; `given`: options that such a plan does not know.

    Raises UnsupportedError for these, and for a pattern or a plan of something else.
    """
    unknown = [name for name, value in given.items() if value]
    if unknown:
        raise UnsupportedError(f"a plan of hash joins knows no {unknown[0]}; leave it out, or the plan")
    pattern = unicode_text("the pattern", pattern)
    made = hash_join_plan(pattern) if isinstance(plan, str) else plan
    if made.get("physical", HASH_JOIN) != HASH_JOIN:
        raise UnsupportedError(
            f"the engine plans an intersection itself: give plan={INTERSECT!r}, or a plan of {HASH_JOIN!r}"
        )
    if made.get("pattern", pattern) != pattern:
        raise InvalidArgumentError(f"the plan is of {made['pattern']!r}, not of {pattern!r}")
    return JoinedMatches(state, pattern, made, threads)
