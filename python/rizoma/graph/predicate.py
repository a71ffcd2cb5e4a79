"""Predicates over columns: read and evaluated by the core (docs/guide/predicates.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from .. import _core
from ..core.display import shortened
from ..core.errors import InvalidArgumentError, ParseError
from ..core.lazy_numpy import np, npt
from ..core.read_warnings import warn_of
from ..core.suggestions import suggestion, unquoted
from .schema import Values

__all__ = ["Mask", "Predicate", "id_type", "id_values"]

Mask: TypeAlias = "npt.NDArray[np.bool_]"


_FUNCTIONS_ELSEWHERE = dict.fromkeys(("isnull", "isna", "is_null", "isnan"), "x is null")
_FUNCTIONS_ELSEWHERE |= dict.fromkeys(("notnull", "notna", "is_not_null", "exists"), "x is not null")
_FUNCTIONS_ELSEWHERE |= dict.fromkeys(("ifnull", "nvl", "fillna"), "coalesce(x, 0)")
_FUNCTIONS_ELSEWHERE |= dict.fromkeys(("now", "today", "current_date"), "the date as text: x > '2026-01-31'")
_FUNCTIONS_ELSEWHERE |= {"isin": "x in (1, 2)", "regexp": "x like 'a%'", "len": "length(x)"}
"""What functions of other languages are here."""

_OF_VERTICES = {
    "id": "the id of a vertex is called vertex here",
    "degree": 'g.degrees().store(g, "degree") keeps degrees as a column',
}
_GLOB = re.compile(r"""\blike\s+['"]([^'"%_]*[*?][^'"%_]*)['"]""", re.IGNORECASE)
"""A pattern as of names of files, which have no meaning here."""
_ENDS = frozenset(("source", "target", "vertex", "weight"))
"""What predicates may name in a graph without columns."""


class Predicate:
    """A predicate over columns of these types."""

    def __init__(self, text: str, types: Mapping[str, str], elsewhere: Mapping[str, str] | None = None) -> None:
        """`elsewhere`: names that are not among the columns, and where they belong."""
        if not isinstance(text, str):
            said = shortened(" ".join(repr(text).split()))
            ids = "; graph.subgraph(ids) takes a list of vertices" if isinstance(text, (list, tuple, set)) else ""
            if hasattr(text, "to_numpy"):
                ids = (
                    "; of values that were computed store a column first, as result.store(graph) does, or use subgraph"
                )
            raise InvalidArgumentError(f'{said} is not a predicate; write one as text, such as "age >= 18"{ids}')
        self.text = text
        try:
            self._core = _core.Predicate.parse(text, list(types.items()))
        except (InvalidArgumentError, ParseError) as error:
            said, newline, place = str(error).partition("\n")
            name = re.match("there is no column '(.+?)'", said)
            function = re.match("there is no function '(.+?)'", said)
            if function is not None and function[1].lower() in _FUNCTIONS_ELSEWHERE:
                remedy = _FUNCTIONS_ELSEWHERE[function[1].lower()]
                raise type(error)(f"there is no function '{function[1]}'; write {remedy}{newline}{place}") from None
            if name is None:
                day = (
                    re.search(r"(?<!')\b\d{4}-\d\d?-\d\d?\b", text)
                    if "text is compared with a number" in said
                    else None
                )
                if day is None:
                    raise
                raise type(error)(f"{said}; text stands in quotes: '{day[0]}'{newline}{place}") from None
            meant = f"; {elsewhere[name[1]]}" if elsewhere and name[1] in elsewhere else unquoted(name[1], text)
            if not meant and name[1].lower() in ("where", "select", "filter"):
                meant = f"; leave {name[1]} out"
            elif not meant and "vertex" in types and name[1].lower() in _OF_VERTICES:
                meant = f"; {_OF_VERTICES[name[1].lower()]}"
            elif not meant and (near := suggestion(name[1], types)):
                meant = f"; did you mean {near}?"
            elif not meant and types.keys() <= _ENDS:
                meant = '; no columns were kept: rizoma.read(.., edges="infer", vertices="infer") keeps those of a file'
            raise InvalidArgumentError(said + meant + newline + place) from None

        glob = _GLOB.search(text)
        if glob is not None:
            meant = glob[1].replace("*", "%").replace("?", "_")
            warn_of(
                [f"in {glob[0]!r}, * and ? stand for themselves: % is any text, and _ any character, as in '{meant}'"]
            )

    @property
    def columns(self) -> list[str]:
        """The columns that it reads."""
        return list(self._core.columns)

    @property
    def bounds(self) -> list[tuple[str, str, list[Any]]]:
        """What must hold of single columns: name, test (=, <, <=, >, >=, in, is not null) and constants."""
        return list(self._core.bounds())

    def mask(self, values: Iterable[Values], rows: int) -> Mask:
        """The rows of which it is true; `values`: of each of `columns`."""
        return np.asarray(self._core.test(list(values), rows)).view(np.bool_)


def id_type(state: _core.Snapshot) -> str:
    """The type of external ids, as of a column."""
    return "string" if state.schema.ids == _core.IdKind.string else "int64"


def id_values(ids: Any) -> Values:
    """External ids as the core gives them, as values of a column."""
    if isinstance(ids, tuple):
        offsets, data = ids
        return data, offsets[1:], None
    return np.ascontiguousarray(ids).view(np.uint8), None, None
