"""`g.degree`: degrees in all the ways of NetworkX's `G.degree`; that of one vertex costs what it touches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, overload

from ..core.suggestions import attribute_missing
from .ids import VertexKey
from .networkx_view import expect_weight

if TYPE_CHECKING:
    from .state import Reader

__all__ = ["Degrees"]


class Degrees:
    """Degrees of vertices: `g.degree(v)`, `g.degree[v]`, `dict(g.degree)`, `g.degree([u, v])`.

    All count as NetworkX does: the edges at a vertex, in- and out-edges if the graph is directed, and a loop twice.
    `g.out_degree` and `g.in_degree` of a directed graph count its out-edges and its in-edges.
    """

    __slots__ = ("_reader",)

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    @overload
    def __call__(self, v: VertexKey) -> int: ...

    @overload
    def __call__(self, v: Any = None, weight: Any = None) -> Any: ...

    def __call__(self, v: Any = None, weight: Any = None, **others: Any) -> Any:
        """Return the degree of `v`; without `v`, of several vertices, and with `weight`, NetworkX's view.

        `weight`: "weight".  Raises `VertexNotFoundError` if `v` is not a vertex.
        """
        if others:
            raise TypeError(
                f"degree() has no argument {next(iter(others))!r}; it takes v and weight, and in_degree(v) and "
                "out_degree(v) of a directed graph count one direction"
            )
        reader = self._reader
        if v is None or weight is not None:
            if weight is not None:
                expect_weight(reader._state(), weight)
            return reader._as_networkx().degree(v, weight)
        found = reader._native.degree_of(v)
        if found is None and isinstance(v, Iterable) and not isinstance(v, (str, bytes, tuple)):
            return reader._as_networkx().degree(v)
        return reader._missing(v) if found is None else found

    def __getitem__(self, v: VertexKey) -> int:
        found = self._reader._native.degree_of(v)
        return self._reader._missing(v) if found is None else found

    def __iter__(self) -> Iterator[tuple[VertexKey, int]]:
        return iter(self._reader._as_networkx().degree)

    def __len__(self) -> int:
        return len(self._reader)

    def __getattr__(self, name: str) -> NoReturn:
        raise attribute_missing(self, name, {} if name.startswith("_") else {name: f"g.degrees().{name}"})

    def __repr__(self) -> str:
        return f"Degrees({self._reader!r})"
