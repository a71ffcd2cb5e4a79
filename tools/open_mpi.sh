#!/bin/sh
# Fetches Open MPI and unpacks it into a directory, where it is found by the names mpicxx.openmpi and mpiexec.openmpi
# only: nothing is installed, and mpiexec stays MPICH's.  Debian and Ubuntu.  Usage: tools/open_mpi.sh DIRECTORY
set -eu
mkdir -p "$1/packages" "$1/root" "$1/bin"
there=$(cd "$1" && pwd)

# The packages that this system would install for it.
wanted() { apt-get -s install --no-install-recommends openmpi-bin libopenmpi-dev | sed -n 's/^Inst \([^ ]*\).*/\1/p'; }

fetch() {
  packages=$(wanted 2>/dev/null)
  # shellcheck disable=SC2086  # a list of words
  [ -n "$packages" ] && (cd "$there/packages" && apt-get download -qq $packages >/dev/null 2>&1)
}

# What the system knows of packages may be missing, or older than what there is to fetch.
fetch || { apt-get update -qq && fetch; } || { echo "Open MPI cannot be fetched: is it installed, or the network away?" >&2; exit 1; }
for package in "$there"/packages/*.deb; do dpkg-deb -x "$package" "$there/root"; done
rm -r "$there/packages"

# Debian's Open MPI looks for its parts below /usr, unless these variables say otherwise.
library=$(find "$there/root/usr/lib" -name 'libmpi.so.40' | head -n 1)
[ -n "$library" ] || { echo "a part of Open MPI is installed: install openmpi-bin and libopenmpi-dev" >&2; exit 1; }
libraries=$(dirname "$library")
while [ "$(basename "$(dirname "$libraries")")" != lib ]; do libraries=$(dirname "$libraries"); done
system=$there/root/lib/$(basename "$libraries")
for program in mpicxx mpiexec; do
  cat > "$there/bin/$program.openmpi" <<END
#!/bin/sh
export OPAL_PREFIX='$there/root/usr' PMIX_INSTALL_PREFIX='$libraries/pmix2'
export PMIX_MCA_pcompress_base_silence_warning=1 OMPI_MCA_mca_base_component_show_load_errors=0
export LD_LIBRARY_PATH='$libraries:$libraries/openmpi/lib:$libraries/pmix2/lib:$system'"\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
exec '$there/root/usr/bin/$program.openmpi' "\$@"
END
  chmod +x "$there/bin/$program.openmpi"
done
