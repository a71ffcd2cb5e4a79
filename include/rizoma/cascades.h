// How influence spreads: the models, and the chances of edges.  Module: algorithms.
//
// Independent cascade: who is reached reaches each of its out-neighbours with the chance of the edge, once.
// Linear threshold: each vertex listens to one of its in-neighbours at most, chosen with the chances of its in-edges,
// and is reached when that one is (the equivalent form of Kempe, Kleinberg, Tardos).  Chances of the in-edges of a
// vertex that sum to more than 1 are scaled down to 1.
// In an undirected graph each edge leads both ways, with a chance of its own; parallel edges count each.
// Source: Kempe, Kleinberg, Tardos, "Maximizing the spread of influence through a social network", KDD'03.
#pragma once

#include <rizoma/ids.h>

#include <cstdint>

namespace rizoma {

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

}  // namespace rizoma
