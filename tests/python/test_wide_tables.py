"""Tables of very many columns: the time of reading them grows as they do, and Ctrl-C ends it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import rizoma as rz
from rizoma import _core


def _names(count: int, kind: str) -> list[str]:
    if kind == "alike":
        return ["source", "target"] + ["x"] * count
    if kind == "different":
        return ["source", "target"] + [f"x{i}" for i in range(count)]
    return ["source", "target"] + [f"source_{i}" if i % 2 else f"target_{i}" for i in range(count)]


@pytest.mark.parametrize("kind", ["alike", "different", "ends"])
def test_names_of_ends_are_found_in_time_that_grows_with_the_columns(kind: str) -> None:
    times = []
    for count in (4_000, 32_000):
        names = _names(count, kind)
        begin = time.process_time()
        found = _core.ends_by_name(names)
        times.append(time.process_time() - begin)
        if kind != "ends":
            assert found == [(0, 1)]
    assert times[1] < 30 * max(times[0], 0.01)  # 8 times the columns; 64 would be the square


@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_a_file_of_very_many_columns_is_read(form: str, tmp_path: Path) -> None:
    names = _names(8_000, "different")
    values = [1, 2, *range(len(names) - 2)]
    file = tmp_path / f"wide.{form}"
    if form == "csv":
        file.write_text(",".join(names) + "\n" + ",".join(map(str, values)) + "\n")
    else:
        file.write_text(json.dumps(dict(zip(names, values, strict=True))) + "\n")
    begin = time.process_time()
    graph = rz.read(file)
    assert time.process_time() - begin < 20
    assert graph.num_edges == 1
