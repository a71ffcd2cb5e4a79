// What ranks will fetch if they share a pattern, before they do.  Module: query.
//
// How: t(v), how often a vertex is in the lists of candidates above it, comes from one pass over the lists a step
// (of several lists that a step intersects, the least).  A rank that matches the share f of all vertices to begin with
// then reads the lists of v with the probability 1 - (1 - f)^t(v).  Reads of several steps are taken to be independent.
// Cost: O(entries) a step, and O(vertices) for each number of ranks.
#pragma once

#include <rizoma/match.h>

#include "query/plan/plan.h"

#include <span>
#include <vector>

namespace rizoma::query {

/// How often the lists of each vertex are read by the steps of queries, each with the vertices to begin with once.
class FetchEstimator {
 public:
  explicit FetchEstimator(const GraphView& graph) : graph_(graph) {}
  /// The reads of another query.
  void add(const Query& query, const Plan& plan);
  /// The estimated fetches of one of `ranks` ranks, if `held` is the share of all lists that it holds.
  [[nodiscard]] FetchEstimate of(unsigned ranks, double held) const;

 private:
  struct Reading {
    bool in = false;
    std::vector<float> times;  ///< of each vertex
  };
  template <class Target>
  void add_tree(const Query& query, const Step& root);

  const GraphView& graph_;
  std::vector<Reading> readings_;
};

}  // namespace rizoma::query
