"""The one language of conditions: views, patterns and the core's evaluator, against pyarrow and against Python."""

from __future__ import annotations

import datetime as dt
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import rizoma as rz
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rizoma import _core
from rizoma.graph.column_types import arrow_type
from rizoma.graph.predicate import Predicate
from rizoma.graph.schema import core_values, fitted

COLUMNS: dict[str, tuple[str, list[Any]]] = {
    "tiny": ("int8", [-128, 0, 5, 127, None]),
    "age": ("int32", [-7, 0, 17, 18, 41, None]),
    "i": ("int64", [-(2**63), -1, 2, 2**53 + 1, 2**63 - 1, None]),
    "small": ("uint16", [0, 1, 65535, None]),
    "u": ("uint64", [0, 5, 2**63, 2**64 - 1, None]),
    "f": ("float32", [0.5, -2.5, 16777216.0, None]),
    "x": ("float64", [0.5, -3.0, 9007199254740992.0, math.inf, math.nan, 41.0, None]),
    "name": ("string", ["", "ann", "Ann", "Ärger", "STRASSE", "a_b%", "C:\\new", "it's", None]),
    "born": ("date", [dt.date(1969, 12, 31), dt.date(1970, 1, 1), dt.date(2024, 2, 29), None]),
    "since": ("timestamp[us]", [dt.datetime(1969, 12, 31, 23, 59, 59, 999999), dt.datetime(2026, 1, 31, 12, 30), None]),
    "at": ("timestamp[s]", [dt.datetime(1, 1, 1), dt.datetime(2026, 1, 31, 12, 30), dt.datetime(9999, 12, 31), None]),
    "open": ("bool", [True, False, None]),
}
TYPES = {name: kind for name, (kind, _) in COLUMNS.items()}
ROWS = 84


def rows_of_columns(rows: int = ROWS) -> list[dict[str, Any]]:
    """Rows in which values of any two columns meet in many pairs."""
    return [
        {name: values[(row * (1 + k)) % len(values)] for k, (name, (_, values)) in enumerate(COLUMNS.items())}
        for row in range(rows)
    ]


def table_of(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.table({name: pa.array([row[name] for row in rows], arrow_type(kind)) for name, kind in TYPES.items()})


TABLE = table_of(rows_of_columns())


def mask(text: str, table: pa.Table = TABLE) -> list[bool]:
    """The rows that the core's evaluator keeps."""
    predicate = Predicate(text, {name: TYPES[name] for name in table.column_names})
    values = [core_values(fitted(table.column(name), name, TYPES[name]), TYPES[name]) for name in predicate.columns]
    return predicate.mask(values, table.num_rows).tolist()


def kept_by_arrow(result: Any) -> list[bool]:
    return pc.fill_null(pa.chunked_array([result]) if isinstance(result, pa.Array) else result, False).to_pylist()


NUMBERS = ("tiny", "age", "small", "f", "x")
SIGNS = {"=": "equal", "<>": "not_equal", "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("right", [*NUMBERS, "18", "0.5", "-128"])
@pytest.mark.parametrize("left", NUMBERS)
def test_numbers_compare_as_in_arrow(left: str, sign: str, right: str) -> None:
    other = TABLE[right] if right in TYPES else pa.scalar(float(right), pa.float64())
    expected = getattr(pc, SIGNS[sign])(TABLE[left].cast(pa.float64()), other.cast(pa.float64()))
    assert mask(f"{left} {sign} {right}") == kept_by_arrow(expected)
    if right not in TYPES:
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)
        assert mask(f"{right} {turned} {left}") == kept_by_arrow(expected)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("left", "right"), [("name", "name"), ("born", "since"), ("since", "at"), ("open", "open")])
def test_others_compare_as_in_arrow(left: str, sign: str, right: str) -> None:
    sides = [TABLE[left], TABLE[right]]
    if left != right:  # whole microseconds, in which all of these have room
        sides = [side.cast(pa.timestamp("us")) for side in sides]
    assert mask(f"{left} {sign} {right}") == kept_by_arrow(getattr(pc, SIGNS[sign])(*sides))


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("left", ["tiny", "age", "i", "small", "u", "x"])
@pytest.mark.parametrize("right", ["i", "u", "x", "9007199254740993", str(2**63), str(2**64 - 1), "9007199254740992.0"])
def test_whole_numbers_compare_exactly(left: str, sign: str, right: str) -> None:
    """With one another and with fractions, as in Python."""
    expected = []
    for row in TABLE.to_pylist():
        other = row[right] if right in TYPES else float(right) if "." in right else int(right)
        expected.append(row[left] is not None and other is not None and PYTHON_SIGNS[sign](row[left], other))
    assert mask(f"{left} {sign} {right}") == expected


PYTHON_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@pytest.mark.parametrize(
    ("text", "arrow"),
    [
        ("lower(name) = {}", lambda column, value: pc.equal(pc.utf8_lower(column), value)),
        ("upper(name) = {}", lambda column, value: pc.equal(pc.utf8_upper(column), value)),
        ("contains(name, {})", lambda column, value: pc.match_substring(column, value)),
        ("startswith(name, {})", lambda column, value: pc.starts_with(column, value)),
        ("endswith(name, {})", lambda column, value: pc.ends_with(column, value)),
        ("name in ({}, 'ann')", lambda column, value: pc.or_(pc.equal(column, value), pc.equal(column, "ann"))),
        ("coalesce(name, 'ann') = {}", lambda column, value: pc.equal(pc.coalesce(column, "ann"), value)),
        ("not name < {}", lambda column, value: pc.greater_equal(column, value)),
    ],
)
@pytest.mark.parametrize("value", ["", "a", "n", "ann", "ANN", "ärger", "ÄRGER", "new", "%", "\\", "'s"])
def test_functions_of_text_as_in_arrow(text: str, arrow: Callable[[Any, str], Any], value: str) -> None:
    assert mask(text.format(quoted(value))) == kept_by_arrow(arrow(TABLE["name"], value))


@pytest.mark.parametrize("pattern", ["", "%", "_", "a%", "%n", "_nn", "%n%", "A%r", "%__%", "Ä_ger", "a%n%n"])
def test_like_as_in_arrow(pattern: str) -> None:
    expected = kept_by_arrow(pc.match_like(TABLE["name"], pattern))
    assert mask(f"name like '{pattern}'") == mask(f"like(name, '{pattern}')") == expected
    assert mask(f"name not like '{pattern}'") == kept_by_arrow(pc.invert(pc.match_like(TABLE["name"], pattern)))


@pytest.mark.parametrize("part", ["year", "month", "day", "hour", "minute", "second"])
@pytest.mark.parametrize("column", ["born", "since", "at"])
def test_parts_of_times_as_in_arrow(column: str, part: str) -> None:
    moments = TABLE[column].cast(pa.timestamp("us"))
    parts = getattr(pc, part)(moments)
    for value in {each for each in parts.to_pylist() if each is not None}:
        assert mask(f"{part}({column}) = {value}") == kept_by_arrow(pc.equal(parts, value))
    days = moments.cast(pa.date32(), safe=False)
    assert mask(f"date({column}) = {column}") == kept_by_arrow(pc.equal(days.cast(pa.timestamp("us")), moments))


@pytest.mark.parametrize("column", TYPES)
def test_nulls_of_every_type(column: str) -> None:
    nulls = TABLE[column].is_null().to_pylist()
    assert mask(f"{column} is null") == mask(f"not {column} is not null") == nulls
    assert mask(f"{column} = {column} and {column} is null") == [False] * ROWS
    assert mask(f"coalesce({column}, {column}) is null") == nulls
    assert mask(f"({column} = {column}) is null") == nulls
    assert mask(f"{column} in () or {column} not in ()") == [not null for null in nulls]


def test_arithmetic_as_in_arrow() -> None:
    age, x = TABLE["age"].cast(pa.int64()), TABLE["x"]
    for sign, function in {"+": pc.add, "-": pc.subtract, "*": pc.multiply}.items():
        assert mask(f"age {sign} small > 20") == kept_by_arrow(pc.greater(function(age, TABLE["small"]), 20))
        assert mask(f"x {sign} f > 20") == kept_by_arrow(pc.greater(function(x, TABLE["f"].cast(pa.float64())), 20))
    assert mask("age / 2 = 8.5") == kept_by_arrow(pc.equal(pc.divide(age.cast(pa.float64()), 2.0), 8.5))
    assert mask("abs(x) > 2") == kept_by_arrow(pc.greater(pc.abs(x), 2))
    assert mask("-age > 0") == kept_by_arrow(pc.greater(pc.negate(age), 0))
    assert mask("length(name) = 5") == kept_by_arrow(pc.equal(pc.utf8_length(TABLE["name"]), 5))
    remainders = [None if v is None else int(math.fmod(v, 5)) for v in age.to_pylist()]
    assert mask("age % 5 = -2") == [value == -2 for value in remainders]
    assert mask("age / 0 is null and x % 0 is null") == [True] * ROWS


def test_case_of_every_character_as_in_arrow() -> None:
    points = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000 and c != 0]
    letters = pa.table({"name": pa.array(points, pa.large_string())})
    lower, upper = pc.utf8_lower(letters["name"]), pc.utf8_upper(letters["name"])
    predicate = Predicate("lower(a) = b and upper(a) = c", {"a": "string", "b": "string", "c": "string"})
    columns = [core_values(fitted(column, "a", "string"), "string") for column in (letters["name"], lower, upper)]
    assert predicate.columns == ["a", "b", "c"]
    assert predicate.mask(columns, len(points)).all()


# Random predicates: their text, and what they mean in Python.


class Overflow:
    """What a result beyond 64 bits is."""


@dataclass(frozen=True)
class Term:
    text: str
    value: Callable[[dict[str, Any]], Any]


def column(name: str) -> Term:
    return Term(f"{{{name}}}", lambda row: row[name])


def constant(text: str, value: Any) -> Term:
    return Term(text, lambda row: value)


def both_there(a: Any, b: Any, f: Callable[[Any, Any], Any]) -> Any:
    if isinstance(a, Overflow) or isinstance(b, Overflow):
        return Overflow()
    return None if a is None or b is None else f(a, b)


def moment(value: Any) -> Any:
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return dt.datetime(value.year, value.month, value.day)
    return value


def calculated(sign: str, a: Any, b: Any) -> Any:
    if sign in "/%" and b == 0:
        return None
    whole = isinstance(a, int) and isinstance(b, int)
    if sign == "/":
        return float(a) / float(b)
    if sign == "%":
        if whole:
            return (
                int(math.copysign(abs(a) % abs(b), a))
                if abs(a) < 2**53
                else a - b * int(a // b + (a % b != 0 and (a < 0) != (b < 0)))
            )
        return math.fmod(a, b) if math.isfinite(a) else math.nan
    if not whole:
        a, b = float(a), float(b)
    result = a + b if sign == "+" else a - b if sign == "-" else a * b
    return Overflow() if whole and not -(2**63) <= result < 2**63 else result


def compared(sign: str, a: Any, b: Any) -> Any:
    return PYTHON_SIGNS[sign](moment(a), moment(b))


def truth_and(values: list[Any]) -> Any:
    if any(value is False for value in values):
        return False
    for unknown in (Overflow, type(None)):
        if any(isinstance(value, unknown) for value in values):
            return unknown() if unknown is Overflow else None
    return True


def negated(value: Any) -> Any:
    return value if value is None or isinstance(value, Overflow) else not value


def is_like(text: str, pattern: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "%":
        return any(is_like(text[i:], pattern[1:]) for i in range(len(text) + 1))
    return bool(text) and pattern[0] in ("_", text[0]) and is_like(text[1:], pattern[1:])


def binary(text: str, a: Term, b: Term, f: Callable[[Any, Any], Any]) -> Term:
    return Term(text.format(a.text, b.text), lambda row: both_there(a.value(row), b.value(row), f))


def unary(text: str, a: Term, f: Callable[[Any], Any]) -> Term:
    return Term(text.format(a.text), lambda row: both_there(a.value(row), 0, lambda value, _: f(value)))


numbers = st.deferred(
    lambda: st.one_of(
        st.sampled_from([column("tiny"), column("age"), column("i"), column("x")]),
        st.integers(-3, 45).map(lambda n: constant(str(n), n)),
        st.sampled_from([0.5, -2.25, 18.0]).map(lambda n: constant(repr(n), n)),
        st.builds(
            lambda sign, a, b: binary(f"({{}} {sign} {{}})", a, b, lambda x, y: calculated(sign, x, y)),
            st.sampled_from("+-*/%"),
            numbers,
            numbers,
        ),
        numbers.map(
            lambda a: unary("abs({})", a, lambda x: Overflow() if x == -(2**63) and isinstance(x, int) else abs(x))
        ),
        texts.map(lambda a: unary("length({})", a, len)),
        times.map(lambda a: unary("year({})", a, lambda x: x.year)),
        times.map(lambda a: unary("day({})", a, lambda x: x.day)),
    )
)
texts = st.deferred(
    lambda: st.one_of(
        st.just(column("name")),
        st.sampled_from(["", "ann", "it's", "C:\\new", "a_b%"]).map(lambda text: constant(quoted(text), text)),
        texts.map(lambda a: unary("lower({})", a, str.lower)),
        st.builds(
            lambda a, b: Term(
                f"coalesce({a.text}, {b.text})", lambda row: b.value(row) if a.value(row) is None else a.value(row)
            ),
            texts,
            texts,
        ),
    )
)
times = st.sampled_from([column("born"), column("since"), column("at")])
time_constants = st.sampled_from(
    [
        constant("'1970-01-01'", dt.datetime(1970, 1, 1)),
        constant("'2026-01-31T12:30:00Z'", dt.datetime(2026, 1, 31, 12, 30)),
        constant("'2026-01-31 13:30:00.000001+01:00'", dt.datetime(2026, 1, 31, 12, 30, 0, 1)),
    ]
)


def comparison(sign: str, a: Term, b: Term) -> Term:
    return binary(f"{{}} {sign} {{}}", a, b, lambda x, y: compared(sign, x, y))


def one_of(value: Term, members: list[Term]) -> Term:
    def test(row: dict[str, Any]) -> Any:
        found = value.value(row)
        return both_there(found, 0, lambda x, _: any(moment(x) == moment(member.value(row)) for member in members))

    return Term(f"{value.text} in ({', '.join(member.text for member in members)})", test)


signs = st.sampled_from(list(SIGNS))
simple = st.one_of(
    st.builds(comparison, signs, numbers, numbers),
    st.builds(comparison, signs, texts, texts),
    st.builds(comparison, signs, times, st.one_of(times, time_constants)),
    st.just(column("open")),
    st.one_of(numbers, texts, times).map(
        lambda a: Term(f"{a.text} is null", lambda row: v if isinstance(v := a.value(row), Overflow) else v is None)
    ),
    st.builds(
        lambda a, pattern: unary(f"{{}} like {quoted(pattern)}", a, lambda text: is_like(text, pattern)),
        texts,
        st.text("an%_", max_size=4),
    ),
    st.builds(
        lambda name, a, b: binary(f"{name}({{}}, {{}})", a, b, TEXT_TESTS[name]),
        st.sampled_from(["contains", "startswith", "endswith", "has"]),
        texts,
        texts,
    ),
    st.builds(
        one_of, numbers, st.lists(st.integers(-2, 41).map(lambda n: constant(str(n), n)), min_size=1, max_size=12)
    ),
    st.builds(one_of, times, st.lists(time_constants, min_size=1)),
    st.builds(
        one_of,
        st.just(column("name")),
        st.sampled_from([["ann", "it's"], [""]]).map(lambda words: [constant(quoted(word), word) for word in words]),
    ),
)
TEXT_TESTS: dict[str, Callable[[str, str], bool]] = {
    "contains": lambda text, part: part in text,
    "has": lambda text, item: text == item or item in text.split(";"),
    "startswith": str.startswith,
    "endswith": str.endswith,
}


def joined(word: str, parts: list[Term]) -> Term:
    def value(row: dict[str, Any]) -> Any:
        values = [part.value(row) for part in parts]
        return truth_and(values) if word == "and" else negated(truth_and([negated(each) for each in values]))

    return Term("(" + f" {word} ".join(part.text for part in parts) + ")", value)


conditions = st.recursive(
    simple,
    lambda inner: st.one_of(
        inner.map(lambda a: Term(f"not ({a.text})", lambda row: negated(a.value(row)))),
        st.builds(joined, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3)),
        st.builds(
            lambda a, low, high: joined("and", [comparison(">=", a, low), comparison("<=", a, high)]),
            numbers,
            numbers,
            numbers,
        ),
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def people() -> Iterator[rz.Graph]:
    """A vertex for each row; and an edge with its values to the next one."""
    with rz.open(None, directed=True, ids="string", vertices=TYPES, edges=TYPES) as graph:
        ids = [f"v{row}" for row in range(ROWS)]
        graph.add_vertices(TABLE.append_column("vertex", pa.array(ids)))
        ends = pa.array(ids[1:] + ids[:1])
        graph.add_edges(TABLE.append_column("source", pa.array(ids)).append_column("target", ends))
        yield graph


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(conditions)
def test_random_predicates_mean_the_same_everywhere(people: rz.Graph, term: Term) -> None:
    answers = [term.value(row) for row in TABLE.to_pylist()]
    text = term.text.format(**{name: name for name in TYPES})
    if any(isinstance(answer, Overflow) for answer in answers):
        with pytest.raises(rz.InvalidArgumentError, match="beyond 64 bits"):
            mask(text)
        with pytest.raises(rz.InvalidArgumentError, match="beyond 64 bits"):
            people.where(vertices=text)
        return
    expected = [f"v{row}" for row, answer in enumerate(answers) if answer is True]
    assert [f"v{row}" for row, kept in enumerate(mask(text)) if kept] == expected, text
    view = people.where(vertices=text).vertices.to_arrow()["vertex"].to_pylist()
    assert sorted(view, key=lambda v: int(v[1:])) == expected, text
    edges = people.where(edges=text).edges.to_arrow()["source"].to_pylist()
    assert sorted(edges, key=lambda v: int(v[1:])) == expected, text
    of_vertex = term.text.format(**{name: f"a.{name}" for name in TYPES})
    found = people.match("(a)").where(of_vertex).to_arrow()["a"].to_pylist()
    assert sorted(found, key=lambda v: int(v[1:])) == expected, of_vertex
    of_edge = term.text.format(**{name: f"e.{name}" for name in TYPES})
    assert people.match("(a)-[e]->(b)").where(of_edge).count() == len(expected), of_edge
    mixed = term.text.format(**{name: f"{'ae'[i % 2]}.{name}" for i, name in enumerate(TYPES)})
    assert people.match("(a)-[e]->(b)").where(mixed).count() == len(expected), mixed


def mistake(call: Callable[[], Any]) -> list[str]:
    with pytest.raises(rz.RizomaError) as raised:
        call()
    return str(raised.value).splitlines()


@pytest.mark.parametrize(
    ("text", "what", "place"),
    [
        ("age > 'x'", "a number is compared with text", "age "),
        ("name = 5", "text is compared with a number; write the number in quotes", "name "),
        ("since > 'soon'", "'soon' is not a date or time", "since > "),
        ("age between 1", 'expected "and" of "between"', "age between 1"),
        ("reverse(name) = 'x'", "there is no function 'reverse'", ""),
        ("age in (1, null)", "a list of values cannot hold null", "age in (1, "),
        (
            "name = 'O\\'Brien'",
            "this quote is never closed; end the text with the same quote, and write one within it twice; a backslash",
            "name = 'O\\'Brien",
        ),
        ("age >", "expected a name, a number or a text in quotes, not the end", "age >"),
        ("open and age", "expected a predicate here, not a number", "open and "),
        ("b'x' = name", "", "b"),
    ],
)
def test_mistakes_are_told_with_their_place_everywhere(people: rz.Graph, text: str, what: str, place: str) -> None:
    of_vertices = mistake(lambda: people.where(vertices=text))
    of_edges = mistake(lambda: people.where(edges=text))
    assert of_vertices[0].startswith(what)
    if what:
        assert of_vertices == of_edges
        assert of_vertices[1:] == [f"  {text}", "  " + " " * len(place) + "^"]
    pattern = text
    for name in ("age", "name", "since", "open"):
        pattern = pattern.replace(name, f"a.{name}")
    assert mistake(lambda: people.match("(a)").where(pattern))[0] == of_vertices[0] or not what


def test_a_condition_is_text(people: rz.Graph) -> None:
    with pytest.raises(rz.InvalidArgumentError, match="is not a predicate; write one as text"):
        people.where(edges=pc.field("age") > 3)  # type: ignore[arg-type]


def test_names_in_backquotes_everywhere() -> None:
    columns = {"Betrag (EUR)": "float64", "in": "int32", "a`b": "int32"}
    with rz.open(None, directed=True, edges=columns) as graph:
        graph.add_edges({"source": [1, 2], "target": [2, 3], "Betrag (EUR)": [1.5, 2.5], "in": [1, 2], "a`b": [1, 2]})
        for text in ("`Betrag (EUR)` > 2", "`in` = 2", "`a``b` = 2"):
            assert graph.where(edges=text).num_edges == 1
            assert graph.match("(a)-[e]->(b)").where("e." + text).count() == 1


@pytest.mark.parametrize("text", ["C:\\new", "a\\tb", "it's", 'say "x"', "\\", "\\'", "ä\U0001f331", "%_"])
def test_texts_are_what_they_look_like(text: str) -> None:
    with rz.open(None, directed=True, ids="string", edges={"path": "string"}) as graph:
        graph.add_edges({"source": ["a", "b"], "target": ["b", "c"], "path": [text, text + "x"]})
        for quote in "'\"":
            written = quote + text.replace(quote, quote * 2) + quote
            assert graph.where(edges=f"path = {written}").num_edges == 1
            assert graph.match("(a)-[e]->(b)", where=f"e.path = {written}").count() == 1
            assert graph.match(f"(a)-[e {{path: {written}}}]->(b)").count() == 1


@pytest.mark.parametrize(
    ("ids", "right", "wrong"), [("string", "'1'", "1"), ("integer", "1", "'1'"), ("dense", "1", "'1'")]
)
def test_ids_of_the_other_kind_are_refused(ids: str, right: str, wrong: str) -> None:
    with rz.open(None, directed=True, ids=ids) as graph:
        graph.add_edges([("1", "2")] if ids == "string" else [(1, 2)])
        assert graph.where(edges=f"source = {right}").num_edges == 1
        for written, refused in ((right, False), (wrong, True)):
            for pattern, where in (
                (f"(a {{id: {written}}})-->(b)", None),
                ("(a)-->(b)", f"a = {written}"),
                ("(a)-->(b)", f"a.id in ({written})"),
                ("(a)-->(b)", f"a <> b and {written} = a"),
                ("(a)-->(b)", f"a = {written} or b = {written}"),
            ):
                if refused:
                    with pytest.raises(rz.ParseError, match="quotes"):
                        graph.match(pattern, where=where).count()
                else:
                    assert graph.match(pattern, where=where).count() == 1
        with pytest.raises(rz.ParseError, match="quotes"):
            graph.where(edges=f"source = {wrong}")
        with pytest.raises(rz.ParseError, match="quotes"):
            graph.where(vertices=f"vertex in ({wrong})")


def test_results_beyond_64_bits_are_errors_where_they_decide() -> None:
    columns = {"i": "int64", "u": "uint64"}
    with rz.open(None, directed=True, edges=columns, vertices=columns) as graph:
        graph.add_edges(
            {"source": [1, 2], "target": [2, 3], "i": [2**63 - 1, 5], "u": pa.array([2**64 - 1, 5], pa.uint64())}
        )
        graph.add_vertices({"vertex": [1, 2], "i": [2**63 - 1, 5], "u": pa.array([2**64 - 1, 5], pa.uint64())})
        for text in ("{}i + 1 > 0", "{}i * 3 > 0", "-{}i - 2 < 0", "{}u + 1 > 0", "{}u * {}u > 0"):
            for call in (
                lambda text=text: graph.where(edges=text.format("", "")),
                lambda text=text: graph.where(vertices=text.format("", "")),
                lambda text=text: graph.match("(a)-[e]->(b)").where(text.format("e.", "e.")).count(),
                lambda text=text: graph.match("(a)-[e]->(b)").where(text.format("a.", "a.")).count(),
                lambda text=text: graph.match("(a)-[e]->(b)").where(text.format("a.", "e.") + " or a = b").to_arrow(),
            ):
                with pytest.raises(rz.InvalidArgumentError, match=r"beyond 64 bits; write .*\n.*\n *\^"):
                    call()
        for text in ("i < 9 and i + 1 > 0", "i > 9 or i + 1 > 0", "1.0 * i + 1 > 0 and i = 5"):
            assert graph.where(edges=text).num_edges == (2 if " or " in text else 1)
            assert graph.match("(a)-[e]->(b)").where(text.replace("i ", "e.i ")).count() == (2 if " or " in text else 1)


def test_numbers_beside_float32_are_rounded_to_it() -> None:
    with rz.open(None, directed=True, edges={"weight": "float32", "f": "float32"}) as graph:
        graph.add_edges({"source": [1, 2], "target": [2, 3], "weight": [0.1, 0.2], "f": [0.1, None]})
        for text in (
            "{}weight = 0.1",
            "{}f = 0.1",
            "{}weight < 0.2",
            "{}weight in (0.1, 5)",
            "{}f between 0.1 and 0.1",
        ):
            assert graph.where(edges=text.format("")).num_edges == 1, text
            assert graph.match("(a)-[e]->(b)").where(text.format("e.")).count() == 1, text
        assert graph.match("(a)-[e {weight: 0.1}]->(b)").count() == 1


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 1023, 1024, 1025, 40_000])
def test_rows_of_any_number_keep_their_bits(rows: int) -> None:
    with rz.open(None, directed=True, edges={"k": "int32"}) as graph:
        graph.add_edges(
            {"source": np.arange(rows), "target": np.arange(rows) + 1, "k": np.arange(rows, dtype=np.int32)}
        )
        assert graph.where(edges="k % 3 = 1").num_edges == len(range(1, rows, 3))
        assert graph.where(edges="k >= 0 and source >= 0").num_edges == rows
        assert graph.where(edges="true").num_edges == rows
        assert graph.where(edges="false").num_edges == 0


def test_the_core_refuses_values_that_do_not_fit() -> None:
    predicate = _core.Predicate.parse("a = 'x'", [("a", "string")])
    text, ends = np.zeros(3, np.uint8), np.array([1, 2, 9], np.uint64)
    for values in ([], [(text, None, None)], [(text, ends, None)], [(text, ends[:2], None)]):
        with pytest.raises(rz.InvalidArgumentError):
            predicate.test(values, 3)
