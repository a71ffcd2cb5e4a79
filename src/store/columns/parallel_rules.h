// What is made of the values of parallel edges that become one, by the rules of a graph's schema.
//
// The same for every way in: a bulk load combines the edges of a piece (bulk_load_combine.h), a change those that it
// adds with those that are there (parallel_edges_added.h), and logs the outcome, so that recovery needs no rule.
#pragma once

#include <rizoma/columns.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rizoma {

/// Groups of rows of edges, each of one edge now: those of group i end at ends[i], the last one in front of them is the
/// row that stays.
struct MergedRows {
  std::vector<std::uint64_t> rows;
  std::vector<std::uint64_t> ends;

  [[nodiscard]] std::span<const std::uint64_t> operator[](std::size_t i) const noexcept {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span(rows).subspan(begin, ends[i] - begin);
  }
};

/// Whether some value of parallel edges is not simply that of the last one.
[[nodiscard]] bool combines(const GraphSchema& schema) noexcept;

/// One weight for those of parallel edges in their order, at least one; it may not fit the type.
[[nodiscard]] double combined_weight(ParallelRule rule, WeightType type, std::span<const double> weights) noexcept;

/// One value for each group: `values` are those of the groups one behind the other, each in its order; group i ends
/// at ends[i] and has one at least.  `edge_of` says which edge a group is of.  Errors: invalid_argument (a sum does not
/// fit).
Result<ColumnValues> combined_values(const ColumnSchema& column, const ColumnValues& values,
                                     std::span<const std::size_t> ends, FunctionRef<std::string(std::size_t)> edge_of);

/// Of a sum that does not fit its type; `edge`: which one.
[[nodiscard]] Error refused_sum(std::string_view column, std::string_view type, std::string_view edge);

/// An id as messages have it.
[[nodiscard]] std::string id_text(const IdColumn& ids, std::size_t i);

}  // namespace rizoma
