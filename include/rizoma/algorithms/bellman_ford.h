// Shortest paths with weights of any sign.  Module: algorithms.
//
// What: from each source (or from all together) the distance of every vertex reached, or a vertex on or
// behind a cycle of negative weight.  `order` is that of first reaching; the parent is the vertex that
// first offered the distance.
// How: the queue variant of Bellman and Ford: a vertex waits when its distance falls, and is passed over
// while one of its predecessors waits.  A negative cycle is found early when an update returns to a vertex
// that the same update began at, and at the latest when a vertex has waited n times.
// Cost: O(n m) a search at worst, usually a few times m; serial, threads take sources.
// Source: Bellman, "On a routing problem", 1958; Cherkassky, Goldberg, "Negative-cycle detection
// algorithms", Math. Program. 85, 1999.
#pragma once

#include <rizoma/algorithms/breadth_first_trees.h>

#include <span>

namespace rizoma {

struct BellmanFordOptions : SearchOptions {
  bool heuristic = true;  ///< look for negative cycles early
};

struct BellmanFordResult {
  SearchTrees<double> trees;            ///< to be used only without a negative cycle
  VertexId negative_cycle = kNoVertex;  ///< a vertex where one was noticed
};

/// `target` is ignored: no distance is final before the end.  Errors: invalid_argument (a source out of
/// range or removed), unsupported (in-edges that are not stored), cancelled.
Result<BellmanFordResult> bellman_ford(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                                       const BellmanFordOptions& options = {});

}  // namespace rizoma
