"""What is published: the source distribution has all that a build reads; the recipes name what the package needs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import rizoma as rz

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
OLDER_GLIBC = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static int forked = 0;
static void last(void) { puts("at the end"); }
static void in_child(void) { ++forked; }
int main(int count, char **words) {
  struct stat one, other;
  struct stat64 great;
  int file = open(words[1], O_RDONLY);
  assert(count == 2 && file >= 0 && fstat(file, &one) == 0 && stat(words[1], &other) == 0);
  assert(one.st_ino == other.st_ino && one.st_size == other.st_size && one.st_size > 100);
  assert(lstat(words[1], &other) == 0 && one.st_ino == other.st_ino);
  assert(fstatat(AT_FDCWD, words[1], &other, 0) == 0 && one.st_ino == other.st_ino);
  assert(fstat64(file, &great) == 0 && great.st_ino == one.st_ino && great.st_size == one.st_size);
  assert(stat("/nowhere", &other) == -1 && errno == ENOENT);
  assert(gettid() == (pid_t)syscall(SYS_gettid));
  unsigned bits = 0;
  for (int i = 0; i < 64; ++i) bits |= arc4random();
  assert(bits == ~0u);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  struct timespec until = begin;
  until.tv_nsec += 20000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, ++until.tv_sec;
  pthread_mutex_lock(&mutex);
  int found = 0;
  do found = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until); while (found == 0);
  clock_gettime(CLOCK_MONOTONIC, &end);
  assert(found == ETIMEDOUT && (end.tv_sec - begin.tv_sec) * 1000000000L + end.tv_nsec - begin.tv_nsec >= 19000000);
  assert(pthread_atfork(NULL, NULL, in_child) == 0);
  pid_t child = fork();
  if (child == 0) _exit(forked == 1 ? 7 : 0);
  int status = 0;
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7 && forked == 0);
  return atexit(last);
}
"""
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
    assert settings["build"] == ["cp311-musllinux*", "cp312-musllinux*"]
    release = (ROOT / ".github/workflows/release.yml").read_text()
    for arch in settings["linux"]["archs"]:
        for python in ("3.11", "3.12"):
            assert f'arch: {arch}, python: "{python}"' in release
    assert release.count("make wheel") == 1
    assert '--plat "manylinux_2_28_$(uname -m)"' in (ROOT / "tools/wheel/build.sh").read_text()


@pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("nm") is None, reason="no compiler here")
def test_symbols_of_no_named_library_are_found(tmp_path):
    """A wheel called arc4random, which the glibc that it was linked against lacks: it failed where it was used."""
    body = "int PyLong_Type(void); int arc4random(void); __attribute__((weak)) int maybe(void);\n"
    for name, code in (("good", "return PyLong_Type() + (maybe ? maybe() : 0);"), ("bad", "return arc4random();")):
        (tmp_path / f"{name}.c").write_text(f"{body}int call(void) {{ {code} }}\n")
        built = ["gcc", "-shared", "-fPIC", "-nostdlib", tmp_path / f"{name}.c", "-o", tmp_path / f"{name}.so"]
        subprocess.run(built, check=True)
        with zipfile.ZipFile(tmp_path / f"{name}.whl", "w") as wheel:
            wheel.write(tmp_path / f"{name}.so", f"rizoma/{name}.so")
    looked = [sys.executable, ROOT / "tools/wheel/undefined.py"]
    assert subprocess.run([*looked, tmp_path / "good.whl"], capture_output=True).returncode == 0
    done = subprocess.run([*looked, tmp_path / "good.whl", tmp_path / "bad.whl"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "bad.whl: bad.so needs arc4random, of no library\n")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler here")
def test_what_an_older_glibc_lacks_does_as_the_newer_one(tmp_path):
    """Called by their names in a program of its own: files, waits, threads, random numbers, exits."""
    (tmp_path / "try.c").write_text(OLDER_GLIBC)
    built = ["gcc", "-O1", "-pthread", "-o", tmp_path / "try", tmp_path / "try.c", ROOT / "tools/wheel/older_glibc.c"]
    subprocess.run(built, check=True)
    done = subprocess.run([tmp_path / "try", tmp_path / "try.c"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "at the end\n"), done.stderr


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
