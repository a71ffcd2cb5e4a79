// Transaction: values of edges and vertices, staged as rows.
#include "store/writing/transaction.h"
#include "store/columns/column_rules.h"
#include "store/writing/edges_to_set.h"
#include "store/writing/missing.h"
#include "store/writing/row_groups.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>

namespace rizoma {
namespace {

/// An edge or a group that gets a new row of values, and its present row.
struct Renewed {
  std::size_t group;
  std::uint64_t present;
};

/// A row for each of `renewed`: of each column the value that the last of its rows gives, else the current one.
Result<ColumnTable> merged(const Contents& contents, RowKind kind, const ColumnTable& given, const RowGroups& groups,
                           std::span<const Renewed> renewed) {
  const bool of_edges = kind == RowKind::edges;
  const auto state = (of_edges ? contents.edge_rows : contents.vertex_rows).staged();
  ColumnTable all;
  for (const ColumnSchema& column : of_edges ? contents.schema.edge_columns : contents.schema.vertex_columns) {
    const ColumnValues* const found = given.find(column.name);
    std::vector<std::size_t> last;
    std::vector<std::uint64_t> kept;
    for (const Renewed& each : renewed) {
      last.push_back(found == nullptr ? kNoRow : groups.last_given(each.group, *found));
      if (last.back() == kNoRow) kept.push_back(each.present);
    }
    RIZOMA_ASSIGN(const ColumnValues present, state->values(column, kept));
    ColumnValues& values = all.columns.emplace_back(ColumnValues{column.name, column.type, {}, {}, {}});
    std::size_t at = 0;
    for (const std::size_t row : last) row == kNoRow ? values.push_row(present, at++) : values.push_row(*found, row);
  }
  return all;
}

/// Whether a row of a step that sets edges gives a value beside its key.
bool gives_values(const Batch::Step& step, std::size_t row) {
  return std::any_of(step.edges.columns.columns.begin(), step.edges.columns.columns.end(),
                     [&](const ColumnValues& column) { return column.name != step.key && column.is_given(row); });
}

}  // namespace

/// Stages a block of rows, and logs it.  Gives the number of the first.
Result<std::uint64_t> Transaction::stage_rows(RowKind kind, const ColumnTable& values, std::uint64_t rows,
                                              std::span<const VertexId> vertices) {
  const bool of_edges = kind == RowKind::edges;
  RowTable& table = of_edges ? contents_.edge_rows : contents_.vertex_rows;
  const std::uint64_t first = table.end();
  if (rows > kMostRows - first) {
    return Error{ErrorCode::unsupported, "the graph at " + access_.where() + " has had " + std::to_string(first) +
                                             " rows of values, the most that it can have; make a new graph"};
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
Status Transaction::number_rows(const ColumnTable& values, Columns& columns) {
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

/// Of rows that name the same edge the last one that gives a column counts.  An edge gets a new row, in which the
/// columns that are not given are as before.
Status Transaction::set_edges(const Batch::Step& step) {
  RIZOMA_TRY(check_table(step.edges.columns, step.edges.size(), contents_.schema.edge_columns, "edges"));
  if (step.edges.columns.empty()) {
    return Error{ErrorCode::invalid_argument, "there are no values to set; name columns of the graph's edges"};
  }
  const bool by_pair = step.key.empty();
  RIZOMA_ASSIGN(const FoundEdges all, staged_.find(step.edges));
  FoundEdges keyed;
  if (!by_pair) {
    RIZOMA_ASSIGN(keyed, staged_.divided(step, all));
  }
  const FoundEdges& found = by_pair ? all : keyed;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> named;  // (pair, row)
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    if (found.weights[found.rows[row]].empty()) RIZOMA_TRY(missing_edge(counts_, step, row));
    else if (gives_values(step, row)) named.emplace_back(found.rows[row], row);
  }
  const RowGroups groups(std::move(named));
  const std::vector<EdgeToSet> edges = by_pair ? edges_by_pair(all, groups) : edges_by_key(all, keyed, groups);
  return edges.empty() ? Status() : rewrite_edges(step, groups, edges);
}

Status Transaction::rewrite_edges(const Batch::Step& step, const RowGroups& groups, std::span<const EdgeToSet> edges) {
  Columns before;
  std::vector<Renewed> renewed;
  for (const EdgeToSet& edge : edges) {
    before.push(edge.pair);
    before.weights.push_back(edge.row);
    if (edge.group != kNoRow) renewed.push_back({edge.group, static_cast<std::uint64_t>(edge.row)});
  }
  counts_.weights_set += renewed.size();
  RIZOMA_ASSIGN(const ColumnTable values, merged(contents_, RowKind::edges, step.edges.columns, groups, renewed));
  RIZOMA_ASSIGN(std::uint64_t next, stage_rows(RowKind::edges, values, renewed.size()));
  Columns after = before;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].group != kNoRow) after.weights[i] = static_cast<double>(next++);
  }
  if (contents_.schema.parallel_edges == ParallelEdges::merge) {
    change(ChangeKind::set_weight, after);
  } else {
    change(ChangeKind::remove_one, before);
    change(ChangeKind::add, after);
  }
  return {};
}

Status Transaction::set_vertices(const Batch::Step& step) {
  RIZOMA_TRY(check_table(step.values, size(step.vertices), contents_.schema.vertex_columns, "vertices"));
  RIZOMA_ASSIGN(const auto numbers, contents_.dictionary->view(contents_.dictionary->size()).find(step.vertices));
  std::vector<VertexId> there;
  std::vector<std::uint64_t> rows;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (vertices_.contains(numbers[i])) {
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

/// Of a vertex that is named more than once the last row that gives a column counts.
Status Transaction::set_values(std::span<const VertexId> vertices, const ColumnTable& values) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto gives = [i](const ColumnValues& column) { return column.is_given(i); };
    if (std::any_of(values.columns.begin(), values.columns.end(), gives)) rows.emplace_back(vertices[i], i);
  }
  if (rows.empty()) return {};
  const RowGroups groups(std::move(rows));
  std::vector<VertexId> named;
  std::vector<Renewed> renewed;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    named.push_back(groups.name(group));
    RIZOMA_ASSIGN(const std::uint64_t present, contents_.vertex_rows.row_of(named.back()));
    renewed.push_back({group, present});
  }
  RIZOMA_ASSIGN(const ColumnTable all, merged(contents_, RowKind::vertices, values, groups, renewed));
  const auto staged = stage_rows(RowKind::vertices, all, named.size(), named);
  return staged ? Status() : staged.error();
}

}  // namespace rizoma
