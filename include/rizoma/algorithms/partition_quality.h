// How good a partition of the vertices is: modularity, coverage, conductance.  Module: algorithms.
//
// What: with the weight of edges (1 each without weights; in an undirected graph a self-loop has two ends),
//   coverage       the share of it that is inside communities,
//   modularity     coverage minus `resolution` times the share expected of edges drawn by the (out- and in-) degrees,
//   conductance    of a community: what crosses its border, in either direction, over the lesser of its volume and that
//                  of the rest; the volume is the sum of (out-)degrees.  NaN where that is 0.
// How: one pass over the lists.  Sums are exact (src/algorithms/communities/community_level.h), so threads make no
// difference.
// Cost: O(n + m); memory as for the first level of Louvain.
// Source: Newman, Girvan, Phys. Rev. E 69, 2004; Leicht, Newman, PRL 100, 2008; Fortunato, Phys. Rep. 486, 2010.
#pragma once

#include <rizoma/engine.h>

#include <span>
#include <vector>

namespace rizoma {

struct PartitionQuality {
  double modularity = 0;            ///< 0 without edges
  double coverage = 0;              ///< 0 without edges
  std::vector<double> conductance;  ///< by label, up to the largest
};

/// `labels`: n labels below n; those of removed vertices do not matter.
/// Errors: invalid_argument (labels; a negative, infinite or NaN weight), unsupported (2^32 vertices or more; a
/// directed graph without in-edges), cancelled.
Result<PartitionQuality> partition_quality(Engine& engine, const GraphView& graph,
                                           std::span<const std::uint64_t> labels, double resolution = 1,
                                           bool use_weights = true);

}  // namespace rizoma
