"""The algorithms, as functions of the package; names and parameters follow NetworkX where it has them.

Each takes a Graph or a Snapshot.  `threads` and `progress` override `rizoma.config` for one call:
`progress` is True for a bar on stderr, or a function f(phase, done, total).  Ctrl-C stops any of them.

An algorithm is in the module of its name, `rizoma.algorithms.NAME`, and is found there, here and as `rizoma.NAME`.
Modules with a name that begins with an underscore hold what several algorithms share.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from ..core.arguments import names_checked

__all__: list[str] = []

for _module in sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_")):
    _found = import_module(f"{__name__}.{_module}")
    __all__.append(_module)
    setattr(_found, _module, names_checked(getattr(_found, _module)))
    globals()[_module] = getattr(_found, _module)
