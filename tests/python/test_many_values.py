"""Values of many vertices and edges, which are read by blocks, are those that were given."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest
import rizoma as rz

COUNT = 20_000
KINDS = {
    "truth": ("boolean", pa.bool_(), lambda draw: draw.random() < 0.5),
    "tiny": ("int8", pa.int8(), lambda draw: draw.randrange(-128, 128)),
    "small": ("int16", pa.int16(), lambda draw: draw.randrange(-9_000, 9_000)),
    "great": ("uint64", pa.uint64(), lambda draw: draw.randrange(2**64)),
    "single": ("float32", pa.float32(), lambda draw: draw.randrange(1_000) / 4),
    "made": ("timestamp[ms]", pa.timestamp("ms"), lambda draw: draw.randrange(10**12)),
    "text": ("string", pa.string(), lambda draw: draw.choice(["", "a", "bc"])),
}


def columns(draw: random.Random, count: int, missing: float) -> dict[str, pa.Array]:
    return {
        name: pa.array([None if draw.random() < missing else value(draw) for _ in range(count)], kind)
        for name, (_, kind, value) in KINDS.items()
    }


@pytest.fixture(scope="module", params=[0, 0.1], ids=["whole", "some null"])
def world(request: pytest.FixtureRequest) -> tuple[rz.Graph, pa.Table, pa.Table]:
    draw = random.Random(3)
    kinds = {name: kind for name, (kind, _, _) in KINDS.items()}
    graph = rz.open(None, directed=True, ids="integer", parallel_edges="keep", edges=kinds, vertices=kinds)
    vertices = pa.table({"vertex": draw.sample(range(COUNT), COUNT), **columns(draw, COUNT, request.param)})
    ends = {each: [draw.randrange(COUNT) for _ in range(COUNT)] for each in ("source", "target")}
    edges = pa.table(ends | columns(draw, COUNT, request.param))
    for begin in range(0, COUNT, 7_000):
        graph.add_vertices(vertices.slice(begin, 7_000))
        graph.add_edges(edges.slice(begin, 7_000))
    return graph, vertices, edges


def ordered(table: pa.Table) -> list[tuple[object, ...]]:
    return sorted(zip(*(column.to_pylist() for column in table.columns), strict=True), key=repr)


@pytest.mark.parametrize("name", list(KINDS))
def test_values_are_those_that_were_given(world: tuple[rz.Graph, pa.Table, pa.Table], name: str) -> None:
    graph, vertices, edges = world
    for _ in range(2):
        found = graph.query(f"MATCH (v) RETURN v.id AS id, v.{name} AS x").to_arrow()
        assert ordered(found) == ordered(vertices.select(["vertex", name]))
        found = graph.query(f"MATCH (a)-[e]->(b) RETURN a.id AS a, b.id AS b, e.{name} AS x").to_arrow()
        assert ordered(found) == ordered(edges.select(["source", "target", name]))


def test_values_follow_changes(world: tuple[rz.Graph, pa.Table, pa.Table]) -> None:
    graph = world[0]
    before = graph.snapshot()
    old = ordered(before.query("MATCH (v) RETURN v.id AS id, v.small AS x").to_arrow())
    graph.add_vertices({"vertex": list(range(COUNT)), "small": pa.array([7] * COUNT, pa.int16())})
    new = ordered(graph.query("MATCH (v) RETURN v.id AS id, v.small AS x").to_arrow())
    assert new == sorted(((v, 7) for v in range(COUNT)), key=repr)
    assert ordered(before.query("MATCH (v) RETURN v.id AS id, v.small AS x").to_arrow()) == old
