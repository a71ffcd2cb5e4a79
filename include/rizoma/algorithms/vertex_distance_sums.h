// Sums over the distances from a sample of vertices to each vertex.  Module: algorithms.
//
// What: for each vertex how many of the given sources reach it, the sum of their distances to it by number of edges,
// and the sum of 1 / distance; a source's distance to itself counts as reached alone.
// How: up to 64 breadth-first searches at once on each thread.
// Cost: between one and 64 passes over the edges for each 64 sources; 48 bytes a vertex for each thread.
// Source: Eppstein, Wang, "Fast approximation of centrality", J. Graph Algorithms Appl. 8(1), 2004; searches together:
// Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 8(4), 2014.
#pragma once

#include <rizoma/engine.h>

#include <cstdint>
#include <span>

namespace rizoma {

struct VertexDistanceSums {
  VertexMap<std::uint64_t> reached;  ///< n values, by vertex: of the sources, itself included
  VertexMap<std::uint64_t> sums;
  VertexMap<double> harmonic;
  std::uint64_t farthest = 0;  ///< the largest distance from any of the sources
};

/// Distances lead along `direction`.  Errors: invalid_argument (a source out of range or removed), unsupported
/// (in-edges that are not stored), cancelled.
Result<VertexDistanceSums> vertex_distance_sums(Engine& engine, const GraphView& graph,
                                                std::span<const VertexId> sources,
                                                Direction direction = Direction::out);

}  // namespace rizoma
