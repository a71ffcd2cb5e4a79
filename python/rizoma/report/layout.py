"""Where the vertices of a small graph are in a drawing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["spring_layout"]

_ROUNDS = 150


def spring_layout(
    count: int, sources: npt.NDArray[np.int64], targets: npt.NDArray[np.int64], seed: int = 1
) -> npt.NDArray[np.float64]:
    """Positions (x, y) in [0, 1] of `count` vertices: neighbours attract, all others repel each other.

    The method is that of Fruchterman and Reingold ("Graph drawing by force-directed placement", 1991) with a weak pull
    to the middle, which keeps components together.  Each round costs count^2.
    """
    if count < 2:
        return np.full((count, 2), 0.5)
    places = np.random.default_rng(seed).random((count, 2))
    distance = 1 / np.sqrt(count)
    for step in np.linspace(0.1, 0.002, _ROUNDS):
        between = places[:, None, :] - places[None, :, :]
        squares = np.maximum((between**2).sum(axis=2), 1e-9)
        forces = (between * (distance**2 / squares)[:, :, None]).sum(axis=1)
        along = places[sources] - places[targets]
        pulls = along * (np.linalg.norm(along, axis=1) / distance)[:, None]
        np.add.at(forces, sources, -pulls)
        np.add.at(forces, targets, pulls)
        forces -= (places - 0.5) * distance * 2
        lengths = np.maximum(np.linalg.norm(forces, axis=1), 1e-9)
        places += forces / lengths[:, None] * np.minimum(lengths, step)[:, None]
    least = places.min(axis=0)
    return np.asarray((places - least) / np.maximum(np.ptp(places, axis=0), 1e-9))
