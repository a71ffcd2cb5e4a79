"""Fails the build of the documentation for pages that are empty, lack something public, or split or misread a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.util import logging

__all__ = ["documented", "setup", "split_rows", "text_tables", "undocumented", "words_of"]

LEAST_WORDS = 12  # of a page beneath its heading
_logger = logging.getLogger(__name__)

_FENCE = re.compile(r"^\s*(```|~~~)")
_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_PIPE = re.compile(r"(?<!\\)\|")
_AS_TEXT = re.compile(r"\S\s+\|\s.*\|\s*$|\|\s*:?(?:-{3,}|—)|^\s*={3,}\s+={3,}", re.MULTILINE)


def split_rows(text: str) -> Iterator[tuple[int, str]]:
    """Rows of Markdown tables that have other numbers of cells than their heads: a `|` within a cell ends it."""
    lines = text.splitlines()
    fenced, cells = False, 0
    for number, line in enumerate(lines, 1):
        fenced ^= bool(_FENCE.match(line))
        if fenced or "|" not in line:
            cells = 0
        elif _RULE.match(line) and number > 1 and "|" in lines[number - 2]:
            cells = _cells(line)
            if _cells(lines[number - 2]) != cells:
                yield number - 1, lines[number - 2]
        elif cells and _cells(line) != cells:
            yield number, line


def _cells(row: str) -> int:
    return len(_PIPE.findall(row.strip().removeprefix("|"))) + (not row.rstrip().endswith("|"))


def text_tables(article: Any) -> Iterator[str]:
    """Paragraphs that are tables which were not read as such."""
    for paragraph in article.select("p, li, div.line"):
        for code in (plain := BeautifulSoup(str(paragraph), "html.parser")).find_all(["code", "pre"]):
            code.decompose()
        if _AS_TEXT.search(plain.get_text()):
            yield " ".join(plain.get_text().split())[:80]


def words_of(article: Any) -> int:
    """How much a page says beneath its heading."""
    heading = article.find("h1")
    return len(article.get_text(" ").split()) - (len(heading.get_text(" ").split()) if heading else 0)


def documented(names: list[str]) -> list[Any]:
    """What the names of the reference stand for."""
    found = []
    for name in names:
        parts = name.split(".")
        for end in range(1, len(parts) + 1):  # a function may have the name of a module
            try:
                each: Any = import_module(".".join(parts[:end]))
                for part in parts[end:]:
                    each = getattr(each, part)
            except (ImportError, AttributeError):
                continue
            found.append(each)
            break
    return found


def undocumented(package: Any, names: list[str]) -> list[str]:
    """Public names of a package whose objects the reference does not have; names with underscores are none of them."""
    there = {id(each) for each in documented(names)}
    return [name for name in package.__all__ if name[0] != "_" and id(getattr(package, name)) not in there]


def _look_at_source(_: Sphinx, page: str, source: list[str]) -> None:
    for line, row in split_rows(source[0]):
        _logger.warning(
            "a row has other cells than its table; write | in a cell as \\|: %s", row, location=(page, line)
        )


def _look_at_pages(app: Sphinx, failed: Exception | None) -> None:
    if failed is not None or app.builder.name != "html":
        return
    for page in sorted(app.env.found_docs):
        article = BeautifulSoup(Path(app.builder.get_outfilename(page)).read_text(), "html.parser").select_one(
            "[role=main]"
        )
        if article is None or words_of(article) < LEAST_WORDS:
            _logger.warning("an empty page", location=page)
        for table in text_tables(article) if article else ():
            _logger.warning("a table that shows as text: %s", table, location=page)
    names = list(app.env.get_domain("py").objects)  # type: ignore[attr-defined]
    package = import_module(app.config.whole_pages_package)
    for name in undocumented(package, names):
        _logger.warning("%s.%s has no reference", package.__name__, name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Has Sphinx look at each page, as it is written and as it shows."""
    app.add_config_value("whole_pages_package", "rizoma", "html")  # whose public names have references
    app.connect("source-read", _look_at_source)
    app.connect("build-finished", _look_at_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
