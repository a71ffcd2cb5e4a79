"""Files that `rizoma.read` does not read: what they are, by name, and how their edges get into a graph all the same."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .. import _core
from ..core.errors import InvalidArgumentError, NotFoundError, UnsupportedError
from ..core.files import is_store
from ..core.suggestions import suggestion
from .formats import FORMATS
from .json_rows import NAME

_SQL = re.compile(r"\s*(select|with|from|insert|create|copy|values)\s.*\s*(\*|from|into|as|table|\()", re.I | re.S)

__all__ = ["expect_file", "expect_weights", "refuse_text", "refuse_unsupported"]

_FORMATS_ELSEWHERE = {
    **dict.fromkeys(("tsv", "tab", "psv", "table"), "csv"),  # which finds the delimiter
    **dict.fromkeys(("txt", "text", "edgelist", "el", "snap"), "edge_list"),
    **dict.fromkeys(("mtx", "mm", "matrixmarket"), "matrix_market"),
    **dict.fromkeys(("jsonl", "jsonlines", "json_lines"), "ndjson"),
    **{"pajek": "net", "xml": "graphml", "pq": "parquet", "graph": "metis", "gr": "dimacs"},
}
_AS_TABLE = "read it with {}, and give the table to rizoma.read"
_AS_GRAPH = "read it with {}, and give the graph to rizoma.read"

_FOREIGN = {
    "an Arrow file": ((".feather", ".arrow", ".ipc"), _AS_TABLE.format("pyarrow.feather.read_table")),
    "a spreadsheet": ((".xlsx", ".xls", ".ods"), "save it as CSV, or read it with pandas.read_excel"),
    "a list of neighbours": ((".adjlist",), _AS_GRAPH.format("networkx.read_adjlist")),
    "a graph6 file": ((".g6", ".graph6"), _AS_GRAPH.format("networkx.read_graph6")),
    "a sparse6 file": ((".s6", ".sparse6"), _AS_GRAPH.format("networkx.read_sparse6")),
    "an LGL file": ((".lgl",), _AS_GRAPH.format("igraph.Graph.Read_Lgl")),
    "a GraphViz drawing": ((".dot", ".gv"), _AS_GRAPH.format("networkx.nx_pydot.read_dot")),
    "a NumPy file": ((".npy", ".npz"), "read it with numpy.load, and give the array to rizoma.read"),
    "a pickle": ((".pkl", ".pickle"), "it runs code when it is read; if you trust it, load it yourself"),
    "a database": ((".db", ".sqlite", ".duckdb"), "query it, and give the table to rizoma.read"),
    "a file of triples": ((".rdf", ".ttl", ".nt", ".nq"), "write subjects and objects as a CSV file"),
    "an archive": ((".zip", ".tar", ".tgz", ".7z", ".rar"), "unpack it"),
    "an ORC file": ((".orc",), _AS_TABLE.format("pyarrow.orc.read_table")),
    "a picture": ((".jpg", ".jpeg", ".png", ".gif", ".svg"), "find the data that it shows"),
    "a compressed file of another kind": ((".xz", ".bz2", ".lz4"), "unpack it first, or compress it with gzip or zstd"),
}


def expect_file(path: Path) -> None:
    """Raise if there is no file that can be read from any place (a pipe cannot), or its content is of another kind."""
    if not path.exists():
        raise NotFoundError(f"{path}: no such file")
    if not path.is_file():  # a pipe would be waited for
        raise InvalidArgumentError(f"{path} is not a regular file; give a file, or pipe its content in as -")
    _core.expect_known_content(path)


def refuse_text(name: str) -> None:
    """Raise if what is given as the name of a file is SQL, or the data itself."""
    if not name:
        raise InvalidArgumentError('the path is empty; give a file, or "." for all files of the current directory')
    if os.path.exists(name):
        return
    if _SQL.match(name):
        raise InvalidArgumentError(
            f"{name[:60]!r} is SQL, not the name of a file: run it, for example with duckdb.sql(...), and give what "
            "comes of it to rizoma.read"
        )
    if "\n" in name or "\t" in name or name.startswith(("{", "[{", "[[")):
        raise InvalidArgumentError(
            f"{name[:60]!r} is read as the name of a file, of which there is none; if it is the data itself, write it "
            "to a file, or give a list of pairs"
        )


def refuse_unsupported(path: Path, format: str) -> None:
    """Raise if the path is not a file of edges: a store, or by its name of a format that is not read."""
    known = [_core.ANY_FORMAT, *_core.file_formats(), "parquet", NAME, *FORMATS]
    if format not in known:
        meant = suggestion(str(format), known, _FORMATS_ELSEWHERE)
        near = f"did you mean {meant!r}? " if meant else ""
        raise InvalidArgumentError(f"format={format!r} is not known; {near}choose one of {', '.join(known)}")
    if path.is_dir() and is_store(path):
        raise InvalidArgumentError(
            f"{path} is a Rizoma store; open it with rizoma.open, or give the opened graph to rizoma.read (a copy: "
            f"cp -r {path} NEW.rz)"
        )
    bare = path.with_suffix("") if path.suffix in (".gz", ".zst") else path
    for what, (endings, remedy) in _FOREIGN.items():
        if format == "auto" and bare.suffix.lower() in endings:
            raise UnsupportedError(f"{path}: by its name this is {what}, which rizoma.read does not read; {remedy}")


def expect_weights(path: Path, asked: str | bool | None, found: str | None, edges: int) -> None:
    """Raise if weights are asked for and a file with edges has none."""
    if asked and found is None and edges:
        raise InvalidArgumentError(
            f"{path}: weights were asked for, but it has none; read it without weights (weights=False)"
        )
