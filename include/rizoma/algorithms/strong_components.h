// Strongly connected components.  Module: algorithms.
//
// What: a label for each vertex; two vertices have the same label exactly if each is reachable from the
// other.  Components are numbered 0.. so that no edge leads to a component of a greater number; which of these orders
// it is depends on the graph alone, not on the threads.  With `depth_first_order` it is that in which a depth-first
// search finishes components (vertices by number, lists in their order).
// How: vertices without in- or out-edges are components of their own.  Then all threads look for what one vertex, which
// most ways lead through, reaches, and for what of that reaches it: mostly the one great component.  One depth-first
// search finds the rest, below and above that component.  It finds all where a sample tells that looking for what is
// reached would not end soon (webs, roads, few edges), where the graph stores no in-edges, and with
// `depth_first_order`.  Those of an undirected graph are its connected components, found by all threads.
// Cost: O(n + m); 16 bytes a vertex, and up to 20 for the stacks.
// Source: Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972; trimming, and the
// component of one vertex first: McLendon, Hendrickson, Plimpton, Rauchwerger, "Finding strongly connected components
// in distributed graphs", J. Parallel Distrib. Comput. 65(8), 2005; the choice of that vertex: Slota et al., "BFS and
// coloring-based parallel algorithms for strongly connected components and related problems", IPDPS 2014.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct StrongComponentsOptions {
  bool depth_first_order = false;  ///< numbers as a depth-first search finishes components, by one thread
};

struct StrongComponentsResult {
  VertexMap<std::uint64_t> labels;  ///< n values; kNoVertex for removed vertices
  VertexId count = 0;
  VertexId resumed_after = 0;  ///< components found before the checkpoint that the call resumed from
};

/// Errors: cancelled.
Result<StrongComponentsResult> strong_components(Engine& engine, const GraphView& graph,
                                                 const StrongComponentsOptions& options = {});

}  // namespace rizoma
