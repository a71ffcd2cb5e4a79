"""What is published: the source distribution has all that a build reads; the recipes name what the package needs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest
import rizoma as rz

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
RECIPE = (ROOT / "packaging/conda/recipe.yaml").read_text()


def test_the_source_distribution_has_all_that_a_build_reads(tmp_path):
    pytest.importorskip("scikit_build_core")
    pytest.importorskip("nanobind")
    beside = Path(sys.executable).parent
    tools = {name: shutil.which(name) or shutil.which(beside / name) for name in ("cmake", "ninja")}
    if None in tools.values():
        pytest.skip("no cmake or no ninja here")
    made = "from scikit_build_core.build import build_sdist; import sys; print(build_sdist(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", made, tmp_path], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter="data")
    source = tmp_path / f"rizoma-{rz.__version__}"
    for name in ("LICENSE", "README.md", "PKG-INFO", "python/rizoma/py.typed"):
        assert (source / name).exists()
    if (ROOT / ".git").exists() and shutil.which("git"):
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        kept = {name for name in listed.splitlines() if not name.startswith((".ci/", ".github/"))}
        assert kept - {str(path.relative_to(source)) for path in source.rglob("*")} == set()
    configure = [tools["cmake"], "-S", source, "-B", tmp_path / "build", "-G", "Ninja", "-DRIZOMA_PYTHON=ON"]
    configure += [f"-DCMAKE_MAKE_PROGRAM={tools['ninja']}", f"-DPython_EXECUTABLE={sys.executable}", "-DSKBUILD=2"]
    configure += [f"-DPython_ROOT_DIR={sys.prefix}", "-DSKBUILD_SOABI=", "-DSKBUILD_SABI_COMPONENT="]
    done = subprocess.run(configure, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # A dry run fails if a file that a target is made of is missing.
    plan = [tools["ninja"], "-C", tmp_path / "build", "-n", "_core"]
    done = subprocess.run(plan, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    told = [tools["ninja"], "-C", tmp_path / "build", "-t", "commands", "_core"]
    commands = subprocess.run(told, capture_output=True, text=True, check=True).stdout
    assert commands.count("src/algorithms/centrality/pagerank.cpp") >= 1
    assert str(ROOT) + "/src" not in commands


def test_the_conda_recipe_needs_what_the_package_needs():
    wanted = {re.split(r"[ >=<\[]", text)[0]: text for text in PROJECT["project"]["dependencies"]}
    run = RECIPE.split("  run:\n")[1].split("  run_constraints:")[0]
    for name, text in wanted.items():
        assert f"- {name} {text.removeprefix(name)}" in run
    assert f"version: {PROJECT['project']['version']}" in RECIPE
    for text in PROJECT["build-system"]["requires"]:
        name = re.split(r"[ >=<\[]", text)[0]
        assert f"- {name} {text.removeprefix(name)}" in RECIPE
    (script,) = PROJECT["project"]["scripts"].items()
    assert f"{script[0]} = {script[1]}" in RECIPE


def test_wheels_are_for_every_linux():
    settings = PROJECT["tool"]["cibuildwheel"]
    assert settings["linux"]["archs"] == ["x86_64", "aarch64"]
    assert all(pattern.endswith("-*") for pattern in settings["build"])
    release = (ROOT / ".github/workflows/release.yml").read_text()
    for arch in settings["linux"]["archs"]:
        assert f"arch: {arch}" in release
    assert settings["overrides"][0]["select"] == "*-musllinux*"


def test_wheels_have_the_transport_over_mpi_but_no_mpi_library():
    """In a fresh clone, where setup had brought MPICH, `make wheel` asked for its library and failed."""
    linux = PROJECT["tool"]["cibuildwheel"]["linux"]
    assert "mpich" in linux["before-build"]
    repairs = [*linux["repair-wheel-command"], (ROOT / "tools/wheel/build.sh").read_text()]
    for command in repairs:
        for call in re.findall(r"auditwheel repair.*", command):
            assert re.search(r"""--exclude ['"]libmpi\*['"]""", call)


def test_the_extras_that_pages_and_messages_name_are_there():
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("python/rizoma/**/*.py")]
    lists = [extras for page in pages for extras in re.findall(r"rizoma\[([\w,]+)\]", page.read_text())]
    named = {extra for extras in lists for extra in extras.split(",")}
    assert {"networkx", "remote"} <= named <= set(PROJECT["project"]["optional-dependencies"])
