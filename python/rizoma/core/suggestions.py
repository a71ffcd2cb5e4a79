"""What a caller may have meant by a name that there is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

__all__ = ["FUNCTIONS_ELSEWHERE", "suggestion"]

# What other libraries call functions of this package.
FUNCTIONS_ELSEWHERE = {
    "bellman_ford": "sssp",
    "betweenness": "betweenness_centrality",
    "breadth_first_search": "bfs",
    "coreness": "core_number",
    "dijkstra": "sssp",
    "k_core": "core_number",
    "lpa": "label_propagation",
    "read_csv": "read",
    "read_parquet": "read",
    "scc": "strongly_connected_components",
    "triangles": "triangle_count",
    "wcc": "connected_components",
}


def suggestion(name: str, known: Iterable[str], elsewhere: Mapping[str, str] | None = None) -> str | None:
    """The known name that `name` resembles, or that is known under it elsewhere; None if there is none."""
    if elsewhere and name.lower() in elsewhere:
        return elsewhere[name.lower()]
    near = get_close_matches(name.lower(), [*known], 1)
    return near[0] if near else None
