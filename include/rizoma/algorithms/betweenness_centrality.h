// Betweenness centrality, exact or from sampled sources.  Module: algorithms.
//
// What: for each vertex v the sum over pairs (s, t) of the share of shortest s-t paths (by number of
// edges) that pass through v.  Endpoints do not count.  With k sources the sum is scaled by n/k.
// `normalized` divides by (n-1)(n-2) (directed) or (n-1)(n-2)/2 (undirected), as NetworkX does.
// How: Brandes: a BFS that counts paths from each source, then dependencies added up level by level
// from the deepest; levels are processed in parallel.  Parallel edges count as distinct paths.
// Cost: O(k (n + m)).
// Source: Brandes, "A faster algorithm for betweenness centrality", J. Math. Sociol. 25, 2001;
// Madduri et al., "A faster parallel algorithm ...", IPDPS'09.
#pragma once

#include <rizoma/engine.h>

#include <span>

namespace rizoma {

struct BetweennessOptions {
  std::span<const VertexId> sources;  ///< empty: every live vertex (exact)
  bool normalized = true;
};

struct BetweennessResult {
  VertexMap<double> scores;  ///< n values
  VertexId sources = 0;      ///< sources used
};

/// Errors: invalid_argument (a source out of range or removed), cancelled.
Result<BetweennessResult> betweenness_centrality(Engine& engine, const GraphView& graph,
                                                 const BetweennessOptions& options = {});

}  // namespace rizoma
