"""The graphs to measure on, by name: the five shapes of the GAP benchmark, and real graphs.

A shape has a file in a directory of real graphs, a generator, or both: then the file is taken where it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rizoma import _core
from rizoma.core.engines import engine
from rizoma.core.errors import InvalidArgumentError
from rizoma.graph.graph import Graph
from rizoma.io.read import generate, read

from .graph import EdgeKeys

__all__ = ["SHAPES", "SUITES", "Shape", "data_directory", "entries_of", "of_file", "shapes_of"]

Ints = npt.NDArray[np.int64]
Generator = Callable[[int, int, int], EdgeKeys]  # of scale, seed, threads


@dataclass(frozen=True)
class Shape:
    """A graph by name; `directed`: None: as the file says; `kernels`: the only ones to run, if not all."""

    name: str
    file: str | Path | None = None
    directed: bool | None = False
    generator: Generator | None = None
    kernels: tuple[str, ...] = ()

    def path(self, data: Path | None) -> Path | None:
        """Where its file is; None: there is none."""
        if isinstance(self.file, Path):
            return self.file
        place = None if self.file is None or data is None else data / self.file
        return place if place is not None and place.is_file() else None

    def make(self, data: Path | None, scale: int, seed: int, threads: int) -> EdgeKeys | None:
        """Read or generate it; None: neither is possible."""
        path = self.path(data)
        if path is not None:
            graph = read(path, directed=self.directed, weights=False, order="given", threads=threads)
            return entries_of(graph, threads)
        return None if self.generator is None else self.generator(scale, seed, threads)


def entries_of(graph: Graph, threads: int) -> EdgeKeys:
    """The edges of a graph by the internal numbers of their ends; the graph is closed."""
    with graph, engine(threads) as borrowed:
        view = graph._view(borrowed)
        edges = _core.EdgeScan.create(borrowed, view)
        u, v, _ = edges.read(borrowed, 0, len(edges))
        assert u is not None  # both columns were asked for
        assert v is not None
        return EdgeKeys.of(u, v, view.num_vertices, graph._state().schema.directed)


def _generated(kind: str, directed: bool = False) -> Generator:
    def make(scale: int, seed: int, threads: int) -> EdgeKeys:
        return entries_of(generate(kind, scale, seed=seed, directed=directed, order="given", threads=threads), threads)

    return make


def _web(scale: int, seed: int, threads: int) -> EdgeKeys:
    """Pages of a host are together and link to each other; some links lead to popular pages anywhere."""
    n = 1 << scale
    rng = np.random.default_rng(seed)
    sizes = np.minimum(rng.zipf(1.6, n // 8 + 1) * 8, n // 8 + 1)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    starts = np.append(starts[starts < n], n)
    host = np.searchsorted(starts, np.arange(n), side="right") - 1
    sources = np.repeat(np.arange(n), np.minimum(rng.zipf(2.0, n) + 5, 1000))
    near = sources + np.rint(rng.standard_cauchy(len(sources)) * 6).astype(np.int64)
    first, end = starts[host[sources]], starts[host[sources] + 1]
    popular = (n * rng.random(len(sources)) ** 4).astype(np.int64)
    targets = np.where(rng.random(len(sources)) < 0.85, np.clip(near, first, end - 1), starts[host[popular]])
    return EdgeKeys.of(sources, targets, n, directed=True)


def _islands(scale: int, seed: int, threads: int) -> EdgeKeys:
    """Components of a thousand vertices: a search from one of them touches little."""
    n, size = 1 << scale, 1000
    rng = np.random.default_rng(seed)
    sources = np.repeat(np.arange(n), 8)
    targets = np.minimum(sources // size * size + rng.integers(size, size=len(sources)), n - 1)
    return EdgeKeys.of(sources, targets, n, directed=False)


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("kron", generator=_generated("rmat")),
        Shape("urand", generator=_generated("uniform")),
        Shape("road", "road-USA-FLA.el.zst", generator=_generated("grid")),
        Shape("web", "web-cnr-2000.el.zst", directed=True, generator=_web),
        Shape("twitter", directed=True, generator=_generated("rmat", directed=True)),
        Shape("slashdot", "soc-Slashdot0902.el.zst", directed=True),
        Shape("facebook100", "soc-fbA-facebook100-und.el.zst"),
        Shape("gowalla", "soc-gowalla-und.el.zst"),
        Shape("islands", generator=_islands, kernels=("bfs",)),
    )
}
SUITES = {
    "gap": ("kron", "urand", "road", "web", "twitter"),
    "real": ("road", "web", "slashdot", "facebook100", "gowalla"),
}


def of_file(path: Path, directed: bool | None = None) -> Shape:
    """The graph of an edge file, which may say itself whether it is directed."""
    if not path.exists():
        names = ", ".join([*SUITES, *SHAPES])
        raise InvalidArgumentError(f"there is no graph {str(path)!r}; choose one of {names}, or give a file")
    return Shape(path.name.split(".")[0], path, directed)


def shapes_of(names: tuple[str, ...], directed: bool | None = None) -> list[Shape]:
    """The shapes that names of shapes, names of suites and paths of files stand for, each once."""
    single = [shape for name in names for shape in SUITES.get(name, (name,))]
    return [SHAPES.get(name) or of_file(Path(name), directed) for name in dict.fromkeys(single)]


def data_directory(given: Path | None) -> Path | None:
    """Where the real graphs are: as given, or `data` in the directory RIZOMA_SHARED."""
    if given is not None:
        return given
    shared = os.environ.get("RIZOMA_SHARED")
    return Path(shared) / "data" if shared else None
