"""The guide's recipe for Spark: a DataFrame becomes a graph by way of Parquet, and the answer a DataFrame again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import rizoma as rz

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support")  # pandas 3
sql = pytest.importorskip("pyspark.sql", reason="there is no Spark (pip install pyspark)")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2", "spark.driver.host": "127.0.0.1"}
    builder = sql.SparkSession.builder.master("local[2]").appName("rizoma")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    random = np.random.default_rng(5)
    ends = random.integers(0, 400, (3000, 2))
    frame = pd.DataFrame({"follower": ends[:, 0], "followed": ends[:, 1], "amount": random.integers(1, 9, 3000) / 2})
    return frame.drop_duplicates(["follower", "followed"], ignore_index=True)


def in_one_process(rows: pd.DataFrame) -> dict[Any, float]:
    """PageRank by amount, from the rows themselves."""
    with rz.read(rows, source="follower", target="followed", weight="amount", directed=True) as graph:
        return rz.pagerank(graph, weight="weight", tol=1e-9).to_dict()


@pytest.mark.parametrize("ids", ["numbers", "names"])
def test_a_data_frame_to_ranks_and_back(ids: str, spark: Any, rows: pd.DataFrame, tmp_path: Path) -> None:
    if ids == "names":
        rows = rows.assign(**{end: [f"user {v}" for v in rows[end]] for end in ("follower", "followed")})
    edges = spark.createDataFrame(rows)
    edges.repartition(3).write.parquet(f"{tmp_path}/edges")
    with rz.cluster(2, threads=1) as cluster:
        names = {"source": "follower", "target": "followed", "weight": "amount"}
        with cluster.read(f"{tmp_path}/edges", into=f"{tmp_path}/social.rz", directed=True, **names) as graph:
            rz.pagerank(graph, weight="weight", tol=1e-9).write(f"{tmp_path}/ranks.parquet")
    ranks = spark.read.parquet(f"{tmp_path}/ranks.parquet")
    found = {row["vertex"]: row["rank"] for row in ranks.collect()}
    assert found == pytest.approx(in_one_process(rows), abs=1e-7)
    of_edges = edges.join(ranks, edges["followed"] == ranks["vertex"])
    assert of_edges.count() == len(rows)


def test_a_data_frame_that_fits_the_driver(spark: Any, rows: pd.DataFrame) -> None:
    edges = spark.createDataFrame(rows)
    table = edges.toArrow()
    with rz.read(table, source="follower", target="followed", weight="amount", directed=True) as graph:
        result = rz.pagerank(graph, weight="weight", tol=1e-9)
    ranks = spark.createDataFrame(result.to_pandas())
    assert {row["vertex"]: row["rank"] for row in ranks.collect()} == pytest.approx(in_one_process(rows), abs=1e-7)
