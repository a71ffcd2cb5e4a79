"""What other programs read: standard output holds data alone."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest
import rizoma as rz


@pytest.fixture
def store(rizoma, tmp_path):
    (tmp_path / "e.csv").write_text('source,target,weight\nann,bob,2\nbob,"cem, jr",3.5\nann,bob,4\n')
    rizoma("import", "g.rz", tmp_path / "e.csv")
    return "g.rz"


def test_a_run_is_one_json_object(rizoma, store):
    facts = json.loads(rizoma("run", "pagerank", store, "--json", "--top", "2").stdout)
    assert facts["kernel"] == "pagerank"
    assert facts["converged"] is True
    assert facts["vertices"] == 3
    assert facts["top"][0]["vertex"] == "bob"
    assert len(facts["top"]) == 2


def test_all_values_go_to_standard_output(rizoma, store):
    rows = list(csv.DictReader(io.StringIO(rizoma("run", "core_number", store, "-o", "-").stdout)))
    assert {row["vertex"] for row in rows} == {"ann", "bob", "cem, jr"}
    lines = rizoma("run", "sssp", store, "--source", "ann", "-o", "-", "--format", "ndjson").stdout.splitlines()
    assert {row["vertex"]: row["distance"] for row in map(json.loads, lines)} == {"ann": 0, "bob": 4, "cem, jr": 7.5}


def test_an_export_goes_to_standard_output_and_back(rizoma, store):
    text = rizoma("export", store, "-").stdout
    assert list(csv.DictReader(io.StringIO(text))) == [
        {"source": "ann", "target": "bob", "weight": "4"},
        {"source": "bob", "target": "cem, jr", "weight": "3.5"},
    ]
    lines = rizoma("export", store, "-", "--format", "ndjson").stdout.splitlines()
    assert json.loads(lines[0]) == {"source": "ann", "target": "bob", "weight": 4.0}
    assert rizoma("export", store, "-", "--format", "tsv").stdout.splitlines()[0].split("\t")[0].strip('"') == "source"
    assert "choose one of" in rizoma("export", store, "-", "--format", "xml", check=False).stderr


def test_a_check_is_one_json_object(rizoma, store, tmp_path):
    facts = json.loads(rizoma("check", store, "--json").stdout)
    assert facts["store"] == store
    assert facts["whole"] is True
    assert facts["findings"] == []
    assert facts["bytes_checked"] > 0
    next((tmp_path / store).glob("manifest.*")).unlink()
    done = rizoma("check", store, "--json", check=False)
    assert done.returncode == 3
    facts = json.loads(done.stdout)
    assert facts["whole"] is False
    assert facts["findings"][0]["where"] == "manifest"
    facts = json.loads(rizoma("check", store, "--repair", "--json").stdout)
    assert facts["lost"] == []
    assert facts["restored"]
    assert (tmp_path / facts["kept"]).is_dir()
    assert json.loads(rizoma("check", store, "--json").stdout)["whole"] is True


def test_matches_are_one_json_object(rizoma, store):
    counted = json.loads(rizoma("match", store, "(a)-->(b)", "--count", "--json").stdout)
    assert counted == {"store": store, "pattern": "(a)-->(b)", "count": 4}
    shown = json.loads(rizoma("match", store, "(a)-->(b)-->(c)", "--where", "a.id < c.id", "--json").stdout)
    assert shown["rows"] == [{"a": "ann", "b": "bob", "c": "cem, jr"}]
    assert len(json.loads(rizoma("match", store, "(a)-->(b)", "--top", "3", "--json").stdout)["rows"]) == 3
    plan = json.loads(rizoma("match", store, "(a)-->(b)", "--explain", "--json").stdout)
    assert {"pattern", "physical", "fragments"} <= plan.keys()


def test_all_matches_go_to_standard_output(rizoma, store):
    wanted = {("ann", "bob"), ("bob", "ann"), ("bob", "cem, jr"), ("cem, jr", "bob")}
    rows = csv.DictReader(io.StringIO(rizoma("match", store, "(a)-->(b)", "-o", "-").stdout))
    assert {(row["a"], row["b"]) for row in rows} == wanted
    lines = rizoma("match", store, "(a)-->(b)", "-o", "-", "--format", "ndjson").stdout.splitlines()
    assert {(row["a"], row["b"]) for row in map(json.loads, lines)} == wanted


PRINTED = [
    ["--help"],
    ["version"],
    ["info", "STORE"],
    ["check", "STORE"],
    ["tags", "STORE"],
    ["placement", "explain", "STORE"],
    ["neighbors", "STORE", "3"],
    ["run", "pagerank", "STORE", "--top", "3"],
    ["export", "STORE", "-"],
]
FULL = [["--help"], ["info", "STORE"], ["run", "pagerank", "STORE", "-o", "-"], ["export", "STORE", "-"]]


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    path = tmp_path_factory.mktemp("big") / "big.rz"
    with rz.generate("rmat", 12, into=path) as graph:
        graph.tag("first")
    return path


def ended(words, store, output):
    """The command with its output there: exit code, and the last line that it told people."""
    command = [sys.executable, "-m", "rizoma", *(str(store) if word == "STORE" else word for word in words)]
    done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", PRINTED, ids=" ".join)
def test_nobody_is_told_that_the_reader_of_a_pipe_has_gone(big, words):
    reader, writer = os.pipe()
    os.close(reader)
    code, told = ended(words, big, writer)
    os.close(writer)
    assert code == 141
    assert "rizoma" not in told
    assert "Exception" not in told


@pytest.mark.parametrize("words", FULL, ids=" ".join)
def test_a_full_disk_behind_standard_output_is_told(big, words):
    with open("/dev/full", "w") as full:
        code, told = ended(words, big, full)
    assert code == 1
    assert told.splitlines()[-1] == "rizoma: standard output: No space left on device"


def test_nobody_is_told_that_head_has_read_enough(rizoma, tmp_path):
    rizoma("generate", "rmat", "big.rz", "--scale", "14")
    command = [sys.executable, "-m", "rizoma", "export", str(tmp_path / "big.rz"), "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
