#include "testing/fuzz_predicate.h"

#include <rizoma/predicate.h>

#include "testing/predicate_columns.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma::testing {
namespace {

constexpr std::size_t kRows = 61;
constexpr std::size_t kMostText = std::size_t{1} << 16;

void check_error(const Error& error, std::size_t size) {
  const bool placed = error.message.find('^') != std::string::npos || size > kMostText;
  if (error.message.empty() || !placed) throw std::logic_error("an error without its place: " + error.message);
}

/// Which rows are kept, tested together or each by itself; 2 for a row that has no answer.
std::vector<std::uint8_t> kept(const Predicate& predicate, const std::vector<ColumnValues>& columns, std::size_t step) {
  std::vector<std::uint8_t> keep(kRows, 1);
  for (std::size_t row = 0; row < kRows; row += step) {
    std::vector<ColumnRun> runs;
    for (const std::size_t column : predicate.columns()) runs.push_back(run_of(columns[column], row, kRows));
    const std::span<std::uint8_t> some = std::span(keep).subspan(row, std::min(step, kRows - row));
    const Status tested = predicate.test(runs, some);
    if (tested) continue;
    check_error(tested.error(), 0);
    std::fill(some.begin(), some.end(), std::uint8_t{2});
  }
  return keep;
}

}  // namespace

void fuzz_predicate(const std::uint8_t* data, std::size_t size) {
  static const std::vector<ColumnValues> columns = predicate_columns(kRows);
  static const std::vector<ColumnSchema> schema = schema_of(columns);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Predicate> predicate = Predicate::parse(text, schema);
  if (!predicate) return check_error(predicate.error(), size);
  const std::vector<std::uint8_t> together = kept(*predicate, columns, kRows);
  const std::vector<std::uint8_t> one_by_one = kept(*predicate, columns, 1);
  const bool unanswered = std::find(one_by_one.begin(), one_by_one.end(), 2) != one_by_one.end();
  if (unanswered != (together[0] == 2) || (!unanswered && together != one_by_one)) {
    throw std::logic_error("a block of rows and its rows one by one differ: " + std::string(text));
  }
}

}  // namespace rizoma::testing
