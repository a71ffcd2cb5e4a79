"""A graph as all competitors get it: as files in a directory, in every shape that one of them needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rizoma.graph.bulk import fill, prepare
from rizoma.graph.open import open_graph
from rizoma.graph.tables import EdgeColumns, EdgeSource

__all__ = ["EdgeKeys", "GraphFiles", "make_files"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class EdgeKeys:
    """A graph without parallel edges and self-loops: source * n + target of each entry, ascending.

    An undirected graph has each edge in both directions.
    """

    keys: Ints
    num_vertices: int
    directed: bool

    @classmethod
    def of(cls, sources: Ints, targets: Ints, num_vertices: int, directed: bool) -> EdgeKeys:
        """From edges in any order, with whatever parallel edges and self-loops there are."""
        keep = sources != targets
        forth = sources[keep] * num_vertices + targets[keep]
        keys = forth if directed else np.concatenate([forth, targets[keep] * num_vertices + sources[keep]])
        keys.sort()
        first = np.ones(len(keys), bool)
        np.not_equal(keys[1:], keys[:-1], out=first[1:])
        return cls(keys[first], num_vertices, directed)

    def ends(self) -> tuple[Ints, Ints]:
        """Sources and targets."""
        sources = self.keys // self.num_vertices
        return sources, self.keys - sources * self.num_vertices

    def symmetric(self) -> EdgeKeys:
        """The same graph without directions."""
        return EdgeKeys.of(*self.ends(), self.num_vertices, directed=False)

    def transposed(self) -> EdgeKeys:
        """Every entry reversed."""
        sources, targets = self.ends()
        keys = targets * self.num_vertices + sources
        keys.sort()
        return EdgeKeys(keys, self.num_vertices, self.directed)


@dataclass(frozen=True)
class GraphFiles:
    """A graph without parallel edges and self-loops; entries are sorted by (source, target).

    `offsets`, `targets` and `weights` are its CSR, with both directions of every edge of an undirected graph;
    weights are 1..255, the same in both directions.
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

    @property
    def directed(self) -> bool:
        """Whether entries have a direction."""
        return self.transpose.directory.is_dir()

    @property
    def transpose(self) -> GraphFiles:
        """The arrays of a directed graph reversed."""
        return GraphFiles(self.directory / "transpose")

    @property
    def symmetric(self) -> GraphFiles:
        """The same graph without directions: what triangles are counted in."""
        return GraphFiles(self.directory / "symmetric") if self.directed else self

    def sources(self) -> Ints:
        """The first end of each entry."""
        return np.repeat(np.arange(self.num_vertices), np.diff(self.offsets))

    def edges(self) -> tuple[Ints, Ints, npt.NDArray[np.int32]]:
        """Each edge once: sources, targets, weights."""
        sources, targets = self.sources(), self.targets.astype(np.int64)
        once = np.ones(len(sources), bool) if self.directed else sources < targets
        return sources[once], targets[once], self.weights[once]

    def store(self, weighted: bool) -> Path:
        """Directory of the Rizoma store."""
        return self.directory / ("weighted.rz" if weighted else "plain.rz")

    def serialized(self, kernel: str) -> Path:
        """The file of a kernel for programs that read the GAP benchmark's serialized graphs."""
        if kernel == "tc":
            return self.symmetric.directory / "graph.sg"
        return self.directory / ("graph.wsg" if kernel == "sssp" else "graph.sg")


def make_files(directory: Path, graph: EdgeKeys, threads: int) -> GraphFiles:
    """Write all shapes of a graph."""
    files = _write_arrays(directory, graph)
    if graph.directed:
        _write_arrays(files.directory / "transpose", graph.transposed())
        symmetric = _write_arrays(files.directory / "symmetric", graph.symmetric())
        _write_serialized(symmetric, weighted=False)
        _write_store(symmetric, False, threads)
    for weighted in (False, True):
        _write_serialized(files, weighted)
        _write_store(files, weighted, threads)
    return files


def _write_arrays(directory: Path, graph: EdgeKeys) -> GraphFiles:
    directory.mkdir(parents=True, exist_ok=True)
    sources, targets = graph.ends()
    np.save(directory / "offsets.npy", np.searchsorted(sources, np.arange(graph.num_vertices + 1)))
    np.save(directory / "targets.npy", targets.astype(np.int32))
    np.save(directory / "weights.npy", _weights(sources, targets))
    return GraphFiles(directory)


def _weights(sources: Ints, targets: Ints) -> npt.NDArray[np.int32]:
    """A number 1..255 that both directions of an edge agree on."""
    low, high = np.minimum(sources, targets).astype(np.uint64), np.maximum(sources, targets).astype(np.uint64)
    mixed = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F))
    return ((mixed >> np.uint64(33)) % np.uint64(255)).astype(np.int32) + np.int32(1)


def _write_serialized(files: GraphFiles, weighted: bool) -> None:
    """Layout: bool directed; int64 entries, vertices; offsets and entries, of a directed graph both ways."""
    directed = files.directed
    with files.serialized("sssp" if weighted else "bfs").open("wb") as out:
        out.write(b"\1" if directed else b"\0")
        np.array([len(files.targets), files.num_vertices], np.int64).tofile(out)
        for way in (files, files.transpose) if directed else (files,):
            np.asarray(way.offsets, np.int64).tofile(out)
            (np.column_stack([way.targets, way.weights]) if weighted else np.asarray(way.targets)).tofile(out)


def _write_store(files: GraphFiles, weighted: bool, threads: int) -> None:
    edges = EdgeColumns(*files.edges())
    all_vertices = np.arange(files.num_vertices)  # those without edges count, too
    weights = "int32" if weighted else None
    with open_graph(files.store(weighted), files.directed, weights, ids="dense") as graph:
        source = prepare(EdgeSource([edges], vertices=all_vertices), graph._state().schema)
        with graph._bulk_load("auto", None, threads, None) as load:
            fill(load, source)
