"""Decimal commas, fields over several lines, malformed lines of edge lists, vertices at URLs."""

from __future__ import annotations

import inspect

import pyarrow as pa
import pytest
import rizoma as rz
from pyarrow import parquet
from rizoma import _core
from rizoma.cli.commands import app
from rizoma.graph.tables.text_options import text_fields
from typer.testing import CliRunner


def weights_of(graph):
    return {(row["source"], row["target"]): row["weight"] for row in graph.edges.to_arrow().to_pylist()}


def test_decimal_commas(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("source;target;weight;share\n1;2;3,5;0,25\n2;3;1;1,5\n")
    assert weights_of(rz.read(file, decimal=",", directed=True)) == {(1, 2): 3.5, (2, 3): 1.0}
    with pytest.raises(rz.ParseError, match=r"a\.csv:2:5: found '3,5', .*decimal=\",\" would"):
        rz.read(file, weight="weight")
    assert any("looks like numbers" in note for note in rz.read(file).last_import.files[0].notes)
    graph = rz.read(file, decimal=",", edges={"share": "float64"})
    assert graph.edges.to_arrow().column("share").to_pylist() == [0.25, 1.5]
    with pytest.raises(rz.InvalidArgumentError, match="cannot be both the delimiter"):
        rz.read(file, decimal=",", delimiter=",")
    with pytest.raises(rz.InvalidArgumentError, match="it must be"):
        rz.read(file, decimal=";")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id;src_name;dst_name;w\n1;ann;bob;3,5\n", r'a\.csv:2:11: found \'3,5\', .*decimal=","'),
        ("source,target,weight\na,b,1\nc,d,x\n", r"a\.csv:3:5: found 'x', expected a weight"),
        ("id;src_name;dst_name\n1;ann;bob\n", r"a\.csv:1:1: .*no column beside the ends has numbers; .*weight="),
    ],
)
def test_weights_that_are_asked_for_are_those_of_their_column_or_an_error(tmp_path, text, said):
    file = tmp_path / "a.csv"
    file.write_text(text)
    with pytest.raises(rz.ParseError, match=said):
        rz.read(file, weights="float64")


def test_a_null_id_in_parquet_is_named_before_its_kind_is_known(tmp_path):
    file = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"source": ["a", None], "target": ["b", "c"]}), file)
    with pytest.raises(rz.InvalidArgumentError, match=r"a\.parquet: column 'source' has no vertex id in row 1 "):
        rz.read(file)


def test_values_of_vertices_have_decimal_commas_too(tmp_path):
    (tmp_path / "e.csv").write_text("source;target\n1;2\n")
    (tmp_path / "v.csv").write_text("id;height\n1;1,75\n")
    out = CliRunner().invoke(
        app,
        ["import", str(tmp_path / "g.rz"), str(tmp_path / "e.csv"), "--decimal", ",", "--vertices",
         str(tmp_path / "v.csv"), "--vertex-column", "height:float64"],
    )  # fmt: skip
    assert out.exit_code == 0, out.output
    with rz.open(tmp_path / "g.rz") as graph:
        assert graph.vertices.to_arrow().column("height").to_pylist() == [1.75, None]


def test_fields_over_several_lines(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text('source,target,note\nann,bob,"one\ntwo, ""three"""\nbob,"ce\nm",x\n')
    with pytest.raises(rz.ParseError, match=r"a\.csv:2:13: .*multiline=True"):
        rz.read(file)
    assert sorted(rz.read(file, multiline=True)) == ["ann", "bob", "ce\nm"]
    graph = rz.read(file, multiline=True, edges={"note": "string"})
    assert sorted(graph.edges.to_arrow().column("note").to_pylist()) == ['one\ntwo, "three"', "x"]
    (tmp_path / "v.csv").write_text('id,text\nann,"a\nb"\n')
    graph = rz.read(file, multiline=True, vertices={"text": "string"}, vertex_files=[tmp_path / "v.csv"])
    assert "a\nb" in graph.vertices.to_arrow().column("text").to_pylist()
    with pytest.raises(rz.InvalidArgumentError, match=r"multiline= is for csv"):
        rz.read(tmp_path / "a.el", multiline=True) if (tmp_path / "a.el").write_text("1 2\n") else None


def test_ids_with_leading_zeros_stay_text_beside_columns(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("source,target,n\n007,008,1\n008,009,2\n")
    assert sorted(rz.read(file, edges={"n": "int64"})) == ["007", "008", "009"]


@pytest.mark.parametrize("options", [{"edges": {"n": "int64"}}, {"multiline": True}])
def test_leading_zeros_are_not_lost_far_from_the_first_line(tmp_path, options):
    file = tmp_path / "a.csv"
    count = 1 << 17  # more than the first MiB, which is looked at to find out what ids are
    rows = "".join(f"{v},{v + 1},1\n" for v in range(10**7, 10**7 + count))
    file.write_text(f"source,target,n\n{rows}1, -08 ,1\n5,6,1\n")
    with pytest.raises(rz.ParseError, match=rf"a.csv:{count + 2}:3: found ' -08 ', expected an id without lead"):
        rz.read(file, **options)
    graph = rz.read(file, ids="string", **options)
    assert " -08 " in graph
    assert -8 in rz.read(file, ids="integer", **options)
    file.write_text(f"source,target,n\n{rows}1, 8 ,1\nfoo,6,1\n")
    with pytest.raises(rz.ParseError, match=rf"a.csv:{count + 3}:1: found 'foo', expected an id that is an integer"):
        rz.read(file, **options)


def test_leading_zeros_are_not_lost_in_files_that_are_added(tmp_path, rizoma):
    file, store = tmp_path / "a.csv", tmp_path / "a.rz"
    file.write_text("source,target,n\n1,2,3\n")
    rizoma("import", store, file, "--edge-column", "n:int64")
    file.write_text("source,target,n\n2,3,4\n1,007,3\n")
    added = rizoma("add", store, file, check=False)
    assert added.returncode == 1
    assert "a.csv:3:3: found '007'" in added.stderr.replace("\n", " ")


@pytest.mark.parametrize("options", [{"edges": {"n": "int64"}}, {"multiline": True}])
@pytest.mark.parametrize(
    ("late", "said"),
    [
        ("9999999999999999999,1,1", "found '9999999999999999999', expected an id that is an integer of 64 bits"),
        ("1,-9223372036854775809,1", "found '-9223372036854775809', expected an id that is an integer of 64"),
        ("1,\u00a07,1", r"found '\xa07', expected an id that is an integer of 64"),
        (",1,1", "found an empty field, expected an id"),
        ("1,,1", "found an empty field, expected an id"),
    ],
)
def test_late_ids_that_are_none_are_named_by_row(tmp_path, options, late, said):
    file = tmp_path / "a.csv"
    count = 1 << 17  # more than the first MiB
    rows = "".join(f"{v},{v + 1},1\n" for v in range(10**7, 10**7 + count))
    file.write_text(f"source,target,n\n{rows}1,9223372036854775807,1\n{late}\n5,6,1\n", encoding="utf-8")
    with pytest.raises(rz.ParseError, match=rf"a.csv:{count + 3}:\d: {said}"):
        rz.read(file, **options)
    file.write_text(f"source,target,n\n{rows}1,9223372036854775807,1\n 5 ,6,1\n", encoding="utf-8")
    graph = rz.read(file, **options)
    assert 5 in graph
    assert 2**63 - 1 in graph


def test_malformed_lines_of_edge_lists_are_left_out_and_counted(tmp_path):
    file = tmp_path / "a.el"
    file.write_text("1 2\nthree 4\n5\n2 3\n")
    with pytest.raises(rz.ParseError, match=r"a\.el:2:1"):
        rz.read(file, ids="integer")
    graph = rz.read(file, ids="integer", skip_bad_lines=2)
    report = graph.last_import.files[0]
    assert (graph.num_edges, report.bad_lines) == (2, 2)
    assert "a.el:2:1" in report.first_bad
    with pytest.raises(rz.ParseError, match="more than the 1 malformed lines"):
        rz.read(file, ids="integer", skip_bad_lines=1)
    (tmp_path / "a.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
    with pytest.raises(rz.InvalidArgumentError, match=r"skip_bad_lines= is for csv"):
        rz.read(tmp_path / "a.mtx", skip_bad_lines=1)


def test_tables_of_vertices_at_urls(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    files.pipe("/data/v.csv", b"id,name\n1,ann\n")
    files.pipe("/data/e.csv", b"source,target\n1,2\n")
    try:
        graph = rz.read("memory://data/e.csv", vertices="infer", vertex_files=["memory://data/v.csv"])
        assert graph.vertices.to_arrow().column("name").to_pylist() == ["ann", None]
        (tmp_path / "e.csv").write_text("source,target\n1,2\n")
        graph = rz.read(tmp_path / "e.csv", vertices={"name": "string"}, vertex_files=["memory://data/v.csv"])
        assert graph.vertices.to_arrow().column("name").to_pylist() == ["ann", None]
        with pytest.raises(rz.NotFoundError, match=r"memory://none\.csv"):
            rz.read(tmp_path / "e.csv", vertex_files=["memory://none.csv"])
        out = CliRunner().invoke(
            app,
            ["import", str(tmp_path / "g.rz"), str(tmp_path / "e.csv"), "--vertices", "memory://data/v.csv",
             "--vertex-column", "name:string"],
        )  # fmt: skip
        assert out.exit_code == 0, out.output
    finally:
        files.rm("/", recursive=True)


@pytest.mark.parametrize("word", ["NA", "null", "nan", "N/A", "#N/A"])
def test_only_the_text_asked_for_stands_for_no_value(tmp_path, word):
    file, table = tmp_path / "a.csv", tmp_path / "v.csv"
    file.write_text(f"source,target,note\n1,2,{word}\n2,3,\n3,4,none\n")
    table.write_text(f"id,name\n1,{word}\n2,\n3,none\n")
    for null, notes in ((None, [word, None, "none"]), ("none", [word, None, None])):
        options = {"edges": {"note": "string"}, "vertices": {"name": "string"}, "vertex_files": [table]}
        graph = rz.read(file, directed=True, null=null, **options)
        edges = sorted(graph.edges.to_arrow().to_pylist(), key=lambda row: row["source"])
        assert [row["note"] for row in edges] == notes
        people = {row["vertex"]: row["name"] for row in graph.vertices.to_arrow().to_pylist()}
        assert [people[i] for i in (1, 2, 3)] == notes
    with pytest.raises(rz.ParseError, match=r"n\.csv:3:5: 'NA' in column .n. is not a number"):
        rz.read(tmp_path / "n.csv", edges={"n": "float64"}) if (
            (tmp_path / "n.csv").write_text("source,target,n\n1,2,0.5\n2,3,NA\n")
        ) else None


def test_comments_between_lines_of_fields_over_several_lines(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text('# a\nsource,target,note\n1,2,"one\n# two"\n# "three\n2,3,x\n')
    graph = rz.read(file, multiline=True, directed=True, comment="#", edges={"note": "string"})
    assert sorted(graph.edges.to_arrow()["note"].to_pylist()) == ["one\n# two", "x"]


def test_blanks_around_numbers_are_read_with_null_as_without(tmp_path):
    file = tmp_path / "blanks.csv"
    file.write_text("source,target,weight,kind\n1,2, 0.5,a\n2,3,NA,b\n3,4,2 ,c\n")
    with rz.read(file, directed=True, null="NA", edges={"kind": "string"}) as graph:
        assert sorted(graph.edges.to_arrow().column("weight").to_pylist()) == [0.5, 2.0]


def test_messages_show_the_beginning_of_a_long_field(tmp_path):
    (tmp_path / "a.csv").write_text('source,target\n1,2\n"a' + "b\n" * 100_000 + '",2\n', encoding="utf-8")
    for ids, said in ((None, r"a\.csv:3:1: found 'ab\?b.*\.\.\.', expected an id"), ("integer", r"'ab\?b[b?]*\.\.\.'")):
        with pytest.raises(rz.ParseError, match=said) as told:
            rz.read(tmp_path / "a.csv", multiline=True, ids=ids)
        assert len(str(told.value)) < 500


REFUSED = [
    *[("header", value, "True or False") for value in ("x", 1.5)],
    *[("multiline", value, "True or False") for value in ("x", None)],
    *[("skip_bad_lines", value, "a whole number from 0") for value in ("x", -1, True, 1.5)],
    *[
        (name, value, "one ASCII character")
        for name in ("delimiter", "quote", "comment")
        for value in ("ab", "é", 3, "\n")
    ],
    *[(name, 3, "text") for name in ("null", "thousands", "date_format")],
    *[("decimal", value, '"." or ","') for value in ("ab", 3, None)],
    *[("encoding", value, "Python's codecs") for value in ("klingon", 3)],
    *[("rename", value, "NEW NAME") for value in (3, {"a": 3}, ["a"])],
]


@pytest.mark.parametrize(("name", "value", "expected"), REFUSED)
def test_what_an_option_cannot_be_is_named_with_what_it_can(tmp_path, name, value, expected):
    file = tmp_path / "a.csv"
    file.write_text("source,target\n1,2\n")
    with pytest.raises(rz.InvalidArgumentError, match=name) as refused:
        rz.read(file, **{name: value})
    assert repr(value) in str(refused.value)
    assert expected in str(refused.value)


@pytest.mark.parametrize("said", ["\t", "\\t", "tab"])
def test_a_tab_may_be_written_as_a_shell_passes_it(tmp_path, said):
    file = tmp_path / "a.csv"
    file.write_text("source\ttarget\n1,5\t2\n")
    assert sorted(rz.read(file, delimiter=said)) == ["1,5", "2"]
    done = CliRunner().invoke(app, ["import", str(tmp_path / "g.rz"), str(file), "--delimiter", said])
    assert done.exit_code == 0, done.output


def test_one_table_says_what_options_of_text_there_are():
    fields = {field.name: field for field in text_fields()}
    parameters = inspect.signature(rz.read).parameters
    helped = CliRunner().invoke(app, ["import", "--help"], env={"COLUMNS": "400"}).output
    page = inspect.getdoc(rz.read)
    for name, type_, default, help in _core.text_options():
        assert parameters[name].default == default == fields[name].default, name
        assert parameters[name].annotation == type_ or name == "decimal"
        assert f"    {name}: " in page, name
        assert f"--{name.replace('_', '-')}" in helped, name
        assert help.split(". ")[0] in helped, name
    assert len(fields) == len(_core.text_options()) > 10


CHANGES = {
    "set_weights": (lambda changer, data, **said: changer.set_weights(data, **said), [(1, 2, 1234.5), (2, 3, 1.0)]),
    "remove_edges": (lambda changer, data, **said: changer.remove_edges(data, **said), [(2, 3, 1.0)]),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("as_table", [dict, pa.table], ids=["dict", "arrow"])
@pytest.mark.parametrize("batched", [False, True])
def test_weights_and_edges_to_remove_are_written_as_all_tables_are(change, as_table, batched):
    call, after = CHANGES[change]
    graph = rz.read([(1, 2, 1.0), (2, 3, 1.0)], weights=True)
    table = as_table({"von": [1], "nach": [2], "betrag": ["1.234,5"]})
    said = {"rename": {"von": "source", "nach": "target", "betrag": "weight"}, "thousands": ".", "decimal": ","}
    if batched:
        with graph.batch() as batch:
            call(batch, table, **said)
    else:
        assert call(graph, table, **said) == 1
    columns = graph.edges.to_arrow().to_pydict()
    assert sorted(zip(columns["source"], columns["target"], columns["weight"], strict=True)) == after


def test_the_day_that_tells_parallel_edges_apart_is_written_in_its_format():
    graph = rz.open(None, directed=True, weights=True, edges={"day": "date"}, parallel_edges="keep")
    graph.add_edges(
        {"source": [1, 1], "target": [2, 2], "weight": [1.0, 1.0], "day": ["1.2.2025", "2.2.2025"]},
        date_format="%d.%m.%Y",
    )
    rows = {"source": [1], "target": [2], "day": ["02.02.2025"]}
    assert graph.set_weights(rows | {"weight": [7.0]}, key="day", date_format="%d.%m.%Y") == 1
    assert graph.remove_edges(rows, key="day", date_format="%d.%m.%Y") == 1
    assert graph.num_edges == 1


@pytest.mark.parametrize("mark", ["//", "--", "REM"])
def test_a_comment_of_several_characters_is_told_what_may_do(tmp_path, mark):
    (tmp_path / "a.txt").write_text(f"1 2\n{mark} said\n2 3\n")
    with pytest.raises(
        rz.InvalidArgumentError, match=f"one ASCII character; if no row begins with {mark[0]}, say that"
    ):
        rz.read(tmp_path / "a.txt", comment=mark)
    assert rz.read(tmp_path / "a.txt", comment=mark[0]).num_edges == 2
