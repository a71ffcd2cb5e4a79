"""What NetworkX loads as the backend `rizoma`: its functions under their dispatch names."""

from __future__ import annotations

from . import (  # noqa: F401  # each module registers its functions
    attributes,
    centrality,
    clustering,
    components,
    degrees,
    distances,
    matrices,
    operators,
    searches,
    structure,
    weighted,
)
from .convert import convert_from_nx, convert_to_nx
from .registry import FUNCTIONS, can_run, should_run

__all__ = ["FUNCTIONS", "can_run", "convert_from_nx", "convert_to_nx", "should_run"]

globals().update(FUNCTIONS)
