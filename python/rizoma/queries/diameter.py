"""The diameter of a graph."""

from __future__ import annotations

from .. import _core
from ..core.arguments import names_checked
from ..core.engines import ProgressOption, engine
from ..core.read_warnings import warn_of
from ..graph.state import Reader, state_of

__all__ = ["diameter"]


@names_checked
def diameter(graph: Reader, *, threads: int | None = None, progress: ProgressOption = None) -> int:
    """Return the largest distance, in edges, between two vertices that reach each other, exactly.

    For undirected graphs.  Of several components the largest distance within one counts, and a ReadWarning says so:
    vertices of different ones have no distance.  `eccentricity` has that of every vertex, and of directed graphs.

    Raises UnsupportedError if the graph is directed.  Cost: a handful of searches in practice, one from every vertex at
    worst; 28 bytes a vertex, and 24 for each thread.
    Source: Crescenzi, Grossi, Habib, Lanzi, Marino, "On computing the diameter of real-world undirected graphs",
    Theoretical Computer Science 514, 2013 (iFUB).
    """
    state = state_of(graph)
    with engine(threads, progress) as borrowed:
        longest, parts = _core.diameter(borrowed, state.working_view(borrowed))
    if parts > 1:
        said = f"the graph is not connected: {longest} is the largest distance within one of its {parts:,} components"
        warn_of([f"{said}; between them there is none, and g.subgraph(vertices) has one alone"])
    return longest
