"""Results that put every vertex into one part: components, communities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.arguments import methods_checked
from ..core.errors import UnsupportedError
from ..core.lazy_arrow import pa
from ..core.options import whole_number
from ..graph.ids import VertexKey
from .pairs import Pairs
from .quotient import graph_of_labels
from .vertex import VertexResult

if TYPE_CHECKING:
    from ..graph.graph import Graph

__all__ = ["CommunitiesResult", "CommunityPhase", "ComponentsResult", "PartitionResult", "StrongComponentsResult"]


@methods_checked
class PartitionResult(VertexResult):
    """One label for each vertex; vertices of a part have the same.

    Cost: of its tables one pass over the labels.
    """

    count: int

    def _labels(self, found: npt.NDArray[np.int64]) -> pa.Array:
        """Labels as a table shows them."""
        return pa.array(found)

    def sizes(self) -> pa.Table:
        """Return a table of the labels and `size`, largest first."""
        labels, sizes = self._by_size()
        return pa.table({self.value: self._labels(labels), "size": sizes})

    def _by_size(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Labels, largest part first, and the sizes of their parts."""
        labels = self._values() if self._live is None else self._values()[self._live]
        sizes = np.bincount(labels.astype(np.int64, copy=False)) if len(labels) else np.empty(0, np.int64)
        found = np.flatnonzero(sizes)
        found = found[np.argsort(-sizes[found], kind="stable")]
        return found, sizes[found]

    def top(self, n: int = 10) -> list[tuple[Any, int]]:
        """Return the `n` largest parts as (label, size).

        Raises InvalidArgumentError if `n` is below 0.
        """
        table = self.top_table(n)
        return Pairs(zip(table.column(0).to_pylist(), table.column(1).to_pylist(), strict=True))

    def top_table(self, n: int = 10) -> pa.Table:
        """Return the `n` largest parts as a table of the labels and `size`.

        Raises InvalidArgumentError if `n` is below 0.
        """
        return self.sizes().slice(0, whole_number("n", n, 0, 2**63 - 1))

    def _parts(self, one: str, many: str) -> str:
        return f"{self.count:,} {one if self.count == 1 else many}"


class ComponentsResult(PartitionResult):
    """Connected components: `component` names one vertex of the component, the same for all its vertices.

    With thresholds, `levels` has a result for each, in the order in which they were given, whose `threshold` says it;
    the values are those of the threshold that joins most, and tables have a column for each.
    """

    name = "Connected components"
    value = "component"
    vertex_columns = ("component",)
    largest: int
    threshold: float | None = None
    levels: Sequence[ComponentsResult] = ()

    @classmethod
    def _at(cls, other: VertexResult, labels: npt.NDArray[np.uint64], threshold: float) -> ComponentsResult:
        """The components of one threshold, with their figures."""
        found = cls._beside(other, {"component": labels})
        sizes = found._by_size()[1]
        found.count, found.largest = len(sizes), int(sizes[0]) if len(sizes) else 0
        found.threshold = threshold
        return found

    def _again(self) -> ComponentsResult:
        """Another result of the same values."""
        made = self._beside(self, dict(self._columns))
        made.count, made.largest, made.threshold = self.count, self.largest, self.threshold
        return made

    def _with_levels(self, levels: Sequence[ComponentsResult]) -> ComponentsResult:
        """This one with those of several thresholds, and a column for each."""
        self.levels = levels
        for each in levels:
            short = f"{each.threshold:g}"
            name = short if float(short) == each.threshold else repr(each.threshold)
            self._columns[f"component_{name}"] = each._values()
        self.vertex_columns = tuple(self._columns)  # type: ignore[assignment, misc]
        return self

    def _plain(self, number: int) -> VertexKey:
        label = self._values()[number : number + 1]
        found: VertexKey = self._ids_of(label)[0].as_py()
        return found

    def _labels(self, found: npt.NDArray[np.int64]) -> pa.Array:
        return self._ids_of(found)

    def _how(self) -> str:
        return f"{self._parts('component', 'components')}, the largest of {self.largest:,}"


class StrongComponentsResult(PartitionResult):
    """Strong components: `component`, 0..; no edge leads to a component of a greater number."""

    name = "Strongly connected components"
    value = "component"

    def _how(self) -> str:
        return self._parts("component", "components")


@dataclass(frozen=True)
class CommunityPhase:
    """What `louvain` or `leiden` did to lists of neighbours in one of its phases; see `CommunitiesResult.phases`.

    `kind`: "copy" (weights are brought to whole numbers, once), "move" (vertices go to a neighbouring community),
    "refine" (Leiden's groups within communities) or "aggregate" (lists are put together to those of the next level);
    `iteration` and `level` from 0, level 0 being the graph's own; `structure`: "sections", the graph's own lists, or
    "copies"; `read` and `written` in bytes, each time that a list was read; what is written are copies.
    """

    kind: str
    iteration: int
    level: int
    structure: str
    read: int
    written: int


class CommunitiesResult(PartitionResult):
    """Communities: `community`, 0..; `modularity` of the partition; `levels`: those of each level, finest first.

    `quality`: the value of the `objective` that they were found by; with "modularity" it is the modularity. Those of
    "cpm" and "rber" have no `modularity` (NaN): `rizoma.modularity(graph, result)` measures it.

    `phases`: a `CommunityPhase` for each, in the order in which they were done. A search that went on from a
    checkpoint has those that it did itself. What proves at the end that communities are connected, and measures
    their modularity, is in no phase.
    """

    name = "Communities"
    value = "community"
    modularity: float = math.nan  # of the communities of a level: see rizoma.modularity
    objective: str = "modularity"
    quality: float = math.nan
    levels: list[CommunitiesResult]
    phases: Sequence[CommunityPhase] = ()
    _sent = ("_weight",)
    _weight: str | None = "weight"

    def _kept(self) -> dict[str, tuple[int, int]]:
        copies = (sum(p.read for p in self.phases if p.structure == "copies"), sum(p.written for p in self.phases))
        return {"copies": copies} if any(copies) else {}

    def graph(self) -> Graph:
        """Return the graph of these communities, in memory, for any algorithm: see `rizoma.quotient_graph`.

        Raises UnsupportedError if the result came from another process.  Cost: that of `rizoma.quotient_graph`.
        """
        if not isinstance(self._snapshot, _core.Snapshot):
            raise UnsupportedError(
                "this result came from another process, so it has no graph; use rizoma.quotient_graph(graph, result)"
            )
        return graph_of_labels(self._snapshot, self._numbered(), self._weight)

    def _numbered(self) -> npt.NDArray[np.uint64]:
        """Communities 0.. by internal id."""
        return self._values()

    def _how(self) -> str:
        parts = self._parts("community", "communities")
        if self.objective != "modularity" and not math.isnan(self.quality):
            return f"{parts}, quality {self.quality:.6g} ({self.objective})"
        return parts if math.isnan(self.modularity) else f"{parts}, modularity {self.modularity:.4f}"
