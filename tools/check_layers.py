"""Checks who includes whom (the table of layers in ARCHITECTURE.md, no cycles), and what kernels leave to the engine.

Usage: check_layers.py [ROOT].  Prints one line for each violation; exit status 1 if there are any.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import python_layers
from source_tree import CPP, files, is_test, without_comments

MODULES = {
    "base": {"base"},
    "platform": {"base", "platform"},
    "graph": {"base", "graph"},
    "predicate": {"base", "graph", "predicate"},
    "ingest": {"base", "platform", "graph", "ingest"},
    "store": {"base", "platform", "graph", "store"},
    "placement": {"base", "graph", "placement"},
    "engine": {"base", "platform", "graph", "placement", "engine"},
    "transport": {"base", "platform", "transport"},
    "query": {"base", "graph", "predicate", "engine", "query"},
    "algorithms": {"base", "graph", "engine", "algorithms"},
}
MODULES["api"] = {*MODULES, "api"}

# Single headers that a module may include beyond its layers.
EXTRA_HEADERS = {
    "placement": {Path("include/rizoma/topology.h")},
    "transport": {Path("src/engine/transport.h")},
}

# The folders of src/store, its parts, and which of them each may include.  All may include the headers of COMMON;
# "front" is what else is in src/store itself: the class Store.  Tests may include all.
PARTS = {
    "space": set(),
    "dictionary": set(),
    "columns": {"space"},
    "sections": {"space", "columns"},
    "log": {"sections"},
    "manifest": {"space", "columns", "sections", "log"},
    "validation": {"columns", "sections", "log", "manifest"},
    "loading": {"dictionary", "columns", "sections", "validation"},
    "state": {"space", "dictionary", "columns", "sections", "manifest", "validation"},
    "writing": {"dictionary", "columns", "sections", "log", "manifest", "validation", "state"},
}
PARTS["publishing"] = {"space", "log", "manifest", "state", "writing"}
PARTS["checkpoint"] = {"space", "dictionary", "columns", "sections", "state", "publishing"}
PARTS["tags"] = {"space", "manifest", "publishing", "checkpoint"}
PARTS["recovery"] = {*PARTS} - {"checkpoint"}
PARTS["rewrite"] = {*PARTS} - {"tags", "recovery"}
PARTS["reorder"] = {"publishing", "checkpoint", "rewrite"}
PARTS["front"] = {*PARTS}
PARTS["repair"] = {*PARTS}
COMMON = {
    Path("src/store") / name
    for name in ("access_guard.h", "callback_scope.h", "disk_format.h", "file_names.h", "messages.h", "store_options.h")
}

# Single headers that a part may include beyond that.
PART_HEADERS = {
    "space": {Path("src/store/manifest/superblock.h")},  # whose store a directory is
    "sections": {Path("src/store/validation/validation.h")},  # the header; its source looks at sections
    "manifest": {Path("src/store/validation/validation.h")},
}

# Kernels see lists by the engine's contract (docs/internals/engine.md).  These files walk raw ones; each has its
# measured reason in docs/decisions/0011-loops-by-hand-and-why-they-are-there.md.
RAW_LISTS: set[str] = set()
RAW_LIST = re.compile(r"\bAdjacency\b|\.neighbors\(|\bwith_(out|both|lists)\(|\bengine_detail\b")

# What the engine does for all kernels: a kernel declares its state (VertexState) and its loop (Iteration), and has no
# word of how they are divided, sent, saved or placed.  The degree rank of a vertex is none of MPI's.
MACHINERY = re.compile(
    r"(?<![Dd]egree_)(?<![Dd]egree )(?<![A-Za-z])[Rr]anks?(?![A-Za-z])|over_ranks|[Cc]heckpoints?|[Tt]ransport"
    r"|(?<![A-Za-z])[Tt]iers?(?![A-Za-z])"
)

# The folders of python/rizoma, lowest first; those of one layer do not know one another (python_layers.py).
PYTHON = python_layers.Rules(
    layers=(
        frozenset({"core"}),
        frozenset({"graph"}),
        frozenset({"io"}),
        frozenset({"results"}),
        frozenset({"queries"}),
        frozenset({"algorithms"}),
        frozenset({"networkx", "distributed", "report", "geometric"}),
        frozenset({"api"}),
        frozenset({"__init__"}),
        frozenset({"cli"}),
        frozenset({"__main__"}),
    ),
    flat=frozenset({"api", "__main__"}),
    # What an installation may lack; all else is imported at the head of a file.
    optional=frozenset(
        {
            *("dask", "deltalake", "distributed", "fsspec", "igraph", "matplotlib", "networkx", "polars", "pyiceberg"),
            *("pytest", "ray", "scipy"),
            *("pyarrow", "rich"),  # always there, but importing them takes longer than importing rizoma
        }
    ),
    type_only={"rizoma.graph.state": frozenset({"rizoma.api"})},  # the methods that api.py adds to Reader
)

LAB = python_layers.Rules(
    layers=(
        frozenset({"bench", "model", "network"}),
        frozenset({"probe", "systems"}),
        frozenset({"cost"}),
        frozenset({"commands"}),
    ),
    flat=frozenset({"cost", "model", "network", "systems"}),
    optional=frozenset({"duckdb", "matplotlib", "pyarrow", "rich", "rizoma_lab"}),  # the command starts without them
    type_only={},
)

UMBRELLA = "rizoma/rizoma.h"
OUTSIDE = {"python", "examples", "bench"}

THREADS = re.compile(
    r"^(thread|mutex|shared_mutex|condition_variable|future|barrier|latch|semaphore|stop_token"
    r"|pthread\.h|threads\.h|omp\.h)$"
)
INPUT_OUTPUT = re.compile(r"^(iostream|fstream|cstdio|stdio\.h|filesystem)$")
OPERATING_SYSTEM = re.compile(
    r"^(sys/.*|linux/.*|unistd\.h|fcntl\.h|dirent\.h|sched\.h|pthread\.h|signal\.h|hwloc.*|numa.*\.h)$"
)
MPI = re.compile(r"^mpi(_abi)?\.h$")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
MODULE_OF_HEADER = re.compile(r"^//.*\bModule: (\w+)\.", re.MULTILINE)


@dataclass(frozen=True)
class Include:
    """One #include line of a file."""

    line: int
    name: str
    quoted: bool


def includes_of(code: str) -> list[Include]:
    """The #include lines of a C++ file."""
    code = without_comments(code, keep_strings=True)
    return [
        Include(code.count("\n", 0, found.start()) + 1, found[1] or found[2], found[1] is not None)
        for found in INCLUDE.finditer(code)
    ]


def part_of(path: Path) -> str | None:
    """The part of the store that a file belongs to; None outside src/store, and for what all parts may include."""
    if path.parts[:2] != ("src", "store") or path in COMMON:
        return None
    return path.parts[2] if len(path.parts) > 3 else "front"


def fault_of_part(path: Path, target: Path, include: Include) -> str | None:
    """What is wrong with an #include between the parts of the store."""
    part, wanted = part_of(path), part_of(target)
    if part is None or wanted is None or part == wanted or is_test(path):
        return None
    if part not in PARTS or wanted not in PARTS:
        return f"{part if part not in PARTS else wanted} is no part of the store that check_layers.py knows"
    if wanted in PARTS[part] or target in PART_HEADERS.get(part, ()):
        return None
    return f"{part} of the store must not include its {wanted} ({include.name})"


class Layers:
    """The include graph of a tree, and what is wrong with it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.text = {path: (root / path).read_text(encoding="utf-8") for path in files(root, *CPP)}
        self.includes = {path: includes_of(text) for path, text in self.text.items()}
        self.violations: list[str] = []

    def check(self) -> list[str]:
        """All violations, as `file:line: what`."""
        for path, includes in self.includes.items():
            self._check_public_header(path)
            for include in includes:
                what = self._fault_of(path, include)
                if what:
                    self.violations.append(f"{path}:{include.line}: {what}")
            self._check_raw_lists(path)
            self._check_machinery(path)
        self._check_cycles()
        return self.violations

    def module_of(self, path: Path) -> str | None:
        """The module that a file belongs to; None outside src and include."""
        if path.parts[0] == "src" and len(path.parts) > 2:
            return path.parts[1]
        if path.parts[:2] == ("include", "rizoma") and path in self.text:
            named = MODULE_OF_HEADER.search(self.text[path])
            return named[1] if named else None
        return None

    def target_of(self, path: Path, include: Include) -> Path | None:
        """The file of this tree that an #include means; None for headers from elsewhere."""
        below = [Path("src"), Path("include"), Path()]
        if include.quoted:
            below.insert(0, path.parent)
        for directory in below:
            target = Path(os.path.normpath(directory / include.name))
            if target in self.text:
                return target
        return None

    def _check_public_header(self, path: Path) -> None:
        if path.parts[0] != "include" or path == Path("include") / UMBRELLA:
            return
        module = self.module_of(path)
        if module not in MODULES:
            self.violations.append(f"{path}:1: a public header says `Module: x.` in its first comment")

    def _check_raw_lists(self, path: Path) -> None:
        if path.parts[:2] != ("src", "algorithms") or is_test(path):
            return
        raw = RAW_LIST.search(without_comments(self.text[path]))
        if raw and path.name not in RAW_LISTS:
            self.violations.append(f"{path}:1: a kernel sees lists by Entries only, not by `{raw[0]}` (engine.md)")
        elif not raw and path.name in RAW_LISTS:
            self.violations.append(f"{path}:1: walks no raw lists any more: take it out of RAW_LISTS")

    def _check_machinery(self, path: Path) -> None:
        if path.parts[:2] != ("src", "algorithms") or is_test(path):
            return
        for number, line in enumerate(self.text[path].splitlines(), 1):
            if found := MACHINERY.search(line):
                self.violations.append(
                    f"{path}:{number}: `{found[0]}` is the engine's business: use VertexState and Iteration (engine.md)"
                )

    def _fault_of(self, path: Path, include: Include) -> str | None:
        target = self.target_of(path, include)
        if path.parts[0] in OUTSIDE:
            return self._fault_outside(path, include, target)
        if path.parts[0] not in ("src", "include") or path == Path("include") / UMBRELLA:
            return None
        if target is None:
            return None if is_test(path) else self._fault_of_system_header(path, include)
        return self._fault_of_layer(path, include, target)

    def _fault_outside(self, path: Path, include: Include, target: Path | None) -> str | None:
        own = target is not None and target.parts[0] == path.parts[0]
        if own or (target is None and not include.quoted) or include.name.startswith("rizoma/"):
            return None
        return f"{path.parts[0]} includes only <rizoma/...>, not {include.name}"

    def _fault_of_layer(self, path: Path, include: Include, target: Path) -> str | None:
        module, wanted = self.module_of(path), self.module_of(target)
        if target == Path("include") / UMBRELLA:
            return f"{include.name} is for users; include the headers that are needed"
        if is_test(target):
            return None if is_test(path) else f"only tests include {include.name}"
        if path.parts[0] == "include" and target.parts[0] == "src":
            return f"a public header includes no private one ({include.name})"
        if module not in MODULES or wanted not in MODULES:
            return None if wanted in MODULES else f"{include.name} belongs to no known module"
        if wanted in MODULES[module] or target in EXTRA_HEADERS.get(module, ()):
            return fault_of_part(path, target, include)
        return f"{module} must not include {wanted} ({include.name})"

    def _fault_of_system_header(self, path: Path, include: Include) -> str | None:
        module = self.module_of(path)
        if MPI.match(include.name) and path.parent != Path("src/transport/mpi"):
            return "only src/transport/mpi includes MPI's headers"
        if OPERATING_SYSTEM.match(include.name) and module != "platform":
            return f"only platform talks to the operating system ({include.name})"
        if module in ("base", "predicate", "query", "algorithms") and THREADS.match(include.name):
            return f"{module} starts no threads and takes no locks of its own ({include.name})"
        if module == "base" and INPUT_OUTPUT.match(include.name):
            return f"base does no input or output ({include.name})"
        return None

    def _check_cycles(self) -> None:
        finished: set[Path] = set()
        for start in self.text:
            self._walk(start, [], finished)

    def _walk(self, path: Path, trail: list[Path], finished: set[Path]) -> None:
        if path in finished:
            return
        if path in trail:
            cycle = [*trail[trail.index(path) :], path]
            self.violations.append(f"{path}:1: include cycle: {' -> '.join(map(str, cycle))}")
            return
        for include in self.includes[path]:
            target = self.target_of(path, include)
            if target is not None:
                self._walk(target, [*trail, path], finished)
        finished.add(path)


def violations(root: Path) -> list[str]:
    """What is wrong with the tree at `root`."""
    found = Layers(root).check() + python_layers.violations(root, "rizoma", PYTHON)
    return found + python_layers.violations(root, "rizoma_lab", LAB)


def main() -> int:
    """The command."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = violations(root)
    print("\n".join(found) if found else "layers: no violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
