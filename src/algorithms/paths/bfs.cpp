#include <rizoma/algorithms/bfs.h>

#include "engine/loop/kernel_arguments.h"
#include <rizoma/detail/same_call.h>

#include <rizoma/iteration.h>
#include <rizoma/sweep.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// A reached vertex sends a message to its neighbours; the first message that a vertex receives makes it reached.
struct Reach {
  using Message = void;
  using Accum = VertexId;
  static constexpr bool visit_once = true;
  static constexpr bool early_exit = true;

  std::int64_t* parents;
  std::int32_t* levels;
  std::int32_t level = 0;

  [[nodiscard]] VertexId gather(VertexId, const auto& entries) const { return entries.source(0); }
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

/// Begins at the source, or in the middle of a search of which parents and levels were restored.
Status start(Iteration& loop, VertexId source, Reach& reach, Sweep<Reach>& sweep, BfsResult& result) {
  loop.valid_if([&] {
    const auto n = static_cast<std::int64_t>(loop.graph().num_vertices());
    return result.reached <= static_cast<VertexId>(n) &&
           std::all_of(reach.levels, reach.levels + n,
                       [&](auto level) { return level >= -1 && level <= reach.level; }) &&
           std::all_of(reach.parents, reach.parents + n, [&](auto parent) { return parent >= -1 && parent < n; });
  });
  RIZOMA_ASSIGN(const bool resumed, loop.begin());
  if (!resumed) {
    reach.apply(source, source);
    return sweep.start(std::span(&source, 1));
  }
  result.resumed_after = reach.level;
  VertexSet reached = loop.engine().make_set(loop.graph().num_vertices());
  std::vector<VertexId> front;
  loop.for_own([&](VertexId v) {
    if (reach.levels[v] >= 0) reached.add(v);
    if (reach.levels[v] == reach.level) front.push_back(v);
  });
  sweep.leave_out(std::move(reached));
  return sweep.start_own(front);
}

}  // namespace

Result<BfsResult> bfs(Engine& engine, const GraphView& graph, VertexId source, const BfsOptions& options) {
  RIZOMA_TRY(expect_same_call(engine, "bfs", {{"source", source}, {"max_depth", options.max_depth}}));
  RIZOMA_TRY(check_source(graph, source, "bfs"));
  BfsResult result;
  Iteration loop(engine, graph, "bfs", Work::search);
  VertexState<std::int64_t> parents(loop, -1, Unwritten::any);
  VertexState<std::int32_t> levels(loop, -1, Unwritten::any);
  Reach reach{parents.data(), levels.data()};
  loop.keep(reach.level, result.reached);
  Sweep<Reach> sweep(engine, graph, reach);
  RIZOMA_TRY(start(loop, source, reach, sweep, result));
  const auto step = [&]() -> Result<bool> {
    result.depth = reach.level++;
    result.reached += sweep.active();
    if (options.max_depth >= 0 && result.depth >= options.max_depth) return false;
    RIZOMA_TRY(loop.report(static_cast<double>(result.reached), static_cast<double>(graph.num_live())));
    RIZOMA_TRY(sweep.step());
    return sweep.active() > 0;
  };
  RIZOMA_TRY(loop.run(step));
  const auto reached = std::make_shared<const VertexSet>(sweep.take_done());
  result.parents = {std::move(parents).take(), reached, -1};
  result.levels = {std::move(levels).take(), reached, -1};
  RIZOMA_TRY(loop.gather(result.parents, result.levels, result.reached, static_cast<std::uint64_t>(result.depth)));
  return result;
}

}  // namespace rizoma
