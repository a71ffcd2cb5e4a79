"""Ranks that start: those that never come, stop or are used wrongly end the job in time, by one message."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
import rizoma as rz
from rizoma.core.errors import InvalidArgumentError
from rizoma.distributed.rendezvous import start_timeout

MPIEXEC = Path(sys.executable).with_name("mpiexec")
RUN = [sys.executable, "-m", "rizoma", "run", "pagerank"]
pytestmark = pytest.mark.skipif(
    not MPIEXEC.exists() and shutil.which("mpiexec") is None, reason="there is no mpiexec of MPICH (pip install mpich)"
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("start") / "g.rz"
    with rz.open(path, directed=True) as graph:
        graph.add_edges([(0, 1), (1, 2), (2, 0), (2, 3)])
    return str(path)


def job(
    *ranks: list[str], launch: tuple[str, ...] = (), timeout: float = 5, **environment: str
) -> tuple[int, str, float]:
    """Exit code, what was said and seconds of a job with these commands, one a rank."""
    launcher = str(MPIEXEC) if MPIEXEC.exists() else str(shutil.which("mpiexec"))
    command = [launcher, *launch]
    for number, rank in enumerate(ranks):
        command += [*([":"] if number else []), "-n", "1", *rank]
    begin = time.monotonic()
    ran = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | {"RIZOMA_HEARTBEAT_TIMEOUT": "300", "RIZOMA_START_TIMEOUT": str(timeout), **environment},
    )
    return ran.returncode, ran.stderr, time.monotonic() - begin


def test_what_ranks_do_not_share_is_refused_once_and_not_done_by_each(store: str) -> None:
    before = rz.open(store, mode="read_only").info().num_edges
    for words in (["add", store, "-"], ["export", store, "twice.csv"], ["check", store]):
        code, told, _ = job(*[[sys.executable, "-m", "rizoma", *words]] * 2)
        assert code == 2
        assert told == (
            f"rizoma: rizoma {words[0]} is the work of one process, and several were started: run it without mpiexec; "
            "ranks share import, match, run\n"
        )
    assert rz.open(store, mode="read_only").info().num_edges == before
    assert not Path("twice.csv").exists()
    assert job(*[[sys.executable, "-m", "rizoma", "version"]] * 2)[:2] == (0, "")


@pytest.mark.parametrize("absent", [0, 1])
@pytest.mark.parametrize("how", ["sleep", "ends well", "ends badly", "stopped"])
def test_a_rank_that_never_comes_is_named(absent: int, how: str, store: str) -> None:
    """The others would wait for ever in MPI_Init."""
    stop = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    missing = {
        "sleep": ["sleep", "3600"],
        "ends well": ["true"],
        "ends badly": ["sh", "-c", "exit 3"],
        "stopped": [sys.executable, "-c", stop],
    }[how]
    code, said, seconds = job(*(missing if rank == absent else [*RUN, store] for rank in range(2)))
    assert code != 0
    if how != "ends badly" or said:  # of such a rank the launcher may end the job first
        assert said.count("rizoma: ") == 1, said
        assert f"rank {absent} of 2 has not come within 5 s" in said
    assert seconds < 300


def test_ranks_on_other_hosts_are_named(store: str) -> None:
    two_hosts = ("-launcher", "fork", "-hosts", "a,b", "-ppn", "1")
    code, said, _ = job([*RUN, store], ["sleep", "3600"], launch=two_hosts)
    assert code != 0
    assert "rank 1 of 2 has not come" in said


def test_ranks_of_several_hosts_all_meet(store: str) -> None:
    """If some did and others not, MPI would take the answers to one question for those to another."""
    two_hosts = ("-launcher", "fork", "-hosts", "a,b", "-ppn", "1")
    other = ["env", "-u", "HYDI_CONTROL_FD", *RUN, store]  # which mpiexec gives to ranks of its own host alone
    code, said, _ = job([*RUN, store], other, launch=two_hosts, timeout=60)
    assert code == 0, said


def test_a_rank_that_stops_while_mpi_starts_is_named(store: str, tmp_path: Path) -> None:
    """It has come: only then does it stop."""
    program = tmp_path / "stops.py"
    program.write_text(
        textwrap.dedent("""
            import os, signal
            from rizoma.distributed import rendezvous
            rendezvous.meet(60)
            os.kill(os.getpid(), signal.SIGSTOP)
        """)
    )
    code, said, _ = job([*RUN, store], [sys.executable, str(program)], timeout=60, RIZOMA_START_TIMEOUT="60")
    assert code != 0
    assert said.count("rizoma: ") == 1, said
    assert "MPI has not started within 60 s" in said
    assert "rank 1 (process " in said
    assert "is stopped" in said


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["run", "pagerank", "STORE", "--nonsense"], "no such option"),
        (["run", "pagerank", "STORE", "--parts"], "--parts divides the output file"),
        (["run", "no_such", "STORE"], "there is no algorithm 'no_such'"),
        (["run", "pagerank", "STORE", "--threads", "x"], "give a whole number"),
        (["run", "pagerank", "STORE.absent"], "STORE.absent"),
        (["run", "bfs", "STORE"], "needs --source"),
    ],
)
@pytest.mark.parametrize("where", [(0, 1), (0,), (1,)])
def test_wrong_usage_is_said_once(where: tuple[int, ...], wrong: list[str], says: str, store: str) -> None:
    """Of all ranks or of one; the job ends at once."""
    command = [sys.executable, "-m", "rizoma", *(word.replace("STORE", store) for word in wrong)]
    code, said, _ = job(*(command if rank in where else [*RUN, store] for rank in range(2)), timeout=300)
    flat = " ".join(said.replace("│", " ").split())
    assert code in (1, 2), said
    assert says.replace("STORE", store).split()[-1] in flat, said
    assert said.count("rizoma: ") + said.count("Usage: ") == 1, said


def test_nothing_stays_in_memory_after_a_killed_rank(store: str, tmp_path: Path) -> None:
    """The names of MPI's segments go as soon as all ranks use them."""
    program = tmp_path / "dies.py"
    program.write_text(
        textwrap.dedent(f"""
            import os, signal
            import rizoma as rz
            from rizoma.distributed.ranks import join
            ranks = join()
            graph = rz.open({store!r}, mode="read_only", comm=ranks)
            rz.bfs(graph, 0)
            rz.triangle_count(graph)
            with open("/proc/self/maps") as maps, open({str(tmp_path)!r} + f"/names-{{ranks.rank}}", "w") as names:
                print(*(word for line in maps for word in line.split() if word.startswith("/dev/shm/")), file=names)
            if ranks.rank == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            rz.pagerank(graph)
        """)
    )
    code, _, _ = job([sys.executable, str(program)], [sys.executable, str(program)], timeout=300)
    assert code != 0
    names = [name for rank in range(2) for name in (tmp_path / f"names-{rank}").read_text().split()]
    assert names
    assert [name for name in names if Path(name).exists()] == []


@pytest.mark.parametrize(
    ("text", "heartbeat", "seconds"),
    [("", 5.0, 30.0), ("", 300.0, 300.0), ("2.5", 300.0, 2.5), ("86400", 5.0, 86400.0)],
)
def test_how_long_ranks_are_waited_for(
    text: str, heartbeat: float, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIZOMA_START_TIMEOUT", text)
    assert start_timeout(heartbeat) == seconds


@pytest.mark.parametrize("text", ["0", "-1", "soon", "nan", "1e9"])
def test_a_wrong_time_is_refused_by_name(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIZOMA_START_TIMEOUT", text)
    with pytest.raises(InvalidArgumentError, match="RIZOMA_START_TIMEOUT"):
        start_timeout(5.0)
