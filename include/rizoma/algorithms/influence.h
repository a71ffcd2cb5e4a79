// Influence of given seeds: how many vertices a cascade reaches on average, by simulation.  Module: algorithms.
//
// What: the mean of the vertices reached, seeds included, or of their weights, and the interval that holds the
// expectation with 95% chance.
// How: `runs` cascades, each drawn by its number and added up in blocks, so that threads make no difference.
// Cost: O(runs * edges of reached vertices); n numbers of 8 bytes for each thread.
// Source: cascades.h; the interval is that of the central limit theorem.
#pragma once

#include <rizoma/cascades.h>
#include <rizoma/engine.h>

#include <span>

namespace rizoma {

struct InfluenceEstimate {
  double mean = 0;  ///< vertices reached, seeds included, or their weight
  double low = 0;   ///< of the interval that holds the expectation with a chance of 95%
  double high = 0;
};

/// `weights`: what each vertex that is reached counts, n numbers, 0 or more; empty: 1 each.
/// Errors: invalid_argument (a seed is no vertex; a probability or a weight is out of range; runs is 0), unsupported (a
/// directed graph without in-edges; no weights), cancelled.
Result<InfluenceEstimate> influence(Engine& engine, const GraphView& graph, std::span<const VertexId> seeds,
                                    const CascadeOptions& options = {}, std::uint64_t runs = 10000,
                                    std::uint64_t seed = 1, std::span<const double> weights = {});

}  // namespace rizoma
