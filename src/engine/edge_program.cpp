#include <rizoma/edge_program.h>

namespace rizoma::engine_detail {

Result<EdgeCount> count_entries(Engine& engine, const GraphView& graph, const Frontier& frontier) {
  if (frontier.size() == graph.num_vertices()) return graph.num_entries();
  return graph.with_out([&](const auto& out) {
    if (frontier.size() < graph.num_vertices() / kPullShare) {
      return process_vertices(engine, frontier, EdgeCount{0}, [&](VertexId v) { return out.degree(v); });
    }
    const VertexSet& active = frontier.set();
    return process_vertices(engine, graph, EdgeCount{0},
                            [&](VertexId v) { return active.contains(v) ? out.degree(v) : 0; });
  });
}

}  // namespace rizoma::engine_detail
