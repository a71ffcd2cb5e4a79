#!/bin/sh
# Fuzzes every reader under AddressSanitizer and UndefinedBehaviorSanitizer: tests/fuzz/run.sh [seconds [directory]]
# Needs clang.  New inputs and crashes stay in the directory (default build-fuzz); make a crash a file of
# corpus/ called FORMAT-what-it-was, which the replay test then runs.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-60}
work=${2:-$root/build-fuzz}
mkdir -p "$work"
flags="-std=c++20 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -I$root/include -I$root/src -I$root"
for source in "$root"/src/ingest/*.cpp "$root"/src/platform/thread_pool.cpp "$root"/src/platform/os_error.cpp \
              "$root"/testing/fuzz_ingest.cpp; do
  case $source in *_test.cpp) continue ;; esac
  object=$work/$(basename "$source" .cpp).o
  clang++ $flags -c "$source" -o "$object"
  objects="${objects:-} $object"
done
for format in el wel csv mtx graph e gr sg wsg el.gz el.zst; do
  clang++ $flags -fsanitize=fuzzer "-DRIZOMA_FUZZ_NAME=\"case.$format\"" "$root/tests/fuzz/fuzz_main.cpp" $objects \
    -lz -lzstd -lpthread -o "$work/fuzz-$format"
  mkdir -p "$work/new-$format" "$work/seed-$format"
  cp "$root"/tests/data/formats/*."$format" "$work/seed-$format/" 2>/dev/null || true
  for seed in "$root"/tests/fuzz/corpus/"$format"-*; do
    if [ -f "$seed" ]; then cp "$seed" "$work/seed-$format/"; fi
  done
  echo "== $format"
  "$work/fuzz-$format" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1500 -print_final_stats=1 \
    -artifact_prefix="$work/crash-$format-" "$work/new-$format" "$work/seed-$format" > "$work/log-$format" 2>&1 ||
    { tail -n 30 "$work/log-$format"; failed=1; }
  grep -E "number_of_executed_units|^SUMMARY" "$work/log-$format" || true
done
exit "${failed:-0}"
