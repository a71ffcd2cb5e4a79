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

/// Where vertices are, and what that says of the length of paths: none is shorter than `scale` times the straight line
/// between its ends, or the greatest difference of their distances from a landmark; in a directed graph the greatest
/// rise from the source to the target.  distance_bound makes it.
struct DistanceBound {
  std::vector<double> points;  ///< `dimensions` coordinates a vertex
  unsigned dimensions = 2;     ///< 2 or 3; of landmarks their number
  double scale = 0;            ///< 0: the coordinates say nothing
  bool weighted = true;        ///< of the weights of the edges, or of their number
  bool landmarks = false;      ///< the coordinates are distances from landmarks
  bool one_way = false;        ///< the graph is directed
};

/// The greatest bound that holds for each edge, so a search by it errs never, whatever the coordinates are: `scale` is
/// the least length of an edge divided by the straight line between its ends.  By landmarks it is little less than 1 if
/// the coordinates are distances along the edges, of a directed graph from landmarks, and to landmarks negated; where
/// there is no way, the greatest that there is.
/// Cost: O(n + m) for each coordinate, once for a graph and its weights.
/// Errors: invalid_argument (dimensions other than 2 and 3; no landmark; not as many coordinates as vertices need; one
/// of a vertex of the graph that is NaN or beyond 1e150; a negative or NaN weight), cancelled.
Result<DistanceBound> distance_bound(Engine& engine, const GraphView& graph, std::vector<double> points,
                                     unsigned dimensions, bool weighted = true, bool landmarks = false);

struct ShortestPathOptions {
  bool weighted = true;  ///< false: each edge has length 1, whatever it weighs
  /// The searches from both ends take turns, and of equal distances the one first met is first, so that of equally
  /// short paths it is NetworkX's; needs the edges into vertices.
  bool in_turns = false;
  /// Of this graph, with these weights: vertices that lie towards the other end come first (A*).  Null: no such order.
  const DistanceBound* bound = nullptr;
};

/// A shortest path between two vertices.  It searches from both ends at once where the edges into vertices are stored,
/// and so follows the edges of a small part of the graph; by a bound, of a smaller one.
/// Cost: O(s log s) for s edges followed, and 32 bytes for each vertex seen, rounded up to pages.
/// Source: Pohl, "Bi-directional search", Machine Intelligence 6, 1971.  Hart, Nilsson, Raphael, "A formal basis for
/// the heuristic determination of minimum cost paths", IEEE Trans. SSC 4, 1968; from both ends by the mean of the two
/// bounds: Goldberg, Harrelson, "Computing the shortest path: A* search meets graph theory", SODA'05.
/// Errors: invalid_argument (an end that is no vertex; a negative or NaN weight on the way; a bound of another graph,
/// of edges that are counted otherwise, or with `in_turns`), unsupported (`in_turns` without in-edges), cancelled.
Result<ShortestPath> shortest_path(Engine& engine, const GraphView& graph, VertexId source, VertexId target,
                                   const ShortestPathOptions& options = {});

}  // namespace rizoma
