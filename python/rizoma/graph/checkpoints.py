"""Checkpoints: the state of a long call, kept beside the store, for a job that dies and is started again.

`rizoma run pagerank social.rz --checkpoint 60s --resume`, or in Python `rizoma.config(checkpoint="60s", resume=True)`.
What was kept is of one kernel with its options on one state of a graph; it goes once the call has its answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from .. import _core
from ..core.config import current
from ..core.errors import InvalidArgumentError, UnsupportedError
from ..core.lazy_numpy import np
from .graph import Graph
from .state import Reader

__all__ = ["KEEPERS", "checkpoints_of", "refuse_checkpoints", "saving"]

KEEPERS = (
    *("pagerank", "label_propagation", "louvain", "leiden", "bfs", "sssp"),
    *("connected_components", "core_number", "betweenness_centrality"),
    *("strongly_connected_components", "katz_centrality", "k_truss", "influence"),
)
_SUFFIX = ".checkpoints"
_OFTEN = 60.0


def checkpoints_of(graph: Reader, kernel: str, **options: Any) -> _core.Checkpoints | None:
    """Return where a call of a kernel keeps its state, as configured.  `options`: those that decide its answer."""
    every = _wanted()
    if every is None:
        return None
    path = graph.path if isinstance(graph, Graph) else None
    if path is None:
        raise InvalidArgumentError("checkpoints are stored beside a graph on disk; open the graph from a path")
    directory = path.absolute().with_name(path.name + _SUFFIX)
    job = json.dumps({"kernel": kernel, **{name: _plain(value) for name, value in options.items()}}, sort_keys=True)
    name = f"{kernel}-{hashlib.sha256(job.encode()).hexdigest()[:12]}"  # its own: calls must not replace each other's
    return _core.Checkpoints(directory, name, job, every, current().resume)


def refuse_checkpoints(kernel: str) -> None:
    """Raise if checkpoints are asked for, of a kernel that keeps none."""
    if _wanted() is not None:
        raise UnsupportedError(
            f"{kernel} keeps no checkpoints; call it without (checkpoints are for {', '.join(KEEPERS)})"
        )


def saving(engine: _core.Engine, view: _core.View, keep: _core.Checkpoints | None) -> AbstractContextManager[None]:
    """Have the next kernel on `view` keep its state as `keep` says, if at all; it goes once the kernel is done."""
    return nullcontext() if keep is None else _saving(engine, view, keep)


@contextmanager
def _saving(engine: _core.Engine, view: _core.View, keep: _core.Checkpoints) -> Iterator[None]:
    saved = _core.Saving(engine, view, keep)
    try:
        yield
        saved.finish()
    finally:
        saved.close()


def _wanted() -> float | None:
    """Seconds between two checkpoints; a resumed call keeps making them."""
    settings = current()
    return _OFTEN if settings.checkpoint is None and settings.resume else settings.checkpoint


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
    return value.item() if isinstance(value, np.generic) else value
