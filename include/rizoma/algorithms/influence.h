// Influence of given seeds: how many vertices a cascade reaches on average, by simulation.  Module: algorithms.
//
// What: the mean of the vertices reached, seeds included, or of their weights, and the interval that holds the
// expectation with 95% chance.
// How: `runs` cascades, each drawn by its number and added up in blocks, so that threads make no difference.
// Cost: O(runs * edges of reached vertices); n numbers of 8 bytes for each thread.
// Source: influence.h; the interval is that of the central limit theorem.
#pragma once

#include <rizoma/engine.h>
#include <rizoma/ids.h>

#include <cstdint>
#include <span>

namespace rizoma {

// How influence spreads: the models, and the chances of edges.
//
// Independent cascade: who is reached reaches each of its out-neighbours with the chance of the edge, once.
// Linear threshold: each vertex listens to one of its in-neighbours at most, chosen with the chances of its in-edges,
// and is reached when that one is (the equivalent form of Kempe, Kleinberg, Tardos).  Chances of the in-edges of a
// vertex that sum to more than 1 are scaled down to 1.
// In an undirected graph each edge leads both ways, with a chance of its own; parallel edges count each.
// Source: Kempe, Kleinberg, Tardos, "Maximizing the spread of influence through a social network", KDD'03.

enum class CascadeModel : std::uint8_t { independent_cascade, linear_threshold };

enum class EdgeChance : std::uint8_t {
  constant,   ///< `probability` for all edges
  by_degree,  ///< one over the number of in-edges of its target: the weighted cascade
  weights,    ///< the weights of the graph, from 0 to 1
};

struct CascadeOptions {
  CascadeModel model = CascadeModel::independent_cascade;
  EdgeChance chance = EdgeChance::constant;
  double probability = 0.1;
};

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
