#include <rizoma/algorithms/core_numbers.h>

#include "engine/loop/kernel_arguments.h"
#include <rizoma/detail/same_call.h>

#include <rizoma/gather.h>
#include <rizoma/iteration.h>
#include <rizoma/ordered_sweep.h>
#include <rizoma/vertex_state.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace rizoma {
namespace {

/// Entries to and from other vertices, by vertex.
template <class Degree>
Status count_degrees(Engine& engine, const GraphView& graph, VertexState<Degree>& degrees) {
  for (const Direction direction : {Direction::out, Direction::in}) {
    if (direction == Direction::in && !graph.directed()) break;
    RIZOMA_TRY(gather(engine, graph, {direction}, [&](VertexId v, const auto& entries, unsigned) {
      Degree others = 0;
      for (const auto w : entries.sources()) others += w != v ? 1 : 0;
      degrees[v] += others;
    }));
  }
  return {};
}

/// Takes off the vertices of the smallest degree, level by level; a vertex is left with its core number for a degree.
template <class Degree>
Result<CoreNumbersResult> peel(Engine& engine, const GraphView& graph) {
  CoreNumbersResult result;
  Iteration loop(engine, graph, "core_numbers");
  VertexState<Degree> degrees(loop, 0);
  loop.keep(result.greatest);
  loop.valid_if([&] {
    const EdgeCount most = 2 * graph.num_entries();
    const auto possible = [&](Degree degree) { return degree >= 0 && static_cast<EdgeCount>(degree) <= most; };
    return result.greatest >= 1 && result.greatest <= most && std::ranges::all_of(degrees.span(), possible);
  });
  RIZOMA_ASSIGN(const bool resumed, loop.begin());
  result.resumed_after = result.greatest;
  if (!resumed) RIZOMA_TRY(count_degrees(engine, graph, degrees));
  const Status peeled = read_both_lists(engine, graph, [&]<class Lists>(Lists& out, Lists* in) -> Status {
    PeelSweep<Degree, Lists> sweep(loop, out, in, degrees);
    RIZOMA_TRY(sweep.start(static_cast<Degree>(result.greatest)));
    const auto all = static_cast<double>(sweep.left());
    const auto step = [&]() -> Result<bool> {
      if (sweep.left() == 0) return false;
      RIZOMA_TRY(loop.report(all - static_cast<double>(sweep.left()), all));
      RIZOMA_TRY(sweep.step());
      result.greatest = static_cast<std::uint64_t>(sweep.level());
      return sweep.left() > 0;
    };
    return loop.run(step);
  });
  RIZOMA_TRY(peeled);
  result.cores = engine.make_unset_map<std::uint64_t>(graph.num_vertices());
  RIZOMA_TRY(engine.for_vertices(graph, [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) result.cores[v] = static_cast<std::uint64_t>(degrees[v]);
  }));
  RIZOMA_TRY(loop.gather(result.cores));
  return result;
}

}  // namespace

Result<CoreNumbersResult> core_numbers(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(expect_same_call(engine, "core_numbers", {}));
  RIZOMA_TRY(check_direction(graph, Direction::in, "core_numbers"));
  RIZOMA_TRY(engine.report("core_numbers", 0, static_cast<double>(graph.num_vertices())));
  constexpr EdgeCount kFew = std::numeric_limits<std::int32_t>::max() / 2;  // both directions count
  if (graph.num_entries() <= kFew) return peel<std::int32_t>(engine, graph);
  return peel<std::int64_t>(engine, graph);
}

}  // namespace rizoma
