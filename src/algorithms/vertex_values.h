// A figure for each vertex of an undirected graph that takes scratch space to work out.
#pragma once

#include "algorithms/lists.h"

#include <vector>

namespace rizoma {

/// value(v) for every vertex, from a State{lists} for each thread.  Errors: unsupported (a directed graph), cancelled.
template <template <class> class State>
Result<VertexMap<double>> vertex_values(Engine& engine, const GraphView& graph, std::string_view who) {
  constexpr std::uint64_t kGrain = 16;
  if (graph.directed()) return Error{ErrorCode::unsupported, std::string(who) + ": the graph is directed"};
  RIZOMA_TRY(engine.report(who, 0, 0));
  auto values = engine.make_map<double>(graph.num_vertices(), 0);
  const Status done = graph.with_out([&]<class Target>(const Adjacency<Target>& lists) {
    std::vector<State<Target>> of_thread(engine.threads(), State<Target>(lists));
    ListCounter lists_read(engine, graph);
    return engine.for_blocks(graph.num_vertices(), kGrain, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end; ++v) {
        lists_read[thread].add(v, lists.degree(v));
        values[v] = of_thread[thread].value(v);
      }
    });
  });
  RIZOMA_TRY(done);
  return values;
}

}  // namespace rizoma
