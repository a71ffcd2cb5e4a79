"""The arrows between the modules of the Python package, and what notices one that points upwards."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_layers  # noqa: E402
import python_layers  # noqa: E402

SOUND = {
    "__init__.py": "from .cli import app\n",
    "core/__init__.py": "",
    "core/errors.py": "from .. import _core\n",
    "graph/__init__.py": "",
    "graph/state.py": "from ..core import errors\nfrom ..core.errors import Error\n",
    "graph/open.py": "def to_networkx():\n    import networkx\n    from networkx import Graph\n",
    "distributed/__init__.py": "",
    "distributed/ranks.py": "import rizoma.graph.open\n",
    "report/__init__.py": "",
    "api.py": "from .distributed import ranks\n",
    "cli/__init__.py": "",
    "cli/app.py": "from ..api import methods\n",
}
RULES = python_layers.Rules(
    layers=(
        frozenset({"core"}),
        frozenset({"graph"}),
        frozenset({"distributed", "report"}),
        frozenset({"api"}),
        frozenset({"cli"}),
        frozenset({"__init__"}),
    ),
    flat=frozenset({"api"}),
    optional=frozenset({"networkx"}),
    type_only={"rizoma.graph.state": frozenset({"rizoma.api"})},
)


def faults(root: Path, **changed: str) -> list[str]:
    """What is found in the sound tree with these files changed."""
    for name, text in (SOUND | {name.replace("__", "/") + ".py": text for name, text in changed.items()}).items():
        path = root / "python" / "rizoma" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return python_layers.violations(root, "rizoma", RULES)


def test_a_sound_tree_has_no_faults(tmp_path):
    assert faults(tmp_path) == []


@pytest.mark.parametrize(
    ("module", "text", "told"),
    [
        ("core__errors", "from ..graph.state import State", "core is no layer above graph (rizoma.graph.state)"),
        ("core__errors", "from ..graph import state", "core is no layer above graph (rizoma.graph.state)"),
        ("core__errors", "import rizoma.graph.state", "core is no layer above graph (rizoma.graph.state)"),
        ("core__errors", "from rizoma.cli.app import app", "core is no layer above cli (rizoma.cli.app)"),
        ("core__errors", "try:\n    from .. import api\nexcept ImportError:\n    pass", "core is no layer above api"),
        ("core__errors", "if TYPE_CHECKING:\n    from ..graph.state import State", "core is no layer above graph"),
        ("core__errors", "class A:\n    from ..graph.state import State", "core is no layer above graph"),
        ("core__errors", "def f():\n    from ..graph.state import State", "in functions, not rizoma.graph.state"),
        ("graph__open", "def f():\n    from ..core.errors import Error", "in functions, not rizoma.core.errors"),
        ("graph__open", "async def f():\n    import hashlib", "in functions, not hashlib"),
        ("graph__state", "from ..api import methods", "graph is no layer above api (rizoma.api)"),
        (
            "report__page",
            "from ..distributed.ranks import join",
            "report is no layer above distributed (rizoma.distributed.ranks)",
        ),
        ("graph__open", "from .. import __version__", "graph is no layer above __init__ (rizoma)"),
        ("graph__open", "from . import state\nfrom .tags import tag", None),
        ("loose", "", "a module lies in the folder of its layer"),
        ("shapes__square", "from ..core import errors", "rizoma.shapes.square belongs to no layer"),
    ],
)
def test_an_arrow_that_points_upwards_is_told(tmp_path, module, text, told):
    found = faults(tmp_path, **{module: text})
    if told is None:
        assert found == []
        return
    assert any(told in each for each in found), found
    assert any(each.startswith(f"python/rizoma/{module.replace('__', '/')}.py:") for each in found)


def test_a_type_may_be_named_where_the_rules_say_so(tmp_path):
    assert faults(tmp_path, graph__state="if TYPE_CHECKING:\n    from ..api import Methods") == []


def test_modules_of_a_layer_in_a_circle_are_told(tmp_path):
    circle = {"graph__a": "from .b import f", "graph__b": "from . import c", "graph__c": "import rizoma.graph.a"}
    (found,) = faults(tmp_path, **circle)
    assert "in a circle: rizoma.graph.a -> rizoma.graph.b -> rizoma.graph.c" in found


def test_the_package_has_its_flat_modules_and_no_others():
    flat = {path.name for path in (ROOT / "python" / "rizoma").glob("*.py")}
    assert flat == {"__init__.py", "__main__.py", "api.py"}
    assert [each for each in check_layers.violations(ROOT) if "python/" in each] == []


@pytest.mark.parametrize("module", ["networkx", "rizoma_lab", "matplotlib", "pandas", "polars", "rich.progress"])
def test_importing_rizoma_imports_no_optional_library(module):
    code = f"import sys, rizoma; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
