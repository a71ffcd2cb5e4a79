#include "store/replayer.h"

#include "store/columns/column_rules.h"
#include "store/messages.h"
#include "store/validation/validation.h"

#include <memory>
#include <utility>
#include <variant>

namespace rizoma {

Status Store::Replayer::vertices(VertexId num_vertices) {
  RIZOMA_TRY(validate_growth(num_vertices, graph(), where()));
  store_.dictionary_->grow(num_vertices);
  return grown();
}

Status Store::Replayer::ids(const IdColumn& ids) {
  const bool strings = std::holds_alternative<StringColumn>(ids);
  if (store_.schema_.ids != (strings ? IdKind::string : IdKind::integer)) {
    return corrupt(where(), "holds ids of another kind than the graph's");
  }
  RIZOMA_TRY(store_.dictionary_->append(ids));
  return grown();
}

Status Store::Replayer::edges(ChangeKind kind, const EdgeColumns& edges) {
  RIZOMA_TRY(validate(kind, edges, graph(), where()));
  store_.begin_staging();
  store_.stage(kind, edges);
  publish();
  return {};
}

Status Store::Replayer::remove_vertices(std::span<const VertexId> vertices) {
  RIZOMA_TRY(validate_removal(vertices, true, graph(), where()));
  return set_removed(store_.staged_removed_->with(vertices));
}

Status Store::Replayer::restore_vertices(std::span<const VertexId> vertices) {
  RIZOMA_TRY(validate_removal(vertices, false, graph(), where()));
  return set_removed(store_.staged_removed_->without(vertices));
}

Status Store::Replayer::rows(std::span<const std::byte> bytes) {
  auto copy = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  RIZOMA_ASSIGN(RowBlock block, RowBlock::open(*copy, copy, where()));
  const bool of_edges = block.kind() == RowKind::edges;
  RIZOMA_TRY(block.fits(of_edges ? store_.schema_.edge_columns : store_.schema_.vertex_columns, where()));
  RowTable& table = of_edges ? store_.edge_rows_ : store_.vertex_rows_;
  const bool follows = of_edges ? block.first() == table.end() : block.first() >= table.end();
  if (!follows || block.end() > kMostRows) {
    return corrupt(where(), "holds rows that do not follow those before them");
  }
  for (std::uint64_t i = 0; !of_edges && i < block.size(); ++i) {
    if (block.vertex(i) >= store_.num_vertices_) {
      return corrupt(where(), "holds values of vertices that the graph does not have");
    }
  }
  store_.begin_staging();
  table.stage(std::move(block));
  publish();
  return {};
}

ReplayedGraph Store::Replayer::graph() const {
  return {store_.schema_, store_.num_vertices_, *store_.staged_removed_, store_.edge_rows_.end()};
}

std::string Store::Replayer::where() const {
  return where_.empty() ? store_.medium_->describe() + "/" + log_name(store_.file_number_) : where_;
}

void Store::Replayer::publish() {
  store_.assume_alone();
  store_.publish_change(store_.end_staging());
}

Status Store::Replayer::grown() {
  RIZOMA_TRY(store_.set_num_vertices(store_.dictionary_->size()));
  store_.begin_staging();
  publish();
  return {};
}

Status Store::Replayer::set_removed(RemovedVertices removed) {
  store_.staged_removed_ = std::make_shared<const RemovedVertices>(std::move(removed));
  store_.begin_staging();
  publish();
  return {};
}

}  // namespace rizoma
