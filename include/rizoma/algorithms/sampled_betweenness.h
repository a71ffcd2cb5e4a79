// Betweenness centrality by sampling shortest paths until the error is small enough.  Module: algorithms.
//
// What: an estimate of the share of shortest paths that pass through each vertex: with probability 1 - delta all
// normalized scores together are within epsilon of the exact ones (betweenness_centrality.h).
// How: a sample is a pair of vertices and one of their shortest paths, each as likely; it counts for those inside
// the path.  A search from both ends, always on the side with fewer edges, sees a small part of the graph.  Each vertex
// has a share of delta, chosen by a first estimate; sampling stops once the bounds of all hold, which depend on
// what was found, and at the latest at a number of samples that the length of shortest paths gives.
// Samples are functions of the seed and their number: scores do not depend on threads.
// Cost: O(1 / epsilon^2) samples or fewer, each much less than O(n + m) on small worlds; one search over the graph
// before; 32 bytes a vertex for each thread.
// Source: Borassi, Natale, "KADABRA is an adaptive algorithm for betweenness via random approximation", ESA'16.
#pragma once

#include <rizoma/engine.h>

#include <cstdint>

namespace rizoma {

struct SampledBetweennessOptions {
  double epsilon = 0.01;   ///< of scores that are divided by (n-1)(n-2), whether or not the result's are
  double delta = 0.1;      ///< the chance that a score is farther off
  bool normalized = true;  ///< else undirected pairs count once, as in betweenness_centrality.h
  std::uint64_t seed = 0;
};

struct SampledBetweennessResult {
  VertexMap<double> scores;   ///< n values; 0 for removed vertices
  double error = 0;           ///< no score is farther off, with probability 1 - delta
  std::uint64_t samples = 0;  ///< without those of the first estimate
};

/// Errors: invalid_argument (epsilon not between 1e-8 and 1, delta not between 0 and 1), unsupported (a directed graph
/// without in-edges), cancelled.
Result<SampledBetweennessResult> sampled_betweenness(Engine& engine, const GraphView& graph,
                                                     const SampledBetweennessOptions& options = {});

}  // namespace rizoma
