"""The graph: opening it, its states, schema and ids, changes, scans and tables.  Reads no files."""

import sys

from ..core.aliases import NamedModule

sys.modules[__name__].__class__ = NamedModule
