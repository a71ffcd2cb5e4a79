#include <rizoma/algorithms/topological_order.h>

#include "algorithms/lists.h"

namespace rizoma {
namespace {

template <class Target>
Status sort(Engine& engine, const GraphView& graph, const Adjacency<Target>& out, TopologicalOrder& result) {
  const VertexId n = graph.num_vertices();
  SerialWatch watch(engine, "topological_order", 2 * n);
  std::vector<EdgeCount> waits_for(n);
  for (VertexId u = 0; u < n; ++u) {
    RIZOMA_TRY(watch.step());
    for (const Target v : out.neighbors(u)) ++waits_for[v];
  }
  for (VertexId v = 0; v < n; ++v) {
    if (waits_for[v] == 0 && graph.is_live(v)) result.order.push_back(v);
  }
  std::size_t next = 0;
  while (next < result.order.size()) {
    result.offsets.push_back(result.order.size());
    while (next < result.offsets.back()) {
      RIZOMA_TRY(watch.step());
      for (const Target v : out.neighbors(result.order[next++])) {
        if (--waits_for[v] == 0) result.order.push_back(v);
      }
    }
  }
  result.acyclic = result.order.size() == graph.num_live();
  return {};
}

}  // namespace

Result<TopologicalOrder> topological_order(Engine& engine, const GraphView& graph) {
  if (!graph.directed()) return Error{ErrorCode::invalid_argument, "topological_order: the graph is undirected"};
  TopologicalOrder result;
  RIZOMA_TRY(graph.with_out([&](const auto& out) { return sort(engine, graph, out, result); }));
  return result;
}

}  // namespace rizoma
