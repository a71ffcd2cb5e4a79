"""python-graphblas (SuiteSparse:GraphBLAS), with the usual formulations of the kernels."""

from __future__ import annotations

import graphblas as gb
import numpy as np
from graphblas import Matrix, Vector, semiring, unary

from ..graph import GraphFiles
from . import Kernel

__all__ = ["Contender"]


class Contender:
    """See `rizoma_lab.bench.competitors`.  Kernels that need a library above GraphBLAS are left out."""

    version = gb.__version__

    def __init__(self, files: GraphFiles, threads: int) -> None:
        gb.ss.config["nthreads"] = threads
        n = files.num_vertices
        offsets, targets = np.array(files.offsets, np.uint64), np.array(files.targets, np.uint64)
        plain = Matrix.ss.import_csr(
            nrows=n, ncols=n, indptr=offsets, col_indices=targets, values=np.ones(1, np.float32), is_iso=True
        )
        degrees = np.diff(files.offsets).astype(np.float64)
        full = Vector.from_dense(np.maximum(degrees, 1))
        isolated = np.flatnonzero(degrees == 0)
        lower = gb.select.tril(plain, -1).new()

        def ranks(_: list[int]) -> object:
            rank = Vector.from_scalar(1 / n, n, dtype="FP64")
            lost = Vector.from_coo(isolated, np.ones(len(isolated)), size=n)
            for _round in range(20):
                mass = float((lost * rank).new().reduce().new().value or 0.0)
                share = rank.ewise_mult(full, gb.binary.truediv).new()
                rank = Vector.from_scalar(0.15 / n + 0.85 * mass / n, n, dtype="FP64")
                flow = semiring.plus_second(plain @ share).new()
                rank(gb.binary.plus) << unary.identity(flow.apply(gb.binary.times, right=0.85).new())
            return lambda: rank.to_dense(0.0)

        def levels(sources: list[int]) -> object:
            level = Vector("INT32", n)
            frontier = Vector("BOOL", n)
            frontier[sources[0]] = True
            depth = 0
            while frontier.nvals:
                level(frontier.S) << depth
                frontier(~level.S, replace=True) << semiring.any_pair(frontier @ plain)
                depth += 1
            return lambda: level.to_dense(-1)

        def triangles(_: list[int]) -> object:
            counts = semiring.plus_pair["INT64"](lower @ lower.T).new(mask=lower.S)
            return int(counts.reduce_scalar().new().value or 0)

        self.kernels: dict[str, Kernel] = {"pr": ranks, "bfs": levels, "tc": triangles}
