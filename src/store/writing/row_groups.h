// RowGroups: the rows of a table that name the same edge or vertex.
#pragma once

#include <rizoma/columns.h>

#include "base/radix_sort.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma {

/// No row of a table.
inline constexpr std::size_t kNoRow = SIZE_MAX;

/// Rows of a table, by the number of the edge or vertex that they name; those of one in their order.
class RowGroups {
 public:
  explicit RowGroups(std::vector<std::pair<std::uint64_t, std::uint64_t>> named) : named_(std::move(named)) {
    radix_sort(named_, [](const auto& each) { return each.first; });
    for (std::size_t i = 0; i < named_.size(); ++i) {
      if (i + 1 == named_.size() || named_[i + 1].first != named_[i].first) ends_.push_back(i + 1);
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] std::uint64_t name(std::size_t group) const noexcept { return named_[ends_[group] - 1].first; }
  /// The last row of the group that gives the column, or kNoRow.
  [[nodiscard]] std::size_t last_given(std::size_t group, const ColumnValues& column) const noexcept {
    const std::size_t begin = group == 0 ? 0 : ends_[group - 1];
    for (std::size_t i = ends_[group]; i > begin; --i) {
      if (column.is_given(named_[i - 1].second)) return named_[i - 1].second;
    }
    return kNoRow;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> named_;
  std::vector<std::size_t> ends_;
};

}  // namespace rizoma
