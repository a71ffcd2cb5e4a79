// A figure for each vertex of an undirected graph that takes scratch space to work out.
#pragma once

#include "engine/loop/kernel_arguments.h"

#include <rizoma/gather.h>

#include <string_view>
#include <vector>

namespace rizoma {

/// value(v) for every vertex, from a State{lists, thread} for each thread.
/// Errors: unsupported (a directed graph), cancelled.
template <template <class> class State>
Result<VertexMap<double>> vertex_values(Engine& engine, const GraphView& graph, std::string_view who) {
  constexpr std::uint64_t kGrain = 16;
  RIZOMA_TRY(check_undirected(graph, who));
  RIZOMA_TRY(engine.report(who, 0, 0));
  auto values = engine.make_map<double>(graph.num_vertices(), 0);
  const Status done = read_lists(engine, graph, Direction::out, [&]<class Lists>(Lists& lists) {
    std::vector<State<Lists>> of_thread;
    for (unsigned thread = 0; thread < engine.threads(); ++thread) of_thread.emplace_back(lists, thread);
    return engine.for_blocks(graph.num_vertices(), kGrain, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end; ++v) values[v] = of_thread[thread].value(v);
    });
  });
  RIZOMA_TRY(done);
  return values;
}

}  // namespace rizoma
