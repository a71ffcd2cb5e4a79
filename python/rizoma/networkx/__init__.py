"""Rizoma as a backend of NetworkX, and NetworkX's graph classes on Rizoma's kernels.

NetworkX finds the backend by itself:

>>> nx.pagerank(G, backend="rizoma")           # one call; G is converted once and remembered
>>> nx.config.backend_priority.algos = ["rizoma"]   # all calls; or NETWORKX_BACKEND_PRIORITY=rizoma
>>> nx.pagerank(rz.open("social.rz"))          # a stored graph needs no conversion
"""

from .convert import from_networkx
from .graphs import DiGraph, Graph, MultiDiGraph, MultiGraph

__all__ = ["DiGraph", "Graph", "MultiDiGraph", "MultiGraph", "from_networkx"]
