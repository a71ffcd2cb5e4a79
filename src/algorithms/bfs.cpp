#include <rizoma/algorithms/bfs.h>

#include <rizoma/sweep.h>

#include <memory>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// Whoever is reached tells its neighbours so; one who tells a vertex is enough, and makes it reached.
struct Reach {
  using Shown = void;
  using Folded = VertexId;
  static constexpr bool once = true;
  static constexpr bool first_suffices = true;

  std::int64_t* parents;
  std::int32_t* levels;
  std::int32_t level = 0;

  [[nodiscard]] VertexId fold(VertexId, const auto& entries) const { return entries.source(0); }
  [[nodiscard]] VertexId combine(VertexId a, VertexId) const { return a; }
  bool apply(VertexId v, VertexId parent) {
    parents[v] = static_cast<std::int64_t>(parent);
    levels[v] = level;
    return true;
  }
  void unreachable(VertexId v) {
    parents[v] = -1;
    levels[v] = -1;
  }
};

}  // namespace

Result<BfsResult> bfs(Engine& engine, const GraphView& graph, VertexId source, const BfsOptions& options) {
  if (source >= graph.num_vertices() || !graph.is_live(source)) {
    return Error{ErrorCode::invalid_argument,
                 "bfs: there is no vertex " + std::to_string(source) + " (inner number) in the graph"};
  }
  BfsResult result;
  auto parents = engine.make_unset_map<std::int64_t>(graph.num_vertices());
  auto levels = engine.make_unset_map<std::int32_t>(graph.num_vertices());
  Reach reach{parents.data(), levels.data()};
  Sweep<Reach> sweep(engine, graph, reach);
  reach.apply(source, source);
  RIZOMA_TRY(sweep.start(std::span(&source, 1)));
  while (sweep.active() > 0) {
    result.depth = reach.level++;
    result.reached += sweep.active();
    if (options.max_depth >= 0 && result.depth >= options.max_depth) break;
    RIZOMA_TRY(engine.report("bfs", static_cast<double>(result.reached), static_cast<double>(graph.num_live())));
    RIZOMA_TRY(sweep.step());
  }
  const auto reached = std::make_shared<const VertexSet>(sweep.take_done());
  result.parents = {std::move(parents), reached, -1};
  result.levels = {std::move(levels), reached, -1};
  return result;
}

}  // namespace rizoma
