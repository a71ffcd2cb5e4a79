"""What `g.neighbors(v)` gives: a sequence of ids that reads the graph, and says what does what lists and sets do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from .. import _core
from ..core.suggestions import attribute_missing

__all__ = ["explain_neighbors"]

_ELSEWHERE = dict.fromkeys(("append", "add", "extend", "insert"), "add_edges([(u, v)]) of the graph, or list(...)")
_ELSEWHERE |= dict.fromkeys(("remove", "pop", "clear", "discard"), "remove_edges([(u, v)]) of the graph, or list(...)")
_ELSEWHERE |= dict.fromkeys(("intersection", "union", "difference"), "set(...), which has that")
_ELSEWHERE |= dict.fromkeys(("items", "keys", "values"), "g[v], a mapping of each neighbour to what its edge has")
_ELSEWHERE |= {"sort": "sorted(...)", "tolist": "list(...)", "index": "list(...), which has that", "count": "len(...)"}
"""What other containers have, and what there is."""

_OPERATORS = {"add": ("+", "list"), "and": ("&", "set"), "or": ("|", "set"), "sub": ("-", "set"), "mul": ("*", "list")}


def _missing(self: object, name: str) -> NoReturn:
    raise attribute_missing(self, name, _ELSEWHERE)


def _refusal(sign: str, kind: str) -> Callable[..., NoReturn]:
    def refuse(self: object, other: object) -> NoReturn:
        raise TypeError(f"neighbours have no {sign}; write {kind}(g.neighbors(v)) {sign} ...")

    return refuse


def explain_neighbors() -> None:
    """Make the extension's class a sequence whose mistaken use has a remedy."""
    neighbors: Any = _core.Neighbors
    Sequence.register(neighbors)
    neighbors.__getattr__ = _missing
    for name, (sign, kind) in _OPERATORS.items():
        setattr(neighbors, f"__{name}__", _refusal(sign, kind))
        setattr(neighbors, f"__r{name}__", _refusal(sign, kind))
