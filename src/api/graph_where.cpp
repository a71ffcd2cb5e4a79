#include <rizoma/executor.h>
#include <rizoma/graph.h>
#include <rizoma/predicate.h>

#include "base/first_failure.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kRows = std::uint64_t{1} << 14;  // at once, whole bytes of bits: their values stay in the cache

/// Tests the rows of a block, and sets their bits.
Status test_rows(const Snapshot& snapshot, const Predicate& predicate, VertexRange rows, std::span<std::uint8_t> bits) {
  std::vector<ColumnValues> values;
  std::vector<ColumnRun> runs;
  for (const std::size_t column : predicate.columns()) {
    const std::string& name = snapshot.schema().edge_columns[column].name;
    RIZOMA_ASSIGN(ColumnValues read, snapshot.values_between(name, rows.begin, rows.end));
    values.push_back(std::move(read));
  }
  for (const ColumnValues& each : values) runs.push_back(run_of(each, 0, rows.end - rows.begin));
  std::vector<std::uint8_t> keep(rows.end - rows.begin, 1);
  RIZOMA_TRY(predicate.test(runs, keep));
  for (std::size_t i = 0; i < keep.size(); ++i) {
    bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | static_cast<unsigned>(keep[i]) << (i % 8));
  }
  return {};
}

}  // namespace

Result<std::vector<std::uint8_t>> rows_where(const Snapshot& snapshot, std::string_view predicate, Executor& executor) {
  RIZOMA_ASSIGN(const Predicate parsed, Predicate::parse(predicate, snapshot.schema().edge_columns));
  const std::uint64_t rows = snapshot.num_rows();
  std::vector<std::uint8_t> bits((rows + 7) / 8);
  FirstFailure failure;
  RIZOMA_TRY(executor.for_blocks(rows, kRows, [&](VertexRange block, unsigned) {
    if (failure.failed()) return;
    failure.note(test_rows(snapshot, parsed, block, std::span(bits).subspan(block.begin / 8)));
  }));
  RIZOMA_TRY(failure.status());
  return bits;
}

}  // namespace rizoma
