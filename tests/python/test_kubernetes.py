"""The manifest for Kubernetes' MPI operator has the operator's form, and its command is one of Rizoma's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PLACE = Path(__file__).resolve().parents[2] / "packaging/kubernetes"
yaml = pytest.importorskip("yaml", reason="there is no PyYAML (pip install rizoma[dask])")

# The fields of an MPIJob, version v2beta1, that may be there.
SPEC = {
    "slotsPerWorker": int,
    "runLauncherAsWorker": bool,
    "runPolicy": dict,
    "mpiReplicaSpecs": dict,
    "sshAuthMountPath": str,
    "launcherCreationPolicy": str,
    "mpiImplementation": str,
}


@pytest.fixture(scope="module")
def job() -> Any:
    (job,) = yaml.safe_load_all((PLACE / "mpijob.yaml").read_text(encoding="utf-8"))
    return job


def test_the_manifest_has_the_form_of_an_mpi_job(job: Any) -> None:
    assert (job["apiVersion"], job["kind"]) == ("kubeflow.org/v2beta1", "MPIJob")
    assert job["metadata"]["name"]
    spec = job["spec"]
    for name, value in spec.items():
        assert isinstance(value, SPEC[name]), name
    assert spec["mpiImplementation"] == "MPICH"
    assert spec["launcherCreationPolicy"] in ("AtStartup", "WaitForWorkersReady")
    assert spec["runPolicy"]["cleanPodPolicy"] in ("None", "Running", "All")
    assert set(spec["mpiReplicaSpecs"]) == {"Launcher", "Worker"}
    for replica in spec["mpiReplicaSpecs"].values():
        assert set(replica) <= {"replicas", "template", "restartPolicy"}
        pod = replica["template"]["spec"]
        volumes = {volume["name"] for volume in pod["volumes"]}
        for container in pod["containers"]:
            assert {"name", "image", "command"} <= set(container)
            assert all(isinstance(word, str) for word in container["command"])
            assert {mount["name"] for mount in container["volumeMounts"]} <= volumes


def test_launcher_and_workers_belong_together(job: Any) -> None:
    spec = job["spec"]
    launcher, worker = (
        spec["mpiReplicaSpecs"][kind]["template"]["spec"]["containers"][0] for kind in ("Launcher", "Worker")
    )
    assert launcher["image"] == worker["image"]
    assert launcher["volumeMounts"] == worker["volumeMounts"]
    words = launcher["command"]
    assert words[:2] == ["mpiexec", "-n"]
    assert int(words[2]) == spec["mpiReplicaSpecs"]["Worker"]["replicas"] * spec["slotsPerWorker"]
    assert worker["command"][0] == "/usr/sbin/sshd"
    assert "openssh-server" in (PLACE / "Dockerfile").read_text(encoding="utf-8")


def test_the_command_of_the_manifest_is_understood(job: Any, tmp_path: Path) -> None:
    words = job["spec"]["mpiReplicaSpecs"]["Launcher"]["template"]["spec"]["containers"][0]["command"][4:]
    here = [word.replace("/graphs", str(tmp_path)) for word in words]
    ran = subprocess.run([sys.executable, "-m", "rizoma", *here], capture_output=True, text=True, check=False)
    assert ran.returncode == 1  # 2 would be wrong usage
    assert "social.rz" in ran.stderr
