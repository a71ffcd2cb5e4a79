// Betweenness centrality, exact or from sampled sources.  Module: algorithms.
//
// What: for each vertex v the sum over pairs (s, t) of the share of shortest s-t paths (by number of
// edges) that pass through v.  Endpoints do not count, parallel edges are one.  n is the number of live
// vertices.  `normalized` divides by (n-1)(n-2); else undirected pairs count once.  With k < n sources the
// sums are scaled up as NetworkX 3.6 does: a vertex that is no source was a possible intermediate of k
// searches, a source of the k - 1 others; so with k = 1 the source's own score is NaN.
// How: Brandes: a BFS that counts paths from each source, then dependencies added up level by level from
// the deepest; between two levels, both ways, edges are read from the side that has fewer.  Threads share
// the levels; on small graphs each takes sources of its own.  Sums depend on thread timing in the last bits.
// Beyond 1e308 shortest paths to a vertex (large grids) numbers are long double, which is slower.
// On ranks, they share the levels, too, and exchange the messages of a level and the sums for others'
// vertices; of small graphs each takes sources of its own, and reads the whole graph.
// Cost: O(k (n + m)); 20 bytes a vertex (36 with long double), for small graphs per thread.
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
  VertexMap<double> scores;    ///< n values; 0 for removed vertices
  VertexId sources = 0;        ///< sources used
  VertexId resumed_after = 0;  ///< of these, before the checkpoint; 0: it started over
};

/// Errors: invalid_argument (a source out of range, removed or given twice), unsupported (more shortest paths
/// to one vertex than a long double holds: 1e4932 on x86), cancelled.
Result<BetweennessResult> betweenness_centrality(Engine& engine, const GraphView& graph,
                                                 const BetweennessOptions& options = {});

}  // namespace rizoma
