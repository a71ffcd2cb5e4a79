"""The part of the tests that runs under sanitizers: what changed comes first, and days see all of it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import sanitize_part  # noqa: E402


def test_modules_of_changed_files():
    paths = ["src/store/log/log.cpp", "src/engine/engine.cpp", "tests/torture_test.cpp", "README.md", "docs/index.md"]
    assert sanitize_part.changed_modules(paths) == ["store", "cross", "engine"]
    assert sanitize_part.changed_modules(["src/cmake.txt"]) == []


def test_what_changed_comes_first_and_nothing_is_left_out():
    jobs = sanitize_part.plan(["engine"], day=3)
    assert jobs[0].program == "test_engine"
    assert sorted(job.module for job in jobs) == sorted(sanitize_part.PROGRAMS)


def test_days_see_every_shard_and_begin_elsewhere():
    days = range(24 * 12)
    seen = {(job.module, job.shard) for day in days for job in sanitize_part.plan([], day)}
    assert seen == {(module, s) for module, shards in sanitize_part.PROGRAMS.items() for s in range(shards)}
    assert {sanitize_part.plan([], day)[0].module for day in days} == set(sanitize_part.PROGRAMS)


def test_every_module_with_tests_is_known():
    modules = {path.parts[-2] for path in ROOT.glob("src/*/*_test.cpp")}
    modules |= {path.relative_to(ROOT / "src").parts[0] for path in ROOT.glob("src/*/*/*_test.cpp")}
    assert modules <= set(sanitize_part.PROGRAMS)
