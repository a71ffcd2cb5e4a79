// Oracles: plain serial answers that tests compare kernels with.  Written apart from the kernels, from
// the definitions, on entry lists (`entries_of`) and not on sections; slow and short.
#pragma once

#include "testing/graph_builder.h"

#include <cstdint>
#include <vector>

namespace rizoma::testing {

/// Level of each vertex from `source` along the entries; -1: not reached.
[[nodiscard]] std::vector<std::int32_t> oracle_levels(VertexId n, const std::vector<TestEdge>& entries,
                                                      VertexId source);

struct OraclePageRank {
  double alpha = 0.85;
  int iterations = 100;
  bool weighted = false;
  std::vector<double> personalization;  ///< empty: uniform
  std::vector<double> start;            ///< empty: uniform
  std::vector<VertexId> removed;
};

/// Ranks after so many power iterations in long double.
[[nodiscard]] std::vector<double> oracle_pagerank(VertexId n, const std::vector<TestEdge>& entries,
                                                  const OraclePageRank& options);

}  // namespace rizoma::testing
