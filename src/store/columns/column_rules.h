// Which columns a graph can have, and how the store numbers them.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rizoma {

/// Name of the edge column that is the weight by default.
inline constexpr std::string_view kWeightColumn = "weight";

/// Numbers of rows are below: entries have them as float64.
inline constexpr std::uint64_t kMostRows = std::uint64_t{1} << 53;

/// Ids of columns are from 1 and below; each is given once.
inline constexpr std::uint32_t kEndOfColumnIds = std::uint32_t{1} << 31;

/// The type of the column that keeps weights of this type in a graph with columns.
[[nodiscard]] ColumnType weight_column_type(WeightType type) noexcept;

/// Errors: invalid_argument.
Status check_edge_columns(const GraphSchema& schema);
Status check_vertex_columns(const GraphSchema& schema);

/// Weights as values of the column that a graph with columns keeps them in.
[[nodiscard]] ColumnTable weight_values(const GraphSchema& schema, const std::vector<double>& weights);

/// The columns of edges for a graph with columns, among them their weights: the marks `given` of that column say which
/// rows give their weight, the others have it as the value of a new edge.
class CompleteColumns {
 public:
  /// Refers to the columns of `edges`, whose weights have been checked.  Errors: invalid_argument (columns that the
  /// graph does not have; one that may not be null is missing).
  static Result<CompleteColumns> of(const GraphSchema& schema, const EdgeBatch& edges);

  [[nodiscard]] const ColumnValues* find(std::string_view name) const noexcept {
    if (weight_ && name == kWeightColumn) return &*weight_;
    return columns_->find(name);
  }
  /// The weights; null: they are no column.
  [[nodiscard]] const ColumnValues* weight() const noexcept { return weight_ ? &*weight_ : nullptr; }

 private:
  const ColumnTable* columns_ = nullptr;
  std::optional<ColumnValues> weight_;
};

/// The edges with such columns and without weights.  Errors: as CompleteColumns::of.
Result<EdgeBatch> complete_edges(const GraphSchema& schema, const EdgeBatch& edges);

/// For each row whether it gives its weight: the rows of a table column `weight` that are marked as not given do not,
/// where an edge that is there keeps its own (merged, by the rule `last`).  Empty: all do.  Errors: invalid_argument
/// (the column has another number of rows).
Result<std::vector<std::uint8_t>> weights_given(const GraphSchema& schema, const EdgeBatch& edges);

/// The marks of such a column, whatever the rule; empty: all rows give their weight.  Errors: as above.
Result<std::vector<std::uint8_t>> weight_marks(const EdgeBatch& edges);

/// Whether some row does not give a column that edges of the graph have, of which one that is there keeps its value.
/// `values`: of edges made complete.
[[nodiscard]] bool leaves_values_out(const GraphSchema& schema, const ColumnTable& values);

/// Of a graph that is created: gives every column its id; a weight beside other columns becomes one of them.
void number_columns(GraphSchema& schema);

}  // namespace rizoma
