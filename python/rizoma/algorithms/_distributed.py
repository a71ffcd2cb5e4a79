"""Algorithms whose work ranks share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ..graph.state import Reader

__all__ = ["DISTRIBUTED", "distributed"]

F = TypeVar("F", bound=Callable[..., Any])

DISTRIBUTED: list[str] = []


def distributed(function: F) -> F:
    """Mark an algorithm whose work ranks share: the graph that it is called with runs it on them."""
    DISTRIBUTED.append(function.__name__)

    @functools.wraps(function)
    def call(graph: Reader, *args: Any, **kwargs: Any) -> Any:
        if isinstance(graph, Reader):
            return graph._run(function, args, kwargs)
        return function(graph, *args, **kwargs)  # it raises the error

    call.on_ranks = True  # type: ignore[attr-defined]
    return cast(F, call)
