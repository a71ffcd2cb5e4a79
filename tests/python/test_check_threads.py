"""Clang's analysis of the locks works: a change that takes a lock away fails."""

import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_threads  # noqa: E402

COUNTER = """
#include "platform/mutex.h"
class Counter {
 public:
  int get() { %s return count_; }
  void add() { %s bump(); }

 private:
  void bump() RIZOMA_REQUIRES(mutex_) { ++count_; }
  rizoma::Mutex mutex_;
  int count_ RIZOMA_GUARDED_BY(mutex_) = 0;
};
"""
LOCK = "const rizoma::MutexLock lock(mutex_);"


@pytest.fixture
def findings(tmp_path):
    """What clang says of a source."""
    clang = shutil.which("clang++")
    if clang is None:
        pytest.skip("no clang++ here (apt install clang)")

    def check(text: str) -> str:
        source = tmp_path / "source.cpp"
        source.write_text(text)
        return check_threads.check(clang, source)

    if check("#include <mutex>\n#include <shared_mutex>\n"):
        pytest.skip("this clang finds no standard library of C++20")
    return check


def test_a_class_that_locks_passes(findings):
    assert findings(COUNTER % (LOCK, LOCK)) == ""


def test_reading_without_the_lock_is_noticed(findings):
    assert "reading variable 'count_' requires holding mutex 'mutex_'" in findings(COUNTER % ("", LOCK))


def test_calling_without_the_lock_is_noticed(findings):
    assert "calling function 'bump' requires holding mutex 'mutex_'" in findings(COUNTER % (LOCK, ""))


@pytest.mark.parametrize("name", ["engine/state/page_pool.cpp", "store/space/extent_allocator.cpp"])
def test_a_lock_taken_out_of_the_library_is_noticed(findings, name):
    lines = (ROOT / "src" / name).read_text().splitlines()
    locks = [i for i, line in enumerate(lines) if "MutexLock" in line]
    del lines[locks[-1]]
    assert "requires holding mutex 'mutex_'" in findings("\n".join(lines))


def test_what_is_checked():
    names = {str(path.relative_to(ROOT / "src")) for path in check_threads.with_guards(check_threads.library_sources())}
    guarded = {"store/store.cpp", "store/writing/transaction.cpp", "store/log/committer.cpp", "engine/loop/engine.cpp"}
    assert guarded <= names
    assert "base/checksum.cpp" not in names


def test_without_clang_there_is_a_note(monkeypatch, capsys):
    monkeypatch.setenv("CLANGXX", "no-compiler-of-that-name")
    assert check_threads.main([]) == 0
    assert "not checked" in capsys.readouterr().out


def test_findings_fail_the_run(capsys):
    a, b = ROOT / "src" / "a.cpp", ROOT / "src" / "b.cpp"
    assert check_threads.report({a: "", b: ""}, True) == 0
    assert "no violations in 2 files" in capsys.readouterr().out
    assert check_threads.report({a: "error: requires holding [-Werror,-Wthread-safety-analysis]", b: ""}, False) == 1


def test_what_clang_cannot_read_is_a_finding_if_it_should(capsys):
    a, b = ROOT / "src" / "a.cpp", ROOT / "src" / "b.cpp"
    assert check_threads.report({a: "", b: "error: no matching constructor"}, False) == 0
    assert "cannot read src/b.cpp" in capsys.readouterr().out
    assert check_threads.report({a: "", b: "error: no matching constructor"}, True) == 1
    assert "error: no matching constructor" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("script", "reads"),
    [
        ('[ "$1" != --version ] || echo "clang version 14.0.6"', True),
        ('[ "$1" != --version ] || echo "clang version 13.0.1"', False),
        ('[ "$1" = --version ] && echo "clang version 14.0.6"', False),  # and cannot read a header
        ("true", False),
    ],
)
def test_a_clang_that_is_old_or_lacks_its_library_need_not_read_all(tmp_path, script, reads):
    clang = tmp_path / "clang++"
    clang.write_text(f"#!/bin/sh\n{script}\n")
    clang.chmod(0o755)
    assert check_threads.reads(str(clang), [ROOT / "src" / "store" / "store.cpp"]) == reads


def test_what_sees_a_change_is_checked():
    guarded = check_threads.with_guards(check_threads.library_sources())
    store = ROOT / "src" / "store" / "store.cpp"
    assert check_threads.that_see(guarded, []) == []
    assert check_threads.that_see(guarded, None) == guarded, "what changed is not known"
    assert check_threads.that_see(guarded, ["src/store/store.cpp", "README.md"]) == [store]
    assert store in check_threads.that_see(guarded, ["src/platform/mutex.h"])
    assert store in check_threads.that_see(guarded, ["include/rizoma/result.h"])


def test_shares_see_every_source():
    sources = check_threads.library_sources()
    seen = [ROOT / "src" / "store" / "store.cpp"]
    found = set()
    for number in range(len(sources) // check_threads.STEP + 4):
        of_it = check_threads.of_the_share(seen, ["src/base/checksum.h"], number)
        assert ROOT / "src" / "base" / "checksum.cpp" in of_it
        assert len(of_it) == check_threads.STEP + 1
        found.update(of_it)
    assert found >= set(sources) - set(seen)
    assert not found & set(seen)
