"""Pairs that results give, which say what does what tables, dictionaries and sets do."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from ..core.read_warnings import warn_of
from ..core.suggestions import attribute_missing

__all__ = ["Member", "Pairs"]

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


class Member(tuple[Any, Any]):
    """A vertex and the part that it is in; NetworkX gives the parts as sets, whose lengths people ask for."""

    __slots__ = ()

    def __len__(self) -> int:
        code = sys._getframe(1).f_code
        if "len" in code.co_names and "site-packages" not in code.co_filename:  # not a library that takes it apart
            warn_of(
                [
                    "iterating over this result gives pairs (vertex, part), whose length is 2: sizes() has the sizes "
                    "of the parts, top(1) the largest, to_pandas().groupby(result.value) the vertices of each"
                ]
            )
        return 2

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are plain tuples."""
        return tuple, (tuple(self),)
