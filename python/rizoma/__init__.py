"""Rizoma: an embedded engine for big, living graphs.

>>> import rizoma as rz
>>> g = rz.open("social.rz")                    # creates or opens
>>> g.add_edges([("ann", "bob"), ("bob", "cem")])  # durable when it returns
>>> rz.pagerank(g).top(1)
[('bob', 0.4864...)]

Graphs: `open`, `read`, `generate`, `Graph`, `Snapshot`; stores on disk: `check`, `repair`, `upgrade`.
Algorithms: `pagerank`, `bfs`, `connected_components` and all others of `rizoma.algorithms`.
Several processes or machines: `cluster`, or `open(path, comm=MPI.COMM_WORLD)`; `distribute` gives each its part.
Partitions: `modularity`, `coverage`, `conductance` of one; `nmi`, `ari` between two; `coarse_graph` of one.
Influence: `influence_maximization`, and `influence` of given seeds.
Patterns: `Graph.match`, `motifs`, `shortest_path`, `all_simple_paths`, `common_neighbors`, `random_walks`,
    `sample_neighbors`.
What a job would take elsewhere, in seconds and money: `cost`.
Settings: `config`.  Errors: `RizomaError` and the classes of `rizoma.errors`.
"""

from . import algorithms
from ._core import __version__
from .algorithms import *  # noqa: F403 - each algorithm is found by its module
from .checking import check, repair, upgrade
from .cluster import Cluster, cluster
from .coarse import coarse_graph
from .config import config
from .cost import cost
from .distributing import distribute
from .errors import (
    AlreadyExistsError,
    CancelledError,
    ClosedError,
    ClusterError,
    ColumnNotFoundError,
    CorruptError,
    InvalidArgumentError,
    LockedError,
    NotFoundError,
    NotInGraphError,
    OutOfMemoryError,
    OutOfSpaceError,
    ParseError,
    PermissionDeniedError,
    RizomaError,
    StorageError,
    UnsupportedError,
    VertexNotFoundError,
)
from .graph import Batch, Graph, Snapshot
from .motifs import motifs
from .opening import open_graph as open  # noqa: A004 - rz.open, as os.open and gzip.open
from .partition_measures import ari, conductance, coverage, modularity, nmi
from .paths import all_simple_paths, common_neighbors, shortest_path
from .placement import Placement
from .read import generate, read
from .results import VertexResult
from .sampling import random_walks, sample_neighbors
from .spread import influence

__all__ = [
    "AlreadyExistsError",
    "Batch",
    "CancelledError",
    "ClosedError",
    "Cluster",
    "ClusterError",
    "ColumnNotFoundError",
    "CorruptError",
    "Graph",
    "InvalidArgumentError",
    "LockedError",
    "NotFoundError",
    "NotInGraphError",
    "OutOfMemoryError",
    "OutOfSpaceError",
    "ParseError",
    "PermissionDeniedError",
    "Placement",
    "RizomaError",
    "Snapshot",
    "StorageError",
    "UnsupportedError",
    "VertexNotFoundError",
    "VertexResult",
    "__version__",
    "all_simple_paths",
    "ari",
    "check",
    "cluster",
    "coarse_graph",
    "common_neighbors",
    "conductance",
    "config",
    "cost",
    "coverage",
    "distribute",
    "generate",
    "influence",
    "modularity",
    "motifs",
    "nmi",
    "open",
    "random_walks",
    "read",
    "repair",
    "sample_neighbors",
    "shortest_path",
    "upgrade",
]
__all__ += algorithms.__all__
