// RowRuns: which rows of edges have values, and a place for each of those that do.
//
// A block without columns may name any number of rows in 64 bytes.  A block with one has a bit a row at least
// (RowBlock::open checks it), so that what is sized by the rows *with* values is borne out by the files.
// Cost: O(blocks) to make; O(log runs) for a place.
#pragma once

#include <rizoma/schema.h>

#include "store/columns/row_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rizoma {

/// Rows that follow one another, of blocks that all have values of the graph's columns, or all have none.
struct RowRun {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  bool has_values = false;
};

class RowRuns {
 public:
  /// The rows from `first` on.  A row that a repair has lost has no values.  Errors: those of loading.
  static Result<RowRuns> of(const RowState& state, const std::vector<ColumnSchema>& columns, std::uint64_t first);

  [[nodiscard]] std::span<const RowRun> runs() const noexcept { return runs_; }
  /// How many rows have values.
  [[nodiscard]] std::uint64_t places() const noexcept { return places_; }
  /// The number of rows with values before this one, which must have some itself; nullopt otherwise.
  [[nodiscard]] std::optional<std::uint64_t> place_of(std::uint64_t row) const noexcept;

 private:
  std::vector<RowRun> runs_;
  std::vector<std::uint64_t> before_;  ///< each run: rows with values
  std::uint64_t places_ = 0;
};

}  // namespace rizoma
