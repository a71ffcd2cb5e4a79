"""The build of the documentation fails for pages that are empty, lack a function, or split a table; none is cut."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("myst_parser", reason="the tools of the documentation are not here: make docs")
BeautifulSoup = pytest.importorskip("bs4").BeautifulSoup
ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "build" / "docs"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

SETTINGS = """
import sys
sys.path[:0] = [{docs!r}, {here!r}]
extensions = ["myst_parser", "sphinx.ext.autodoc", "whole_pages"]
default_role = "code"
whole_pages_package = "made_up"
"""
PACKAGE = '''
"""Made up."""
__all__ = ["__version__", "walk"]
__version__ = "1"
def walk():
    """Walk along the edges of a graph, from a vertex that you name.

    MORE
    """
'''
INDEX = """
# All

These pages are about nothing at all, and say so in more words than a heading has.

```{eval-rst}
.. autofunction:: made_up.walk
```

```{toctree}
:glob:

*
```
"""
TEXT = "A page that says what it is for, in a sentence or two, so that it is not empty.\n"
TABLE = "| a | b |\n| --- | --- |\n| `x` | y |\n"


def built(directory: Path, pages: dict[str, str], index: str = INDEX, package: str = PACKAGE) -> tuple[int, str]:
    """Exit status and complaints of a build of these pages."""
    files = {f"{name.replace(' ', '-')}.md": f"# Page\n\n{text}" for name, text in pages.items()}
    files |= {"index.md": index, "made_up.py": package}
    files["conf.py"] = SETTINGS.format(docs=str(ROOT / "docs"), here=str(directory))
    for name, text in files.items():
        (directory / name).write_text(text)
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(directory), str(directory / "out")]
    done = subprocess.run(words, capture_output=True, text=True)
    return done.returncode, done.stderr


SOUND = {
    "text": TEXT,
    "a table": f"{TEXT}\n{TABLE}",
    "a bar that is escaped": f"{TEXT}\n{TABLE}| `a\\|b` | c |\n",
    "bars in code": f"{TEXT}\n```text\n| a | b |\n|---|---|\n| a | b | c |\n```\n\nOr `a | b | c |` in a line.\n",
    "a table without outer bars": f"{TEXT}\na | b\n--- | ---\nc | d\n",
    "alternatives": f"{TEXT}\nEither a | b or c.\n",
}
FAULTS = {
    "an empty page": ("", "an empty page"),
    "a page that says next to nothing": ("Made of help.\n", "an empty page"),
    "a bar in a cell": (f"{TEXT}\n{TABLE}| `a|b` | c |\n", "a row has other cells than its table"),
    "a cell that is missing": (f"{TEXT}\n{TABLE}| only |\n", "a row has other cells than its table"),
    "a table without a rule": (f"{TEXT}\n| a | b |\n| c | d |\n", "a table that shows as text"),
    "a table with a rule that is none": (f"{TEXT}\n| a | b |\n| --- |\n| c | d |\n", "table"),
}


def test_sound_pages_pass(tmp_path):
    assert built(tmp_path, SOUND) == (0, "")


def test_faults_fail_the_build(tmp_path):
    """Each of them alone would: each is a warning, of which none is permitted."""
    table = TABLE.replace("\n", "\n    ")
    pages = {what: text for what, (text, _) in FAULTS.items()}
    index = f"{INDEX}\n```{{eval-rst}}\n.. autofunction:: made_up.run\n```\n"
    package = PACKAGE.replace('"walk"]', '"run", "stand", "walk"]').replace("MORE", table)
    package += 'def run():\n    """Run."""\ndef stand():\n    pass\n'
    status, said = built(tmp_path, pages, index, package)
    assert status != 0
    lines = said.splitlines()
    for what, (_, message) in FAULTS.items():
        file = f"{what.replace(' ', '-')}.md"
        assert [line for line in lines if file in line and message in line], (what, said)
    assert [line for line in lines if "index.md" in line and "a table that shows as text" in line]
    assert "made_up.stand has no reference" in said
    assert "made_up.run has no reference" not in said


def test_the_page_of_the_command_has_every_command_and_whole_sentences():
    sys.path.insert(0, str(ROOT / "docs"))
    import command_reference
    import typer
    from rizoma.cli.commands import app

    command = typer.main.get_command(app)
    page = command_reference.page_of(command, "rizoma", "The command")
    headings = re.findall(r"^#+ `?(.*?)`?$", page, re.MULTILINE)
    names = [name for name, _, _ in command_reference.commands_of(command, "rizoma")]
    assert len(names) > 30
    assert headings == ["The command", *names[1:]]
    assert "..." not in re.findall(r"^- `rizoma [\w-]+`: .*", page, re.MULTILINE)
    assert not re.search(r"^- `rizoma [^`]*`: .*(?:\.\.\.|&\w+;)$", page, re.MULTILINE)
    assert page.count("Options:") == len(names)
    prose = re.sub(r"```.*?```|`[^`]*`", "", page, flags=re.DOTALL)
    assert "--" not in prose  # of which a dash would be made
    assert "{" not in re.sub(r"`[^`\n]*`", "", "".join(re.findall(r"^\$ .*", page, re.MULTILINE)))  # typer's {STORE}


MEASURE = """
addEventListener("load", () => {
  const wide = [...document.querySelectorAll("article pre, article table, article .table-wrapper")];
  const cut = wide.filter(e => e.scrollWidth > e.clientWidth + 1);
  const where = e => (e.closest("[data-page]") || e).dataset.page + ": " + e.textContent.slice(0, 60);
  const said = {cut: cut.map(where), seen: wide.length, over: document.documentElement.scrollWidth - innerWidth};
  const out = document.createElement("pre");
  out.id = "said";
  out.textContent = JSON.stringify(said);
  document.body.replaceChildren(out);
});
"""


@pytest.mark.skipif(BROWSER is None, reason="no chromium here")
@pytest.mark.skipif(not (PAGES / "objects.inv").exists(), reason="no pages here: make docs")
def test_nothing_is_cut_on_a_screen_of_1280_pixels(tmp_path):
    """All code and tables of all pages, in a page of the theme."""
    blocks = []
    for file in sorted(PAGES.rglob("*.html")):
        article = BeautifulSoup(file.read_text(), "html.parser").find("article")
        for block in article.select("div.highlight, div.table-wrapper") if article else ():
            block["data-page"] = str(file.relative_to(PAGES))
            blocks.append(str(block))
    page = BeautifulSoup((PAGES / "guide" / "cheatsheet.html").read_text(), "html.parser")
    article = page.find("article")
    assert article is not None
    article.clear()
    text = str(page).replace("</article>", f"<section>{''.join(blocks)}</section></article>")
    text = text.replace("<head>", f'<head><base href="{PAGES.as_uri()}/guide/">', 1)
    (tmp_path / "all.html").write_text(text.replace("</body>", f"<script>{MEASURE}</script></body>"))
    words = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
    words += ["--window-size=1280,900", "--virtual-time-budget=20000", "--dump-dom", (tmp_path / "all.html").as_uri()]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    found = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr[-2000:]
    said = json.loads(html.unescape(found[1]))
    assert said["seen"] > 100
    assert said["cut"] == []
    assert said["over"] <= 0
