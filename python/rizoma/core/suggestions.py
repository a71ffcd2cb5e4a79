"""What a caller may have meant by a name that there is not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

__all__ = [
    "COMMANDS_ELSEWHERE",
    "FUNCTIONS_ELSEWHERE",
    "attribute_missing",
    "function_meant",
    "suggestion",
    "unquoted",
]

# Names that other libraries give to functions of this package.
FUNCTIONS_ELSEWHERE = {
    "bellman_ford": "sssp",
    "betweenness": "betweenness_centrality",
    "breadth_first_search": "bfs",
    "cc": "connected_components",
    "community_fastgreedy": "louvain",
    "community_label_propagation": "label_propagation",
    "community_leiden": "leiden",
    "community_louvain": "louvain",
    "community_multilevel": "louvain",
    "connect": "open",
    "coreness": "core_number",
    "create": "open",
    "database": "open",
    "dijkstra": "sssp",
    "jaccard": "common_neighbors",
    "jaccard_coefficient": "common_neighbors",
    "k_core": "core_number",
    "kcore": "core_number",
    "load": "open",
    "lpa": "label_propagation",
    "mst": "minimum_spanning_tree",
    "node2vec": "random_walks",
    "page_rank": "pagerank",
    "shortest_paths": "sssp",
    "distances": "sssp",
    "get_shortest_paths": "shortest_path",
    "clusters": "connected_components",
    "scc": "strongly_connected_components",
    "similarity": "common_neighbors",
    "spanning_tree": "minimum_spanning_tree",
    "triangles": "triangle_count",
    "wcc": "connected_components",
}

_INSTEAD = {
    "DiGraph": "rizoma.open(path, directed=True) makes a directed graph",
    "MultiGraph": 'rizoma.open(path, parallel_edges="keep") keeps parallel edges',
    "adjacency_matrix": "g.to_scipy() has it",
    "all_pairs_shortest_path_length": "rizoma.eccentricity and rizoma.bfs from each vertex have distances",
    "average_clustering": "rizoma.clustering(g) has it: average",
    "cliques": 'g.match finds cliques: g.match("(a)--(b)--(c)--(a)")',
    "degree": "g.degrees() counts the edges of all vertices",
    "degree_centrality": "g.degrees() counts the edges of all vertices",
    "density": "g.num_edges and g.num_vertices tell it",
    "eigenvector_centrality": "rizoma.katz_centrality and rizoma.pagerank weigh neighbours likewise",
    "is_connected": "rizoma.connected_components(g).count is 1 for a connected graph",
    "delete": "a graph is a directory: close it, then shutil.rmtree(path)",
    "dijkstra_path": "rizoma.shortest_path(graph, source, target, weight) has a path",
    "export": "g.export(path) writes a file",
    "graph": "rizoma.open(path) opens a graph, and rizoma.read(data) makes one",
    "has_path": "rizoma.shortest_path(g, a, b, weight=None) is None without one",
    "hits": "rizoma.pagerank ranks; networkx.hits(g) takes a graph of Rizoma, too",
    "list": "a graph is a directory: list(pathlib.Path('.').glob('*.rz')) finds those here",
    "max_flow": "networkx.maximum_flow(g.to_networkx(), a, b) has it",
    "maximum_flow": "networkx.maximum_flow(g.to_networkx(), a, b) has it",
    "match": "g.match(pattern) asks a graph",
    "neighbors": "g.neighbors(v) has them",
    "number_of_edges": "g.num_edges tells it",
    "number_of_nodes": "len(g) tells it",
    "query": "g.query(text) asks a graph",
    "remove": "a graph is a directory: close it, then shutil.rmtree(path)",
    "report": "the command does it: rizoma report STORE -o report.html",
    "save": "a graph that was opened with a path is on disk after each call; g.copy_to(path) copies it",
    "set_num_threads": "rizoma.config(threads=4) sets them",
    "set_threads": "rizoma.config(threads=4) sets them",
    "subgraph": "g.subgraph(vertices) is a view of a part",
    "to_igraph": "g.to_igraph() makes one",
    "to_networkx": "g.to_networkx() makes one",
    "to_pandas": "g.edges.to_pandas() and g.vertices.to_pandas() are tables",
    "version": "rizoma.__version__ is it",
    "write": "g.export(path) writes a file",
}
"""Functions that other libraries have, and what does here what they do."""

_LISTED = 20  # attributes of an object that a message lists

# Names that other programs give to commands.
COMMANDS_ELSEWHERE = {
    "algo": "run",
    "algorithm": "run",
    "adjacent": "neighbors",
    "backup": "export",
    "build": "import",
    "copy": "export",
    "convert": "export",
    "create": "import",
    "cypher": "query",
    "describe": "info",
    "draw": "report",
    "dump": "export",
    "fsck": "check",
    "filter": "match",
    "insert": "add",
    "load": "import",
    "count": "info",
    "ls": "info",
    "memory": "info",
    "size": "info",
    "du": "info",
    "migrate": "upgrade",
    "open": "info",
    "optimize": "compact",
    "plot": "report",
    "read": "import",
    "restore": "check",
    "schema": "info",
    "shell": "query",
    "shortest_path": "path",
    "show": "info",
    "snapshot": "tags",
    "sql": "query",
    "stat": "info",
    "stats": "info",
    "status": "info",
    "vacuum": "compact",
    "where": "match",
    "verify": "check",
    "write": "export",
}


def unquoted(name: str, text: str) -> str:
    """What to say of a name that is compared with and that there is not: it may be a text that lacks its quotes."""
    compared = re.search(
        rf"(=|<|>|[{{,]\s*\w+\s*:|\bin\b|\blike\b|\bcontains\b|\bwith\b)[\s(]*{re.escape(name)}\b", text, re.IGNORECASE
    )
    return f"; text stands in quotes: '{name}'" if compared else ""


def attribute_missing(owner: object, name: str, elsewhere: Mapping[str, str]) -> AttributeError:
    """The error of an attribute that an object has not; `elsewhere` says what does what other libraries call so."""
    said = f"{type(owner).__name__!r} object has no attribute {name!r}"
    if name in elsewhere:
        return AttributeError(f"{said}; use {elsewhere[name]}")
    if name.startswith("_"):
        return AttributeError(said)
    known = [own for own in dir(owner) if own[0] != "_"]
    meant = suggestion(name, known)
    there = f"there are {', '.join(known)}" if len(known) <= _LISTED else "dir() lists what there is"
    return AttributeError(f"{said}; did you mean {meant}?" if meant else f"{said}; {there}")


def function_meant(name: str, known: Iterable[str]) -> str:
    """What to say of a function that there is not, to follow its name; empty if nothing is known of it."""
    if name in _INSTEAD:
        return f"; {_INSTEAD[name]}"
    if name.startswith(("read_", "from_", "load_")):
        return "; did you mean read?"
    meant = suggestion(name, known, FUNCTIONS_ELSEWHERE)
    return f"; did you mean {meant}?" if meant else "; dir(rizoma) lists what there is"


def suggestion(name: str, known: Iterable[str], elsewhere: Mapping[str, str] | None = None) -> str | None:
    """The known name that `name` resembles, or that is known under it elsewhere; None if there is none."""
    if elsewhere and name.lower() in elsewhere:
        return elsewhere[name.lower()]
    as_written = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), [*as_written], 1)
    return as_written[near[0]] if near else None
