#!/bin/sh
# Fuzzes every reader, and whole stores, under AddressSanitizer and UndefinedBehaviorSanitizer:
# tests/fuzz/run.sh [seconds [directory [reader...]]]
# FUZZ_FLAGS are for the compiler: "-O2 -fno-sanitize-coverage=trace-cmp" makes whole stores faster.
# Needs clang and cmake.  New inputs and crashes stay in the directory (default build-fuzz); make a crash a file of
# corpus/ called READER-what-it-was, which the replay test then runs.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-60}
work=${2:-$root/build-fuzz}
[ $# -lt 2 ] || shift 2
readers=${*:-store superblock manifest log image delta removed dictionary rows location pattern predicate el wel csv mtx graph e gr sg wsg gml graphml json el.gz el.zst}
mkdir -p "$work/objects"
flags="-std=c++20 -O1 -gline-tables-only -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -I$root/include -I$root/src -I$root ${FUZZ_FLAGS:-}"
for folder in base platform graph predicate placement engine query store ingest algorithms transport; do [ ! -d "$root/src/$folder" ] || find "$root/src/$folder" -name '*.cpp' ! -name '*_test.cpp' ! -name 'dax_*' ! -name 'probe*' ! -path '*mpi*'; done > "$work/sources"
find "$root/testing" -name '*.cpp' ! -name '*_test.cpp' ! -name 'shared_data.cpp' ! -name 'failing_allocation.cpp' >> "$work/sources"
# The list of formats, which the configuration writes.
cmake -S "$root" -B "$work/configured" -DCMAKE_BUILD_TYPE=Debug --log-level=WARNING > /dev/null
echo "$work/configured/format_list.cpp" >> "$work/sources"
# An archive, so that only what a reader needs is linked.
rm -f "$work/readers.a"
xargs -P "${FUZZ_JOBS:-$(nproc)}" -I{} sh -c '$(command -v ccache) clang++ '"$flags"' -c {} -o "'"$work"'/objects/$(echo {} | tr / _).o"' < "$work/sources"
ar qc "$work/readers.a" "$work"/objects/*.o
for reader in $readers; do
  main=fuzz_main.cpp
  length=8192
  schedule=-entropic=1
  case $reader in
    # An input reaches tens of thousands of features, which the entropic schedule takes four fifths of the time to weigh.
    store) name=$reader main=whole_store_main.cpp length=160 schedule="-entropic=0 -reload=0" ;;
    superblock | manifest | log | image | delta | removed | dictionary | rows | location | pattern | predicate) name=$reader ;;
    *) name=case.$reader ;;
  esac
  clang++ $flags -fsanitize=fuzzer "-DRIZOMA_FUZZ_NAME=\"$name\"" "$root/tests/fuzz/$main" "$work/readers.a" \
    -lz -lzstd -lxxhash -lhwloc -lpthread -o "$work/fuzz-$reader"
  mkdir -p "$work/new-$reader" "$work/seed-$reader"
  cp "$root"/tests/data/formats/*."$reader" "$work/seed-$reader/" 2>/dev/null || true
  for seed in "$root"/tests/fuzz/corpus/"$reader"-*; do
    if [ -f "$seed" ]; then cp "$seed" "$work/seed-$reader/"; fi
  done
  echo "== $reader"
  "$work/fuzz-$reader" -max_total_time="$seconds" -max_len="$length" $schedule -timeout=10 -rss_limit_mb=1500 -print_final_stats=1 \
    -artifact_prefix="$work/crash-$reader-" "$work/new-$reader" "$work/seed-$reader" > "$work/log-$reader" 2>&1 ||
    { tail -n 30 "$work/log-$reader"; failed=1; }
  grep -E "number_of_executed_units|^SUMMARY" "$work/log-$reader" || true
done
exit "${failed:-0}"
