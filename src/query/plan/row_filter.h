// Predicates on one edge alone, tested row by row where the values of edges lie apart from the lists.  Module: query.
//
// How: rows are read in their own order, block by block and in parallel, each column once, as far as it is stored: what
// a list has in its order are rows at random.  Of blocks with few rows among those asked for, these alone are read.
// Rows that are no edge's are left out, and do not count as failures.
// Cost: a few nanoseconds for each row asked for; a bit for each row.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/match.h>

#include "query/parse/query.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::query {

/// A row that a list names as a number; one that does not exist is beyond all others.
[[nodiscard]] inline std::uint64_t row_of(double named) noexcept {
  return named >= 0 && named < 0x1p63 ? static_cast<std::uint64_t>(named) : UINT64_MAX;
}

/// A bit for each row of edges: byte i: rows 8i..8i+7, lowest first.
class RowBits {
 public:
  RowBits() = default;
  explicit RowBits(std::vector<std::uint8_t> bits) noexcept;
  /// Those that are an edge's; row 0 if edges without values are among them.
  explicit RowBits(const UsedRows& used);
  /// A row that does not exist is not held.
  [[nodiscard]] bool holds(std::uint64_t row) const noexcept {
    return row / 8 < bits_.size() && (bits_[row / 8] >> (row % 8) & 1) != 0;
  }
  [[nodiscard]] std::uint64_t count() const noexcept;
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const noexcept { return bits_; }
  [[nodiscard]] bool is_disjoint(const RowBits& other) const noexcept;

 private:
  std::vector<std::uint8_t> bits_;
  std::size_t begin_ = 0;  ///< bytes before this one, and from `end_` on, have no row
  std::size_t end_ = 0;
};

/// Those of `among` for which all filters hold, which speak of one edge item alone.
/// Errors: cancelled, corrupt, io; what a filter has no answer for is noted with it.
[[nodiscard]] Result<RowBits> kept_rows(Engine& engine, std::span<const Filter> filters, const EdgeRows& rows,
                                        const RowBits& among);

}  // namespace rizoma::query
