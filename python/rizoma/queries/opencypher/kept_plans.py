"""Plans of the last queries: a query that is asked again, of other values or another state, is not planned anew.

A plan depends on the text, on the types of the parameters and on the names and types of the graph's columns.  What
depends on values, predicates as the engine reads them and the vertices that ids name, is made again.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache

from ...core.lazy_arrow import pa
from . import syntax as s
from .evaluator import Evaluator
from .graph_values import GraphColumns
from .steps import Step, Types, step_for

__all__ = ["KeptPlan", "kept_plan"]

_MOST = 256


@dataclass
class KeptPlan:
    """The steps of each query of a union, without a state, and the types of the columns."""

    steps: list[list[Step]] | None = None
    types: Types | None = None
    schema: pa.Schema | None = None
    """Names and types of the columns as users see them."""
    has_all_names: bool = False
    """Labels and types that the query names were found in a graph."""

    def again(self, evaluator: Evaluator, graph: GraphColumns) -> list[list[Step]] | None:
        """The steps for a state and the values of parameters; None: they are to be planned."""
        made = [[step_for(step, evaluator, graph) for step in plan] for plan in self.steps or ()]
        if not made or any(step is None for plan in made for step in plan):
            return None
        return [[step for step in plan if step is not None] for plan in made]

    def keep(self, plans: list[list[Step]], parsed: s.Union) -> None:
        """Keep these steps, if other values of the parameters may take them."""
        if not _is_of_values(parsed):
            bare = [[step_for(step, None, None) for step in plan] for plan in plans]
            self.steps = [[step for step in plan if step is not None] for plan in bare]


def kept_plan(text: str, evaluator: Evaluator, graph: GraphColumns) -> KeptPlan:
    """The plan of a query that is kept, or the place for it."""
    kinds = tuple((name, value.type) for name, value in evaluator.parameters.items())
    return _place(text, graph.words, graph.kinds, kinds)


@lru_cache(_MOST)
def _place(*key: Hashable) -> KeptPlan:
    return KeptPlan()


def _is_of_values(parsed: s.Union) -> bool:
    """Whether the steps depend on values of parameters: numbers of rows, and properties of repeated edges."""
    every = s.walk(parsed)
    rows = [each for part in every if isinstance(part, s.Projection) for each in (part.skip, part.limit)]
    hops = [part.properties for part in every if isinstance(part, s.EdgePattern) and part.repeated]
    return any(isinstance(each, s.Parameter) for each in s.walk((tuple(filter(None, rows)), tuple(hops))))
