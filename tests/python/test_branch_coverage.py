"""Coverage of the store: what counts, and a floor that only rises."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import branch_coverage  # noqa: E402


def counted(**covered: tuple[int, int]) -> dict[str, Any]:
    """An export of llvm-cov: of each file the branches reached and all."""
    files = [
        {
            "filename": str(ROOT / name.replace("__", "/")) + ".cpp",
            "summary": {what: {"covered": of[0], "count": of[1]} for what in branch_coverage.COUNTED},
        }
        for name, of in covered.items()
    ]
    return {"data": [{"files": files}]}


def test_only_sources_of_the_library_count_each_for_its_module() -> None:
    export = counted(
        src__store__a=(1, 4), src__store__b=(3, 4), src__query__c=(5, 5), src__store__d_test=(9, 9), testing__e=(1, 1)
    )
    files = branch_coverage.reached(export)
    assert sorted(files) == ["src/query/c.cpp", "src/store/a.cpp", "src/store/b.cpp"]
    sums = branch_coverage.by_module(files, ["store", "query"])
    assert sums["store"]["branches"].percent == 50.0
    assert sums["query"]["lines"].percent == 100.0
    assert "3  src/store/a.cpp" in branch_coverage.describe(sums, files)


def test_the_floor_only_rises_and_what_is_below_it_is_named() -> None:
    sums = branch_coverage.by_module(branch_coverage.reached(counted(src__store__a=(2, 3))), ["store"])
    assert sums["store"]["branches"].percent == 66.6, "rounded down, so that it holds"
    higher = {"store": {"lines": 10.0, "branches": 70.0}, "query": {"lines": 5.0}}
    (fault,) = branch_coverage.below_floor(sums, higher)
    assert "src/store: 66.6 % of its branches" in fault
    assert "70.0 %" in fault
    assert branch_coverage.raised(sums, higher) == {"store": {"lines": 66.3, "branches": 70.0}, "query": {"lines": 5.0}}
    assert branch_coverage.below_floor(sums, branch_coverage.raised(sums, {})) == []
