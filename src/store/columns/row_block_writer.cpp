#include "store/columns/row_block_writer.h"

#include "base/check.h"
#include "store/columns/row_runs.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// A block up to this size is rewritten together with the rows after it.
constexpr std::uint64_t kMergedRows = std::uint64_t{1} << 18;

/// The last row of each vertex among [first, end), by vertex.
Result<std::vector<std::pair<VertexId, std::uint64_t>>> last_rows(const RowState& state, std::uint64_t first) {
  std::vector<std::pair<VertexId, std::uint64_t>> rows;
  RIZOMA_TRY(state.for_blocks([&](const RowBlock& block) -> Status {
    for (std::uint64_t i = 0; block.first() >= first && i < block.size(); ++i) {
      rows.emplace_back(block.vertex(i), block.first() + i);
    }
    return {};
  }));
  std::sort(rows.begin(), rows.end());
  const auto superseded = [&](std::size_t i) { return i + 1 < rows.size() && rows[i].first == rows[i + 1].first; };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!superseded(i)) rows[kept++] = rows[i];
  }
  rows.resize(kept);
  return rows;
}

/// The groups in the order of their last rows; without those of edges that have no row.
std::vector<std::size_t> by_last_row(const MergedRows& groups) {
  std::vector<std::size_t> order;
  for (std::size_t group = 0; group < groups.ends.size(); ++group) {
    if (groups[group].back() != 0) order.push_back(group);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return groups[a].back() < groups[b].back(); });
  return order;
}

/// Values of all columns in these rows, and of vertices whose they are.
class Gathered {
 public:
  static Result<Gathered> of(const RowState& state, const std::vector<ColumnSchema>& columns,
                             std::span<const std::uint64_t> rows) {
    Gathered gathered;
    for (const ColumnSchema& column : columns) {
      RIZOMA_ASSIGN(gathered.values_.emplace_back(), state.values(column, rows));
      gathered.ids_.push_back(column.id);
    }
    return gathered;
  }
  /// The same of rows of vertices, and whose each is.
  static Result<Gathered> of_vertices(const RowState& state, const std::vector<ColumnSchema>& columns,
                                      std::span<const std::pair<VertexId, std::uint64_t>> row_of_vertex) {
    std::vector<std::uint64_t> rows;
    std::vector<VertexId> vertices;
    for (const auto& [vertex, row] : row_of_vertex) {
      vertices.push_back(vertex);
      rows.push_back(row);
    }
    RIZOMA_ASSIGN(Gathered gathered, of(state, columns, rows));
    const auto bytes = std::as_bytes(std::span(vertices));
    gathered.values_.push_back({"", ColumnType::uint64, {bytes.begin(), bytes.end()}, {}, {}});
    gathered.ids_.push_back(format::kVertexColumn);
    return gathered;
  }
  /// The rows of a block; the last row of each of `some` groups has the values that the columns' rules give the group.
  /// A row that leaves a column out counts in it only as the first of its group, which makes the edge.
  static Result<Gathered> of_combined(const RowState& state, const std::vector<ColumnSchema>& columns,
                                      const RowsEntry& block, const MergedRows& groups,
                                      std::span<const std::size_t> some, const LeftOutValues& left_out) {
    std::vector<std::uint64_t> last;
    for (const std::size_t group : some) last.push_back(groups[group].back());
    Gathered gathered;
    for (const ColumnSchema& column : columns) {
      std::vector<std::uint64_t> rows;
      std::vector<std::size_t> ends;
      for (const std::size_t group : some) {
        rows.push_back(groups[group].front());
        std::ranges::copy_if(groups[group].subspan(1), std::back_inserter(rows),
                             [&](std::uint64_t row) { return !left_out.contains(column.id, row); });
        ends.push_back(rows.size());
      }
      RIZOMA_ASSIGN(const ColumnValues before, state.values_between(column, block.first, block.first + block.rows));
      RIZOMA_ASSIGN(const ColumnValues values, state.values(column, rows));
      RIZOMA_ASSIGN(const ColumnValues combined, combined_values(column, values, ends, [&](std::size_t i) {
                      return "that end with edge " + std::to_string(last[i] - 1) + " (counted from 0)";
                    }));
      ColumnValues& after = gathered.values_.emplace_back(ColumnValues{column.name, column.type, {}, {}, {}});
      std::size_t next = 0;
      for (std::size_t i = 0; i < before.size(); ++i) {
        const bool stays = next == last.size() || last[next] != block.first + i;
        stays ? after.push_row(before, i) : after.push_row(combined, next++);
      }
      gathered.ids_.push_back(column.id);
    }
    return gathered;
  }
  [[nodiscard]] std::vector<RowColumn> columns() const {
    std::vector<RowColumn> columns;
    for (std::size_t i = 0; i < ids_.size(); ++i) columns.push_back({ids_[i], &values_[i]});
    std::sort(columns.begin(), columns.end(), [](const RowColumn& a, const RowColumn& b) { return a.id < b.id; });
    return columns;
  }

 private:
  std::vector<ColumnValues> values_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace

Result<std::shared_ptr<const StoredRows>> RowWriter::write_block(RowKind kind, std::uint64_t first, std::uint64_t rows,
                                                                 std::span<const RowColumn> columns) {
  std::vector<std::byte> block;
  return write_block(kind, first, rows, columns, block);
}

Result<std::shared_ptr<const StoredRows>> RowWriter::write_block(RowKind kind, std::uint64_t first, std::uint64_t rows,
                                                                 std::span<const RowColumn> columns,
                                                                 std::vector<std::byte>& block) {
  encode_rows(kind, first, rows, columns, true, block);
  RIZOMA_ASSIGN(auto lease, space_.write(block));
  const RowsEntry entry{lease->extent(), rows_id(block), first, rows};
  return std::make_shared<const StoredRows>(std::move(lease), entry);
}

Result<RowParts> RowWriter::combined_rows(RowParts stored, const std::shared_ptr<const DataFiles>& data,
                                          const std::vector<ColumnSchema>& columns, MergedRows groups,
                                          const LeftOutValues& left_out) {
  const RowState state({RowKind::edges, data, stored, {}, rows_end(stored)});
  const std::vector<std::size_t> order = by_last_row(groups);
  std::size_t begin = 0;
  for (std::shared_ptr<const StoredRows>& part : stored) {
    std::size_t end = begin;
    while (end < order.size() && groups[order[end]].back() < part->end()) ++end;
    if (end == begin) continue;
    const std::span<const std::size_t> some(order.data() + begin, end - begin);
    RIZOMA_ASSIGN(const Gathered gathered,
                  Gathered::of_combined(state, columns, part->entry(), groups, some, left_out));
    RIZOMA_ASSIGN(part, write_block(RowKind::edges, part->entry().first, part->entry().rows, gathered.columns()));
    begin = end;
  }
  return stored;
}

Result<RowParts> RowWriter::write_live_rows(const RowState& state, const std::vector<ColumnSchema>& columns,
                                            const std::vector<bool>& live) {
  RIZOMA_ASSIGN(const RowRuns all, RowRuns::of(state, columns, 1));
  RIZOMA_CHECK(live.size() == all.places());
  RowParts parts;
  std::size_t place = 0;
  for (const RowRun& run : all.runs()) {
    if (!run.has_values) {
      RIZOMA_ASSIGN(parts.emplace_back(), write_block(RowKind::edges, run.first, run.end - run.first, {}));
      continue;
    }
    for (std::uint64_t first = run.first; first < run.end; first += kMergedRows) {
      std::vector<std::uint64_t> rows(std::min(kMergedRows, run.end - first));
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = live[place++] ? first + i : 0;
      RIZOMA_ASSIGN(const Gathered gathered, Gathered::of(state, columns, rows));
      RIZOMA_ASSIGN(parts.emplace_back(), write_block(RowKind::edges, first, rows.size(), gathered.columns()));
    }
  }
  return parts;
}

Result<RowParts> RowWriter::write_rows(RowParts stored, const RowState& state,
                                       const std::vector<ColumnSchema>& columns) {
  std::uint64_t first = rows_end(stored);
  if (state.end() == first) return stored;
  while (!stored.empty() && stored.back()->entry().rows <= std::min(kMergedRows, 2 * (state.end() - first))) {
    first = stored.back()->entry().first;
    stored.pop_back();
  }
  if (state.parts().kind == RowKind::edges) {
    RIZOMA_ASSIGN(const RowRuns all, RowRuns::of(state, columns, first));
    for (const RowRun& run : all.runs()) {
      // What has no values is not gathered: how many rows that is a block says itself, whatever its length.
      std::vector<std::uint64_t> rows(run.has_values ? run.end - run.first : 0);
      std::iota(rows.begin(), rows.end(), run.first);
      Gathered gathered;
      if (run.has_values) {
        RIZOMA_ASSIGN(gathered, Gathered::of(state, columns, rows));
      }
      const std::uint64_t count = run.end - run.first;
      RIZOMA_ASSIGN(stored.emplace_back(), write_block(RowKind::edges, run.first, count, gathered.columns()));
    }
    return stored;
  }
  RIZOMA_ASSIGN(const auto last, last_rows(state, first));
  RIZOMA_ASSIGN(const Gathered gathered, Gathered::of_vertices(state, columns, last));
  RIZOMA_ASSIGN(stored.emplace_back(), write_block(RowKind::vertices, first, last.size(), gathered.columns()));
  return stored;
}

Result<std::vector<std::byte>> renamed_block(const std::shared_ptr<const DataFiles>& data, RowBlock block,
                                             std::uint64_t first, const std::vector<ColumnSchema>& columns,
                                             RenameVertices renamed) {
  std::vector<VertexId> before(block.size());
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = block.vertex(i);
  RIZOMA_ASSIGN(const std::vector<VertexId> after, renamed(before));
  std::vector<std::pair<VertexId, std::uint64_t>> rows;
  for (std::size_t i = 0; i < after.size(); ++i) rows.emplace_back(after[i], block.first() + i);
  std::sort(rows.begin(), rows.end());
  const std::uint64_t end = block.end();
  auto tail = std::make_shared<RowTail>();
  tail->append(std::move(block));
  const RowState state({RowKind::vertices, data, {}, {{std::move(tail), 1}}, end});
  RIZOMA_ASSIGN(const Gathered gathered, Gathered::of_vertices(state, columns, rows));
  return encode_rows(RowKind::vertices, first, rows.size(), gathered.columns(), false);
}

Result<RowParts> RowWriter::renamed_rows(const RowState& state, const std::vector<ColumnSchema>& columns,
                                         RenameVertices renamed) {
  RIZOMA_ASSIGN(const auto last, last_rows(state, 1));
  std::vector<VertexId> before;
  for (const auto& [vertex, row] : last) before.push_back(vertex);
  RIZOMA_ASSIGN(const std::vector<VertexId> after, renamed(before));
  std::vector<std::pair<VertexId, std::uint64_t>> kept;
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (after[i] != kNoVertex) kept.emplace_back(after[i], last[i].second);
  }
  RowParts parts;
  if (kept.empty()) return parts;
  std::sort(kept.begin(), kept.end());
  RIZOMA_ASSIGN(const Gathered gathered, Gathered::of_vertices(state, columns, kept));
  RIZOMA_ASSIGN(parts.emplace_back(), write_block(RowKind::vertices, 1, kept.size(), gathered.columns()));
  return parts;
}

}  // namespace rizoma
