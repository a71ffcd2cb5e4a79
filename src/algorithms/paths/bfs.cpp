#include <rizoma/algorithms/bfs.h>

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
};

/// Where a search begins: at its sources, or in the middle of which parents and levels were restored.
struct Start {
  bool resumed = false;
  VertexSet reached;
  std::vector<VertexId> front;
};

Result<Start> start(Iteration& loop, std::vector<VertexId> sources, Reach& reach, BfsResult& result) {
  loop.valid_if([&] {
    const auto n = static_cast<std::int64_t>(loop.graph().num_vertices());
    return result.reached <= static_cast<VertexId>(n) &&
           std::all_of(reach.levels, reach.levels + n,
                       [&](auto level) { return level >= -1 && level <= reach.level; }) &&
           std::all_of(reach.parents, reach.parents + n, [&](auto parent) { return parent >= -1 && parent < n; });
  });
  RIZOMA_ASSIGN(const bool resumed, loop.begin());
  if (!resumed) std::ranges::for_each(sources, [&](VertexId source) { reach.apply(source, source); });
  if (!resumed) return Start{false, {}, std::move(sources)};
  Start start{true, loop.engine().make_set(loop.graph().num_vertices()), {}};
  loop.for_own([&](VertexId v) {
    if (reach.levels[v] >= 0) start.reached.add(v);
    if (reach.levels[v] == reach.level) start.front.push_back(v);
  });
  return start;
}

}  // namespace

Result<BfsResult> bfs(Engine& engine, const GraphView& graph, const SearchSources& from, const BfsOptions& options) {
  RIZOMA_TRY(expect_same_call(engine, "bfs", {from.argument(), {"max_depth", options.max_depth}}));
  RIZOMA_ASSIGN(std::vector<VertexId> sources, from.distinct(graph, "bfs"));
  BfsResult result;
  Iteration loop(engine, graph, "bfs", Work::search);
  VertexState<std::int64_t> parents(loop, -1, Unwritten::any);
  VertexState<std::int32_t> levels(loop, -1, Unwritten::any);
  Reach reach{parents.data(), levels.data()};
  loop.keep(reach.level, result.reached);
  RIZOMA_ASSIGN(Start first, start(loop, std::move(sources), reach, result));
  result.resumed_after = reach.level;
  Sweep<Reach> sweep(engine, graph, reach, {.excluded = std::move(first.reached)});
  RIZOMA_TRY(first.resumed ? sweep.start_own(first.front) : sweep.start(first.front));
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
