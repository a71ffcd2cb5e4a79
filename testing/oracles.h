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

/// Scores after `iterations` power iterations in long double.
[[nodiscard]] std::vector<double> oracle_pagerank(VertexId n, const std::vector<TestEdge>& entries,
                                                  const OraclePageRank& options);

/// Smallest vertex reachable from each vertex, edges taken both ways: labels lowered until none changes.
[[nodiscard]] std::vector<VertexId> oracle_components(VertexId n, const std::vector<TestEdge>& entries);

/// Distance of each vertex by Bellman and Ford; +infinity: not reached.
[[nodiscard]] std::vector<double> oracle_distances(VertexId n, const std::vector<TestEdge>& entries, VertexId source);

/// Sum over the given sources s, and all t, of the share of shortest s-t paths that pass through v,
/// straight from the definition: v is between s and t if d(s,v) + d(v,t) = d(s,t).  O(n^3).
[[nodiscard]] std::vector<double> oracle_dependencies(VertexId n, const std::vector<TestEdge>& entries,
                                                      const std::vector<VertexId>& sources);

/// Triangles that contain each vertex, by trying all triples of an adjacency matrix.  O(n^3).
[[nodiscard]] std::vector<std::uint64_t> oracle_triangles(VertexId n, const std::vector<TestEdge>& entries);

}  // namespace rizoma::testing
