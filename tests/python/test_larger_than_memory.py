"""Graphs that memory cannot hold: the same answers within a limit, and under one that the system enforces."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz

SCALE = 20  # a store of 132 MiB
GROUPS = Path("/sys/fs/cgroup")
MIB = 1 << 20

CALLS = """
def answers(graph):
    source = next(iter(graph))
    return {
        "pagerank": float(rz.pagerank(graph, max_iter=4, tol=0)[source]),
        "reached": int((rz.bfs(graph, source).levels >= 0).sum()),
        "components": rz.connected_components(graph).count,
        "triangles": int(rz.triangle_count(graph).total),
    }
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("larger") / "g.rz"
    rz.generate("rmat", SCALE, seed=5, into=path).close()
    return path


@pytest.fixture(scope="module")
def known(store: Path) -> dict[str, float]:
    return run(store, "")


def run(store: Path, settings: str, group: Path | None = None, after: str = "") -> dict[str, float]:
    """The answers of a process of its own with these settings, in a control group if one is given."""
    enter = "" if group is None else f"open({str(group / 'cgroup.procs')!r}, 'w').write(str(os.getpid()))"
    script = f"""
import json, os
import rizoma as rz
{enter}
{CALLS}
rz.config(threads=2{settings})
with rz.open({str(store)!r}, mode="read_only") as graph:
    found = answers(graph)
    {after}
print(json.dumps(found))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.returncode}: {done.stderr}"
    return json.loads(done.stdout)


@pytest.fixture
def control_group() -> Iterator[Path]:
    """A group whose memory.max or memory.limit_in_bytes can be set; page cache counts in it."""
    second = (GROUPS / "cgroup.controllers").is_file()
    group = GROUPS / ("" if second else "memory") / f"rizoma-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made here: {error}")
    try:
        if limit_of(group) is None:
            pytest.skip(f"{group} has no limit of memory: the system does not count it here")
        yield group
    finally:
        group.rmdir()


def limit_of(group: Path) -> Path | None:
    return next((group / name for name in ("memory.max", "memory.limit_in_bytes") if (group / name).exists()), None)


def same(found: dict[str, float], known: dict[str, float]) -> None:
    assert found["pagerank"] == pytest.approx(known["pagerank"], rel=1e-9)
    for name in ("reached", "components", "triangles"):
        assert found[name] == known[name], name


def test_a_limit_changes_no_answer_and_holds_for_what_is_mapped(store: Path, known: dict[str, float]) -> None:
    limit = 160 * MIB  # Python and its libraries take half of it
    after = "found['mapped'] = int(open('/proc/self/statm').read().split()[2]) * os.sysconf('SC_PAGE_SIZE')"
    found = run(store, f", memory_limit={limit}", after=after)
    same(found, known)
    whole = run(store, "", after=after)
    assert whole["mapped"] > 120 * MIB, "without a limit all lists are mapped at the end"
    assert found["mapped"] < whole["mapped"] - 30 * MIB


def test_kernels_end_under_a_limit_of_the_system(store: Path, known: dict[str, float], control_group: Path) -> None:
    limit = limit_of(control_group)
    assert limit is not None
    limit.write_text(str(150 * MIB))
    same(run(store, "", control_group), known)
    same(run(store, f", memory_limit={140 * MIB}", control_group), known)


def test_state_in_files_changes_no_answer_and_leaves_nothing(
    store: Path, known: dict[str, float], tmp_path: Path
) -> None:
    same(run(store, f", state='file:{tmp_path}'"), known)
    assert not list(tmp_path.iterdir())


def test_state_that_finds_no_room_is_an_error_with_its_place(tmp_path: Path) -> None:
    directory = tmp_path / "state"
    directory.mkdir()
    graph = rz.generate("rmat", 18)  # maps of 2 MiB
    with rz.config(state=f"file:{directory}"):
        levels = rz.bfs(graph, next(iter(graph))).levels
        directory.rmdir()
        with pytest.raises(rz.NotFoundError, match=rf"{directory}.*the option `state`"):
            rz.bfs(graph, next(iter(graph)))
    assert np.array_equal(levels, rz.bfs(graph, next(iter(graph))).levels)


@pytest.mark.parametrize("value", ["disk", "file:", "file:/there/is/no/such"])
def test_state_is_memory_or_a_directory(value: str) -> None:
    with pytest.raises(rz.InvalidArgumentError, match='"file:DIR" with a directory that exists'):
        rz.config(state=value)
