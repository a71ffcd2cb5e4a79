#include <rizoma/graph_match.h>

#include <mutex>
#include <utility>

namespace rizoma {
namespace {

class SnapshotColumns final : public MatchColumns {
 public:
  SnapshotColumns(Snapshot snapshot, const GraphView& view)
      : snapshot_(std::move(snapshot)), plain_(columns_of(view)) {}

  std::vector<std::string> vertex_columns() const override { return plain_->vertex_columns(); }
  std::vector<std::string> edge_columns() const override { return plain_->edge_columns(); }
  MatchValue of_vertex(std::size_t column, VertexId v) const override { return plain_->of_vertex(column, v); }
  MatchValue of_edge(std::size_t column, EdgeEntry edge) const override { return plain_->of_edge(column, edge); }

  MatchValue id(VertexId v) const override {
    std::call_once(read_, [this] {
      Result<IdColumn> ids = snapshot_.ids(VertexRange{0, snapshot_.num_vertices()});
      if (ids) ids_ = *std::move(ids);
    });
    if (v >= size(ids_)) return std::monostate{};
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&ids_)) return (*numbers)[v];
    return std::get<StringColumn>(ids_)[v];
  }

  Result<VertexId> find(const MatchValue& id) const override {
    const auto* number = std::get_if<std::int64_t>(&id);
    const auto* text = std::get_if<std::string_view>(&id);
    const bool strings = snapshot_.schema().ids == IdKind::string;
    if (strings ? text == nullptr : number == nullptr) return kNoVertex;
    Result<VertexId> found = strings ? snapshot_.find(*text) : snapshot_.find(*number);
    if (!found && found.error().code == ErrorCode::not_found) return kNoVertex;
    return found;
  }

 private:
  Snapshot snapshot_;
  std::shared_ptr<const MatchColumns> plain_;
  mutable std::once_flag read_;
  mutable IdColumn ids_;
};

}  // namespace

std::shared_ptr<const MatchColumns> columns_of(const Snapshot& snapshot, const GraphView& view) {
  return std::make_shared<const SnapshotColumns>(snapshot, view);
}

Result<Match> prepare_match(const Snapshot& snapshot, const GraphView& view, MatchOptions options) {
  if (options.columns == nullptr) options.columns = columns_of(snapshot, view);
  return Match::prepare(view, options);
}

}  // namespace rizoma
