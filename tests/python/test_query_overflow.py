"""What a predicate says of edges and vertices of other kinds is no error, whatever was asked before."""

from __future__ import annotations

import pyarrow as pa
import pytest
import rizoma as rz

VERTICES = 1_500
HUGE = 2**62  # times four it is beyond 64 bits


def made() -> rz.Snapshot:
    """Edges of type K and vertices of label A have small numbers, the others a great one."""
    graph = rz.open(
        None,
        directed=True,
        ids="integer",
        parallel_edges="keep",
        edges={"type": "string", "x": "int64"},
        vertices={"label": "string", "y": "int64"},
    )
    ids = range(VERTICES)
    graph.add_vertices({"vertex": list(ids), "label": ["AB"[v % 2] for v in ids], "y": [(3, HUGE)[v % 2] for v in ids]})
    ends = [(v, (v * step + step) % VERTICES) for v in ids for step in range(1, 12)]
    kinds = ["KL"[(source + target) % 3 == 0] for source, target in ends]
    columns = {"source": [each[0] for each in ends], "target": [each[1] for each in ends], "type": kinds}
    graph.add_edges(pa.table(columns | {"x": [v % 9 if kind == "K" else HUGE for v, kind in enumerate(kinds)]}))
    return graph.snapshot()


def answer(state: rz.Snapshot, text: str) -> object:
    try:
        return state.query(f"MATCH {text} RETURN count(*) AS n").to_arrow()["n"].to_pylist()
    except rz.InvalidArgumentError as error:
        return str(error).splitlines()[0]


QUERIES = (
    "(a)-[e:K]->(b) WHERE e.x * 4 > 8",
    "(a)-[e:K]->(b)-[f:K]->(c)-[g:K]->(a) WHERE e.x * 4 > 8 AND f.x * 4 > 3",
    "(a {id: 4})-[e:K]->(b)-[f:K]->(c) WHERE f.x * 4 > 8",
    "(a {id: 4})<-[e:K]-(b) WHERE e.x * 4 > 8",
    "(a {id: 4})-[e:K]-(b) WHERE e.x * 4 > 8",
    "(a {id: 4})-[e]->(b) WHERE e.x * 4 > 8 AND e.type = 'K'",
    "(a {id: 4})-[e]->(b:A) WHERE b.y * 4 > 2",
    "(a {id: 4})-[e:K]->(b) WHERE e.x * 4 > b.y * 4 AND b:A",
    "(a:A)-[e:K]->(b:A) WHERE a.y * 4 > b.y",
)


@pytest.mark.parametrize("text", QUERIES)
def test_other_kinds_do_not_count(text: str) -> None:
    state = made()
    first = answer(state, text)
    for _ in range(6):  # until sets of labels and lists of types are kept
        answer(state, "(a)-[e:K]->(b)-[f:K]->(c)-[g:L]->(a)")
        answer(state, "(a {id: 4})-[e:L*1..3]->(b:A)")
    assert first == answer(state, text)
    assert isinstance(first, list)


def test_an_edge_whose_ends_no_match_has_does_not_count() -> None:
    graph = rz.open(None, directed=True, ids="integer", edges={"x": "int64"}, vertices={"label": "string"})
    graph.add_vertices({"vertex": list(range(9)), "label": list("AAAAAAAAB")})
    graph.add_edges({"source": list(range(9)), "target": [0] * 9, "x": [*range(8), HUGE]})
    assert graph.match("(a:A)-[e]->(b)", where="e.x * 4 > 8").count() == 5
    with pytest.raises(rz.InvalidArgumentError, match="beyond 64 bits"):
        graph.match("(a)-[e]->(b)", where="e.x * 4 > 8").count()
