"""How a kernel is run: on which state, with which engine, and what becomes of its answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from .. import _core
from ..core.config import current
from ..core.display import number_of
from ..core.engines import ProgressOption, engine
from ..core.log import logger
from ..core.placements import AUTO, home_nodes
from ..core.read_warnings import warn_of
from ..graph.checkpoints import refuse_checkpoints, saving
from ..graph.ids import ErrorsWithIds
from ..graph.placement import PlacementReport
from ..graph.placement_choice import Features, PlacementChoice, Work, choose_placement, features_of
from ..graph.state import weighted_view
from ..results.counters import start_counters
from ..results.vertex import BfsResult, VertexResult

__all__ = ["run", "warn_unless_converged"]


R = TypeVar("R", bound=VertexResult)


def run(
    kind: type[R],
    state: _core.Snapshot,
    kernel: Callable[[_core.Engine, _core.View], dict[str, Any]],
    threads: int | None,
    progress: ProgressOption,
    weight: str | None = None,
    keep: _core.Checkpoints | None = None,
) -> R:
    """Run a kernel on a state of a graph; what is no array in its answer becomes an attribute.

    `weight` is the edge column that the view has as weights, if it is another one than "weight".  `keep`: where
    it keeps its state, if it is to (`checkpoints_of`).
    """
    if keep is None:
        refuse_checkpoints(kind.name)
    chosen = _chosen_placement(state, kind)
    with engine(threads, progress, None if chosen is None else chosen.policy) as borrowed:
        view = weighted_view(state, borrowed, weight)
        borrowed.take_traffic()
        counting = start_counters() if current().perf_counters else None
        begin = time.perf_counter()
        with ErrorsWithIds(state), saving(borrowed, view, keep):
            answer = kernel(borrowed, view)
        seconds = time.perf_counter() - begin
        read = None if counting is None else counting(seconds)
        placement = PlacementReport.of(borrowed.policy, borrowed.take_traffic(), borrowed.tiers)
        placement = placement.named(current().placement, "" if chosen is None else chosen.reason)
        columns = {name: value for name, value in answer.items() if isinstance(value, (np.ndarray, _core.LazyColumn))}
        result = kind(state, view, columns, seconds, borrowed.threads, placement)
        result.counters = read
    logger.debug("%s took %.3g s on %d threads", kind.name, seconds, result.threads)
    for name in answer.keys() - columns.keys():
        setattr(result, name, answer[name])
    return result


def warn_unless_converged(result: Any, tol: float) -> None:
    """Warn that a limit of iterations has ended a call before `tol` was met; with tol=0 that was asked for."""
    if result.converged or tol <= 0:
        return
    after = number_of(result.iterations, "iteration")
    said = f"{result.name} has not converged after {after}: its values are not within tol={tol:g} of the exact ones"
    warn_of([f"{said}; give max_iter={max(100, 10 * result.iterations)}, or a greater tol, or tol=0 if that is meant"])


def _chosen_placement(state: _core.Snapshot, kind: type[VertexResult]) -> PlacementChoice | None:
    """The policy for this graph and kernel, if that is to be chosen."""
    if current().placement != AUTO:
        return None
    homes = len(home_nodes())
    work: Work = "search" if issubclass(kind, BfsResult) else "searches" if kind._searches else "sweeps"
    if homes < 2:
        return choose_placement(Features(homes), work)
    with engine(1, False) as borrowed:
        return choose_placement(features_of(state.view(borrowed), homes), work)
