#include "store/writing/parallel_edges_added.h"

#include "graph/fixed_values.h"
#include "store/columns/column_rules.h"
#include "store/columns/parallel_rules.h"
#include "store/sections/weight_rules.h"

#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

/// The places of rows in the order of the pairs that they name, those of one pair in their order, and where each pair
/// ends.
struct RowsByPair {
  std::vector<std::size_t> places;
  std::vector<std::size_t> ends;

  explicit RowsByPair(const FoundEdges& found) : places(found.rows.size()), ends(found.pairs.size() - 1) {
    for (const std::size_t pair : found.rows) ++ends[pair];
    std::vector<std::size_t> next(ends.size());
    std::exclusive_scan(ends.begin(), ends.end(), next.begin(), std::size_t{0});
    for (std::size_t i = 0; i < found.rows.size(); ++i) places[next[found.rows[i]]++] = i;
    ends = std::move(next);
  }
  [[nodiscard]] std::span<const std::size_t> operator[](std::size_t pair) const noexcept {
    const std::size_t begin = pair == 0 ? 0 : ends[pair - 1];
    return std::span(places).subspan(begin, ends[pair] - begin);
  }
};

constexpr double kWeightOfNone = 1;  ///< of an edge that is made by a row that does not give its weight

/// What an edge has in a column that the row which makes it does not give.
void push_default(const ColumnSchema& column, ColumnValues& values) {
  if (column.name != kWeightColumn) return values.push_null();
  visit_column(column.type, [&]<class T>(ColumnTag<T>) {
    if constexpr (std::is_arithmetic_v<T>) push_fixed(values, static_cast<T>(kWeightOfNone));
  });
}

class Combiner {
 public:
  Combiner(const Contents& contents, const AddedEdges& added, const FoundEdges& found)
      : contents_(contents), added_(added), found_(found), rows_(found) {}

  Result<CombinedEdges> weights() const {
    const GraphSchema& schema = contents_.schema;
    CombinedEdges combined = pairs();
    std::vector<double> values;
    for (std::size_t pair = 0; pair + 1 < found_.pairs.size(); ++pair) {
      const auto present = found_.weights[pair];
      values.assign(present.begin(), present.end());
      for (const std::size_t row : rows_[pair]) {
        const bool absent = is_absent_weight(added_.weights[row]);
        if (!absent || values.empty()) values.push_back(absent ? kWeightOfNone : added_.weights[row]);
      }
      const double weight = combined_weight(schema.weight_rule, schema.weights, values);
      if (!weight_fits(schema.weights, weight)) {
        return refused_sum(kWeightColumn, column_type_name(weight_column_type(schema.weights)), name_of(pair));
      }
      combined.edges.weights.push_back(weight);
    }
    return combined;
  }

  Result<CombinedEdges> columns(const ColumnTable& given) const {
    CombinedEdges combined = pairs();
    combined.edges.weights.resize(combined.edges.sources.size());
    std::iota(combined.edges.weights.begin(), combined.edges.weights.end(), 0.0);
    std::vector<std::uint64_t> present;
    for (const double row : found_.weights.all()) present.push_back(static_cast<std::uint64_t>(row));
    const auto state = contents_.edge_rows.staged();
    for (const ColumnSchema& column : contents_.schema.edge_columns) {
      RIZOMA_ASSIGN(const ColumnValues before, state->values(column, present));
      RIZOMA_ASSIGN(ColumnValues values, values_of(column, before, given.find(column.name)));
      combined.values.columns.push_back(std::move(values));
    }
    return combined;
  }

 private:
  [[nodiscard]] CombinedEdges pairs() const {
    CombinedEdges combined;
    for (std::size_t pair = 0; pair + 1 < found_.pairs.size(); ++pair) {
      combined.edges.push(found_.pairs[pair]);
      combined.merged += rows_[pair].size() - (found_.weights[pair].empty() ? 1 : 0);
    }
    return combined;
  }

  /// `before`: of the existing edges, pair by pair.
  [[nodiscard]] Result<ColumnValues> values_of(const ColumnSchema& column, const ColumnValues& before,
                                               const ColumnValues* given) const {
    ColumnValues all{column.name, column.type, {}, {}, {}};
    std::vector<std::size_t> ends;
    std::size_t at = 0;
    for (std::size_t pair = 0; pair + 1 < found_.pairs.size(); ++pair) {
      for (std::size_t i = 0; i < found_.weights[pair].size(); ++i) all.push_row(before, at++);
      for (const std::size_t row : rows_[pair]) {
        const auto place = static_cast<std::size_t>(added_.weights[row]);
        if (given != nullptr && given->is_given(place)) all.push_row(*given, place);
        else if (all.size() == (ends.empty() ? 0 : ends.back())) push_default(column, all);
      }
      ends.push_back(all.size());
    }
    return combined_values(column, all, ends, [&](std::size_t pair) { return name_of(pair); });
  }

  [[nodiscard]] std::string name_of(std::size_t pair) const {
    const std::array<VertexId, 2> ends = {found_.pairs[pair].first, found_.pairs[pair].second};
    const auto ids = contents_.dictionary->view(contents_.dictionary->size()).ids(ends);
    return ids ? id_text(*ids, 0) + " -> " + id_text(*ids, 1) : "whose ids cannot be read";
  }

  const Contents& contents_;
  const AddedEdges& added_;
  const FoundEdges& found_;
  RowsByPair rows_;
};

}  // namespace

Result<CombinedEdges> combine_added(const Contents& contents, const StagedGraph& staged, const AddedEdges& added,
                                    const ColumnTable& values) {
  RIZOMA_ASSIGN(const FoundEdges found, staged.find(added.sources, added.targets));
  const Combiner combiner(contents, added, found);
  return contents.schema.rows ? combiner.columns(values) : combiner.weights();
}

}  // namespace rizoma
