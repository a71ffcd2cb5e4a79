// Biconnected components and articulation points.  Module: algorithms.
//
// What: components of edges such that two edges lie in one exactly if a cycle without repeated vertices contains
// both (a bridge is a component of its own); and the vertices that lie in several.  Components stand as a
// depth-first search (vertices by number, lists in their order) finishes them, their edges as it walks them.
// A self-loop off a search's root goes with the edge that led to it.
// How: Hopcroft and Tarjan: one search with a stack of edges; serial.
// Cost: O(n + m); 16 bytes an edge, 48 a vertex.
// Source: Hopcroft, Tarjan, "Efficient algorithms for graph manipulation", CACM 16, 1973.
#pragma once

#include <rizoma/engine.h>

#include <cstddef>
#include <vector>

namespace rizoma {

struct BiconnectedComponents {
  std::vector<std::size_t> offsets{0};  ///< component i has edges offsets[i] .. offsets[i+1]
  std::vector<VertexId> sources;
  std::vector<VertexId> targets;
  std::vector<VertexId> articulation_points;  ///< each once, as found
};

/// For undirected graphs without parallel edges.  Errors: unsupported (directed), cancelled.
Result<BiconnectedComponents> biconnected_components(Engine& engine, const GraphView& graph);

}  // namespace rizoma
