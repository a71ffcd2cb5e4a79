"""One file a competitor: a class `Contender(files, threads)` that loads the graph and runs the kernels.

A kernel takes the list of source vertices and returns its answer as an array or a number, or a function
that makes it: what that function does is not timed.  Answers: pr: ranks; bfs: levels, negative or above
2^30 where not reached; cc: labels; bc: scores of the given sources, not normalised, each pair counted in
both directions; sssp: distances; tc: the total.  None: an answer that cannot be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

__all__ = ["Competitor", "Kernel"]

Kernel = Callable[[list[int]], Any]


class Competitor(Protocol):
    """A loaded graph and the kernels that this program has."""

    version: str
    kernels: dict[str, Kernel]
