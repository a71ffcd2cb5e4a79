"""What the tests of every document format share."""

from __future__ import annotations

import numpy as np
import rizoma as rz

__all__ = ["everything", "round_trips"]


def everything(graph):
    """Direction, vertices, and edges with weights, by external id."""
    columns = graph.edges.to_arrow().to_pydict()
    weights = columns.get("weight") or [None] * len(columns["source"])
    pairs = zip(columns["source"], columns["target"], strict=True)
    ends = [pair if graph.directed else tuple(sorted(pair)) for pair in pairs]
    return graph.directed, set(graph.vertices.to_arrow()["vertex"].to_pylist()), sorted(zip(ends, weights, strict=True))


def round_trips(tmp_path, ending):
    """Graphs of every kind come back as they were written; yields each with its file."""
    rng = np.random.default_rng(1)
    names = ["ann", 'quo"te', "<&>", "tab\there", "", "中文", "00501", "a b\n"]
    for number, (directed, weights, strings) in enumerate(
        (directed, weights, strings)
        for directed in (False, True)
        for weights in (None, "int32", "float64")
        for strings in (False, True)
    ):
        pairs = {(int(u), int(v)) for u, v in rng.integers(8, size=(20, 2)) if directed or u <= v}
        rows = [(u * 7, v * 7, number + u / 4 if weights == "float64" else u - v) for u, v in sorted(pairs)]
        if strings:
            rows = [(names[u // 7], names[v // 7], weight) for u, v, weight in rows]
        path = tmp_path / f"g{number}{ending}"
        with rz.open(None, directed=directed, weights=weights) as graph:
            graph.add_edges([row if weights else row[:2] for row in rows])
            graph.add_vertices(["alone" if strings else 999])
            graph.export(path)
            expected = everything(graph)
        with rz.read(path) as again:
            assert everything(again) == expected
            assert str(again.ids) == ("string" if strings else "integer")
        yield path
