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
from pathlib import Path
from typing import TYPE_CHECKING, Any

if sys.argv[:1] == ["-m"] and "-m rizoma " in " ".join([*sys.orig_argv, ""]):  # python -m rizoma
    from _rizoma_command import end_at_once

    end_at_once()

from ._core import __version__
from .core import errors
from .core.aliases import FUNCTIONS, alias_modules, warn_once
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
from .core.lab import lab as _lab
from .core.lazy import load as _load
from .core.suggestions import function_meant as _function_meant

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
    "PathFinder",
    "PermissionDeniedError",
    "Placement",
    "RizomaError",
    "Snapshot",
    "StorageError",
    "UnsupportedError",
    "VertexNotFoundError",
    "VertexResult",
    "__version__",
    "all_shortest_paths",
    "all_simple_paths",
    "ari",
    "check",
    "cluster",
    "common_neighbors",
    "conductance",
    "config",
    "coverage",
    "diameter",
    "distribute",
    "generate",
    "influence",
    "k_shortest_paths",
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

# Importing the package loads none of the modules below, nor NumPy: `__getattr__` imports a name at its first use.  Type
# checkers read the imports of this block; the tables behind it say the same to Python, and a test compares both.
if TYPE_CHECKING:
    from rizoma_lab.cost import cost as cost

    from . import algorithms as algorithms
    from . import api as api
    from .algorithms import *  # noqa: F403
    from .core.config import config
    from .distributed.distribute import distribute
    from .distributed.driver import Cluster, cluster
    from .graph.check import check, repair, upgrade
    from .graph.graph import Batch, Graph, Snapshot
    from .graph.open import open_graph as open  # noqa: A004 - rz.open, as os.open and gzip.open
    from .graph.placement import Placement
    from .io.read import generate, read
    from .queries.diameter import diameter
    from .queries.influence import influence
    from .queries.motifs import motifs
    from .queries.path_finder import PathFinder
    from .queries.paths import all_simple_paths, common_neighbors, shortest_path
    from .queries.sampling import random_walks, sample_neighbors
    from .queries.several_paths import all_shortest_paths, k_shortest_paths
    from .results.quality import ari, conductance, coverage, modularity, nmi, quotient_graph
    from .results.vertex import VertexResult

    __all__ += algorithms.__all__

_MODULES = {
    "core.config": ("config",),
    "distributed.distribute": ("distribute",),
    "distributed.driver": ("Cluster", "cluster"),
    "graph.check": ("check", "repair", "upgrade"),
    "graph.graph": ("Batch", "Graph", "Snapshot"),
    "graph.open": ("open",),
    "graph.placement": ("Placement",),
    "io.read": ("generate", "read"),
    "queries.influence": ("influence",),
    "queries.diameter": ("diameter",),
    "queries.motifs": ("motifs",),
    "queries.path_finder": ("PathFinder",),
    "queries.paths": ("all_simple_paths", "common_neighbors", "shortest_path"),
    "queries.sampling": ("random_walks", "sample_neighbors"),
    "queries.several_paths": ("all_shortest_paths", "k_shortest_paths"),
    "results.quality": ("ari", "conductance", "coverage", "modularity", "nmi", "quotient_graph"),
    "results.vertex": ("VertexResult",),
}
_OTHERWISE_CALLED = {"open": "open_graph"}  # in its module
_FOLDERS = ("algorithms", "api", "core", "distributed", "graph", "io", "queries", "report", "results")
_ALGORITHMS = sorted(file.stem for file in (Path(__file__).parent / "algorithms").glob("[!_]*.py"))
_PLACES = {name: module for module, names in _MODULES.items() for name in names}
_PLACES |= dict.fromkeys(_ALGORITHMS, "algorithms")
if not TYPE_CHECKING:
    __all__ += _ALGORITHMS

sys.modules[f"{__name__}.errors"] = errors  # a public name of it
alias_modules()


def __getattr__(name: str) -> Any:
    """Import a public name at its first use; finds names of `rizoma_lab` and renamed ones, too."""
    if name in _PLACES:
        return _public(name)
    if name == "cost":
        return _lab("cost").cost
    if f"{__name__}.{name}" in FUNCTIONS:
        warn_once(f"{__name__}.{name}", FUNCTIONS[f"{__name__}.{name}"])
        return _public(FUNCTIONS[f"{__name__}.{name}"])
    if name in _FOLDERS:
        _load(f"{__name__}.api")  # and with it what lies in the folders
        return _load(f"{__name__}.{name}")
    if f"{__name__}.{name}" in sys.modules:
        return sys.modules[f"{__name__}.{name}"]
    said = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(said + ("" if name.startswith("_") else _function_meant(name, __all__)))


def _public(name: str) -> Any:
    """The function or class of this name, which becomes a plain attribute."""
    if not _PLACES[name].startswith("core."):
        _load(f"{__name__}.api")  # adds methods to the graphs that the caller will have
    found = getattr(_load(f"{__name__}.{_PLACES[name]}"), _OTHERWISE_CALLED.get(name, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_FOLDERS})
