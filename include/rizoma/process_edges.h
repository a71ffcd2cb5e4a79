// process_edges: a single superstep of a program (Ligra's edgeMap).  Module: engine.
#pragma once

#include <rizoma/edge_program.h>
#include <rizoma/engine.h>
#include <rizoma/frontier.h>
#include <rizoma/graph_view.h>
#include <rizoma/result.h>
#include <rizoma/sweep.h>

namespace rizoma {

/// One superstep from a frontier; returns the next frontier.  For many supersteps use Sweep, which keeps its memory.
template <EdgeProgram P>
Result<Frontier> process_edges(Engine& engine, const GraphView& graph, P& program, const Frontier& frontier,
                               SweepOptions options = {}) {
  Sweep<P> sweep(engine, graph, program, options);
  if (frontier.size() == graph.num_vertices()) {
    RIZOMA_TRY(sweep.start_all());
  } else {
    RIZOMA_TRY(sweep.start(frontier.list()));
  }
  RIZOMA_TRY(sweep.step());
  return Frontier(graph.num_vertices(), sweep.active_list());
}

}  // namespace rizoma
