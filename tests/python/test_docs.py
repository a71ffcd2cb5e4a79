"""The Python blocks of the tutorial and of the guide run as they stand, and pages link to what is there."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = sorted(
    str(page.relative_to(DOCS))
    for page in [DOCS / "tutorial.md", *DOCS.glob("guide/*.md")]
    if BLOCK.search(page.read_text())
)
NOT_HERE = {"guide/tiers.md": "needs mounts of persistent memory"}
NEEDS = {"guide/training.md": "torch_geometric"}  # no dependency of the tests


class AnnotatedData:
    """What the page on cells uses of AnnData."""

    def __init__(self, values, obs):
        self.X, self.obs, self.obsp = values, obs, {}
        self.n_obs = len(obs)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if page in NOT_HERE:
        pytest.skip(NOT_HERE[page])
    if page in NEEDS:
        pytest.importorskip(NEEDS[page])
    if page == "guide/cells.md" and importlib.util.find_spec("anndata") is None:  # it wants a later Python
        monkeypatch.setitem(sys.modules, "anndata", SimpleNamespace(AnnData=AnnotatedData))
    blocks = BLOCK.findall((DOCS / page).read_text())
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def test_the_readme_runs_as_it_is_typed(tmp_path, monkeypatch):
    """From top to bottom in an empty directory: the lines of its shell, the blocks of Python, one after the other."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(
        r"^```(sh|python)\n(.*?)^```", (DOCS.parent / "README.md").read_text(), re.DOTALL | re.MULTILINE
    )
    assert {kind for kind, _ in blocks} == {"sh", "python"}
    for kind, block in blocks:
        if kind == "python":
            exec(compile(block, "README.md", "exec"), names)
            continue
        for line in block.splitlines():
            command, *words = shlex.split(line, comments=True)
            assert command == "rizoma"
            subprocess.run([sys.executable, "-m", "rizoma", *words], check=True, capture_output=True)


@pytest.mark.parametrize("page", ["../README.md", "index.md"])
def test_the_first_screen_shows_what_is_printed(page, tmp_path, monkeypatch, capsys):
    """But for the seconds, the threads, and the last digits that their sums in another order give."""
    monkeypatch.chdir(tmp_path)
    first = re.compile(r"^```python\n(.*?)^```\n\n```\n(.*?)^```", re.DOTALL | re.MULTILINE)
    program, shown = first.search((DOCS / page).read_text()).groups()
    exec(compile(program, page, "exec"), {})
    masked = [re.sub(r"[\d.e-]+ s on \d+|(?<=\.\d{12})\d+", "", text) for text in (capsys.readouterr().out, shown)]
    assert masked[0] == masked[1]


def test_the_program_of_the_cpp_guide_is_the_example_that_is_built():
    programs = re.findall(r"^```cpp\n(.*?)^```", (DOCS / "guide/cpp.md").read_text(), re.DOTALL | re.MULTILINE)
    assert programs[0] == (DOCS.parent / "examples/first_steps.cpp").read_text()


def test_the_headers_that_the_cpp_guide_names_are_there():
    """Headers are moved and joined, and the page does not break when they are."""
    rows = re.findall(r"^\| (`[^|]*\.h`[^|]*) \|", (DOCS / "guide/cpp.md").read_text(), re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`([\w/*]+\.h)`", row)]
    assert len(named) > 25
    assert [name for name in named if not list((DOCS.parent / "include/rizoma").glob(name))] == []


def test_every_page_is_markdown_still():
    """A page had gone through clang-format: its title was `#C++`, its fences stood within lines."""
    broken = []
    for page in [DOCS.parent / "README.md", *DOCS.rglob("*.md")]:
        text = page.read_text()
        fences = [line for line in text.splitlines() if "```" in line]
        if not text.startswith("# ") or len(fences) % 2 or any(not re.match(r" *```[\w{}-]*$", f) for f in fences):
            broken.append(page.name)
    assert broken == []


def test_links_between_pages_lead_somewhere():
    missing = []
    for page in [DOCS.parent / "README.md", *DOCS.rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            made = (DOCS / "reference").resolve() in (page.parent / target).resolve().parents
            if not made and not (page.parent / target).exists():
                missing.append((page.name, target))
    assert missing == []


def anchor(heading):
    """A heading as links name it, as GitHub and MyST have it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def test_links_lead_to_headings_that_are_there():
    """A heading had been renamed."""
    missing = []
    pages = [path.resolve() for path in [DOCS.parent / "README.md", *DOCS.rglob("*.md")]]
    headings = {page: {anchor(line) for line in re.findall(r"^#+ (.*)$", page.read_text(), re.M)} for page in pages}
    for page in pages:
        for target, part in re.findall(r"\]\(([^)#:]*)#([^)]*)\)", page.read_text()):
            there = (page.parent / target).resolve() if target else page
            if part not in headings.get(there, [part]):
                missing.append((page.name, target, part))
    assert missing == []


def test_every_page_of_the_guide_is_in_the_table_of_contents():
    index = (DOCS / "index.md").read_text()
    assert [page.stem for page in DOCS.glob("guide/*.md") if f"guide/{page.stem}\n" not in index] == []


def test_the_tests_that_are_named_are_there():
    page = (DOCS / "internals/first-hour.md").read_text()
    named = re.findall(r"`([\w/]+\.(?:py|cpp|cmake))(?:::([\w.]+))?`", page)
    assert len(named) > 50
    for file, test in named:
        text = (DOCS.parent / ("" if "/" in file and "probe" not in file else "tests/python") / file).read_text()
        if file.endswith(".py"):
            assert f"def {test}(" in text, (file, test)
        elif file.endswith(".cpp"):
            assert re.search(rf"TEST\w*\({test.replace('.', ', ')}\)", text), (file, test)


def test_the_tests_of_what_attacks_found_are_there():
    page = (DOCS / "internals/findings.md").read_text()
    sources = [file for folder in ("src", "tests") for file in (DOCS.parent / folder).rglob("*_test.cpp")]
    cpp = re.compile(r"^TEST\w*\((\w+), (\w+)\)", re.MULTILINE)
    found = {".".join(name) for file in sources for name in cpp.findall(file.read_text())}
    named = re.findall(r"`([A-Z]\w+\.\w*)(\*?)`", page)
    assert len(named) > 25
    for test, more in named:
        assert any(each.startswith(test) if more else each == test for each in found), test
    for file, test in re.findall(r"`(test_\w+\.py)(?:::(\w+))?`", page):
        assert not test or f"def {test}(" in (DOCS.parent / "tests/python" / file).read_text(), (file, test)
    assert set(re.findall(r"^\| ([HF]\d+) \|", page, re.MULTILINE)) == {
        *(f"H{i}" for i in range(1, 13)),
        *(f"F{i}" for i in range(1, 13)),
    }
