#include "store/writing/replayer.h"

#include "store/columns/column_rules.h"
#include "store/messages.h"
#include "store/validation/validation.h"

#include <memory>
#include <utility>
#include <variant>

namespace rizoma {

Status Replayer::vertices(VertexId num_vertices) {
  RIZOMA_TRY(validate_growth(num_vertices, graph(), where()));
  contents_.dictionary->grow(num_vertices);
  return grown();
}

Status Replayer::ids(const IdColumn& ids) {
  const bool strings = std::holds_alternative<StringColumn>(ids);
  if (contents_.schema.ids != (strings ? IdKind::string : IdKind::integer)) {
    return corrupt(where(), "holds ids of a different kind than the graph's");
  }
  RIZOMA_TRY(contents_.dictionary->append(ids));
  return grown();
}

Status Replayer::edges(ChangeKind kind, const EdgeColumns& edges) {
  RIZOMA_TRY(validate(kind, edges, graph(), where()));
  contents_.begin_staging();
  contents_.stage(kind, edges);
  publish();
  return {};
}

Status Replayer::remove_vertices(std::span<const VertexId> vertices) {
  RIZOMA_TRY(validate_removal(vertices, true, graph(), where()));
  return set_removed(contents_.staged_removed->with(vertices));
}

Status Replayer::restore_vertices(std::span<const VertexId> vertices) {
  RIZOMA_TRY(validate_removal(vertices, false, graph(), where()));
  return set_removed(contents_.staged_removed->without(vertices));
}

Status Replayer::rows(std::span<const std::byte> bytes) {
  auto copy = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  RIZOMA_ASSIGN(RowBlock block, RowBlock::open(*copy, copy, where()));
  const bool of_edges = block.kind() == RowKind::edges;
  RIZOMA_TRY(block.fits(of_edges ? contents_.schema.edge_columns : contents_.schema.vertex_columns, where()));
  RowTable& table = of_edges ? contents_.edge_rows : contents_.vertex_rows;
  const bool follows = of_edges ? block.first() == table.end() : block.first() >= table.end();
  if (!follows || block.end() > kMostRows) {
    return corrupt(where(), "holds rows that do not follow the rows before them");
  }
  for (std::uint64_t i = 0; !of_edges && i < block.size(); ++i) {
    if (block.vertex(i) >= contents_.num_vertices) {
      return corrupt(where(), "holds values of vertices that the graph does not have");
    }
  }
  contents_.begin_staging();
  table.stage(std::move(block));
  publish();
  return {};
}

ReplayedGraph Replayer::graph() const {
  return {contents_.schema, contents_.num_vertices, *contents_.staged_removed, contents_.edge_rows.end()};
}

void Replayer::publish() { contents_.publish(contents_.end_staging()); }

Status Replayer::grown() {
  RIZOMA_TRY(contents_.reserve(contents_.dictionary->size()));
  contents_.begin_staging();
  publish();
  return {};
}

Status Replayer::set_removed(RemovedVertices removed) {
  contents_.staged_removed = std::make_shared<const RemovedVertices>(std::move(removed));
  contents_.begin_staging();
  publish();
  return {};
}

}  // namespace rizoma
