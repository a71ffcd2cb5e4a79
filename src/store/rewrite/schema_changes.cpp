// Rewriter: columns that are added and dropped.
#include "store/rewrite/rewriter.h"

#include "store/columns/column_rules.h"
#include "store/columns/row_block_writer.h"
#include "store/messages.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace rizoma {
namespace {

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

}  // namespace

/// Publishes the present state under another schema.
Status Rewriter::change_schema(FunctionRef<Status(GraphSchema&)> change) {
  return checkpointer_.with_all_in_extents([&](ManifestState state, Durable durable) -> Status {
    RIZOMA_TRY(change(state.schema));
    publisher_.mutex.assume_held();
    publisher_.writer.mutex.assume_held();
    return publisher_.install_present(std::move(durable), std::move(state));
  });
}

Status Rewriter::take_values(const StoreSnapshot& from,
                             FunctionRef<Result<std::vector<VertexId>>(std::span<const VertexId>)> renamed,
                             std::vector<std::string>& lost) {
  if (from.schema().next_column == 1) return {};
  RIZOMA_ASSIGN(const auto edges, readable_rows(*from.parts().edge_rows, from.num_vertices(), "edges", lost));
  RIZOMA_ASSIGN(const auto vertices, readable_rows(*from.parts().vertex_rows, from.num_vertices(), "vertices", lost));
  RIZOMA_TRY(publisher_.access.check());
  RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
  publishing.holds(publisher_.mutex);
  RIZOMA_TRY(checkpointer_.run());
  RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
  writer.holds(publisher_.writer.mutex);
  publisher_.writer.settle();
  Durable durable;
  ManifestState state;
  {
    const MutexLock guard(publisher_.contents.mutex);
    state = publisher_.contents.manifest_state();
    durable = publisher_.contents.durable();
  }
  RIZOMA_ASSIGN(durable.edge_rows, rows_.write_rows({}, *edges, from.schema().edge_columns));
  RIZOMA_ASSIGN(durable.vertex_rows, rows_.renamed_rows(*vertices, from.schema().vertex_columns, renamed));
  return publisher_.install(
      {std::move(durable), std::move(state), publisher_.contents.dictionary, publisher_.contents.removed});
}

Status Rewriter::add_column(RowKind kind, ColumnSchema column) {
  return change_schema([&](GraphSchema& schema) -> Status {
    if (!column.nullable) {
      return Error{ErrorCode::invalid_argument,
                   "column '" + column.name + "' is null everywhere at first, so it must be nullable"};
    }
    if (schema.next_column == kEndOfColumnIds) {
      return Error{ErrorCode::unsupported, "the graph has had the most columns that it can have; make a new graph"};
    }
    column.id = schema.next_column++;
    if (kind == RowKind::vertices) {
      schema.vertex_columns.push_back(std::move(column));
      return check_vertex_columns(schema);
    }
    if (!schema.rows && schema.weights != WeightType::none) {
      return Error{ErrorCode::unsupported,
                   "the graph was created with weights and without columns, so its edges cannot get columns; make a "
                   "new graph with both, and add the edges of this one to it"};
    }
    if (column.name == kWeightColumn) {
      return Error{
          ErrorCode::invalid_argument,
          "a column named weight cannot be added; give it another name, and pass that name as weight= to algorithms"};
    }
    schema.rows = true;
    column.parallel = schema.parallel_rule;
    if (!check_parallel_rule(column)) column.parallel = ParallelRule::last;
    schema.edge_columns.push_back(std::move(column));
    return check_edge_columns(schema);
  });
}

Status Rewriter::drop_column(RowKind kind, std::string_view name) {
  return change_schema([&](GraphSchema& schema) -> Status {
    auto& columns = kind == RowKind::edges ? schema.edge_columns : schema.vertex_columns;
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const ColumnSchema& column) { return column.name == name; });
    if (found == columns.end()) {
      return Error{ErrorCode::not_found, "there is no column '" + std::string(name) + "' to drop"};
    }
    if (kind == RowKind::edges && name == kWeightColumn) schema.weights = WeightType::none;
    columns.erase(found);
    return {};
  });
}

}  // namespace rizoma
