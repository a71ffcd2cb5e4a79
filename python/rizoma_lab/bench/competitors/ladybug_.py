"""Ladybug (Kuzu's successor): searches by its query language, PageRank and components by its extension `algo`.

The extension is downloaded by Ladybug itself (`INSTALL algo`); where it has not been installed, searches alone run.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

import ladybug
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..graph import GraphFiles
from . import Kernel

__all__ = ["Contender"]

_LONGEST = 30_000  # edges of a shortest path; without saying so the language allows 30


class Contender:
    """See `rizoma_lab.bench.competitors`; both directions of an undirected edge are edges of the database."""

    version = str(ladybug.__version__)

    def __init__(self, files: GraphFiles, threads: int) -> None:
        self._num_vertices = files.num_vertices
        self._database = ladybug.Database(str(Path(mkdtemp(prefix="rizoma-bench-ladybug-")) / "graph"))
        self._connection = ladybug.Connection(self._database, num_threads=threads)
        vertices = pa.table({"id": np.arange(files.num_vertices)})
        edges = pa.table({"source": files.sources(), "target": np.asarray(files.targets, np.int64)})
        assert len(vertices) == files.num_vertices  # Ladybug finds both tables by the names of these variables
        assert len(edges) == len(files.targets)
        for statement in (
            f"CALL var_length_extend_max_depth={_LONGEST}",
            "CREATE NODE TABLE V(id INT64, PRIMARY KEY(id))",
            "CREATE REL TABLE E(FROM V TO V)",
            "COPY V FROM vertices",
            "COPY E FROM edges",
        ):
            self._connection.execute(statement)
        self.kernels: dict[str, Kernel] = {"bfs": self._levels}
        if self._has_algorithms():
            self._connection.execute("CALL project_graph('G', ['V'], ['E'])")
            self.kernels |= {"pr": self._ranks, "cc": self._labels}

    def _has_algorithms(self) -> bool:
        try:
            self._connection.execute("LOAD algo")
        except RuntimeError:
            return False
        return True

    def _levels(self, sources: list[int]) -> object:
        told = self._table(
            f"MATCH (a:V {{id: {sources[0]}}})-[e:E* SHORTEST 1..{_LONGEST}]->(b:V) "
            "RETURN b.id AS id, length(e) AS value"
        )

        def levels() -> npt.NDArray[np.int64]:
            answer = self._by_vertex(told, -1)
            answer[sources[0]] = 0
            return answer

        return levels

    def _ranks(self, _: list[int]) -> object:
        told = self._table(
            "CALL page_rank('G', maxIterations := 20, tolerance := 0.0) RETURN node.id AS id, rank AS value"
        )
        return lambda: self._by_vertex(told, 0.0)

    def _labels(self, _: list[int]) -> object:
        told = self._table("CALL weakly_connected_components('G') RETURN node.id AS id, group_id AS value")
        return lambda: self._by_vertex(told, -1)

    def _table(self, query: str) -> pa.Table:
        return self._connection.execute(query).get_as_arrow()

    def _by_vertex(self, told: pa.Table, missing: float) -> npt.NDArray[np.int64]:
        values = told["value"].to_numpy()
        answer = np.full(self._num_vertices, missing, values.dtype if values.dtype.kind == "f" else np.int64)
        answer[told["id"].to_numpy()] = values
        return answer
