// process_edges: one step of a sweep, for programs that need no more.  Module: engine.
#pragma once

#include <rizoma/edge_program.h>
#include <rizoma/engine.h>
#include <rizoma/frontier.h>
#include <rizoma/graph_view.h>
#include <rizoma/result.h>
#include <rizoma/sweep.h>

namespace rizoma {

/// One sweep over a frontier; returns who joined.  For programs that run many, a Sweep keeps its memory between them.
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
