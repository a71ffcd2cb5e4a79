#include "store/columns/row_runs.h"

#include <algorithm>

namespace rizoma {

Result<RowRuns> RowRuns::of(const RowState& state, const std::vector<ColumnSchema>& columns, std::uint64_t first) {
  RowRuns made;
  std::vector<RowRun>& runs = made.runs_;
  std::uint64_t next = first;
  const auto extend = [&](std::uint64_t end, bool has_values) {
    if (end == next) return;
    if (runs.empty() || runs.back().has_values != has_values) runs.push_back({next, end, has_values});
    runs.back().end = next = end;
  };
  RIZOMA_TRY(state.for_blocks([&](const RowBlock& block) -> Status {
    if (block.first() < next) return {};
    extend(block.first(), false);
    extend(block.end(), std::any_of(columns.begin(), columns.end(),
                                    [&](const ColumnSchema& column) { return block.column(column.id).has_value(); }));
    return {};
  }));
  extend(state.end(), false);
  for (const RowRun& run : runs) {
    made.before_.push_back(made.places_);
    if (run.has_values) made.places_ += run.end - run.first;
  }
  return made;
}

std::optional<std::uint64_t> RowRuns::place_of(std::uint64_t row) const noexcept {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), row,
                                      [](std::uint64_t r, const RowRun& run) { return r < run.first; });
  if (after == runs_.begin()) return std::nullopt;
  const RowRun& run = *std::prev(after);
  if (!run.has_values || row >= run.end) return std::nullopt;
  return before_[static_cast<std::size_t>(std::prev(after) - runs_.begin())] + (row - run.first);
}

}  // namespace rizoma
