"""What NetworkX asks about the backend `rizoma` when it is imported: answered without loading it.

The functions are those that the files of `rizoma.networkx` mark with `@implements`; the files are read as text,
which takes a few milliseconds, since importing them would load NetworkX's algorithms and the extension.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

__all__ = ["functions", "get_info"]

_MARKED = re.compile(r"^@implements(?:\((.*?)\))?\ndef (\w+)\(", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r'\bname="(\w+)"')


def functions() -> list[str]:
    """NetworkX's names of the functions that the backend has."""
    package = find_spec("rizoma")
    if package is None or package.origin is None:
        return []
    found = set()
    for file in sorted((Path(package.origin).parent / "networkx").glob("*.py")):
        for arguments, name in _MARKED.findall(file.read_text(encoding="utf-8")):
            given = _NAMED.search(arguments)
            found.add(given[1] if given else name)
    return sorted(found)


def get_info() -> dict[str, object]:
    """Name, places, and the functions that the backend has."""
    return {
        "backend_name": "rizoma",
        "project": "rizoma",
        "package": "rizoma",
        "short_summary": "Parallel C++ kernels; stored graphs need no conversion",
        "functions": {name: {} for name in functions()},
        "default_config": {},
    }
