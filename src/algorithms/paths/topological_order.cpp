#include <rizoma/algorithms/topological_order.h>

#include "algorithms/shared/serial_watch.h"
#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

namespace rizoma {
namespace {

Status sort(Engine& engine, const GraphView& graph, auto& out, TopologicalOrder& result) {
  const VertexId n = graph.num_vertices();
  SerialWatch watch(engine, "topological_order", 2 * n);
  std::vector<EdgeCount> waits_for(n);
  for (VertexId u = 0; u < n; ++u) {
    RIZOMA_TRY(watch.step());
    for (const auto v : out.read(u).sources()) ++waits_for[v];
  }
  for (VertexId v = 0; v < n; ++v) {
    if (waits_for[v] == 0 && graph.is_live(v)) result.order.push_back(v);
  }
  std::size_t next = 0;
  while (next < result.order.size()) {
    result.offsets.push_back(result.order.size());
    while (next < result.offsets.back()) {
      RIZOMA_TRY(watch.step());
      for (const auto v : out.read(result.order[next++]).sources()) {
        if (--waits_for[v] == 0) result.order.push_back(v);
      }
    }
  }
  result.acyclic = result.order.size() == graph.num_live();
  return {};
}

}  // namespace

Result<TopologicalOrder> topological_order(Engine& engine, const GraphView& graph) {
  RIZOMA_TRY(single_process_only(engine, "topological_order"));
  if (!graph.directed())
    return Error{ErrorCode::invalid_argument,
                 "topological_order: the graph is undirected; only a directed graph has this order"};
  TopologicalOrder result;
  RIZOMA_TRY(read_lists(engine, graph, Direction::out, [&](auto& out) { return sort(engine, graph, out, result); }));
  return result;
}

}  // namespace rizoma
