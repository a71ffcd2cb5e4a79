#!/bin/sh
# Gathers what a portable wheel is linked with: the symbols of glibc 2.28, and static libraries.
# usage: tools/wheel/libraries.sh DIRECTORY [MACHINE ROOT]     (writes DIRECTORY/lib; nothing is done if it is complete)
#
# MACHINE: of another kind, such as aarch64, whose libraries lie in ROOT.
# Needs Debian or Ubuntu with what tools/setup.sh installs.  The symbols come from the package ziglang of PyPI, which has
# those of every glibc.  hwloc is compiled from the distribution's own source, because its library needs libudev.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
root=$(cd "$1" && pwd)
machine=${2:-$(uname -m)}
compiler=gcc
host=
if [ $# -gt 1 ]; then
  compiler=$machine-linux-gnu-gcc
  host=--host=$machine-linux-gnu
  PKG_CONFIG_LIBDIR=$3/usr/lib/$machine-linux-gnu/pkgconfig:$3/usr/share/pkgconfig
  export PKG_CONFIG_LIBDIR
  static=$3/usr/lib/$machine-linux-gnu
else
  static=$(dirname "$(gcc -print-file-name=libz.a)")
fi
[ ! -e "$root/complete" ] || exit 0
rm -rf "$root/lib" "$root/parts"
mkdir -p "$root/lib/pkgconfig" "$root/parts"

# Of each library of glibc an empty one that exports the names and versions of 2.28.
glibc_symbols() {
  python3 -m venv "$root/parts/zig"
  "$root/parts/zig/bin/pip" install --quiet --disable-pip-version-check "ziglang>=0.13"
  echo 'int empty;' > "$root/parts/empty.c"
  ZIG_GLOBAL_CACHE_DIR="$root/parts/cache" ZIG_LOCAL_CACHE_DIR="$root/parts/cache" "$root/parts/zig/bin/python" -m ziglang cc \
    -target "$machine-linux-gnu.2.28" -shared -nostdlib "$root/parts/empty.c" -lc -o "$root/parts/empty.so"
  for library in c m pthread dl rt ld; do
    cp "$(find "$root/parts/cache" -name "lib$library.so.*" | head -1)" "$root/lib/lib$library.so"
  done
}

# Without what it may show of devices: Rizoma asks for processors and memories.
hwloc() {
  version=$(dpkg-query -W -f '${source:Version}' libhwloc-dev)
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  address=$(grep -rhoE 'https?://[^ ]*/(debian|ubuntu|ubuntu-ports)/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | grep -v archive/ | head -1)
  mkdir -p "$root/parts/apt/lists/partial" "$root/parts/apt/archives/partial"
  find /etc/apt/trusted.gpg.d /usr/share/keyrings -name '*archive-keyring.gpg' | head -1 > "$root/parts/key"
  echo "deb-src [signed-by=$(cat "$root/parts/key")] $address $suite main universe" | sed 's/\(debian .*\) universe/\1/' \
    > "$root/parts/apt/sources.list"
  set -- -qq -o Dir::State="$root/parts/apt" -o Dir::State::Lists="$root/parts/apt/lists" -o Dir::Cache="$root/parts/apt" \
    -o Dir::Etc::SourceParts=- -o Dir::Etc::SourceList="$root/parts/apt/sources.list" -o Debug::NoLocking=1 \
    -o APT::Sandbox::User="$(id -un)"
  apt-get "$@" update
  (cd "$root/parts" && apt-get "$@" source --download-only "hwloc=$version" >/dev/null)
  mkdir "$root/parts/hwloc"
  tar -x -C "$root/parts/hwloc" --strip-components 1 -f "$(ls "$root"/parts/hwloc_*.orig.tar.*)"
  (cd "$root/parts/hwloc" && ./configure --quiet $host CC="$compiler" --prefix=/usr --enable-static --disable-shared --with-pic CFLAGS=-O2 \
    --disable-libudev --disable-pci --disable-libxml2 --disable-cairo --disable-opencl --disable-cuda --disable-nvml \
    --disable-rsmi --disable-levelzero --disable-gl --disable-io > "$root/parts/hwloc.log" 2>&1 &&
    make -s -C hwloc >> "$root/parts/hwloc.log" 2>&1) || { tail -20 "$root/parts/hwloc.log" >&2; exit 1; }
  cp "$root/parts/hwloc/hwloc/.libs/libhwloc.a" "$root/lib"
  describe hwloc hwloc
}

# describe MODULE LIBRARY: what pkg-config says of it: the headers of the system, the static library.
describe() {
  printf 'Name: %s\nDescription: static\nVersion: %s\nLibs: -L%s -l%s\n' "$1" "$(pkg-config --modversion "$1")" "$root/lib" "$2" \
    > "$root/lib/pkgconfig/$1.pc"
}

others() {
  for library in xxhash zstd z; do
    cp "$static/lib$library.a" "$root/lib"
  done
  describe libxxhash xxhash
  describe libzstd zstd
}

glibc_symbols
hwloc
others
"$compiler" -O2 -fPIC -Wall -Wextra -Werror -c "$here/older_glibc.c" -o "$root/lib/older_glibc.o"
rm -rf "$root/parts"
touch "$root/complete"
