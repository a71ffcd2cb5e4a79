"""rizoma bench graphalytics: six algorithms, validated by the data of the specification's example; failures by name."""

from __future__ import annotations

import csv
import gzip
import json
import shutil
from pathlib import Path

import pytest
from rizoma.cli.commands import app
from rizoma.core.errors import InvalidArgumentError, NotFoundError
from rizoma_lab.bench.graphalytics import (
    ALGORITHMS,
    GraphalyticsPlan,
    datasets_in,
    failure_of,
    measure_graphalytics,
    scale_of,
)
from typer.testing import CliRunner

EXAMPLE = Path(__file__).parent.parent / "data" / "graphalytics" / "example"

PROPERTIES = """# Of the example of the specification
graph.{name}.vertex-file = {name}.v
graph.{name}.edge-file = {name}.e
graph.{name}.directed = {directed}
graph.{name}.edge-properties.names = weight
graph.{name}.algorithms = bfs, cdlp, lcc, pr, sssp, wcc
graph.{name}.bfs.source-vertex = {source}
graph.{name}.cdlp.max-iterations = 2
graph.{name}.pr.damping-factor = 0.85
graph.{name}.pr.num-iterations = 2
graph.{name}.sssp.weight-property = weight
graph.{name}.sssp.source-vertex = {source}
"""


@pytest.fixture
def example(tmp_path):
    """Both examples as datasets: the files, with properties as those of published datasets."""
    directory = tmp_path / "graphs"
    directory.mkdir()
    for kind, source in (("directed", 1), ("undirected", 2)):
        name = f"example-{kind}"
        for file in (f"{name}.v", f"{name}.e", *(f"{name}-{each}" for each in ALGORITHMS)):
            shutil.copy(EXAMPLE / file, directory / file)
        text = PROPERTIES.format(name=name, directed=str(kind == "directed").lower(), source=source)
        (directory / f"{name}.properties").write_text(text)
    return directory


def test_the_command_validates_all_six_on_both_examples(example, tmp_path):
    done = CliRunner().invoke(
        app, ["bench", "graphalytics", str(example), "--repetitions", "1", "-o", str(tmp_path / "result.json")]
    )
    assert done.exit_code == 0, done.output
    assert done.stdout.count(" yes ") == 12
    result = json.loads((tmp_path / "result.json").read_text())["result"]
    assert [job["algorithm"] for job in result["jobs"].values()] == [*ALGORITHMS, *ALGORITHMS]
    for job in result["jobs"].values():
        (run,) = (result["runs"][name] for name in job["runs"])
        assert run["success"] == "true"
        assert float(run["makespan"]) > float(run["processing_time"]) > 0
        assert job["eps"] == pytest.approx(job["edges"] / job["processing_time"])
        assert job["evps"] == pytest.approx((job["vertices"] + job["edges"]) / job["processing_time"])
    assert {name for each in result["experiments"].values() for name in each["jobs"]} == set(result["jobs"])


def test_one_file_names_a_dataset_and_references_may_be_compressed_or_missing(example):
    for name in ("BFS", "PR"):
        path = example / f"example-directed-{name}"
        if name == "BFS":
            (example / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    plan = GraphalyticsPlan((example / "example-directed.e",), ("BFS", "PR"), repetitions=1)
    jobs = measure_graphalytics(plan)["result"]["jobs"].values()
    assert [(job["algorithm"], job["validated"]) for job in jobs] == [("BFS", "yes"), ("PR", "no data")]


def test_wrong_answers_failures_and_timeouts_are_named(example):
    reference = example / "example-directed-BFS"
    reference.write_text(reference.read_text().replace("1 0", "1 1", 1))
    properties = example / "example-directed.properties"
    properties.write_text(properties.read_text().replace("sssp.source-vertex = 1", "sssp.source-vertex = 99"))
    plan = GraphalyticsPlan((properties,), ("BFS", "SSSP"), repetitions=1)
    report = measure_graphalytics(plan)["result"]
    assert [job["validated"] for job in report["jobs"].values()] == ["wrong (VAL)", "failed (EXE)"]
    assert [job["evps"] for job in report["jobs"].values()] == [None, None]
    assert {run["success"] for run in report["runs"].values()} == {"false"}
    late = measure_graphalytics(GraphalyticsPlan((properties,), ("WCC",), repetitions=1, timeout=0.001))
    assert late["result"]["jobs"]["j0"]["validated"] == "timed out (TIM)"


def test_outputs_are_compared_as_the_specification_says(tmp_path):
    def lines(name, *values):
        path = tmp_path / name
        with path.open("w") as out:
            csv.writer(out, delimiter=" ", lineterminator="\n").writerows(enumerate(values, 1))
        return path

    close = lines("close", "1.00009", "inf", "0.0")
    assert failure_of("SSSP", close, lines("distances", "1.0", "infinity", "0.0")) == ""
    assert failure_of("SSSP", close, lines("farther", "1.001", "infinity", "0.0")) == "VAL"
    assert failure_of("SSSP", close, lines("reached", "1.0", "1.0", "0.0")) == "VAL"
    assert failure_of("SSSP", close, lines("shorter", "1.0")) == "COM"
    labels = lines("labels", 7, 7, 9)
    assert failure_of("WCC", labels, lines("renamed", 1, 1, 2)) == ""
    assert failure_of("CDLP", labels, lines("renamed", 1, 1, 2)) == "VAL"
    assert failure_of("WCC", labels, lines("joined", 1, 1, 1)) == "VAL"
    assert failure_of("WCC", labels, lines("split", 1, 2, 3)) == "VAL"
    assert failure_of("WCC", labels, None) is None


def test_scales_are_truncated_and_named_as_in_the_specification():
    """By its formula; its table of real graphs rounds."""
    assert scale_of(2_390_000, 5_020_000) == (6.8, "2XS")
    assert scale_of(832_247, 17_891_698) == (7.2, "XS")
    assert scale_of(61_170, 50_870_313) == (7.7, "S")
    assert scale_of(65_608_366, 1_806_067_135) == (9.2, "XL")
    assert scale_of(62_586, 147_892) == (5.3, "below 2XS")
    assert scale_of(10**10, 10**11)[1] == "3XL"


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        (("bfs.source-vertex = 1", "bfs.source-vertex = ?"), InvalidArgumentError, "bfs.source-vertex is ?; BFS needs"),
        (("graph.example-directed.pr.num-iterations = 2", ""), InvalidArgumentError, "pr.num-iterations is missing"),
    ],
)
def test_properties_that_lack_an_option_are_refused(example, change, error, said):
    properties = example / "example-directed.properties"
    properties.write_text(properties.read_text().replace(*change))
    with pytest.raises(error, match=said.replace("?", r"\?")):
        measure_graphalytics(GraphalyticsPlan((properties,), repetitions=1))


def test_what_is_no_dataset_is_refused(example, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFoundError, match=r"has no dataset.*NAME\.properties"):
        datasets_in([tmp_path / "empty"])
    with pytest.raises(NotFoundError, match=r"nowhere\.properties: no such file; it names the algorithms"):
        datasets_in([tmp_path / "nowhere"])
    with pytest.raises(InvalidArgumentError, match=r"no algorithm 'TC'.*BFS, PR"):
        measure_graphalytics(GraphalyticsPlan((example,), ("TC",)))
