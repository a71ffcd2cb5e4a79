"""What a caller may have meant by a name that there is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

__all__ = ["ARGUMENTS_ELSEWHERE", "COMMANDS_ELSEWHERE", "FUNCTIONS_ELSEWHERE", "suggestion"]

# Names that other libraries give to functions of this package.
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

# Names that other libraries give to arguments, and the names here, of which a function has one.
ARGUMENTS_ELSEWHERE = {
    "concurrency": ("threads",),
    "cutoff": ("max_depth",),
    "damping": ("alpha",),
    "damping_factor": ("alpha",),
    "dampening": ("alpha",),
    "dampening_factor": ("alpha",),
    "depth_limit": ("max_depth",),
    "epsilon": ("tol",),
    "eps": ("tol",),
    "gamma": ("resolution",),
    "iterations": ("max_iter",),
    "max_iterations": ("max_iter",),
    "maxiterations": ("max_iter",),
    "n_jobs": ("threads",),
    "n_samples": ("k",),
    "niter": ("max_iter",),
    "num_threads": ("threads",),
    "personalized": ("personalization",),
    "random_seed": ("seed",),
    "random_state": ("seed",),
    "reset": ("personalization",),
    "root": ("source",),
    "samples": ("k",),
    "sampling_size": ("k",),
    "source_node": ("source",),
    "start_node": ("source",),
    "start_vertex": ("source",),
    "tolerance": ("tol",),
    "verbose": ("progress",),
    "weighted": ("weight",),
    "weights": ("weight",),
    "relationship_weight_property": ("weight",),
    "sep": ("delimiter",),
    "delim": ("delimiter",),
    "separator": ("delimiter",),
    "src": ("source",),
    "dst": ("target",),
    "create_using": ("directed",),
    "nodetype": ("ids",),
    "read_only": ("mode",),
}

# Names that other programs give to commands.
COMMANDS_ELSEWHERE = {
    "algo": "run",
    "algorithm": "run",
    "convert": "export",
    "create": "import",
    "cypher": "query",
    "delete": "remove",
    "describe": "info",
    "dump": "export",
    "fsck": "check",
    "insert": "add",
    "load": "import",
    "ls": "info",
    "migrate": "upgrade",
    "optimize": "compact",
    "read": "import",
    "schema": "info",
    "show": "info",
    "sql": "query",
    "stat": "info",
    "stats": "info",
    "status": "info",
    "vacuum": "compact",
    "verify": "check",
    "write": "export",
}


def suggestion(name: str, known: Iterable[str], elsewhere: Mapping[str, str] | None = None) -> str | None:
    """The known name that `name` resembles, or that is known under it elsewhere; None if there is none."""
    if elsewhere and name.lower() in elsewhere:
        return elsewhere[name.lower()]
    near = get_close_matches(name.lower(), [*known], 1)
    return near[0] if near else None
