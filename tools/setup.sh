#!/bin/sh
# Prepares a machine to build Rizoma: system packages (installed where we may, named where we may
# not) and a virtual environment with the Python build tools.  Usage: tools/setup.sh VENV
# Environment: PYTHON chooses the interpreter (3.11 or later).
set -eu
venv=$1
packages="g++ make pkg-config libhwloc-dev libxxhash-dev libzstd-dev zlib1g-dev libgtest-dev libgmock-dev"

say() { printf '%s\n' "$*" >&2; }

# install PACKAGE...: by apt, as root or by sudo that asks for no password.
install() {
  if [ "$(id -u)" -eq 0 ]; then
    as_root="env"
  elif sudo -n true 2>/dev/null; then
    as_root="sudo env"
  else
    say "Rizoma needs these packages; please run:  sudo apt-get install $*"
    exit 1
  fi
  say "installing $*"
  $as_root apt-get update -qq
  $as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

system_packages() {
  if ! command -v apt-get >/dev/null; then
    say "no apt here: if the build asks for a library, install it by this system's own means"
    return
  fi
  missing=
  for package in $packages; do installed "$package" || missing="$missing $package"; done
  # shellcheck disable=SC2086  # a list of words
  [ -z "$missing" ] || install $missing
}

recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

# works PYTHON: it is recent enough, has its headers and can make virtual environments.
works() {
  recent "$1" && "$1" -c '
import ensurepip, os, sys, sysconfig, venv
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' 2>/dev/null
}

# The packages that PYTHON lacks to work; the system's own Python if PYTHON is not there.
python_packages() {
  if recent "$1"; then
    "$1" -c 'import sys; v = "python%d.%d" % sys.version_info[:2]; print(v + "-dev", v + "-venv")'
  else
    echo "python3 python3-dev python3-venv"
  fi
}

choose_python() {
  candidates=${PYTHON:-"python3 python3.14 python3.13 python3.12 python3.11"}
  for python in $candidates; do
    if works "$python"; then printf '%s' "$python"; return; fi
  done
  for python in $candidates; do
    command -v apt-get >/dev/null || break
    # shellcheck disable=SC2046  # a list of words
    install $(python_packages "$python")
    if works "$python"; then printf '%s' "$python"; return; fi
    recent "$python" || break
  done
  say "Rizoma needs Python 3.11 or later with headers and venv; set PYTHON to one"
  exit 1
}

build_requirements() {
  "$venv/bin/python" -c '
import tomllib
with open("pyproject.toml", "rb") as file:
    print("\n".join(tomllib.load(file)["build-system"]["requires"]))'
}

cd "$(dirname "$0")/.."
system_packages
if ! [ -x "$venv/bin/pip" ]; then
  python=$(choose_python)
  say "making $venv with $("$python" --version)"
  "$python" -m venv "$venv"
fi
build_requirements > "$venv/build-requirements.txt"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r "$venv/build-requirements.txt" "cmake>=3.25" ninja
# The MPI transport is built where MPICH's header is; all else does without.
"$venv/bin/pip" install --quiet --disable-pip-version-check "mpich>=5.0" || say "no MPICH here: no MPI transport is built"
