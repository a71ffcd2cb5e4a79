"""An import tells what it took for what, and asks where the data do not."""

import json

import pytest
import rizoma as rz


def test_what_was_taken_for_what_is_told(tmp_path):
    file = tmp_path / "calls.csv"
    file.write_text("id,caller,callee,minutes,w\n1,ann,bob,3,2.5\n2,bob,ann,4,1.5\n3,bob,cem,5,1\n")
    g = rz.read(file)
    report = g.last_import
    assert (report.edges_read, report.edges_added, report.vertices_added, report.merged) == (3, 2, 3, 1)
    (found,) = report.files
    assert (found.source, found.target, found.weight) == ("caller", "callee", "w")
    assert (found.header, found.delimiter) == (True, ",")
    text = str(report)
    assert "not read: 'id', 'minutes'" in text
    assert "1 of 3 rows made no new edge" in text
    assert "directed=True keeps directions apart" in text
    json.dumps(report.to_dict())
    assert rz.read(file, directed=True).last_import.merged == 0
    assert rz.open(None).last_import is None


def test_text_of_strings_that_look_like_integers_gives_them_back(tmp_path):
    g = rz.open(None)
    g.add_edges([("01", "1"), ("1", "2"), ("2", "02")])
    for name in ("g.csv", "g.el", "g.tsv.gz"):
        g.export(tmp_path / name)
        back = rz.read(tmp_path / name)
        assert sorted(back.vertices.to_pandas()["vertex"]) == ["01", "02", "1", "2"]


def test_both_readings_are_named(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("ann,bob\ncem,dee\n")
    with pytest.raises(rz.ParseError, match=r"as a header.*or as an edge from .ann. to .bob."):
        rz.read(file)
    assert rz.read(file, header=False).num_edges == 2
    assert rz.read(file, header=True).num_edges == 1


def test_lines_are_left_out_and_counted(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("source;target\n1;2\n2\n3;NA\n'4';5\n")
    g = rz.read(file, skip_bad_lines=1, null="NA", quote="'", delimiter=";", ids="integer")
    (found,) = g.last_import.files
    assert (g.num_edges, found.bad_lines, found.null_lines) == (2, 1, 1)
    assert "a.csv:3" in found.first_bad
    with pytest.raises(rz.InvalidArgumentError, match="one ASCII character"):
        rz.read(file, delimiter="ab")


def test_a_dry_run_makes_nothing(rizoma, tmp_path):
    (tmp_path / "e.csv").write_text("src,note,dst\nann,x,bob\n")
    done = rizoma("import", "g.rz", tmp_path / "e.csv", "--dry-run")
    assert "source is 'src', target is 'dst'" in done.stderr
    assert "not read: 'note'" in done.stderr
    assert not (tmp_path / "g.rz").exists()
    done = rizoma("import", "g.rz", tmp_path / "e.csv", "--no-header", check=False)
    assert "from column 0 to column 1, or from column 1 to column 2" in done.stderr
    numbers = ("--source-column", "0", "--target-column", "2", "--dry-run")
    done = rizoma("import", "g.rz", tmp_path / "e.csv", "--no-header", *numbers)
    assert "source is column 0, target is column 2" in done.stderr
