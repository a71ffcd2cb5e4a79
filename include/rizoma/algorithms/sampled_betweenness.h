// Betweenness centrality by sampling shortest paths until the error is small enough.  Module: algorithms.
//
// What: an estimate of the share of shortest paths that pass through each vertex: with probability 1 - delta all
// normalized scores together are within epsilon of the exact ones (betweenness_centrality.h).
// How: a sample is a pair of vertices and one of their shortest paths, each as likely; it counts for those inside
// the path.  A search from both ends, always on the side with fewer edges, sees a small part of the graph.  A first
// estimate says how much of delta each vertex needs, so that Chernoff's bounds of all hold after as many samples, and
// how many these are.  If they do not hold then, as many more are drawn, and so on; each test has a part of delta.
// Samples are functions of the seed and their number: scores do not depend on threads.
// Cost: O(b / epsilon^2) samples, b the greatest score but 1 / 2 at most, each much less than O(n + m) on small worlds;
// 16 bytes a vertex for each thread.
// Source: Borassi, Natale, "KADABRA is an adaptive algorithm for betweenness via random approximation", ESA'16: the
// search, and a share of delta for each vertex.  Chernoff, "A measure of asymptotic efficiency", Ann. Math. Stat. 23,
// 1952: the bounds, which are narrower than KADABRA's because they hold at fixed numbers of samples alone.
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
