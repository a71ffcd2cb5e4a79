"""Ranks under Slurm: the guide's lines, on a cluster of one machine.  Needs root, slurmctld, slurmd and munge."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz

SBIN = os.pathsep.join(["/usr/sbin", os.environ.get("PATH", "")])
PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "salloc", "sinfo")
MPIEXEC = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root starts Slurm's daemons"),
    pytest.mark.skipif(
        any(shutil.which(program, path=SBIN) is None for program in PROGRAMS),
        reason="there is no Slurm (apt install slurmctld slurmd slurm-client munge)",
    ),
]
RIZOMA = [sys.executable, "-m", "rizoma"]
START = 30.0  # seconds for the cluster to be there

CONFIG = """
ClusterName=rizoma
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
SlurmdUser=root
SlurmdParameters=config_overrides
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
"""


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def munged(folder: Path) -> list[str]:
    names = {"socket": "munge.socket", "key-file": "munge.key", "pid-file": "munged.pid", "seed-file": "munged.seed"}
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o400)
    options = [f"--{option}={folder / name}" for option, name in names.items()]
    return ["munged", "--foreground", "--force", f"--log-file={folder / 'munged.log'}", *options]


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Environment of a job on a cluster of this machine, with room for four ranks."""
    folder = tmp_path_factory.mktemp("slurm")
    for name in ("state", "spool"):
        (folder / name).mkdir()
    host = socket.gethostname().partition(".")[0]
    config = CONFIG.format(host=host, folder=folder, ports=free_ports(2)).lstrip()
    (folder / "slurm.conf").write_text(config, encoding="utf-8")
    environment = os.environ | {"SLURM_CONF": str(folder / "slurm.conf"), "PATH": SBIN, "RIZOMA_THREADS": "1"}
    with (folder / "log").open("w") as log:
        daemons = []
        try:
            for command in (munged(folder), ["slurmctld", "-D"], ["slurmd", "-D"]):
                daemons.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))
                time.sleep(1)
            until = time.monotonic() + START
            while "idle" not in (state := state_of_nodes(environment)):
                if time.monotonic() > until:
                    pytest.skip(f"Slurm does not run here: {state}{(folder / 'log').read_text()[-2000:]}")
                time.sleep(0.2)
            yield environment
        finally:
            for daemon in reversed(daemons):
                daemon.terminate()
                daemon.wait(timeout=60)


def state_of_nodes(environment: dict[str, str]) -> str:
    ran = subprocess.run(
        ["sinfo", "--noheader", "--format=%T"], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    return ran.stdout


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "g.rz"
    random = np.random.default_rng(3)
    with rz.open(path, directed=False, ids="dense") as graph:
        graph.add_edges(random.integers(0, 3000, (12000, 2)))
    return path


def job(slurm: dict[str, str], *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=slurm | environment, capture_output=True, text=True, check=False, timeout=240)


@pytest.mark.parametrize("kernel", ["pagerank", "connected_components"])
def test_the_guides_line_gives_the_answer_of_one_process(
    kernel: str, slurm: dict[str, str], store: Path, tmp_path: Path
) -> None:
    ran = job(slurm, "srun", "-n", "3", "--mpi=pmi2", *RIZOMA, "run", kernel, str(store), "-o", str(tmp_path / "o.csv"))
    assert ran.returncode == 0, ran.stderr
    assert "on 3 ranks" in ran.stdout + ran.stderr
    with rz.open(store, mode="read_only") as graph:
        expected = getattr(rz, kernel)(graph).to_dict()
    found = dict(np.loadtxt(tmp_path / "o.csv", delimiter=",", skiprows=1).tolist())
    assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.skipif(MPIEXEC is None, reason="there is no mpiexec of MPICH (pip install mpich)")
def test_mpiexec_within_an_allocation_finds_its_hosts(slurm: dict[str, str], store: Path) -> None:
    command = [str(MPIEXEC), "-n", "2", *RIZOMA, "run", "bfs", str(store), "--source", "1"]
    ran = job(slurm, "salloc", "-n", "2", *command)
    assert ran.returncode == 0, ran.stderr
    assert "on 2 ranks" in ran.stdout + ran.stderr


@pytest.mark.parametrize("absent", ["sleep 3600", "exit 3"])
def test_a_rank_that_never_comes_ends_the_job_step(absent: str, slurm: dict[str, str], store: Path) -> None:
    rank = f'[ "$SLURM_PROCID" = 1 ] && {{ {absent}; }}; exec "$@"'
    command = ["sh", "-c", rank, "sh", *RIZOMA, "run", "bfs", str(store), "--source", "1"]
    begin = time.monotonic()
    ran = job(slurm, "srun", "-n", "2", "--mpi=pmi2", *command, RIZOMA_START_TIMEOUT="5")
    assert ran.returncode != 0
    assert time.monotonic() - begin < 60
    assert "RIZOMA_START_TIMEOUT" in ran.stderr


def test_an_error_of_a_kernel_is_told_once(slurm: dict[str, str], store: Path) -> None:
    ran = job(slurm, "srun", "-n", "2", "--mpi=pmi2", *RIZOMA, "run", "bfs", str(store), "--source", "999999")
    assert ran.returncode != 0
    assert "999999" in ran.stderr


@pytest.fixture(autouse=True)
def idle_again(slurm: dict[str, str]) -> Iterator[None]:
    """The node takes the next job only once the one before has gone."""
    yield
    until = time.monotonic() + START
    while "idle" not in state_of_nodes(slurm) and time.monotonic() < until:
        time.sleep(0.2)
