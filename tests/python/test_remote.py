"""Files at URLs, by fsspec."""

from __future__ import annotations

import sys

import pytest
import rizoma as rz


@pytest.fixture
def memory():
    """The file system of fsspec that is in memory."""
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    yield files
    files.rm("/", recursive=True)


def test_files_at_urls_are_read(memory, tmp_path):
    memory.pipe("/data/a.csv", b"source,target\nann,bob\nbob,cem\n")
    memory.pipe("/data/b.el.gz", __import__("gzip").compress(b"ann dia\n"))
    graph = rz.read("memory://data/a.csv", "memory://data/b.el.gz", into=tmp_path / "g.rz")
    assert sorted(graph) == ["ann", "bob", "cem", "dia"]
    assert [file.path for file in graph.last_import.files] == ["memory://data/a.csv", "memory://data/b.el.gz"]


def test_what_is_wrong_names_the_url(memory, tmp_path):
    with pytest.raises(rz.NotFoundError, match=r"memory://none\.csv"):
        rz.read("memory://none.csv")
    with pytest.raises(rz.UnsupportedError, match=r"nosuch://a/b\.csv"):
        rz.read("nosuch://a/b.csv")
    with pytest.raises(rz.InvalidArgumentError, match="names no file"):
        rz.read("memory:///")
    memory.pipe("/bad.csv", b"a,b\n1\n")
    with pytest.raises(rz.ParseError):
        rz.read("memory://bad.csv", into=tmp_path / "g.rz")
    assert list(tmp_path.iterdir()) == []


def test_without_fsspec_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(rz.UnsupportedError, match=r"pip install rizoma\[remote\]"):
        rz.read("s3://bucket/edges.csv")
