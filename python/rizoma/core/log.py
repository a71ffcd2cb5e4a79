"""The logger `rizoma`: silent unless the program sets up logging.

logging.basicConfig(level=logging.INFO)       # graphs opened, imported and closed
logging.getLogger("rizoma").setLevel("DEBUG") # every kernel, with its time
"""

from __future__ import annotations

import logging

__all__ = ["logger"]

logger = logging.getLogger("rizoma")
logger.addHandler(logging.NullHandler())
