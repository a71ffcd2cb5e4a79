// Dijkstra's shortest paths, with the path to each vertex.  Module: algorithms.
//
// What: from each source (or from all together) the vertices within `cutoff`, by distance; of equal
// distances first the one first waited for.  The parent is the vertex that first offered the distance.
// sssp.h is faster where neither order nor paths matter.
// How: a binary heap; each search is serial, threads take sources.  A vertex waits once for each time its
// distance falls.
// Cost: O(m log m) a search at worst; 24 bytes a vertex for each thread, 24 for each one found.
// Source: Dijkstra, "A note on two problems in connexion with graphs", Numer. Math. 1, 1959.
#pragma once

#include <rizoma/algorithms/breadth_first_trees.h>

#include <limits>
#include <span>
#include <vector>

namespace rizoma {

struct DijkstraOptions : SearchOptions {
  double cutoff = std::numeric_limits<double>::infinity();  ///< largest distance of interest
};

/// Without weights each edge has length 1.  Errors: invalid_argument (a source out of range or removed; a
/// negative or NaN weight on the way), unsupported (in-edges that are not stored), cancelled.
Result<SearchTrees<double>> dijkstra_trees(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                                           const DijkstraOptions& options = {});

/// A path of least length; `vertices` is empty if there is none.
struct ShortestPath {
  std::vector<VertexId> vertices;                           ///< from the source to the target, both included
  double length = std::numeric_limits<double>::infinity();  ///< the sum of the weights, one half of the path at a time
  VertexId settled = 0;                                     ///< vertices whose edges were followed
};

struct ShortestPathOptions {
  bool weighted = true;  ///< false: each edge has length 1, whatever it weighs
  /// The searches from both ends take turns, and of equal distances the one first met is first, so that of equally
  /// short paths it is NetworkX's; needs the edges into vertices.
  bool in_turns = false;
};

/// A shortest path between two vertices.  It searches from both ends at once where the edges into vertices are stored,
/// and so follows the edges of a small part of the graph.
/// Cost: O(s log s) for s edges followed, and 32 bytes for each vertex seen, rounded up to pages.
/// Source: Pohl, "Bi-directional search", Machine Intelligence 6, 1971.
/// Errors: invalid_argument (an end that is no vertex; a negative or NaN weight on the way), unsupported (`in_turns`
/// without in-edges), cancelled.
Result<ShortestPath> shortest_path(Engine& engine, const GraphView& graph, VertexId source, VertexId target,
                                   const ShortestPathOptions& options = {});

}  // namespace rizoma
