#!/bin/sh
# Installs a wheel that lies in a directory into a fresh environment, for `make demo`; fails if none is for this machine.
# usage: tools/wheel/install.sh ENVIRONMENT DIRECTORY
set -eu
for wheel in "$2"/rizoma-*.whl; do
  [ -e "$wheel" ] || continue
  for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    command -v "$python" >/dev/null || continue
    rm -rf "$1"
    "$python" -m venv "$1" >/dev/null 2>&1 || continue
    if "$1/bin/pip" install --quiet --disable-pip-version-check "$wheel" 2>/dev/null; then
      echo "installed $wheel in $1"
      exit 0
    fi
  done
done
rm -rf "$1"
exit 1
