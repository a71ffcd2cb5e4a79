import io
import json
from html.parser import HTMLParser

import pytest
from rich.console import Console
from rizoma.cli.commands import app
from rizoma_lab.probe import Report, probe
from rizoma_lab.probe.cases import FileCase, Measurement, MemoryCase
from rizoma_lab.probe.machine import Directory, Machine, Node
from rizoma_lab.probe.plan import Limits
from typer.testing import CliRunner

MIB = 1 << 20
TINY = Limits(seconds=1.5, memory_bytes=2 * MIB, file_bytes=MIB, quick=True)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A real probe, as small as can be."""
    folder = tmp_path_factory.mktemp("probe <&>")
    phases = []
    report = probe([folder], limits=TINY, progress=lambda *step: phases.append(step))
    assert {phase for phase, *_ in phases} == {"memory", "files"}
    assert not any(folder.iterdir()), "nothing is left behind"
    return report


def test_every_case_has_a_figure_or_a_reason(measured):
    assert measured.results
    for result, figure in zip(measured.results, measured.figures, strict=True):
        assert bool(result.missing) != bool(figure)
        assert figure is None or 0 < figure.low <= figure.median <= figure.high


def test_it_keeps_about_to_its_time(measured):
    assert measured.seconds < 20  # a slow machine under load; the limit asked for is 1.5


def test_json_holds_the_raw_samples(measured):
    read = json.loads(json.dumps(measured.to_dict()))
    assert len(read["results"]) == len(measured.results)
    first = next(result for result in read["results"] if result["figure"])
    assert len(first["seconds"]) == first["figure"]["samples"]
    assert read["machine"]["nodes"]


def test_the_table_shows_every_row(measured):
    console = Console(file=io.StringIO(), width=150, markup=False)
    measured.findings.append("[about] a device")
    console.print(measured)
    assert "! [about] a device" in console.file.getvalue()
    text = console.file.getvalue()
    for words in ("latency", "random read", "append sync", "copy fsync", "cases in"):
        assert words in text


class Checker(HTMLParser):
    """Notes unbalanced tags and everything that is fetched from elsewhere."""

    VOID = ("meta", "rect", "line", "!doctype")

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.count = [], [], {}

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.fetched += [value for name, value in attrs if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(measured):
    html = measured.to_html()
    checker = Checker()
    checker.feed(html)
    assert checker.open == []
    assert checker.fetched == []
    assert checker.count["rect"] == sum(figure is not None for figure in measured.figures)
    assert "probe <&>" not in html
    assert "probe &lt;&amp;&gt;" in html


def test_the_page_tells_what_is_missing():
    machine = Machine({}, (Node(0, (0,), MIB, ""),), (Directory("/d", "ext4", False, True, True, MIB),), MIB, False)
    results = [
        Measurement(MemoryCase("latency", 0, 0, MIB), missing="<refused>"),
        Measurement(FileCase("read", "/d", "cold", MIB, MIB), [1.0], MIB, resident=0.0),
    ]
    html = Report(machine, Limits(), results, 1).to_html()
    assert "&lt;refused&gt;" in html


def test_the_command_writes_json_and_page(tmp_path):
    (tmp_path / "here").mkdir()
    words = [
        "probe",
        str(tmp_path / "here"),
        "--quick",
        "--seconds",
        "1",
        "--memory",
        "2",
        "--file-size",
        "1",
    ]
    words += ["--json", str(tmp_path / "p.json"), "--html", str(tmp_path / "p.html")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / "p.json").read_text())["results"]
    assert (tmp_path / "p.html").read_text().startswith("<!doctype html>")


def test_a_directory_that_is_not_there_is_an_error_in_one_line(tmp_path):
    done = CliRunner().invoke(app, ["probe", str(tmp_path / "nowhere")])
    assert done.exit_code == 1
    assert "nowhere" in done.output
