// Distances from many sources, summed up: what closeness, harmonic centrality, eccentricity and the
// diameter are made of.  Module: algorithms.
//
// What: for each source the number of vertices reached, the sum of their distances in edges, the sum of
// 1 / distance, and the largest distance.
// How: 64 breadth-first searches at once: a bit of a word for each source says who has seen a vertex, so an
// edge is walked once for all searches that meet there; positional counters count the finds of a level.
// On ranks all threads search together, level by level.
// Cost: between O(n + m) for 64 sources that see alike and 64 times that; 24 bytes a vertex a thread.
// Source: Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 8(4), 2014.
#pragma once

#include <rizoma/engine.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// Parallel to the sources.
struct DistanceSums {
  std::vector<VertexId> sources;            ///< as given; on ranks, to the first of them
  std::vector<std::uint64_t> reached;       ///< vertices reached, the source included
  std::vector<std::uint64_t> sums;          ///< of the distances
  std::vector<double> harmonic;             ///< sum of 1 / distance over the others
  std::vector<std::uint64_t> eccentricity;  ///< largest distance
};

/// `direction` in: distances to the sources.  Errors: invalid_argument (a source out of range or removed),
/// unsupported (in-edges that are not stored), cancelled.
Result<DistanceSums> distance_sums(Engine& engine, const GraphView& graph, std::span<const VertexId> sources,
                                   Direction direction = Direction::out);

/// Sums over the distances from a sample of vertices to each vertex.
struct VertexDistanceSums {
  VertexMap<std::uint64_t> reached;  ///< n values, by vertex: of the sources, itself included
  VertexMap<std::uint64_t> sums;
  VertexMap<double> harmonic;
  std::vector<VertexId> sources;  ///< as given; on ranks, to the first of them
  std::uint64_t farthest = 0;     ///< the largest distance from any of the sources
};

/// For each vertex how many of the sources reach it, and the sums of their distances to it; a source's distance to
/// itself counts as reached alone.  Distances lead along `direction`.  Cost: between one and 64 passes over the edges
/// for each 64 sources; 56 bytes a vertex for each thread.  The sums do not depend on the threads.  Source: Eppstein,
/// Wang, "Fast approximation of centrality", J. Graph Algorithms Appl. 8(1), 2004.
/// Errors: invalid_argument (a source out of range or removed), unsupported (in-edges that are not stored), cancelled.
Result<VertexDistanceSums> vertex_distance_sums(Engine& engine, const GraphView& graph,
                                                std::span<const VertexId> sources,
                                                Direction direction = Direction::out);

}  // namespace rizoma
