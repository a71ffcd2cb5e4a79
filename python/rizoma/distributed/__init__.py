"""`rizoma.cluster`: ranks that mpiexec starts, driven from this program.

with rz.cluster(4) as c:
    g = c.open("social.rz")
    rz.pagerank(g).top(10)
"""

from .driver import Cluster, ClusterGraph, cluster

__all__ = ["Cluster", "ClusterGraph", "cluster"]
