"""Old words are noticed wherever they stand, ordinary English passes, and the limits only fall."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_words  # noqa: E402

TABLE = (ROOT / check_words.WORDS).read_text(encoding="utf-8").split("[[exception]]")[0]

# A tilde is left out, so that this file has no old words itself.
OLD = {
    "a name": ("src/engine/a.cpp", "int few_mess~ages = 0;", "sparse_push"),
    "a name within another": ("src/engine/a.cpp", "make_few_mess~ages();", "sparse_push"),
    "a name in camel case": ("src/engine/a.cpp", "int kFewMess~ages;", "sparse_push"),
    "the name of a file": ("src/engine/few_mess~ages_test.cpp", "", "sparse_push"),
    "an include": ("tests/a_test.cpp", '#include "engine/few_mess~ages.h"', "sparse_push"),
    "a member of a program": ("include/rizoma/a.h", "static constexpr bool on~ce = true;", "visit_once"),
    "a type of the engine": ("src/engine/a.h", "class Te~am {};", "WorkerGroup"),
    "a word in a comment": ("src/base/a.cpp", "// for who~ever reads", "name the actor"),
    "a word in a message": ("python/rizoma/a.py", 'raise E("no~body writes")', "name the actor"),
    "a word on a page": ("docs/guide/a.md", "Ranks are to~ld of it.", "notified"),
    "a word in the change log": ("CHANGELOG.md", "- The engine is le~nt.", "borrowed"),
    "a word in a build file": ("CMakeLists.txt", "# so ma~ny jobs", "give the number"),
    "a word in a program of the shell": (".ci/run", "# so ma~ny jobs", "give the number"),
    "a module of Python": ("python/rizoma/a.py", "from .loo~king import X", "ReadOptions"),
    "a section of the store": ("src/store/a.cpp", "// sections are fol~ded", "merge"),
    "the name of an order": ("python/rizoma/a.py", 'order = "cyc~lic"', "striped"),
    "a call of a transport": ("src/engine/a.cpp", "transport_.po~st(rank, bytes);", "send()"),
}

ORDINARY = {
    "once, always": ("src/engine/a.cpp", "#pragma once\n// It is always called once.\n"),
    "a name in an example": ("docs/guide/a.md", 'g.find(["c", "no~body"])\n'),
    "told apart": ("src/ingest/a.cpp", "// A tail is to~ld apart from damage.\n"),
    "what means something else elsewhere": ("src/ingest/a.cpp", "// Its members, in capital letters, shown once.\n"),
    "folders": ("src/store/a.cpp", "// The folder has manifold files.\n"),
    "variables": ("python/rizoma/a.py", "kinds = paths = hops = shares = building = moments\n"),
    "a decision": ("docs/decisions/0001-a.md", "who~ever\n"),
    "what others wrote": ("tests/data/a.txt", "who~ever\n"),
}

EXCEPTION = '[[exception]]\npath = "src/*"\ntext = "who~ever"\nwhy = "the name of a person"\n'


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """Runs the command on a tree of these files; exit status and lines."""

    def attempt(files: dict[str, str], *words: str, rules: str = TABLE) -> tuple[int, list[str]]:
        for name, text in {**files, check_words.WORDS.as_posix(): rules}.items():
            path = tmp_path / name.replace("~", "")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("~", ""), encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["check_words.py", *words, str(tmp_path)])
        status = check_words.main()
        return status, capsys.readouterr().out.splitlines()

    return attempt


@pytest.mark.parametrize("what", OLD)
def test_old_words_are_noticed(check, what):
    name, text, new = OLD[what]
    status, lines = check({name: text + "\n"})
    assert status == 1
    (found,) = [line for line in lines if " -> " in line]
    assert found.startswith(f"{name.replace('~', '')}:{1 if text else 0}: ")
    assert new in found


@pytest.mark.parametrize("what", ORDINARY)
def test_ordinary_words_pass(check, what):
    name, text = ORDINARY[what]
    status, lines = check({name: text})
    assert status == 0, lines


def test_every_row_finds_its_names():
    for word in check_words.Rules(TABLE).words:
        for name in word.names:
            camel = "".join(part.capitalize() for part in name.split("_"))
            for said in (name, f"my_{name}_test", *([f"k{camel}"] if "_" in name else [])):
                assert word.regex.search(said), said
                assert any(run in said.lower() for run in word.letters), said
            assert not word.regex.search(f"x{name}s")


def test_limits_permit_what_is_there_and_only_fall(check, tmp_path):
    two = {"src/a.cpp": "// who~ever\n// who~ever\n", check_words.LEFT.as_posix(): "library 2\n"}
    assert check(two)[0] == 0
    status, lines = check({"src/b.cpp": "// who~ever\n"})
    assert status == 1
    assert "words: library: 3 old ones, 2 permitted TOO MANY" in lines
    # They do not rise, even where they are written again.
    assert check({}, "--lower")[0] == 1
    assert "library 2\n" in (tmp_path / check_words.LEFT).read_text()
    status, lines = check({"src/a.cpp": "", "src/b.cpp": "// who~ever\n"})
    assert status == 0
    assert "words: library: 1 old ones, 2 permitted; fewer: run check_words.py --lower" in lines
    assert check({}, "--lower")[0] == 0
    assert "library 1\n" in (tmp_path / check_words.LEFT).read_text()
    assert check({"src/b.cpp": ""}, "--lower")[0] == 0
    assert not (tmp_path / check_words.LEFT).exists()


def test_an_area_without_old_words_gets_none(check):
    limits = {check_words.LEFT.as_posix(): "library 2\n"}
    assert check({"docs/a.md": "who~ever\n", **limits})[0] == 1


def test_exceptions_have_reasons_uses_and_an_end(check):
    used = {"src/a.cpp": "// who~ever\n"}
    assert check(used, rules=TABLE + EXCEPTION)[0] == 0
    assert check({"src/a.cpp": ""}, rules=TABLE + EXCEPTION)[0] == 1  # nothing uses it
    assert check(used, rules=TABLE + EXCEPTION.split("why")[0])[0] == 1  # without a reason
    assert check(used, rules=TABLE + EXCEPTION * 31)[0] == 1


def test_counts_alone(check):
    status, lines = check({"src/a.cpp": "// who~ever\n"}, "--count")
    assert status == 1
    assert not [line for line in lines if " -> " in line]
