"""Fails if a module of a wheel needs a symbol that it does not say the library of.

Symbols of glibc have versions, which auditwheel looks at.  One that the build machine's glibc has and the older one
lacks has none: it links, and is missed where the wheel is used.  Only Python's and MPI's symbols have no named library.
usage: undefined.py WHEEL...     (NM: the program that lists symbols, of a wheel for another processor)
"""

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

GIVEN = re.compile(r"_?Py|MPI_|PMPI_")


def unnamed(module):
    """The symbols that a module needs and names no library for; weak ones may be missing."""
    lister = [os.environ.get("NM", "nm"), "-D", "--undefined-only", module]
    listed = subprocess.run(lister, check=True, capture_output=True, text=True).stdout
    wanted = re.findall(r"^ +U (\S+)$", listed, re.MULTILINE)
    return [name for name in wanted if "@" not in name and not GIVEN.match(name)]


def main(wheels):
    """Look at every module of the wheels."""
    missed = []
    for wheel in wheels:
        with tempfile.TemporaryDirectory() as directory:
            zipfile.ZipFile(wheel).extractall(directory)
            for module in sorted(Path(directory).rglob("*.so*")):
                missed += [f"{Path(wheel).name}: {module.name} needs {name}, of no library" for name in unnamed(module)]
    sys.exit("\n".join(missed) or 0)


if __name__ == "__main__":
    main(sys.argv[1:])
