// A plan in words, with what its steps are expected to find.  Module: query.
//
// Estimates come from random walks down the plan: each step's candidates are counted and one of them is taken by
// chance, so that the product of their numbers estimates the matches without bias.  Vertices to begin with are sampled
// by strata that double in size, since in a graph whose numbers follow degrees the first vertices matter most.
// Source: Li, Wu, Yi, Zhao, "Wander join: online aggregation via random walks", SIGMOD'16.
#pragma once

#include "query/run/run.h"

#include <optional>
#include <string>
#include <vector>

namespace rizoma::query {

struct Explained {
  const GraphView& graph;
  const Query& query;
  Plan plan;
  std::vector<std::string> names;      ///< of the query's vertices
  std::optional<CountResult> counted;  ///< what a run found
  bool cliques = false;                ///< counted as in cliques.h
};

/// What the query's vertices are called; those without a name are numbered.
[[nodiscard]] std::vector<std::string> names_of(const Query& query, const BoundPattern& bound);

/// Several lines.
[[nodiscard]] std::string explanation(const Explained& explained, const MatchColumns& columns);

struct Estimate {
  double matches = 0;
  std::vector<double> candidates;  ///< of each step, in all
};

[[nodiscard]] Estimate estimate_of(const GraphView& graph, const Query& query, const Plan& plan,
                                   const MatchColumns& columns);

}  // namespace rizoma::query
