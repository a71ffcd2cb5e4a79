"""Types of columns by name, and texts that are no value of theirs."""

from __future__ import annotations

import datetime
import re
from typing import Any

import numpy as np
import pytest
import rizoma as rz
from rizoma.core.errors import InvalidArgumentError


@pytest.mark.parametrize(
    ("kind", "text", "wanted"),
    [
        ("float64", "1,5", "a number such as 1.5"),
        ("float32", "much", "a number such as 1.5"),
        ("int64", "1.5", "a whole number such as 42"),
        ("uint8", "-1", "a whole number such as 42"),
        ("bool", "ja", "true or false"),
        ("date", "31.12.2024", "a date such as 2025-01-31"),
        ("timestamp[s]", "31.12.2024", "a date or time such as 2025-01-31 12:30:00"),
    ],
)
def test_a_text_that_is_no_value_is_refused_with_its_row(kind: str, text: str, wanted: str) -> None:
    said = f"column 'x' cannot be stored as {kind}: {text!r} in row 2 is not {wanted}; write it so, or make the column"
    good = {"float64": "2", "float32": "2", "int64": "2", "uint8": "2", "bool": "true"}.get(kind, "2024-12-31")
    with rz.open(None, edges={"x": kind}) as graph:
        with pytest.raises(InvalidArgumentError, match=re.escape(said)):
            graph.add_edges({"source": [1, 2, 3], "target": [2, 3, 4], "x": [good, None, text]})
        assert graph.num_edges == 0


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("decimal(18, 2)", "float64"),
        ("datetime", "timestamp[us]"),
        ("timestamp", "timestamp[us]"),
        ("VARCHAR(20)", "string"),
        ("list<double>", "list<float32>"),
        (float, "float64"),
        (datetime.datetime, "timestamp[us]"),
        (np.float32, "float32"),
        (7, "float64"),
    ],
)
def test_a_type_of_elsewhere_is_told_what_it_is_here(name: Any, meant: str) -> None:
    with pytest.raises(
        InvalidArgumentError, match=rf"is not a type of a column; (did you|give a name).* {re.escape(repr(meant))}"
    ):
        rz.open(None, edges={"x": name})
