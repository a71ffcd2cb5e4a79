"""A graph over several directories, from Python and the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from typer.testing import CliRunner

N = 40_000  # several sections
RING = np.stack([np.arange(N), (np.arange(N) + 1) % N], axis=1)


@pytest.fixture
def mounts(tmp_path: Path) -> list[Path]:
    """Two directories that stand for mounts."""
    made = [tmp_path / "pmem0", tmp_path / "pmem1"]
    for mount in made:
        mount.mkdir()
    return made


def data_bytes(directory: Path) -> int:
    """Size of the sections that exist."""
    return (directory / "data").stat().st_size


def make_ring(store: Path, mounts: list[Path]) -> None:
    """A ring over the mounts, its sections written."""
    with rz.open(store, locations=mounts) as graph:
        graph.add_edges(RING)
        graph.checkpoint()


def test_sections_lie_in_all_locations_and_are_found_again(tmp_path: Path, mounts: list[Path]) -> None:
    """A store remembers where it is."""
    store = tmp_path / "ring.rz"
    make_ring(store, mounts)
    assert all(data_bytes(mount / "ring.rz") > 0 for mount in mounts)
    with rz.open(store, mode="read_only") as graph:
        assert graph.num_edges == N
        assert graph.info().locations == [str(mount / "ring.rz") for mount in mounts]
        assert graph.check().findings == []
        assert len(set(rz.connected_components(graph).to_numpy())) == 1


def test_place_moves_sections(tmp_path: Path, mounts: list[Path]) -> None:
    """Sections go to the given locations; answers stay."""
    store = tmp_path / "ring.rz"
    make_ring(store, mounts)
    with rz.open(store) as graph:
        before = rz.pagerank(graph).to_numpy()
        graph.place([1] * graph.info().num_sections)
        assert np.allclose(rz.pagerank(graph).to_numpy(), before)
    with rz.open(store) as graph:
        graph.place([0] * graph.info().num_sections)
        assert np.allclose(rz.pagerank(graph).to_numpy(), before)


def test_a_missing_location_is_named(tmp_path: Path, mounts: list[Path]) -> None:
    """The error says which, and naming its new place helps."""
    store = tmp_path / "ring.rz"
    make_ring(store, mounts)
    moved = tmp_path / "elsewhere"
    mounts[1].rename(moved)
    with pytest.raises(FileNotFoundError, match="location 2 of the graph is missing"):
        rz.open(store)
    with rz.open(store, locations=[mounts[0], moved]) as graph:
        assert graph.num_edges == N


def test_a_directory_of_another_graph_is_refused(tmp_path: Path, mounts: list[Path]) -> None:
    """Two stores of one name cannot share a location."""
    make_ring(tmp_path / "ring.rz", mounts)
    (tmp_path / "other").mkdir()
    with pytest.raises(rz.AlreadyExistsError, match="a part of another graph"):
        rz.open(tmp_path / "other" / "ring.rz", locations=mounts)


def test_command_line(tmp_path: Path, mounts: list[Path]) -> None:
    """Import over two locations, compact into one, check."""
    edges = tmp_path / "edges.el"
    path = np.arange(150_000)  # more than a section of a bulk load
    np.savetxt(edges, np.column_stack([path, path + 1]), fmt="%d")
    store = tmp_path / "ring.rz"
    run = CliRunner().invoke
    places = [word for mount in mounts for word in ("--location", str(mount))]
    assert run(app, ["import", str(store), str(edges), *places]).exit_code == 0
    assert all(data_bytes(mount / "ring.rz") > 0 for mount in mounts)
    assert run(app, ["check", str(store)]).exit_code == 0
    assert run(app, ["compact", str(store), "--location", str(mounts[1])]).exit_code == 0
    facts = json.loads(run(app, ["info", str(store), "--json"]).stdout)
    assert facts["locations"] == [str(mounts[1] / "ring.rz")]
    assert not (mounts[0] / "ring.rz" / "data").exists()


def test_an_import_that_fails_leaves_nothing(tmp_path: Path, mounts: list[Path]) -> None:
    """Not even in the locations."""
    edges = tmp_path / "edges.el"
    edges.write_text("0 1\n1 x\n", encoding="ascii")
    with pytest.raises(rz.RizomaError):
        rz.read(edges, into=tmp_path / "bad.rz", locations=mounts, ids="dense")
    assert not any((mount / "bad.rz").exists() for mount in mounts)


def test_the_medium_can_be_forced(tmp_path: Path) -> None:
    """Files everywhere; persistent memory only where there is some."""
    with rz.open(tmp_path / "files.rz", medium="files") as graph:
        graph.add_edges(RING)
    with pytest.raises(rz.InvalidArgumentError, match="medium"):
        rz.open(tmp_path / "x.rz", medium="stone")


def test_a_graph_over_several_directories_is_repaired(tmp_path: Path, mounts: list[Path]) -> None:
    store = tmp_path / "ring.rz"
    make_ring(store, mounts)
    with rz.open(store) as graph:
        before = graph.num_edges
    data = mounts[1] / "ring.rz" / "data"
    damaged = bytearray(data.read_bytes())
    damaged[100] ^= 1
    data.write_bytes(damaged)
    done = CliRunner().invoke(app, ["check", str(store), "--repair"])
    assert "repaired" in done.output, done.output
    kept = sorted(path.name for mount in mounts for path in mount.iterdir())
    assert kept == ["ring.rz.damaged"] * len(mounts)
    assert data.parent.with_name("ring.rz.damaged").joinpath("data").read_bytes() == damaged
    assert rz.check(store).findings == []
    with rz.open(store, locations=mounts) as graph:  # there is room for it
        assert graph.num_edges <= before
        graph.compact()
    assert rz.check(store).findings == []
    assert data_bytes(mounts[0] / "ring.rz") > 0
