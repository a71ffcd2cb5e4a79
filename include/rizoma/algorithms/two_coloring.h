// A colouring with two colours, if there is one.  Module: algorithms.
//
// What: 0 or 1 for each vertex such that the ends of every edge differ, taken both ways.  The first vertex of
// each component that has out-edges gets 1; vertices without edges get 0.
// How: colours spread from vertex to vertex; serial.
// Cost: O(n + m).
// Source: Konig, "Theorie der endlichen und unendlichen Graphen", 1936.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct TwoColoring {
  VertexMap<std::uint8_t> colors;  ///< n values; of no use if not bipartite
  bool bipartite = false;
};

/// Errors: unsupported (a directed graph without in-edges), cancelled.
Result<TwoColoring> two_coloring(Engine& engine, const GraphView& graph);

}  // namespace rizoma
