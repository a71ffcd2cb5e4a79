"""What a wheel must do where nothing of the source tree is in reach: store, reopen, analyse, be typed."""

import subprocess
import sys
import tempfile
from pathlib import Path

import rizoma as rz

with tempfile.TemporaryDirectory() as directory:
    store = Path(directory) / "try.rz"
    with rz.open(store) as graph:
        graph.add_edges([("ann", "bob"), ("bob", "cem"), ("cem", "ann")])
    with rz.open(store) as graph:
        assert rz.triangle_count(graph).total == 1
        assert abs(sum(rz.pagerank(graph).to_dict().values()) - 1) < 1e-9
    command = Path(sys.executable).with_name("rizoma")
    subprocess.run([command, "check", store], check=True)
package = Path(rz.__file__).parent
assert (package / "py.typed").exists()
assert (package / "_core.pyi").exists()
print(f"rizoma {rz.__version__} works on Python {sys.version.split()[0]}")
