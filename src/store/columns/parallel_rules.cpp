#include "store/columns/parallel_rules.h"

#include "graph/fixed_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>
#include <variant>

namespace rizoma {
namespace {

__extension__ using Wide = __int128;  // no sum of 64-bit numbers that memory holds is greater

/// Whether `a` is to stay rather than the earlier `b`.  What is not a number stays, so that it is seen.
template <class T>
bool replaces(ParallelRule rule, T a, T b) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(b)) return false;
    if (std::isnan(a)) return true;
  }
  return rule == ParallelRule::min ? a < b : b < a;
}

/// False: it does not fit.
template <class T>
bool push_sum(const ColumnValues& values, std::size_t begin, std::size_t end, ColumnValues& to) {
  std::conditional_t<std::is_floating_point_v<T>, double, Wide> sum = 0;
  bool finite = true, any = false;
  for (std::size_t row = begin; row < end; ++row) {
    if (!values.is_valid(row)) continue;
    const T value = fixed_at<T>(values, row);
    if constexpr (std::is_floating_point_v<T>) finite = finite && std::isfinite(value);
    sum += value;
    any = true;
  }
  if (!any) {
    to.push_null();
    return true;
  }
  const T narrow = static_cast<T>(sum);
  push_fixed(to, narrow);
  if constexpr (std::is_floating_point_v<T>) return !finite || std::isfinite(narrow);
  else return sum >= std::numeric_limits<T>::min() && sum <= std::numeric_limits<T>::max();
}

template <class T>
void push_extreme(ParallelRule rule, const ColumnValues& values, std::size_t begin, std::size_t end, ColumnValues& to) {
  std::size_t best = end;
  for (std::size_t row = begin; row < end; ++row) {
    if (!values.is_valid(row)) continue;
    if (best == end || replaces(rule, fixed_at<T>(values, row), fixed_at<T>(values, best))) best = row;
  }
  best == end ? to.push_null() : to.push_row(values, best);
}

/// False: a sum does not fit.
bool push_group(const ColumnSchema& column, const ColumnValues& values, std::size_t begin, std::size_t end,
                ColumnValues& to) {
  return visit_column(column.type, [&]<class T>(ColumnTag<T>) {
    switch (column.parallel) {
      case ParallelRule::last: to.push_row(values, end - 1); return true;
      case ParallelRule::first: to.push_row(values, begin); return true;
      case ParallelRule::sum:
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) return push_sum<T>(values, begin, end, to);
        return false;
      case ParallelRule::min:
      case ParallelRule::max:
        if constexpr (std::is_arithmetic_v<T>) push_extreme<T>(column.parallel, values, begin, end, to);
        return true;
    }
    return false;
  });
}

}  // namespace

bool combines(const GraphSchema& schema) noexcept {
  if (schema.parallel_edges != ParallelEdges::merge) return false;
  if (!schema.rows) return schema.weights != WeightType::none && schema.weight_rule != ParallelRule::last;
  return std::any_of(schema.edge_columns.begin(), schema.edge_columns.end(),
                     [](const ColumnSchema& column) { return column.parallel != ParallelRule::last; });
}

double combined_weight(ParallelRule rule, WeightType type, std::span<const double> weights) noexcept {
  switch (rule) {
    case ParallelRule::last: return weights.back();
    case ParallelRule::first: return weights.front();
    case ParallelRule::min: return *std::min_element(weights.begin(), weights.end());
    case ParallelRule::max: return *std::max_element(weights.begin(), weights.end());
    case ParallelRule::sum: break;
  }
  if (type == WeightType::int32) {
    std::int64_t sum = 0;
    for (const double weight : weights) sum += static_cast<std::int64_t>(weight);
    return static_cast<double>(sum);
  }
  double sum = 0;
  for (const double weight : weights) sum += weight;
  return sum;
}

Result<ColumnValues> combined_values(const ColumnSchema& column, const ColumnValues& values,
                                     std::span<const std::size_t> ends, FunctionRef<std::string(std::size_t)> edge_of) {
  ColumnValues combined{column.name, column.type, {}, {}, {}};
  std::size_t begin = 0;
  for (std::size_t group = 0; group < ends.size(); ++group) {
    if (!push_group(column, values, begin, ends[group], combined))
      return refused_sum(column.name, column_type_name(column.type), edge_of(group));
    begin = ends[group];
  }
  return combined;
}

Error refused_sum(std::string_view column, std::string_view type, std::string_view edge) {
  return {ErrorCode::invalid_argument, "the sum of '" + std::string(column) + "' over the parallel edges " +
                                           std::string(edge) + " does not fit " + std::string(type) +
                                           "; create the graph with a wider type, or combine it by another rule"};
}

std::string id_text(const IdColumn& ids, std::size_t i) {
  if (const auto* texts = std::get_if<StringColumn>(&ids)) return "'" + std::string((*texts)[i]) + "'";
  return std::to_string(std::get<std::vector<std::int64_t>>(ids)[i]);
}

}  // namespace rizoma
