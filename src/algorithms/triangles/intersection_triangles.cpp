#include "algorithms/triangles/intersection_triangles.h"

#include "engine/intersection/oriented_lists.h"
#include "engine/intersection/unoriented_triangles.h"

#include <rizoma/process_vertices.h>

#include <utility>
#include <vector>

namespace rizoma {

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

}  // namespace rizoma
