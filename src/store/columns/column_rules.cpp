#include "store/columns/column_rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Weights as the column that a graph with columns keeps them in.
ColumnValues weight_column(const std::vector<double>& weights, ColumnType type) {
  ColumnValues column{std::string(kWeightColumn), type, {}, {}, {}};
  column.values.resize(weights.size() * column_width(type));
  visit_column(type, [&]<class T>(ColumnTag<T>) {
    if constexpr (std::is_arithmetic_v<T>) {
      std::byte* to = column.values.data();
      for (const double weight : weights) {
        const T value = static_cast<T>(weight);
        std::memcpy(to, &value, sizeof value);
        to += sizeof value;
      }
    }
  });
  return column;
}

/// Checks the columns of edges, but for one of marks: beside weights that of their name.
Status check_values(const GraphSchema& schema, const EdgeBatch& edges) {
  const bool marked = schema.weights != WeightType::none && edges.columns.find(kWeightColumn) != nullptr;
  if (!marked) return check_table(edges.columns, edges.size(), schema.edge_columns, "edges");
  ColumnTable unmarked = edges.columns;
  std::erase_if(unmarked.columns, [](const ColumnValues& column) { return column.name == kWeightColumn; });
  return check_table(unmarked, edges.size(), schema.edge_columns, "edges");
}

}  // namespace

ColumnType weight_column_type(WeightType type) noexcept {
  return type == WeightType::int32     ? ColumnType::int32
         : type == WeightType::float32 ? ColumnType::float32
                                       : ColumnType::float64;
}

ColumnTable weight_values(const GraphSchema& schema, const std::vector<double>& weights) {
  return {{weight_column(weights, find_column(schema.edge_columns, kWeightColumn)->type)}};
}

Result<CompleteColumns> CompleteColumns::of(const GraphSchema& schema, const EdgeBatch& edges) {
  const bool weighted = schema.weights != WeightType::none;
  CompleteColumns complete;
  complete.columns_ = &edges.columns;
  RIZOMA_TRY(check_values(schema, edges));
  if (weighted) {
    complete.weight_ = std::move(weight_values(schema, edges.weights).columns.front());
    RIZOMA_ASSIGN(complete.weight_->given, weights_given(schema, edges));
  }
  for (const ColumnSchema& column : schema.edge_columns) {
    if (column.nullable || edges.size() == 0) continue;
    if (weighted && column.name == kWeightColumn) continue;
    const ColumnValues* const values = complete.find(column.name);
    if (values != nullptr && std::find(values->given.begin(), values->given.end(), 0) == values->given.end()) continue;
    return Error{ErrorCode::invalid_argument,
                 "column '" + column.name + "' may not be null; give a value for each edge"};
  }
  return complete;
}

Result<EdgeBatch> complete_edges(const GraphSchema& schema, const EdgeBatch& edges) {
  RIZOMA_ASSIGN(const CompleteColumns columns, CompleteColumns::of(schema, edges));
  EdgeBatch complete = edges;
  if (columns.weight() == nullptr) return complete;
  std::erase_if(complete.columns.columns, [](const ColumnValues& column) { return column.name == kWeightColumn; });
  complete.columns.columns.push_back(*columns.weight());
  complete.weights.clear();
  return complete;
}

Result<std::vector<std::uint8_t>> weights_given(const GraphSchema& schema, const EdgeBatch& edges) {
  if (schema.weights == WeightType::none) return std::vector<std::uint8_t>();
  RIZOMA_ASSIGN(std::vector<std::uint8_t> marks, weight_marks(edges));
  const ColumnSchema* const column = find_column(schema.edge_columns, kWeightColumn);
  const ParallelRule rule = column == nullptr ? schema.weight_rule : column->parallel;
  const bool keeps = schema.parallel_edges == ParallelEdges::merge && rule == ParallelRule::last;
  return keeps ? std::move(marks) : std::vector<std::uint8_t>();
}

Result<std::vector<std::uint8_t>> weight_marks(const EdgeBatch& edges) {
  const ColumnValues* const marks = edges.columns.find(kWeightColumn);
  if (marks == nullptr || marks->given.empty()) return std::vector<std::uint8_t>();
  if (marks->given.size() != edges.size()) {
    return Error{ErrorCode::invalid_argument,
                 "column 'weight' does not have " + std::to_string(edges.size()) + " rows"};
  }
  const bool all = std::find(marks->given.begin(), marks->given.end(), 0) == marks->given.end();
  return all ? std::vector<std::uint8_t>() : marks->given;
}

bool leaves_values_out(const GraphSchema& schema, const ColumnTable& values) {
  if (schema.parallel_edges != ParallelEdges::merge) return false;
  return std::any_of(schema.edge_columns.begin(), schema.edge_columns.end(), [&](const ColumnSchema& column) {
    const ColumnValues* const found = values.find(column.name);
    return found == nullptr || std::find(found->given.begin(), found->given.end(), 0) != found->given.end();
  });
}

Status check_parallel_rules(const GraphSchema& schema) {
  bool any = schema.weight_rule != ParallelRule::last || schema.parallel_rule != ParallelRule::last;
  for (const ColumnSchema& column : schema.edge_columns) {
    RIZOMA_TRY(check_parallel_rule(column));
    any = any || column.parallel != ParallelRule::last;
  }
  if (!any) return {};
  if (schema.edge_columns.empty() && schema.weights == WeightType::none) {
    return Error{ErrorCode::invalid_argument,
                 "a rule for parallel edges combines their weights and columns, and the edges have none; create the "
                 "graph with weights or with columns of edges"};
  }
  if (schema.parallel_edges == ParallelEdges::merge) return {};
  return Error{ErrorCode::invalid_argument, "a graph that keeps parallel edges does not combine their values"};
}

Status check_edge_columns(const GraphSchema& schema) {
  RIZOMA_TRY(check_parallel_rules(schema));
  constexpr std::array<std::string_view, 2> kTaken = {"source", "target"};
  RIZOMA_TRY(check_columns_of_schema(schema.edge_columns, kTaken, "edges"));
  const ColumnSchema* weight = find_column(schema.edge_columns, kWeightColumn);
  if (weight == nullptr || (schema.rows && weight->id != 0)) return {};
  return Error{ErrorCode::invalid_argument, "a weight must have the type int32, float32 or float64"};
}

Status check_vertex_columns(const GraphSchema& schema) {
  constexpr std::array<std::string_view, 5> kTaken = {"vertex", "degree", "in_degree", "out_degree", "id"};
  RIZOMA_TRY(check_columns_of_schema(schema.vertex_columns, kTaken, "vertices"));
  for (const ColumnSchema& column : schema.vertex_columns) {
    if (column.nullable) continue;
    return Error{ErrorCode::invalid_argument,
                 "column '" + column.name +
                     "' of vertices must be nullable, because vertices that edges name have no values at first"};
  }
  return {};
}

void number_columns(GraphSchema& schema) {
  if (schema.next_column > 1) return;  // that of a store
  schema.rows = !schema.edge_columns.empty();
  if (schema.rows && schema.weights != WeightType::none) {
    schema.edge_columns.insert(schema.edge_columns.begin(), {0, weight_column_type(schema.weights), false,
                                                             std::string(kWeightColumn), schema.weight_rule});
  }
  schema.next_column = 1;
  for (ColumnSchema& column : schema.edge_columns) column.id = schema.next_column++;
  for (ColumnSchema& column : schema.vertex_columns) column.id = schema.next_column++;
}

}  // namespace rizoma
