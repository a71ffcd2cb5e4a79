"""Sources as strangers have them, each with what must come of it: these edges, one of two readings, or a refusal.

A reading that differs from what the source says is wrong in silence, unless the report or a warning tells it.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest
import rizoma as rz
import stranger_documents
import stranger_objects
import stranger_tables
import stranger_text
from stranger_cases import CASES, Edges

MODULES = (stranger_documents, stranger_objects, stranger_tables, stranger_text)
"""Each adds its cases when it is imported."""


def _answers(answers: list[Edges | None]) -> list[Any]:
    return [sorted(answer, key=str) for answer in answers if answer is not None]


def _rows(graph: Any) -> Edges:
    def plain(value: Any) -> Any:
        return str(value) if hasattr(value, "isoformat") else value

    rows = graph.edges.to_arrow().to_pylist()
    return sorted((tuple(plain(value) for value in row.values()) for row in rows), key=str)


@pytest.mark.parametrize("name", CASES)
def test_a_source_is_read_as_it_says_or_refused(name: str, tmp_path: Path) -> None:
    asked = CASES[name]
    source, error = asked.source(tmp_path), None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            graph = rz.read(source, **asked.options)
        except rz.RizomaError as raised:
            error = raised
    if error is not None:
        assert None in asked.answers, error
        assert re.search(asked.says, str(error)) or len(asked.answers) > 1, error
        return
    warned = " ".join(str(each.message) for each in caught if issubclass(each.category, rz.errors.ReadWarning))
    found, right = _rows(graph), _answers(asked.answers)
    if not graph.directed:
        found, right = _undirected(found), [_undirected(answer) for answer in right]
    assert found in right
    assert re.search(asked.warns, warned, re.S), warned
    assert re.search(asked.says, f"{graph.last_import} {warned}", re.S), graph.last_import


def _undirected(edges: Edges) -> Edges:
    return sorted(((*sorted(edge[:2]), *edge[2:]) for edge in edges), key=str)
