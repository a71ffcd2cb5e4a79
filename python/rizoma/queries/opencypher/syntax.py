"""What a query says: expressions, patterns and clauses as they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeAlias

__all__ = [
    *("Binary", "Call", "Case", "Comprehension", "EdgePattern", "Expression", "HasLabels", "Index", "IsNull"),
    *("Item", "ListOf", "Literal", "MapOf", "MatchClause", "NodePattern", "Parameter", "PathPattern"),
    *("PatternValue", "Projection", "Property", "Quantifier", "Single", "Slice", "Unary", "Union", "Unwind"),
    *("Variable", "parts_of", "rewritten", "walk"),
]


@dataclass(frozen=True)
class Expression:
    """A part of a query that has a value; `place` is where it begins."""

    place: int = field(compare=False)


@dataclass(frozen=True)
class Literal(Expression):
    """A number, text, true, false or null."""

    value: Any


@dataclass(frozen=True)
class Parameter(Expression):
    """`$name`."""

    name: str


@dataclass(frozen=True)
class Variable(Expression):
    """A name."""

    name: str


@dataclass(frozen=True)
class Property(Expression):
    """`a.name`."""

    of: Expression
    name: str


@dataclass(frozen=True)
class HasLabels(Expression):
    """`a:Person`, or `e:KNOWS`: one of each tuple."""

    of: Expression
    labels: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Unary(Expression):
    """`not x`, `-x`, `+x`."""

    operator: str
    operand: Expression


@dataclass(frozen=True)
class Binary(Expression):
    """Two values and an operator in capitals: AND, =, +, IN, STARTS WITH, =~, ..."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class IsNull(Expression):
    """`x is null`."""

    operand: Expression
    negated: bool


@dataclass(frozen=True)
class ListOf(Expression):
    """`[x, y]`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True)
class MapOf(Expression):
    """`{name: x}`."""

    items: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True)
class Index(Expression):
    """`x[i]`."""

    of: Expression
    index: Expression


@dataclass(frozen=True)
class Slice(Expression):
    """`x[i..j]`."""

    of: Expression
    begin: Expression | None
    end: Expression | None


@dataclass(frozen=True)
class Comprehension(Expression):
    """`[x IN xs WHERE p | e]`."""

    name: str
    source: Expression
    where: Expression | None
    result: Expression | None


@dataclass(frozen=True)
class Quantifier(Expression):
    """`all(x IN xs WHERE p)`, and any, none, single."""

    kind: str
    name: str
    source: Expression
    where: Expression


@dataclass(frozen=True)
class Case(Expression):
    """`CASE subject WHEN x THEN y ELSE z END`; each x is a truth value if there is no subject."""

    subject: Expression | None
    whens: tuple[tuple[Expression, Expression], ...]
    default: Expression | None


@dataclass(frozen=True)
class Call(Expression):
    """`f(x)`, by its name in lower case; `count(*)` is starred."""

    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False
    starred: bool = False


@dataclass(frozen=True)
class NodePattern:
    """`(a:Person {age: 3})`: of each tuple of labels one holds."""

    name: str | None
    labels: tuple[tuple[str, ...], ...]
    properties: tuple[tuple[str, Expression], ...]
    place: int = field(compare=False)


@dataclass(frozen=True)
class EdgePattern:
    """`-[e:PAID*1..3 {amount: 3}]->`."""

    name: str | None
    types: tuple[str, ...]
    properties: tuple[tuple[str, Expression], ...]
    direction: str
    """"->", "<-" or "--"."""
    repeated: bool
    least: int
    most: int | None
    place: int = field(compare=False)


@dataclass(frozen=True)
class PathPattern:
    """Vertices, and the edges between them; one more vertex than edges."""

    name: str | None
    nodes: tuple[NodePattern, ...]
    edges: tuple[EdgePattern, ...]
    shortest: str | None
    """"any" or "all"."""
    place: int = field(compare=False)


@dataclass(frozen=True)
class PatternValue(Expression):
    """A pattern as a value: exists (true or false), count, or collect (the list of `result`)."""

    kind: str
    paths: tuple[PathPattern, ...]
    where: Expression | None
    result: Expression | None = None


@dataclass(frozen=True)
class Item:
    """One column of WITH or RETURN."""

    expression: Expression
    name: str
    named: bool
    """By AS."""
    place: int = field(compare=False)


@dataclass(frozen=True)
class MatchClause:
    """MATCH, or OPTIONAL MATCH."""

    paths: tuple[PathPattern, ...]
    where: Expression | None
    optional: bool
    place: int = field(compare=False)


@dataclass(frozen=True)
class Projection:
    """WITH or RETURN, and what stands behind it."""

    starred: bool
    items: tuple[Item, ...]
    distinct: bool
    order: tuple[tuple[Expression, bool], ...]
    """Each with whether it descends."""
    skip: Expression | None
    limit: Expression | None
    where: Expression | None
    last: bool
    """It is a RETURN."""
    place: int = field(compare=False)


@dataclass(frozen=True)
class Unwind:
    """UNWIND list AS name."""

    source: Expression
    name: str
    place: int = field(compare=False)


Clause: TypeAlias = "MatchClause | Projection | Unwind"
Single: TypeAlias = "tuple[Clause, ...]"


@dataclass(frozen=True)
class Union:
    """Queries whose rows are put together; one query alone is a union of one."""

    queries: tuple[Single, ...]
    all: bool
    places: tuple[int, ...] = field(compare=False)


# Nodes never change, and the trees of queries are kept: what is found out about one once stays beside its fields.
_PARTS = " parts"
_ALL = " all"


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """The fields of an expression, pattern or clause; none of another class."""
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()


def parts_of(value: Any) -> list[Any]:
    """The expressions and patterns within one, not those within these."""
    if isinstance(value, tuple):
        return _parts(value, True)
    names = _field_names(value.__class__)
    if not names:
        return []
    found: list[Any] | None = value.__dict__.get(_PARTS)
    if found is None:
        found = value.__dict__[_PARTS] = _parts([getattr(value, name) for name in names], False)
    return found


def _parts(values: Sequence[Any], every: bool) -> list[Any]:
    found: list[Any] = []
    for each in values:
        if isinstance(each, tuple):
            found += _parts(each, True)
        elif every or _field_names(each.__class__):
            found.append(each)
    return found


def walk(value: Any) -> list[Any]:
    """An expression, pattern or clause and all within it, each before what it has within."""
    if not isinstance(value, tuple) and not _field_names(value.__class__):
        return []
    found: list[Any] | None = None if isinstance(value, tuple) else value.__dict__.get(_ALL)
    if found is None:
        found = [] if isinstance(value, tuple) else [value]
        for each in parts_of(value):
            found += walk(each)
        if not isinstance(value, tuple):
            value.__dict__[_ALL] = found
    return found


def rewritten(value: Any, change: Callable[[Any], Any | None]) -> Any:
    """The same with other parts: what `change` gives for one instead of it, from the outermost in."""
    if isinstance(value, tuple):
        return tuple(rewritten(each, change) for each in value)
    if not hasattr(value, "__dataclass_fields__"):
        return value
    other = change(value)
    if other is not None:
        return other
    return replace(value, **{each.name: rewritten(getattr(value, each.name), change) for each in fields(value)})
