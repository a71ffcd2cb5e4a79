"""What the tests share: where the real graphs lie, and a way to run the command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from wanted_data import absent

# The same examples on every machine, however slow it is; `--hypothesis-profile=default` looks for others.
settings.register_profile(
    "same", derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("same")


def pytest_configure() -> None:
    """Shells have what they start in the background ignore Ctrl-C, which many tests press."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Directory of the real graphs: RIZOMA_SHARED/data, or ../shared/data beside the repository."""
    root = Path(__file__).resolve().parents[2]
    place = Path(os.environ.get("RIZOMA_SHARED", root.parent / "shared")) / "data"
    if not place.is_dir():
        absent(f"the real graphs are not at {place}; set RIZOMA_SHARED to the directory above data/")
    return place


@pytest.fixture
def rizoma(tmp_path):
    """Runs the command line in an empty directory; returns the finished process."""

    def run(
        *arguments: object, check: bool = True, input: str | None = None, columns: int = 200
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "rizoma", *map(str, arguments)],
            capture_output=True,
            text=True,
            input=input,
            cwd=tmp_path,
            timeout=1800,
            env=os.environ | {"COLUMNS": str(columns), "NO_COLOR": "1"},
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    return run
