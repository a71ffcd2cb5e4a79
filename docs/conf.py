"""Settings of the documentation: `make docs` writes it to build/docs/index.html."""

import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules

from rizoma import __version__, algorithms

# The page of the command is made from its help.
COMMAND_PAGE = Path(__file__).parent / "reference" / "command.md"
TYPER = [
    sys.executable,
    "-m",
    "typer",
    "rizoma.cli",
    "utils",
    "docs",
    "--name",
    "rizoma",
    "--title",
    "The command",
]
subprocess.run([*TYPER, "--output", COMMAND_PAGE], check=True, stdout=subprocess.DEVNULL)

# So is the page of each algorithm, from its module.
ALGORITHM_PAGES = Path(__file__).parent / "reference" / "algorithms"
ALGORITHM_PAGE = """# {name}

```{{eval-rst}}
.. automodule:: rizoma.algorithms.{name}
```
"""
ALGORITHM_PAGES.mkdir(exist_ok=True)
for page in ALGORITHM_PAGES.glob("*.md"):
    page.unlink()
for module in iter_modules(algorithms.__path__):
    if not module.name.startswith("_"):
        (ALGORITHM_PAGES / f"{module.name}.md").write_text(ALGORITHM_PAGE.format(name=module.name))

project = "Rizoma"
author = "the Rizoma authors"
copyright = "2026, the Rizoma authors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["internals/open-points.md"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # pages link to files of the tree beside docs/, too

html_theme = "furo"
html_title = f"Rizoma {version}"

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True}
default_role = "code"
