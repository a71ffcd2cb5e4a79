// Clustering coefficients.  Module: algorithms.
//
// What: the share of pairs of neighbours of v that are adjacent: T / (d (d - 1) / 2), T its triangles.  Directed:
// the share of the directed triangles that its edges might be part of, 2 T / (2 (d (d - 1) - 2 r)), T counting every
// choice of directions, d in- plus out-neighbours, r those that are both.  0 where there is no pair.
// Parallel edges count once, self-loops not at all.
// How: triangle_count, or weighted_triangles of a directed graph, and the degrees from sorted lists.
// Cost: as those.
// Source: Watts, Strogatz, "Collective dynamics of small-world networks", Nature 393, 1998; Fagiolo, "Clustering in
// complex directed networks", Phys. Rev. E 76, 2007.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct ClusteringResult {
  VertexMap<double> coefficients;  ///< n values
  double average = 0;              ///< over live vertices
};

/// Errors: unsupported (2^32 vertices or more; a directed graph without in-edges), cancelled.
Result<ClusteringResult> clustering(Engine& engine, const GraphView& graph);

}  // namespace rizoma
