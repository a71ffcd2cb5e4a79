"""The C++ reference has every public header, its declarations, and nothing of how they are made."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "include/rizoma"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        from cpp_reference import write_pages
    finally:
        sys.path.remove(str(ROOT / "docs"))
    place = tmp_path_factory.mktemp("cpp")
    (place / "old.md").write_text("of a header that is gone")
    write_pages(HEADERS, place)
    return {page.stem: page.read_text() for page in place.glob("*.md")}


def test_every_public_header_has_a_page(pages):
    public = [header for header in HEADERS.rglob("*.h") if header.parent.name not in ("detail", "lab")]
    own = [header for header in public if "\nnamespace rizoma {" in header.read_text()]
    beside_algorithms = [header for header in own if header.parent.name != "algorithms"]
    assert len(own) > 60
    assert len(beside_algorithms) <= 30
    assert set(pages) == {"-".join(header.relative_to(HEADERS).with_suffix("").parts) for header in own}
    for name, page in pages.items():
        assert page.startswith(f"# rizoma/{name.replace('algorithms-', 'algorithms/')}.h\n")
        assert page.count("```") == 4


def test_declarations_are_there_without_bodies(pages):
    assert "Result<PageRankResult> pagerank(Engine& engine" in pages["algorithms-pagerank"]
    assert "const PageRankOptions& options = {});" in pages["algorithms-pagerank"]
    assert "[[nodiscard]] VertexId size() const noexcept;" in pages["vertex_map"]
    assert "VertexMap(VertexMap&& other) noexcept;" in pages["vertex_map"]
    assert "  invalid_argument,  ///< " in pages["result"]
    assert "int max_iter = 100;" in pages["algorithms-pagerank"]


def test_options_of_text_are_shown_as_the_fields_that_they_are(pages):
    page = pages["ingest"]
    assert "RIZOMA" not in page
    assert "  char delimiter = 0;  ///< CSV: what separates fields. Default: detected.\n" in page
    options = (HEADERS / "detail/text_options.h").read_text()
    fields = re.findall(r"OPTION\([^,]+, (\w+)", options.split("#define")[1])
    assert len(fields) > 10
    assert [name for name in fields if f" {name} = " not in page] == []


def test_what_is_private_is_left_out(pages):
    for name, page in pages.items():
        code = re.sub(r"//.*", "", page.split("```cpp")[1])
        assert "private:" not in code, name
        assert not re.findall(r"^  [\w:<>, ]+ \w+_(?: = .*)?;$", code, re.MULTILINE), name
        assert code.count("{") == code.count("}"), name
        assert code.count("(") == code.count(")"), name
