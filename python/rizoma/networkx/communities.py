"""Communities, and how good they are."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from networkx.algorithms.community.quality import NotAPartition

from rizoma import _core
from rizoma.core.errors import InvalidArgumentError

from .compiled import Compiled, run
from .components import sets_of
from .convert import compiled_of
from .registry import LINEAR, directed, implements

__all__: list[str] = []


def _number(seed: Any) -> int:
    """NetworkX's seed as a number for the core."""
    if seed is None or isinstance(seed, (int, np.integer)):
        return random.Random(seed if seed is None else int(seed)).getrandbits(63)
    if isinstance(seed, random.Random):
        return seed.getrandbits(63)
    if seed is np.random:
        seed = np.random.mtrand._rand
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63))
    if isinstance(seed, np.random.RandomState):
        return int(seed.randint(2**63 - 1, dtype=np.int64))
    raise ValueError(f"{seed!r} cannot be used to generate a random.Random instance")


def _found(compiled: Compiled, kernel: Callable[..., Any], weight: Any, *given: Any) -> dict[str, Any]:
    """The answer of a kernel; NetworkX handles weights that it refuses."""
    weights = compiled.weights_unless_alike(weight)
    view = compiled.view(weights)  # without weights it may be that of a stored graph which has some
    try:
        answer: dict[str, Any] = run(kernel, view, *given, use_weights=weights is not None)
    except InvalidArgumentError as error:
        raise NotImplementedError(str(error)) from None
    return answer


def _levels(
    G: Any,
    kernel: Callable[..., Any],
    weight: Any,
    resolution: float,
    threshold: float,
    max_level: int | None,
    seed: Any,
) -> list[list[set[Any]]]:
    if max_level is not None and max_level <= 0:
        raise ValueError("max_level argument must be a positive integer or None")
    compiled = compiled_of(G)
    if len(compiled) == 0:
        return [[]]
    levels = -1 if max_level is None else max_level
    answer = _found(compiled, kernel, weight, resolution, threshold, levels, _number(seed))
    return [list(sets_of(compiled, np.asarray(labels, np.int64))) for labels in answer["levels"]]


@implements
def louvain_communities(
    G: Any,
    weight: Any = "weight",
    resolution: float = 1,
    threshold: float = 0.0000001,
    max_level: int | None = None,
    seed: Any = None,
) -> list[set[Any]]:
    return _levels(G, _core.louvain, weight, resolution, threshold, max_level, seed)[-1]


@implements
def louvain_partitions(
    G: Any, weight: Any = "weight", resolution: float = 1, threshold: float = 0.0000001, seed: Any = None
) -> Iterator[list[set[Any]]]:
    yield from _levels(G, _core.louvain, weight, resolution, threshold, None, seed)


@implements
def leiden_communities(
    G: Any, weight: Any = "weight", resolution: float = 1, max_level: int | None = None, seed: Any = None
) -> list[set[Any]]:
    return _levels(G, _core.leiden, weight, resolution, 1e-7, max_level, seed)[-1]


@implements
def leiden_partitions(
    G: Any, weight: Any = "weight", resolution: float = 1, seed: Any = None
) -> Iterator[list[set[Any]]]:
    yield from _levels(G, _core.leiden, weight, resolution, 1e-7, None, seed)


@implements(refuses=directed)
def asyn_lpa_communities(G: Any, weight: Any = None, seed: Any = None) -> Iterator[set[Any]]:
    compiled = compiled_of(G)
    if len(compiled) == 0:
        return
    weights = None if weight is None else compiled.weights_unless_alike(weight)
    try:
        answer = run(_core.label_propagation, compiled.view(weights), False, 10_000, _number(seed), weights is not None)
    except InvalidArgumentError as error:
        raise NotImplementedError(str(error)) from None
    _, labels = np.unique(answer["community"], return_inverse=True)
    yield from sets_of(compiled, labels.astype(np.int64))


def _labels(G: Any, compiled: Compiled, communities: list[Any]) -> npt.NDArray[np.uint64]:
    """Number of each node's community; NotAPartition if a node is in none, or in two."""
    labels = np.full(len(compiled), -1, np.int64)
    numbered = 0
    for label, community in enumerate(communities):
        for node in set(community):
            number = compiled.number(node)
            if number is None or labels[number] >= 0:
                raise NotAPartition(G, communities)
            labels[number] = label
            numbered += 1
    if numbered != len(compiled):
        raise NotAPartition(G, communities)
    return np.unique(labels, return_inverse=True)[1].astype(np.uint64)


@implements(smallest=LINEAR)
def modularity(G: Any, communities: Any, weight: Any = "weight", resolution: float = 1) -> float:
    compiled = compiled_of(G)
    communities = list(communities)
    labels = _labels(G, compiled, communities)
    if len(compiled.out.targets) == 0:
        raise ZeroDivisionError("division by zero")
    return float(_found(compiled, _core.partition_quality, weight, labels, resolution)["modularity"])
