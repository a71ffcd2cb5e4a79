"""Files of vertices on their way into a graph, and what a report says of each."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.errors import RizomaError
from ..graph.graph import Graph
from ..graph.ids import find_many
from ..graph.import_report import VertexFileReport
from ..graph.tables.text_options import CsvOptions
from ..graph.tables.vertices import has_ids_by_name
from .vertex_tables import read_vertex_file, vertex_columns

__all__ = ["add_vertex_file"]

_NOT_THERE = np.iinfo(np.uint64).max
_SEVERAL = 2  # rows, of which one at least should be of a vertex that edges have


class _Counted:
    """Counts the rows of a file: those of vertices that were there before, and those whose id another row has."""

    def __init__(self, before: _core.Snapshot) -> None:
        self.rows = self.repeated = 0
        self.any_there = False
        self.example: Any = None  # an id that two rows have
        self._before = before
        self._seen = np.zeros(0, np.uint8)  # a bit for each internal id

    def add(self, state: _core.Snapshot, ids: Any) -> None:
        """Count rows that are in the graph by now."""
        self.rows += len(ids)
        self.any_there = self.any_there or bool(np.any(find_many(self._before, ids) != _NOT_THERE))
        numbers, places, counts = np.unique(find_many(state, ids), return_index=True, return_counts=True)
        again = (counts > 1) | self._mark(numbers, state.num_vertices)
        self.repeated += len(ids) - int(np.count_nonzero(counts)) + int(np.count_nonzero(again & (counts == 1)))
        if self.example is None and again.any():
            self.example = ids[int(places[again].min())].as_py()

    def _mark(self, numbers: npt.NDArray[np.uint64], vertices: int) -> npt.NDArray[np.bool_]:
        """Mark internal ids; returns which of them were marked."""
        size = vertices // 8 + 1
        if size > len(self._seen):
            self._seen = np.concatenate([self._seen, np.zeros(size - len(self._seen), np.uint8)])
        places, bits = numbers >> np.uint64(3), np.uint8(1) << (numbers & np.uint64(7)).astype(np.uint8)
        marked = np.asarray((self._seen[places] & bits) != 0, np.bool_)
        np.bitwise_or.at(self._seen, places, bits)
        return marked


def add_vertex_file(
    graph: Graph, path: Path, vertex: str | None, columns: Mapping[str, str], csv: CsvOptions
) -> VertexFileReport:
    """Add the vertices of a file, with these columns; `vertex`: that of the ids."""
    before, kind = graph._state(), graph.ids if len(graph) else None
    counted = _Counted(before)
    report = VertexFileReport(str(path), vertex or "", False, [])
    for table in read_vertex_file(path, vertex, columns, csv, kind):
        report.ids, report.columns = table.schema.names[0], list(columns)
        graph.add_vertices(table, vertex=report.ids)
        counted.add(graph._state(), table.column(0))
    report.rows = counted.rows
    report.by_place = bool(report.ids) and vertex is None and not has_ids_by_name(report.ids)
    others = [name for name, _ in vertex_columns(path, vertex, csv)]
    unread = ", ".join(repr(name) for name in others if name not in columns)
    report.notes += [f"not read: {unread}"] if unread else []
    if counted.repeated:
        _note_repeated(report, counted)
    if before.num_vertices and counted.rows >= _SEVERAL and not counted.any_there:
        report.guesses.append(_of_no_edge(report, _with_ids_there(path, others, csv, before, kind)))
    return report


def _note_repeated(report: VertexFileReport, counted: _Counted) -> None:
    many = "1 row has" if counted.repeated == 1 else f"{counted.repeated:,} rows have"
    said = f"{many} an id that a row before has, such as {counted.example!r}"
    if report.columns:
        report.guesses.append(f"{said}: the values read last stay")
    else:
        report.notes.append(said)


def _of_no_edge(report: VertexFileReport, other: str | None) -> str:
    """What to say of a file of which no id was in the graph; `other`: a column whose values were."""
    said = f"no id in column {report.ids!r} is a vertex of an edge: the {report.rows:,} rows are vertices of their own"
    if other is None:
        return f"{said}; if another column has the ids name it with vertex=, or write the ids as the edges have them"
    return f"{said}; values of column {other!r} are vertices of edges: if it has the ids say vertex={other!r}"


def _with_ids_there(
    path: Path, columns: list[str], csv: CsvOptions, before: _core.Snapshot, kind: str | None
) -> str | None:
    """The column of which most values, by the first rows, are vertices that were there; None: no column has half."""
    best, most = None, 0.5
    for name in columns:
        with suppress(RizomaError):  # this column cannot be one of ids
            first = next(read_vertex_file(path, name, {}, csv, kind), None)
            there = 0.0 if first is None else np.mean(find_many(before, first.column(0)) != _NOT_THERE)
            best, most = (name, there) if there >= most and (best is None or there > most) else (best, most)
    return best
