// Connected components (weak components of a directed graph).  Module: algorithms.
//
// What: a label for each vertex; two vertices have the same label exactly if an undirected path
// joins them.  The label is the smallest inner number in the component.
// How: a core is grown around a hub: in each round a vertex joins that finds one of the core among its
// first neighbours; membership is one bit, so that this runs in the cache.  If the core stays small (no
// hub, as on roads), Afforest: link two neighbours of each vertex and find the largest tree.  Then the
// remaining edges of the vertices outside the core, or that tree, are linked.  A directed graph without
// in-edges has all its edges linked.
// Cost: about O(n) on graphs with a giant component; O(n + m) at worst.  n bits + 8 bytes a vertex.
// Source: Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph
// sampling", IPDPS'18.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct ConnectedComponentsResult {
  VertexMap<std::uint64_t> labels;  ///< n values; a removed vertex has its own number
  VertexId count = 0;               ///< components of live vertices
  VertexId largest = 0;             ///< live vertices in the largest
};

/// Errors: cancelled.
Result<ConnectedComponentsResult> connected_components(Engine& engine, const GraphView& graph);

}  // namespace rizoma
