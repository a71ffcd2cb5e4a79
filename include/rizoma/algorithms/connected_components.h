// Connected components (weak components of a directed graph).  Module: algorithms.
//
// What: a label for each vertex; two vertices have the same label exactly if an undirected path
// joins them.  The label is the smallest inner number in the component.
// How: Afforest, begun by a forest that needs no atomic step: each vertex is hung below its first neighbour.  Then,
// until most vertices are in one tree, each is linked to another neighbour, twice at most.  What is left are the edges of
// the vertices outside that tree; or, if no tree is large, each edge once.  A directed graph without in-edges has
// all its edges linked.
// Cost: about O(n) on graphs with a giant component; O(n + m) at worst.  16 bytes a vertex.
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
