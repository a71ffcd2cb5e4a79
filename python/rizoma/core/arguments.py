"""Functions that say which argument was meant by a name that they do not take."""

from __future__ import annotations

import functools
from collections.abc import Callable
from inspect import signature
from typing import ParamSpec, TypeVar

from .suggestions import ARGUMENTS_ELSEWHERE, suggestion

__all__ = ["names_checked"]

P = ParamSpec("P")
R = TypeVar("R")


def names_checked(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which says of an argument that it does not have which one is meant.

    On ranks the call is compared first, so that all of them hear of it.
    """
    known = [name for name, each in signature(function).parameters.items() if each.kind != each.VAR_KEYWORD]

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in (
            () if any(getattr(each, "_shared_by_ranks", False) for each in (*args, *kwargs.values())) else kwargs
        ):
            if name not in known:
                raise TypeError(f"{function.__name__}() has no argument {name!r}; {_meant(name, known)}")
        return function(*args, **kwargs)

    return call


def _meant(name: str, known: list[str]) -> str:
    elsewhere = (others for each, others in ARGUMENTS_ELSEWHERE.items() if _plain(each) == _plain(name))
    others = [other for group in elsewhere for other in group if other in known]
    meant = others[0] if others else suggestion(name, known)
    return f"did you mean {meant}?" if meant else f"it takes {', '.join(known)}"


def _plain(name: str) -> str:
    """The name without what sets damping_factor and dampingFactor apart."""
    return name.lower().replace("_", "")
