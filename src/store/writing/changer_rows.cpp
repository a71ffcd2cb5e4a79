// Changer: values of edges and vertices, staged as rows.
#include "store/writing/changer.h"
#include "store/columns/column_rules.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>

namespace rizoma {

/// Stages a block of rows, and logs it.  Gives the number of the first.
Result<std::uint64_t> Changer::stage_rows(RowKind kind, const ColumnTable& values, std::uint64_t rows,
                                          std::span<const VertexId> vertices) {
  const bool of_edges = kind == RowKind::edges;
  RowTable& table = of_edges ? contents_.edge_rows : contents_.vertex_rows;
  const std::uint64_t first = table.end();
  if (rows > kMostRows - first) {
    return Error{ErrorCode::unsupported, "the graph at " + callers_.where() + " has had " + std::to_string(first) +
                                             " rows of values: there may be no more"};
  }
  std::vector<RowColumn> columns;
  for (const ColumnSchema& column : of_edges ? contents_.schema.edge_columns : contents_.schema.vertex_columns) {
    if (const ColumnValues* found = values.find(column.name)) columns.push_back({column.id, found});
  }
  std::sort(columns.begin(), columns.end(), [](const RowColumn& a, const RowColumn& b) { return a.id < b.id; });
  ColumnValues keys{"", ColumnType::uint64, {}, {}, {}};
  if (!of_edges) {
    const auto raw = std::as_bytes(vertices);
    keys.values.assign(raw.begin(), raw.end());
    columns.push_back({format::kVertexColumn, &keys});
  }
  auto bytes = std::make_shared<const std::vector<std::byte>>(encode_rows(kind, first, rows, columns, false));
  payload_.rows(rows, *bytes);
  RIZOMA_ASSIGN(RowBlock block, RowBlock::open(*bytes, bytes, "a new block of rows"));
  table.stage(std::move(block));
  return first;
}

/// Gives edges their rows; their weights say which rows of `values` are theirs.
Status Changer::number_rows(const ColumnTable& values, Columns& columns) {
  const std::size_t count = columns.sources.size();
  if (values.empty() || count == 0) {
    columns.weights.assign(count, 0.0);
    return {};
  }
  const std::vector<std::uint64_t> rows(columns.weights.begin(), columns.weights.end());
  const bool all = count == values.columns.front().size();
  RIZOMA_ASSIGN(const std::uint64_t first, stage_rows(RowKind::edges, all ? values : take_rows(values, rows), count));
  std::iota(columns.weights.begin(), columns.weights.end(), static_cast<double>(first));
  return {};
}

/// Rows with the given values where there are any, and the present ones elsewhere.
Result<ColumnTable> Changer::merged(RowKind kind, const ColumnTable& given, std::span<const std::uint64_t> given_rows,
                                    std::span<const std::uint64_t> present_rows) const {
  const bool of_edges = kind == RowKind::edges;
  const auto state = (of_edges ? contents_.edge_rows : contents_.vertex_rows).staged();
  ColumnTable all = take_rows(given, given_rows);
  for (const ColumnSchema& column : of_edges ? contents_.schema.edge_columns : contents_.schema.vertex_columns) {
    if (given.find(column.name) != nullptr) continue;
    RIZOMA_ASSIGN(all.columns.emplace_back(), state->values(column, present_rows));
  }
  return all;
}

/// Of rows that name the same edge the last one counts.  An edge gets a new row, in which the columns that are not set
/// are as before.
Status Changer::set_edges(const Batch::Step& step) {
  RIZOMA_TRY(check_table(step.edges.columns, step.edges.size(), contents_.schema.edge_columns, "edges"));
  if (step.edges.columns.empty()) {
    return Error{ErrorCode::invalid_argument, "there are no values to set: name columns of the graph's edges"};
  }
  RIZOMA_ASSIGN(const Found found, find_by_key(step));
  constexpr std::size_t kNone = SIZE_MAX;
  std::vector<std::size_t> last(found.pairs.size(), kNone);
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    const std::span<const double> edges = found.weights[found.rows[row]];
    if (edges.empty()) {
      RIZOMA_TRY(missing_edge(step, row));
      continue;
    }
    if (last[found.rows[row]] == kNone) counts_.weights_set += edges.size();
    last[found.rows[row]] = row;
  }
  Columns before;
  std::vector<std::uint64_t> given, present;
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (last[i] == kNone) continue;
    for (const double row : found.weights[i]) {
      before.push(found.pairs[i]);
      before.weights.push_back(row);
      given.push_back(last[i]);
      present.push_back(static_cast<std::uint64_t>(row));
    }
  }
  if (given.empty()) return {};
  RIZOMA_ASSIGN(const ColumnTable values, merged(RowKind::edges, step.edges.columns, given, present));
  RIZOMA_ASSIGN(const std::uint64_t first, stage_rows(RowKind::edges, values, given.size()));
  Columns after = before;
  std::iota(after.weights.begin(), after.weights.end(), static_cast<double>(first));
  if (contents_.schema.parallel_edges == ParallelEdges::merge) {
    change(ChangeKind::set_weight, after);
  } else {
    change(ChangeKind::remove_one, before);
    change(ChangeKind::add, after);
  }
  return {};
}

Status Changer::set_vertices(const Batch::Step& step) {
  RIZOMA_TRY(check_table(step.values, size(step.vertices), contents_.schema.vertex_columns, "vertices"));
  RIZOMA_ASSIGN(const auto numbers, contents_.dictionary->view(contents_.dictionary->size()).find(step.vertices));
  std::vector<VertexId> there;
  std::vector<std::uint64_t> rows;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != kNoVertex && !contents_.staged_removed->contains(numbers[i])) {
      there.push_back(numbers[i]);
      rows.push_back(i);
      continue;
    }
    ++counts_.vertices_missing;
    if (step.missing == Missing::error) return no_vertex(step, i);
  }
  counts_.vertices_set += std::unordered_set<VertexId>(there.begin(), there.end()).size();
  return there.empty() || step.values.empty() ? Status() : set_values(there, take_rows(step.values, rows));
}

/// Of a vertex that is named more than once the last row counts.
Status Changer::set_values(std::span<const VertexId> vertices, const ColumnTable& values) {
  std::vector<std::pair<VertexId, std::uint64_t>> rows;
  for (std::size_t i = 0; i < vertices.size(); ++i) rows.emplace_back(vertices[i], i);
  std::sort(rows.begin(), rows.end());
  std::vector<VertexId> named;
  std::vector<std::uint64_t> given, present;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + 1 < rows.size() && rows[i + 1].first == rows[i].first) continue;
    named.push_back(rows[i].first);
    given.push_back(rows[i].second);
    RIZOMA_ASSIGN(present.emplace_back(), contents_.vertex_rows.row_of(named.back()));
  }
  RIZOMA_ASSIGN(const ColumnTable all, merged(RowKind::vertices, values, given, present));
  const auto staged = stage_rows(RowKind::vertices, all, named.size(), named);
  return staged ? Status() : staged.error();
}

/// Vertices that go leave no values behind, should they come back.
Status Changer::forget_values(std::span<const VertexId> gone) {
  if (contents_.schema.vertex_columns.empty()) return {};
  const auto staged = stage_rows(RowKind::vertices, {}, gone.size(), gone);
  return staged ? Status() : staged.error();
}

}  // namespace rizoma
