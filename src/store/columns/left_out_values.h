// LeftOutValues: which rows of a load do not give which columns.
//
// A row is null there, as one that gives a null is; only where rows become one does it matter which it was.
// Memory: a bit for each row, of a column that some row leaves out.
#pragma once

#include <rizoma/columns.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace rizoma {

class LeftOutValues {
 public:
  /// Takes in the `rows` rows from number `first` on, of which `values` finds the columns by name.
  template <class Columns>
  void note(const std::vector<ColumnSchema>& columns, const Columns& values, std::uint64_t first, std::uint64_t rows) {
    for (const ColumnSchema& column : columns) {
      const ColumnValues* const found = values.find(column.name);
      Rows& of = columns_[column.id];
      for (std::uint64_t row = 0; row < rows; ++row) {
        if (found != nullptr && (found->given.empty() || found->is_given(row))) {
          of.given = true;
          if (found->given.empty()) break;
          continue;
        }
        if (of.left_out.size() <= first + row) of.left_out.resize(first + rows);
        of.left_out[first + row] = true;
      }
    }
  }
  /// Whether some rows give a column that others do not.
  [[nodiscard]] bool differ() const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [](const auto& each) { return each.second.given && !each.second.left_out.empty(); });
  }
  [[nodiscard]] bool contains(std::uint32_t column, std::uint64_t row) const {
    const auto found = columns_.find(column);
    return found != columns_.end() && row < found->second.left_out.size() && found->second.left_out[row];
  }

 private:
  struct Rows {
    bool given = false;  ///< some row gives the column
    std::vector<bool> left_out;
  };
  std::map<std::uint32_t, Rows> columns_;  ///< by id
};

}  // namespace rizoma
