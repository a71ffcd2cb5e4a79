"""Pairs that results give, which say what does what tables, dictionaries and sets do."""

from __future__ import annotations

from typing import Any, NoReturn

from ..core.suggestions import attribute_missing

__all__ = ["Pair", "Pairs"]

_ELSEWHERE = dict.fromkeys(
    ("to_pandas", "to_arrow", "to_polars", "head", "plot"), "top_table(n), which is a table: top_table(n).to_pandas()"
)
_ELSEWHERE |= dict.fromkeys(("items", "keys", "values", "get", "to_dict"), "dict(result.top(n))")


class Pairs(list[tuple[Any, Any]]):
    """A list of pairs."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        raise attribute_missing(self, name, _ELSEWHERE)

    def __getitem__(self, index: Any) -> Any:
        try:
            return super().__getitem__(index)
        except TypeError:
            raise TypeError(f"a list of pairs has no [{index!r}]; result[v] and dict(result.top(n)) have") from None

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are plain lists."""
        return list, (list(self),)


class Pair(tuple[Any, Any]):
    """A vertex and its value, as iterating over a result gives them; `len` of it is 2."""

    __slots__ = ()

    def __radd__(self, other: object) -> Any:
        """Refuse to be added to a number, as `sum(result)` would."""
        if not isinstance(other, int):
            return NotImplemented
        raise TypeError("iterating over a result gives pairs (vertex, value); to_numpy().sum() adds the values")

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are plain tuples."""
        return tuple, (tuple(self),)
