"""Repair: the damaged store is kept, what was restored and what is lost is said, also on the command line."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
import rizoma as rz


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "g.rz"
    with rz.open(path) as graph:
        graph.add_edges([("a", "b"), ("b", "c"), ("c", "a")])
        graph.flush()
        graph.add_edges([("c", "d")])
    return path


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "rizoma", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_a_whole_store_is_left_alone(store):
    assert rz.check(store).findings == []
    assert "whole" in repr(rz.check(store))
    report = rz.repair(store)
    assert (report.restored, report.lost, report.kept) == ([], [], "")
    assert [path.name for path in store.parent.iterdir()] == ["g.rz"]


def test_a_lost_superblock_is_restored_and_the_damaged_store_kept(store):
    (store / "superblock").unlink()
    assert rz.check(store).findings
    report = rz.repair(store)
    assert report.lost == []
    assert "superblock" in report.restored[0]
    assert report.kept == str(store) + ".damaged"
    with rz.open(store) as graph:
        assert graph.num_edges == 4
        assert graph.neighbors("c") == ["a", "b", "d"]
        graph.add_edges([("d", "e")])
    assert rz.check(store).findings == []


def lose_manifest(store):
    for copy in store.glob("manifest*"):
        copy.unlink()


def lose_all_manifests(store):
    """Also those in `data`."""
    lose_manifest(store)
    data = bytearray((store / "data").read_bytes())
    for page in range(0, len(data), 4096):
        data[page] ^= data[page : page + 4] == b"RZMF"
    (store / "data").write_bytes(data)


def test_one_copy_of_the_manifest_is_enough(store):
    next(store.glob("manifest.*")).write_bytes(b"")
    with rz.open(store, mode="read_only") as graph:
        assert graph.num_edges == 4
    (finding,) = rz.check(store).findings
    assert "manifest." in finding.what
    assert finding.loss.startswith("nothing")
    report = rz.repair(store)
    assert "the manifest" in report.restored[0]
    assert report.lost == []
    assert rz.check(store).findings == []


def test_a_graph_that_lost_its_manifest_and_the_copy_is_whole_again(store):
    columns = {"weight": "float64", "note": "string"}
    path = store.parent / "columns.rz"
    with rz.open(path, directed=True, edges=columns, vertices={"age": "int32"}) as graph:
        graph.add_edges(
            {"source": ["a", "b", "c"], "target": ["b", "c", "a"], "weight": [1.5, 2, 3], "note": ["x", "y", ""]}
        )
        graph.add_vertices({"vertex": ["a", "d"], "age": [30, 40]})
        graph.tag("before")
        graph.compact("degree")
        graph.remove_vertices(["b"])
        graph.add_edges({"source": ["d"], "target": ["a"], "weight": [9.0], "note": ["in the log"]})
        edges, vertices = graph.edges.to_arrow(), graph.vertices.to_arrow()
    lose_manifest(path)
    with pytest.raises(rz.RizomaError, match=r"manifest\."):
        rz.open(path)
    assert run("check", path).returncode == 3
    done = run("check", path, "--repair")
    assert done.returncode == 3, done.stderr
    assert "restored: manifest." in done.stdout
    assert "copy of them in data" in done.stdout
    assert "lost: perhaps changes from batch" in done.stdout
    with rz.open(path) as graph:
        assert sorted(graph.edges.to_arrow().to_pylist(), key=str) == sorted(edges.to_pylist(), key=str)
        assert sorted(graph.vertices.to_arrow().to_pylist(), key=str) == sorted(vertices.to_pylist(), key=str)
        assert graph.num_edges == 2
        graph.add_edges({"source": ["d"], "target": ["e"], "weight": [1.0], "note": [None]})
    with rz.open(path, at="before") as state:
        assert state.num_edges == 3
    assert rz.check(path).findings == []


def test_too_little_is_left(store):
    lose_all_manifests(store)
    with pytest.raises(rz.CorruptError, match="no intact manifest"):
        rz.repair(store)
    assert [path.name for path in store.parent.iterdir()] == ["g.rz"]


def test_exit_codes_on_the_command_line(store):
    assert run("check", store).returncode == 0
    (store / "superblock").unlink()
    assert run("check", store).returncode == 3
    done = run("check", store, "--repair")
    assert done.returncode == 0, done.stderr
    assert "restored: the superblock" in done.stdout
    lose_all_manifests(store)
    assert run("check", store).returncode == 3
    assert run("check", store, "--repair").returncode == 1
    assert run("check", store.parent / "nothing").returncode == 1


def test_a_closed_graph_whose_log_lost_its_end_is_not_repaired_in_silence(store):
    log = next(store.glob("log.*"))
    whole = log.read_bytes()
    log.write_bytes(whole[: whole.rindex(b"RZRC")])  # the last record
    with pytest.raises(rz.CorruptError):
        rz.open(store)
    done = run("check", store, "--repair")
    assert done.returncode == 3
    assert "lost: all changes from batch 2 on" in done.stdout
    with rz.open(store) as graph:
        assert graph.num_edges == 3


def test_what_nothing_proves_is_said(tmp_path):
    path = tmp_path / "g.rz"
    graph = rz.open(path)
    graph.add_edges([("a", "b")])
    killed = tmp_path / "killed.rz"
    shutil.copytree(path, killed)
    graph.close()
    assert rz.check(path).unproven == ""
    assert "changes from batch 2 on" in rz.check(killed).unproven
    assert rz.check(killed).findings == []
    done = run("check", killed)
    assert (done.returncode, "may be missing: changes from batch 2 on" in done.stdout) == (0, True)
    report = rz.repair(killed)
    assert (report.lost, report.kept, report.found.findings) == ([], "", [])
    assert "changes from batch 2 on" in report.unproven
    (killed / "superblock").unlink()
    (lost,) = rz.repair(killed).lost
    assert lost.startswith("perhaps changes from batch 2 on")


@pytest.mark.parametrize("left", ["nothing", "part"])
def test_a_repair_that_was_cut_off_is_begun_anew(store, left):
    (store / "superblock").unlink()
    nascent = store.with_name("g.rz.repaired")
    nascent.mkdir()
    if left == "part":
        (nascent / "data").write_bytes(b"begun")
    assert rz.repair(store).lost == []
    assert sorted(path.name for path in store.parent.iterdir()) == ["g.rz", "g.rz.damaged"]


@pytest.mark.parametrize("harm", ["flip", "cut"])
def test_without_the_list_of_removed_vertices_they_come_back_and_nothing_else_changes(tmp_path, harm):
    path = tmp_path / "g.rz"
    with rz.open(path) as graph:
        graph.add_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
        graph.remove_vertices(["a"])
        graph.checkpoint()
        graph.add_edges([("d", "e")])
        graph.remove_vertices(["b"])
    data = bytearray((path / "data").read_bytes())
    at = data.index(b"RZRV")  # where the list begins
    data[at + 20] ^= 1
    (path / "data").write_bytes(data if harm == "flip" else data[: at + 20])
    assert rz.check(path).findings
    report = rz.repair(path)
    assert report.restored == (
        [] if harm == "flip" else ["the copy of the manifest in data"]
    )  # which lies behind the list
    (lost,) = report.lost
    assert lost.startswith("which vertices had been removed")
    with rz.open(path) as graph:
        assert sorted(graph.vertices.to_pandas()["vertex"]) == ["a", "c", "d", "e"]
        assert graph.degree("a") == 0
        assert graph.neighbors("d") == ["c", "e"]
        assert graph.num_edges == 2
        assert graph.check().findings == []


@pytest.mark.parametrize("ids", ["dense", "integer", "string"])
@pytest.mark.parametrize("gone", [1, 40, 1000])
def test_a_file_cut_short_loses_what_was_in_its_end(tmp_path, ids, gone):
    path = tmp_path / "g.rz"
    name = str if ids == "string" else int
    edges = {(name(i), name(i * 7 % 500)) for i in range(500)}
    with rz.open(path, directed=True, ids=ids) as graph:
        graph.add_edges(edges)
        graph.compact("given")
    with (path / "data").open("r+b") as data:
        data.truncate(data.seek(0, 2) - gone)
    assert rz.check(path).findings
    lost = rz.repair(path).lost
    with rz.open(path) as graph:
        found = set(zip(*graph.edges.to_arrow().to_pydict().values(), strict=True))
        assert graph.num_edges == len(edges)
        assert found == edges or lost
        assert graph.check().findings == []


@pytest.mark.parametrize("directed", [False, True])
def test_lists_without_others_to_make_them_from_are_not_called_restored(tmp_path, directed):
    path = tmp_path / "g.rz"
    with rz.open(path, directed=directed, ids="dense") as graph:
        graph.add_edges({(i, i * 7 % 500) for i in range(500)})
        graph.compact("given")
    with (path / "data").open("r+b") as data:
        data.truncate(data.seek(0, 2) // 2)
    report = rz.repair(path)
    with rz.open(path) as graph:
        assert graph.num_edges == 0 or directed
        told = [line for line in report.restored if "edges" in line]
        assert bool(told) == (graph.num_edges > 0)
        assert graph.num_edges > 0 or any("edges" in line for line in report.lost)


def test_tags_outlast_a_repair(store):
    with rz.open(store) as graph:
        graph.tag("early")
        graph.add_edges([("d", "e")])
        graph.tag("late")
        graph.remove_vertices(["a"])
        tags = graph.tags()
    (store / "superblock").unlink()
    assert rz.repair(store).lost == []
    with rz.open(store) as graph:
        assert graph.tags() == tags
        assert graph.num_edges == 3
        found = graph.changes(since="early")
        assert found.edges_added.to_pylist() == [{"source": "d", "target": "e"}]
        assert found.edges_removed.num_rows == 2
        graph.compact()
    with rz.open(store, at="late") as late:
        assert late.num_edges == 5


@pytest.mark.parametrize("kind", ["link that leads nowhere", "link", "directory", "file"])
def test_names_that_are_taken_are_passed_over(store, kind):
    taken = store.parent / "g.rz.damaged"
    match kind:
        case "link that leads nowhere":
            taken.symlink_to(store.parent / "nowhere")
        case "link":
            taken.symlink_to(store.parent)
        case "directory":
            taken.mkdir()
        case _:
            taken.write_text("mine")
    (store / "superblock").unlink()
    report = rz.repair(store)
    assert report.kept == str(store) + ".damaged-2"
    assert taken.is_symlink() == kind.startswith("link")
    with rz.open(store) as graph:
        assert graph.num_edges == 4
