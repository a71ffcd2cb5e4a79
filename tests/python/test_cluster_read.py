"""`Cluster.read` reads what `rizoma.read` reads: the same graph, the same report and warnings, or the same refusal."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma.core.errors import ReadWarning, RizomaError

MPIEXEC = Path(os.environ.get("RIZOMA_TEST_MPIEXEC", Path(sys.executable).with_name("mpiexec")))
pytestmark = pytest.mark.skipif(
    not MPIEXEC.exists() and shutil.which("mpiexec") is None, reason="there is no mpiexec (pip install mpich)"
)

ROWS = "".join(f"{i},{i * 7 % 500},{i}.5,t{i % 9}\n" for i in range(500))
DENSE = "source,target\n" + "".join(f"{i},{i * 7 % 150_000}\n" for i in range(150_000))  # over a MiB
PARQUET = {"source": range(300), "target": [i * 3 % 300 for i in range(300)], "x": [float(i) for i in range(300)]}


def parquet(path: Path) -> None:
    pq.write_table(pa.table(PARQUET), path, row_group_size=50)


def text(content: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(content, encoding="utf-8") and None


def compressed(content: str) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(gzip.compress(content.encode())) and None


CASES: list[tuple[str, dict[str, Callable[[Path], None]], dict[str, Any]]] = [
    ("plain", {"a.csv": text("source,target,x,k\n" + ROWS)}, {}),
    ("columns", {"a.csv": text("source,target,x,k\n" + ROWS)}, {"edges": "infer", "directed": True}),
    ("weights", {"a.csv": text("source,target,weight,k\n" + ROWS)}, {"directed": True}),
    ("merged weights", {"a.csv": text("source,target,weight\n1,2,1\n1,2,5\n2,1,3\n")}, {}),
    ("keep", {"a.csv": text("source,target,weight\n1,2,1\n1,2,5\n")}, {"parallel_edges": "keep"}),
    ("sum", {"a.csv": text("source,target,weight\n1,2,1\n1,2,5\n")}, {"parallel_edges": "sum", "directed": True}),
    ("no value", {"a.csv": text("source,target\nann,NULL\nbob,NULL\ncem,bob\n")}, {}),
    ("padded", {"a.csv": text("source,target\nann, bob\nbob,ann\n")}, {}),
    ("minus one", {"a.csv": text("source,target\n5,-1\n6,-1\n7,5\n")}, {}),
    ("twins", {"a.csv": text("source,target\nCafe\u0301,b\nCaf\u00e9,b\n")}, {}),
    ("payer", {"a.csv": text("payer,payee\na,b\nb,c\n")}, {}),
    ("count line", {"a.el": text("5 4\n0 1\n1 2\n2 3\n3 4\n")}, {}),
    ("comments", {"a.el": text("# FromNodeId ToNodeId\n0 1\n1 2\n")}, {}),
    ("nothing", {"a.csv": text("source,target\n")}, {}),
    ("overflow", {"a.csv": text("source,target,x\n1,2,1e400\n")}, {"edges": {"x": "float64"}}),
    ("great weights", {"a.csv": text("source,target,weight\n1,2,9007199254740993\n")}, {}),
    ("rounded", {"a.csv": text("source,target,x\n1,2,16777217\n")}, {"edges": {"x": "float32"}}),
    ("thousands", {"a.csv": text("source,target\n1.000,2\n")}, {}),
    ("bad line", {"a.csv": text("source,target\n1,2\nx\n3,4\n")}, {"skip_bad_lines": 1}),
    ("null line", {"a.csv": text("source,target\n1,2\n3,-\n")}, {"null": "-"}),
    ("numbers and names", {"a.csv": text("source,target\n1,2\n"), "b.csv": text("source,target\na,2\n")}, {}),
    ("with and without", {"a.csv": text("source,target,weight\n1,2,3\n"), "b.csv": text("source,target\n1,2\n")}, {}),
    ("parquet", {"a.parquet": parquet}, {"edges": "infer"}),
    ("where", {"a.parquet": parquet}, {"where": "x > 100"}),
    ("where nothing", {"a.parquet": parquet}, {"where": "x > 1000"}),
    ("json lines", {"a.ndjson": text('{"source": 1, "target": 2, "y": 1}\n{"source": 2, "target": 3}\n')}, {}),
    ("document", {"a.gml": text("graph [ node [ id 1 a 1 ] node [ id 2 ] edge [ source 1 target 2 y 2 ] ]")}, {}),
    (
        "kept",
        {"a.gml": text("graph [ node [ id 1 a 1 ] node [ id 2 ] edge [ source 1 target 2 y 2 ] ]")},
        {"edges": {"y": "int64"}},
    ),
    ("copies", {"d/a.csv": text("source,target\n1,2\n"), "d/a.csv~": text("source,target\n7,8\n")}, {}),
    ("columns of vertices", {"a.csv": text("source,target,age\n1,2,3\n")}, {"vertices": {"age": "int64"}}),
    ("page", {"a.csv": text("<h1>Not, found</h1>\n<p>a,b</p>\n")}, {}),
    ("matrix", {"a.csv": text("0,1,1\n1,0,1\n1,1,0\n")}, {}),
    ("late negative id", {"a.csv": text(DENSE + "1,-5\n-6,-5\n")}, {"directed": True}),
    ("negative id in a later file", {"a.csv": text(DENSE), "b.csv": text("source,target\n-5,1\n")}, {"directed": True}),
    ("late negative id, compressed", {"a.csv.gz": compressed(DENSE + "1,-5\n")}, {"directed": True}),
    ("late far id", {"a.csv": text(DENSE + "1,50000000\n")}, {"directed": True}),
    ("late id far beyond", {"a.csv": text(DENSE + "1,9000000000000\n")}, {"directed": True}),
    ("header again", {"a.csv": text("source,target\n1,2\nsource,target\n3,4\n")}, {}),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[rz.Cluster]:
    with rz.cluster(ranks=2, threads=1) as ranks:
        yield ranks


def _outcome(read: Callable[[], rz.Graph]) -> dict[str, Any]:
    """What became of a call: the graph, and all that is said of it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            graph = read()
        except RizomaError as error:
            return {"error": type(error).__name__, "message": str(error).partition(": ")[2] or str(error)}
    with graph:
        edges, vertices = graph.edges.to_arrow(), graph.vertices.to_arrow()
        said = {str(each.message) for each in caught if issubclass(each.category, ReadWarning)}
        return {
            "edges": sorted(map(str, edges.to_pylist())),
            "vertices": sorted(map(str, vertices.to_pylist())),
            "types": (str(edges.schema), str(vertices.schema), graph.directed, graph.ids, graph.weights),
            "report": sorted(graph.last_import.lines()),
            "warnings": said,
        }


@pytest.mark.parametrize(("name", "files", "options"), CASES, ids=[case[0] for case in CASES])
def test_the_ranks_read_what_one_process_reads(
    cluster: rz.Cluster,
    name: str,
    files: dict[str, Callable[[Path], None]],
    options: dict[str, Any],
    tmp_path: Path,
) -> None:
    for file, write in files.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        write(tmp_path / file)
    given = sorted({tmp_path / Path(file).parts[0] for file in files})
    one = _outcome(lambda: rz.read(*given, into=tmp_path / "one.rz", **options))
    ranks = _outcome(lambda: cluster.read(*given, into=tmp_path / "ranks.rz", **options))
    if "error" in one:
        assert ranks.get("error") == one["error"], (one, ranks)
        assert one["message"] in ranks["message"]
    else:
        assert ranks == one


def test_other_files_are_those_of_the_caller(
    cluster: rz.Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ranks were started in another directory."""
    (tmp_path / "e.csv").write_text("source,target\n1,2\n")
    (tmp_path / "v.csv").write_text("vertex,age\n1,30\n")
    monkeypatch.chdir(tmp_path)
    with cluster.read("e.csv", into="g.rz", vertices={"age": "int64"}, vertex_files=["v.csv"]) as graph:
        assert graph.vertex(1) == {"age": 30}
        assert graph.last_import.vertex_files[0].rows == 1


def test_tables_are_told_of_too(cluster: rz.Cluster, tmp_path: Path) -> None:
    table = pd.DataFrame({"source": ["ann", "bob"], "target": ["NULL", "NULL"]})
    with pytest.warns(ReadWarning, match="NULL"), cluster.read(table, into=tmp_path / "g.rz") as graph:
        assert graph.last_import.edges_read == 2


def test_no_data_is_refused(cluster: rz.Cluster, tmp_path: Path) -> None:
    with pytest.raises(rz.InvalidArgumentError, match="no file to read"):
        cluster.read(into=tmp_path / "g.rz")


def test_options_stay_as_they_are_given(cluster: rz.Cluster, tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("source,target\n1,2\n")
    options = {"progress": False, "vertex_files": []}
    cluster.read(tmp_path / "e.csv", into=tmp_path / "g.rz", **options).close()
    assert options == {"progress": False, "vertex_files": []}


def test_what_ranks_warn_of_in_a_call_is_warned_of_here(cluster: rz.Cluster, tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("source,target,length\n1,2,5\n2,3,6\n")
    columns = {"length": "float64"}
    with cluster.read(tmp_path / "e.csv", into=tmp_path / "g.rz", edges=columns, directed=True) as graph:
        with rz.open(tmp_path / "g.rz", mode="read_only") as alone, pytest.warns(ReadWarning) as expected:
            rz.sssp(alone, 1)
        with pytest.warns(ReadWarning) as said:
            rz.sssp(graph, 1)
        assert {str(each.message) for each in said} == {str(each.message) for each in expected}
