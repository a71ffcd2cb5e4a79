"""What is likely to be behind an error about a line of a file, told beside what was found there."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from ..core.errors import ParseError

__all__ = ["causes_told"]

_PLACE = re.compile(r"(?P<path>[^\n]+?)(:(?P<line>\d+)(?P<column>:\d+)?)?: (?P<what>.*)", re.DOTALL)
_ENDS = {".json": "}", ".graphml": "</graphml>", ".gexf": "</gexf>", ".gml": "]"}
_DELIMITERS = {".csv": ",;|\t", ".tsv": "\t"}
_OF_LINES = re.compile("expected (fields|a target id|.* fields|the end of the line)")
_LISTED = re.compile(r"[^\s:,;]+:(\s|$)")
"""A vertex before the list of its neighbours."""
_HEAD = 64  # lines, among which is the first of a table
_NO_FIRST = ("#", "sep=")  # what lines before it begin with
_LOADED = 1 << 26  # bytes of a document that is read once more
_TAIL = 256  # bytes at the end of a file, in which its last word is


@contextmanager
def causes_told(files: Iterable[Any], vertex_files: Iterable[Any]) -> Iterator[None]:
    """Within it, a ParseError says what its place shows: a file cut off, a comma within a value, a wrong file."""
    try:
        yield
    except ParseError as error:
        found = _PLACE.fullmatch(str(error))
        path = Path(found["path"]) if found else None
        if found is None or path is None or not path.is_file():
            raise
        cause = None
        with suppress(OSError, ValueError, csv.Error):  # of a file that cannot be read a second time, as a pipe
            cause = _cause(path, found, vertex_files)
        told = f"{str(error)[: found.start('what')]}{cause}" if cause else f"{error}{_kinds(path, files)}"
        if told == str(error):
            raise
        raise ParseError(told) from error


def _cause(path: Path, found: re.Match[str], vertex_files: Iterable[Any]) -> str | None:
    what = found["what"]
    cause = _cut_off(path, what) or _no_ends(path, what) or _json(path, what)
    if cause or found["line"] is None:
        return cause
    return _form(path, what) or _text(path, what) or _fields(path, found) or _ids(path, found, vertex_files)


def _cut_off(path: Path, what: str) -> str | None:
    """Whether a document lacks its end."""
    end = _ENDS.get(path.suffix)
    if end is None or "ends within" in what or "Git LFS pointer" in what:
        return None
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        tail = file.read().rstrip()
    whole = tail.endswith((b"}", b"]")) if path.suffix == ".json" else tail.endswith(end.encode())
    return None if whole else f"{what.partition(';')[0]}; the file is cut off at its end: write or fetch it again"


def _no_ends(path: Path, what: str) -> str | None:
    """Which edge of a JSON document calls its ends otherwise, and how."""
    if path.suffix != ".json" or "has no source" not in what or path.stat().st_size > _LOADED:
        return None
    document = json.loads(path.read_text())
    edges = document.get("edges", document.get("links", ()))
    odd = (i for i, edge in enumerate(edges) if not {"source", "target"} <= edge.keys())
    number = next(odd, None)
    if number is None:
        return None
    keys = ", ".join(map(repr, edges[number])) or "none"
    return f"edge {number}, counted from 0, has the keys {keys}: name its ends 'source' and 'target'"


def _form(path: Path, what: str) -> str | None:
    """What the file is, if it is no list of edges: lists of neighbours, a table below a title."""
    if not _OF_LINES.search(what):
        return None
    with path.open(encoding="utf-8", errors="replace") as file:
        head = [line.strip() for line in islice(file, _HEAD) if line.strip() and not line.startswith(_NO_FIRST)]
    said = what.partition(";")[0].partition(" (")[0]
    if not head:
        return None
    if head[0].startswith("<"):
        return f"{said}: the file is XML or HTML, of which GraphML and GEXF are read (.graphml, .gexf)"
    if all(_LISTED.match(line) for line in head):
        return f"{said}: the neighbours of a vertex stand behind its colon; write a line with two ids for each edge"
    words = [line.split() for line in head]
    alone = {line[0] for line in words if len(line) == 1}
    named = {word for line in words if len(line) > 1 for word in line}
    if "end of the line, expected a target id" in what and alone <= named:
        reads = "read it with networkx.read_adjlist, and give the graph to rizoma.read"
        return f"{said}: if a line is a vertex and all its neighbours, {reads}"
    delimiters = _DELIMITERS.get(path.suffix, "")
    if (
        len(head) > 1
        and not any(each in head[0] for each in delimiters)
        and any(each in head[1] for each in delimiters)
    ):
        return f"{said}: the first line may be a title; take it out, or begin it with # (comment=)"
    return None


def _json(path: Path, what: str) -> str | None:
    """How JSON of another form is read."""
    if "Extra data behind the object" in what:
        return f'{what}; objects in lines of their own are read by format="ndjson"'
    if "expected a list of objects called" not in what or path.stat().st_size > _LOADED:
        return None
    document = json.loads(path.read_text())
    if "adjacency" in document:
        return f"{what}; read it with networkx.adjacency_graph(json.load(file)), and give the graph to rizoma.read"
    return (
        f"{what}, as networkx.node_link_data writes it; a table is read with pandas.read_json, and given to rizoma.read"
    )


def _text(path: Path, what: str) -> str | None:
    """How a list of edges with text behind the ends is read."""
    if "expected the end of the line or a number" not in what:
        return None
    if what.startswith("found '{"):
        said = f"{what.partition(' (')[0]}: attributes in braces are written by NetworkX"
        return f"{said}; read the file with networkx.read_edgelist, and give the graph to rizoma.read"
    reads = 'format="csv", delimiter=" ", source="0", target="1"'
    return (
        f"{what.partition(' (')[0]}: a list of edges has weights alone behind the ends; as a table read it by {reads}"
    )


def _rows(path: Path, line: int) -> tuple[list[str], list[str]]:
    """The fields of the first line and of this one, by the delimiter that the first has most; none without a line."""
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        head = [*islice(file, _HEAD)]
        wanted = head[line - 1] if line <= len(head) else next(islice(file, line - _HEAD - 1, None), "")
    first = next((each for each in head if each.strip() and not each.startswith(_NO_FIRST)), "")
    rows = [*csv.reader([first, wanted], delimiter=max(_DELIMITERS[path.suffix], key=first.count))]
    return rows[0], rows[-1]


def _fields(path: Path, found: re.Match[str]) -> str | None:
    """Whether the line has more fields than the first: then a value has the delimiter in it."""
    if path.suffix not in _DELIMITERS:
        return None
    first, line = _rows(path, int(found["line"]))
    if len(line) <= len(first):
        return None
    said = f"the line has {len(line)} fields, the first line {len(first)}"
    return f"{said}: a value with a delimiter in it stands in quotes ({found['what']})"


def _ids(path: Path, found: re.Match[str], vertex_files: Iterable[Any]) -> str | None:
    """Whether the first column of a file of vertices was taken for their ids, since none is called so."""
    named = [os.fspath(file) for file in vertex_files if isinstance(file, (str, os.PathLike))]
    if found["path"] not in named or found["column"] != ":1" or path.suffix not in _DELIMITERS:
        return None
    first = _rows(path, 1)[0]
    if len(first) < 2 or "expected an id" not in found["what"]:
        return None
    what = found["what"].partition(" (")[0]
    return f"{what}: the column {first[0]!r} is taken for the ids; name another by vertex="


def _kinds(path: Path, files: Iterable[Any]) -> str:
    """Whether the file is one of a directory that has files of several kinds."""
    directories = [Path(file) for file in files if isinstance(file, (str, os.PathLike)) and os.path.isdir(file)]
    top = next((each for each in directories if each in path.parents), None)
    kinds: Sequence[str] = sorted({each.suffix for each in top.rglob("*") if each.suffix}) if top else []
    if len(kinds) < 2:
        return ""
    return f"; {top} has files of several kinds ({', '.join(kinds)}): name those to read, such as {top}/*{kinds[0]}"
