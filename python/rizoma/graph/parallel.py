"""`parallel_edges`: what is done with a second edge between the same two vertices.

A graph keeps all ("keep"), or one: with the values added last ("merge", "last"), or those that a rule makes of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from .. import _core
from ..core.errors import InvalidArgumentError

__all__ = ["ParallelSpec", "parallel_edges_of", "parallel_edges_text", "same_parallel_edges", "set_parallel_edges"]

ParallelSpec: TypeAlias = "str | Mapping[str, str]"
""" "merge", "keep" or a rule; or a rule for each column that is not to have the value added last."""

_RULES = tuple(_core.ParallelRule.__members__)
_FORMS = f'"merge", "keep", {", ".join(map(repr, _RULES))}, or a rule for each column: {{"amount": "sum"}}'.replace(
    "'", '"'
)


def set_parallel_edges(schema: _core.GraphSchema, spec: ParallelSpec | None) -> None:
    """Give a new graph, whose weight and columns are known, what was asked for."""
    if isinstance(spec, Mapping):
        for column, rule in spec.items():
            schema.set_parallel_rule(str(column), _rule(rule))
    elif spec == "keep":
        schema.parallel_edges = _core.ParallelEdges.keep
    elif spec not in (None, "merge"):
        schema.set_parallel_rules(_rule(spec))


def parallel_edges_of(schema: _core.GraphSchema) -> str | dict[str, str]:
    """What makes a graph such as this: "merge", "keep", the rule of all columns, or a rule for each that has one."""
    if schema.parallel_edges == _core.ParallelEdges.keep:
        return "keep"
    rules = {column: rule.name for column, rule in schema.parallel_rules}
    different = set(rules.values())
    if len(different) == 1 and schema.parallel_rule.name in different:
        return "merge" if different == {"last"} else different.pop()
    return {column: rule for column, rule in rules.items() if rule != "last"} or "merge"


def parallel_edges_text(spec: str | dict[str, str]) -> str:
    """The same in words."""
    if isinstance(spec, str):
        return spec
    return ", ".join(f"{column} {rule}" for column, rule in spec.items()) + ", others last"


def same_parallel_edges(schema: _core.GraphSchema, spec: ParallelSpec) -> bool:
    """Whether a graph does what was asked for."""
    if spec == "keep" or schema.parallel_edges == _core.ParallelEdges.keep:
        return spec == "keep" and schema.parallel_edges == _core.ParallelEdges.keep
    has = {column: rule.name for column, rule in schema.parallel_rules}
    if isinstance(spec, Mapping):
        asked = {str(column): _rule(rule).name for column, rule in spec.items()}
        unknown = [column for column in asked if column not in has]
        return not unknown and all(rule == asked.get(column, "last") for column, rule in has.items())
    rule = "last" if spec == "merge" else _rule(spec).name
    return all(each == rule for each in has.values())


def _rule(rule: Any) -> _core.ParallelRule:
    members: Mapping[str, _core.ParallelRule] = _core.ParallelRule.__members__
    if not isinstance(rule, str) or rule not in members:
        raise InvalidArgumentError(f"parallel_edges={rule!r} is not known; give {_FORMS}")
    return members[rule]
