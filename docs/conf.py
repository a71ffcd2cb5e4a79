"""Settings of the documentation: `make docs` writes it to build/docs/index.html."""

import doctest
import sys
from contextlib import suppress
from importlib import import_module
from inspect import signature
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402
from rizoma import __version__, algorithms  # noqa: E402
from rizoma.cli.commands import app  # noqa: E402
from sphinx.util.inspect import TypeAliasForwardRef  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent))
from command_reference import write_page  # noqa: E402
from cpp_reference import write_pages  # noqa: E402

# The page of the command is made from its help.
write_page(app, Path(__file__).parent / "reference" / "command.md")

# So is the page of each algorithm, from its module; the picture shows the graph and the result of its example.
ALGORITHM_PAGES = Path(__file__).parent / "reference" / "algorithms"
ALGORITHM_PAGE = """# {name}

![The graph of the example, coloured by the result]({name}.svg)

```{{eval-rst}}
.. automodule:: rizoma.algorithms.{name}
```

In the shell: `rizoma run {name} STORE`; `rizoma run {name} --help` lists the options.
"""


def write_picture(name: str, file: Path) -> None:
    """Run the example of an algorithm's module, and draw its graph by its result."""
    text = str(import_module(f"rizoma.algorithms.{name}").__doc__)
    names: dict[str, Any] = {}
    for step in doctest.DocTestParser().get_examples(text):
        with suppress(Exception):  # a test sees to it that examples are right
            exec(step.source, names)
    axes = names["g"].draw(names["result"])
    axes.figure.savefig(file, bbox_inches="tight", metadata={"Date": None})
    pyplot.close(axes.figure)


ALGORITHM_PAGES.mkdir(exist_ok=True)
for page in ALGORITHM_PAGES.glob("*.*"):
    page.unlink()
for module in iter_modules(algorithms.__path__):
    if not module.name.startswith("_"):
        (ALGORITHM_PAGES / f"{module.name}.md").write_text(ALGORITHM_PAGE.format(name=module.name))
        write_picture(module.name, ALGORITHM_PAGES / f"{module.name}.svg")

# And so are those of the C++ headers.
write_pages(Path(__file__).parents[1] / "include/rizoma", Path(__file__).parent / "reference" / "cpp")

project = "Rizoma"
author = "the Rizoma authors"
copyright = "2026, the Rizoma authors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "whole_pages"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["internals/open-points.md"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # pages link to files of the tree beside docs/, too

html_theme = "furo"
html_title = f"Rizoma {version}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_type_aliases = {"npt.ArrayLike": "ArrayLike", "npt.DTypeLike": "DTypeLike"}
TypeAliasForwardRef.__repr__ = lambda self: self.name  # of one in a union Sphinx shows how it was made
autodoc_default_options = {"members": True}
# What the package can use, and its documentation does without.
autodoc_mock_imports = ["torch", "torch_geometric"]
default_role = "code"

# Of every call: what they are is said here once.
COMMON_PARAMETERS = {
    "threads": "number of threads; None: as `rizoma.config` says, all processors by default.",
    "progress": "True for a bar, or a function f(phase, done, total); None: as `rizoma.config` says.",
}


def describe_common_parameters(_: Any, what: str, __: str, obj: Any, ___: Any, lines: list[str]) -> None:
    """Add the parameters that every algorithm has, before the first field that follows those of the call's own."""
    if what not in ("function", "method") or not any(line.startswith(":param") for line in lines):
        return
    taken = signature(obj).parameters
    lacking = [name for name in COMMON_PARAMETERS if name in taken and f":param {name}:" not in "\n".join(lines)]
    after = [number for number, line in enumerate(lines) if line.startswith((":param", ":type", "      "))]
    lines[after[-1] + 1 : after[-1] + 1] = [f":param {name}: {COMMON_PARAMETERS[name]}" for name in lacking]


def setup(sphinx: Any) -> None:
    """Connect what is above."""
    sphinx.connect("autodoc-process-docstring", describe_common_parameters, priority=800)  # after napoleon
