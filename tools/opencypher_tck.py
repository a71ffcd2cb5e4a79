"""Runs the scenarios of openCypher's Technology Compatibility Kit that read, and says how many pass.

Usage: opencypher_tck.py DIRECTORY [--failed] [--group PART].  DIRECTORY is a clone of
https://github.com/opencypher/openCypher (Apache 2), or its folder `tck`; nothing of it is in this repository.

A scenario reads if its query has no clause that changes a graph.  Its graph is made of the CREATE statements before it:
vertices have the column `label` (the TCK's labels), edges the column `type`, and all
properties are columns; one called id is `id_`, as `a.id` is the id.  Results are compared as the TCK says; where it
expects an error, any refusal of the query counts.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import rizoma as rz
from rizoma.queries.opencypher import syntax as s
from rizoma.queries.opencypher.expression_parser import ExpressionParser
from rizoma.queries.opencypher.tokens import Source
from rizoma.queries.opencypher.values import is_edge, is_list, is_node, is_path

_CHANGES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|CALL)\b", re.IGNORECASE)
_ID = re.compile(r"(?<=\.)id\b|(?<=[{,(] )id(?=\s*:)|(?<=[{,])id(?=\s*:)")
_STEP = re.compile(r"^\s*(?:Given|When|Then|And|But)\s+(.*?):?\s*$")


class OutsideError(Exception):
    """A scenario that needs what this program does not make: what."""


@dataclass
class Step:
    """A step of a scenario, with its text and its table."""

    title: str
    text: str = ""
    table: list[list[str]] = field(default_factory=list)


@dataclass
class Scenario:
    """A scenario, one for each example."""

    group: str
    name: str
    steps: list[Step]
    graphs: Path


# ---- feature files ----


def scenarios(root: Path) -> Iterator[Scenario]:
    """All scenarios below a folder."""
    for path in sorted(root.rglob("*.feature")):
        yield from _of_file(path, str(path.parent.relative_to(root)), root.parent / "graphs")


def _of_file(path: Path, group: str, graphs: Path) -> Iterator[Scenario]:
    background: list[Step] = []
    name, steps, examples, reading = "", background, [], False
    found: list[tuple[str, list[Step], list[list[str]]]] = []
    lines = iter(path.read_text(encoding="utf-8").splitlines())
    for line in lines:
        bare = line.strip()
        if bare.startswith(("Scenario", "Background")):
            reading = False
            if bare.startswith("Scenario"):
                name, steps, examples = bare.split(":", 1)[1].strip(), [], []
                found.append((name, steps, examples))
        elif bare.startswith("Examples"):
            reading = True
        elif bare == '"""':
            steps[-1].text = "\n".join(_text(lines))
        elif bare.startswith("|"):
            (examples if reading else steps[-1].table).append(_cells(bare))
        elif (step := _STEP.match(line)) is not None:
            steps.append(Step(step[1]))
    for name, steps, examples in found:
        if len(examples) == 1:
            continue
        for i, example in enumerate(_examples(examples)):
            made = [_filled(step, example) for step in [*background, *steps]]
            yield Scenario(group, f"{path.stem} {name}" + (f" #{i + 1}" if example else ""), made, graphs)


def _text(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line.strip() == '"""':
            return
        yield line.strip()


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def _examples(rows: list[list[str]]) -> list[dict[str, str]]:
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]] if rows else [{}]


def _filled(step: Step, example: dict[str, str]) -> Step:
    def fill(text: str) -> str:
        for name, value in example.items():
            text = text.replace(f"<{name}>", value)
        return text

    table = [[_ID.sub("id_", fill(cell)) for cell in row] for row in step.table]
    return replace(step, title=fill(step.title), text=_ID.sub("id_", fill(step.text)), table=table)


# ---- graphs ----


@dataclass
class Network:
    """What CREATE statements make."""

    vertices: list[tuple[tuple[str, ...], dict[str, Any]]] = field(default_factory=list)
    edges: list[tuple[int, int, str, dict[str, Any]]] = field(default_factory=list)

    def create(self, text: str) -> None:
        """Add what a statement makes."""
        parser = ExpressionParser(Source(text))
        names: dict[str, int] = {}
        repeat: tuple[str, list[int]] | None = None
        while parser.next.kind != "end":
            if parser.word("UNWIND"):
                repeat = _repeated(parser)
            elif parser.word("CREATE"):
                paths = parser.paths()
                for value in [None] if repeat is None else repeat[1]:
                    self._paths(paths, dict(names) if repeat else names, {} if repeat is None else {repeat[0]: value})
            elif not parser.sign(";"):
                raise OutsideError(f"setup: {text.split()[0]}")

    def _paths(self, paths: tuple[s.PathPattern, ...], names: dict[str, int], values: dict[str, Any]) -> None:
        for path in paths:
            ends = [self._vertex(node, names, values) for node in path.nodes]
            for i, edge in enumerate(path.edges):
                one, other = ends[i : i + 2] if edge.direction == "->" else ends[i : i + 2][::-1]
                self.edges.append((one, other, edge.types[0], _values(edge.properties, values)))

    def _vertex(self, node: s.NodePattern, names: dict[str, int], values: dict[str, Any]) -> int:
        if node.name is not None and node.name in names:
            return names[node.name]
        labels = tuple(each for some in node.labels for each in some)
        self.vertices.append((labels, _values(node.properties, values)))
        if node.name is not None:
            names[node.name] = len(self.vertices) - 1
        return len(self.vertices) - 1

    def graph(self) -> Any:
        """The graph, with a column for each property."""
        of_vertices = _columns([properties for _, properties in self.vertices])
        of_edges = _columns([properties for *_, properties in self.edges])
        made = rz.open(
            None,
            directed=True,
            ids="integer",
            parallel_edges="keep",
            edges={"type": "string", **of_edges},
            vertices={"label": "string", **of_vertices},
        )
        labels = [";".join(labels) or None for labels, _ in self.vertices]
        table = {"vertex": list(range(len(labels))), "label": labels}
        table |= {name: [properties.get(name) for _, properties in self.vertices] for name in of_vertices}
        if labels:
            made.add_vertices(table)
        if self.edges:
            columns = {"source": [e[0] for e in self.edges], "target": [e[1] for e in self.edges]}
            columns["type"] = [e[2] for e in self.edges]  # type: ignore[assignment]
            columns |= {name: [properties.get(name) for *_, properties in self.edges] for name in of_edges}
            made.add_edges(columns)
        return made


def _repeated(parser: ExpressionParser) -> tuple[str, list[int]]:
    source = parser.expression()
    parser.expect_word("AS", "")
    name = parser.name("")
    if isinstance(source, s.Call) and source.name == "range":
        first, last = (each.value for each in source.arguments if isinstance(each, s.Literal))
        return name, list(range(first, last + 1))
    if isinstance(source, s.ListOf) and all(isinstance(each, s.Literal) for each in source.items):
        return name, [each.value for each in source.items if isinstance(each, s.Literal)]
    raise OutsideError("setup: UNWIND")


def _values(properties: tuple[tuple[str, s.Expression], ...], values: dict[str, Any]) -> dict[str, Any]:
    found = {name: _constant(value, values) for name, value in properties}
    return {name: value for name, value in found.items() if value is not None}


def _constant(value: s.Expression, values: dict[str, Any]) -> Any:
    if isinstance(value, s.Literal):
        return value.value
    if isinstance(value, s.Variable) and value.name in values:
        return values[value.name]
    raise OutsideError("setup: a property that is no literal")


def _columns(rows: list[dict[str, Any]]) -> dict[str, str]:
    names = {bool: "bool", int: "int64", float: "float64", str: "string"}
    found: dict[str, str] = {}
    for row in rows:
        for name, value in row.items():
            kind = names[type(value)]
            if {found.get(name, kind), kind} == {"int64", "float64"}:
                kind = "float64"
            elif found.get(name, kind) != kind:
                raise OutsideError("a column of several types")
            found[name] = kind
            if name in ("label", "type"):
                raise OutsideError(f"a property called {name}")
    return found


# ---- results ----


class _Reader(ExpressionParser):
    """Values as the TCK writes them."""

    def read(self) -> Any:
        if self.peek_sign("<"):
            self.at += 1
            path = self.path()
            self.expect(">", "")
            return ("path", *_of_path(path))
        if self.peek_sign("("):
            return _of_node(self.node())
        if self.peek_sign("[") and self.peek_sign(":", ahead=1):
            self.at += 1
            types = self._types()
            properties = self.properties() if self.peek_sign("{") else ()
            self.expect("]", "")
            return ("edge", types[0], _frozen(properties))
        if self.sign("["):
            items = []
            while not self.peek_sign("]") and (not items or self.sign(",")):
                items.append(self.read())
            self.expect("]", "")
            return items
        if self.sign("{"):
            pairs = {}
            while not self.peek_sign("}") and (not pairs or self.sign(",")):
                name = self.any_name("")
                self.expect(":", "")
                pairs[name] = self.read()
            self.expect("}", "")
            return pairs
        value = self.expression()
        if isinstance(value, s.Variable) and value.name == "NaN":
            return float("nan")
        if not isinstance(value, s.Literal):
            raise OutsideError("a value that is not read")
        return value.value


def _frozen(properties: tuple[tuple[str, s.Expression], ...]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted((name, _constant(value, {})) for name, value in properties))


def _of_node(node: s.NodePattern) -> tuple[Any, ...]:
    return ("node", tuple(sorted(each for some in node.labels for each in some)), _frozen(node.properties))


def _of_path(path: s.PathPattern) -> tuple[Any, ...]:
    edges = tuple((each.direction, ("edge", each.types[0], _frozen(each.properties))) for each in path.edges)
    return tuple(_of_node(each) for each in path.nodes), edges


class Results:
    """What a query gives, in the terms of the TCK."""

    def __init__(self, network: Network, graph: Any, query: Any) -> None:
        self.network = network
        self.query = query
        numbers = graph.snapshot().find(list(range(len(network.vertices)))) if network.vertices else []
        self.vertex_of = {int(number): i for i, number in enumerate(numbers)}
        self.graph = graph

    def rows(self) -> list[list[Any]]:
        """All rows."""
        found = []
        for some in self.query._all_rows():
            columns = [
                [self._value(value, kind) for value in some.columns[name].to_pylist()]
                for name, kind in self.query._types.items()
            ]
            found += [list(row) for row in zip(*columns, strict=True)]
        return found

    def _value(self, value: Any, kind: Any) -> Any:
        if value is None:
            return None
        if is_node(kind):
            return self._node(value)
        if is_edge(kind):
            return self._edge(value)
        if is_path(kind):
            nodes = tuple(self._node(each) for each in value["_vertices"])
            edges = []
            for before, edge in zip(value["_vertices"], value["_edges"], strict=False):
                edges.append(("->" if before["_vertex"] == edge["_from"] else "<-", self._edge(edge)))
            return ("path", nodes, tuple(edges))
        if is_list(kind):
            return [self._value(each, kind.value_type) for each in value]
        if isinstance(value, dict):
            return {f.name: self._value(value[f.name], f.type) for f in kind}
        return value

    def _node(self, value: Any) -> Any:
        labels, properties = self.network.vertices[self.vertex_of[value["_vertex"]]]
        return ("node", tuple(sorted(labels)), tuple(sorted(properties.items())))

    def _edge(self, value: Any) -> Any:
        array = self._edge_array(value)
        names = [name for name in self.query._graph.known_columns(False) if name != "type"]
        columns = {name: self.query._graph.edge_column(array, name)[0].as_py() for name in names}
        kind = self.query._graph.edge_column(array, "type")[0].as_py()
        return ("edge", kind, tuple(sorted((n, v) for n, v in columns.items() if v is not None)))

    def _edge_array(self, value: Any) -> Any:
        import pyarrow as pa
        from rizoma.queries.opencypher.values import edge_type

        return pa.array([value], edge_type())


def _key(value: Any, unordered: bool) -> Any:
    """A value that is equal where the TCK takes values to be."""
    if isinstance(value, list):
        items = [_key(each, unordered) for each in value]
        return ("list", tuple(sorted(items, key=repr) if unordered else items))
    if isinstance(value, dict):
        return ("map", tuple(sorted((name, _key(each, unordered)) for name, each in value.items())))
    if isinstance(value, float):
        return "NaN" if value != value else ("number", float(f"{value:.12g}"))
    if isinstance(value, bool) or value is None:
        return ("constant", value)
    if isinstance(value, int):
        return ("number", float(value)) if abs(value) < 2**53 else value
    if isinstance(value, tuple):
        return tuple(_key(each, unordered) for each in value)
    return value


# ---- running ----


def reads(scenario: Scenario) -> bool:
    """Whether the query of a scenario changes nothing."""
    queries = [step.text for step in scenario.steps if "executing" in step.title and "query" in step.title]
    return bool(queries) and not any(_CHANGES.search(_without_texts(text)) for text in queries)


def _without_texts(text: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "", text)


def run(scenario: Scenario) -> str:
    """ "passed", "refused as expected", or what is wrong."""
    network, parameters, query = Network(), {}, None
    outcome: Any = None
    for step in scenario.steps:
        title = step.title
        if title.startswith("the ") and title.endswith(" graph"):
            name = title.removeprefix("the ").removesuffix(" graph")
            network.create((scenario.graphs / name / f"{name}.cypher").read_text(encoding="utf-8"))
        elif title.startswith("having executed"):
            network.create(step.text)
        elif title.startswith("parameters are"):
            parameters = {name: _Reader(Source(text)).read() for name, text in step.table}
        elif "executing" in title:
            graph = network.graph()
            outcome = _outcome(network, graph, step.text, parameters)
        elif "should be raised" in title:
            return "refused as expected" if isinstance(outcome, Exception) else "not refused"
        elif title.startswith("the result should be"):
            query = _compared(outcome, step)
            if query != "passed":
                return query
    return query or "passed"


def _outcome(network: Network, graph: Any, text: str, parameters: dict[str, Any]) -> Any:
    try:
        query = graph.query(text, parameters)
        return query.columns, Results(network, graph, query).rows()
    except (rz.RizomaError, OutsideError) as error:
        return error


def _compared(outcome: Any, step: Step) -> str:
    if isinstance(outcome, Exception):
        return f"refused: {str(outcome).splitlines()[0]}"
    columns, rows = outcome
    if "empty" in step.title:
        return "passed" if not rows else "rows where there are none"
    unordered = "ignoring element order" in step.title
    names = step.table[0]
    wanted = [[_Reader(Source(cell)).read() for cell in row] for row in step.table[1:]]
    if sorted(columns) != sorted(names):
        return f"columns {columns}"
    places = [columns.index(name) for name in names]
    found = [_key(tuple(row[i] for i in places), unordered) for row in rows]
    expected = [_key(tuple(row), unordered) for row in wanted]
    if "in order" in step.title.replace("ignoring element order for lists", ""):
        return "passed" if found == expected else f"rows {found} and not {expected}"
    same = Counter(map(repr, found)) == Counter(map(repr, expected))
    return "passed" if same else f"rows {found} and not {expected}"


def main() -> int:
    """Run all and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--failed", action="store_true", help="print the scenarios that do not pass")
    parser.add_argument("--group", default="", help="only groups whose name has this part")
    options = parser.parse_args()
    root = next(each for each in (options.directory / "tck/features", options.directory / "features") if each.exists())
    counts: dict[str, Counter[str]] = {}
    for scenario in scenarios(root):
        if not reads(scenario) or options.group not in scenario.group:
            continue
        try:
            result = run(scenario)
        except OutsideError as outside:
            result = f"outside: {outside}"
        except Exception as error:  # noqa: BLE001 - a crash of the engine is what this looks for
            result = f"crashed: {type(error).__name__}: {error}"
        kind = result if result in ("passed", "refused as expected") else "not"
        counts.setdefault(scenario.group, Counter())[kind] += 1
        if kind == "not" and options.failed:
            print(f"{scenario.group} {scenario.name}: {result[:300]}")
    print(f"{'group':36} {'reading':>8} {'passed':>8} {'refused as expected':>20} {'share':>6}")
    for group, some in sorted(counts.items()):
        _print_line(group, some)
    _print_line("all", sum(counts.values(), Counter()))
    return 0


def _print_line(group: str, some: Counter[str]) -> None:
    total, good = some.total(), some["passed"] + some["refused as expected"]
    print(f"{group:36} {total:8} {some['passed']:8} {some['refused as expected']:20} {good / max(1, total):6.0%}")


if __name__ == "__main__":
    sys.exit(main())
