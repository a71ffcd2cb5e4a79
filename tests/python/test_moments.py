"""Moments as text: with or without a zone, and what is said of those that do not fit."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pyarrow as pa
import pytest
import rizoma as rz
from pyarrow import csv
from rizoma.core.errors import ParseError


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".ndjson"])
def test_moments_may_have_a_zone(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"g{ending}"
    times = ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.5+02:00", None]
    rows = pa.table({"source": [0, 1, 2], "target": [1, 2, 3], "at": times})
    if ending == ".ndjson":
        file.write_text("".join(json.dumps(row) + "\n" for row in rows.to_pylist()))
    else:
        csv.write_csv(rows, pa.output_stream(str(file), compression="detect"))
    at = [datetime.datetime(2026, 1, 2, 3, 4, 5), datetime.datetime(2026, 1, 2, 1, 4, 5, 500_000), None]
    with rz.read(file, edges={"at": "timestamp[ms]"}) as graph:
        assert sorted(graph.edges.to_arrow()["at"].to_pylist(), key=str) == sorted(at, key=str)
    with rz.open(None, edges={"at": "timestamp[ms]"}) as graph:
        graph.add_edges(rows)
        assert sorted(graph.edges.to_arrow()["at"].to_pylist(), key=str) == sorted(at, key=str)


def test_all_columns_take_moments_with_a_zone(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("source,target,at\nann,bob,2026-01-02T03:04:05Z\n")
    (tmp_path / "v.csv").write_text("id,born\nann,2026-01-02T00:00:00+01:00\n")
    people, born = [tmp_path / "v.csv"], {"born": "timestamp[s]"}
    with rz.read(tmp_path / "g.csv", edges="infer", vertices=born, vertex_files=people) as g:
        assert g.edges.to_arrow()["at"].to_pylist() == [datetime.datetime(2026, 1, 2, 3, 4, 5)]
        assert g.vertex("ann") == {"born": datetime.datetime(2026, 1, 1, 23)}


def test_values_of_text_that_do_not_fit_name_their_column(tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_text("source,no,target,at\na,T1,b,2026-01-02T03:04:05Z\nb,T2,c,2026-01-02T03:04:05\n")
    with pytest.raises(ParseError, match=r"g\.csv:2:3: 'T1' in column .no. is not a whole number \(int32\)"):
        rz.read(file, source="source", target="target", edges={"no": "int32"})
    with pytest.raises(ParseError, match=r"g\.csv:3:8: in column .at. some lines have a zone and others none"):
        rz.read(file, source="source", target="target", edges={"at": "timestamp[s]"})
