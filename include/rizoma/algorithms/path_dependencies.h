// Shortest-path dependencies of vertices and edges: the sums after every kind of betweenness.  Module: algorithms.
//
// What: for each vertex v, and each entry of the out-lists, the sum over pairs (s, t), s one of the sources, of
// the share of shortest s-t paths through it, by number of edges or by weight.  Nothing is scaled; an
// undirected edge has the sum of its two entries.  Ends of paths count if `endpoints`.
// betweenness_centrality.h is faster for vertices, unweighted.
// How: Brandes: a search from each source that counts paths, then dependencies from the farthest vertex
// inwards, along out-edges.  Searches are serial, threads take sources.  Two lengths are one if they are
// the same float64.  Parallel edges are different paths.
// Cost: O(k m), weighted O(k m log m); 32 bytes a vertex and 8 an entry for each thread.
// Source: Brandes, "On variants of shortest-path betweenness centrality and their generic computation",
// Social Networks 30, 2008.
#pragma once

#include <rizoma/engine.h>

#include <span>
#include <vector>

namespace rizoma {

struct PathDependenciesOptions {
  bool weighted = false;   ///< weights must be above 0
  bool edges = false;      ///< also of edges
  bool endpoints = false;  ///< a path also passes through its ends
};

struct PathDependencies {
  std::vector<double> vertices;
  std::vector<double> edges;  ///< by entry: vertex for vertex, list for list; empty if not asked for
};

/// Errors: invalid_argument (a source out of range or removed; a weight that is not above 0), unsupported (more than
/// 1e308 shortest paths to one vertex), cancelled.
Result<PathDependencies> path_dependencies(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                                           const PathDependenciesOptions& options = {});

}  // namespace rizoma
