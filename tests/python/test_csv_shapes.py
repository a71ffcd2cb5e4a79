"""The one reader of CSV: quotes, line ends, ragged rows, long and wide ones, with columns and without."""

from __future__ import annotations

import csv
import gzip
import io
import time
from pathlib import Path
from typing import Any

import pytest
import rizoma as rz
from rizoma.core.errors import ReadWarning

WAYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "columns": {"edges": {"note": "string"}},
    "multiline": {"multiline": True},
    "multiline columns": {"multiline": True, "edges": {"note": "string"}},
}

LINES = {
    # text, the same rows
    "quotes": ('source,target,note\na,b,"x, y"\n"c","d",z\n', [("a", "b", "x, y"), ("c", "d", "z")]),
    "doubled": ('source,target,note\na,b,"say ""hi"""\nc,d,""""\n', [("a", "b", 'say "hi"'), ("c", "d", '"')]),
    "quote inside": ('source,target,note\na,b,5" pipe\nc,d,e"f"\n', [("a", "b", '5" pipe'), ("c", "d", 'e"f"')]),
    "crlf": ("source,target,note\r\na,b,x\r\nc,d,y\r\n", [("a", "b", "x"), ("c", "d", "y")]),
    "mixed ends": ("source,target,note\r\na,b,x\nc,d,y\r\n", [("a", "b", "x"), ("c", "d", "y")]),
    "no last end": ("source,target,note\na,b,x\nc,d,y", [("a", "b", "x"), ("c", "d", "y")]),
    "blank lines": ("\n\nsource,target,note\n\na,b,x\n\n\nc,d,y\n\n", [("a", "b", "x"), ("c", "d", "y")]),
    "comments": ("# one\n# 'two\"\nsource,target,note\na,b,#x\n#c,d,y\n", [("a", "b", "#x"), ("#c", "d", "y")]),
    "blanks": ("source,target,note\na,b, x \n", [("a", "b", " x ")]),
    "empty values": ('source,target,note\na,b,\nc,d,""\n', [("a", "b", None), ("c", "d", None)]),
    "mark": ("\ufeffsource,target,note\na,b,x\n", [("a", "b", "x")]),
    "header alone": ("source,target,note\n", []),
    "carriage return inside": ('source,target,note\na,b,"x\ry"\n', [("a", "b", "x\ry")]),
}

SEVERAL_LINES = {
    "newline": ('source,target,note\na,b,"x\ny"\nc,d,z\n', [("a", "b", "x\ny"), ("c", "d", "z")]),
    "crlf inside": ('source,target,note\r\na,b,"x\r\ny"\r\nc,d,z\r\n', [("a", "b", "x\r\ny"), ("c", "d", "z")]),
    "only newlines": ('source,target,note\na,b,"\n\n\n"\n', [("a", "b", "\n\n\n")]),
    "quotes over lines": ('source,target,note\na,b,"x ""\n"" y"\n', [("a", "b", 'x "\n" y')]),
    "looks like rows": (
        'source,target,note\na,b,"p,q,r\ns,t,u\n"\nc,d,e\n',
        [("a", "b", "p,q,r\ns,t,u\n"), ("c", "d", "e")],
    ),
    "in an id": ('source,target,note\n"a\nb",c,x\n', [("a\nb", "c", "x")]),
    "in the header": ('source,target,note,"more\nwords"\na,b,x,1\n', [("a", "b", "x")]),
    "comment inside": ('source,target,note\na,b,"x\n# y"\nc,d,z\n', [("a", "b", "x\n# y"), ("c", "d", "z")]),
    "no last end behind lines": ('source,target,note\na,b,"x\ny"', [("a", "b", "x\ny")]),
}


def _rows(graph: rz.Graph, columns: bool) -> list[tuple[Any, ...]]:
    found = graph.edges.to_arrow().to_pylist()
    return sorted(((r["source"], r["target"]) + ((r["note"],) if columns else ()) for r in found), key=str)


@pytest.mark.parametrize("ending", [".csv", ".csv.gz"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [*LINES, *SEVERAL_LINES])
def test_rows_are_read_in_every_way(tmp_path: Path, name: str, way: str, ending: str) -> None:
    text, rows = LINES.get(name) or SEVERAL_LINES[name]
    path = tmp_path / f"a{ending}"
    path.write_bytes(gzip.compress(text.encode()) if ending.endswith(".gz") else text.encode())
    options = {"directed": True, "header": True, "ids": "string", **WAYS[way]}
    if name in SEVERAL_LINES and not options.get("multiline"):
        with pytest.raises(rz.ParseError, match=r"a\.csv(\.gz)?:\d+:\d+: .*multiline=True"):
            rz.read(path, **options)
        return
    columns = "edges" in WAYS[way]
    wanted = [row if columns else row[:2] for row in rows]
    assert _rows(rz.read(path, **options), columns) == sorted(wanted, key=str)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a,b", "3 fields, as in the first line, not 2"),
        ("a", "3 fields, as in the first line, not 1"),
        ("a,b,x,y", "the end of the line after 3 fields"),
        ("a,b,x,", "the end of the line after 3 fields"),
        ('a,b,"x', "the closing quote"),
        ('a,b,"x"y', "a delimiter after the closing quote"),
        (",b,x", "an empty field, expected an id"),
        ("a\0,b,x", "an id without a NUL byte"),
        ("a,\udcff,x", "not UTF-8"),
    ],
)
def test_malformed_rows_name_their_line_and_can_be_left_out(tmp_path: Path, way: str, line: str, said: str) -> None:
    path = tmp_path / "a.csv"
    before = '# one\n\nsource,target,note\n\n"p",q,"x"\n'
    if WAYS[way].get("multiline"):
        before = '# one\n\nsource,target,note\n\n"p",q,"x\n\n\ny"\n'
    text = f"{before}{line}\nr,s,z\n"
    path.write_bytes(text.encode(errors="surrogateescape"))
    row = before.count("\n") + 1
    options = {"directed": True, "ids": "string", **WAYS[way]}
    unclosed = line.endswith('"x') and bool(WAYS[way].get("multiline"))
    at = r"\d+" if unclosed else str(row)
    with pytest.raises(rz.ParseError, match=rf"a\.csv:{at}:\d+: .*{said}"):
        rz.read(path, **options)
    graph = rz.read(path, skip_bad_lines=1, **options)
    assert [row[:2] for row in _rows(graph, False)] == ([("p", "q")] if unclosed else [("p", "q"), ("r", "s")])
    assert graph.last_import.files[0].bad_lines == 1
    if "edges" in WAYS[way]:
        assert graph.edges.to_arrow()["note"].null_count == 0


@pytest.mark.parametrize("way", WAYS)
def test_rows_far_from_the_beginning_are_named_by_line(tmp_path: Path, way: str) -> None:
    """Comments, blank lines and fields over several lines count; a piece ends somewhere between."""
    path = tmp_path / "a.csv"
    several = bool(WAYS[way].get("multiline"))
    text = "# comment\n\nsource,target,note\n"
    field = '"' + "long\n" * 20 + '"' if several else '"' + "long " * 20 + '"'
    text += "".join(f"a{i},b{i},{field}\n\n" for i in range(120_000))
    text += "x,y\nz,w,v\n"
    path.write_text(text)
    line = text.count("\n") - 1
    with pytest.raises(rz.ParseError, match=rf"a\.csv:{line}:4: .*3 fields, as in the first line, not 2"):
        rz.read(path, directed=True, **WAYS[way])
    graph = rz.read(path, directed=True, skip_bad_lines=1, **WAYS[way])
    assert graph.num_edges == 120_001


@pytest.mark.parametrize("multiline", [False, True])
@pytest.mark.parametrize("text", ["", "\n", "\n\n\n", "# only a comment\n", "\ufeff", "# a\n\n# b"])
def test_files_without_rows_are_empty_graphs(tmp_path: Path, text: str, multiline: bool) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    graph = rz.read(path, multiline=multiline)
    assert (len(graph), graph.num_edges) == (0, 0)


@pytest.mark.parametrize("way", WAYS)
def test_long_fields_and_nul_bytes_are_values(tmp_path: Path, way: str) -> None:
    path = tmp_path / "a.csv"
    long = "x" * 20_000_000
    path.write_text(f"source,target,note\na,b,{long}\nc,d,nul\0inside\n")
    graph = rz.read(path, directed=True, **WAYS[way])
    if "edges" in WAYS[way]:
        assert sorted(map(len, graph.edges.to_arrow()["note"].to_pylist())) == [10, len(long)]
    assert graph.num_edges == 2


@pytest.mark.parametrize("kept", [0, 1, 300])
def test_wide_rows_take_time_by_their_size(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "a.csv"
    names = [f"c{i}" for i in range(30_000)]
    path.write_text(",".join(["source", "target", *names]) + "\n" + "a,b," + ",".join(map(str, range(30_000))) + "\n")
    begin = time.perf_counter()
    graph = rz.read(path, directed=True, edges=dict.fromkeys(names[:kept], "int64") or None)
    assert time.perf_counter() - begin < 20
    assert len(graph.edge_columns) == kept
    if kept:
        assert graph.edges.to_arrow()[f"c{kept - 1}"].to_pylist() == [kept - 1]


def test_what_python_writes_is_read(tmp_path: Path) -> None:
    """Python's csv is the oracle, for texts of all the characters that mean something."""
    parts = ["", "a", '"', '""', ",", ";", "\n", "\r\n", " ", "#", "é", "x,y", '"q"']
    notes = [first + second for first in parts for second in parts]
    for delimiter in ",;\t|":
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter)
        writer.writerow(["source", "target", "note"])
        writer.writerows([i, i + 1, note] for i, note in enumerate(notes))
        path = tmp_path / "a.csv"
        path.write_bytes(out.getvalue().encode())
        graph = rz.read(path, multiline=True, directed=True, delimiter=delimiter, edges={"note": "string"})
        found = {row["source"]: row["note"] for row in graph.edges.to_arrow().to_pylist()}
        assert found == {i: note or None for i, note in enumerate(notes)}


def test_types_of_kept_columns_are_told_by_the_first_rows(tmp_path: Path) -> None:
    columns = {
        "yes": (["true", "False", ""], "bool"),
        "n": (["1", "-2", ""], "int64"),
        "big": (["1", "18446744073709551615", ""], "uint64"),
        "huge": (["1", "-18446744073709551615", ""], "float64"),
        "x": (["1", "2.5", "nan"], "float64"),
        "zip": (["01067", "80331", ""], "string"),
        "day": (["2025-01-31", "2025-02-01", ""], "date"),
        "at": (["2025-01-31 10:11", "2025-02-01T10:11:12", ""], "timestamp[s]"),
        "exact": (["2025-01-31 10:11:12.5", "2025-02-01 00:00:00", ""], "timestamp[ns]"),
        "zoned": (["2025-01-31T10:11:12+02:00", "2025-02-01 00:00:00Z", ""], "timestamp[s]"),
        "text": (["a", "1", ""], "string"),
    }
    path = tmp_path / "a.csv"
    rows = [",".join(["u", f"v{i}", *(values[i] for values, _ in columns.values())]) for i in range(3)]
    path.write_text("\n".join([",".join(["source", "target", *columns]), *rows]) + "\n")
    with pytest.warns(ReadWarning, match="leading zeros"):
        graph = rz.read(path, edges="infer", directed=True)
    assert graph.edge_columns == {name: kind for name, (_, kind) in columns.items()}
    path.write_text("source,target,n\na,b,\n")
    with pytest.raises(rz.InvalidArgumentError, match="has no values that show its type"):
        rz.read(path, edges="infer")
