// Connected components (weak components of a directed graph).  Module: algorithms.
//
// What: a label for each vertex; two vertices have the same label exactly if an undirected path
// joins them.  The label is the smallest inner number in the component.
// How: Afforest, begun by a forest that needs no atomic step: each vertex is hung below its first neighbour.  Then,
// until most vertices are in one tree, each is linked to another neighbour, twice at most.  What is left are the edges
// of the vertices outside that tree; or, if no tree is large, each edge once.  A directed graph without in-edges has
// all its edges linked.
// Cost: about O(n) on graphs with a giant component; O(n + m) at worst.  16 bytes a vertex.
// From a former state: vertices begin in the trees of their former components, and changed vertices are linked to their
// neighbours; those of a component that has lost an edge, or a vertex, begin alone, and their edges are looked at
// again. The answer is that from scratch.  O(n) for the labels, and the lists of what changed; where a component of a
// great part of the graph may have come apart, all is done from scratch.
// Source: Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph
// sampling", IPDPS'18.
#pragma once

#include <rizoma/checkpoints.h>
#include <rizoma/engine.h>

#include <span>

namespace rizoma {

/// What is known of a former state; nothing: all is found from scratch.
struct FormerComponents {
  /// A name below n for the component of each vertex, the same for those that were in one; kNoVertex: a new vertex.
  std::span<const std::uint64_t> names;
  /// Both ends of every edge that was added or removed since; removed vertices need not be among them.
  std::span<const VertexId> changed;
  /// That state, with the same numbers for the same vertices, to see which have lost an edge; null: any may have.
  const GraphView* before = nullptr;
};

struct ConnectedComponentsResult {
  VertexMap<std::uint64_t> labels;  ///< n values; a removed vertex has its own number
  VertexId count = 0;               ///< components of live vertices
  VertexId largest = 0;             ///< live vertices in the largest
  unsigned resumed_after = 0;       ///< passes over the edges before the checkpoint; 0: it began anew
};

/// Several ranks find all from scratch.  `checkpoints` keep the trees after each pass over the edges but the last.
/// Errors: invalid_argument (names are not one for each vertex and below n, a changed vertex is not in the graph),
/// cancelled.
Result<ConnectedComponentsResult> connected_components(Engine& engine, const GraphView& graph,
                                                       const FormerComponents& former = {},
                                                       Checkpoints* checkpoints = nullptr);

}  // namespace rizoma
