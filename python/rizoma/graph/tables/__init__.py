"""Anything that lists edges -> columns of external ids.

Accepted: pandas and polars frames, pyarrow tables, batches and readers, DuckDB relations and every
other producer of the Arrow PyCapsule interface; NumPy arrays of shape (m, 2) or (m, 3); SciPy sparse
matrices; graphs of this package, NetworkX and igraph; a mapping of column names to arrays; any iterable
of pairs or triples, or of mappings that name the columns.

Columns of a table are chosen by `source=`, `target=`, `weight=`; without these by name, as those of files are: see
`interpret`.  A table without rows is no edges, whatever its columns.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...core.errors import InvalidArgumentError
from . import arrays, arrow, networks, rows, vertices
from .columns import ColumnNames, EdgeColumns, EdgeSource, column_name

__all__ = ["ColumnNames", "EdgeColumns", "EdgeSource", "column_name", "read_edges", "read_vertices"]

read_vertices = vertices.read_vertices


def read_edges(data: Any, names: ColumnNames | None = None) -> EdgeSource:
    """Recognise `data` and return its edges, in chunks where it comes in chunks."""
    names = names or ColumnNames()
    if type(data) is list and names.where is None:
        return rows.from_rows(data, names)  # at once, for the sake of those who add edges one by one
    found, directed = _read(data, names), networks.direction_of(data)
    return found if directed is None else networks.with_direction(found, directed)


def _read(data: Any, names: ColumnNames) -> EdgeSource:
    package = type(data).__module__.partition(".")[0]
    if isinstance(data, io.IOBase):
        if not hasattr(data, "name"):
            raise InvalidArgumentError(
                f"the {type(data).__name__} holds data without a name; write them to a file for rizoma.read, or give "
                "pandas.read_csv(data)"
            )
        raise InvalidArgumentError(f"{data.name!r} is an open file; give its path to rizoma.read")
    if names.where is not None and package in ("networkx", "igraph", "scipy"):
        raise _without_columns(data)
    if hasattr(getattr(data, "edges", None), "__arrow_c_stream__"):
        if names.where is not None:
            raise _without_columns(data)
        return networks.from_rizoma(data, names)
    if (package == "networkx" and hasattr(data, "edges")) or hasattr(type(data), "__networkx_backend__"):
        return networks.from_networkx(data, names)
    if package == "networkx" and isinstance(data, Mapping) and callable(data):
        data = iter(data())  # G.edges, a mapping by edges, as pairs
    if package == "igraph" and hasattr(data, "get_edgelist"):
        return networks.from_igraph(data, names)
    if package == "scipy" and hasattr(data, "tocoo"):
        return arrays.from_scipy(data, names)
    if package == "polars" and hasattr(data, "collect"):
        data = data.collect()  # a LazyFrame
    if package == "dask" and hasattr(data, "partitions"):
        return arrow.from_batches(arrow.partitions_of(data), names)
    data = arrow.scanned(data, names)
    if isinstance(data, arrow.BatchStream):
        return arrow.from_batches(data.batches, names)
    if package == "pandas":
        arrays.expect_no_matrix(data)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return arrow.from_arrow(data, names)
    if names.where is not None and not isinstance(data, Mapping):
        raise _without_columns(data)
    if hasattr(data, "__array__"):
        return arrays.from_numpy(data, names)
    if isinstance(data, Mapping):
        return arrow.from_mapping(data, names)
    if package == "networkx":
        names = replace(names, takes_weights=True)  # G.edges.data("cost") names its third items
    if isinstance(data, Iterable) and not isinstance(data, (str, bytes)):
        return rows.from_rows(data, names)
    if isinstance(data, os.PathLike) or (isinstance(data, str) and _is_path(data)):
        raise InvalidArgumentError(
            f"{str(data)!r} is not a table: read a file first, and give its graph, as in "
            f"rizoma.read({os.fspath(data)!r}, ...); `rizoma import --append` adds files to a graph on disk"
        )
    if hasattr(data, "obsp"):
        there = ", ".join(map(repr, data.obsp)) or "none"
        raise InvalidArgumentError(
            f"the {type(data).__name__} may have several matrices of cells; give one, as in "
            f"rz.read(data.obsp['connectivities'], directed=False) (obsp has {there})"
        )
    raise InvalidArgumentError(
        f"cannot read edges from {type(data).__name__}; give a table (pandas, polars, pyarrow, ...), "
        "a NumPy array (m, 2), a SciPy sparse matrix, a NetworkX graph or an iterable of pairs"
    )


def _is_path(text: str) -> bool:
    """Whether a text names a file: one that is there, or by its form."""
    return os.path.exists(text) or "://" in text or (os.path.splitext(text)[1] != "" and "\n" not in text)


def _without_columns(data: Any) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"where= is for tables, and {type(data).__name__} has no columns; read it whole, and take g.where(...) of the "
        "graph"
    )
