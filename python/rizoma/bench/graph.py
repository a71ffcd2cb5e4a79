"""The graph that all competitors get: as files in a directory, in every shape that one of them needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..engines import engine
from ..graph import Graph
from ..loading import fill, prepare
from ..opening import open_graph
from ..read import generate, read
from ..tables import EdgeColumns, EdgeSource

__all__ = ["GraphFiles", "make_files"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class GraphFiles:
    """An undirected graph without parallel edges and self-loops; entry arrays are sorted by (source, target).

    `offsets`, `targets` and `weights` are a CSR with both directions of every edge; weights are 1..255.
    """

    directory: Path

    @property
    def offsets(self) -> Ints:
        """First entry of each vertex, and the number of entries at the end."""
        return self._load("offsets")

    @property
    def targets(self) -> npt.NDArray[np.int32]:
        """The other end of each entry."""
        return self._load("targets")

    @property
    def weights(self) -> npt.NDArray[np.int32]:
        """The weight of each entry."""
        return self._load("weights")

    def _load(self, name: str) -> npt.NDArray[Any]:
        array: npt.NDArray[Any] = np.load(self.directory / f"{name}.npy", mmap_mode="r")
        return array

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return len(self.offsets) - 1

    def edges(self) -> tuple[Ints, Ints, npt.NDArray[np.int32]]:
        """Each edge once: sources, targets, weights."""
        sources = np.repeat(np.arange(self.num_vertices), np.diff(self.offsets))
        once = sources < self.targets
        return sources[once], self.targets[once].astype(np.int64), self.weights[once]

    def store(self, weighted: bool) -> Path:
        """Directory of the Rizoma store."""
        return self.directory / ("weighted.rz" if weighted else "plain.rz")

    def serialized(self, weighted: bool) -> Path:
        """The file for programs that read the GAP benchmark's serialized graphs."""
        return self.directory / ("graph.wsg" if weighted else "graph.sg")


def make_files(directory: Path, scale: int, file: Path | None, seed: int, threads: int) -> GraphFiles:
    """Generate an R-MAT graph, or read `file`, and write all shapes of it."""
    options = {"self_loops": "drop", "order": "given", "threads": threads}
    if file is None:
        graph = generate("rmat", scale, seed=seed, **options)  # type: ignore[arg-type]
    else:
        graph = read(file, directed=False, weights=False, **options)  # type: ignore[arg-type]
    keys, count = _sorted_entries(graph, threads)
    graph.close()
    sources = keys // count
    np.save(directory / "offsets.npy", np.searchsorted(sources, np.arange(count + 1)))
    targets = (keys - sources * count).astype(np.int32)
    np.save(directory / "targets.npy", targets)
    np.save(directory / "weights.npy", _weights(sources, targets.astype(np.int64)))
    files = GraphFiles(directory)
    _write_serialized(files)
    _write_stores(files, threads)
    return files


def _sorted_entries(graph: Graph, threads: int) -> tuple[Ints, int]:
    """Both directions of every edge by inner number, as source * n + target, ascending."""
    with engine(threads) as lent:
        view = graph._view(lent)
        edges = _core.EdgeScan.create(lent, view)
        u, v, _ = edges.read(lent, 0, len(edges))
    assert u is not None  # both columns were asked for
    assert v is not None
    count = view.num_vertices
    keys = np.concatenate([u * count + v, v * count + u])
    keys.sort()
    return keys, count


def _weights(sources: Ints, targets: Ints) -> npt.NDArray[np.int32]:
    """A number 1..255 that both directions of an edge agree on."""
    low, high = np.minimum(sources, targets).astype(np.uint64), np.maximum(sources, targets).astype(np.uint64)
    mixed = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F))
    return ((mixed >> np.uint64(33)) % np.uint64(255)).astype(np.int32) + np.int32(1)


def _write_serialized(files: GraphFiles) -> None:
    """Layout: bool directed; int64 entries, vertices, offsets; int32 targets or (target, weight) pairs."""
    offsets, targets, weights = files.offsets, files.targets, files.weights
    for weighted in (False, True):
        with files.serialized(weighted).open("wb") as out:
            out.write(b"\0")
            np.array([len(targets), files.num_vertices], np.int64).tofile(out)
            np.asarray(offsets, np.int64).tofile(out)
            (np.column_stack([targets, weights]) if weighted else np.asarray(targets)).tofile(out)


def _write_stores(files: GraphFiles, threads: int) -> None:
    edges = EdgeColumns(*files.edges())
    last = np.array([files.num_vertices - 1])  # it may have no edge, and yet it counts
    for weighted in (False, True):
        with open_graph(files.store(weighted), weights="int32" if weighted else None, ids="dense") as graph:
            source = prepare(EdgeSource([edges], vertices=last), graph._state().schema)
            with graph._bulk_load("auto", None, threads, None) as load:
                fill(load, source)
