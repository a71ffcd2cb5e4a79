"""Options given by name."""

from __future__ import annotations

from typing import Any, TypeVar

from . import _core
from .errors import InvalidArgumentError

__all__ = ["enum_value", "weight_type"]

E = TypeVar("E")


def enum_value(kind: type[E], option: str, name: Any) -> E:
    """The member of an enum of the core, by its name; the error lists the names there are."""
    members: dict[str, E] = kind.__members__  # type: ignore[attr-defined]
    if name not in members:
        raise InvalidArgumentError(f"{option}={name!r} is not known; choose one of {', '.join(members)}")
    return members[name]


def weight_type(weights: str | bool | None) -> _core.WeightType:
    """None or False: no weights; True: float64."""
    if weights is None or weights is False:
        return _core.WeightType.none
    return enum_value(_core.WeightType, "weights", "float64" if weights is True else weights)
