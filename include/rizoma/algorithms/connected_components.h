// Connected components (weak components of a directed graph).  Module: algorithms.
//
// What: a label for each vertex; two vertices have the same label exactly if an undirected path
// joins them.  The label is the smallest inner number in the component.
// How: Afforest: link a few sampled neighbours of each vertex, find the largest component, then link
// the remaining edges of the vertices outside it.
// Cost: about O(n) on graphs with a giant component; O(n + m) at worst.
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
