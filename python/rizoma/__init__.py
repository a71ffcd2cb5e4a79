"""Rizoma: an embedded engine for big, living graphs.

>>> import rizoma as rz
>>> g = rz.open("social.rz")                    # creates or opens
>>> g.add_edges([("ann", "bob"), ("bob", "cem")])  # durable when it returns
>>> rz.pagerank(g).top(1)
[('bob', 0.4864...)]

Graphs: `open`, `read`, `generate`, `Graph`, `Snapshot`; stores on disk: `check`, `repair`, `upgrade`.
Algorithms: `pagerank`, `bfs`, `connected_components` and all others of `rizoma.algorithms`.
Several processes or machines: `cluster`, or `open(path, comm=MPI.COMM_WORLD)`; `distribute` gives each its part.
Partitions: `modularity`, `coverage`, `conductance` of one; `nmi`, `ari` between two; `quotient_graph` of one.
Influence: `influence_maximization`, and `influence` of given seeds.
Patterns: `Graph.match`, `motifs`, `shortest_path`, `all_simple_paths`, `common_neighbors`, `random_walks`,
    `sample_neighbors`.
What a job would take elsewhere, in seconds and money: `cost`.
Settings: `config`.  Errors: `RizomaError` and the classes of `rizoma.errors`.
"""

import sys
from typing import TYPE_CHECKING, Any

if sys.argv[:1] == ["-m"] and "-m rizoma " in " ".join([*sys.orig_argv, ""]):  # python -m rizoma
    from _rizoma_command import end_at_once

    end_at_once()

from . import algorithms
from . import api as api  # adds methods
from ._core import __version__
from .algorithms import *  # noqa: F403 - each algorithm is found by its module
from .cluster import Cluster, cluster
from .cluster.distribute import distribute
from .core import errors
from .core.aliases import FUNCTIONS, alias_modules, warn_once
from .core.config import config
from .core.errors import (
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
from .core.lab import lab
from .core.suggestions import FUNCTIONS_ELSEWHERE, suggestion
from .graph.check import check, repair, upgrade
from .graph.graph import Batch, Graph, Snapshot
from .graph.open import open_graph as open  # noqa: A004 - rz.open, as os.open and gzip.open
from .graph.placement import Placement
from .io.read import generate, read
from .queries.influence import influence
from .queries.motifs import motifs
from .queries.paths import all_simple_paths, common_neighbors, shortest_path
from .queries.sampling import random_walks, sample_neighbors
from .results.quality import ari, conductance, coverage, modularity, nmi, quotient_graph
from .results.vertex import VertexResult

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
    "common_neighbors",
    "conductance",
    "config",
    "coverage",
    "distribute",
    "generate",
    "influence",
    "modularity",
    "motifs",
    "nmi",
    "open",
    "quotient_graph",
    "random_walks",
    "read",
    "repair",
    "sample_neighbors",
    "shortest_path",
    "upgrade",
]
__all__ += algorithms.__all__

sys.modules[f"{__name__}.errors"] = errors  # a public name of it
alias_modules()

if TYPE_CHECKING:
    from rizoma_lab.cost import cost as cost


def __getattr__(name: str) -> Any:
    """What is in `rizoma_lab`, and what has a new name."""
    if name == "cost":
        return lab("cost").cost
    if f"{__name__}.{name}" in FUNCTIONS:
        warn_once(f"{__name__}.{name}", FUNCTIONS[f"{__name__}.{name}"])
        return globals()[FUNCTIONS[f"{__name__}.{name}"]]
    if f"{__name__}.{name}" in sys.modules:
        return sys.modules[f"{__name__}.{name}"]
    said = f"module {__name__!r} has no attribute {name!r}"
    meant = None if name.startswith("_") else suggestion(name, __all__, FUNCTIONS_ELSEWHERE)
    raise AttributeError(f"{said}; did you mean {meant}?" if meant else said)
