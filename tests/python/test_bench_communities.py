"""rizoma bench communities, with a program that prints what GVE's print."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz
from rizoma.core.errors import NotFoundError, RizomaError
from rizoma_lab.bench.communities import CommunitiesPlan, measure_communities, modularity_of
from rizoma_lab.bench.graph import EdgeKeys

_LEIDEN = (
    "{000012.5ms, 000000.0ms mark, 000000.2ms init, 000000.3ms firstpass, 000000.4ms locmove, 000000.1ms refine, "
    "000000.2ms aggr, 1.000e+00 aff, 0003 iters, 002 passes, 0.250000000 modularity, 0/3 disconnected} "
)
_LOUVAIN = (
    "{002 threads} -> {000008.5ms, 000000.0ms mark, 000000.2ms init, 000000.3ms first, 000000.4ms move, "
    "000000.2ms aggr, 0003 iters, 0002 passes, 0.200000000 modularity} louvainStaticOmp"
)


def _program(path: Path, *lines: str) -> Path:
    said = "\n".join(("OMP_NUM_THREADS=2", "order: 4 size: 8 [directed]", *lines))
    seen = f"open({str(path) + '.seen'!r}, 'w').write(open(sys.argv[1]).read() + ' '.join(sys.argv[2:]))"
    path.write_text(f"#!/usr/bin/env python3\nimport sys\n{seen}\nprint({said!r})\n")
    path.chmod(0o755)
    return path


def test_gve_is_read_and_gets_both_directions_of_each_edge(tmp_path):
    (tmp_path / "square.txt").write_text("0 1\n1 2\n2 3\n3 0\n")
    leiden = _program(tmp_path / "leiden", _LEIDEN + "louvainStaticOmp", _LEIDEN + "leidenStaticOmp")
    louvain = _program(tmp_path / "louvain", _LOUVAIN)
    plan = CommunitiesPlan((str(tmp_path / "square.txt"),), gve=(leiden, louvain), rounds=2, directory=tmp_path)
    report = measure_communities(plan, tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text())["results"] == report["results"]
    rows = {(row["algorithm"], row["by"]): row for row in report["results"]}
    assert rows["leiden", "GVE"]["seconds"] == [0.0125, 0.0125]
    assert rows["louvain", "GVE"]["seconds"] == [0.0125, 0.0085] * 2
    assert rows["louvain", "GVE"]["modularity"] == [0.25, 0.2] * 2
    assert len(rows["leiden", "rizoma"]["modularity"]) == 2
    assert all(0 <= each <= 1 for each in rows["louvain", "rizoma"]["modularity"])
    header, size, *entries = (tmp_path / "leiden.seen").read_text().splitlines()
    assert (header, size) == ("%%MatrixMarket matrix coordinate pattern general", "4 4 8")
    assert {"1 2", "2 1", "4 1"} < set(entries)
    assert entries[-1] == "1 0"


def test_what_is_no_program_of_gve_is_refused(tmp_path):
    (tmp_path / "square.txt").write_text("0 1\n1 2\n")
    for program, said in ((tmp_path / "no", "there is no program"), (_program(tmp_path / "mute"), "printed no time")):
        plan = CommunitiesPlan((str(tmp_path / "square.txt"),), gve=(program,), rounds=1, directory=tmp_path)
        with pytest.raises((NotFoundError, RizomaError), match=said):
            measure_communities(plan)


def test_modularity_is_that_of_the_library():
    graph = rz.generate("grid", 7, seed=2)  # without self-loops, which the benchmark leaves out
    sources, targets = (graph.edges.to_arrow()[name].to_numpy() for name in ("source", "target"))
    keys = EdgeKeys.of(sources, targets, graph.num_vertices, directed=False)
    found = rz.louvain(graph, seed=1)
    labels = found.to_dict()
    by_id = np.array([labels[v] for v in range(graph.num_vertices)])
    assert modularity_of(keys, by_id) == pytest.approx(found.modularity, abs=1e-9)
    assert modularity_of(keys, np.zeros(graph.num_vertices, np.int64)) == pytest.approx(0)
