// Store: rows in extents, and columns that come and go.
#include "store/store.h"

#include "base/check.h"
#include "store/columns/column_rules.h"
#include "store/columns/row_runs.h"
#include "store/messages.h"
#include "store/space/data_files.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// Blocks up to this size are written anew together with what comes behind them.
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

/// The same rows without the blocks that cannot be read, or are of vertices from `vertices` on: nothing is known of
/// theirs.
Result<std::shared_ptr<const RowState>> readable_rows(const RowState& state, VertexId vertices, const char* whose,
                                                      std::vector<std::string>& lost) {
  RowState::Parts parts = state.parts();
  parts.stored.clear();
  for (const auto& stored : state.parts().stored) {
    auto block = stored->load(*parts.data, parts.kind);
    const bool of_vertices = block && parts.kind == RowKind::vertices;
    if (of_vertices && (*block)->vertex((*block)->size() - 1) >= vertices) block = corrupt("a block of rows", "");
    if (block) {
      parts.stored.push_back(stored);
    } else if (block.error().code == ErrorCode::corrupt || block.error().code == ErrorCode::io) {
      lost.push_back("the values of up to " + std::to_string(stored->entry().rows) + " " + whose +
                     ": their rows are damaged");
    } else {
      return block.error();
    }
  }
  return std::make_shared<const RowState>(std::move(parts));
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

Result<std::shared_ptr<const StoredRows>> Store::write_block(RowKind kind, std::uint64_t first, std::uint64_t rows,
                                                             std::span<const RowColumn> columns) {
  const std::vector<std::byte> block = encode_rows(kind, first, rows, columns, true);
  RIZOMA_ASSIGN(auto lease, space_->write(block));
  const RowsEntry entry{lease->extent(), rows_id(block), first, rows};
  return std::make_shared<const StoredRows>(std::move(lease), entry);
}

/// All rows of edges in new blocks; `live`, by their places among those with values, says of which the values stay.
Result<RowParts> Store::write_live_rows(const RowState& state, const std::vector<ColumnSchema>& columns,
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

/// The blocks of a state in extents, `stored` being those that are there: what is only in memory becomes one more,
/// with the small ones before it.
Result<RowParts> Store::write_rows(RowParts stored, const RowState& state, const std::vector<ColumnSchema>& columns) {
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

/// A block of rows of vertices whose first row is to be `first`, each under the number that its vertex has now.
Result<std::vector<std::byte>> Store::renamed_block(
    RowBlock block, std::uint64_t first, const std::vector<ColumnSchema>& columns,
    FunctionRef<Result<std::vector<VertexId>>(std::span<const VertexId>)> renamed) const {
  std::vector<VertexId> before(block.size());
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = block.vertex(i);
  RIZOMA_ASSIGN(const std::vector<VertexId> after, renamed(before));
  std::vector<std::pair<VertexId, std::uint64_t>> rows;
  for (std::size_t i = 0; i < after.size(); ++i) rows.emplace_back(after[i], block.first() + i);
  std::sort(rows.begin(), rows.end());
  const std::uint64_t end = block.end();
  auto tail = std::make_shared<RowTail>();
  tail->append(std::move(block));
  const RowState state({RowKind::vertices, space_->data(), {}, {{std::move(tail), 1}}, end});
  RIZOMA_ASSIGN(const Gathered gathered, Gathered::of_vertices(state, columns, rows));
  return encode_rows(RowKind::vertices, first, rows.size(), gathered.columns(), false);
}

/// The rows of vertices, each under the number that the vertex has now; kNoVertex: none any more.
Result<RowParts> Store::renamed_rows(const RowState& state, const std::vector<ColumnSchema>& columns,
                                     FunctionRef<Result<std::vector<VertexId>>(std::span<const VertexId>)> renamed) {
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

/// What the manifest names; needs the state lock.
Store::Durable Store::present_parts() const {
  Durable durable;
  durable.out = out_->parts();
  if (in_) durable.in = in_->parts();
  durable.dictionary = dictionary_extents_;
  durable.removed = removed_extent_;
  durable.edge_rows = edge_rows_.parts();
  durable.vertex_rows = vertex_rows_.parts();
  return durable;
}

/// Calls `publish` with the present state, all of which is in extents, while nothing changes.
Status Store::with_all_in_extents(FunctionRef<Status(ManifestState, Durable)> publish) {
  RIZOMA_TRY(check_caller());
  RIZOMA_ASSIGN(const PatientLock maintenance, acquire(maintenance_mutex_));
  maintenance.holds(maintenance_mutex_);
  std::optional<PatientLock> entering;
  for (;;) {
    {
      RIZOMA_ASSIGN(const PatientLock writer, acquire(writer_mutex_));
      writer.holds(writer_mutex_);
      RIZOMA_TRY(check_writable());
      settle();
      if (committer_->log_is_all() && committer_->log().empty() && removed_ == durable_removed_) {
        Durable durable;
        ManifestState state;
        {
          const MutexLock guard(state_mutex_);
          state = manifest_state();
          durable = present_parts();
        }
        return publish(std::move(state), std::move(durable));
      }
    }
    RIZOMA_TRY(checkpoint_now(options_.rewrite_percent));
    // Others may have changed something since.  That little is moved while no change begins, or this might never end.
    if (!entering) {
      RIZOMA_ASSIGN(PatientLock entry, acquire(entry_mutex_));
      entering.emplace(std::move(entry));
    }
  }
}

/// Publishes the present state under another schema.
Status Store::change_schema(FunctionRef<Status(GraphSchema&)> change) {
  return with_all_in_extents([&](ManifestState state, Durable durable) -> Status {
    RIZOMA_TRY(change(state.schema));
    return install_present(std::move(durable), std::move(state));
  });
}

Status Store::take_values(const StoreSnapshot& from,
                          FunctionRef<Result<std::vector<VertexId>>(std::span<const VertexId>)> renamed,
                          std::vector<std::string>& lost) {
  if (from.schema().next_column == 1) return {};
  RIZOMA_ASSIGN(const auto edges, readable_rows(*from.parts().edge_rows, from.num_vertices(), "edges", lost));
  RIZOMA_ASSIGN(const auto vertices, readable_rows(*from.parts().vertex_rows, from.num_vertices(), "vertices", lost));
  RIZOMA_TRY(check_caller());
  RIZOMA_ASSIGN(const PatientLock maintenance, acquire(maintenance_mutex_));
  maintenance.holds(maintenance_mutex_);
  RIZOMA_TRY(checkpoint_now(options_.rewrite_percent));
  RIZOMA_ASSIGN(const PatientLock writer, acquire(writer_mutex_));
  writer.holds(writer_mutex_);
  settle();
  Durable durable;
  ManifestState state;
  {
    const MutexLock guard(state_mutex_);
    state = manifest_state();
    durable = present_parts();
  }
  RIZOMA_ASSIGN(durable.edge_rows, write_rows({}, *edges, from.schema().edge_columns));
  RIZOMA_ASSIGN(durable.vertex_rows, renamed_rows(*vertices, from.schema().vertex_columns, renamed));
  return install({std::move(durable), std::move(state), dictionary_, removed_});
}

Status Store::add_column(RowKind kind, ColumnSchema column) {
  return change_schema([&](GraphSchema& schema) -> Status {
    if (!column.nullable) {
      return Error{ErrorCode::invalid_argument,
                   "column \"" + column.name + "\" is added null everywhere: it must be nullable"};
    }
    if (schema.next_column == kEndOfColumnIds) {
      return Error{ErrorCode::unsupported,
                   "the graph has had as many columns as there are ids for them: make a new one"};
    }
    column.id = schema.next_column++;
    if (kind == RowKind::vertices) {
      schema.vertex_columns.push_back(std::move(column));
      return check_vertex_columns(schema);
    }
    if (!schema.rows && schema.weights != WeightType::none) {
      return Error{ErrorCode::unsupported,
                   "the graph was made with weights and without columns: its edges cannot get any; make a new graph "
                   "with weights and columns, and add the edges of this one to it"};
    }
    if (column.name == kWeightColumn) {
      return Error{ErrorCode::invalid_argument,
                   "a weight cannot be added: name the column otherwise, and name it as "
                   "weight= where an algorithm is to use it"};
    }
    schema.rows = true;
    schema.edge_columns.push_back(std::move(column));
    return check_edge_columns(schema);
  });
}

Status Store::drop_column(RowKind kind, std::string_view name) {
  return change_schema([&](GraphSchema& schema) -> Status {
    auto& columns = kind == RowKind::edges ? schema.edge_columns : schema.vertex_columns;
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const ColumnSchema& column) { return column.name == name; });
    if (found == columns.end()) {
      return Error{ErrorCode::not_found, "there is no column \"" + std::string(name) + "\" to drop"};
    }
    if (kind == RowKind::edges && name == kWeightColumn) schema.weights = WeightType::none;
    columns.erase(found);
    return {};
  });
}

}  // namespace rizoma
