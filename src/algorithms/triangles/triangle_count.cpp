#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/detail/same_call.h>

#include "engine/balance/work_stealing.h"
#include "engine/intersection/streamed_lists.h"
#include "engine/intersection/triangle_counter.h"
#include "engine/intersection/unoriented_triangles.h"

#include <rizoma/iteration.h>
#include <rizoma/process_vertices.h>

#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using DegreeRank = OrientedLists::DegreeRank;

/// Counts each triangle from its corner of highest degree rank; kEach: for its three vertices as well.
template <bool kEach>
Status count_all(Iteration& loop, OrientedLists& lists, CoreRows& core, TriangleCountResult& result) {
  Engine& engine = loop.engine();
  ListCounter lists_read(engine, lists.graph());
  std::vector<TriangleCounter<kEach, OrientedLists>> counters;
  for (unsigned thread = 0; thread < engine.threads(); ++thread)
    counters.emplace_back(lists.size(), lists, core, result.counts);
  const auto count = [&](DegreeRank u, std::span<const DegreeRank> list, const auto& others, unsigned thread) {
    if (list.size() < 2) return;
    ListCounter::OfThread& read = lists_read[thread];
    read.add(lists.vertex_of(u), list.size());
    counters[thread].count(u, list, CountedLists(lists, others, read));
  };
  const OwnLists own{&lists, core.size()};
  RIZOMA_TRY(for_all_lists(
      engine, lists, core, [&](DegreeRank u, unsigned thread) { count(u, lists[u], own, thread); }, count));
  for (auto& counter : counters) result.total += counter.deliver();
  RIZOMA_ASSIGN(result.total, loop.total(result.total));
  if constexpr (!kEach) return {};
  RIZOMA_TRY(loop.reduce(result.counts));
  return loop.gather(result.counts);
}

/// The same where memory cannot hold the lists.
template <bool kEach>
Status count_streamed(Engine& engine, const GraphView& graph, TriangleCountResult& result) {
  StreamedLists lists(engine, graph);
  std::vector<TriangleCounter<kEach, StreamedOrder>> counters;
  for (unsigned thread = 0; thread < engine.threads(); ++thread)
    counters.emplace_back(graph.num_vertices(), lists.order(), lists.core(), result.counts);
  const auto count = [&](DegreeRank u, std::span<const DegreeRank> list, const auto& loaded, unsigned thread) {
    counters[thread].count(u, list, loaded);
  };
  RIZOMA_TRY(lists.for_all("triangle_count", count));
  for (auto& counter : counters) result.total += counter.deliver();
  return {};
}

/// Counts into `result` where lists are so short that they are intersected as stored in less time than it takes to
/// order them by degree; false, with `result` as it was, if they are not, or do not ascend strictly.
Result<bool> count_by_intersection(Engine& engine, const GraphView& graph, const TriangleCountOptions& options,
                                   TriangleCountResult& result) {
  if (graph.directed() || graph.may_have_parallel_edges()) return false;
  RIZOMA_ASSIGN(const bool pays, orientation_pays(engine, graph));
  if (pays) return false;
  TriangleCountResult counted;
  if (options.per_vertex) counted.counts = engine.make_map<std::uint64_t>(graph.num_vertices(), 0);
  std::vector<PerThread<std::uint64_t>> totals(engine.threads());
  const auto count = [&](VertexId v, VertexId u, VertexId w, unsigned thread) {
    ++totals[thread].value;
    if (!options.per_vertex) return;
    for (const VertexId corner : {u, v, w}) counted.counts.atomic(corner).fetch_add(1, std::memory_order_relaxed);
  };
  RIZOMA_ASSIGN(const bool all, for_each_near_triangle(engine, graph, count));
  if (!all) return false;
  for (const auto& of_thread : totals) counted.total += of_thread.value;
  result = std::move(counted);
  return true;
}

}  // namespace

Result<TriangleCountResult> triangle_count(Engine& engine, const GraphView& graph,
                                           const TriangleCountOptions& options) {
  RIZOMA_TRY(expect_same_call(engine, "triangle_count", {{"per_vertex", options.per_vertex}}));
  Iteration loop(engine, graph, "triangle_count");
  RIZOMA_TRY(loop.report(0, 0));
  TriangleCountResult result;
  const bool stream = StreamedLists::are_needed(engine, graph);
  if (loop.is_alone() && !stream) {
    RIZOMA_ASSIGN(const bool counted, count_by_intersection(engine, graph, options, result));
    if (counted) return result;
  }
  if (options.per_vertex) result.counts = engine.make_map<std::uint64_t>(graph.num_vertices(), 0);
  if (stream) {
    RIZOMA_TRY(options.per_vertex ? count_streamed<true>(engine, graph, result)
                                  : count_streamed<false>(engine, graph, result));
    return result;
  }
  RIZOMA_ASSIGN(OrientedLists lists, OrientedLists::make(engine, graph));
  result.copied_bytes = lists.copied_bytes();
  RIZOMA_ASSIGN(CoreRows core, core_of(engine, lists));
  RIZOMA_TRY(options.per_vertex ? count_all<true>(loop, lists, core, result)
                                : count_all<false>(loop, lists, core, result));
  return result;
}

}  // namespace rizoma
