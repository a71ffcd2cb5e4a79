"""Numbers, dates, names and encodings as people and spreadsheets write them: option x source x shape of value."""

from __future__ import annotations

import datetime
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
import rizoma as rz
from pyarrow import parquet
from rizoma.core.errors import ColumnNotFoundError, ReadWarning

NUMBERS = [
    # how it is written, thousands, decimal, what it is
    ("2.720,01", ".", ",", 2720.01),
    ("-1.234.567,5", ".", ",", -1234567.5),
    ("12,5", None, ",", 12.5),
    ("2 720,01", " ", ",", 2720.01),
    ("2\u202f720,01", " ", ",", 2720.01),
    ("2\u00a0720,01", " ", ",", 2720.01),
    ("2,720.01", ",", ".", 2720.01),
    ("12,34,567.89", ",", ".", 1234567.89),
    ("2'720.01", "'", ".", 2720.01),
    ("2\u2019720.01", "'", ".", 2720.01),
    ("+1.000", ".", ",", 1000.0),
    ("1_000_000", "_", ".", 1e6),
    ("0,5", ".", ",", 0.5),
    ("1.5e3", ",", ".", 1500.0),
    ("999", ".", ",", 999.0),
]

NO_NUMBERS = [
    # what a reader that only drops the separators would take for another number
    ("1.5", ".", ","),
    ("1,5", ",", "."),
    ("1.2.3,4", ".", ","),
    ("1.2345", ".", ","),
    ("1234.567", ".", ","),
    ("1,234,56", ",", "."),
    (".123", ".", ","),
    ("1..234", ".", ","),
    ("1.234.", ".", ","),
    ("1,234,5", ".", ","),
    ("1,5.000", ".", ","),
    ("--1", ".", ","),
    ("EUR 5", ".", ","),
]

DATES = [
    ("01.02.2025", "%d.%m.%Y", datetime.date(2025, 2, 1)),
    ("1.2.25", "%d.%m.%y", datetime.date(2025, 2, 1)),
    ("01/02/2025", "%d/%m/%Y", datetime.date(2025, 2, 1)),
    ("01/02/2025", "%m/%d/%Y", datetime.date(2025, 1, 2)),
    ("1-Feb-2025", "%d-%b-%Y", datetime.date(2025, 2, 1)),
    ("February 1, 2025", "%B %d, %Y", datetime.date(2025, 2, 1)),
    ("2025/02/01", "%Y/%m/%d", datetime.date(2025, 2, 1)),
    ("20250201", "%Y%m%d", datetime.date(2025, 2, 1)),
    ("2025-02-01", "%d.%m.%Y", datetime.date(2025, 2, 1)),  # ISO 8601, which no other reading has
    ("29.02.2024", "%d.%m.%Y", datetime.date(2024, 2, 29)),
]

MOMENTS = [
    ("01.02.2025 13:45", "%d.%m.%Y %H:%M", datetime.datetime(2025, 2, 1, 13, 45)),
    ("02/01/2025 01:45:07 PM", "%m/%d/%Y %I:%M:%S %p", datetime.datetime(2025, 2, 1, 13, 45, 7)),
    ("02/01/2025 12:00 AM", "%m/%d/%Y %I:%M %p", datetime.datetime(2025, 2, 1)),
    ("01.02.2025 13:45:07.250", "%d.%m.%Y %H:%M:%S.%f", datetime.datetime(2025, 2, 1, 13, 45, 7, 250_000)),
    ("01.02.2025 13:45 +0200", "%d.%m.%Y %H:%M %z", datetime.datetime(2025, 2, 1, 11, 45)),
]

NO_DATES = ["31.02.2025", "29.02.2023", "32.01.2025", "01.13.2025", "1.2.20256", "01.02", "", "heute"]


def _csv(tmp: Path, name: str, values: list[str], column: str, quote: bool = True) -> Path:
    path = tmp / name
    shown = [f'"{value}"' if quote else value for value in values]
    text = f"source;target;{column}\n" + "".join(f"a{i};b{i};{value}\n" for i, value in enumerate(shown))
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def _sources(tmp: Path, values: list[str], column: str) -> dict[str, Any]:
    """The same rows in every form that may have numbers and dates as text."""
    rows = {"source": [f"a{i}" for i in range(len(values))], "target": [f"b{i}" for i in range(len(values))]}
    rows[column] = values
    table = pa.table(rows)
    parquet.write_table(table, tmp / "t.parquet")
    return {
        "csv": _csv(tmp, "t.csv", values, column),
        "unquoted": _csv(tmp, "u.csv", values, column, quote=False),
        "gz": _csv(tmp, "t.csv.gz", values, column),
        "txt": _csv(tmp, "t.txt", values, column),
        "parquet": tmp / "t.parquet",
        "arrow": table,
        "pandas": pd.DataFrame(rows),
        "dict": rows,
        "batches": pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1)),
    }


SOURCES = ["csv", "unquoted", "gz", "txt", "parquet", "arrow", "pandas", "dict", "batches"]


def _column(graph: rz.Graph, name: str) -> dict[str, Any]:
    found = graph.edges.to_arrow().to_pylist()
    return {row["source"]: row[name] for row in found}


@pytest.mark.parametrize("source", SOURCES)
def test_numbers_as_people_write_them(tmp_path: Path, source: str) -> None:
    kinds = {(thousands, decimal) for _, thousands, decimal, _ in NUMBERS}
    for thousands, decimal in kinds:
        some = [(text, value) for text, t, d, value in NUMBERS if (t, d) == (thousands, decimal)]
        texts = [text for text, _ in some]
        options: dict[str, Any] = {"thousands": thousands, "decimal": decimal, "directed": True}
        given = _sources(tmp_path, texts, "amount")[source]
        found = _column(rz.read(given, edges={"amount": "float64"}, **options), "amount")
        assert found == {f"a{i}": value for i, (_, value) in enumerate(some)}
        given = _sources(tmp_path, texts, "amount")[source]
        weights = rz.read(given, weight="amount", **options).edges.to_arrow().to_pylist()
        assert {row["source"]: row["weight"] for row in weights} == found
        # pandas is another reader of the same text.
        if "\u2019" not in "".join(texts) and "\u202f" not in "".join(texts) and "\u00a0" not in "".join(texts):
            text = "n\n" + "".join(f"{text}\n" for text in texts)
            oracle = pd.read_csv(io.StringIO(text), sep="|", thousands=thousands, decimal=decimal)
            assert list(oracle["n"]) == list(found.values())


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("text", "thousands", "decimal"), NO_NUMBERS)
def test_what_is_no_number_is_refused_and_never_another_one(
    tmp_path: Path, source: str, text: str, thousands: str, decimal: str
) -> None:
    given = _sources(tmp_path, ["1", text], "amount")[source]
    with pytest.raises((rz.ParseError, rz.InvalidArgumentError), match="is not a number"):
        rz.read(given, thousands=thousands, decimal=decimal, edges={"amount": "float64"}, directed=True)


@pytest.mark.parametrize("source", SOURCES)
def test_dates_in_a_format_that_is_asked_for(tmp_path: Path, source: str) -> None:
    for text, format, value in DATES:
        given = _sources(tmp_path, [text], "day")[source]
        assert _column(rz.read(given, date_format=format, edges={"day": "date"}), "day") == {"a0": value}
    for text, format, moment in MOMENTS:
        given = _sources(tmp_path, [text], "at")[source]
        assert _column(rz.read(given, date_format=format, edges={"at": "timestamp[ms]"}), "at") == {"a0": moment}
    for text in NO_DATES:
        given = _sources(tmp_path, ["01.02.2025", text or "x"], "day")[source]
        with pytest.raises((rz.ParseError, rz.InvalidArgumentError), match="is not a date"):
            rz.read(given, date_format="%d.%m.%Y", edges={"day": "date"})


@pytest.mark.parametrize("source", SOURCES)
def test_columns_get_other_names(tmp_path: Path, source: str) -> None:
    given = _sources(tmp_path, ["2.720,01"], "Betrag (EUR)")[source]
    options: dict[str, Any] = {"thousands": ".", "decimal": ",", "directed": True}
    graph = rz.read(given, rename={"Betrag (EUR)": "amount"}, edges={"amount": "float64"}, **options)
    assert _column(graph, "amount") == {"a0": 2720.01}
    assert graph.where(edges="amount > 2720").num_edges == 1
    given = _sources(tmp_path, ["2.720,01"], "Betrag (EUR)")[source]
    graph = rz.read(given, rename={"Betrag (EUR)": "weight"}, weights=True, **options)
    assert graph.edges.to_arrow()["weight"].to_pylist() == [2720.01]
    given = _sources(tmp_path, ["1"], "Betrag")[source]
    with pytest.raises((rz.NotFoundError, ColumnNotFoundError), match=r"Betrag \(EUR\).*to rename; there are"):
        rz.read(given, rename={"Betrag (EUR)": "amount"})
    given = _sources(tmp_path, ["1"], "Betrag")[source]
    with pytest.raises(rz.InvalidArgumentError, match=r"two columns .target"):
        rz.read(given, rename={"Betrag": "target"})


def test_ends_and_columns_without_a_header_get_names(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("ann,bob,2025-01-02,3\nbob,cem,2025-01-03,4\n")
    names = {"0": "source", "1": "target", "2": "day", "3": "n"}
    graph = rz.read(tmp_path / "a.csv", header=False, rename=names, edges={"day": "date", "n": "int64"}, directed=True)
    assert _column(graph, "n") == {"ann": 3, "bob": 4}
    (tmp_path / "b.csv").write_text("Von;Nach\nann;bob\n")
    assert sorted(rz.read(tmp_path / "b.csv", rename={"Von": "source", "Nach": "target"})) == ["ann", "bob"]


ENCODINGS = [
    "utf-8",
    "utf-8-sig",
    "latin-1",
    "cp1252",
    "iso8859-15",
    "cp1250",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
]


@pytest.mark.parametrize("ending", [".csv", ".txt", ".csv.gz", ".el"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_text_of_other_encodings(tmp_path: Path, encoding: str, ending: str) -> None:
    between = " " if ending == ".el" else ";"
    lines = ["source", "target"] if ending != ".el" else ["Jörg", "Zoë"]
    text = f"{between.join(lines)}\r\nMüller{between}Groß\r\nGroß{between}Jörg\r\n"
    data = text.replace("ë", "e").encode(encoding)
    path = tmp_path / f"a{ending}"
    path.write_bytes(gzip.compress(data) if ending.endswith(".gz") else data)
    graph = rz.read(path, encoding=encoding, directed=True)
    assert {"Müller", "Groß", "Jörg"} <= set(graph)
    if encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):  # the first bytes say what it is
        assert sorted(rz.read(path, directed=True)) == sorted(graph)
    elif not encoding.startswith("utf"):
        with pytest.raises(rz.ParseError, match=r"not UTF-8.*encoding=.cp1252"):
            rz.read(path)


def test_encodings_that_do_not_fit_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("source,target\na,b\nM\u00fcller,c\n".encode("latin-1"))
    with pytest.raises(rz.ParseError, match=r"a\.csv:3: found byte 0xFC.*ascii.*encoding="):
        rz.read(path, encoding="ascii")
    with pytest.raises(rz.InvalidArgumentError, match="encoding is 'klingon'"):
        rz.read(path, encoding="klingon")
    path.write_text("source,target\na,b\n", encoding="utf-16")
    with pytest.raises(rz.InvalidArgumentError, match=r"mark of utf-16le.*leave it out"):
        rz.read(path, encoding="cp1252")


REMEDIES = [
    ("2.720,01", r'thousands="\." and decimal=","'),
    ("2'720.01", 'thousands="\'"'),
    ("2 720,01", 'thousands=" " and decimal=","'),
    ("12,34,567", 'thousands=","'),
    ("0,5", 'decimal=","'),
    ("1,234", 'decimal=",".*or thousands=","'),
]


@pytest.mark.parametrize(("text", "remedy"), REMEDIES)
def test_a_number_that_is_none_names_place_and_remedy(tmp_path: Path, text: str, remedy: str) -> None:
    path = _csv(tmp_path, "a.csv", [text], "Betrag")
    with pytest.raises(rz.ParseError, match=rf"a\.csv:2:7: .*Betrag.* is not a number .*{remedy}.* would read it"):
        rz.read(path, edges={"Betrag": "float64"})
    with pytest.raises(rz.ParseError, match=rf"a\.csv:2:7: .*a weight.*{remedy}.* would read it"):
        rz.read(path, weight="Betrag")


def test_a_date_that_is_none_names_place_and_remedy(tmp_path: Path) -> None:
    for text, remedy in (
        ("01.02.2025", 'date_format="%d.%m.%Y"'),
        ("01/02/2025", 'date_format="%d/%m/%Y".*or date_format="%m/%d/%Y"'),
        ("13/02/2025", 'date_format="%d/%m/%Y" would'),
        ("01.02.2025 10:11", 'date_format="%d.%m.%Y %H:%M"'),
    ):
        path = _csv(tmp_path, "a.csv", [text], "Datum")
        with pytest.raises(rz.ParseError, match=rf"a\.csv:2:7: .*Datum.* is not a date.*{remedy}"):
            rz.read(path, edges={"Datum": "timestamp[s]"})


@pytest.mark.parametrize(
    ("kind", "text", "remedy"),
    [
        ("timestamp[ns]", "2262-04-11 23:47:17", r"not from 1677-09-21 to 2262-04-11, beyond which timestamp\[us\]"),
        ("timestamp[ns]", "1600-01-01", r"beyond which timestamp\[us\] holds it"),
        ("timestamp[s]", "2025-01-01 10:00:00.5", r"a smaller part of a second: timestamp\[ns\]"),
        ("date", "2025-01-01 10:00:00", r"it has a time: timestamp\[s\]"),
        ("int64", "1.0", "float64 would hold it"),
        ("int8", "300", "a type of more bits"),
        ("uint8", "-1", "another sign"),
        ("bool", "yes", "written true, false, 1 or 0"),
    ],
)
def test_a_value_that_a_type_does_not_hold_names_one_that_does(
    tmp_path: Path, kind: str, text: str, remedy: str
) -> None:
    path = _csv(tmp_path, "a.csv", [text], "x")
    with pytest.raises(rz.ParseError, match=remedy):
        rz.read(path, edges={"x": kind})


def test_a_comma_that_is_the_decimal_mark_separates_no_fields(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("source,target,x\n1,2,3\n")
    with pytest.raises(rz.ParseError, match='a comma is its decimal mark: without decimal=","'):
        rz.read(path, decimal=",", thousands=".")


def test_what_is_kept_as_text_is_said(tmp_path: Path, rizoma: Any) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        "source;target;Betrag;Datum;PLZ;note\na;b;2.720,01;01.02.2025;01067;x\nb;c;1,5;13.02.2025;80331;y\n"
    )
    said = ["'Betrag' is kept as text: it looks like numbers", "'Datum' is kept as text: it looks like dates"]
    with pytest.warns(ReadWarning) as warned:
        graph = rz.read(path, edges="infer")
    told = " ".join(str(each.message) for each in warned)
    assert all(each in told for each in said)
    assert "'PLZ' is kept as text: its numbers have leading zeros" in told
    assert "'note'" not in told
    assert graph.edge_columns == dict.fromkeys(["Betrag", "Datum", "PLZ", "note"], "string")
    for options in (["--dry-run"], ["--dry-run", "--all-columns"], ["--all-columns"]):
        out = rizoma("import", tmp_path / f"{len(options)}{options[0]}.rz", path, *options)
        shown = " ".join((out.stdout + out.stderr).split())
        assert "--thousands . and --decimal ," in shown
        assert "--date-format %d.%m.%Y" in shown
    graph = rz.read(path, edges="infer", thousands=".", decimal=",", date_format="%d.%m.%Y")
    assert graph.edge_columns == {"Betrag": "float64", "Datum": "date", "PLZ": "string", "note": "string"}


def test_the_command_has_the_same_options(tmp_path: Path, rizoma: Any) -> None:
    path = tmp_path / "Umsätze.csv"
    path.write_bytes("Von;Nach;Betrag (EUR);Datum\r\nMüller;Groß;2.720,01;01.02.2025\r\n".encode("cp1252"))
    store = tmp_path / "a.rz"
    rizoma(
        "import", store, path, "--encoding", "cp1252", "--thousands", ".", "--decimal", ",", "--date-format",
        "%d.%m.%Y",
        "--rename", "Von=source", "--rename", "Nach=target", "--rename", "Betrag (EUR)=amount", "--edge-column",
        "amount:float64", "--edge-column", "Datum:date", "--directed",
    )  # fmt: skip
    with rz.open(store) as graph:
        assert graph.edges.to_arrow().to_pylist() == [
            {"source": "Müller", "target": "Groß", "amount": 2720.01, "Datum": datetime.date(2025, 2, 1)}
        ]
    out = rizoma("import", tmp_path / "b.rz", path, "--rename", "x", check=False)
    assert out.returncode != 0
    assert "OLD=NEW" in " ".join(out.stderr.split())


def test_files_that_are_added_have_the_same_options(tmp_path: Path, rizoma: Any) -> None:
    store, path = tmp_path / "a.rz", tmp_path / "a.csv"
    with rz.open(store, directed=True, ids="string", edges={"amount": "float64"}):
        pass
    path.write_text("Von;Nach;Betrag\na;b;1.000,5\n")
    options = ["--thousands", ".", "--decimal", ",", "--rename", "Betrag=amount", "--source-column", "Von"]
    rizoma("add", store, path, *options, "--target-column", "Nach")
    with rz.open(store) as graph:
        assert graph.edges.to_arrow()["amount"].to_pylist() == [1000.5]


@pytest.mark.parametrize("option", ["thousands", "date_format", "rename", "encoding"])
@pytest.mark.parametrize("ending", [".gml", ".net", ".gexf", ".mtx"])
def test_formats_without_such_text_refuse_the_options_by_name(tmp_path: Path, option: str, ending: str) -> None:
    graph = rz.open(None)
    graph.add_edges([(0, 1)])
    graph.export(tmp_path / f"a{ending}")
    if (option, ending) == ("encoding", ".mtx"):
        return  # it is text in lines
    value: Any = {"thousands": ".", "date_format": "%d.%m.%Y", "rename": {"a": "b"}, "encoding": "cp1252"}[option]
    decimal = {"decimal": ","} if option == "thousands" else {}
    with pytest.raises(rz.InvalidArgumentError, match=r"(decimal|thousands|\w+_format|rename|encoding)= is for csv"):
        rz.read(tmp_path / f"a{ending}", **{option: value}, **decimal)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"thousands": ".", "decimal": "."}, "cannot separate thousands and stand before fractions"),
        ({"thousands": "x"}, "thousands is"),
        ({"thousands": ".."}, "thousands is"),
        ({"thousands": "5"}, "thousands is"),
        ({"decimal": ";"}, "decimal is"),
        ({"date_format": "%d.%m"}, "must have a day, a month and a year"),
        ({"date_format": "%d.%m.%Q"}, "%Q.* is not known"),
        ({"date_format": "heute"}, "date_format is"),
        ({"rename": ["a"]}, "rename is"),
        ({"rename": {"n": 3}}, "rename is"),
        ({"encoding": ""}, "encoding is"),
    ],
)
def test_options_that_make_no_sense_are_refused(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    path = _csv(tmp_path, "a.csv", ["1"], "n")
    with pytest.raises(rz.InvalidArgumentError, match=said):
        rz.read(path, edges={"n": "float64"}, **options)


GERMAN = {"thousands": ".", "decimal": ","}
EXPORTS: dict[str, tuple[bytes, dict[str, Any]]] = {
    "excel_de": (b"\xef\xbb\xbf" + "Von;Nach;Betrag\r\nMüller;Groß;1.234,50\r\n".encode(), GERMAN),
    "excel_sep": (
        "sep=;\r\nVon;Nach;Betrag\r\nMüller;Groß;1234,50\r\n".encode("cp1252"),
        {"decimal": ",", "encoding": "cp1252"},
    ),
    "excel_sep_comma": (b'"sep=,"\nVon,Nach,Betrag\nM,G,"1,234.50"\n', {"thousands": ","}),
    "excel_sep_bar": (b"sep=|\nVon|Nach|Betrag\nM|G|1234.50\n", {}),
    "excel_sep_tilde": (b"sep=~\nVon~Nach~Betrag\nM~G~1234.50\n", {}),
    "excel_unicode_text": ("\ufeffVon\tNach\tBetrag\r\nM\tG\t1.234,50\r\n".encode("utf-16-le"), GERMAN),
    "paypal_de": (b'"Von","Nach","Betrag"\n"M","G","1.234,50"\n', GERMAN),
    "us": (b'Von,Nach,Betrag\nM,G,"1,234.50"\n', {"thousands": ","}),
    "french": ("Von;Nach;Betrag\nM;G;1\u202f234,50\n".encode(), {"thousands": " ", "decimal": ","}),
    "swiss": (b"Von;Nach;Betrag\nM;G;1'234.50\n", {"thousands": "'"}),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_exports_of_spreadsheets(tmp_path: Path, name: str) -> None:
    data, options = EXPORTS[name]
    (tmp_path / "a.csv").write_bytes(data)
    graph = rz.read(
        tmp_path / "a.csv", source="Von", target="Nach", edges={"Betrag": "float64"}, directed=True, **options
    )
    assert graph.edges.to_arrow()["Betrag"].to_pylist() == [1234.5]
    assert len(graph) == 2


def test_tables_of_vertices_have_the_same_options(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("source;target\n007;8\n")
    data = "id;Größe (m);geboren;PLZ\n007;1.751,5;01.02.1990;01067\n".encode("cp1252")
    (tmp_path / "v.csv").write_bytes(data)
    with pytest.raises(rz.ParseError, match=r"v\.csv:.*not UTF-8"):
        rz.read(tmp_path / "e.csv", vertices={"PLZ": "string"}, vertex_files=[tmp_path / "v.csv"])
    (tmp_path / "v.csv").write_text(data.decode("cp1252"))
    graph = rz.read(
        tmp_path / "e.csv",
        vertices={"Größe (m)": "float64", "geboren": "date", "PLZ": "string"},
        vertex_files=[tmp_path / "v.csv"],
        thousands=".",
        decimal=",",
        date_format="%d.%m.%Y",
    )
    assert graph.vertex("007") == {"Größe (m)": 1751.5, "geboren": datetime.date(1990, 2, 1), "PLZ": "01067"}
    graph = rz.read(tmp_path / "e.csv", vertices="infer", vertex_files=[tmp_path / "v.csv"], thousands=".", decimal=",")
    assert graph.vertex_columns == {"Größe (m)": "float64", "geboren": "string", "PLZ": "string"}


def test_pipes_have_the_same_options(tmp_path: Path) -> None:
    text = "source;target;Betrag\na;b;2.720,01\n".encode("utf-16")
    command = [sys.executable, "-m", "rizoma", "import", str(tmp_path / "a.rz"), "-", "--thousands", ".", "--decimal"]
    command += [",", "--rename", "Betrag=amount", "--edge-column", "amount:float64", "--format", "csv"]
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    with rz.open(tmp_path / "a.rz") as graph:
        assert graph.edges.to_arrow()["amount"].to_pylist() == [2720.01]


def test_json_lines_have_other_names_numbers_and_dates(tmp_path: Path) -> None:
    rows = [
        {"Von": "a", "Nach": "b", "Betrag": "1.000,5", "Tag": "01.02.2025", "w": "2,5"},
        {"Von": "b", "Nach": "c", "Betrag": "2,25", "Tag": "02.02.2025", "w": "1.000"},
    ]
    path = tmp_path / "a.ndjson"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options: dict[str, Any] = {"thousands": ".", "decimal": ",", "date_format": "%d.%m.%Y"}
    names = {"Von": "source", "Nach": "target", "Betrag": "amount", "Tag": "day"}
    kept = {"amount": "float64", "day": "date"}
    expected = [
        {"source": "a", "target": "b", "weight": 2.5, "amount": 1000.5, "day": datetime.date(2025, 2, 1)},
        {"source": "b", "target": "c", "weight": 1000.0, "amount": 2.25, "day": datetime.date(2025, 2, 2)},
    ]
    graph = rz.read(path, rename=names, edges=kept, directed=True, **options)
    assert sorted(graph.edges.to_arrow().select(list(expected[0])).to_pylist(), key=str) == sorted(expected, key=str)
    kept_rows = rz.read(path, rename=names, edges=kept, directed=True, where="amount > 1000", **options)
    assert kept_rows.num_edges == 1
    noted = rz.read(path, rename=names | {"w": "note"}, edges="infer", directed=True)
    assert noted.edge_columns.keys() == {"amount", "day", "note"}
    with pytest.raises(rz.RizomaError, match="nope"):
        rz.read(path, rename={"nope": "source"})
    with pytest.raises(rz.RizomaError, match=r"a\.ndjson.*1\.000,5"):
        rz.read(path, rename=names, edges={"amount": "float64"}, decimal=".", thousands="'", directed=True)
    vertices = tmp_path / "v.ndjson"
    vertices.write_text('{"Name": "a", "Alter": "1.000"}\n{"Name": "b", "Alter": "7"}\n')
    both = tmp_path / "e.ndjson"
    both.write_text('{"source": "a", "target": "b"}\n')
    with pytest.raises(rz.RizomaError, match=r"Name|Alter"):
        rz.read(both, vertex_files=[vertices], rename={"Name": "id", "Alter": "age"}, vertices={"age": "int64"})


def test_a_predicate_is_pushed_down_past_new_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rizoma.io import scans

    path = tmp_path / "a.parquet"
    table = pa.table({"Von": ["a", "b", "c"], "Nach": ["b", "c", "a"], "Jahr": [2020, 2021, 2022], "x": ["1,5"] * 3})
    parquet.write_table(table, path, row_group_size=1)
    seen: list[Any] = []
    whole = scans.ParquetScan.batches

    def noted(self: Any, wanted: scans.Wanted) -> Any:
        seen.extend(wanted.keep)
        return whole(self, wanted)

    monkeypatch.setattr(scans.ParquetScan, "batches", noted)
    names = {"Von": "source", "Nach": "target", "Jahr": "year"}
    kept = {"x": "float64"}
    graph = rz.read(path, rename=names, where="year >= 2021 and x > 1", edges=kept, decimal=",", directed=True)
    assert sorted(map(tuple, graph.edges)) == [("b", "c"), ("c", "a")]
    assert seen[0] == ("Jahr", ">=", [2021])
    assert not [bound for bound in seen if bound[0] == "x"]  # it is text there
