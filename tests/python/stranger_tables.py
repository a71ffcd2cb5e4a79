"""Cases of tables: frames, Arrow, databases."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from stranger_cases import AB, ABC, E12, WABC, D, case, of

# tables
SRC = {"source": ["a", "b"], "target": ["b", "c"]}


def frame(**columns: Any) -> Callable[[Path], Any]:
    return lambda _: pd.DataFrame(columns or SRC)


case("pandas", frame(**SRC), ABC)
case("pandas index", lambda _: pd.DataFrame(SRC | {"x": [1, 2]}).set_index("x"), ABC, None)
case("pandas source as index", lambda _: pd.DataFrame(SRC).set_index("source"), ABC, None)
case(
    "pandas ends as index", lambda _: pd.DataFrame(SRC | {"weight": [2, 3]}).set_index(["source", "target"]), WABC, None
)
case(
    "pandas series of ends",
    lambda _: pd.Series(
        [2.0, 3.0], name="weight", index=pd.MultiIndex.from_arrays(list(SRC.values()), names=list(SRC))
    ),
    WABC,
    None,
)
case(
    "pandas filtered index",
    lambda _: pd.DataFrame({"source": ["x", "a", "b"], "target": ["y", "b", "c"]}).iloc[1:],
    ABC,
)
case("pandas string index", lambda _: pd.DataFrame(SRC, index=["p", "q"]), ABC, None)
case("pandas categories", lambda _: pd.DataFrame(SRC).astype("category"), ABC)
case("pandas categories of numbers", lambda _: pd.DataFrame({"source": [1], "target": [2]}).astype("category"), E12)
case("pandas nullable", lambda _: pd.DataFrame({"source": [1], "target": [2]}).astype("Int64"), E12)
case("pandas nullable with NA", lambda _: pd.DataFrame({"source": [1, None], "target": [2, 3]}).astype("Int64"), None)
case("pandas floats with NaN", frame(source=[1, np.nan], target=[2, 3]), None)
case("pandas objects with None", frame(source=["a", None], target=["b", "c"]), None)
case("pandas objects mixed", frame(source=[1, "a"], target=["b", "c"]), None)
case("pandas objects of ints", lambda _: pd.DataFrame({"source": [1], "target": [2]}, dtype=object), E12)
case("pandas floats that are whole", frame(source=[1.0], target=[2.0]), E12)
case("pandas floats that are not", frame(source=[1.5], target=[2.0]), None)
case("pandas infinite ids", frame(source=[np.inf], target=[2.0]), None)
case("pandas great floats", frame(source=[2.0**60], target=[2.0]), None)
case("pandas truth as ids", frame(source=[True], target=[False]), None)
case("pandas dates as ids", frame(source=pd.to_datetime(["2024-01-01"]), target=pd.to_datetime(["2024-01-02"])), None)
case(
    "pandas uint64",
    lambda _: pd.DataFrame({"source": np.array([2**64 - 1], np.uint64), "target": np.array([1], np.uint64)}),
    None,
    [(2**64 - 1, 1)],
)
case(
    "pandas int8",
    lambda _: pd.DataFrame({"source": np.array([-1], np.int8), "target": np.array([2], np.int8)}),
    [(-1, 2)],
    **D,
)
case("pandas int and text", frame(source=[1, 2], target=["a", "b"]), None, [("1", "a"), ("2", "b")])
case(
    "pandas columns of one name",
    lambda _: pd.DataFrame([["a", "b", "c"]], columns=["source", "target", "target"]),
    None,
)
case(
    "pandas weights of one name",
    lambda _: pd.DataFrame([["a", "b", 1, 2]], columns=["source", "target", "weight", "weight"]),
    None,
)
case(
    "pandas weight and w",
    lambda _: pd.DataFrame([["a", "b", 1, 2]], columns=["source", "target", "weight", "w"]),
    None,
    [("a", "b", 1.0)],
)
case(
    "pandas levels of columns",
    lambda _: pd.DataFrame([["a", "b"]], columns=pd.MultiIndex.from_tuples([("e", "source"), ("e", "target")])),
    None,
    AB,
)
case("pandas columns of numbers", lambda _: pd.DataFrame([[1, 2], [2, 3]]), [(1, 2), (2, 3)])
case("pandas three columns of numbers", lambda _: pd.DataFrame([[1, 2, 9], [2, 3, 9]]), None)
case("pandas weights of truth", frame(**SRC, weight=[True, False]), None, ABC, warns="weight")
case("pandas weights with NA", lambda _: pd.DataFrame(SRC | {"weight": pd.array([1, None], "Int64")}), None)
case("pandas weights NaN", frame(**SRC, weight=[1.0, np.nan]), None)
case("pandas weights infinite", frame(**SRC, weight=[1.0, np.inf]), None)
case(
    "pandas weights beyond 2^53",
    frame(**SRC, weight=[2**53 + 1, 2]),
    None,
    [("a", "b", 2.0**53), ("b", "c", 2.0)],
    warns="2\\^53",
)
case("pandas weights of decimals", frame(**SRC, weight=[Decimal("2"), Decimal("3")]), WABC)
case(
    "pandas weights of dates",
    lambda _: pd.DataFrame(SRC | {"weight": pd.to_datetime(["2024-01-01", "2024-01-02"])}),
    None,
    ABC,
    warns="weight",
)
case("pandas weights of categories", lambda _: pd.DataFrame(SRC | {"weight": pd.Categorical([2, 3])}), WABC)
case(
    "pandas weights of text categories",
    lambda _: pd.DataFrame(SRC | {"weight": pd.Categorical(["2", "3"])}),
    WABC,
    None,
)
case("pandas weights complex", frame(**SRC, weight=[1 + 2j, 3]), None)
case(
    "pandas sparse",
    lambda _: pd.DataFrame({"source": [1], "target": [2], "weight": pd.arrays.SparseArray([0.0])}),
    [(1, 2, 0.0)],
    None,
)
case("pandas decimal ids", frame(source=[Decimal("1")], target=[Decimal("2")]), E12, None)
case("pandas decimal ids with fractions", frame(source=[Decimal("1.5")], target=[Decimal("2")]), None)
case("pandas bytes", frame(source=[b"a"], target=[b"b"]), None, AB)
case("pandas where of no row", frame(**SRC, x=[1, 2]), [], where="x > 9", warns="no row for which x > 9")
case("pandas where of another column", frame(**SRC, x=[1, 2]), None, where="y > 9", says="^there is no column 'y'")
case("pandas float32 ids", frame(source=np.array([2**24 + 1], np.float32), target=[2]), None, says="2\\^24")
case(
    "pandas header as a row",
    lambda _: pd.DataFrame([["source", "target"], ["a", "b"]]),
    None,
    [("source", "target"), ("a", "b")],
    warns="names the columns",
)
case("pandas type that some lack", frame(**SRC, Type=["Directed", None]), ABC, warns="'Type'.*direction")
case("pandas type that some lack, direction said", frame(**SRC, Type=["Directed", None]), ABC, warns="^$", **D)
case("pandas directed that some lack", frame(**SRC, directed=pd.array([True, None], "boolean")), ABC, warns="direction")
case(
    "pandas one name twice, inferred",
    lambda _: pd.DataFrame([["a", "b", 1, 2]], columns=["source", "target", "x", "x"]),
    None,
    edges="infer",
)
case("pandas complex, inferred", frame(**SRC, x=[1j, 2]), None, says="'x'", edges="infer")
case("pandas beyond 64 bits, inferred", frame(**SRC, x=[2**70, 1]), None, edges="infer")
case("pandas empty", lambda _: pd.DataFrame({"source": [], "target": []}), [])
case("pandas nothing", lambda _: pd.DataFrame(), [], None)
case(
    "pandas kept zone",
    lambda _: pd.DataFrame(
        {"source": [1], "target": [2], "x": pd.to_datetime(["2024-01-01 02:00"]).tz_localize("Europe/Berlin")}
    ),
    [(1, 2, "2024-01-01 01:00:00")],
    edges={"x": "timestamp[s]"},
)
case(
    "pandas kept zone, inferred",
    lambda _: pd.DataFrame(
        {"source": [1], "target": [2], "x": pd.to_datetime(["2024-01-01 02:00"]).tz_localize("Europe/Berlin")}
    ),
    [(1, 2, "2024-01-01 01:00:00")],
    None,
    edges="infer",
)
case(
    "pandas kept durations",
    lambda _: pd.DataFrame({"source": [1], "target": [2], "x": pd.to_timedelta(["1s"])}),
    None,
    edges="infer",
)
case(
    "pandas kept nullable truth",
    lambda _: pd.DataFrame({"source": [1, 2], "target": [2, 3], "x": pd.array([True, None], "boolean")}),
    [(1, 2, True), (2, 3, None)],
    edges="infer",
)
case(
    "pandas kept NaN",
    frame(source=[1, 2], target=[2, 3], x=[1.5, np.nan]),
    [(1, 2, 1.5), (2, 3, None)],
    None,
    edges="infer",
)
case(
    "pandas kept ints with NaN",
    frame(source=[1, 2], target=[2, 3], x=[1, np.nan]),
    [(1, 2, 1), (2, 3, None)],
    None,
    edges={"x": "int64"},
)
case("pandas kept fractions as int", frame(source=[1], target=[2], x=[1.5]), None, edges={"x": "int64"})
case("pandas kept decimals", frame(source=[1], target=[2], x=[Decimal("0.1")]), [(1, 2, 0.1)], None, edges="infer")
case("pandas kept truth as int", frame(source=[1], target=[2], x=[True]), [(1, 2, 1)], None, edges={"x": "int64"})
case("pandas kept text as number", frame(source=[1], target=[2], x=["7"]), [(1, 2, 7)], None, edges={"x": "int64"})
case("pandas kept great as float", frame(source=[1], target=[2], x=[2**53 + 1]), None, edges={"x": "float64"})

case("polars categories", lambda _: pl.DataFrame(SRC, schema={"source": pl.Categorical, "target": pl.Categorical}), ABC)
case(
    "polars enum",
    lambda _: pl.DataFrame(SRC, schema={"source": pl.Enum(["a", "b", "c"]), "target": pl.Enum(["a", "b", "c"])}),
    ABC,
)
case(
    "polars float32 ids",
    lambda _: pl.DataFrame({"source": pl.Series([2.0**24], dtype=pl.Float32), "target": [2]}),
    None,
)
case(
    "polars two enums",
    lambda _: pl.DataFrame(SRC, schema={"source": pl.Enum(["b", "a"]), "target": pl.Enum(["c", "b"])}),
    ABC,
)
case("polars null column", lambda _: pl.DataFrame({"source": [None], "target": [None]}), None)
case(
    "polars uint64",
    lambda _: pl.DataFrame({"source": [2**64 - 1], "target": [1]}, schema={"source": pl.UInt64, "target": pl.UInt64}),
    None,
)
case("polars decimal weights", lambda _: pl.DataFrame(SRC | {"weight": [Decimal("2"), Decimal("3")]}), WABC)
case("polars lazy with a filter", lambda _: pl.LazyFrame(SRC).filter(pl.col("source") == "a"), AB)
case(
    "polars lazy kept",
    lambda _: pl.LazyFrame(SRC | {"x": [1, 2]}),
    [("a", "b", 1), ("b", "c", 2)],
    edges={"x": "int64"},
)
case("polars series of structs", lambda _: pl.DataFrame(SRC).to_struct("e"), ABC, None)
case("polars lists", lambda _: pl.DataFrame({"source": ["a"], "target": [["b", "c"]]}), None)

case(
    "arrow dictionary",
    lambda _: pa.table(
        {"source": pa.array(["a", "b"]).dictionary_encode(), "target": pa.array(["b", "c"]).dictionary_encode()}
    ),
    ABC,
)
case(
    "arrow dictionary with null",
    lambda _: pa.table({"source": pa.array(["a", None]).dictionary_encode(), "target": pa.array(["b", "c"])}),
    None,
)
case(
    "arrow large text",
    lambda _: pa.table({"source": pa.array(["a", "b"], pa.large_string()), "target": pa.array(["b", "c"])}),
    ABC,
)
case(
    "arrow chunks",
    lambda _: pa.concat_tables(
        [pa.table({"source": ["a"], "target": ["b"]}), pa.table({"source": ["b"], "target": ["c"]})]
    ),
    ABC,
)
case(
    "arrow chunks, dictionaries that differ",
    lambda _: (
        pa.chunked_array([pa.array(["a"]).dictionary_encode(), pa.array(["b"]).dictionary_encode()])
        and pa.table(
            {
                "source": pa.chunked_array([pa.array(["a"]).dictionary_encode(), pa.array(["b"]).dictionary_encode()]),
                "target": pa.chunked_array([pa.array(["b"]).dictionary_encode(), pa.array(["c"]).dictionary_encode()]),
            }
        )
    ),
    ABC,
)
case(
    "arrow one name twice",
    lambda _: pa.table([pa.array(["a"]), pa.array(["b"]), pa.array(["c"])], names=["source", "target", "target"]),
    None,
)
case(
    "arrow kept name twice",
    lambda _: pa.table(
        [pa.array(["a"]), pa.array(["b"]), pa.array([1]), pa.array([2])], names=["source", "target", "x", "x"]
    ),
    None,
    edges={"x": "int64"},
)
case("arrow structs", lambda _: pa.table({"source": [{"id": 1}], "target": [{"id": 2}]}), None)
case("arrow binary", lambda _: pa.table({"source": [b"a"], "target": [b"b"]}), None, AB)
case("arrow slice", lambda _: pa.table({"source": ["x", "a"], "target": ["y", "b"]}).slice(1), AB)
case(
    "arrow slice of numbers with nulls before",
    lambda _: pa.table({"source": pa.array([None, 1]), "target": pa.array([5, 2])}).slice(1),
    E12,
)
case(
    "arrow runs",
    lambda _: pa.table({"source": pa.RunEndEncodedArray.from_arrays([2], pa.array(["a"])), "target": ["b", "c"]}),
    [("a", "b"), ("a", "c")],
    None,
)
case("arrow weights float16", lambda _: pa.table(SRC | {"weight": pa.array(np.array([2, 3], np.float16))}), WABC)
case(
    "arrow weights uint64",
    lambda _: pa.table(SRC | {"weight": pa.array([2**64 - 1, 3], pa.uint64())}),
    None,
    [("a", "b", 2.0**64), ("b", "c", 3.0)],
    warns="2\\^53",
)
case(
    "arrow weights decimal256",
    lambda _: pa.table(SRC | {"weight": pa.array([Decimal("2"), Decimal("3")], pa.decimal256(40, 2))}),
    WABC,
    None,
)
case(
    "arrow weights of great decimals",
    lambda _: pa.table(SRC | {"weight": pa.array([Decimal("9007199254740993"), Decimal("3")], pa.decimal128(38, 0))}),
    None,
    [("a", "b", 2.0**53), ("b", "c", 3.0)],
    warns="2\\^53",
)
case("arrow weights of nothing", lambda _: pa.table(SRC | {"weight": pa.nulls(2)}), ABC, warns="no value there")
case("arrow list of ends", of(pa.array([1, 2, 3])), None)

case("duckdb huge ids", lambda _: duckdb.sql("select 1::hugeint as source, 2::hugeint as target"), E12, None)
case(
    "duckdb huge weights",
    lambda _: duckdb.sql("select 1 as source, 2 as target, sum(x) as weight from (values (2), (3)) t(x)"),
    [(1, 2, 5.0)],
)
case(
    "duckdb uuid",
    lambda _: duckdb.sql(
        "select '00000000-0000-0000-0000-000000000001'::uuid as source, "
        "'00000000-0000-0000-0000-000000000002'::uuid as target"
    ),
    [("00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002")],
    None,
)
case("duckdb enum", lambda _: duckdb.sql("select 'a'::enum('a','b') as source, 'b'::enum('a','b') as target"), AB)
case("duckdb query result", lambda _: duckdb.connect().execute("select 1 as source, 2 as target"), E12, None)
case("duckdb null", lambda _: duckdb.sql("select null as source, 2 as target"), None)
case("duckdb decimal ids", lambda _: duckdb.sql("select 1.0 as source, 2.5 as target"), None)
