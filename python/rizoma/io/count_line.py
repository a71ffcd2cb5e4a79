"""A first line `n m` of an edge list, which may say how many vertices and edges follow."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import numpy as np

from .. import _core
from ..graph.import_report import FileReport, ImportReport

__all__ = ["note_count_line"]

_COUNTS = re.compile(r"\s*(\d+)[\s,;]+(\d+)\s*")
_HEAD = 1000  # lines, of which the first may be comments
_FEWEST = 3  # edges, below which numbers agree by accident
_MOST = 1 << 22  # vertices that are looked through


def note_count_line(report: ImportReport, state: _core.Snapshot) -> None:
    """Say so if the first line of the one file that made a graph counts what follows.

    Cost: O(vertices), where the second number of the line is that of the other lines.
    """
    guess = _guess(report.files[0], state) if len(report.files) == 1 else ""
    if guess:
        report.files[0].guesses.append(guess)


def _guess(file: FileReport, state: _core.Snapshot) -> str:
    path = Path(file.path)
    if file.format != "edge_list" or file.edges <= _FEWEST or not path.is_file() or state.num_vertices > _MOST:
        return ""
    if state.schema.ids == _core.IdKind.string:
        return ""
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        first = next((line for line in islice(lines, _HEAD) if line.strip() and line.lstrip()[0] not in "#%"), "")
    found = _COUNTS.fullmatch(first)
    if found is None or int(found[2]) != file.edges - 1:
        return ""
    if int(np.asarray(state.ids_of_range(0, state.num_vertices), np.int64).max(initial=0)) > int(found[1]):
        return ""
    return (
        f"the first line, {first.strip()!r}, is read as an edge; {file.edges - 1:,} lines follow it, so it may say how "
        "many vertices and edges there are: then take it out"
    )
